"""T13: the position of a table case: a state given in full instead of a set-up."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from tables.core.lists.cardlist import read_cards
from tables.core.lists.cards import Card
from tables.core.play import Rules
from tables.core.proof.draws import Draws
from tables.core.state import Options, Seat, State, Thing, Turn
from tables.core.zones import kind_of, zone_of
from tables.reading import Data

UNNAMED = "Unnamed"
"""T13: the card for a case that gives only a number of cards: citizens without an 11 year ability or cost."""
SEED = "table case seed "
_SEAT = re.compile(r"[A-Z]\d?")
CARD_KEYS = ("id", "card", "engaged", "weary", "damage", "owner", "attached", "equipped", "counters", "known",
             "face_up")  # fmt: skip


class CaseError(ValueError):
    """A case that can't be read; the text names the case and the key."""


@dataclass
class Position:
    """T13: a state under construction: things with the ids of the case."""

    cards: Mapping[str, Card]
    rules: Rules
    things: dict[str, Thing] = field(default_factory=dict)
    zones: dict[str, tuple[str, ...]] = field(default_factory=dict)
    ids: dict[int, str] = field(default_factory=dict)
    """The secret key, by the case's id."""
    made: Counter[str] = field(default_factory=Counter)
    marked: bool = False
    """Whether a card's other keys are statuses (true or false) and counters (a number), as in Altered."""

    def put(self, zone: str, data: Data, under: str = "") -> str:
        """T5: one card into a zone."""
        fields: Mapping[str, Data] = data if isinstance(data, dict) else {"card": data}
        further = {key: value for key, value in fields.items() if key not in CARD_KEYS}
        if further and self.rules.lay is None and not self.marked:
            raise CaseError(f"unknown keys of a card: {', '.join(sorted(further))}")
        more = further if self.marked else {}
        name, seat = str(fields.get("card", UNNAMED)), zone.rpartition(".")[0]
        if name not in self.cards:
            raise CaseError(f"“{name}” is not among the case's cards")
        owner = str(fields.get("owner", seat))
        self.made[f"{owner}/{name}"] += 1
        key = f"{owner}/{name}/{self.made[f'{owner}/{name}']}"
        number = fields.get("id")
        counters = fields.get("counters")
        known_seats = fields.get("known")
        self.things[key] = Thing(
            key, name, owner, seat, zone, len(self.things) + 1,
            number if isinstance(number, int) else None,
            engaged=fields.get("engaged") is True, weary=fields.get("weary") is True,
            damage=whole(fields.get("damage", 0)), under=under,
            counters=tuple(
                (str(kind), whole(count))
                for kind, count in (*mapping(counters).items(), *more.items())
                if not isinstance(count, bool) and (count != 0 or not more)
            ),
            known=frozenset(str(seat) for seat in known_seats) if isinstance(known_seats, list) else frozenset(),
            revealed=fields.get("face_up") is True, statuses=tuple(key for key, value in more.items() if value is True),
        )  # fmt: skip
        if self.rules.lay is not None:
            try:
                changes = self.rules.lay(self.cards[name], {"zone": kind_of(zone), **further})
            except ValueError as error:
                raise CaseError(f"{name}: {error}") from error
            self.things[key] = replace(self.things[key], **changes)
        self.zones[zone] = (*self.zones.get(zone, ()), key)
        if isinstance(number, int):
            self.ids[number] = key
        beneath = fields.get("attached", fields.get("equipped"))
        for one in beneath if isinstance(beneath, list) else []:
            self.put(zone, one, key)
        return key

    def number(self, rules: Rules) -> int:
        """T5: give public numbers to everything without one, after those of the case. Returns the highest."""
        last = max(self.ids, default=0)
        for key, thing in self.things.items():
            if thing.number is None and rules.zones[kind_of(thing.zone)].public:
                last += 1
                self.things[key] = replace(thing, number=last)
                self.ids.setdefault(last, key)
            elif not rules.zones[kind_of(thing.zone)].public:
                self.things[key] = replace(thing, number=None)
        return last


def whole(value: Data) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise CaseError(f"“{value}” is not a whole number")
    return value


def _cards(document: Mapping[str, Data], rules: Rules) -> dict[str, Card]:
    cards = read_cards(document.get("cards", []), rules.name)  # type: ignore[arg-type]
    if isinstance(cards, tuple):
        raise CaseError("; ".join(str(fault) for fault in cards))
    kind = {"kryptik": "citizen", "seize": "treasure"}.get(rules.name, "card")
    return {**cards, UNNAMED: Card(UNNAMED, rules.name, kind, attack=1, defense=1)}  # type: ignore[arg-type]


def lay_out(document: Mapping[str, Data], rules: Rules) -> tuple[State, dict[int, str]]:
    """T13: the state of a case's position, and the secret keys by its ids."""
    if "setup" in document:
        return _set_up(document, rules)
    position, turn = mapping(document.get("position")), mapping(mapping(document.get("position")).get("turn"))
    letters = [key for key in position if _SEAT.fullmatch(key)]
    laid = Position(_cards(document, rules), rules, marked=rules.name == "altered")
    numbers: dict[str, tuple[tuple[str, int], ...]] = {}
    energy: dict[str, tuple[tuple[str, int], ...]] = {}
    for letter in letters:
        zones = mapping(position[letter])
        for name, cards in {"deck": 10, **zones}.items():
            if name == "energy":
                energy[letter] = tuple(
                    sorted((colour, whole(count)) for colour, count in mapping(cards).items() if count)
                )
                continue
            if name in rules.numbers:
                numbers[letter] = (*numbers.get(letter, ()), (name, whole(cards)))
                continue
            if name not in rules.zones:
                raise CaseError(f"{letter}: there is no zone “{name}”")
            items: Sequence[Data] = (
                [UNNAMED] * cards if isinstance(cards, int) else cards if isinstance(cards, list) else []
            )
            for card in items:
                laid.put(zone_of(letter, name), card)
    shared = [kind.name for kind in rules.zones.values() if kind.whose == "shared"]
    for name in shared:
        cards = position.get(name)
        for card in cards if isinstance(cards, list) else []:
            laid.put(name, card)
    last = laid.number(rules)
    unknown = set(position) - set(letters) - {"turn", "marks", "tiles", "regions", *shared}
    if unknown or not letters:
        raise CaseError(f"a position can have seats and a turn, not {', '.join(sorted(unknown))}")
    first = str(turn.get("first", ""))
    turn_seat, number = str(turn.get("of", first)), whole(turn.get("number", turn.get("day", 1)))
    at = str(turn.get("at", ""))
    if at not in rules.steps:
        raise CaseError(f"there is no phase or step “{at}”")
    state = State(
        game=rules.name, options=(options := _options(document, rules)), cards=laid.cards,
        seats=tuple(
            Seat(letter, energy=energy.get(letter, ()), side=letter[:1] if letter[1:] else "",
                 numbers=numbers.get(letter, ()) or _regions(position, letter))
            for letter in letters
        ),
        things=laid.things, zones=laid.zones, turn=Turn(
            number, turn_seat, at, starter=first or (turn_seat if number == 1 else letters[0])
        ),
        draws=_draws(document), fixed=_fixed(document),
        counts={"number": last, "stamp": len(laid.things), **_today(position, laid)},
        marks=tuple(str(mark) for mark in _marks(position)),
        ground=rules.ground(letters, options) if rules.ground is not None else None,
        tiles=_tiles(position),
    )  # fmt: skip
    return state, laid.ids


def _tiles(position: Mapping[str, Data]) -> dict[str, tuple[tuple[str, int], ...]]:
    """T13: the things on tiles: `{b5: {fog: 1}, d2: pillar}`."""
    tiles = {}
    for tile, marks in mapping(position.get("tiles", {})).items():
        counts = {marks: 1} if isinstance(marks, str) else mapping(marks)
        tiles[tile] = tuple((str(name), whole(count)) for name, count in counts.items())
    return tiles


def _regions(position: Mapping[str, Data], letter: str) -> tuple[tuple[str, int], ...]:
    """T13: Altered's counters: `{A.hero: 1, A.companion: 8}`."""
    regions = mapping(position.get("regions", {}))
    return tuple(
        (name.partition(".")[2], whole(place)) for name, place in regions.items() if name.partition(".")[0] == letter
    )


def _today(position: Mapping[str, Data], laid: Position) -> dict[str, int]:
    """1.4.6: uses today, by an object's abilities: `{quick: {4: [100, 0]}, reaction: {2: 99}}`."""
    counts = {}
    for kind in ("quick", "reaction"):
        for number, times in mapping(mapping(position.get("marks", {})).get(kind, {})).items():
            for at, count in enumerate(times if isinstance(times, list) else [times]):
                counts[f"today {kind} {laid.ids[int(number)]} {at}"] = whole(count)
    return counts


def _set_up(document: Mapping[str, Data], rules: Rules) -> tuple[State, dict[int, str]]:
    """T13: seats and decks are done, the set-up follows."""
    laid = Position(_cards(document, rules), rules)
    seats = mapping(document["setup"])
    for letter, raw in seats.items():
        fields = mapping(raw)
        if "hero" in fields:
            laid.put(zone_of(letter, "presented"), fields["hero"])
        for name, count in mapping(fields.get("deck", {})).items():
            for _ in range(whole(count)):
                laid.put(zone_of(letter, "deck"), name)
    state = State(
        game=rules.name, options=_options(document, rules), cards=laid.cards,
        seats=tuple(Seat(letter) for letter in seats), things=laid.things, zones=laid.zones,
        turn=Turn(1, "", "setup"), draws=_draws(document), fixed=_fixed(document),
        counts={"number": 0, "stamp": len(laid.things)},
    )  # fmt: skip
    return state, laid.ids


def _marks(position: Mapping[str, Data]) -> list[str]:
    """T13: acts of this turn: `{soul: true, solo: {A: [Bell Diver]}}`."""
    marks = mapping(position.get("marks", {}))
    lines = ["soul"] if marks.get("soul") else []
    for seat, names in mapping(marks.get("solo", {})).items():
        lines += [f"solo {seat} {name} {at}" for name in (names if isinstance(names, list) else []) for at in range(4)]
    return lines


def mapping(value: Data) -> dict[str, Data]:
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise CaseError(f"“{value}” is not a mapping")
    return value


def _options(document: Mapping[str, Data], rules: Rules) -> Options:
    options = mapping(document.get("options", {}))
    rulings = tuple((key, str(value)) for key, value in options.items() if key not in ("format", "starter", "agreed"))
    agreed = tuple(sorted((int(key), _wording(value)) for key, value in mapping(options.get("agreed", {})).items()))
    return Options(str(options.get("format", rules.format)), str(options.get("starter", "")), rulings, agreed=agreed)


def _wording(value: Data) -> str:
    """A12: `{hand: 6, mana: 3}` is written `hand 6, mana 3`."""
    return ", ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else str(value)


def _draws(document: Mapping[str, Data]) -> Draws:
    return Draws((SEED + str(document.get("seed", 1))).encode().ljust(32, b".")[:32], "case")


def _fixed(document: Mapping[str, Data]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    draws = mapping(document.get("draws", {}))
    return tuple(
        (name, tuple(whole(one) for one in (values if isinstance(values, list) else [values])))
        for name, values in draws.items()
    )
