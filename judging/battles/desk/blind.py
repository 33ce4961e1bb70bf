"""4.2.1: a battle's sheet without names: side 1 and side 2, and no army, rank, title, colour of a team or link that
tells a judge whose battle it is, until he has scored it. Names that stand in the strats are covered too.

Apart from `pages`, because what a judge may not see is a secret, and is kept out of a sheet before any page has it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from django.http import HttpRequest
from django.utils.html import escape
from django.utils.safestring import mark_safe
from django.utils.translation import gettext

from judging.battles.desk.sheet import Sheet, SheetFighter, SheetSide
from judging.battles.shapes import BattleView, FighterView, StratView
from judging.drawing.map import terrain_word
from wargame.rules.battle.odds import Odds

LINK = re.compile(r"</?a\b[^>]*>")
"""What makes a link of a strat's words."""

KEY = "judges_blind"
"""The key of a session under which it is kept that its judge wants no names."""


def set_blind(request: HttpRequest, *, on: bool) -> None:
    """4.2.1: has the judge's desk show strats without names from now on, or with them again, for this log-in alone."""
    request.session[KEY] = on


def is_blind(request: HttpRequest, sheet: Sheet) -> bool:
    """4.2.1: whether this sheet is to be shown without names: its judge wants that, and has still to score it."""
    return bool(request.session.get(KEY)) and sheet.asks_for_score and sheet.judge is not None


def blinded(sheet: Sheet) -> Sheet:
    """4.2.1: the sheet with side 1 and side 2, in the order in which it shows them, instead of all names."""
    places = _places(sheet)
    names = _names(sheet, places)
    first, second = (_side(side, places[side.index], names) for side in sheet.sides)
    view = _view(sheet.view, (first, second), names)
    row = replace(sheet.row, view=view, missing=tuple(names.get(name, name) for name in sheet.row.missing))
    return replace(sheet, view=view, row=row, sides=(first, second), is_blind=True)


def blinded_odds(odds: Odds, sheet: Sheet) -> Odds:
    """4.2.1: what would follow from a score, by the same names as the sheet without names."""
    names = _names(sheet, _places(sheet))
    called = names.get
    return replace(
        odds,
        losses={called(army, army): lost for army, lost in odds.losses.items()},
        killed={called(army, army): often for army, often in odds.killed.items()},
        captured={called(army, army): often for army, often in odds.captured.items()},
    )


def _places(sheet: Sheet) -> dict[int, int]:
    """The numbers of the sides, in the order in which the sheet shows them."""
    return {side.index: place for place, side in enumerate(sheet.shown_sides, 1)}


def _names(sheet: Sheet, places: Mapping[int, int]) -> dict[str, str]:
    """What stands for each name of an army or a person of the battle."""
    found: dict[str, str] = {}
    for side in sheet.sides:
        many = len(side.fighters) > 1
        for letter, fighter in zip("AB", side.fighters, strict=False):
            called = gettext("Army %(which)s") % {"which": f"{places[side.index]}{letter if many else ''}"}
            found |= dict.fromkeys((*fighter.view.controllers, *(s.by for s, _ in fighter.strats)), called)
            found[fighter.view.name] = called
    return found


def _covered(text: str, names: Mapping[str, str]) -> str:
    """A text in which every name is another one; longer names first, whole words alone, whatever their case."""
    by_length = sorted(names, key=len, reverse=True)
    if not by_length:
        return text
    pattern = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, by_length)) + r")(?!\w)", re.IGNORECASE)
    folded = {name.casefold(): called for name, called in names.items()}
    return pattern.sub(lambda match: folded.get(match[0].casefold(), gettext("Army")), text)


def _view(view: BattleView, sides: tuple[SheetSide, SheetSide], names: Mapping[str, str]) -> BattleView:
    first, second = (tuple(fighter.view for fighter in side.fighters) for side in sides)
    headline = gettext("A battle on %(terrain)s") % {"terrain": terrain_word(view.terrain)}
    return replace(view, headline=headline, sides=(first, second), at="", place="", extensions=())


def _side(side: SheetSide, place: int, names: Mapping[str, str]) -> SheetSide:
    fighters = tuple(_fighter(fighter, names) for fighter in side.fighters)
    label = gettext("Side %(number)s") % {"number": place}
    return replace(side, side="", title=label, label=label, fighters=fighters)


def _fighter(fighter: SheetFighter, names: Mapping[str, str]) -> SheetFighter:
    strats = tuple((_strat(strat, names), counts) for strat, counts in fighter.strats)
    return replace(fighter, view=_fighter_view(fighter.view, names), strats=strats)


def _fighter_view(view: FighterView, names: Mapping[str, str]) -> FighterView:
    army = view.army._replace(name=names[view.name], rank=None)
    slots = tuple(
        replace(slot, creatures=tuple(_covered(name, names) for name in slot.creatures)) for slot in view.slots
    )
    return replace(view, army=army, slots=slots, controllers=(), strats=(), penalties=())


def _strat(strat: StratView, names: Mapping[str, str]) -> StratView:
    # The HTML was cleaned when it was made, and what is put into it are names of our own, without signs of HTML.
    written = {**names, **{str(escape(name)): called for name, called in names.items()}}
    html = mark_safe(_covered(LINK.sub("", str(strat.html)), written))
    wishes = tuple(_covered(wish, names) for wish in strat.wishes)
    return replace(strat, by="", text="", html=html, wishes=wishes, claims=(), risk_ruling=None)
