"""T6.1, T9.3: appending entries to a table's chain, and the latest hash that a post may build on."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.tables import game_state
from judging.tables.models import Entry, Hidden, Table, TableEvents, new_salt
from tables.core.entries import Entry as Said
from tables.core.entries import Logged
from tables.core.events import Event
from tables.core.lines.actions import Action, in_column
from tables.core.log import sealing
from tables.core.log.folding import Carried
from tables.core.log.snapshots import state_hash
from tables.core.proof.chain import entry_hash
from tables.core.proof.codec import Plain, sealed
from tables.core.reasons import Reason
from tables.core.state import State
from tables.core.views import SPECTATOR, told, view

OWN_WORDS: Mapping[str, str] = {
    "table": "T6", "stale": "T9", "shuffles": "T8",
    "deck": "T12.4", "stops": "T10.2", "orders": "T10.3", "beat": "T10.4", "rewind": "T11.6",
}  # fmt: skip
"""By the core's citation where no rule of the game applies: where it is documented."""


@dataclass(frozen=True)
class By:
    """T6.1: the author of an entry: a seat's letter, `judge` or `service`, and the person, if there is one."""

    word: str
    user_id: int | None = None


SERVICE = By("service")


@dataclass(frozen=True)
class Link:
    """T6.1: the link to append. `hidden` is in the chain as its salted hash; `salt` is a new one unless it is given.
    `token` names the form that sent it."""

    kind: str
    args: Mapping[str, Any] = field(default_factory=dict)
    hidden: Mapping[str, Any] | None = None
    salt: str = ""
    token: str = ""
    action: Action | None = None


def append_link(table: Table, by: By, link: Link, now: datetime) -> tuple[Entry, Carried]:
    """T6.1: the next entry of a locked table, carried out by the core's log and stored with its events; the table's
    row has the new hash but is not saved yet. Refused if the rules refuse it."""
    before = game_state.table_of(table) if table.entries else None
    logged = logged_as(table, by, link, game_state.moment(now))
    carried = game_state.carried(table, logged)
    if carried.reason is not None:
        raise refusal(carried.reason)
    args, hidden, kind = dict(link.args), link.hidden, link.kind
    if isinstance(before, State):
        entry = logged.entry()
        if sealing.hides(game_state.rules_of(table), before, entry, carried.events):
            hidden = {"lines": args.pop("lines")}
        kind = sealing.kind_of(entry, is_hidden=hidden is not None)
    state = carried.table if isinstance(carried.table, State) else None
    if state is not None:
        args["state"] = state_hash(state)
    new_entry = add_entry(table, by, kind, args, now, hidden=hidden, salt=link.salt, token=link.token)
    if state is not None:
        keep_told(new_entry, carried.events, [seat.letter for seat in state.seats])
        if (row := game_state.snapshot(table, state, is_due=kind == "rewind")) is not None:
            row.save()
        game_state.keep(table, state)
    return new_entry, carried


def logged_as(table: Table, by: By, link: Link, at: int = 0) -> Logged:
    """T6.1: the link to append, in the core's form."""
    return Logged(table.entries + 1, at, by.word, link.kind, link.args, link.hidden or {}, link.action)


def add_entry(
    table: Table,
    by: By,
    kind: str,
    args: Mapping[str, Any],
    now: datetime,
    *,
    hidden: Mapping[str, Any] | None = None,
    salt: str = "",
    token: str = "",
) -> Entry:
    """T6.1: append one more link to a locked table's chain; the caller has carried it out.

    `hidden` is in the chain as its salted hash; `salt` is a new one unless it is given.
    """
    salt = salt or new_salt()
    at = now.replace(microsecond=0)
    secret = sealed(salt, hidden) if hidden is not None else ""
    plain: dict[str, Plain] = {
        "n": table.entries + 1, "at": game_state.moment(at), "by": by.word, "kind": kind, "args": dict(args),
        "secret": secret,
    }  # fmt: skip
    entry = Entry(
        table=table, n=table.entries + 1, at=at, by=by.word, user_id=by.user_id, kind=kind, args=dict(args),
        secret=secret, prev=table.head, hash=entry_hash(table.head, plain), token=token,
    )  # fmt: skip
    entry.save()
    if hidden is not None:
        Hidden.objects.create(entry=entry, salt=salt, args=dict(hidden))
    table.entries, table.head = entry.n, entry.hash
    return entry


def link_of(said: Said, *, on: str = "", token: str = "") -> Link:
    """T6.1: a line of a dealt table, in the log's form."""
    args: dict[str, Any] = {"lines": list(said.lines)} if said.lines else {}
    args |= {name: value for name in ("cites", "reason", "to", "fresh") if (value := getattr(said, name))}
    if said.kind == "tick":
        args |= {"what": said.what or "time"} | ({} if said.what == "beat" else {"seat": said.seat or said.by})
    elif said.what:
        args["what"] = said.what
    elif said.seat:
        args["won" if said.kind == "end" else "seat"] = said.seat
    return Link(said.kind, {**args, "on": on} if on else args, token=token, action=said.action)


def keep_told(entry: Entry, events: Sequence[Event], letters: Sequence[str]) -> TableEvents:
    """T6.1: the events of an entry, as everybody may know them, and for each seat that knows more."""
    rules = game_state.rules_of(entry.table)
    public = told(rules, events, SPECTATOR)
    by_letter: dict[str, object] = {SPECTATOR: public}
    for letter in letters:
        own_events = told(rules, events, letter)
        if own_events != public:
            by_letter[letter] = own_events
    return TableEvents.objects.create(entry=entry, told=by_letter)


def refusal(reason: Reason) -> Refused:
    """T9: why the rules refuse a line, as a sentence with its citation and column."""
    message = reason.told[:1].upper() + reason.told[1:]
    sentence = in_column(reason.column, message) if reason.column else message
    sentence = sentence if sentence.endswith((".", "?", "!")) else f"{sentence}."
    if reason.is_unread:
        return UnreadLine(sentence, "", "lines")
    cited = reason.cites[0] if reason.cites else ""
    return Refused(sentence, OWN_WORDS.get(cited, cited), "lines")


class UnreadLine(Refused):
    """T9.1: a line, an order or a ruling that can't be read."""


MOST_SINCE = 12
"""The most entries between the hash that was seen and the latest one; with more, the page must be reloaded."""


class Stale(Refused):
    """T9.3: the table has changed since the page of this post was read. Nothing of the post was carried out."""

    def __init__(self, since: int) -> None:
        super().__init__(
            gettext("The table has changed since you loaded it. Check it, then send your post again."), "T9"
        )
        self.since = since

    def status(self, usual: int) -> int:
        """409: the same post may be right once the user has looked again."""
        return 409


def check(table: Table, letter: str, on: str) -> None:
    """T9.3: raise Stale unless a seat that saw the hash `on` sees and is asked the same at the locked table now."""
    if on == table.head:
        return
    number = Entry.objects.filter(table=table, hash=on).values_list("n", flat=True).first()
    if number is None or table.entries - number > MOST_SINCE:
        raise Stale(number or 0)
    then = game_state.state_at(table, number, on)
    if then is None or _known_to(table, then, letter) != _known_to(table, game_state.state_of(table), letter):
        raise Stale(number)


def _known_to(table: Table, state: State, letter: str) -> dict[str, Any]:
    """Everything on which a seat's answer may depend: all that it knows, but for the other awaited seats."""
    plain: dict[str, Any] = dict(view(game_state.rules_of(table), state, letter))
    if (waits := plain["waits"]) is not None:
        plain["waits"] = {**waits, "for": letter in waits["for"]}
    return plain
