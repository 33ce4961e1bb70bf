"""A round as one file: everything, or only what is public now. The same rows give the same bytes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Protocol

from django.contrib.auth import get_user_model
from django.db.models import Model, Q

from judging.armies.models import HandedIn
from judging.battles.models import Battle
from judging.battles.rejudging.models import Rejudgement
from judging.chain.queries import Opened
from judging.chain.rows import to_json, translated
from judging.common.viewer import Viewer
from judging.import_export.file_format import LINKS, Column, ExchangeTable, Rows, tables
from judging.log.queries import visible
from judging.turns.models import Correction, Draft, Post
from judging.turns.rulings.services import public_rulings
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core import clock
from wargame.rules.core.codec import Json

FORMAT = "coalition-wargame-round"
VERSION = 1
"""To be raised with any change of the file format that older readers would not understand."""

AT_ONCE = 50
"""How many rows are in memory at a time."""

Numbers = dict[str, dict[object, int]]
"""By table and key: the row's number in the file."""


class View(Protocol):
    """The rows and fields of a round that go into a file."""

    is_public: bool

    def rows(self, table: ExchangeTable) -> Rows | None:
        """The rows of a table as a query, in their order; None for a table that is left out."""

    def shows(self, table: ExchangeTable, field: str) -> bool:
        """Whether a field goes into the file."""

    def shown(self, table: ExchangeTable, row: Model, data: Json) -> Json:
        """A row's data as they can be seen now."""


class Everything:
    """All of a round, including its secrets."""

    is_public = False

    def __init__(self, round: Round) -> None:
        self._round = round

    def rows(self, table: ExchangeTable) -> Rows | None:
        return table.rows(self._round)

    def shows(self, table: ExchangeTable, field: str) -> bool:
        return True

    def shown(self, table: ExchangeTable, row: Model, data: Json) -> Json:
        return data


def round_file(view: View) -> Iterator[bytes]:
    """The lines of the file. Each row is read when its line is requested, so that memory is bounded."""
    seal = hashlib.sha256()
    for line in _lines(view):
        seal.update(line)
        yield line
    yield f'"sha256": "{seal.hexdigest()}"\n}}\n'.encode()


def _lines(view: View) -> Iterator[bytes]:
    head = {"format": FORMAT, "version": VERSION, "public": view.is_public}
    yield b"{\n" + b"".join(f"{_dumps(key)}: {_dumps(value)},\n".encode() for key, value in head.items())
    yield b'"tables": {\n'
    there = [(table, rows) for table in tables() if (rows := view.rows(table)) is not None]
    numbers: Numbers = {table.name: _numbered(rows) for table, rows in there}
    names: dict[int, str] = {}
    for place, (table, rows) in enumerate(there):
        yield (b"],\n" if place else b"") + f"{_dumps(table.name)}: [\n".encode()
        yield from _rows(view, table, rows, numbers, names)
    yield b"]\n},\n"


def _numbered(rows: Rows) -> dict[object, int]:
    return {key: number for number, key in enumerate(rows.values_list("pk", flat=True), 1)}


def _rows(view: View, table: ExchangeTable, rows: Rows, numbers: Numbers, names: dict[int, str]) -> Iterator[bytes]:
    """A table's rows, one a line. Rows that were added after the numbering are left out."""
    row_numbers, count = numbers[table.name], 0
    for row in rows.iterator(chunk_size=AT_ONCE):
        number = row_numbers.get(row.pk)
        if number is None:
            continue
        data = view.shown(table, row, {"n": number, **_data(view, table, row, numbers, names)})
        yield (b",\n" if count else b"") + _line(data).encode()
        count += 1
    yield b"\n" if count else b""


def _data(view: View, table: ExchangeTable, row: Model, numbers: Numbers, names: dict[int, str]) -> Json:
    def translate(to: str, key: object) -> int | None:
        return numbers.get(to, {}).get(key)

    data: Json = {}
    for field in _columns_shown(view, table, table.fields):
        value = to_json(getattr(row, field.attname))
        data[field.name] = translated(table.name, field.name, value, translate)
    for key, to in table.links:
        if view.shows(table, key.name):
            data[key.name] = translate(to, getattr(row, key.attname))
    for user in _columns_shown(view, table, table.users):
        data[user.name] = _user_name(getattr(row, user.attname), names)
    if table.name == LINKS and view.shows(table, "key"):
        data["key"] = translate(row.kind, row.key)  # type: ignore[attr-defined]
    if "state" in data and table.name == "round" and data["state"] == RoundState.ARCHIVE:
        data["state"] = RoundState.RUNNING.value
    return data


def _columns_shown(view: View, table: ExchangeTable, fields: Iterable[Column]) -> Iterator[Column]:
    return (field for field in fields if view.shows(table, field.name))


def _user_name(key: int | None, names: dict[int, str]) -> str | None:
    if key is None:
        return None
    if key not in names:
        names.update(get_user_model().objects.filter(pk=key).values_list("pk", "username"))
    return names.get(key)


def _line(data: Json) -> str:
    """A row: its fields in their order, and objects inside of them with sorted keys, whatever the database does."""
    return f"{{{', '.join(f'{_dumps(name)}: {_dumps(value)}' for name, value in data.items())}}}"


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(", ", ": "))


ALL = ("*",)
LEAVING = ("leaves", "leaves_to")
"""4.4: the fields of an outcome that are the winners' secret until the turn is settled."""


def is_shown(round: Round) -> bool:
    """2.5.1.3: while a round is set up nothing of it is public."""
    return round.state != RoundState.SETUP


@dataclass(frozen=True)
class Shown:
    """The public fields of a table; `over`: further fields that are public when the round is over. `when` says which
    rows are public while it is played, `always` which are so even then; None: all."""

    fields: tuple[str, ...]
    over: tuple[str, ...] = ()
    when: Callable[[Public], Q] | None = None
    always: Q | None = None


class Public:
    """The public part of a round at a moment. Implements `writing.View`."""

    is_public = True

    def __init__(self, round: Round, now: datetime) -> None:
        self.round, self.now = round, now
        self.is_over = round.state == RoundState.OVER
        turns = Turn.objects.filter(round=round).order_by("number").defer("position", "events", "sky")
        self._turns = {turn.pk: turn for turn in turns}
        self.open = [turn.pk for turn in self._turns.values() if clock.is_in_time(now, turn.lock_at)]
        drafts = Draft.objects.filter(turn__round=round, publish_at__lte=now)
        self.drafted = set(drafts.values_list("turn_id", flat=True))
        posts = Post.objects.filter(turn__in=self.open, sealed=False).order_by("turn__number", "number")
        self._places = {pk: place for place, pk in enumerate(posts.values_list("pk", flat=True), 1)}

    def rows(self, table: ExchangeTable) -> Rows | None:
        rule = SHOWN.get(table.name)
        if rule is None:
            return None
        rows = table.rows(self.round)
        if rule.always is not None:
            rows = rows.filter(rule.always)
        if rule.when is not None and not self.is_over:
            rows = rows.filter(rule.when(self))
        return rows

    def shows(self, table: ExchangeTable, field: str) -> bool:
        rule = SHOWN[table.name]
        if field == "token" or any(field == key.name for key in table.users):
            return False
        return rule.fields == ALL or field in rule.fields or (self.is_over and field in rule.over)

    def shown(self, table: ExchangeTable, row: Model, data: Json) -> Json:
        mask = MASKS.get(table.name)
        return mask(self, row, data) if mask else data

    @cached_property
    def opened(self) -> Opened:
        """R38: the public part of the chain."""
        return Opened(self.round, self)

    def public_keys(self, kind: str) -> Collection[int]:
        """The keys of a table's rows without any masked field."""
        table = next((table for table in tables() if table.name == kind), None)
        rows = self.rows(table) if table is not None else None
        if rows is None:
            return ()
        whole = WHOLE.get(kind)
        return set((rows.filter(whole(self)) if whole else rows).values_list("pk", flat=True))

    def shows_field(self, kind: str, field: str) -> bool:
        return self.shows(next(table for table in tables() if table.name == kind), field)

    def is_settled(self, turn: int) -> bool:
        return self._turns[turn].state == TurnState.SETTLED

    def place_of(self, post: int) -> int | None:
        """R6: a post's place among the visible ones of an open thread; a gap would reveal a sealed one."""
        return self._places.get(post)


def _settled(view: Public) -> Q:
    return Q(turn__state=TurnState.SETTLED)


def _seen_posts(view: Public) -> Q:
    return ~Q(turn__in=view.open) | Q(sealed=False)


def _seen_versions(view: Public) -> Q:
    return ~Q(post__turn__in=view.open) | Q(post__sealed=False)


def _rulings(view: Public) -> Q:
    return Q(pk__in=public_rulings(view.round, view.now).order_by().values("pk"))


def _changes(view: Public) -> Q:
    settled = [turn.number for pk, turn in view._turns.items() if view.is_settled(pk)]
    return Q(state=HandedIn.ACCEPTED, for_turn__in=settled)


def _log(view: Public) -> Q:
    """1.3: the entries that the log's own page shows to everybody."""
    return visible(Viewer(None, view.round), view.now)


def _links(view: Public) -> Q:
    """R6: the number of the open turn's links would reveal secrets in it."""
    return Q(number__lt=view.opened.before) if view.opened.before else Q()


def _published(view: Public) -> Q:
    return Q(battle__state=Battle.State.PUBLISHED)


SETTLED_TURN = ("seed", "events", "settled_at", "sky", "changes", "mercenary_orders")
"""The fields of a turn that are secret until it is settled."""

SHOWN: dict[str, Shown] = {
    "round": Shown(ALL),
    "player": Shown(("name", "side", "rank", "factions", "former_names", "joined_at", "left_at")),
    "judge": Shown(("name", "role", "is_head", "named_at", "head_since", "dismissed_at")),
    "army": Shown(ALL),
    "troop": Shown(ALL),
    "base": Shown(ALL),
    "town": Shown(ALL),
    "control": Shown(("army", "player", "since", "until")),
    "turn": Shown(ALL),
    "armysetup": Shown(ALL),
    "bookversion": Shown(("number", "from_turn", "commitment", "at"), over=("formulas", "salt", "judge")),
    "post": Shown(("turn", "player", "number", "sealed", "posted_at", "withdrawn_at"), when=_seen_posts),
    "postversion": Shown(("post", "number", "text", "at", "stamps", "own_army"), when=_seen_versions),
    "manifest": Shown(("turn", "player", "sender", "receiver", "entries", "sent_at"), when=_settled),
    "mercenaryorder": Shown(ALL, when=_settled),
    "changerequest": Shown(
        (
            *("army", "player", "kind", "name", "legend", "troops", "state", "turn_number", "for_turn", "applied_in"),
            *("why_not", "newcomer", "before", "saved_at", "sent_at", "decided_at", "decided_by"),
        ),
        when=_changes,
        always=Q(state=HandedIn.ACCEPTED),
    ),
    "battle": Shown(
        (
            *("turn", "number", "at", "terrain", "place", "defends", "state", "seed", "commitment", "announced_at"),
            *("deadline", "weather", "cancelled_by", "dice_mix", "mix_within"),
        )
    ),
    "battlearmy": Shown(("battle", "army", "name", "side", "deadline")),
    "strat": Shown(
        (
            *("entry", "sent_at", "sha256", "word_sha256", "late", "accepted_by", "accepted_at", "accepted_because"),
            *("declined_by", "declined_at", "declined_because", "released_by", "released_at", "released_because"),
        ),
        over=("player", "as_contingency", "text", "risk", "runs", "leaves", "leaves_to", "salt", "word", "word_at"),
    ),
    "beaconvalue": Shown(("battle", "number", "signature", "judge", "got_at"), when=_published),
    "score": Shown(
        ("battle", "judge", "favours", "bonus", "how", "locked_at", "overruled", "reasons"), when=_published
    ),
    "opinion": Shown(("battle", "judge", "favours", "bonus", "locked_at", "reasons"), when=_published),
    "battleseat": Shown(ALL, when=_published),
    "decision": Shown(ALL, when=_published),
    "statedconflict": Shown(ALL),
    "judgeleave": Shown(ALL),
    "deputy": Shown(ALL),
    "standin": Shown(ALL),
    "adjustmentrequest": Shown(ALL, when=_published),
    "result": Shown(
        ("battle", "judge", "winner", "outcome", "unchanged", "odds_looked", "narrative", "published_at"),
        over=("odds",),
        when=_published,
    ),
    "riskruling": Shown(ALL, when=lambda view: Q(strat__entry__battle__state=Battle.State.PUBLISHED)),
    "correction": Shown(ALL, always=Q(state=Correction.State.APPLIED)),
    "ruling": Shown(ALL, when=_rulings, always=Q(correction=None) | Q(correction__state=Correction.State.APPLIED)),
    "penalty": Shown(ALL),
    "draft": Shown(
        ("turn", "events", "places", "digest", "computed_at", "publish_at"),
        when=lambda view: Q(turn__in=view.drafted),
    ),
    "notice": Shown(ALL, when=lambda view: Q(at__lte=view.now)),
    "earlylock": Shown(ALL),
    "logentry": Shown(("at", "action", "data"), when=_log),
    "rejudgement": Shown(ALL, always=Q(state=Rejudgement.State.APPLIED)),
    "appeal": Shown(ALL, when=lambda view: Q(is_hidden=False)),
    "chainhead": Shown(("number", "hash", "forms")),
    LINKS: Shown(("number", "row", "kind", "key", "is_gone", "digest", "hash", "opened"), when=_links),
}


def _turn(view: Public, row: Any, data: Json) -> Json:
    """R38: hide a turn's secrets until it is settled; moves that are not published are shown as locked only."""
    if view.is_settled(row.pk):
        return data
    redacted = _without(data, SETTLED_TURN)
    if row.pk not in view.drafted:
        redacted |= {"is_ruled": False}
        redacted |= {"state": TurnState.LOCKED.value} if row.state != TurnState.OPEN else {}
    return redacted | {"seed": ""}


def _battle(view: Public, row: Any, data: Json) -> Json:
    """R38: its seed is published with its result, and before that its judge's progress is secret."""
    if row.state == Battle.State.PUBLISHED:
        return data
    state = Battle.State.CANCELLED if row.state == Battle.State.CANCELLED else Battle.State.WAITING
    return data | {"seed": "", "state": state.value}


def _result(view: Public, row: Any, data: Json) -> Json:
    if view.is_settled(row.battle.turn_id):
        return data
    hidden = dict.fromkeys(LEAVING, "")
    hidden_texts = {name: {**data[name], **hidden} for name in ("outcome", "unchanged") if data.get(name)}
    return data | hidden_texts


def _rejudgement(view: Public, row: Any, data: Json) -> Json:
    if view.is_settled(row.battle.turn_id):
        return data
    hidden = dict.fromkeys(LEAVING, "")
    return data | {name: {**data[name], **hidden} for name in ("outcome", "outcome_before")}


def _post(view: Public, row: Any, data: Json) -> Json:
    place = view.place_of(row.pk)
    return data | {"number": place} if place else data


def _head(view: Public, row: object, data: Json) -> Json:
    number, hash = view.opened.last_before()
    return data | {"number": number, "hash": hash, "forms": view.opened.forms()}


def _link(view: Public, row: Any, data: Json) -> Json:
    return view.opened.shown(row, data)


def _without(data: Json, names: Iterable[str]) -> Json:
    hidden = set(names)
    return {name: value for name, value in data.items() if name not in hidden}


MASKS: dict[str, Callable[[Public, object, Json], Json]] = {
    "turn": _turn,
    "battle": _battle,
    "result": _result,
    "rejudgement": _rejudgement,
    "post": _post,
    "chainhead": _head,
    LINKS: _link,
}
"""Masks of tables whose rows are public, but not all their fields."""

WHOLE: dict[str, Callable[[Public], Q]] = {
    "turn": lambda view: Q(state=TurnState.SETTLED),
    "battle": lambda view: Q(state=Battle.State.PUBLISHED),
    "result": lambda view: Q(battle__turn__state=TurnState.SETTLED),
    "rejudgement": lambda view: Q(battle__turn__state=TurnState.SETTLED),
    "post": lambda view: ~Q(turn__in=view.open),
}
"""For these tables: the rows that nothing masks."""
