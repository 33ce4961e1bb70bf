"""3.2.2.5: what an army may be called, so that every order can name it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from wargame.rules.armies.findings import MusterFault, MusterFinding
from wargame.rules.core.board import read_square
from wargame.rules.core.naming import key
from wargame.rules.core.orders import HOLD_WORDS, IN_BATTLE_WORDS
from wargame.rules.core.typography import plain

LONGEST_NAME = 40
"""Signs of an army's name, so that a line of orders stays short."""

ORDER_SIGNS = ":>;,()"
"""3.2.2.5: the signs that part an order."""

_ORDER_WORDS = (*HOLD_WORDS, *IN_BATTLE_WORDS, "engage", "replace", "intercept", "transfer", "joint engage")


def name_faults(name: str, taken: Iterable[str]) -> list[MusterFinding]:
    """3.2.2.5, R10: what is wrong with an army's name. `taken` are the names of all other armies of the round.

    Names that differ in case or blanks alone are one name.
    """
    if not name.strip():
        return [MusterFinding(MusterFault.NAME_MISSING)]
    found = []
    if sign := next((sign for sign in name if plain(sign) in ORDER_SIGNS or not _is_text(sign)), ""):
        found.append(
            MusterFinding(MusterFault.NAME_SIGN, {"name": name, "sign": sign if sign.isprintable() else repr(sign)})
        )
    if len(name) > LONGEST_NAME:
        found.append(MusterFinding(MusterFault.NAME_LONG, {"name": name, "length": len(name), "most": LONGEST_NAME}))
    if _is_square(name) or key(name) in _ORDER_WORDS:
        found.append(MusterFinding(MusterFault.NAME_ORDER, {"name": name}))
    if other := next((other for other in taken if key(other) == key(name)), ""):
        found.append(MusterFinding(MusterFault.NAME_TAKEN, {"name": name, "other": other}))
    return found


def _is_text(sign: str) -> bool:
    """Whether a sign can be seen, and stored: no control signs, no halves of surrogate pairs."""
    return unicodedata.category(sign)[0] != "C"


def _is_square(name: str) -> bool:
    try:
        read_square(name)
    except ValueError:
        return False
    return True
