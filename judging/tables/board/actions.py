"""T9: What may be done as buttons, and what is filled in first as forms."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from django.http import QueryDict
from django.utils.translation import gettext, gettext_noop, pgettext

from judging.common.errors import Refused
from judging.tables.board.shapes import Act, Actor, Group, Pick, Picking, PickPart
from judging.tables.board.words import COLOURS, GROUPS
from tables.core.blanks import GOES_ON, Blank, OpenLine, X, filled, unfilled
from tables.core.lines.actions import Action, from_plain
from tables.core.lines.writing import write
from tables.core.lists.cards import Game

FEW = 6
"""Up to this number, acts are single buttons; more are grouped."""
FOR_THE_HEAD = ("pass", "no", "yes", "done", "enough", "accept", "refuse", "resupply", "pay", "concede")
"""Kinds of lines that no card carries out: they are always single buttons."""
ALONE = ("no attack", "no block", "no mana", "keep hand", "keep nothing", "choose none", "target none", "mulligan")
LAST_LOOT = gettext_noop("If you acquire a card with your last Loot, you lose the game (S7). Acquire anyway?")

OF_CARDS: Mapping[str, str] = MappingProxyType({
    "cast": gettext_noop("Cast %(card)s"), "soul": gettext_noop("Soul row: %(card)s"),
    "play": gettext_noop("Play %(card)s"), "event": gettext_noop("Play %(card)s"),
    "treasure": gettext_noop("Treasure: %(card)s"), "discard": gettext_noop("Discard %(card)s"),
    "mana": gettext_noop("Mana zone: %(card)s"),
})  # fmt: skip
"""Labels of acts with a card of the hand, by the kind of the line."""
BY_THINGS: Mapping[str, str] = MappingProxyType({
    "use": gettext_noop("Use %(thing)s"), "quick": gettext_noop("Quick %(thing)s"),
    "attack": gettext_noop("Attack with %(thing)s"), "move": gettext_noop("Move %(thing)s"),
    "plunder": gettext_noop("Plunder with %(thing)s"), "equip": gettext_noop("Equip %(thing)s"),
    "unequip": gettext_noop("Unequip %(thing)s"), "exit": gettext_noop("Exit %(thing)s"),
})  # fmt: skip
"""Labels of acts of a card in play."""
LINES: Mapping[str, str] = MappingProxyType({
    "pass": gettext_noop("Pass"), "yes": gettext_noop("Yes"), "no": gettext_noop("No"), "pay": gettext_noop("Pay"),
    "concede": gettext_noop("Concede"), "done": gettext_noop("Done"), "enough": gettext_noop("Enough"),
    "accept": gettext_noop("Accept"), "refuse": gettext_noop("Refuse"), "resupply": gettext_noop("Resupply"),
    "no attack": gettext_noop("No attack"), "no block": gettext_noop("No block"), "no mana": gettext_noop("No mana"),
    "keep hand": gettext_noop("Keep hand"), "keep nothing": gettext_noop("Keep nothing"),
    "choose none": gettext_noop("Choose none"), "target none": gettext_noop("Target none"),
    "mulligan": gettext_noop("Mulligan"),
})  # fmt: skip
"""Whole lines in words."""
OF_LINES: Mapping[str, str] = MappingProxyType({
    "choose": gettext_noop("Choose %(what)s"), "target": gettext_noop("Target %(what)s"),
    "sacrifice": gettext_noop("Sacrifice %(what)s"), "abolish": gettext_noop("Abolish %(what)s"),
    "keep": gettext_noop("Keep %(what)s"), "acquire": gettext_noop("Acquire %(what)s"),
    "discard": gettext_noop("Discard %(what)s"), "recursion": gettext_noop("Put back %(what)s"),
})  # fmt: skip
"""Lines of a word and its object."""
ELEVEN: Mapping[str, str] = MappingProxyType({
    "hand": gettext_noop("Into my hand"), "ability": gettext_noop("Use its 11 year ability"),
    "cast": gettext_noop("Cast it for its 11 year cost"),
})  # fmt: skip
ABILITIES = (
    gettext_noop("first ability"), gettext_noop("second ability"), gettext_noop("third ability"),
    gettext_noop("fourth ability"), gettext_noop("fifth ability"), gettext_noop("sixth ability"),
)  # fmt: skip
PLACES: Mapping[str, str] = MappingProxyType(
    {"hero": gettext_noop("to hero"), "companion": gettext_noop("to companion")}
)
ORIGINS: Mapping[str, str] = MappingProxyType(
    {"reserve": gettext_noop("from reserve"), "quarters": gettext_noop("from quarters")}
)

GIVEN: Mapping[str, str] = MappingProxyType({
    "sacrifice": gettext_noop("sacrificing %(things)s"), "discard": gettext_noop("discarding %(things)s"),
    "plunder": gettext_noop("plundering %(things)s"), "abolish": gettext_noop("abolishing %(things)s"),
    "choose": gettext_noop("giving %(things)s"), "engage": gettext_noop("engaging %(things)s"),
    "exhaust": gettext_noop("exhausting %(things)s"),
})  # fmt: skip
"""Labels of what is given for a cost, by the word of its clause."""

ELSEWHERE = ("reserve", "quarters")
"""Where a card is played from that isn't played from the hand."""
_NUMBER = re.compile(r"#(\d+)")
_WHERE = re.compile(r"(?:to (?P<to>\S+))?(?:(?:^| )from (?P<from>reserve|quarters))?(?:(?:^| )with (?P<with>.+))?")
_SQUARE = re.compile(r"\b([a-h][1-8])\b")
_WORN = re.compile(r"(?:equip #\d+ with|unequip #\d+:) (?P<things>[^;]+)")


@dataclass(frozen=True, slots=True)
class LineNames:
    """The names of things in lines: cards by their public numbers, players by their letters."""

    things: Mapping[int, str]
    seats: Mapping[str, str]

    def words(self, text: str) -> str:
        """A part of a line in words: `#4` as `Slag Bull #4`, `11y 3 of B` with the player's name."""
        label = _NUMBER.sub(lambda number_match: self.thing(int(number_match[1])), text)
        if label in self.seats:
            return self.seats[label]
        before, separator, seat = label.rpartition(" of ")
        return f"{before}{separator}{self.seats[seat]}" if before and seat in self.seats else label

    def thing(self, number: int) -> str:
        name = self.things.get(number)
        return f"{name} #{number}" if name else f"#{number}"


def acts_of(actions: Iterable[Action], game: Game, names: LineNames) -> tuple[Act, ...]:
    """T9: each action as an act, in their order."""
    return tuple(_act(action, game, names) for action in actions)


def _act(action: Action, game: Game, names: LineNames) -> Act:
    line = write(action, game)
    things = tuple(int(number) for number in _NUMBER.findall(line))
    squares = _squares(line, game)
    actor, label, short = _words_of(line, action, names)
    asks = gettext("Concede the game? You can't take it back.") if action.kind == "concede" else ""
    if action.kind == "acquire" and action.confirmed:
        asks = gettext(LAST_LOOT)
    return Act(line, action, label, action.kind, actor, short, things, squares, asks)


def is_from(act: Act, *zones: str) -> bool:
    """Whether it plays a card from one of these zones."""
    return act.action is not None and act.action.origin in zones


def _squares(line: str, game: str) -> tuple[str, ...]:
    """The squares of the battlefield to which a line leads; of a path, its last tile."""
    if game != "seize":
        return ()
    _, is_path, path = line.partition(": ")
    squares = tuple(_SQUARE.findall(line))
    return squares[-1:] if is_path and "-" in path else squares


def _words_of(line: str, action: Action, names: LineNames) -> tuple[str, str, str]:
    """The actor, the whole act, and the rest of it without the actor."""
    match action.kind:
        case "cast" | "soul" | "play" | "treasure" | "event" | "discard" | "mana" if action.card:
            rest = _rest(line, action.card, names)
            text = gettext(OF_CARDS[action.kind]) % {"card": action.card}
            if line.startswith("treasure face down "):
                return action.card, gettext("%(act)s, face down") % {"act": text}, gettext("Face down")
            return action.card, text + rest, rest.strip(" ,;") or _group(action.kind)
        case "energy":
            colour = _colour(line.split()[1])
            actor = names.words(_number(action.thing))
            text = gettext("%(colour)s energy from %(thing)s") % {"colour": colour, "thing": actor}
            return actor, text, colour
        case "use" | "quick" | "attack" | "move" | "plunder" | "equip" | "unequip" | "exit" if action.thing not in (
            0,
            "none",
        ):
            return _by_a_thing(line, action, names)
        case "block" if action.things:
            items = ", ".join(names.words(_number(thing)) for thing in action.things)
            return "", gettext("Block with %(things)s") % {"things": items}, items
        case "eleven" if action.do in ELEVEN:
            return "", gettext(ELEVEN[action.do]) + _rest(line, action.do, names), ""
        case "agree":
            text = gettext("Propose all suggestions")
            if not action.do:
                text = gettext("Agree to %(answers)s") % {"answers": line.removeprefix("agree ")}
            return "", text, text
        case "starter" if line.split()[-1] in names.seats:
            letter = line.split()[-1]
            text = gettext("%(name)s (%(letter)s) begins") % {"name": names.seats[letter], "letter": letter}
            return "", text, text
        case "yes" | "pay":
            rest = _rest(line, action.kind, names)
            label = gettext(LINES[action.kind]) + (f",{rest}" if rest else "")
            return "", label, label
        case "no" | "concede" | "pass":
            label = gettext(LINES[action.kind])
            return "", label + line[len(action.kind) :] if action.kind == "pass" else label, label
    text = _of_the_line(line, action.kind, names)
    return "", text, text


def _by_a_thing(line: str, action: Action, names: LineNames) -> tuple[str, str, str]:
    """The act of a card in play: a way, an ability, its target, X."""
    actor = names.words(_number(action.thing))
    if action.path:
        fields = {"thing": actor, "tile": action.path[-1], "path": "-".join(action.path)}
        text = gettext("Move %(thing)s to %(tile)s")
        if len(action.path) > 2:
            text = gettext("Move %(thing)s to %(tile)s via %(path)s")
        return actor, text % fields, gettext("To %(tile)s") % fields
    if worn := _WORN.match(line):
        items = ", ".join(map(names.words, worn["things"].split(", ")))
        fields = {"thing": actor, "things": items}
        if action.kind == "equip":
            return actor, gettext("Equip %(thing)s with %(things)s") % fields, gettext("With %(things)s") % fields
        return actor, gettext("Unequip %(thing)s: %(things)s") % fields, items
    attacked = line.split(" > ")[1:]
    aims = " > ".join(attacked)
    rest = names.words(aims) if attacked else _aims(line, names)
    nth = f", {gettext(ABILITIES[min(action.ability, len(ABILITIES)) - 1])}" if action.ability else ""
    aimed = " " + gettext("at %(things)s") % {"things": rest} if rest else ""
    costs = "".join(f", {_given(cost, map(_number, refs), names)}" for cost, refs in action.choices if cost in GIVEN)
    details = f"{nth}{aimed}{costs}{f', X = {action.x}' if action.x is not None else ''}"
    text = gettext(BY_THINGS[action.kind]) % {"thing": actor}
    return actor, text + details, _capital(details.strip(", ")) or _group(action.kind)


def _of_the_line(line: str, kind: str, names: LineNames) -> str:
    """A line that is complete by itself, with names for numbers and letters."""
    bare = line.rstrip("!")
    if bare in LINES:
        return gettext(LINES[bare])
    verb, _, value = bare.partition(" ")
    if kind == verb.rstrip(":") and kind in OF_LINES and value:
        items = ", ".join(names.seats.get(part) or names.words(part) for part in value.split(", "))
        return gettext(OF_LINES[kind]) % {"what": items}
    return _capital(", ".join(_with_names(part, names) for part in bare.split(", ")))


def _group(kind: str) -> str:
    return gettext("Soul row") if kind == "soul" else gettext(GROUPS[kind])


def _colour(code: str) -> str:
    return _capital(gettext(COLOURS[code]) if code in COLOURS else code)


def _with_names(part: str, names: LineNames) -> str:
    """A part of a line with names for numbers and letters: `choose B` names the chosen player."""
    verb, _, value = part.rpartition(" ")
    return f"{verb} {names.seats[value]}".strip() if value in names.seats else names.words(part)


def _rest(line: str, card: str, names: LineNames) -> str:
    """The rest of a line after the card's name: its targets, the tile, X."""
    after = line.partition(card)[2]
    parts = [part.strip() for part in after.split(";") if part.strip()]
    parts_text = []
    for part in parts:
        verb, _, value = part.partition(" ")
        if verb in ("target", "targets"):
            items = ", ".join(names.words(one) for one in value.split(", "))
            parts_text.append(" " + gettext("at %(things)s") % {"things": items})
        elif verb in GIVEN and value:
            parts_text.append(f" {_given(verb, value.split(', '), names)}")
        elif place_match := _WHERE.fullmatch(part):
            parts_text.append(f" {_where(place_match, names)}")
        else:
            parts_text.append(" " + ", ".join(names.words(one) for one in part.split(", ")))
    return ",".join(parts_text)


def _given(cost: str, things: Iterable[str], names: LineNames) -> str:
    """8.1: what is given for a cost, so that nobody gives it unknowingly."""
    return gettext(GIVEN[cost]) % {"things": ", ".join(names.words(thing) for thing in things)}


def _where(place_match: re.Match[str], names: LineNames) -> str:
    """The place a card is played to, its origin, and the treasure used."""
    to, origin, treasure = place_match["to"], place_match["from"], place_match["with"]
    pieces = []
    if to:
        pieces.append(gettext(PLACES[to]) if to in PLACES else gettext("to %(tile)s") % {"tile": to})
    if origin:
        pieces.append(gettext(ORIGINS[origin]))
    if treasure:
        pieces.append(gettext("with %(thing)s") % {"thing": names.words(treasure)})
    return " ".join(pieces)


def _aims(line: str, names: LineNames) -> str:
    _, separator, after = line.partition("; target ")
    return ", ".join(names.words(part) for part in after.partition(";")[0].split(", ")) if separator else ""


def _number(thing: int | str) -> str:
    return f"#{thing}" if isinstance(thing, int) else thing


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def arranged(acts: Sequence[Act]) -> tuple[tuple[Act, ...], tuple[Group, ...]]:
    """T9, T12.6: a few acts are single buttons; of many, only those without an actor are, and the rest are groups by
    kind and actor."""
    if len(acts) <= FEW:
        return tuple(acts), ()
    ready = [act for act in acts if act.kind in FOR_THE_HEAD or act.line in ALONE]
    kinds: dict[str, list[Act]] = {}
    for act in acts:
        if act not in ready:
            kinds.setdefault(act.kind, []).append(act)
    groups = []
    for kind, members in kinds.items():
        if len(members) == 1:
            ready.append(members[0])
            continue
        actors: dict[str, list[Act]] = {}
        for act in members:
            actors.setdefault(act.actor, []).append(act)
        together = tuple(Actor(name, tuple(one)) for name, one in actors.items())
        groups.append(
            Group(
                kind,
                gettext(GROUPS[kind]) if kind in GROUPS else _capital(kind) or gettext("Other"),
                together,
                len(members),
            )
        )
    return tuple(ready), tuple(groups)


MOST_PARTS = 20
MOST_PICKS = 80
MOST_SENT = 4_000
"""So many parts, ticks and characters of a form are read."""
TITLES: Mapping[str, str] = MappingProxyType({
    "target": gettext_noop("Target"), "sacrifice": gettext_noop("Sacrifice"), "discard": gettext_noop("Discard"),
    "plunder": gettext_noop("Plunder"), "abolish": gettext_noop("Abolish"), "choose": gettext_noop("Give"),
    "order": gettext_noop("Order of its effects"), X: gettext_noop("X"),
})  # fmt: skip


def pickings(open_lines: Iterable[OpenLine], game: Game, names: LineNames) -> tuple[Picking, ...]:
    """T9: the open lines that are not fully covered by buttons."""
    rows = []
    for one in open_lines:
        if one.is_listed or any(blank.least > len(blank.among) for blank in one.blanks):
            continue
        title, actor = _heading(one, game, names)
        parts = tuple(_part(blank, names) for blank in one.blanks)
        rows.append(Picking(one.head, title, actor, parts, one.head.origin not in ELSEWHERE))
    return tuple(rows)


def hides(pickings: Sequence[Picking], act: Act) -> bool:
    """T9: whether a form expresses it better than a button: a card or thing with choices to make, and several things
    at once."""
    return any(
        _begins(one, act) and ("," in act.line if one.goes_on else act.action != one.head) for one in pickings
    )  # fmt: skip


def stands_for(pickings: Sequence[Picking], group: Group) -> bool:
    """T9: whether an open form covers all buttons of a group."""
    acts = [act for actor in group.actors for act in actor.acts]
    return any(one.is_open and one.goes_on and all(_begins(one, act) for act in acts) for one in pickings)


def _begins(picking: Picking, act: Act) -> bool:
    return act.action is not None and unfilled(act.action) == picking.head


def _heading(one: OpenLine, game: Game, names: LineNames) -> tuple[str, str]:
    head = one.head
    if head.kind in BY_THINGS:
        number = _number(head.thing)
        return gettext(BY_THINGS[head.kind]) % {"thing": names.words(number)}, number
    if not any(blank.word == GOES_ON for blank in one.blanks):
        (act,) = acts_of((head,), game, names)
        return act.label, act.actor
    if head.kind == "attack card":
        return names.words(f"{head.card} by {_number(head.thing)}"), ""
    return gettext(GROUPS[head.kind]) if head.kind in GROUPS else _capital(head.kind), ""


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
        text = gettext("%(title)s: %(least)s of these") % fields
    elif blank.least:
        text = gettext("%(title)s: %(least)s to %(most)s of these") % fields
    else:
        text = gettext("%(title)s: up to %(most)s of these") % fields
    return PickPart(blank.word, text, "one" if blank.most == 1 else "many", picks, blank.least, blank.most)


def _label(blank: Blank, value: str, names: LineNames) -> str:
    if blank.word == "order":
        return gettext("Last effect first")
    return names.seats.get(value) or names.words(value)


def sent_action(data: QueryDict) -> Action | None:
    """T9: the action that a button or a form with blanks sends; None where neither was sent. Refused: nothing was
    chosen, or it can't be read."""
    words = data.getlist("blank")[:MOST_PARTS]
    values = [
        [value for value in data.getlist(f"pick-{at}")[:MOST_PICKS] if value and "\n" not in value]
        for at in range(len(words))
    ]
    sent = data.get("action") or data.get("pick_for")
    if not sent:
        return None
    if GOES_ON in words and not any(values):
        raise Refused(gettext("You haven’t chosen anything yet. Tick your choice, then press the button again."))
    try:
        return filled(from_plain(json.loads(sent[:MOST_SENT])), words, values)
    except (ValueError, RecursionError) as error:
        raise Refused(gettext("Something went wrong with this form. Copy your text and reload the page.")) from error
