"""T9, T10: a turn of Seize as one post: what is acquired and played and who moves, chosen from what is known now.

Apart from `seize`, because that draws what is, and this offers what may come.
"""

from __future__ import annotations

from collections.abc import Mapping

from django.utils.translation import gettext, pgettext

from judging.tables.board import battlefield
from judging.tables.board.faces import Plain
from judging.tables.board.shapes import Choice, TurnPlan
from tables.core.lines.forms import STEPS
from tables.core.lists.cards import Card

WINDOWS: Mapping[str, int] = {"beginning": 2, "draw": 1, "acquire": 0, "rally": 0, "move1": 0}
"""11.1 to 11.5: the phases from which a turn is planned, and how many windows are passed before one acquires."""
MOST_ACQUIRED = 4
MOST_STANDING = 3
BACK = 2
FIRST, ATTACK = STEPS["seize"]["move1"][0], STEPS["seize"]["attack"][0]


def plan_of(
    view: Plain, cards: Mapping[str, Card], called: Mapping[int, str], legal: frozenset[str]
) -> TurnPlan | None:
    """T9: what the viewer may plan of his own turn now; None where it isn't his, or its moves are over. In the Rally
    Phase only what is `legal` then is offered."""
    waits, viewer, at = view["waits"], view["viewer"], view["turn"]["at"]
    if waits is None or viewer not in waits["for"] or view["turn"]["of"] != viewer or at not in WINDOWS:
        return None
    if waits["kind"] not in ("priority", "acquire") or view["pile"]:
        return None
    choices = [Choice("", hidden="pass")] * WINDOWS[at]
    vault = dict(next(seat["numbers"] for seat in view["seats"] if seat["letter"] == viewer)).get("vault", 0)
    if at in ("beginning", "draw", "acquire") and vault:
        most = min(MOST_ACQUIRED, vault - 1, len(view["zones"][f"{viewer}.deck"]))
        told = gettext("%(number)s for %(number)s Loot")
        more = tuple(
            (f"acquire {n}" if n == MOST_ACQUIRED else f"acquire {n}\nenough", told % {"number": n})
            for n in range(1, most + 1)
        )
        choices.append(Choice(gettext("Acquire"), (("enough", gettext("no more")), *more)))
    if at != "move1":
        played = _from_hand(view, viewer, cards)
        choices += [*(_legal(played, legal) if at == "rally" else played), Choice("", hidden=f"pass to {FIRST}")]
    choices += _moves(view, viewer, called)
    then = (
        ("", gettext("ask me")),
        (f"pass to {ATTACK}", gettext("go to the Attack Phase")),
        ("pass turn", gettext("pass for the rest of the turn")),
    )
    choices.append(Choice(gettext("Then"), then))
    return TurnPlan(tuple(choices))


def _from_hand(view: Plain, viewer: str, cards: Mapping[str, Card]) -> list[Choice]:
    """11.4: one treasure, and mercenaries to free tiles among the back eight of one's side, three standing at most."""
    held = sorted({one["card"] for one in view["zones"][f"{viewer}.hand"] if one})
    treasures = [name for name in held if cards[name].type == "treasure"]
    mercenaries = [name for name in held if cards[name].type == "mercenary"]
    down = [(f"treasure face down {name}", gettext("%(name)s, face down") % {"name": name}) for name in mercenaries]
    open_ = [(f"treasure {name}", name) for name in treasures]
    found = [Choice(gettext("Treasure"), (("", pgettext("nothing chosen", "none")), *open_, *down))] if held else []
    tiles = _free_tiles(view, viewer)
    standing = len([one for one in view["zones"][f"{viewer}.battlefield"] if one and one.get("at")])
    played = tuple(
        (f"play {name} to {tile}", gettext("%(name)s to %(tile)s") % {"name": name, "tile": tile})
        for name in mercenaries
        for tile in tiles
    )
    if "vault" not in dict(next(seat["numbers"] for seat in view["seats"] if seat["letter"] == viewer)):
        return found  # 5.3: nobody enters in the Arena, where there is no Vault
    for _ in range(min(MOST_STANDING - standing, len(mercenaries)) if played else 0):
        found.append(Choice(gettext("Mercenary"), (("", pgettext("nothing chosen", "none")), *played)))
    return found


def _legal(choices: list[Choice], legal: frozenset[str]) -> list[Choice]:
    """11.4: the choices without what can't be played any more this turn."""
    kept = [
        Choice(one.label, tuple((line, words) for line, words in one.options if not line or line in legal))
        for one in choices
    ]
    return [one for one in kept if len(one.options) > 1]


def _free_tiles(view: Plain, viewer: str) -> list[str]:
    letters = [seat["letter"] for seat in view["seats"]]
    quarters = battlefield.quarters_of(letters)
    first, near = quarters[viewer]
    taken = {one["at"] for letter in letters for one in view["zones"][f"{letter}.battlefield"] if one and one.get("at")}
    ranks = range(1, BACK + 1) if near else range(battlefield.RANKS, battlefield.RANKS - BACK, -1)
    tiles = [f"{chr(ord('a') + first + column)}{rank}" for rank in ranks for column in range(battlefield.WIDE)]
    pillars = {tile for tile, marks in view.get("tiles", {}).items() if marks.get("pillar")}
    return [tile for tile in tiles if tile not in taken | pillars]


def _moves(view: Plain, viewer: str, called: Mapping[int, str]) -> list[Choice]:
    """11.5: where each of one's mercenaries may move from where it stands."""
    found = []
    for one in view["zones"][f"{viewer}.battlefield"]:
        reach = view.get("reach", {}).get(one.get("number")) if one else None
        if reach and reach["ways"]:
            number = one["number"]
            ways = tuple(
                (f"move #{number}: {path}", gettext("to %(tile)s") % {"tile": tile})
                for tile, path in reach["ways"].items()
            )
            found.append(Choice(gettext("Move %(thing)s") % {"thing": called[number]}, (("", gettext("stays")), *ways)))
    return found
