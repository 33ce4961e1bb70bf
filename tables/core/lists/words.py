"""T7: values, selectors, filters and conditions: from source to typed data, with every error."""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Literal, TypeAlias

from tables.core.lists.cards import Change, Compare, Count, Filter, Name, Number, Selector, Stat, Sum, Test, Value
from tables.core.lists.faults import At, one_of, quote
from tables.core.lists.vocabulary import (
    FILTER_KEYS,
    FILTER_WORDS,
    ITEMS,
    NUMBERS,
    PLAYERS,
    STATES,
    THINGS,
    TILES,
    TYPES,
    ZONES,
)
from wargame.rules.core.saying import said

LONGEST = 120
MOST_NESTED = 8

_TOKEN = re.compile(
    r" *(?:(?P<number>[0-9]{1,4})(?![0-9])|(?P<sign>[-+*(),])"
    r"|(?P<word>(?:counters\([a-z]+(?: [a-z]+)?\)|[a-zX]+)(?: (?:[a-zX]+|[0-9]{1,2}))*))"
)
_STAT = re.compile(r"(?:counters\((?P<kind>[a-z ]+)\)|(?P<stat>[a-z ]+?)) of (?P<of>[a-z0-9 ]+)")
_OPS: Mapping[str, Literal["+", "-", "*", "min", "max"]] = MappingProxyType(
    {"+": "+", "-": "-", "*": "*", "min": "min", "max": "max"}
)


class _Unread(ValueError):
    """The text is no value."""


def read_arithmetic(text: str, selector: Callable[[str], Selector | None]) -> Value | None:
    """T7: the value of a text, or None; `selector` reads the part after `of`."""
    if len(text) > LONGEST:
        return None
    try:
        return _Reading(text, selector).whole()
    except _Unread:
        return None


class _Reading:
    """T7: a parser of one text, from the left: sums of products of atoms."""

    def __init__(self, text: str, selector: Callable[[str], Selector | None]) -> None:
        self.selector, self.nested = selector, 0
        self.tokens: list[str] = []
        place = 0
        text = text.rstrip()
        while place < len(text):
            token = _TOKEN.match(text, place)
            if token is None:
                raise _Unread
            self.tokens.append(token["number"] or token["sign"] or token["word"])
            place = token.end()
        self.tokens.reverse()

    def whole(self) -> Value:
        """T7: the value of the whole text."""
        value = self.sum()
        if self.tokens:
            raise _Unread
        return value

    def sum(self) -> Value:
        """T7: products that are added or subtracted."""
        value = self.product()
        while self.tokens and self.tokens[-1] in "+-":
            value = Sum(_OPS[self.tokens.pop()], value, self.product())
        return value

    def product(self) -> Value:
        """T7: atoms that are multiplied."""
        value = self.atom()
        while self.tokens and self.tokens[-1] == "*":
            value = Sum(_OPS[self.tokens.pop()], value, self.atom())
        return value

    def atom(self) -> Value:
        """T7: a number, a name, a call, brackets or a number of a thing."""
        token = self.next()
        if token.isdecimal():
            return Number(int(token))
        if token == "X":
            return Name("X")
        if token == "that many":
            return Name("that many")
        self.nested += 1
        if self.nested > MOST_NESTED:
            raise _Unread
        if token in ("min", "max"):
            return self.call(token)
        if token == "(":
            value = self.sum()
            self.expect(")")
            return value
        for half in ("half up", "half down"):
            if token == half:
                return Sum("half up" if half == "half up" else "half down", self.atom(), Number(2))
            if token.startswith(half + " "):
                self.tokens.append(token.removeprefix(half + " "))
                return Sum("half up" if half == "half up" else "half down", self.atom(), Number(2))
        return self.stat(token)

    def call(self, word: str) -> Value:
        """T7: the arguments in the brackets of `min` and `max`."""
        self.expect("(")
        left = self.sum()
        self.expect(",")
        right = self.sum()
        self.expect(")")
        return Sum(_OPS[word], left, right)

    def stat(self, token: str) -> Value:
        """T7: `attack of self`, `counters(frost) of it`."""
        stat_match = _STAT.fullmatch(token)
        subject = self.selector(stat_match["of"]) if stat_match else None
        if stat_match is None or subject is None:
            raise _Unread
        return Stat("counters" if stat_match["kind"] else stat_match["stat"], subject, stat_match["kind"] or "")

    def next(self) -> str:
        """T7: consume and return the next token."""
        if not self.tokens:
            raise _Unread
        return self.tokens.pop()

    def expect(self, sign: str) -> None:
        """T7: consume that character, or the text is not a value."""
        if self.next() != sign:
            raise _Unread


Op: TypeAlias = Literal["=", "!=", "<", "<=", ">", ">="]

MOST = 9999
"""The largest number on a card."""
LONGEST_WORD = 80
MOST_PARTS = 10

_NUMBERED = re.compile(r"(target|place) (\d{1,2})(?: of ([a-z]+(?: [a-z]+)?))?|(top|bottom) (?:(\d{1,2}) )?of ([a-z]+)")
_COMPARISONS: Mapping[str, Op] = MappingProxyType(
    {"": "=", "=": "=", "!=": "!=", "<": "<", "<=": "<=", ">": ">", ">=": ">="}
)
_COMPARE = re.compile(r"\s*(<=|>=|!=|<|>|=)?\s*(.+)", re.DOTALL)
_RELATION = re.compile(r"(.+?)\s*(<=|>=|!=|<|>|=)\s*(.+)", re.DOTALL)

NOBODY = Selector("self")
"""A placeholder for an unreadable selector; the fault is recorded, and no such card is used."""


def folded(name: str) -> str:
    """T9: a name in a form for comparison: ignoring case, blanks and apostrophes."""
    return " ".join(name.casefold().replace("\u2019", "'").replace("\u2018", "'").split())


def read_text(data: object, at: At, *, longest: int = LONGEST_WORD) -> str:
    """T7: a text of at most this many characters."""
    if not isinstance(data, str):
        at.wrong(
            said("%(what)s is not text.", what=quote(data)),
            said("Write words; put anything that looks like a number in quotation marks."),
        )
        return ""
    if len(data) > longest:
        at.wrong(
            said("The text has %(number)s characters.", number=len(data)),
            said("The limit is %(longest)s.", longest=longest),
        )
        return ""
    return data


def read_word(data: object, at: At, among: tuple[str, ...] = ()) -> str:
    """T7: a word; one of `among`, if given."""
    text = read_text(data, at)
    if text and among and text not in among:
        at.wrong(said("%(word)s is unknown here.", word=quote(text)), one_of(among, text))
        return among[0]
    return text


def read_number(data: object, at: At, least: int = 0) -> int:
    """T7: a whole number from `least` to `MOST`."""
    if isinstance(data, bool) or not isinstance(data, int):
        at.wrong(
            said("%(what)s is not a whole number.", what=quote(data)),
            said("Write one from %(least)s to %(most)s.", least=least, most=MOST),
        )
        return least
    if not least <= data <= MOST:
        at.wrong(
            said("%(what)s is out of bounds.", what=quote(data)),
            said("Write a number from %(least)s to %(most)s.", least=least, most=MOST),
        )
        return least
    return data


def read_flag(data: object, at: At) -> bool:
    """T7: true or false."""
    if not isinstance(data, bool):
        at.wrong(said("%(what)s is neither true nor false.", what=quote(data)), said("Write true or false."))
    return data is True


# ------------------------------------------------------------------------------------------------ values


def read_value(data: object, at: At) -> Value:
    """T7: a number, `X`, `that many`, `attack of self`, `{count: ..}`, or arithmetic over these in a text."""
    if isinstance(data, int) and not isinstance(data, bool):
        return Number(read_number(data, at, least=-MOST))
    if isinstance(data, Mapping) and set(data) == {"count"}:
        return Count(read_selector(data["count"], at.within("count")))
    if isinstance(data, str) and (value := read_arithmetic(data, _word_selector)) is not None:
        return value
    at.wrong(
        said("%(what)s is not a value.", what=quote(data)),
        said("Try a number, X, `attack of self`, `eleven of opponent`, `{count: {all: ..}}` or `2 * X + 1`."),
    )
    return Number(0)


def read_change(data: object, at: At) -> Change:
    """T7: `+2` and `-1` are added, a plain number is set; the sign may precede any value (`+X`)."""
    if isinstance(data, str) and data[:1] in ("+", "-"):
        by = read_value(data[1:].strip(), at)
        if data[0] == "+":
            return Change("add", by)
        return Change("add", Number(-by.n) if isinstance(by, Number) else Sum("-", Number(0), by))
    if isinstance(data, int) and not isinstance(data, bool) and data < 0:
        at.wrong(
            said("The number can't be below 0."), said('To subtract, write "%(what)s" in quotation marks.', what=data)
        )
        return Change("add", Number(0))
    return Change("set", read_value(data, at))


def read_compare(data: object, at: At) -> Compare:
    """T7: a number (equal), or a text such as `>= 4`."""
    if not isinstance(data, str):
        return Compare("=", read_value(data, at))
    compare_match = _COMPARE.fullmatch(data)
    if compare_match is None:
        at.wrong(
            said("%(what)s is neither a number nor a test.", what=quote(data)),
            said("Write a number, or a test like `<= 2`."),
        )
        return Compare("=", Number(0))
    return Compare(_COMPARISONS[compare_match[1] or ""], read_value(compare_match[2].strip(), at))


# ------------------------------------------------------------------------------------------------ selectors


def read_selector(data: object, at: At, *, bare: str = "one") -> Selector:
    """T7: a selector: a word (`self`, `target 1`, `each player`), or a filter with `all`, `one`, `up to`, `random`;
    a filter without any of these is taken as `bare`."""
    if isinstance(data, str):
        if selector := _word_selector(data):
            return selector
        at.wrong(
            said("%(what)s doesn't name a player or card.", what=quote(data)),
            one_of((*THINGS, "target 1", *PLAYERS), data),
        )
        return NOBODY
    if not isinstance(data, Mapping):
        at.wrong(
            said("%(what)s doesn't name a player or card.", what=quote(data)),
            said("Try `self`, `target 1`, `opponent` or `{all: {type: ..}}`."),
        )
        return NOBODY
    if at.too_deep():
        return NOBODY
    if set(data) <= {"all", "one"} and len(data) == 1:
        kind = next(iter(data))
        return Selector(kind, 0 if kind == "all" else 1, where=read_filter(data[kind], at.within(kind)))
    for kind in ("up to", "random"):
        if kind in data:
            n = read_number(data[kind], at.within(kind), least=1)
            rest = data["of"] if set(data) == {kind, "of"} else {key: data[key] for key in data if key != kind}
            return Selector(kind, n, where=read_filter(rest, at))
    if "n" in data:
        n = read_number(data["n"], at.within("n"), least=1)
        return Selector(bare, n, where=read_filter({key: data[key] for key in data if key != "n"}, at))
    return Selector(bare, 0 if bare == "any" else 1, where=read_filter(data, at))


def _word_selector(text: str) -> Selector | None:
    if text in THINGS or text in PLAYERS:
        return Selector(text)
    if text == "all":
        return Selector("all")
    selector_match = _NUMBERED.fullmatch(text)
    if selector_match is None:
        return None
    kind, n, zone, edge, many, source = selector_match.groups()
    if kind == "target":
        return Selector("target", int(n)) if int(n) and not zone else None
    if kind == "place":
        return Selector("place", int(n), zone) if int(n) and zone else None
    return Selector(edge, int(many or 1), source)


def read_filter(data: object, at: At) -> Filter:
    """T7: conditions on a thing; unknown keys are refused, with the nearest known ones."""
    if data is None or data == {}:
        return Filter()
    if isinstance(data, str) and data in TYPES[at.game]:
        return Filter(type=data)
    if not isinstance(data, Mapping):
        at.wrong(said("%(what)s is not a filter.", what=quote(data)), said("Try `{type: citizen, whose: opponent}`."))
        return Filter()
    if at.too_deep():
        return Filter()
    refuse_unknown(data, (*FILTER_KEYS, *NUMBERS, *STATES, *(state.replace(" ", "_") for state in STATES)), at)
    values = {key: read_word(data[key], at.within(key)) for key in FILTER_WORDS if key in data}
    zone = "on" if "on" in data else "zone"
    return Filter(
        zone=read_word(data[zone], at.within(zone), ZONES[at.game]) if zone in data else "",
        whose=read_word(data["whose"], at.within("whose"), PLAYERS) if "whose" in data else "",
        type=read_word(data["type"], at.within("type"), TYPES[at.game]) if "type" in data else "",
        item=read_word(data["is"], at.within("is"), ITEMS) if "is" in data else "",
        class_=values.get("class", ""),
        faction=values.get("faction", ""),
        colour=values.get("colour", ""),
        name=values.get("name", ""),
        kind=values.get("kind", ""),
        keyword=values.get("keyword", ""),
        status=values.get("status", ""),
        counters=_read_counters(data["counters"], at.within("counters")) if "counters" in data else (),
        numbers=tuple((key, read_compare(data[key], at.within(key))) for key in NUMBERS if key in data),
        states=_read_states(data, at),
        tile=read_word(data["tile"], at.within("tile"), TILES) if "tile" in data else "",
        to=read_selector(data["to"], at.within("to")) if "to" in data else None,
        distance=read_number(data["distance"], at.within("distance")) if "distance" in data else 0,
        free=read_flag(data["free"], at.within("free")) if "free" in data else None,
        expedition=values.get("expedition", ""),
        place=read_number(data["place"], at.within("place"), least=1) if "place" in data else 0,
        not_=read_selector(data["not"], at.within("not"), bare="any") if "not" in data else None,
    )


def _read_counters(data: object, at: At) -> tuple[tuple[str, Compare], ...]:
    if not isinstance(data, Mapping):
        at.wrong(said("%(what)s doesn't name any counters.", what=quote(data)), said('Try `{frost: ">= 1"}`.'))
        return ()
    return tuple((str(kind)[:LONGEST_WORD], read_compare(test, at.within(str(kind)))) for kind, test in data.items())


def _read_states(data: Mapping[str, object], at: At) -> tuple[tuple[str, bool], ...]:
    keys = {key: key.replace("_", " ") for key in data if key.replace("_", " ") in STATES}
    return tuple((state, read_flag(data[key], at.within(key))) for key, state in keys.items())


def refuse_unknown(data: Mapping[str, object], known: tuple[str, ...], at: At) -> None:
    """T7: record a fault for every unknown key, with the known ones."""
    for key in data:
        if key not in known:
            at.within(quote(key).strip("“”")).wrong(
                said("The key %(key)s is unknown here.", key=quote(key)), one_of(known, key)
            )


# ------------------------------------------------------------------------------------------------ conditions


def read_test(data: object, at: At) -> Test:
    """T7: a condition: `done`, `{short time: 2}`, `{self: {engaged: true}}`, `{number: "eleven of you <= 2"}`,
    `{not: ..}`, `{all: [..]}`, `{some: [..]}`."""
    if data == "done":
        return Test("done")
    if at.too_deep():
        return Test("done")
    if not isinstance(data, Mapping) or len(data) != 1:
        at.wrong(
            said("%(what)s is not a condition.", what=quote(data)),
            said("Try `done`, `{short time: 2}` or `{self: {engaged: true}}`."),
        )
        return Test("done")
    kind, value = next(iter(data.items()))
    inner = at.within(str(kind)[:LONGEST_WORD])
    if kind == "short time":
        return Test("short time", read_number(value, inner))
    if kind == "number":
        return _read_relation(value, inner)
    if kind == "not":
        return Test("not", parts=(read_test(value, inner),))
    if kind in ("all", "some"):
        if isinstance(value, (list, tuple)) and 0 < len(value) <= MOST_PARTS:
            return Test(kind, parts=tuple(read_test(part, inner.within(n)) for n, part in enumerate(value, 1)))
        inner.wrong(
            said("%(what)s is not a list of conditions.", what=quote(value)),
            said("Write 1 to %(most)s conditions in brackets.", most=MOST_PARTS),
        )
        return Test("done")
    return Test("is", what=read_selector(kind, inner), where=read_filter(value, inner))


def _read_relation(data: object, at: At) -> Test:
    parts = _RELATION.fullmatch(data) if isinstance(data, str) else None
    if parts is None:
        at.wrong(said("%(what)s doesn't compare anything.", what=quote(data)), said("Try `eleven of opponent <= 2`."))
        return Test("done")
    return Test(
        "number", value=read_value(parts[1], at), compare=Compare(_COMPARISONS[parts[2]], read_value(parts[3], at))
    )
