"""R7, R8, R14: the reading of each line of a text, its legality, and its display: marks on errors, times, and which
line counts."""

import logging
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext

from judging.common.control import controllers_at, own_army, spans_of_turn
from judging.common.positions import names_of, position_of
from judging.turns.turn_input import posted_line, times_of
from wargame.models import Player, Turn
from wargame.rules.core.faults import where
from wargame.rules.core.orders import (
    MISREAD,
    READER_FAILED,
    Hold,
    InBattle,
    Line,
    Move,
    ReadOrder,
    Talk,
    Transfer,
    cites_of,
    write_order,
)
from wargame.rules.core.position import Position
from wargame.rules.moves.commands import refusal_of_line, who_stands
from wargame.rules.moves.legality import refusal_of_step
from wargame.rules.posts.aliases import Aliases, spoken_aliases
from wargame.rules.posts.notation import quotes_an_order, read_post
from wargame.rules.posts.unread import Writer, meant_by, unread

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RefusalView:
    """R14: why an order is illegal, for its author."""

    cites: str
    sentence: str


@dataclass(frozen=True, slots=True)
class LineView:
    """R8: a line of a post. `order_text` is the order in its canonical form, `refusal` why it is illegal now,
    `remark` a hint for its author though it is legal. `column`, `wrong`, `expected` and `suggestions` are of an
    unreadable line, and `fault` says whose fault it is. `doubt` is why talk looks like an order, empty once its
    author confirmed that it stays talk; `meant` are orders that it, or an unreadable line, may mean. `is_void`: it
    lets an army stay that its author does not control, which is ignored without a refusal (R13). `tells_of_battle`:
    it says `in battle`, which orders nothing (R14)."""

    number: int
    text: str
    kind: Literal["order", "talk", "unreadable"]
    army: str = ""
    order_text: str = ""
    refusal: RefusalView | None = None
    column: int = 0
    wrong: str = ""
    expected: str = ""
    suggestions: tuple[str, ...] = ()
    remark: str = ""
    fault: str = MISREAD
    doubt: str = ""
    meant: tuple[str, ...] = ()
    is_void: bool = False
    tells_of_battle: bool = False

    @property
    def is_unread(self) -> bool:
        """R8: whether its author may have meant an order, but it is none."""
        return self.kind == "unreadable" or bool(self.doubt)

    @property
    def cites(self) -> str:
        """The rule for an illegal or unreadable line, or for doubtful talk."""
        if self.refusal:
            return self.refusal.cites
        if self.doubt:
            return "R8"
        return cites_of(self.fault) if self.kind == "unreadable" else ""


class PostReader:
    """Reads texts of one turn against its map and the control list at a given time, which are loaded once."""

    def __init__(self, turn: Turn, when: datetime) -> None:
        self.position = position_of(turn)
        self.when = when
        self._spans = spans_of_turn(turn)
        self._names = self.position.names
        self.control = {name: controllers_at(self._spans, name, when) for name in self.position.by_name}
        self._squares = {army.name: army.at for army in self.position.armies}

    def read(
        self, text: str, by: str, own: str = "", stamps: Sequence[str] = (), *, stays_talk: bool = False
    ) -> list[LineView]:
        """R8, R14: the lines of a player's text, where lines without a name are for the army `own` (R10).

        `stamps` are the times of each line's last change (R7); without them it is now. `stays_talk`: the author
        confirmed that lines which only look like orders are talk.
        """
        lines = read_post(text, self._names, own)
        times = times_of(text, stamps) if stamps else [self.when] * len(lines)
        if times is None:
            return [broken_line(line.number, line.text) for line in lines]
        replaced = _replaced(lines)
        writer = Writer([name for name, controllers in self.control.items() if by in controllers], own)
        return [
            self._order(line, by, at, replaced.get(line.number, ""))
            if isinstance(line, ReadOrder)
            else self._doubted(_no_order(line), writer, stays_talk)
            for line, at in zip(lines, times, strict=True)
        ]

    def _doubted(self, line: LineView, writer: Writer, stays_talk: bool) -> LineView:
        """R8: add the orders that a line may have meant. A failing guess must not break the page."""
        try:
            if line.kind == "unreadable":
                return replace(line, meant=meant_by(line.text, self._names, writer, self._squares, aliases_here()))
            if quotes_an_order(line.text):
                return replace(line, remark=gettext("This line is a quote, so it isn't an order."))
            guess = None if stays_talk else unread(line.text, self._names, writer, self._squares, aliases_here())
            return replace(line, doubt=guess.doubt.value, meant=guess.meant) if guess else line
        except Exception as error:
            logger.error("Suggesting an order for line %d of a post failed: %s", line.number, where(error))
            return line

    def _order(self, line: ReadOrder, by: str, at: datetime, replaced: str) -> LineView:
        """An order that can't be judged must not break the page for all others."""
        try:
            return self._judged(line, by, at, replaced)
        except Exception as error:
            logger.error("Checking line %d of a post failed: %s", line.number, where(error))
            return broken_line(line.number, line.text)

    def _judged(self, line: ReadOrder, by: str, at: datetime, replaced: str) -> LineView:
        controlled = by in controllers_at(self._spans, line.army, at)
        entry = posted_line(line, by, at, (0, line.number), controlled)
        refusal = refusal_of_line(self.position, entry, self.control)
        is_void = isinstance(line.order, Hold) and by not in self.control.get(line.army, ())
        foreign = (
            gettext("%(by)s doesn't control %(army)s now, so this line isn't an order.") % {"by": by, "army": line.army}
            if is_void
            else ""
        )
        return LineView(
            number=line.number,
            text=line.text,
            kind="order",
            army=line.army,
            order_text=write_order(line.army, line.order),
            refusal=RefusalView(refusal.cites, refusal.sentence) if refusal else None,
            remark=" ".join(filter(None, (foreign, replaced, *_remarks(self.position, line)))),
            is_void=is_void,
            tells_of_battle=isinstance(line.order, InBattle),
        )


def aliases_here() -> Aliases:
    """R8: the words for orders that readers of any language offered here may type, whoever views the line."""
    return _aliases_of(tuple(code for code, _ in settings.LANGUAGES))


@lru_cache(maxsize=4)
def _aliases_of(codes: tuple[str, ...]) -> Aliases:
    aliases: dict[str, list[str]] = {}
    for code in codes:
        with translation.override(code):
            for keyword, spellings in spoken_aliases().items():
                aliases.setdefault(keyword, []).extend(spellings)
    return Aliases(aliases)


def read_for_player(reader: PostReader, player: Player | None, text: str, now: datetime) -> list[LineView]:
    """R8, R14: the lines of a text, as if the player posted it now; None for a user who is not a player."""
    army = own_army(player, names_of(reader.position), now) if player else ""
    return reader.read(text, player.name if player else "", army)


def _no_order(line: Line) -> LineView:
    if isinstance(line, Talk):
        return LineView(line.number, line.text, "talk")
    assert not isinstance(line, ReadOrder)
    return LineView(
        number=line.number,
        text=line.text,
        kind="unreadable",
        column=line.column,
        wrong=line.wrong,
        expected=line.expected,
        suggestions=line.suggestions,
        fault=line.fault,
    )


def broken_line(number: int, text: str) -> LineView:
    """R8: a line that the service can't read though its author may have done nothing wrong."""
    return LineView(
        number=number,
        text=text,
        kind="unreadable",
        column=1,
        wrong=gettext("We couldn't read this line because of an error on our side."),
        expected=gettext("Post the same order on its own, or ask the judges for a ruling (3.3.3)."),
        fault=READER_FAILED,
    )


def _replaced(lines: Sequence[Line]) -> dict[int, str]:
    """3.3.6, R12: a remark for each line whose army gets a later order in the same text, by the line's number."""
    orders = [line for line in lines if isinstance(line, ReadOrder) and not isinstance(line.order, InBattle)]
    last = {line.army: line.number for line in orders}
    return {
        line.number: gettext("Line %(last)s has a later order for %(army)s, which counts instead (3.3.6).")
        % {"last": last[line.army], "army": line.army}
        for line in orders
        if last[line.army] != line.number
    }


def _remarks(position: Position, line: ReadOrder) -> list[str]:
    """R15, R17, 3.2.4.2: what is superfluous, what will be refused later, and what else is needed."""
    if isinstance(line.order, Transfer):
        return [gettext("A transfer also needs a manifest before the lock (3.2.4.2).")]
    if not isinstance(line.order, Move):
        return []
    superfluous = [
        step
        for step in line.order.steps
        if step.suffix in ("engage", "replace")
        and not any(army.name != line.army for army in position.by_square.get(step.to, ()))
    ]
    ignored = [
        gettext("No army is on %(to)s, so “%(suffix)s %(target)s” is ignored (R15).")
        % {"to": step.to, "suffix": step.suffix, "target": step.target}
        for step in superfluous
    ]
    return [*ignored, *_later_refusals(position, line.army, line.order)]


def _later_refusals(position: Position, name: str, order: Move) -> Iterator[str]:
    """R17: the later steps of a long move that are already illegal; such a step is refused when it is due, with all
    that follow.

    For an army that can't move at all now, the refusal of its first step says so.
    """
    army = position.by_name.get(name)
    if army is None or name in position.battle_of or army.is_partially_converted:
        return
    for step in order.steps[1:]:
        there = army._replace(at=step.start)
        if refusal := refusal_of_step(position, there, step, who_stands(position, army, step)):
            due = gettext("The step %(start)s > %(to)s will be refused when it is due (%(cites)s)") % {
                "start": step.start,
                "to": step.to,
                "cites": refusal.cites,
            }
            yield f"{due}: {refusal.sentence}"
            return


_NAME_TYPED = re.compile(r"[^:;>,]+?(?=\s*(?:[:;>,]|$))")
_PIECE = re.compile(r"\w+|\S")
_BLANKS_AND_CASE = re.compile(r"\s+")


@dataclass(frozen=True)
class ThreadLine:
    """A line with its time and its author. `is_replaced`: a later line of the same author is the one that counts."""

    line: LineView
    by: str = ""
    at: datetime | None = None
    is_replaced: bool = False

    @property
    def look(self) -> str:
        """The state of a line in one word: talk, unreadable, illegal, remark or legal."""
        if self.line.kind != "order":
            return "unread" if self.line.doubt else self.line.kind
        if self.line.refusal:
            return "illegal"
        return "remark" if self.line.remark else "legal"

    @property
    def is_order(self) -> bool:
        """R12, R14: whether the line counts as an order for its army; mentioning a battle does not."""
        return self.orders_something and not self.line.is_void

    @property
    def orders_something(self) -> bool:
        """R12: whether the line is its author's order for an army, theirs or not."""
        return self.line.kind == "order" and not self.line.tells_of_battle

    @property
    def is_respelled(self) -> bool:
        """Whether the order differs from its canonical form, apart from blanks and case."""
        return _bare(self.line.text) != _bare(self.line.order_text)

    @property
    def wrong(self) -> str:
        """The wrong piece of an unreadable line; empty if the line stopped too early."""
        piece = (_NAME_TYPED if self.line.suggestions else _PIECE).match(self.line.text, self._place)
        return piece[0] if piece else ""

    @property
    def before(self) -> str:
        return self.line.text[: self._place]

    @property
    def after(self) -> str:
        return self.line.text[self._place + len(self.wrong) :]

    @property
    def _place(self) -> int:
        return max(self.line.column - 1, 0)


def marked_lines(lines: Sequence[LineView], by: str, stamps: Sequence[str] = ()) -> tuple[ThreadLine, ...]:
    """R7: the lines of one version; `stamps` are ISO times, one a line."""
    read = times_of("\n".join(line.text for line in lines), stamps) if stamps else None
    times: Sequence[datetime | None] = read or [None] * len(lines)
    return tuple(ThreadLine(line, by, times[line.number - 1]) for line in lines)


def with_the_last_counting(posts: Iterable[tuple[ThreadLine, ...]]) -> list[tuple[ThreadLine, ...]]:
    """R12: of an author's orders for an army the last one counts: the latest, then the one farthest down.

    `posts` are in the order of the thread. `in battle` is no order here (R14).
    """
    posts = list(posts)
    last: dict[tuple[str, str], OrderPlace] = {}
    for place, lines in enumerate(posts):
        for entry in (entry for entry in lines if entry.orders_something):
            when = _when(entry, place)
            last[entry.by, entry.line.army] = max(when, last.get((entry.by, entry.line.army), when))
    return [
        tuple(
            replace(entry, is_replaced=True)
            if entry.orders_something and _when(entry, place) != last[entry.by, entry.line.army]
            else entry
            for entry in lines
        )
        for place, lines in enumerate(posts)
    ]


class OrderPlace(NamedTuple):
    """R12: the sort key of several orders: the time in whole seconds, the post, and the line in it."""

    at: datetime
    post: int
    line: int


def _when(entry: ThreadLine, post: int) -> OrderPlace:
    at = entry.at.replace(microsecond=0) if entry.at else datetime.min
    return OrderPlace(at, post, entry.line.number)


def _bare(text: str) -> str:
    return _BLANKS_AND_CASE.sub("", text).casefold()


LONG_TALK = 8
LONG_TEXT = 800
"""From this many lines of talk in a row, or characters, on, talk is folded."""


@dataclass(frozen=True)
class PostPart:
    """3.1: consecutive lines of a post; `first` is the first of long talk, which is folded."""

    lines: tuple[ThreadLine, ...]
    first: str = ""


def parts_of(lines: Sequence[ThreadLine]) -> list[PostPart]:
    """The lines of a post, with long talk as separate parts; one part without any."""
    runs = [tuple(run) for _, run in groupby(lines, key=lambda entry: entry.line.kind == "talk")]
    if not any(_is_long(run) for run in runs):
        return [PostPart(tuple(lines))]
    parts: list[PostPart] = []
    for run in runs:
        first = next((entry.line.text.strip() for entry in run if entry.line.text.strip()), "")
        parts.append(PostPart(run, first) if _is_long(run) else PostPart(run))
    return parts


def _is_long(run: Sequence[ThreadLine]) -> bool:
    if not run or run[0].line.kind != "talk":
        return False
    texts = [entry.line.text for entry in run if entry.line.text.strip()]
    return len(texts) > LONG_TALK or sum(map(len, texts)) > LONG_TEXT
