"""R8: lines that are talk, though their writer may have meant an order: why they look so, and what they may have meant.

Nothing here decides what an order is: `notation` does, and talk stays talk. It says only which lines their writer is to
be asked about.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache

from wargame.rules.core.board import RANGE, Square
from wargame.rules.core.names import Names, key
from wargame.rules.core.orders import Move, Order, ReadOrder, write_order
from wargame.rules.core.typography import plain, plain_line, undecorated
from wargame.rules.posts.aliases import NO_ALIASES, Aliases
from wargame.rules.posts.notation import LONGEST_LINE, NO_WORD, read_line

MOST_MEANT = 2
"""R8: how many orders are offered for one line."""

SHORTEST_NICKNAME = 3
_LIKE_A_NAME, _LIKE_A_WORD = 0.75, 0.8


class Doubt(StrEnum):
    """R8: why a line that is talk looks like an order: it names an army of its writer's, has an arrow, two squares with
    a `to` between them, or a word like those of orders."""

    OWN_ARMY = "own-army"
    ARROW = "arrow"
    SQUARES = "squares"
    ORDER_WORD = "order-word"


@dataclass(frozen=True, slots=True)
class Unread:
    """R8: a line that may be no talk. `meant` are orders in their canonical form, the likeliest first; often none."""

    doubt: Doubt
    meant: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Writer:
    """R10: who wrote a line: his armies, and which of them a line without a name is for (or empty)."""

    armies: Collection[str]
    own: str = ""


_FLAGS = re.ASCII | re.IGNORECASE
_SQUARE = r"(?<![\w'-])(?:[0-9]{1,2}[a-n]|[a-n][0-9]{1,2})(?![\w'])"
_ARROW_SIGN = "[\u203a\u2190-\u21ff\u25b6\u25ba\u2794-\u27be\u27f0-\u27ff\u2900-\u297f\u2b00-\u2b11\u2b30-\u2b4f]"
_BETWEEN = rf"\s*(?:\b(?:in|on|un)?to\b|\btowards?\b|[-=~]*>|[-~=]+|\.\.+|{_ARROW_SIGN})\s*"
_SQUARES = re.compile(_SQUARE, _FLAGS)
_PAIR = re.compile(rf"{_SQUARE}{_BETWEEN}(?={_SQUARE})", _FLAGS)
_ARROW = re.compile(_ARROW_SIGN)
_NO_LETTER = re.compile(r"(?!['-]?\w)")
_WORD = re.compile(r"[a-z]+(?:'[a-z]+)?", _FLAGS)
_HOLDS = re.compile(
    r"(?:please +)?(?:"
    r"(?:stay|hold|remain|stand|sit|wait)(?:s|ing|ting)?"
    r"(?: +(?:put|here|there|still|fast|tight|on|position|(?:its|our|my|the|your)? *(?:ground|line|place|position)))?"
    rf"|(?:does|do|will|shall)(?:n't| +not) +move|not? +mov(?:e|es|ing))(?: +(?:at|on|in) +{_SQUARE})?[ .!]*",
    _FLAGS,
)
_ORDER_WORDS = {"intercept": "intercept", "engage": "engage", "replace": "replace", "transfer": "transfer"}
_SAME_WORDS = {"attack": "engage", "attacks": "engage", "intercepts": "intercept", "engages": "engage"}
_SAME_WORDS |= {"replaces": "replace", "transfers": "transfer", "swap": "replace", "swaps": "replace"}
_STEMS = ("intercept", "engag", "replac", "transfer")
_GOES = re.compile(
    r"\b(?:please|will|shall|should|now|then|from|at|orders?|moves?|moving|go|goes|going|march(?:es)?|advances?|heads?"
    r"|walks?)\b",
    _FLAGS,
)
_BEFORE_SUFFIX = re.compile(
    r"(?<![\s,;&])[\s,;&]++(?:(?:and|to)\b\s*+)?(?=(?:joint engage|engage|replace)\b)",  # each sign is tried once
    _FLAGS,
)


def unread(
    text: str, names: Names, writer: Writer, at: Mapping[str, Square], aliases: Aliases = NO_ALIASES
) -> Unread | None:
    """R8: whether a line that is talk looks like an order of its writer's; None if it does not.

    `at` says where the armies on the map stand. Nobody is asked who has no army, nor about what he quotes, asks or
    signs. A line that looks like an order by `aliases` alone is asked about if they make one of it that can be read.
    """
    line = _bare(text)
    if not line or not writer.armies:
        return None
    translated = aliases.in_rulebook_words(line)
    meant = _meant(translated, names, writer, at) or _meant(line, names, writer, at)
    if doubt := _doubt(line, names, writer):
        return Unread(doubt, meant)
    return Unread(doubt, meant) if meant and (doubt := _doubt(translated, names, writer)) else None


def meant_by(
    text: str, names: Names, writer: Writer, at: Mapping[str, Square], aliases: Aliases = NO_ALIASES
) -> tuple[str, ...]:
    """R8: the orders that a line may have meant which can't be read; often none."""
    line = _bare(text)
    if not line or not writer.armies:
        return ()
    return _meant(aliases.in_rulebook_words(line), names, writer, at) or _meant(line, names, writer, at)


def _bare(text: str) -> str:
    """The line in plain signs, without what is no word, each blank a single one: patterns that take a blank in two ways
    are slow on many. Empty for a quotation and for what is too long to be tried."""
    line = undecorated(plain_line(text.rstrip()))
    if len(text) > LONGEST_LINE or line.is_quoted:
        return ""
    return " ".join(NO_WORD.sub(" ", line.text).split())


def _doubt(line: str, names: Names, writer: Writer) -> Doubt | None:
    army, body, has_colon = _head(line, names, writer)
    if has_colon and army in writer.armies and body:
        return Doubt.OWN_ARMY
    if line.endswith("?"):
        return None
    if _PAIR.search(line):
        return Doubt.SQUARES
    if _ARROW.search(line) and (_SQUARES.search(line) or _armies_named(line, names)):
        return Doubt.ARROW
    if _is_hold(body if army else line) or _has_order_word(line, names):
        return Doubt.ORDER_WORD
    mentioned = _armies_named(line, names) & set(writer.armies)
    is_signature = any(key(line.strip(" -~.,")) == key(name) for name in mentioned)
    return Doubt.OWN_ARMY if mentioned and not is_signature else None


def _head(line: str, names: Names, writer: Writer) -> tuple[str, str, bool]:
    """The army for which a line seems to be, what is said to it, and whether a colon stands between them."""
    start, colon, body = line.partition(":")
    if colon and (army := names.get(start.strip(" \"'")) or _nickname(start, writer)):
        return army, body.strip(), True
    if found := names.at(line, 0, _NO_LETTER):
        name, end = found
        return name, line[end:].strip(" ,:;-"), False
    return "", line, False


def _nickname(start: str, writer: Writer) -> str:
    """R10: the one army of the writer's that is called so for short, or is spelt almost so; empty otherwise."""
    wanted = key(start.strip(" \"'"))
    if len(wanted) < SHORTEST_NICKNAME:
        return ""
    keys = {key(name): name for name in writer.armies}
    found = [name for k, name in keys.items() if k.startswith(wanted) or set(wanted.split()) <= set(k.split())]
    found = found or [keys[k] for k in get_close_matches(wanted, keys, cutoff=_LIKE_A_NAME)]
    return found[0] if len(found) == 1 else ""


def _armies_named(line: str, names: Names) -> set[str]:
    """The armies that a line names."""
    found = _any_of(names.all).findall(line)
    return {name for text in found if (name := names.get(text)) is not None}


@lru_cache(maxsize=16)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the names as words of their own, the longest first: trying each word of a line for each name is slow."""
    longest = sorted(names, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, plain(name).split())) for name in longest) or "(?!)"
    return re.compile(rf"(?<![\w'-])(?:{either})(?!['-]?\w)", re.IGNORECASE)


def _is_hold(words: str) -> bool:
    return bool(_HOLDS.fullmatch(words.strip()))


def _has_order_word(line: str, names: Names) -> bool:
    """Whether a word is almost one of those of orders, or is one and an army's name follows it."""
    for found in _WORD.finditer(line):
        word = found[0].casefold()
        verb = _verb(word)
        if verb and word not in _SAME_WORDS and not word.startswith(_STEMS):
            return True
        if verb and not word.endswith("ed") and _target(line, found.end(), names, at_all=False):
            return True
    return False


@lru_cache(maxsize=4000)
def _verb(word: str) -> str:
    """The word of orders that a word means, or is almost; empty for any other. Words come again and again."""
    word = word.casefold()
    if word in _SAME_WORDS:
        return _SAME_WORDS[word]
    close = get_close_matches(word, _ORDER_WORDS, n=1, cutoff=_LIKE_A_WORD)
    return close[0] if close else ""


def _target(line: str, place: int, names: Names, *, at_all: bool) -> str:
    """The army that is named from there on; with `at_all` also one whose name is almost written there."""
    rest = re.sub(r"^\s*(?:to\b|the\b|with\b)?\s*", "", line[place:], flags=_FLAGS)
    if found := names.at(rest, 0, _NO_LETTER):
        return found[0]
    if not at_all:
        return ""
    like = names.like(re.split(rf"[.,;:!?]|\bat\b|\bon\b|{_SQUARE}", rest, maxsplit=1, flags=_FLAGS)[0].strip())
    return like[0] if len(like) == 1 else ""


def _meant(line: str, names: Names, writer: Writer, at: Mapping[str, Square]) -> tuple[str, ...]:
    """One order for each army that may be meant; of an order for one army, the ways to read it."""
    armies, body = _armies_of(line, names, writer, at)
    orders: list[str] = []
    for army in armies:
        read = (read_line(f"{army}: {action}", names) for action in _actions(body, names, at.get(army), at))
        legible = [
            write_order(each.army, each.order)
            for each in read
            if isinstance(each, ReadOrder) and _is_on_map(each.order)
        ]
        orders += legible[:1] if len(armies) > 1 else legible
    return tuple(dict.fromkeys(orders))[:MOST_MEANT]


def _is_on_map(order: Order) -> bool:
    """1.2: whether an order leads nowhere off the map: what would be illegal anyway is not offered."""
    return not isinstance(order, Move) or all(step.to.on_map for step in order.steps)


def _armies_of(line: str, names: Names, writer: Writer, at: Mapping[str, Square]) -> tuple[Collection[str], str]:
    """The writer's armies that may be meant, and what is said to them: the one that is named, or stands on the first
    square, or is his only one; of two, both. A stranger's army is never one (5.4.1)."""
    army, body, _ = _head(line, names, writer)
    if not army and (nickname := _nickname(line.split()[0], writer)):
        army, body = nickname, line.partition(" ")[2]
    if army:
        return ([army] if army in writer.armies else []), body
    first = _SQUARES.search(line)
    there = [name for name in writer.armies if first and _same_square(first[0], at.get(name))]
    named = sorted(_armies_named(line, names) & set(writer.armies))
    for found in (there, named, [writer.own] if writer.own else []):
        if len(found) == 1:
            return found, body
    return (sorted(writer.armies) if len(writer.armies) <= MOST_MEANT else []), body


def _same_square(text: str, square: Square | None) -> bool:
    return square is not None and sorted(text.casefold()) == sorted(str(square).casefold())


def _actions(body: str, names: Names, here: Square | None, at: Mapping[str, Square]) -> Iterator[str]:
    """R9: what a text may mean in the forms of orders, the likeliest first; not all of it can be read."""
    if _is_hold(body):
        yield "hold"
    moved = _rewritten(body)
    squares = _SQUARES.findall(moved)
    if squares and here is not None and not _same_square(squares[0], here):
        yield f"{here} > {moved.removeprefix('to ').lstrip(' >')}"
        squares = [str(here), *squares]
    elif squares:
        yield moved
    asked = [(verb, found.end()) for found in _WORD.finditer(body) if (verb := _verb(found[0]))]
    if squares and not asked:
        yield " > ".join(squares)
    for verb, end in asked:
        target = _target(body, end, names, at_all=True)
        if verb == "intercept" and target:
            yield f"intercept {target}"
        elif verb == "transfer" and target in at:
            yield f"transfer to {target} at {at[target]}"
        elif verb in ("engage", "replace") and target and squares:
            yield f"{' > '.join(squares)}; {verb} {target}"
        elif verb in ("engage", "replace") and target in at and here and here.distance(at[target]) <= RANGE:
            yield f"{here} > {at[target]}; {verb} {target}"


def _rewritten(body: str) -> str:
    """The text with arrows between its squares, a semicolon before a suffix, and the words of orders spelt right."""
    text = _WORD.sub(lambda found: _verb(found[0]) or found[0], body)
    text = " ".join(_GOES.sub(" ", text).split())
    text = _PAIR.sub(lambda found: f"{_SQUARES.findall(found[0])[0]} > ", text)
    if first := _SQUARES.search(text):
        text = text[: first.end()] + _BEFORE_SUFFIX.sub("; ", text[first.end() :])
    return " ".join(text.strip(" .!,;").split())
