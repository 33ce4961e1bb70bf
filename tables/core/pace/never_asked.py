"""T10.3: orders that could never fire: words of another game, things that aren't there, an order of one trigger.

Checked once, when an order is given; orders in force are never checked like this.
"""

import re

from tables.core.lines.understanding import read
from tables.core.pace import standing_orders
from tables.core.play import Rules
from tables.core.reasons import Refused
from tables.core.state import State
from wargame.rules.core.saying import marked, said

OF_A_TURN = ("pass", "play", "quick")
ANYBODY = ("anything", "a citizen", "opponent", "anybody")
MINE = ("me", "mine", "anything of mine")

_UNASKED = marked("This game never asks for that, so this order would never fire.")


def refuse(rules: Rules, state: State, text: str) -> None:
    """T10.3: Refused (`unreadable`, with its column) for an order that is readable but could never fire here."""
    low, questions = text.casefold(), rules.asked
    if groups := standing_orders.WHEN.fullmatch(low):
        _asks(questions, "block", "may" if groups["line"] in ("yes", "no") else groups["line"].removeprefix("no "))
    elif standing_orders.HE_PASSES.fullmatch(low) or standing_orders.NEXT.fullmatch(low):
        _asks(questions, "turn")
        _line(state, text.partition(":")[2].strip(), OF_A_TURN)
    elif groups := standing_orders.ASKED.fullmatch(low):
        _asks(questions, "may")
        _check_name(rules, state, groups["what"], low)
    elif groups := standing_orders.ALWAYS.fullmatch(low):
        is_answer = groups["line"] in ("yes", "no")
        _asks(questions, "may" if is_answer else groups["line"])
        if is_answer is (groups["how"] == "never"):
            raise Refused("unreadable", said("Write `always yes`, `always no`, `never block` or `never attack`."), 1)
        if groups["to"]:
            _check_name(rules, state, groups["to"], low)
    elif groups := standing_orders.KEEP.fullmatch(low):
        if not questions & {"keep", "discard"}:
            raise Refused("unreadable", said(_UNASKED), 1)
        for name in groups["names"].split(","):
            _thing(state, name, low)
    elif groups := standing_orders.TRIGGERS.fullmatch(low):
        _asks(questions, "triggers")
        _triggers(state, re.split(r",| then ", groups["order"]), low)
    elif groups := standing_orders.PASS.fullmatch(low):
        if groups["unless"]:  # it passes, whatever that names
            _asks(questions, "priority")
    else:
        _asks(questions, "priority")
        for part in standing_orders.THEN.split(text):
            if (groups := standing_orders.IF.fullmatch(part)) is not None:
                _event(rules, state, groups["event"].casefold(), low)
                if groups["test"]:
                    _asks(questions, "block")
                line = re.sub(r"\btarget it\b", "target none", groups["line"].strip())
                _line(state, line, (*rules.acts, *rules.anytime, *(("block",) if "block" in questions else ())))


def _asks(questions: frozenset[str], *kinds: str) -> None:
    if not set(kinds) <= questions:
        raise Refused("unreadable", said(_UNASKED), 1)


def _line(state: State, line: str, kinds: tuple[str, ...]) -> None:
    """The line that an order gives must be one that can be posted when it fires."""
    if read(state, line).kind not in kinds:
        raise Refused(
            "unreadable",
            said("You can't post “%(line)s” at that point, so this order would never fire.", line=line),
            1,
        )


def _triggers(state: State, names: list[str], low: str) -> None:
    for name in names:
        _thing(state, name, low)
    if len({name.strip() for name in names}) < 2:
        raise Refused("unreadable", said("To order triggers, name at least two different cards."), 1)


def _check_name(rules: Rules, state: State, name: str, low: str) -> None:
    """The subject of a `may`: what it would do, or its card."""
    if name.strip() != "may" and name.strip() not in rules.primitives:
        _thing(state, name, low)


def _thing(state: State, name: str, low: str) -> None:
    """A card of the table, or an existing thing by its number."""
    name = name.strip()
    number = int(name[1:]) if re.fullmatch(r"#\d{1,6}", name) else 0
    is_known = any(thing.number == number for thing in state.things.values()) if number else False
    if not is_known and name not in {card.casefold() for card in state.cards}:
        message = said("Nothing here is called “%(name)s”, so this order would never fire.", name=name)
        raise Refused("unreadable", message, max(0, low.find(name)) + 1)


def _event(rules: Rules, state: State, text: str, low: str) -> None:
    _waits_for_events(rules, text, low)
    groups = standing_orders.EVENT.fullmatch(text)
    if text in standing_orders.ATTACKED or groups is None:
        return
    name, target = groups["who"].strip(), (groups["what"] or "").strip()
    if groups["does"] == "attacks":
        _check_known(name in ANYBODY, state, name, low)
    elif groups["does"] == "targets":
        _check_known(target in MINE, state, target, low)
    else:
        seats = tuple(seat.letter.casefold() for seat in state.seats)
        _check_known(name in ("opponent", "anybody", "anything", *seats), state, "" if name not in seats else name, low)
        terms = (*rules.heard, "a card", "anything", "of cost", *(card.casefold() for card in state.cards))
        fits = not target or standing_orders.TEST.search(target) or any(term in target for term in terms)
        _check_known(bool(fits), state, target, low)


def _waits_for_events(rules: Rules, text: str, low: str) -> None:
    """Where nobody has priority, no rule lets anybody attack or target anything."""
    if not rules.heard:
        raise Refused("unreadable", said(_UNASKED), max(0, low.find(text)) + 1)


def _check_known(is_known: bool, state: State, name: str, low: str) -> None:
    if not is_known:
        _thing(state, name, low)
