"""R38: Append links to a round's chain.

The rows that a transaction writes are collected, and become links at its end: so simultaneous writers in a round lock
the latest hash as briefly as possible, and nobody waits there for another's row. A row that was not written by a writer
has no link, and `verifying` finds it.
"""

from __future__ import annotations

import logging
import os
import threading
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import F, Model, Q, QuerySet
from django.db.models.signals import post_save, pre_delete, pre_save
from django.utils import timezone

from judging.chain.models import ChainHead, ChainLink
from judging.chain.queries import START, are_forms, form_of
from judging.chain.rows import (
    FALLEN,
    LATER,
    PATHS,
    PERSON,
    Ref,
    Row,
    as_json,
    kind_of,
    model_of,
    names_of,
    refs_of,
    rows_and_heads,
    rows_of,
    rows_with_keys,
)
from judging.common import locking
from wargame.models import Round, Turn, watched
from wargame.models.choices import RoundState
from wargame.rules.core import chain
from wargame.rules.core.codec import Json
from wargame.world.bulk import by_name, write_rows

logger = logging.getLogger(__name__)


class LinkRow(NamedTuple):
    """A row of `INSERT`, with JSON as text."""

    round: int
    number: int
    row: int | None
    kind: str
    key: int | None
    person: int | None
    is_gone: int
    digest: str
    hash: str
    at: str
    opened: Json | None


INSERT = {
    vendor: by_name(
        LinkRow,
        f"""
INSERT INTO judging_chainlink (round_id, number, row, kind, key, person_id, is_gone, digest, hash, at, opened)
SELECT CAST(:round AS bigint), CAST(:number AS integer), CAST(:row AS integer), :kind, CAST(:key AS bigint),
    CAST(:person AS bigint), CAST(:is_gone AS integer) = 1, :digest, :hash, {moment}, CAST(:opened AS {{json}})
FROM {{rows}} AS j
""",
    )
    for vendor, moment in (("sqlite", ":at"), ("postgresql", "CAST(:at AS timestamptz)"))
}
"""One query, however many links a settlement has."""


class Was(NamedTuple):
    """A row as it was read before its change, and the number of its round's last link at that moment."""

    row: Row
    head: int


class _Noted(threading.local):
    """The keys of rows written and deleted in the open transaction, by kind; and the rows before their changes."""

    def __init__(self) -> None:
        self.before: dict[Ref, Was] = {}
        self.written: dict[str, set[int]] = defaultdict(set)
        self.gone: dict[str, set[int]] = defaultdict(set)

    def look(self, rows: Iterable[tuple[Row, int]]) -> list[int]:
        """Record rows before a change, each with its current last link; returns their keys."""
        keys = []
        for row, head in rows:
            keys.append(row.key)
            if row.key not in self.written[row.kind]:
                self.before.setdefault((row.kind, row.key), Was(row, head))
        return keys

    def forget(self) -> None:
        self.before.clear()
        self.written.clear()
        self.gone.clear()


_noted = _Noted()


class _Watcher:
    def is_on(self) -> bool:
        return locking.is_writing()

    def before(self, rows: QuerySet[Any]) -> list[int]:
        model: type[Model] = rows.model
        return _noted.look(rows_and_heads(kind_of(model), pk__in=rows.order_by().values("pk")))

    def note(self, model: type[Model], keys: Iterable[Any]) -> None:
        if kind_of(model) in PATHS:
            _noted.written[kind_of(model)].update(keys)


def watch() -> None:
    """Turn all rows that writers write from now on into links of the chain."""
    watched.watchers.append(_Watcher())
    for kind in PATHS:
        pre_save.connect(_saving, sender=model_of(kind), dispatch_uid=f"judging.chain {kind}")
        post_save.connect(_saved, sender=model_of(kind), dispatch_uid=f"judging.chain {kind}")
    for kind in FALLEN:
        pre_delete.connect(_deleted, sender=model_of(kind), dispatch_uid=f"judging.chain {kind}")
    locking.before_the_end.append(append)
    locking.after_writing.append(_noted.forget)


def _saving(sender: type[Model], instance: Model, raw: bool, **kwargs: object) -> None:
    is_new = instance._state.adding or instance.pk in _noted.written.get(kind_of(sender), ())
    if locking.is_writing() and not raw and not is_new:
        _noted.look(rows_and_heads(kind_of(sender), pk=instance.pk))


def _saved(sender: type[Model], instance: Model, raw: bool, **kwargs: object) -> None:
    if locking.is_writing() and not raw:
        _noted.written[kind_of(sender)].add(instance.pk)


def _deleted(sender: type[Model], instance: Model, **kwargs: object) -> None:
    if locking.is_writing():
        _noted.gone[kind_of(sender)].add(instance.pk)


def drawn_secret() -> str:
    """A new secret: 32 random bytes in hexadecimal."""
    return os.urandom(32).hex()


def begin(round: Round) -> None:
    """R38: Give the round a chain at the end of this transaction: its first link, and one for each existing row."""
    ChainHead.objects.create(round=round, secret=drawn_secret())


def forget() -> None:
    """Discard the recorded rows: they came with a chain of their own."""
    _noted.forget()


def adopt(round: Round) -> None:
    """R38: A round from a file of an older version, with all its secrets, is continued here: add the missing kinds
    to its chain. That of an archive stays unchanged."""
    head = ChainHead.objects.filter(round=round, number__gt=0).exclude(secret="").first()
    lacks = [kind for kind in LATER if head is not None and kind not in head.forms]
    if head is not None and lacks and round.state != RoundState.ARCHIVE:
        ChainHead.objects.filter(pk=head.pk).update(forms={**head.forms, **{kind: [] for kind in lacks}})
        _adopt(round.pk)


def begin_older(using: str, **kwargs: object) -> None:
    """After `migrate`: the chains of an older data folder begin with the existing rows, or get their missing kinds
    of rows. The migrations list the rounds and the kinds."""
    plan = MigrationExecutor(connection)
    if plan.migration_plan(plan.loader.graph.leaf_nodes()):
        return
    for round in ChainHead.objects.filter(number=0).values_list("round", flat=True):
        _begin_one(round)
    for round, forms in ChainHead.objects.filter(number__gt=0).values_list("round", "forms"):
        if are_forms(forms) and any(kind in PATHS and not each for kind, each in forms.items()):
            _adopt(round)


@locking.writes
def _begin_one(round: int) -> None:
    _noted.written["round"].add(round)


@locking.writes
def _adopt(round: int) -> None:
    """R38: Add to the chain of an older version the rows of each kind that it does not seal yet. The forms of the
    chain's head list such a kind without a form; it is done once, so that no row that is inserted later gets a link
    this way."""
    head = locking.hold(ChainHead.objects, round=round)
    kinds = [kind for kind in PATHS if head.forms.get(kind) == []]
    links = _Links(head, {})
    links.add([row for kind in kinds for row in rows_of(kind, round)])
    for kind in kinds:
        links.seal(kind)
    _write(links)


def append() -> None:
    """Write the links of the open transaction; none for rounds without a chain (1.5: that have not begun)."""
    if not _noted.written and not _noted.gone:
        return
    rows: dict[int, list[Row]] = defaultdict(list)
    for kind in PATHS:
        for row in rows_with_keys(kind, _noted.written.get(kind, ())):
            rows[row.round].append(row)
    removed: dict[int, list[ChainLink]] = defaultdict(list)
    if condition := Q(*(Q(kind=kind, key__in=keys) for kind, keys in _noted.gone.items() if keys), _connector=Q.OR):
        for link in ChainLink.objects.filter(condition, number=F("row")):
            removed[link.round_id].append(link)
    before = dict(_noted.before)
    _noted.forget()
    for head in locking.hold_all(ChainHead.objects.filter(round__in={*rows, *removed})):
        _append(head, rows[head.round_id], removed[head.round_id], before)


def _append(head: ChainHead, rows: Sequence[Row], removed: Sequence[ChainLink], before: Mapping[Ref, Was]) -> None:
    links = _Links(head, before)
    if head.number == 0:
        links.start()
        rows, removed = [row for kind in PATHS for row in rows_of(kind, head.round_id)], ()
    links.add(rows)
    links.add_gone(removed)
    _write(links)


def _write(links: _Links) -> None:
    write_rows(INSERT[connection.vendor], [_values(link) for link in links.made])
    links.head.save(update_fields=links.changed)


def _values(link: ChainLink) -> LinkRow:
    moment = str(connection.ops.adapt_datetimefield_value(link.at))
    identity = link.round_id, link.number, link.row, link.kind, link.key, link.person_id
    return LinkRow(*identity, int(link.is_gone), link.digest, link.hash, moment, link.opened)


LINKS = ChainLink.objects.order_by("number").values_list("kind", "key", "person", "row", "number", "digest")


def _links_of(round: int, keys: Mapping[str, Collection[int]]) -> Iterable[tuple[Any, ...]]:
    """The links of rows and people, given by their kinds and keys, in one statement. One condition for all kinds may
    find a few links more, of rows of one kind with a key that was given for another."""
    kinds = {kind: each for kind, each in keys.items() if kind != PERSON}
    rows = Q(kind__in=kinds, key__in=set[int]().union(*kinds.values()))
    return LINKS.filter(rows | Q(person__in=keys[PERSON]) if PERSON in keys else rows, round=round)


class _Links:
    """New links after a chain's head, which moves with them. `changed` are the head's changed fields: its forms are
    larger than all other data of a link, and seldom change."""

    def __init__(self, head: ChainHead, before: Mapping[Ref, Was]) -> None:
        self.head, self.before = head, before
        self.last: dict[Ref, tuple[int, str]] = {}
        self.made: list[ChainLink] = []
        self.known: dict[Ref, int] = {}
        self.is_new = head.number == 0
        self.changed = {"number", "hash"}
        self.at = timezone.now()

    def start(self) -> None:
        """The first link: the round as its dice name it, and its turn."""
        head = self.head
        head.secret = head.secret or drawn_secret()
        self.changed.add("secret")
        turn = Turn.objects.filter(round=head.round_id).order_by("-number").values_list("number", flat=True).first()
        fields = {"round": head.round.dice_name, "turn": turn}
        link = self._link(START, None, fields)
        link.opened = {"fields": fields}
        for kind in PATHS:
            self.seal(kind)

    def add(self, rows: Sequence[Row]) -> None:
        """Add a link for each row, after one for each new person and row that has no link of its own. A row that did
        not match its last link before its change gets none: the next writer must not hide a change that bypassed the
        writers."""
        refs = {ref: None for row in rows for ref in sorted(refs_of(row))}
        were = {ref for row in self._before(rows) for ref in refs_of(row)}
        self._look_up([*refs, *were, *((row.kind, row.key) for row in rows)])
        rows = [row for row in rows if self._was_held(row)]
        for kind, key in refs:
            if kind not in PATHS and (kind, key) not in self.known:
                self.known[kind, key] = self.head.number + 1
                self._link(kind, key, {})
        first = self.head.number + 1
        for number, row in enumerate(rows, first):
            self.known.setdefault((row.kind, row.key), number)
        for row in rows:
            self.seal(row.kind)
            self._link(row.kind, row.key, as_json(row, self._ref))

    def add_gone(self, gone: Sequence[ChainLink]) -> None:
        """Add a link for each deleted row; `gone` are the first links of those rows."""
        for link in gone:
            self.known[link.kind, link.key or 0] = link.row or 0
            self._link(link.kind, link.key, {}, is_gone=True)

    def _before(self, rows: Sequence[Row]) -> list[Row]:
        refs = ((row.kind, row.key) for row in rows)
        return [] if self.is_new else [self.before[ref].row for ref in refs if ref in self.before]

    def _was_held(self, row: Row) -> bool:
        """Whether a row matched its last link before this transaction changed it.

        It was read before it was locked, so another writer may have changed and linked it in between: then its last
        link is newer than the read, and says nothing about it.
        """
        was = self.before.get((row.kind, row.key))
        if was is None or self.is_new:
            return True
        number, digest = self.last.get((row.kind, row.key), (0, ""))
        if number > was.head:
            return True
        names = form_of(self.head, row.kind, number)
        fields = as_json(was.row, self._ref, names)
        row_number = self._ref(row.kind, row.key) or 0
        if chain.digest_with(self.head.secret, number, row.kind, row_number, fields) == digest:
            return True
        logger.error("%s %s of %s was changed bypassing the service", row.kind, row.key, self.head.round.slug)
        return False

    def _ref(self, kind: str, key: int) -> int | None:
        return self.known.get((kind, key))

    def _look_up(self, refs: Iterable[Ref]) -> None:
        """Look up the first links of rows, and their last ones, in one query."""
        if self.is_new:
            return
        keys: dict[str, set[int]] = defaultdict(set)
        for kind, key in refs:
            keys[kind].add(key)
        for kind, pk, person, row, number, digest in _links_of(self.head.round_id, keys):
            ref: Ref = kind, (person if kind == PERSON else pk) or 0
            self.known[ref], self.last[ref] = row or 0, (number, digest)

    def seal(self, kind: str) -> None:
        """R38: The fields that links of this kind seal from now on, if they differ from before."""
        forms = self.head.forms.setdefault(kind, [])
        if not forms or tuple(forms[-1][1]) != names_of(kind):
            forms.append([self.head.number + 1, list(names_of(kind))])
            self.changed.add("forms")

    def _link(self, kind: str, key: int | None, fields: chain.Fields, *, is_gone: bool = False) -> ChainLink:
        head = self.head
        head.number += 1
        row = self.known.get((kind, key or 0), head.number)
        digest = chain.digest_with(head.secret, head.number, kind, row, fields, is_gone=is_gone)
        head.hash = chain.link_hash(head.hash, head.number, digest)
        link = ChainLink(
            round_id=head.round_id,
            number=head.number,
            row=row,
            kind=kind,
            key=None if kind == PERSON else key,
            person_id=key if kind == PERSON else None,
            is_gone=is_gone,
            digest=digest,
            hash=head.hash,
            at=self.at,
        )
        self.made.append(link)
        return link
