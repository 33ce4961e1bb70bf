"""R8: lines that are talk, though their author may have meant an order: why they look so, and what they may have meant.

Nothing here decides what an order is: `notation` does, and talk stays talk. It only says about which lines to ask their
author.
"""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from wargame.rules.core.board import RANGE, Square, read_square
from wargame.rules.core.names import Names, key
from wargame.rules.core.orders import Hold, Intercept, Move, Order, ReadOrder, Transfer, write_order
from wargame.rules.core.typography import plain, plain_line, undecorated
from wargame.rules.posts.aliases import NO_ALIASES, Aliases
from wargame.rules.posts.notation import LONGEST_LINE, NO_WORD, read_line

MOST_MEANT = 2
"""R8: the number of orders offered for one line."""

SHORTEST_NICKNAME = 3
_LIKE_A_NAME, _LIKE_A_WORD = 0.75, 0.8


class Doubt(StrEnum):
    """R8: why a line that is talk looks like an order: it names an army of its author's, has an arrow, two squares
    with a `to` between them, or a word like those of orders."""

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
    """R10: the author of a line: their armies, and the one that a line without a name is for (or empty)."""

    armies: Collection[str]
    own: str = ""


_FLAGS = re.ASCII | re.IGNORECASE
_SQUARE = r"(?<![\w'])(?:[0-9]{1,2}[a-n]|[a-n][0-9]{1,2})(?![\w'])"
_ARROW_SIGN = "[\u203a\u2190-\u21ff\u25b6\u25ba\u2794-\u27be\u27f0-\u27ff\u2900-\u297f\u2b00-\u2b11\u2b30-\u2b4f]"
_SIGN = rf"(?:\b(?:in|on|un)?to\b|\btowards?\b|[-=~]*>|[-~=]+|\.\.+|{_ARROW_SIGN})"
_BETWEEN = rf"\s*{_SIGN}\s*"
_SQUARES = re.compile(_SQUARE, _FLAGS)
_PAIR = re.compile(rf"{_SQUARE}{_BETWEEN}(?={_SQUARE})", _FLAGS)
_ARROW = re.compile(_ARROW_SIGN)
_TO = re.compile(rf"{_BETWEEN}{_SIGN}?\s*", _FLAGS)
_DASHES = re.compile(r"\s*[-~]+\s*")
_AND_THEN = re.compile(r"[\s,;&+]*(?:\b(?:and|then|next)\b[\s,]*)*", _FLAGS)
_BESIDE = r"(?:[\s,&-]|\band\b)"
_ROUTE = re.compile(
    rf"\(([^()]*)\)|\b(?:via|over|through)\b({_BESIDE}*{_SQUARE}(?:{_BESIDE}+{_SQUARE})*)", _FLAGS
)  # fmt: skip
_LIKE_DIGITS = "(?=[oil]*[0-9])[0-9oil]{2}"
_LOOSE_SQUARE = re.compile(
    rf"(?<![\w'])(?:([0-9]{{1,2}}) ([a-n])|({_LIKE_DIGITS})([a-n])|([a-n])({_LIKE_DIGITS}))(?![\w'])", _FLAGS
)
_DIGITS = str.maketrans("OoIiLl", "001111")
_ONLY_IF = r"\b(?:not|never|unless|if|or)\b|n't\b"
_IS_CONDITION = re.compile(_ONLY_IF, _FLAGS)
_NOT_SURE = re.compile(rf"{_ONLY_IF}|\b(?:holds?|stays?)\b|\w\s*:(?![()DP-])", _FLAGS)
_ALL = re.compile(r"(?:all|every(?:body|one))(?: armies)?", _FLAGS)
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
_SAME_WORDS |= {"attacking": "engage", "intercepting": "intercept", "engaging": "engage", "swapping": "replace"}
_SAME_WORDS |= {"replacing": "replace", "transferring": "transfer"}
_STEMS = ("intercept", "engag", "replac", "transfer")
_GOES = re.compile(
    r"\b(?:please|will|shall|should|now|then|from|at|orders?|moves?|moving|go|goes|going|march(?:es)?|advances?|heads?"
    r"|walks?)\b",
    _FLAGS,
)
_ANY_MARK = "\U000f0000-\U000ffffd"
_MARK = f"[{_ANY_MARK}]"
_MARKS = re.compile(_MARK)
_LABEL = re.compile(rf"((?:^|[;,.&]|\band\b)\s*)([^:;,.&>{_ANY_MARK}]+):", re.IGNORECASE)
_HEAD = re.compile(rf"{_MARK}['\"]?(?:\s*:|(?=[\s,]*(?:\w+\s+){{0,3}}?{_SIGN}?\s*{_SQUARE}))", _FLAGS)
_AT_SQUARE = re.compile(rf"({_MARK})\s+(?:at|on|in)\s+{_SQUARE}", _FLAGS)
_FIRST_WORDS = re.compile(r"^\s*(?:to\b|the\b|with\b)?\s*", _FLAGS)
_LAST_WORD = re.compile(r"([a-z]+(?:'[a-z]+)?)(?:\s+(?:to|the|with))?\s*$", _FLAGS)


def unread(
    text: str, names: Names, writer: Writer, at: Mapping[str, Square], aliases: Aliases = NO_ALIASES
) -> Unread | None:
    """R8: whether a line that is talk looks like an order of its author's; None if it does not.

    `at` are the squares of the armies on the map. Players without an army are not asked, nor is anybody about a
    quotation, a question or a signature. A line that looks like an order by `aliases` alone is asked about if they make
    one of it that can be read.
    """
    line = _spelt(_bare(text), names)
    if not line or not writer.armies:
        return None
    translated = aliases.in_rulebook_words(line)
    readings = _meant(translated, names, writer, at) or _meant(line, names, writer, at)
    if doubt := _doubt(line, names, writer):
        return Unread(doubt, readings)
    return Unread(doubt, readings) if readings and (doubt := _doubt(translated, names, writer)) else None


def meant_by(
    text: str, names: Names, writer: Writer, at: Mapping[str, Square], aliases: Aliases = NO_ALIASES
) -> tuple[str, ...]:
    """R8: the orders that an unreadable line may have meant; often none."""
    line = _spelt(_bare(text), names)
    if not line or not writer.armies:
        return ()
    return _meant(aliases.in_rulebook_words(line), names, writer, at) or _meant(line, names, writer, at)


def _bare(text: str) -> str:
    """The line in plain characters, without addresses and tags, with single blanks: patterns that match a blank in
    two ways are slow on many. Empty for a quotation and for a line that is too long to be tried."""
    line = undecorated(plain_line(text.rstrip()))
    if len(text) > LONGEST_LINE or line.is_quoted:
        return ""
    return " ".join(NO_WORD.sub(" ", line.text).split())


def _spelt(line: str, names: Names) -> str:
    """The line with `14H` for `14 H`, and `10K` for `1OK`, except within names."""
    name_places = {place for token in _any_of(names.all).finditer(line) for place in range(*token.span())}

    def square(token: re.Match[str]) -> str:
        if not name_places.isdisjoint(range(*token.span())):
            return token[0]
        number, row = token[1] or token[3] or token[6], token[2] or token[4] or token[5]
        return number.translate(_DIGITS) + row

    return _LOOSE_SQUARE.sub(square, line)


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
    """The probable army of a line, the text for it, and whether a colon is between them."""
    start, colon, body = line.partition(":")
    if colon and (army := names.get(start.strip(" \"'")) or _nickname(start, writer)):
        return army, body.strip(), True
    if name_span := names.at(line, 0, _NO_LETTER):
        name, end = name_span
        return name, line[end:].strip(" ,:;-"), False
    return "", line, False


def _nickname(start: str, writer: Writer) -> str:
    """R10: the one army of the author's with this short or almost correctly spelt name; empty otherwise."""
    query = key(start.strip(" \"'"))
    if len(query) < SHORTEST_NICKNAME:
        return ""
    keys = {key(name): name for name in writer.armies}
    matches = [name for k, name in keys.items() if k.startswith(query) or set(query.split()) <= set(k.split())]
    matches = matches or [keys[k] for k in get_close_matches(query, keys, cutoff=_LIKE_A_NAME)]
    return matches[0] if len(matches) == 1 else ""


def _armies_named(line: str, names: Names) -> set[str]:
    texts = _any_of(names.all).findall(line)
    return {name for text in texts if (name := names.get(text)) is not None}


@lru_cache(maxsize=16)
def _any_of(names: tuple[str, ...]) -> re.Pattern[str]:
    """Any of the names as whole words, the longest first: trying each word of a line for each name is slow."""
    longest = sorted(names, key=len, reverse=True)
    either = "|".join(r"\s+".join(map(re.escape, plain(name).split())) for name in longest) or "(?!)"
    return re.compile(rf"(?<![\w'-])(?:{either})(?!['-]?\w)", re.IGNORECASE)


def _is_hold(text: str) -> bool:
    return bool(_HOLDS.fullmatch(text.strip()))


def _has_order_word(line: str, names: Names) -> bool:
    """Whether a word is almost one of those of orders, or is one and an army's name follows it."""
    for word_match in _WORD.finditer(line):
        word = word_match[0].casefold()
        verb = _verb(word)
        if verb and word not in _SAME_WORDS and not word.startswith(_STEMS):
            return True
        about = _FIRST_WORDS.sub("", line[word_match.end() :])
        if verb and not word.endswith(("ed", "ing")) and names.at(about, 0, _NO_LETTER):
            return True
    return False


@lru_cache(maxsize=4000)
def _verb(word: str) -> str:
    """The word of orders that a word means, or is close to; empty for any other. Cached, since words repeat."""
    word = word.casefold()
    if word in _SAME_WORDS:
        return _SAME_WORDS[word]
    close = get_close_matches(word, _ORDER_WORDS, n=1, cutoff=_LIKE_A_WORD)
    return close[0] if close else ""


def _meant(line: str, names: Names, writer: Writer, at: Mapping[str, Square]) -> tuple[str, ...]:
    """One order for each army that may be meant; for one army, all possible readings. A line with orders for several
    armies is a line for each."""
    text = _marked(line, names, writer)
    parts = _parts(text, names)
    if len(parts) > 1:
        armies = [army for army, _ in parts]
        each = [_legible(army, body, names, at)[:1] for army, body in parts]
        is_sure = len(set(armies)) == len(armies) and set(armies) <= set(writer.armies) and all(each)
        return ("\n".join(order for orders in each for order in orders),) if is_sure else ()
    if not parts:
        return ()
    (army, body) = parts[0]
    label, _, rest = body.partition(":")
    if not army and _ALL.fullmatch(label.strip()) and _is_hold(rest):
        return ("\n".join(write_order(name, Hold()) for name in sorted(writer.armies)),)
    if army:
        return tuple(_legible(army, body, names, at)[:MOST_MEANT]) if army in writer.armies else ()
    content = _without_label(body, names)
    if content is None:
        return ()
    candidates, body = _armies_of(content, names, writer, at)
    orders = [_legible(army, body, names, at) for army in candidates]
    return tuple([order for each in orders for order in (each[:1] if len(candidates) > 1 else each)][:MOST_MEANT])


def _legible(army: str, body: str, names: Names, at: Mapping[str, Square]) -> list[str]:
    """R9: the text for an army as readable orders, in their canonical form, each once."""
    read = (read_line(f"{army}: {action}", names) for action in _actions(body, names, at.get(army), at))
    orders = [each for each in read if isinstance(each, ReadOrder) and _is_sensible(army, each.order)]
    return list(dict.fromkeys(write_order(each.army, each.order) for each in orders))


def _is_sensible(army: str, order: Order) -> bool:
    """1.2: whether an order leads nowhere off the map and is not about its own army: illegal orders are not offered."""
    if isinstance(order, Move):
        return all(step.to.on_map and step.target != army for step in order.steps)
    return not isinstance(order, Intercept | Transfer) or order.target != army


def _marked(line: str, names: Names, writer: Writer) -> str:
    """The line with a separate mark for each name of an army, and for a short or misspelt one of the author's before
    a colon, so that nothing in a name is taken for a square or a word."""
    signs = {name: chr(0xF0000 + place) for place, name in enumerate(names)}
    text = _any_of(names.all).sub(lambda token: signs.get(names.get(token[0]) or "", token[0]), _MARKS.sub("?", line))

    def name_of(label: re.Match[str]) -> str:
        nickname = _nickname(label[2], writer)
        return f"{label[1]}{signs[nickname]}:" if nickname in signs else label[0]

    return _LABEL.sub(name_of, text)


def _name_of(mark: str, names: Names) -> str:
    return names.all[ord(mark) - 0xF0000]


def _parts(text: str, names: Names) -> list[tuple[str, str]]:
    """The armies addressed by a marked line, each with its text; no army if it begins with none. Empty if the text
    before the first army may be an order, or rules one out."""
    heads = [head_match for head_match in _HEAD.finditer(text) if not _is_target(text[: head_match.start()])]
    first = re.match(rf"\s*{_MARK}", text)
    if first and (not heads or heads[0].start() >= first.end()):
        heads.insert(0, first)
    if not heads:
        return [("", text)]
    before = text[: heads[0].start()]
    if _SQUARES.search(before) or _MARKS.search(before) or ">" in before or _IS_CONDITION.search(before):
        return []
    ends = [*(head.start() for head in heads[1:]), len(text)]
    return [
        (_name_of(head[0].strip()[0], names), text[head.end() : end].strip(" ,:;-"))
        for head, end in zip(heads, ends, strict=True)
    ]


def _is_target(before: str) -> bool:
    """Whether a name behind these words is the object of an order, and not the army that gets it."""
    last_word = _LAST_WORD.search(before)
    return bool(last_word and _verb(last_word[1]))


def _without_label(body: str, names: Names) -> str | None:
    """A line without a word before a colon that is no army's name, such as `Orders:`; None if it is almost one."""
    label, colon, rest = body.partition(":")
    if not colon or _SQUARES.search(label) or ">" in label:
        return body
    is_almost_a_name = get_close_matches(key(label), map(key, names), n=1, cutoff=_LIKE_A_NAME)
    return None if is_almost_a_name else rest.strip()


def _armies_of(body: str, names: Names, writer: Writer, at: Mapping[str, Square]) -> tuple[Collection[str], str]:
    """The author's possible armies if none is named first, and the text for them: the one with this short name, on
    the first square, named, or their only one; of two, both."""
    terms = body.split()
    if terms and (nickname := _nickname(terms[0], writer)):
        return [nickname], body.partition(" ")[2]
    first = _SQUARES.search(body)
    there = [name for name in writer.armies if first and at.get(name) == read_square(first[0])]
    marks = {_name_of(item[0], names) for item in _MARKS.finditer(body) if not _is_target(body[: item.start()])}
    own_armies = sorted(marks & set(writer.armies))
    for item in (there, own_armies, [writer.own] if writer.own else []):
        if len(item) == 1:
            return item, body
    return (sorted(writer.armies) if len(writer.armies) <= MOST_MEANT else []), body


def _actions(body: str, names: Names, here: Square | None, at: Mapping[str, Square]) -> Iterator[str]:
    """R9: the possible meanings of a marked text in the forms of orders, the likeliest first; not all of them are
    readable. Empty if it says more than one thing, or sets a condition."""
    if _is_hold(body):
        yield "hold"
    text = _AT_SQUARE.sub(r"\1", " ".join(body.split()))
    verbs = [(verb, token_match.end()) for token_match in _WORD.finditer(text) if (verb := _verb(token_match[0]))]
    targets = [_target_in(text, end, names) for _, end in verbs]
    marks = {_name_of(token_match[0], names) for token_match in _MARKS.finditer(text)}
    if len(verbs) > 1 or marks - set(targets) or _NOT_SURE.search(text):
        return
    verb, target = (verbs[0][0], targets[0]) if verbs else ("", "")
    if verb == "intercept" and target:
        yield f"intercept {target}"
    elif verb == "transfer" and target in at:
        yield f"transfer to {target} at {at[target]}"
    elif verb in ("intercept", "transfer"):
        return
    joint = "joint " if re.search(r"\bjoint\b", text, _FLAGS) else ""
    suffix = f"; {joint}{verb} {target}".rstrip() if verb else "; joint engage" if joint else ""
    if _SQUARES.search(text):
        if not verb or target or joint:
            yield from (f"{path}{suffix}" for path in _paths(text, here))
    elif verb and target in at and here and here.distance(at[target]) <= RANGE:
        yield f"{here} > {at[target]}{suffix}"


def _target_in(text: str, place: int, names: Names) -> str:
    """The army that a marked text names from there on, or almost names; empty if there is none."""
    rest = _FIRST_WORDS.sub("", text[place:])
    if _MARKS.match(rest):
        return _name_of(rest[0], names)
    like = names.like(re.split(rf"[.,;:!?]|\bat\b|\bon\b|{_SQUARE}", rest, maxsplit=1, flags=_FLAGS)[0].strip())
    return like[0] if len(like) == 1 else ""


def _paths(text: str, here: Square | None) -> Iterator[str]:
    """3.2.2: the possible moves over the squares of a text, the likeliest first; none if their relation is not
    certain. Dashes from neighbour to neighbour are a route, and so is the text in parentheses or after `via`."""
    routes = [result for result in _ROUTE.finditer(text) if _SQUARES.search(result[0])]
    if len(routes) > 1:
        return
    via = [read_square(square) for result in routes for square in _SQUARES.findall(result[0])]
    text = _ROUTE.sub(" ", _GOES.sub(" ", text))
    result = list(_SQUARES.finditer(text))
    between = [text[one.end() : other.start()] for one, other in pairwise(result)]
    squares = [read_square(square[0]) for square in result]
    if not squares or not all(_TO.fullmatch(link) or _AND_THEN.fullmatch(link) for link in between):
        return
    has_start = bool(between and _TO.fullmatch(between[0])) and not _TO.search(text[: result[0].start()])
    if here and squares[0] != here and not has_start:
        squares, between = [here, *squares], [" > ", *between]
    if len(squares) < 2:
        return
    path = squares if len(squares) > 2 and all(map(_DASHES.fullmatch, between)) else []
    if via:
        path = [*squares[:1], *(square for square in via if square not in (squares[0], squares[-1])), squares[-1]]
    is_way = bool(path) and all(one.distance(other) == 1 for one, other in pairwise(path))
    if is_way and set(squares) <= set(path) and len(path) <= RANGE + 1:
        yield f"{squares[0]} > {squares[-1]} ({' - '.join(map(str, path))})"
    if set(via) <= set(squares) and (via or not is_way):
        yield " > ".join(map(str, squares))
