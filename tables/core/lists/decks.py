"""T12.4: decks: read from text, CSV or JSON; checked against a format, with every breach and its rule."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from types import MappingProxyType

from tables.core.lists.cards import Card
from tables.core.lists.faults import At, Fault, Faults, nearest, one_of, quote
from tables.core.lists.formats import PRINTED, Format, Restriction
from tables.core.lists.words import LONGEST_WORD, folded
from tables.core.proof.codec import Plain
from wargame.rules.core.saying import marked, said

MOST_SIGNS = 100_000
MOST_LINES = 2000
MOST_COPIES = 999

EXTRAS = ("champion", "guild master", "hero")
_PLACES = {
    **dict.fromkeys(("main", "deck", "mb", "hauptdeck"), "main"), **dict.fromkeys(("side", "sb"), "side"),
    **{word: word for word in EXTRAS},
}  # fmt: skip
"""The names of the parts of a deck in lists and tables; `main deck`, `sideboard` and the like are read, too."""
_WORD = r"main|deck|side|sb|mb|hauptdeck|champion|guild master|hero"
_LINE = re.compile(
    r"(?:(main|side|sb|mb)(?: ?deck|board)?\s*:\s*)?(?:([0-9]{1,9})\s*[x\u00d7]?\s+|[x\u00d7]([0-9]{1,9})\s+)?(.*\S)",
    re.IGNORECASE,
)
_HEAD = re.compile(rf"(?://\s*)?\[?({_WORD})(?: ?deck|board)?\]?\s*(?:\([0-9]+\))?\s*:?", re.IGNORECASE)
_EXTRA = re.compile(r"(champion|guild master|hero)\s*:\s*(.*\S)", re.IGNORECASE)
_PRINTING = re.compile(r"\s+(?:\*[A-Z]+\*|[(\[][A-Z0-9]{2,6}[)\]](?:\s+[\w-]*[0-9][\w-]*)?(?:\s+\*[A-Z]+\*)?)$")
"""The set, number and foil of a card, as deck builders write them after its name."""
_BEHIND = re.compile(r"(.*\S)\s+(?:[x\u00d7]\s*([0-9]{1,9})|\(([0-9]{1,9})\))", re.IGNORECASE)
_HEADS = {
    **dict.fromkeys(("name", "card", "card name", "karte", "kartenname"), "name"),
    **dict.fromkeys(("count", "qty", "quantity", "amount", "number", "copies", "menge", "anzahl"), "count"),
    **dict.fromkeys(("where", "place", "section", "board", "part", "bereich"), "place"),
}  # fmt: skip
"""The names of the columns of a table of cards."""


@dataclass(frozen=True, slots=True)
class Deck:
    """T12.4: the number of copies of each card; `extra` by kind: (`champion`, name), a Hero as (`hero`, name)."""

    main: Mapping[str, int]
    side: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))
    extra: tuple[tuple[str, str], ...] = ()

    def plain(self) -> dict[str, Plain]:
        """T8: the deck as JSON, whose salted hash is in the chain."""
        return {"main": dict(self.main), "side": dict(self.side), "extra": [list(pair) for pair in self.extra]}

    def keys(self, seat: str) -> tuple[str, ...]:
        """T5, T8: the secret keys of a seat's main deck: `A/Harbour Watch/2`, in the order of shuffles."""
        return tuple(sorted(f"{seat}/{name}/{n}" for name, many in self.main.items() for n in range(1, many + 1)))


@dataclass(frozen=True, slots=True)
class Breach:
    """T12.4: a rule that a deck breaks: its number, the card (or ""), and the fault as a sentence."""

    rule: str
    card: str
    text: str


def read_deck(text: str, cards: Mapping[str, Card] | None = None) -> Deck | tuple[Fault, ...]:
    """T12.4: a deck as text (`3 Harbour Watch`, `side: 2 Null Word`, `champion: Old Ox`), as deck builders write it
    (`Harbour Watch x3`, `SB: 2 Null Word`, `3 Gull (ABC) 12 *F*`), or as a table (CSV); or all its faults.

    With `cards`, names are case-insensitive, and unknown ones are faults with the nearest name. `# ..` and `// ..` are
    comments; `Side deck`, `Sideboard` or `// Main` alone in a line begin that part of the deck.
    """
    building = _Building(cards)
    text = text.removeprefix("\ufeff")
    if not building.fits(text):
        return building.faults.all()
    if rows := _table(text):
        _read_rows(building, rows)
        return building.deck()
    place = "main"
    for number, line in enumerate(text.splitlines(), 1):
        entry, at = (
            line.split("#", 1)[0].strip().removeprefix("- "),
            building.at.within(said("line %(number)s", number=number)),
        )
        if not entry:
            continue
        if head := _HEAD.fullmatch(entry):
            place = _PLACES[head[1].casefold()]
        elif entry.startswith("//"):
            continue
        elif extra := _EXTRA.fullmatch(entry):
            building.beside(extra[1].casefold(), extra[2], at)
        elif line_match := _LINE.fullmatch(entry):
            where = _PLACES[line_match[1].casefold()] if line_match[1] else place
            building.written(where, line_match[4], line_match[2] or line_match[3], at)
    return building.deck()


def _table(text: str) -> list[list[str]]:
    """T12.4: the rows of a deck that is a table: its first line names columns, or has a count and a name. Empty if
    it isn't one: names can contain commas."""
    first = next((line for line in text.splitlines() if line.strip()), "")
    for delimiter in (";", "\t", ","):
        cells = [cell.strip().casefold() for cell in _cells(first, delimiter)]
        if len(cells) > 1 and (set(cells) & set(_HEADS) or any(cell.isdecimal() for cell in cells[:2])):
            return [[cell.strip() for cell in _cells(line, delimiter)] for line in text.splitlines()]
    return []


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return [line]


def _read_rows(building: _Building, rows: list[list[str]]) -> None:
    first = next(number for number, row in enumerate(rows) if any(row))
    heads = {_HEADS[cell.casefold()]: at for at, cell in enumerate(rows[first]) if cell.casefold() in _HEADS}
    has_head = bool(heads) and not any(cell.isdecimal() for cell in rows[first])
    if not has_head or "name" not in heads:
        heads = {"count": 0, "name": 1, "place": 2} if rows[first][0].isdecimal() or has_head else {
            "name": 0, "count": 1, "place": 2,
        }  # fmt: skip
    for number, row in enumerate(rows, 1):
        if not any(row) or (has_head and number == first + 1):
            continue
        at = building.at.within(said("line %(number)s", number=number))
        cell = {name: row[column] if column < len(row) else "" for name, column in heads.items()}
        head = _HEAD.fullmatch(cell.get("place") or "main")
        count = cell.get("count", "1")
        if not cell["name"] or not count.isdecimal() or len(count) > 9:
            at.wrong(said("The line needs a count and a name."), said("Try `3,Harbour Watch,main`."))
        elif head is None:
            at.wrong(
                said("%(place)s is not part of a deck.", place=quote(cell["place"])),
                one_of(("main", "side", *EXTRAS), cell["place"]),
            )
        else:
            building.written(_PLACES[head[1].casefold()], cell["name"], count, at)


def read_deck_data(data: object, cards: Mapping[str, Card] | None = None) -> Deck | tuple[Fault, ...]:
    """T12.4: a deck as JSON: `{main: {Harbour Watch: 3}, side: {..}, extra: {champion: X}, hero: X}`, or its faults."""
    building = _Building(cards)
    if not isinstance(data, Mapping):
        building.at.wrong(said("%(what)s is not a deck.", what=quote(data)), said("Try `{main: {Harbour Watch: 3}}`."))
        return building.faults.all()
    for key, value in data.items():
        at = building.at.within(str(key)[:LONGEST_WORD])
        if key in ("main", "side"):
            building.add_all(str(key), value, at)
        elif key == "extra":
            building.beside_all(value, at)
        elif key in EXTRAS:
            for name in value if isinstance(value, (list, tuple)) else [value]:
                building.beside(str(key), name, at)
        else:
            at.wrong(
                said("The key %(key)s is unknown here.", key=quote(key)),
                one_of(("main", "side", "extra", *EXTRAS), key),
            )
    return building.deck()


def write_deck(deck: Deck) -> str:
    """T12.4: the deck as text that `read_deck` can read."""
    lines = [f"{kind}: {name}" for kind, name in deck.extra]
    lines += [f"{many} {name}" for name, many in deck.main.items()]
    lines += [f"side: {many} {name}" for name, many in deck.side.items()]
    return "".join(line + "\n" for line in lines)


def breaches(deck: Deck, format: Format, on: date, cards: Mapping[str, Card] | None = None) -> tuple[Breach, ...]:
    """T12.4: every rule that the deck breaks in that format, with the restrictions in force on that day (K37).

    Sorted by rule, then by card. Without `cards` only numbers and names are checked.
    """
    violations = [*_sizes(deck, format), *_copies(deck, format), *_restricted(deck, format, on)]
    if cards is not None:
        violations += [*_legends(deck, format, cards), *_classes(deck, format, cards), *_kinds(deck, format, cards)]
    violations += _extras(deck, format, cards or {})
    return tuple(sorted(violations, key=lambda breach: (_in_order(breach.rule), breach.card)))


def _in_order(rule: str) -> tuple[tuple[int, str], ...]:
    return tuple((int(part), "") if part.isdecimal() else (0, part) for part in rule.split("."))


def _sizes(deck: Deck, format: Format) -> Iterator[Breach]:
    """1.1, 1.1.1, 1.1.2, 5.1 to 5.4: the size of the main deck and the side deck (K35: in every format)."""
    main, side = sum(deck.main.values()), sum(deck.side.values())
    if main < format.least or (format.most is not None and main > format.most):
        sentence = marked("The deck has %(number)s cards; %(format)s needs at least %(least)s.")
        if format.least == format.most:
            sentence = marked("The deck has %(number)s cards; %(format)s needs exactly %(least)s.")
        message = said(sentence, number=main, format=said(format.name), least=format.least)
        yield Breach(format.size_rule, "", message)
    if format.side is None and side and format.size_rule:
        yield Breach(
            format.size_rule,
            "",
            said("%(name)s has no side decks; this one has %(side)s cards.", name=said(format.name), side=side),
        )
    elif format.side is not None and side > format.side:
        yield Breach(
            format.side_rule,
            "",
            said("The side deck has %(side)s cards; the limit is %(allowed)s.", side=side, allowed=format.side),
        )


def _together(deck: Deck) -> dict[str, int]:
    return {name: deck.main.get(name, 0) + deck.side.get(name, 0) for name in dict.fromkeys((*deck.main, *deck.side))}


def _copies(deck: Deck, format: Format) -> Iterator[Breach]:
    """1.2, 1.2.1, K35: copies of a card, main and side deck together."""
    for name, many in _together(deck).items():
        if format.copies is not None and many > format.copies:
            yield Breach(
                format.copies_rule,
                name,
                said(
                    "%(name)s appears %(number)s times; the limit is %(copies)s.",
                    name=name,
                    number=many,
                    copies=format.copies,
                ),
            )


def _restricted(deck: Deck, format: Format, on: date) -> Iterator[Breach]:
    """11.1, 11.2, 11.3: cards limited to one or two copies or banned on that day (K37)."""
    together = {folded(name): (name, many) for name, many in _together(deck).items()}
    for restriction in format.restricted:
        name, many = together.get(folded(restriction.card), (restriction.card, 0))
        if restriction.holds(on) and many > restriction.copies:
            yield Breach(restriction.rule, name, _restriction(restriction, name, many))


def _restriction(restriction: Restriction, name: str, many: int) -> str:
    """K37: the number of copies allowed and since when, and the number in the deck."""
    fields = {"name": name, "allowed": restriction.copies, "number": many}
    if restriction.since == PRINTED:
        return said("%(name)s is limited to %(allowed)s, as printed on the card; the deck has %(number)s.", **fields)
    day = f"{restriction.since:%d.%m.%Y}"
    if not restriction.copies:
        return said("%(name)s has been banned since %(day)s; the deck has %(number)s.", day=day, **fields)
    return said("%(name)s has been limited to %(allowed)s since %(day)s; the deck has %(number)s.", day=day, **fields)


def _legends(deck: Deck, format: Format, cards: Mapping[str, Card]) -> Iterator[Breach]:
    """4: the 4 Star Legendary Rule; cards beside the deck count too."""
    if format.legends is None:
        return
    together = _together(deck)
    for _, name in deck.extra:
        together[name] = together.get(name, 0) + 1
    for name, many in together.items():
        if name in cards and cards[name].stars >= 4 and many > format.legends:
            yield Breach(
                "4",
                name,
                said(
                    "%(name)s has 4 stars and appears %(number)s times; the limit is %(legends)s.",
                    name=name,
                    number=many,
                    legends=format.legends,
                ),
            )


def _classes(deck: Deck, format: Format, cards: Mapping[str, Card]) -> Iterator[Breach]:
    """5.3, S45: one class; treasures and generic abilities fit any, and the Champion's class is the deck's."""
    if not format.one_class:
        return
    extra_classes = [cards[name].class_ for _, name in deck.extra if name in cards]
    classes = {
        name: cards[name].class_ for name in deck.main if name in cards and cards[name].class_ not in ("", "generic")
    }
    most = max(
        sorted(set(classes.values())),
        key=lambda word: sum(deck.main[n] for n in classes if classes[n] == word),
        default="",
    )
    one = extra_classes[0] if extra_classes else most
    for name, word in classes.items():
        if word != one:
            yield Breach(
                format.size_rule,
                name,
                said("%(name)s has the class %(word)s; this deck's class is %(deck)s.", name=name, word=word, deck=one),
            )


def _kinds(deck: Deck, format: Format, cards: Mapping[str, Card]) -> Iterator[Breach]:
    """2.1.d: tokens are made by the game; A16: a Hero is beside the deck, and Tumults belong to no deck."""
    for name in _together(deck):
        card = cards.get(name)
        if card is not None and card.token:
            yield Breach(
                TOKEN_RULES[format.game], name, said("%(name)s is a token; only the game creates it.", name=name)
            )
        elif card is not None and card.type in ("hero", "tumult"):
            yield Breach("A16", name, said("%(name)s is a %(type)s and can't be in a deck.", name=name, type=card.type))


TOKEN_RULES: Mapping[str, str] = MappingProxyType({"altered": "1.1.7.b", "kryptik": "1.1", "seize": "4", "free": ""})
"""The rule cited for a token in a deck."""


def _extras(deck: Deck, format: Format, cards: Mapping[str, Card]) -> Iterator[Breach]:
    """5.3, 5.4, A16: the Champion, the Guild Master, the Hero."""
    extras = [name for kind, name in deck.extra if kind == format.extra]
    heroes = [name for kind, name in deck.extra if kind == "hero"]
    for kind, name in deck.extra:
        if kind != format.extra and not (kind == "hero" and format.heroes is not None):
            yield Breach(format.size_rule, name, said("%(name)s has no %(word)s.", name=said(format.name), word=kind))
    if format.heroes is not None and len(heroes) > format.heroes:
        yield Breach(
            "A16",
            heroes[-1],
            said("There are %(number)s Heroes; the limit is %(heroes)s.", number=len(heroes), heroes=format.heroes),
        )
    for name in heroes:
        if name in cards and cards[name].type != "hero":
            yield Breach("A16", name, said("%(name)s is not a Hero.", name=name))
    if not format.extra:
        return
    if len(extras) != 1:
        yield Breach(
            format.size_rule,
            "",
            said(
                "%(name)s needs one %(extra)s; the deck names %(number)s.",
                name=said(format.name),
                extra=format.extra,
                number=len(extras),
            ),
        )
    for name in extras:
        card = cards.get(name)
        if card is None:
            continue
        if card.type != "mercenary":
            yield Breach(
                format.size_rule,
                name,
                said("%(name)s is not a mercenary, so it can't be a %(extra)s.", name=name, extra=format.extra),
            )
        elif card.stars < format.extra_stars:
            yield Breach(
                format.size_rule,
                name,
                said(
                    "%(name)s is neither rare nor legendary, so it can't be a %(extra)s.", name=name, extra=format.extra
                ),
            )


class _Building:
    """T12.4: a deck that is being read, and its faults."""

    def __init__(self, cards: Mapping[str, Card] | None) -> None:
        self.names = {folded(name): name for name in cards} if cards is not None else None
        self.faults = Faults()
        self.at = At(self.faults)
        self.piles: dict[str, dict[str, int]] = {"main": {}, "side": {}}
        self.extra: list[tuple[str, str]] = []

    def fits(self, text: str) -> bool:
        """T12.4: whether the text is short enough to be read."""
        if len(text) <= MOST_SIGNS and text.count("\n") <= MOST_LINES:
            return True
        self.at.wrong(
            said("The text is too long for a deck."),
            said(
                "The limits are %(lines)s lines and %(signs)s characters.",
                lines=MOST_LINES,
                signs=MOST_SIGNS,
            ),
        )
        return False

    def name(self, written: object, at: At) -> str:
        """T12.4: the card's name as in the list, or empty with a fault."""
        if not isinstance(written, str) or not written or len(written) > LONGEST_WORD:
            at.wrong(
                said("%(what)s is not a card's name.", what=quote(written)),
                said("A name can have 1 to %(most)s characters.", most=LONGEST_WORD),
            )
            return ""
        if self.names is None:
            return written
        card_name = self.names.get(folded(written), "")
        if not card_name:
            suggestion = nearest(self.names.values(), written)
            at.wrong(
                said("No card is called %(what)s.", what=quote(written)),
                suggestion or said("Try `3 Harbour Watch`."),
            )
        return self.names.get(folded(written), "")

    def written(self, place: str, name: str, count: str | None, at: At) -> None:
        """T12.4: a line of a list: a name, followed by its printing or its count unless that is part of a card's
        name."""
        if not self.knows(name):
            name = _PRINTING.sub("", name)
            if count is None and not self.knows(name) and (count_match := _BEHIND.fullmatch(name)):
                name, count = _PRINTING.sub("", count_match[1]), count_match[2] or count_match[3]
        if place in EXTRAS:
            self.beside(place, name, at)
        else:
            self.add(place, name, int(count or 1), at)

    def knows(self, name: str) -> bool:
        """T12.4: whether the list has a card of that name."""
        return self.names is not None and folded(name) in self.names

    def add(self, place: str, written: object, many: object, at: At) -> None:
        """T12.4: add this number of copies of a card."""
        name = self.name(written, at)
        if isinstance(many, bool) or not isinstance(many, int) or not 1 <= many <= MOST_COPIES:
            at.wrong(
                said("%(number)s is not a number of copies.", number=quote(many)),
                said("Write a number from 1 to %(most)s.", most=MOST_COPIES),
            )
        elif name:
            pile = self.piles[place]
            pile[name] = pile.get(name, 0) + many

    def add_all(self, place: str, named: object, at: At) -> None:
        """T12.4: add cards with their numbers."""
        if not isinstance(named, Mapping) or len(named) > MOST_LINES:
            at.wrong(
                said("%(what)s is not a list of cards with their counts.", what=quote(named)),
                said("Try `{Harbour Watch: 3}`."),
            )
            return
        for name, many in named.items():
            self.add(place, name, many, at.within(str(name)[:LONGEST_WORD]))

    def beside(self, word: str, written: object, at: At) -> None:
        """T12.4: add a card beside the deck."""
        if name := self.name(written, at):
            self.extra.append((word, name))

    def beside_all(self, named: object, at: At) -> None:
        """T12.4: the same, from a mapping or pairs."""
        pairs = named.items() if isinstance(named, Mapping) else named if isinstance(named, (list, tuple)) else None
        for pair in pairs if pairs is not None else [None]:
            if isinstance(pair, (list, tuple)) and len(pair) == 2 and pair[0] in EXTRAS:
                self.beside(pair[0], pair[1], at)
            else:
                at.wrong(said("A deck can't have this extra."), one_of(EXTRAS))

    def deck(self) -> Deck | tuple[Fault, ...]:
        """T12.4: the deck, or all its faults."""
        if self.faults:
            return self.faults.all()
        return Deck(MappingProxyType(self.piles["main"]), MappingProxyType(self.piles["side"]), tuple(self.extra))
