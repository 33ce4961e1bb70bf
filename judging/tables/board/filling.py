"""T9: lines with blanks as forms: targets, X, what a cost asks for, an order; and the line that such a form says."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType

from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop, pgettext

from judging.game.errors import Refused
from judging.tables.board.acts import BY_THINGS, ELSEWHERE, LineNames, acts_of
from judging.tables.board.shapes import Group, Pick, Picking, PickPart
from judging.tables.board.words import GROUPS
from tables.core.blanks import GOES_ON, Blank, OpenLine, X, filled

MOST_PARTS = 20
MOST_PICKS = 80
"""So many parts and ticks of a form are read."""
TITLES: Mapping[str, str] = MappingProxyType({
    "target": gettext_noop("Target"), "sacrifice": gettext_noop("Sacrifice"), "discard": gettext_noop("Discard"),
    "plunder": gettext_noop("Plunder"), "abolish": gettext_noop("Abolish"), "choose": gettext_noop("Give"),
    "order": gettext_noop("Order of its effects"), X: gettext_noop("X"),
})  # fmt: skip
_THING = re.compile(r"^(?P<kind>[a-z]+)(?: with)? (?P<thing>#\d+)")


def pickings(
    open_lines: Iterable[OpenLine], game: str, names: LineNames, cards: tuple[str, ...]
) -> tuple[Picking, ...]:
    """T9: the open lines whose fillings aren't all buttons of their own."""
    found = []
    for one in open_lines:
        if one.is_listed or any(blank.least > len(blank.among) for blank in one.blanks):
            continue
        title, actor = _heading(one.head, game, names, cards)
        parts = tuple(_part(blank, names) for blank in one.blanks)
        found.append(Picking(one.head, title, actor, parts, ELSEWHERE.search(one.head) is None))
    return tuple(found)


def hides(pickings: Sequence[Picking], line: str) -> bool:
    """T9: whether a form says it better than a button: what is played or used with things to choose, and several
    things at once."""
    return any(
        line.startswith(f"{one.head};") or ("," in line and line.startswith(f"{one.head} ")) for one in pickings
    )  # fmt: skip


def stands_for(pickings: Sequence[Picking], group: Group) -> bool:
    """T9: whether a form that is open says all that a group of buttons says."""
    lines = [act.line for actor in group.actors for act in actor.acts]
    return any(one.is_open and all(line.startswith(f"{one.head} ") for line in lines) for one in pickings)


def _heading(head: str, game: str, names: LineNames, cards: tuple[str, ...]) -> tuple[str, str]:
    """What the form does, and the card or thing that does it."""
    found = _THING.match(head)
    kind, number = found.groups() if found is not None else ("", "")
    if kind in BY_THINGS:
        return gettext(BY_THINGS[kind]) % {"thing": names.words(number)}, number
    (act,) = acts_of((head,), game, names, cards)
    if act.kind:
        return act.label, act.actor
    kind = head.rstrip(" :>").split(" ")[0].rstrip(":")
    kind = "attack card" if head.startswith("attack card") else "order" if kind == "damage" else kind
    if kind == "attack card":
        return names.words(head.removeprefix("attack card ").rstrip(" >")), ""
    return gettext(GROUPS[kind]) if kind in GROUPS else act.label, ""


def _part(blank: Blank, names: LineNames) -> PickPart:
    picks = tuple(Pick(value, _label(blank, value, names)) for value in blank.among)
    title = gettext(TITLES[blank.word]) if blank.word in TITLES else blank.word.capitalize()
    if blank.word == GOES_ON:
        title = pgettext("of several things", "Choose")
    fields = {"title": title, "least": blank.least, "most": blank.most}
    if blank.word == X:
        return PickPart(blank.word, gettext("X, up to %(most)s") % {"most": blank.among[-1]}, "number", picks)
    if blank.ordered:
        return PickPart(blank.word, gettext("First to last"), "ordered", picks, blank.least, blank.most)
    if blank.least == blank.most:
        told = gettext("%(title)s: %(least)s of these") % fields
    elif blank.least:
        told = gettext("%(title)s: %(least)s to %(most)s of these") % fields
    else:
        told = gettext("%(title)s: up to %(most)s of these") % fields
    return PickPart(blank.word, told, "one" if blank.most == 1 else "many", picks, blank.least, blank.most)


def _label(blank: Blank, value: str, names: LineNames) -> str:
    if blank.word == "order":
        return gettext("Last effect first")
    return names.seats.get(value) or names.words(value)


def line_of(data: QueryDict) -> str:
    """T9: the line that a form with blanks says; empty where none was sent. Refused: nothing was chosen."""
    head = data.get("pick_for", "").strip()
    words = data.getlist("blank")[:MOST_PARTS]
    values = [
        [value for value in data.getlist(f"pick-{at}")[:MOST_PICKS] if value and "\n" not in value]
        for at in range(len(words))
    ]
    if head and GOES_ON in words and not any(values):
        raise Refused(gettext("You haven’t chosen anything yet. Tick your choice, then press the button again."))
    return filled(head, words, values) if head else ""
