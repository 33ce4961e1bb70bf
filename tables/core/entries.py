"""T6: the entries of a table's log, as stored and as the core takes them: author, time, and text."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, get_args

from tables.core.lines.actions import Action
from tables.core.proof.codec import Plain
from tables.core.reasons import Refused
from wargame.rules.core.saying import said

Kind = Literal["act", "plan", "order", "ruling", "tick", "rewind", "stops", "look", "end"]

LoggedKind = Literal[
    "open", "draft", "seat", "deck", "cut", "act", "choose", "plan", "order", "stops", "tick", "ruling", "look",
    "propose", "accept", "rewind", "end",
]  # fmt: skip
LOGGED: tuple[str, ...] = get_args(LoggedKind)

SEALED = frozenset({"deck", "choose", "plan", "order"})
"""T8: kinds whose arguments are only a hash in the chain until the table is over."""

MOST_LINES = 40
LONGEST_LINE = 1000
"""The most lines of an entry, and the most characters of a line."""


@dataclass(frozen=True, slots=True)
class Entry:
    """T6: one entry for a dealt table. `at`: seconds, of which only differences count; `by`: a seat, `judge` or
    `service`.

    `lines`: one line (`act`), several (`plan`), a standing order's text (`order`), a ruling's sentences, or the names
    of the stops that a seat sets (`stops`).
    """

    kind: Kind
    by: str
    lines: tuple[str, ...] = ()
    at: int = 0
    cites: str = ""
    reason: str = ""
    to: int = 0
    """`rewind`: the number of the entry to go back to."""
    fresh: bool = False
    """`rewind`: whether chance is drawn again from there on."""
    seat: str = ""
    """`tick`: the seat whose time is over; `look`: the seat whose cards the judge sees; `end`: the winner."""
    what: str = ""
    """`tick`: `time` (a default is played) or `beat` (what was settled beforehand is carried out). `end`: `draw` if
    the players agreed to one."""
    action: Action | None = None
    """`act`: what the one line says, where a button sent it as data; None: the line has to be read."""


@dataclass(frozen=True, slots=True)
class Logged:
    """T6: one entry of the log. `args` are public; `hidden` are those behind its `secret`, opened.

    | kind | by | args | hidden |
    | --- | --- | --- | --- |
    | `open` | service | `game table seats options cuts day lists commitment rules` (see `opening`) | |
    | `draft` | service | `words`, and when all is picked `picks`: by letter, the hashes of a drafter's picks | |
    | `seat` | A | `name` | |
    | `deck` | A | | a deck as `Deck.plain` returns it |
    | `cut` | A | `commitment` (sealed cuts), later `word` | |
    | `act` `propose` `accept` | A | `lines` (one) | |
    | `choose` | A | | `lines` (one): a choice that others may not know yet |
    | `plan` | A | | `lines` |
    | `order` | A | | `lines` (one): a standing order |
    | `stops` | A | `lines`: the windows in which they want to be asked | |
    | `tick` | service | `seat what` | |
    | `ruling` | judge | `lines` (one), `cites`, `reason` | |
    | `look` | judge | `seat reason` | |
    | `rewind` | A or judge | `to fresh reason` | |
    | `end` | service | `won what cites reason` | |

    A service may add `on` (the latest hash of the chain that the author saw) to any `args`; it changes nothing here.
    """

    n: int
    at: int
    by: str
    kind: str
    args: Mapping[str, Plain] = field(default_factory=lambda: MappingProxyType({}))
    hidden: Mapping[str, Plain] = field(default_factory=lambda: MappingProxyType({}))
    action: Action | None = None
    """`Entry.action`; it isn't kept, so a replay reads the line."""

    def text(self, key: str) -> str:
        """T6: a string argument; empty if it is not a string."""
        argument = self.args.get(key, "")
        return argument if isinstance(argument, str) else ""

    def number(self, key: str) -> int:
        """T6: an integer argument; 0 if it is not an integer."""
        argument = self.args.get(key, 0)
        return argument if isinstance(argument, int) and not isinstance(argument, bool) else 0

    def entry(self) -> Entry:
        """T6: the entry for a dealt table. Refused (`unreadable`) if it has no lines, or too many or too long ones."""
        kind: str = "act" if self.kind in ("choose", "propose", "accept") else self.kind
        if kind not in get_args(Kind):
            raise Refused("unreadable", said("this table can't take “%(kind)s” now", kind=self.kind[:40]))
        lines = _lines(self.hidden.get("lines", self.args.get("lines", ())))
        if kind in ("act", "plan", "order", "ruling") and not lines:
            raise Refused("unreadable", said("write something first"), 1)
        if kind in ("act", "order", "ruling") and len(lines) != 1:
            raise Refused("unreadable", said("one line at a time; write several as a plan"), 1)
        return Entry(
            kind, self.by, lines, self.at, self.text("cites"), self.text("reason"), self.number("to"),  # type: ignore[arg-type]
            self.args.get("fresh") is True, self.text("seat") or self.text("won"), self.text("what"),
            self.action,
        )  # fmt: skip


def _lines(value: Plain) -> tuple[str, ...]:
    """Lines as a tuple of strings. Refused if they are something else, too many, or too long."""
    if isinstance(value, str) or not isinstance(value, (list, tuple)):
        raise Refused("unreadable", said("lines must be a list of texts"), 1)
    if len(value) > MOST_LINES:
        raise Refused("unreadable", said("at most %(most)s lines at once", most=MOST_LINES), 1)
    lines = []
    for line in value:
        if not isinstance(line, str):
            raise Refused("unreadable", said("lines must be a list of texts"), 1)
        lines.append(short(line))
    return tuple(lines)


def short(line: str) -> str:
    """T9: the line, unless it is too long: Refused (`unreadable`)."""
    if len(line) > LONGEST_LINE:
        raise Refused(
            "unreadable", said("a line can have at most %(most)s characters", most=LONGEST_LINE), LONGEST_LINE + 1
        )
    return line
