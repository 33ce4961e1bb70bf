"""T13: the cases that need no table: decks, lines and shuffles. Position cases are run by `cases`.

A case is what `reading` parsed. `failures` gives the differences from the expectation, as sentences; a badly written
case raises nothing: that is a failure too.
"""

import re
from collections.abc import Mapping
from datetime import date
from types import MappingProxyType

from tables.core.lines.actions import Action, Ambiguous, Unreadable
from tables.core.lines.notation import read_line
from tables.core.lists.cardlist import read_cards
from tables.core.lists.cards import GAMES, Card, Game
from tables.core.lists.decks import breaches, read_deck_data
from tables.core.lists.formats import FORMATS
from tables.core.proof.draws import Draws, cut_value

KEYS = ("deck", "line", "shuffle")
"""T13: the keys that distinguish such a case from one with a position."""

_OTHER = re.compile(r"Other (?:main|side) card \d+")
_COMMON = ("case", "game", "about", "cards", "expect")
DAY = date(2026, 1, 1)
"""K37: the day on which the tables of deck cases open, where a case names none (`on:`)."""


def is_of_lists(case: Mapping[str, object]) -> bool:
    """T13: whether the case is a deck, a line or a shuffle."""
    return any(key in case for key in KEYS)


def failures(case: Mapping[str, object]) -> list[str]:
    """T13: the differences from the expectation; empty if there are none."""
    kind = next((key for key in KEYS if key in case), "")
    game = next((each for each in GAMES if each == case.get("game")), None)
    expect = case.get("expect")
    if not kind or game is None or not isinstance(expect, Mapping):
        return ["A case needs a game, an expectation, and a deck, a line or a shuffle."]
    if unknown := [str(key) for key in case if key not in (*_COMMON, kind)]:
        return [f"The key {key} is unknown in a case of a {kind}." for key in unknown]
    cards = read_cards(case.get("cards") or [], game)
    if isinstance(cards, tuple):
        return [str(fault) for fault in cards]
    content = case[kind]
    if kind == "deck":
        return _deck(content, game, cards if "cards" in case else None, expect)
    if kind == "line":
        return _line(content, game, cards, expect)
    return _shuffle(content, expect)


# ------------------------------------------------------------------------------------------------ decks


def _deck(content: object, game: Game, cards: Mapping[str, Card] | None, expect: Mapping[str, object]) -> list[str]:
    """T12.4, A16: legal or not, and which rules the deck breaks."""
    if not isinstance(content, Mapping):
        return ["The deck must be a mapping."]
    format = FORMATS.get((game, str(content.get("format"))))
    if format is None:
        return [f"There is no format {content.get('format')} of {game}."]
    fields = {key: content[key] for key in content if key not in ("format", "on")}
    main, side = (_filled(fields.get(part, {}), part, cards) for part in ("main", "side"))
    data = {**fields, "main": main, "side": side}
    deck = read_deck_data(data, _with_others(cards, (main, side), game))
    if isinstance(deck, tuple):
        return [str(fault) for fault in deck]
    on = date.fromisoformat(str(content["on"])) if "on" in content else DAY
    violations = breaches(deck, format, on, cards)
    rules = list(dict.fromkeys(breach.rule for breach in violations))
    wrong = _unknown(expect, ("legal", "rules"))
    if "legal" in expect and expect["legal"] != (not violations):
        wrong.append(f"legal: {not violations}: " + " ".join(breach.text for breach in violations))
    if "rules" in expect and expect["rules"] != rules:
        wrong.append(f"rules: {rules}, expected {expect['rules']}")
    return wrong


def _with_others(
    cards: Mapping[str, Card] | None, parts: tuple[object, object], game: Game
) -> Mapping[str, Card] | None:  # fmt: skip
    """T13: the cards that a deck's names are looked up among: those of the case, and the `others`."""
    if cards is None:
        return None
    names = [str(name) for part in parts if isinstance(part, Mapping) for name in part]
    return {**{name: Card(name, game, "card") for name in names if _OTHER.match(name)}, **cards}


def _filled(content: object, part: str, cards: Mapping[str, Card] | None) -> object:
    """T13: `others: 37` means 37 further cards that break nothing: each of another name."""
    if not isinstance(content, Mapping) or "others" not in content:
        return content
    count = content["others"]
    many = count if isinstance(count, int) and 0 <= count <= 500 else 0
    known_names = set(cards or ())
    names = [name for n in range(1, many + 1) if (name := f"Other {part} card {n}") not in known_names]
    return {**{key: n for key, n in content.items() if key != "others"}, **dict.fromkeys(names, 1)}


# ------------------------------------------------------------------------------------------------ lines


def _line(content: object, game: Game, cards: Mapping[str, Card], expect: Mapping[str, object]) -> list[str]:
    """T9: the content of the line; only fields that the case names are compared."""
    read = read_line(str(content), game, tuple(cards))
    actual = told_of(read)
    wrong = []
    for key, value in expect.items():
        if key not in actual:
            wrong.append(f"{key}: the line doesn't say, expected {value!r} ({read})")
        elif actual[key] != value:
            wrong.append(f"{key}: {actual[key]!r}, expected {value!r} ({read})")
    return wrong


def told_of(read: Action | Unreadable | Ambiguous) -> Mapping[str, object]:
    """T13: what was read, by the keys of a line case: only the content of the line."""
    if isinstance(read, Unreadable):
        return {"kind": "unreadable", "column": read.column}
    if isinstance(read, Ambiguous):
        return {"kind": "ambiguous", "column": read.column}
    fields: dict[str, object] = {"kind": read.kind}
    names: Mapping[str, object] = {
        "card": read.card, "with": read.thing, "attacker": read.attacker, "ability": read.ability, "do": read.do,
        "to": read.to, "from": read.origin, "equip": read.equip, "stat": read.stat, "n": read.n,
        "path": list(read.path), "pay": list(read.pay), "order": list(read.order), "cards": list(read.cards),
        "things": list(read.things),
    }  # fmt: skip
    fields |= {key: value for key, value in names.items() if value not in (0, "", [])}
    if read.targets is not None:
        fields["targets"] = list(read.targets)
    if read.x is not None:
        fields["X"] = read.x
    by_kind: Mapping[str, Mapping[str, object]] = {
        "block": {"with": list(read.things)},
        "recursion": {"cards": list(read.cards)},
        "orb": {"exhaust": read.n, "ready": read.other},
        "treasure": {"face_down": read.do == "face down"},
        "mana": {"card": read.card or "none"},
        "pass": {"to": read.to},
    }
    return MappingProxyType({**fields, **by_kind.get(read.kind, {})})


# ------------------------------------------------------------------------------------------------ shuffles


def _shuffle(content: object, expect: Mapping[str, object]) -> list[str]:
    """T8: the order that seed, table and words give; the first is the top."""
    wrong = _unknown(expect, ("order",))
    try:
        if not isinstance(content, Mapping):
            raise TypeError("the shuffle must be a mapping")
        cuts = tuple(cut_value(cut) for cut in content["words"])
        draws = Draws(bytes.fromhex(content["seed"]), content["table"], cuts)
        order = list(draws.shuffle(content["cards"], content["zone"], content["nth"]))
    except (KeyError, TypeError, ValueError) as error:
        return [f"The shuffle can't be made: {error}."]
    if order != expect.get("order"):
        wrong.append(f"order: {order}, expected {expect.get('order')}")
    return wrong


def _unknown(expect: Mapping[str, object], known_keys: tuple[str, ...]) -> list[str]:
    return [f"{key}: this can't be expected here" for key in expect if key not in known_keys]
