"""T10.3: which order somebody may have meant: the nearest example of the page of all lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from functools import cache
from pathlib import Path

from django.conf import settings

PAGE = Path(settings.BASE_DIR) / "docs" / "play" / "cards" / "lines.md"
HEADS = {"Every game": "", "Kryptik": "kryptik", "Seize": "seize", "Altered": "altered", "Free table": "free"}
USUAL = "pass until my turn"


def order_like(text: str, game: str) -> str:
    """T10.3: of the orders that a game knows the one most like a text."""
    orders = {order.casefold(): order for order in (*orders_of_games()[game], *orders_of_games()[""])}
    near = get_close_matches(" ".join(text.split()).casefold()[:100], orders, 1, 0.3)
    return orders[near[0]] if near else USUAL


@cache
def orders_of_games() -> Mapping[str, tuple[str, ...]]:
    """T10.3: the standing orders that the page names, by game; those of every game under an empty name."""
    found: dict[str, tuple[str, ...]] = dict.fromkeys(HEADS.values(), ())
    game, is_order = "", False
    for row in PAGE.read_text(encoding="utf-8").splitlines():
        if row.startswith("## "):
            game, is_order = HEADS[row[3:]], False
        elif row.startswith("| ") and "`" not in row and "---" not in row:
            is_order = "standing order" in row
        elif is_order and row.startswith("| `"):
            found[game] += tuple(re.findall(r"`([^`]+)`", row.split("|")[1]))
    return found
