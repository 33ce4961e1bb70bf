"""T9.1: lines to actions and back.

`read_line` never raises, whatever the input; `write` gives the line that `read_line` reads as the same action.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from functools import lru_cache

from tables.core.lines.actions import Action, Ambiguous, Ref, Unreadable
from tables.core.lines.forms import (
    CHOICES,
    CLAUSES,
    COUNTED,
    EXPEDITIONS,
    FORMS,
    ORDINALS,
    SENTENCES,
    STATS,
    STEPS,
    Form,
)
from tables.core.lines.matching import (
    Far,
    Found,
    KnownNames,
    Reader,
    Text,
    Value,
    match,
    nodes_of,
    read_name,
    read_ref,
    read_refs,
)
from tables.core.lines.writing import write as write
from tables.core.lists.cards import Game
from tables.core.lists.faults import quote
from tables.core.lists.vocabulary import COLOURS, ZONES
from tables.core.lists.words import folded
from wargame.rules.core.saying import said

MOST_EXPECTED = 8
PASS = "pass"
"""The most frequent line, and so the first to suggest if nothing of a line fits."""
_LIKELY = 0.6


def overlong(signs: int, most: int) -> Unreadable:
    """R8: a line that is too long to be read at all."""
    return Unreadable(
        most + 1,
        said("The line has %(signs)s characters; the limit is %(most)s.", signs=signs, most=most),
        (said("a shorter line"),),
    )


def explain(text: Text, forms: Sequence[Form]) -> Unreadable:
    """T9.1: why no form fits: the furthest place reached, and what was expected there."""
    furthest, start = text.far, text.skip(0)
    place = text.skip(furthest.place)
    rest = text.line[place : text.end].split(" ", 1)[0]
    wrong = furthest.wrong or (
        said("%(word)s isn't valid here.", word=quote(rest)) if rest else said("The line ends too early.")
    )
    line = text.line[start : text.end].casefold()
    if place > start:
        return Unreadable(place + 1, wrong, tuple(furthest.expected[:MOST_EXPECTED]), furthest.form)
    firsts = list(dict.fromkeys(form.pattern.split(" ")[0].split("|")[0].strip("{}[]") for form in forms))
    firsts.sort(key=lambda first: first != PASS)
    first_word = line.split(" ", 1)[0]
    candidates = sorted(firsts, key=lambda first: -_alike(first_word, first))
    nearest = [first for first in candidates if _alike(first_word, first) >= _LIKELY]
    example = next((form.shown for first in nearest for form in forms if form.pattern.startswith(first)), "")
    return Unreadable(place + 1, wrong, tuple(nearest[:3] or firsts[:MOST_EXPECTED]), example)


def _alike(left: str, right: str) -> float:
    return SequenceMatcher(None, left[:40], right.casefold()).ratio()


__all__ = [
    "LONGEST_LINE",
    "MOST_LINES",
    "Action",
    "Ambiguous",
    "Ref",
    "Unreadable",
    "read_line",
    "read_lines",
    "read_sentences",
    "write",
]

LONGEST_LINE = 400
"""R8: a longer line is refused at once, so that no line takes long to read."""
MOST_LINES = 40
"""The most lines of a plan."""

_TILE = re.compile(r"([a-h][1-8])(?!\w)", re.IGNORECASE)
_PATH = re.compile(r"[a-h][1-8](?: *- *[a-h][1-8])+(?!\w)", re.IGNORECASE)
_INTEGER = re.compile(r"-?[0-9]{1,6}(?![0-9\w])")
_DIE = re.compile(r"d([0-9]{1,4})(?!\w)", re.IGNORECASE)
_WORD = re.compile(r"[A-Za-z][\w'-]*")
_WHATEVER = re.compile(r" *whatever +comes *: *", re.IGNORECASE)
_CLAUSE = re.compile(r"[^;(]+")
_REASON = re.compile(r"\(([^()]*)\) *$")
_LINE_END = re.compile(r"\r\n|\r|\n")
_PLAIN = str.maketrans({"\u00a0": " ", "\t": " ", "\u2019": "'", "\u2018": "'", "\u2192": ">", "\u21d2": ">"})


def read_lines(
    text: str, game: Game, names: Iterable[str] = (), seats: Iterable[str] = ()
) -> tuple[Action | Unreadable | Ambiguous, ...]:
    """T9.1: a post of several lines, a plan; empty lines are ignored. See `read_line`."""
    if len(text) > MOST_LINES * LONGEST_LINE:
        return (overlong(len(text), MOST_LINES * LONGEST_LINE),)
    lines = [line for line in _LINE_END.split(text) if line.strip()]
    if len(lines) > MOST_LINES:
        return (
            Unreadable(
                1,
                said(
                    "The post has %(lines)s lines; a plan can have at most %(most)s.",
                    lines=len(lines),
                    most=MOST_LINES,
                ),
                (),
            ),
        )
    return tuple(read_line(line, game, names, seats) for line in lines)


def read_line(
    line: str, game: Game, names: Iterable[str] = (), seats: Iterable[str] = ()
) -> Action | Unreadable | Ambiguous:
    """T9.1: the action of one line. `names` are those of the table's cards: with them the first part of a name is
    enough, and an unknown card is refused; without them any text is a name. `seats` are letters and players' names."""
    if len(line) > LONGEST_LINE:
        return overlong(len(line), LONGEST_LINE)
    plain = line.translate(_PLAIN)
    known_names = _known_names(tuple(names), tuple(seats))
    whatever = _WHATEVER.match(plain)
    start = whatever.end() if whatever else 0
    read = _read(plain, start, known_names, game)
    return replace(read, whatever=True) if whatever and isinstance(read, Action) else read


def read_sentences(
    line: str, game: Game, names: Iterable[str] = (), seats: Iterable[str] = ()
) -> tuple[Action, ...] | Unreadable | Ambiguous:
    """T11.1: the changes of a ruling or a proposal: `#7 dies; A draws 1`, as actions of the kinds of
    `forms.SENTENCES`."""
    if len(line) > LONGEST_LINE:
        return overlong(len(line), LONGEST_LINE)
    plain = line.translate(_PLAIN)
    text = Text(plain, _known_names(tuple(names), tuple(seats)), Far(), len(plain.rstrip()))
    actions = _sentences(text, 0, _Slots(game, in_sentence=True)) if plain.strip() else None
    if actions is None:
        return text.far.ambiguous or explain(text, SENTENCES)
    return actions


@lru_cache(maxsize=64)
def _known_names(names: tuple[str, ...], seats: tuple[str, ...]) -> KnownNames:
    return KnownNames({folded(name): name for name in names}, seats)


@lru_cache(maxsize=8)
def _forms(game: str) -> tuple[Form, ...]:
    return tuple(form for form in FORMS if game in form.games)


def _read(plain: str, start: int, known_names: KnownNames, game: Game) -> Action | Unreadable | Ambiguous:
    end = len(plain.rstrip(" ."))
    confirmed = plain[:end].endswith("!")
    end = len(plain[:end].rstrip("! ")) if confirmed else end
    text, slots, forms = Text(plain, known_names, Far(start), end), _Slots(game), _forms(game)
    for form in forms:
        text.form, text.columns = form.shown, []
        for place, captures in match(text, nodes_of(form.pattern), start, (), slots):
            action = _action(form, captures)
            done = _clauses(text, place, action, slots) if form.clauses else action if text.skip(place) >= end else None
            if done is not None:
                return replace(done, confirmed=confirmed, columns=tuple(text.columns))
            if not form.clauses:
                text.fail(place, said("the end of the line"))
    if text.far.ambiguous and text.far.ambiguous.column >= text.far.place:
        return text.far.ambiguous
    return explain(text, forms)


def _clauses(text: Text, place: int, action: Action, slots: Reader) -> Action | None:
    """T9.1: the clauses of the line, each after a `;`."""
    while (place := text.skip(place)) < text.end:
        if text.line[place] != ";":
            text.fail(place, ";")
            return None
        place += 1
        for form in CLAUSES:
            read = next(
                (
                    (end, captures)
                    for end, captures in match(text, nodes_of(form.pattern), place, (), slots)
                    if _ends(text, end)
                ),
                None,
            )
            if read is not None:
                action, place = _with_clause(action, form, dict(read[1])), read[0]
                break
        else:
            return None
    return action


def _ends(text: Text, place: int) -> bool:
    place = text.skip(place)
    if place < text.end and text.line[place] != ";":
        text.fail(place, ";")
        return False
    return True


def _with_clause(action: Action, form: Form, captures: Mapping[str, Value]) -> Action:
    refs = _refs(captures.get("targets", captures.get("things", ())))
    if form.kind == "target":
        return replace(action, targets=(*(action.targets or ()), *refs))
    if form.kind == "effect":
        nth = captures["nth"]
        return replace(action, effects=(*action.effects, (nth if isinstance(nth, int) else 0, refs)))
    if form.kind == "x":
        number = captures["number"]
        return replace(action, x=number if isinstance(number, int) else 0)
    if form.kind in CHOICES:
        return replace(action, choices=(*action.choices, (form.kind, refs)))
    form_refs = _refs(captures[form.kind])
    return replace(action, order=form_refs) if form.kind == "order" else replace(action, pay=form_refs)


def _refs(value: Value) -> tuple[Ref, ...]:
    return tuple(ref for ref in value if isinstance(ref, (int, str))) if isinstance(value, tuple) else ()


_FIELDS = {
    "from": "origin",
    "tile": "to",
    "step": "to",
    "expedition": "to",
    "seat": "to",
    "colour": "do",
    "number": "n",
    "die": "n",
    "counted": "stat",
    "named": "stat",
    "status": "do",
    "reason": "text",
    "clause": "text",
}
"""T9.1: the field of an action for a slot's value, if it has another name."""


def _action(form: Form, captures: Found) -> Action:
    """T9.1: the values found, in the fields of an action."""
    fields: dict[str, object] = dict(form.fixed)
    for slot, value in captures:
        fields[_FIELDS.get(slot, slot)] = value
        if slot == "cards" and isinstance(value, tuple) and len(value) == 1:
            fields["card"] = value[0]
    if form.kind == "expedition":
        fields["to"], fields["stat"] = (
            next(v for k, v in captures if k == "seat"),
            next(v for k, v in captures if k == "expedition"),
        )
    elif form.kind == "target" and form.fixed:
        fields["targets"] = ()
    return Action(form.kind, **fields)  # type: ignore[arg-type]


def _sentences(text: Text, place: int, slots: Reader) -> tuple[Action, ...] | None:
    actions: list[Action] = []
    while True:
        for form in SENTENCES:
            text.form = form.shown
            ways = match(text, nodes_of(form.pattern), place, (), slots)
            if read := next(((end, captures) for end, captures in ways if _ends(text, end)), None):
                actions.append(_action(form, read[1]))
                place = text.skip(read[0])
                break
        else:
            return None
        if place >= text.end:
            return tuple(actions)
        place += 1


class _Slots(Reader):
    """T9.1: the possible contents of each slot of `forms`, by game."""

    def __init__(self, game: Game, *, in_sentence: bool = False) -> None:
        self.game, self.in_sentence = game, in_sentence

    def slot(self, text: Text, name: str, place: int, stops: tuple[str, ...]) -> Iterator[tuple[int, Value]]:
        """T9.1: the contents of the slot from that place on; there is at most one way."""
        place = text.skip(place)
        result = self._one(text, name, place, stops)
        if result is not None:
            yield result

    def _one(self, text: Text, name: str, place: int, stops: tuple[str, ...]) -> tuple[int, Value] | None:
        if name in ("card", "equip"):
            return read_name(text, place, stops, strict=True)
        if name == "cards":
            return self._cards(text, place, stops)
        if name in ("thing", "attacker"):
            return read_ref(text, place, (*stops, *COUNTED) if self.in_sentence else stops, strict=self.in_sentence)
        if name in ("things", "pay", "targets"):
            return read_refs(text, place, stops)
        if name == "order":
            return self._order(text, place, stops)
        if name in ("n", "other", "number"):
            return self._number(text, place, least=None if name == "number" else 0)
        if name in ("ability", "nth"):
            return _one_word(text, place, {ordinal: n for n, ordinal in enumerate(ORDINALS, 1)}, "first, second, ..")
        if name == "die":
            die = _DIE.match(text.line, place, text.end)
            return (die.end(), int(die[1])) if die else _nothing(text, place, said("a die such as d6"))
        if name == "text":
            return (text.end, text.line[place : text.end]) if place < text.end else _nothing(text, place, said("text"))
        if name == "clause":
            wording = _CLAUSE.match(text.line, place, text.end)
            return (wording.end(), wording[0].strip()) if wording else _nothing(text, place, said("some text"))
        if name == "reason":
            reason = _REASON.match(text.line, place, text.end)
            return (reason.end(), reason[1].strip()) if reason else None
        if name == "changes":
            return self._changes(text, place)
        return self._word(text, name, place)

    def _word(self, text: Text, name: str, place: int) -> tuple[int, Value] | None:
        """T9.1: slots that take one of a few words."""
        if name == "tile":
            tile = _TILE.match(text.line, place, text.end)
            return (tile.end(), tile[1].lower()) if tile else _nothing(text, place, said("a square such as b2"))
        if name == "path":
            path = _PATH.match(text.line, place, text.end)
            return (
                (path.end(), tuple(path[0].lower().replace(" ", "").split("-")))
                if path
                else _nothing(text, place, said("a path such as b2-b3-c3"))
            )
        if name == "step":
            steps = {alias: key for key, aliases in STEPS.get(self.game, {}).items() for alias in aliases}
            return _one_word(text, place, steps, ", ".join(STEPS.get(self.game, {})))
        if name in ("seat", "status", "named"):
            term = _WORD.match(text.line, place, text.end)
            if term is None:
                return _nothing(text, place, said("a player, such as A") if name == "seat" else said("a status"))
            return term.end(), text.known.seat(term[0]) if name == "seat" else term[0].lower()
        terms = {
            "stat": STATS,
            "expedition": EXPEDITIONS,
            "from": ZONES[self.game],
            "colour": COLOURS,
            "counted": COUNTED,
        }[name]
        return _one_word(text, place, {term: term for term in terms}, ", ".join(terms))

    def _cards(self, text: Text, place: int, stops: tuple[str, ...]) -> tuple[int, Value] | None:
        cards: list[str] = []
        while read := read_name(text, place, stops, strict=True):
            cards.append(read[1])
            place = text.skip(read[0])
            if place >= text.end or text.line[place] != ",":
                return place, tuple(cards)
            place = text.skip(place + 1)
        return None

    def _order(self, text: Text, place: int, stops: tuple[str, ...]) -> tuple[int, Value] | None:
        """8.4.1: numbers of effects, or things."""
        numbers: list[int] = []
        at = place
        while number_match := _INTEGER.match(text.line, at, text.end):
            numbers.append(int(number_match[0]))
            at = text.skip(number_match.end())
            if at >= text.end or text.line[at] != ",":
                return at, tuple(numbers)
            at = text.skip(at + 1)
        return read_refs(text, place, stops)

    def _number(self, text: Text, place: int, least: int | None) -> tuple[int, Value] | None:
        number_match = _INTEGER.match(text.line, place, text.end)
        if number_match is None or (least is not None and int(number_match[0]) < least):
            return _nothing(text, place, said("a number"))
        return number_match.end(), int(number_match[0])

    def _changes(self, text: Text, place: int) -> tuple[int, Value] | None:
        """T11: sentences, up to the end or to a reason in brackets."""
        reason, end = _REASON.search(text.line, place, text.end), text.end
        text.end = len(text.line[: reason.start()].rstrip()) if reason else end
        last, slots = text.end, _Slots(self.game, in_sentence=True)
        result = _sentences(text, place, slots) if place < last else None
        text.end = end
        return (last, result) if result is not None else _nothing(text, place, said("a change, for example “#7 dies”"))


def _one_word(text: Text, place: int, choices: Mapping[str, Value], expected: str) -> tuple[int, Value] | None:
    for choice in sorted(choices, key=len, reverse=True):
        if (end := text.literal(place, (choice,))) is not None:
            return end, choices[choice]
    return _nothing(text, place, expected)


def _nothing(text: Text, place: int, expected: str) -> tuple[int, Value] | None:
    text.fail(place, expected)
    return None
