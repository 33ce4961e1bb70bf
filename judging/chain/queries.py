"""R38: A chain compared with its rows, its latest hash, and its public part (docs/play/verify/chain.md)."""

import itertools
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from itertools import islice
from typing import Any, NamedTuple, Protocol

from django.core.cache import cache
from django.db.models import Max, Q
from django.utils.translation import gettext, gettext_noop

from judging.chain.models import ChainHead, ChainLink
from judging.chain.rows import (
    LATER,
    LEFT_OUT,
    PATHS,
    PERSON,
    Ref,
    Row,
    as_json,
    model_of,
    names_of,
    rows_of,
    rows_with_keys,
)
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core import chain
from wargame.rules.core.codec import Json

START = "start"
"""The kind of the first link, which names the round."""

KEPT = re.compile(r"(\d{4}-\d\d-\d\dT\d\d:\d\dZ)\W+([0-9a-f]{12,64})")
"""A latest hash as it is shown: a minute, and 64 hexadecimal digits, or the first of them at the foot of a page."""

LOOKED_THROUGH = 5000
"""How many links of a round may match a latest hash: the last before its minute, and those of writers who were not
done yet. 20 milliseconds."""

NONE, A_MINUTE = "none", 60


class Broken(Enum):
    """Possible errors of a chain, or of one of its rows."""

    NO_CHAIN = gettext_noop("the chain of this round is missing")
    NO_SECRET = gettext_noop("the chain's secret is missing, so the rows can't be checked")
    HEAD = gettext_noop(
        "the latest hash and the last link don't match: the chain ends at link {number}, but the latest hash "
        "belongs to link {other}"
    )
    MISSING = gettext_noop("link {number} is missing")
    HASH = gettext_noop(
        "link {number} doesn't follow from the one before it: links were changed, added or removed there"
    )
    START = gettext_noop("link {number} is not the start of this round's chain")
    CHANGED = gettext_noop("{what} recorded in link {number} was changed")
    DELETED = gettext_noop("{what} recorded in link {number} was deleted")
    BACK = gettext_noop("{what} removed in link {number} is back")
    PUT_IN = gettext_noop("{what} was added without a link")
    UNREADABLE = gettext_noop("the data of link {number} can't be read")
    FORMS = gettext_noop("the latest hash's list of sealed fields can't be read")
    LOST = gettext_noop(
        "{what} recorded in link {number} can't be checked: this version of the service lacks some of its fields"
    )


class Wrong(NamedTuple):
    """An error: its link, and its row (kind and key), if it is about one."""

    how: Broken
    number: int = 0
    kind: str = ""
    key: int = 0
    other: int = 0

    @property
    def sentence(self) -> str:
        """In words, without a full stop; of the row only its kind, because it may be secret."""
        row_name = str(model_of(self.kind)._meta.verbose_name) if self.kind in PATHS else gettext("row")
        # Translators: a row of the database, by what it is called there: “an entry”.
        phrase = gettext("an %(row)s") if row_name[0] in "aeio" else gettext("a %(row)s")
        text = gettext(self.how.value).format(number=self.number, what=phrase % {"row": row_name}, other=self.other)
        return text[0].upper() + text[1:]


@dataclass(frozen=True, slots=True)
class ChainCheck:
    """R38: The result of comparing all rows of a round with its chain: how many links and rows, and the errors.

    `unchecked` counts the rows that can't be checked: in an archive of a public file those that the chain keeps secret,
    and in one of an older version those of kinds that it did not seal.
    """

    links: int
    rows: int
    wrong: tuple[Wrong, ...]
    unchecked: int = 0

    @property
    def is_same(self) -> bool:
        return not self.wrong

    @property
    def sentences(self) -> tuple[str, ...]:
        return tuple(each.sentence for each in self.wrong)


class LastLink(NamedTuple):
    """The last link of a row: its number, that of the row's first link, whether the row is gone, its digest, and its
    public part if the chain's secret is not known (`ChainLink.opened`)."""

    number: int
    row: int
    is_gone: bool
    digest: str
    opened: Mapping[str, Any] | None


def check_chain(round: Round) -> ChainCheck:
    """R38: Compare every link with the one before it, and every row with its last link: one query for each kind of
    rows. 50 microseconds a row."""
    head = ChainHead.objects.filter(round=round).first()
    if head is None:
        has_begun = Turn.objects.filter(round=round).exists() and round.state != RoundState.ARCHIVE
        return ChainCheck(0, 0, (Wrong(Broken.NO_CHAIN),) if has_begun else ())
    holding = _Holding(round, head)
    wrong = [*holding.links(), *holding.rows()]
    return ChainCheck(holding.number, holding.counted, tuple(wrong), holding.unchecked)


class _Holding:
    def __init__(self, round: Round, head: ChainHead) -> None:
        self.round, self.head = round, head
        self.has_forms = are_forms(head.forms)
        if not self.has_forms:
            head.forms = {}
        self.number = self.counted = self.unchecked = 0
        self.has_dates = False
        self.last: dict[Ref, LastLink] = {}

    def links(self) -> Iterator[Wrong]:
        """Check each link against the one before it, and the latest hash against the last link."""
        hash = chain.FIRST
        columns = ("number", "row", "kind", "key", "person", "is_gone", "digest", "hash", "opened", "at")
        links = ChainLink.objects.filter(round=self.round).order_by("number").values_list(*columns)
        for number, row, kind, key, person, is_gone, digest, stored_hash, opened, at in links.iterator():
            self.has_dates = self.has_dates or at is not None
            if number != self.number + 1:
                yield Wrong(Broken.MISSING, self.number + 1)
            elif chain.link_hash(hash, number, digest) != stored_hash:
                yield Wrong(Broken.HASH, number)
            if not is_opened(opened):
                yield Wrong(Broken.UNREADABLE, number)
                opened = None
            if number == 1 and not self._is_start(kind, digest, opened):
                yield Wrong(Broken.START, number)
            self.number, hash = number, stored_hash
            ref = kind, person if kind == PERSON else key
            if kind and None not in ref:
                self.last[ref] = LastLink(number, row, is_gone, digest, opened)
        if (self.number, hash) != (self.head.number, self.head.hash):
            yield Wrong(Broken.HEAD, self.number, other=self.head.number)
        if not self.has_forms:
            yield Wrong(Broken.FORMS)
        if not self.head.secret and not self._is_of_a_public_file():
            yield Wrong(Broken.NO_SECRET)

    def _is_of_a_public_file(self) -> bool:
        """Such a chain has neither a secret nor dates, and its round is no longer played."""
        return not self.has_dates and self.round.state in (RoundState.ARCHIVE, RoundState.OVER)

    def _is_start(self, kind: str, digest: str, opened: Mapping[str, Any] | None) -> bool:
        fields = (opened or {}).get("fields", {})
        if kind != START or fields.get("round") != self.round.dice_name:
            return False
        return self._digest_of(LastLink(1, 1, False, digest, opened), START, fields) == digest

    def rows(self) -> Iterator[Wrong]:
        """Check each row against its last link."""
        for kind in PATHS:
            there = set()
            for row in rows_of(kind, self.round.pk):
                there.add(row.key)
                self.counted += 1
                link = self.last.get((kind, row.key))
                if self._is_unchecked(kind, link):
                    self.unchecked += 1
                elif link is not None:
                    yield from self._wrong_with_row(row, link)
                else:
                    yield Wrong(Broken.PUT_IN, 0, kind, row.key)
            for (link_kind, key), link in self.last.items():
                if link_kind == kind and key not in there and not link.is_gone:
                    yield Wrong(Broken.DELETED, link.number, kind, key)

    def _is_unchecked(self, kind: str, link: LastLink | None) -> bool:
        """Whether a row can't be compared with its link: only in rounds that were played elsewhere. Anywhere else a
        row without a link was inserted."""
        if self.head.secret:
            return self.round.state == RoundState.ARCHIVE and kind in LATER and not self.head.forms.get(kind)
        return self._is_of_a_public_file() and (link is None or (link.opened is None and not link.is_gone))

    def _wrong_with_row(self, row: Row, link: LastLink) -> Iterator[Wrong]:
        names = form_of(self.head, row.kind, link.number)
        if link.is_gone:
            yield Wrong(Broken.BACK, link.number, row.kind, row.key)
        elif not names or not set(names) <= {*names_of(row.kind)}:
            yield Wrong(Broken.LOST, link.number, row.kind, row.key)
        elif self._digest_of(link, row.kind, as_json(row, self._ref, names)) != link.digest:
            yield Wrong(Broken.CHANGED, link.number, row.kind, row.key)

    def _digest_of(self, link: LastLink, kind: str, fields: chain.Fields) -> str:
        """The digest of a row with these fields; without the secret from the public salts and sealed fields, or, if
        there are none, that of the link itself."""
        if self.head.secret:
            return chain.digest_with(self.head.secret, link.number, kind, link.row, fields)
        if link.opened is None:
            return link.digest
        salts, seals = link.opened.get("salts", {}), dict(link.opened.get("sealed", {}))
        seals |= {name: chain.sealed(salts[name], value) for name, value in fields.items() if name in salts}
        return chain.row_digest(str(link.opened.get("salt")), kind, link.row, seals)

    def _ref(self, kind: str, key: int) -> int | None:
        link = self.last.get((kind, key))
        return link.row if link else None


def form_of(head: ChainHead, kind: str, number: int) -> tuple[str, ...]:
    """The fields that a link of that kind and number seals."""
    forms = [names for since, names in head.forms.get(kind, ()) if since <= number]
    return tuple(name for name in forms[-1] if (kind, name) not in LEFT_OUT) if forms else ()


def are_forms(value: object) -> bool:
    """Whether JSON has the shape of `ChainHead.forms`."""
    return isinstance(value, dict) and all(
        isinstance(forms, list) and all(_is_form(form) for form in forms) for forms in value.values()
    )


def _is_form(value: object) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    since, names = value
    return isinstance(since, int) and isinstance(names, list) and all(isinstance(name, str) for name in names)


def is_opened(value: object) -> bool:
    """Whether JSON has the shape of `ChainLink.opened`, or is None."""
    if value is None:
        return True
    if not isinstance(value, dict):
        return False
    salts, seals, *mappings = (value.get(name, {}) for name in ("salts", "sealed", "refs", "fields"))
    if not all(isinstance(each, dict) for each in (salts, seals, *mappings)):
        return False
    return all(isinstance(each, str) for each in (*salts.values(), *seals.values()))


@dataclass(frozen=True, slots=True)
class Head:
    """R38: The latest hash of a chain as everybody sees it and can store it."""

    minute: str
    hash: str

    def __str__(self) -> str:
        return f"{self.minute} {self.hash}"


@dataclass(frozen=True, slots=True)
class Kept:
    """R38: A latest hash that somebody stored: `number` is its link, None: of this round there is none; `is_open`: a
    link of the open turn, whose number would reveal how much is still secret (R6). `of` is another round whose chain
    has it. `is_readable`: whether the input is a hash at all."""

    is_readable: bool = True
    number: int | None = None
    is_open: bool = False
    of: Round | None = None


def head_of(round: Round, now: datetime) -> Head | None:
    """R38: The latest hash of a round's chain as of the current minute; None without a chain. One query a minute.

    It does not cover links from within the minute, so that nobody can see that one was written (R6).
    """
    minute = now.astimezone(UTC).replace(second=0, microsecond=0)
    timestamp = f"{minute:%Y-%m-%dT%H:%MZ}"
    kept_as = f"chain-head:{round.pk}:{timestamp}"
    head: Head | str | None = cache.get(kept_as)
    if head is None:
        links = ChainLink.objects.filter(round=round).values_list("hash", flat=True)
        last = links.filter(_before(minute)).order_by("-number").first()
        head = Head(timestamp, chain.head_at(timestamp, last)) if last else NONE
        cache.set(kept_as, head, A_MINUTE)
    return head if isinstance(head, Head) else None


def open_from(round: Round) -> int | None:
    """R6: The first link about the turn that is not settled; None if none is open."""
    turn = Turn.objects.filter(round=round).exclude(state=TurnState.SETTLED).values_list("pk", flat=True).first()
    if turn is None or round.state == RoundState.OVER:
        return None
    links = ChainLink.objects.filter(round=round, kind="turn", key=turn).order_by("number")
    return links.values_list("number", flat=True).first()


def find_head(round: Round, given: str) -> Kept:
    """R38: The link of a latest hash that somebody stored: one of this chain, one of another round's, none, or
    unreadable."""
    read = KEPT.search(given)
    minute = _minute(read[1]) if read else None
    if read is None or minute is None:
        return Kept(is_readable=False)
    timestamp, hash = read.groups()
    number = _link_of(round, minute, timestamp, hash)
    if number is not None:
        first = open_from(round)
        return Kept(number=number, is_open=first is not None and number >= first)
    rounds = Round.objects.filter(chain__number__gt=0).exclude(pk=round.pk).order_by("pk")
    return Kept(of=next((other for other in rounds if _link_of(other, minute, timestamp, hash) is not None), None))


def _minute(timestamp: str) -> datetime | None:
    try:
        return datetime.strptime(timestamp, "%Y-%m-%dT%H:%MZ").replace(tzinfo=UTC)
    except ValueError:
        return None


def _link_of(round: Round, minute: datetime, timestamp: str, hash: str) -> int | None:
    """The link of a latest hash: as a rule the last that was written before that minute. Links from a public file
    have no dates, so all of them are searched."""
    links = ChainLink.objects.filter(_before(minute), round=round).order_by("-number").values_list("number", "hash")
    dated, undated = links.exclude(at=None)[:LOOKED_THROUGH], links.filter(at=None)
    either = itertools.chain(dated.iterator(), undated.iterator())
    return next((number for number, link_hash in either if chain.head_at(timestamp, link_hash).startswith(hash)), None)


def _before(minute: datetime) -> Q:
    """The links that the latest hash of a minute may cover; the first one is covered at once."""
    return Q(at__lt=minute) | Q(at=None) | Q(number=1)


AT_ONCE = 200
"""How many rows are in memory at a time."""


class Shows(Protocol):
    """The public part of a round."""

    def public_keys(self, kind: str) -> Collection[int]:
        """The keys of the rows of a kind that the file contains."""

    def shows_field(self, kind: str, field: str) -> bool:
        """Whether the file contains a field of these rows."""


class Opened:
    """The links of a round for a public file."""

    def __init__(self, round: Round, shows: Shows) -> None:
        self.round, self._shows = round, shows
        self.head = ChainHead.objects.filter(round=round).first() or ChainHead()
        self.before = open_from(round)
        links = ChainLink.objects.filter(round=round).exclude(kind=PERSON)
        lasts = links.order_by().values("kind", "key").annotate(last=Max("number"), first=Max("row"))
        self._lasts: dict[Ref, int] = {(each["kind"], each["key"] or 0): each["last"] for each in lasts}
        self._rows: dict[Ref, int] = {(each["kind"], each["key"] or 0): each["first"] for each in lasts}
        people = ChainLink.objects.filter(round=round, kind=PERSON).values_list("person", "row")
        self._rows |= {(PERSON, person or 0): row or 0 for person, row in people}
        self._keys: dict[str, Collection[int]] = {}
        self._read: dict[Ref, Row] = {}

    def shown(self, link: ChainLink, data: Json) -> Json:
        """The public data of a link; `key` is the number of its row in the file."""
        if link.kind == START:
            return {**data, "opened": self._start(link)}
        if not self._is_public(link.kind, link.key):
            return {**data, "row": None, "kind": "", "key": None, "is_gone": False, "opened": None}
        is_last = self._lasts.get((link.kind, link.key or 0)) == link.number
        return {**data, "opened": self._opened(link) if is_last and not link.is_gone else None}

    def last_before(self) -> tuple[int, str]:
        """The number and hash of the last public link."""
        links = ChainLink.objects.filter(round=self.round).order_by("-number")
        public_links = links.filter(number__lt=self.before) if self.before else links
        return public_links.values_list("number", "hash").first() or (0, "")

    def forms(self) -> dict[str, list[object]]:
        first = self.before
        public_forms = {
            kind: [form for form in forms if first is None or form[0] < first]
            for kind, forms in self.head.forms.items()
        }
        return {kind: forms for kind, forms in public_forms.items() if forms}

    def _start(self, link: ChainLink) -> Json:
        fields = (link.opened or {}).get("fields", {})
        salts = {name: chain.salt(self.head.secret, link.number, name) for name in fields}
        return {"salt": chain.salt(self.head.secret, link.number), "salts": salts, "sealed": {}, "fields": fields}

    def _opened(self, link: ChainLink) -> Json | None:
        """The salts of a row's public fields and the sealed others; `refs` are the rows to which the public ones
        refer, by their first links, because a file has its own numbers."""
        secret, number = self.head.secret, link.number
        opened: Json = {"salt": chain.salt(secret, number), "salts": {}, "sealed": {}, "refs": {}}
        if link.kind not in PATHS:
            return opened
        row = self._row(link)
        if row is None:
            return None
        fields = as_json(row, lambda kind, key: self._rows.get((kind, key)))
        plain = as_json(row, lambda kind, key: key)
        public_fields = as_json(row, lambda kind, key: key if self._is_public(kind, key) else None)
        unlinked = as_json(row, lambda kind, key: None)
        for name, value in fields.items():
            salt = chain.salt(secret, number, name)
            if self._shows.shows_field(link.kind, name) and public_fields[name] == plain[name]:
                opened["salts"][name] = salt
                if plain[name] != unlinked[name]:
                    opened["refs"][name] = value
            else:
                opened["sealed"][name] = chain.sealed(salt, value)
        return opened

    def _is_public(self, kind: str, key: int | None) -> bool:
        if kind not in self._keys:
            self._keys[kind] = self._shows.public_keys(kind)
        return key in self._keys[kind]

    def _row(self, link: ChainLink) -> Row | None:
        """The row of a link; reads those of the next links with it."""
        ref = link.kind, link.key or 0
        if ref not in self._read:
            coming = sorted((number, each) for each, number in self._lasts.items() if number >= link.number)
            keys: dict[str, set[int]] = {}
            for _, (kind, key) in islice(coming, AT_ONCE):
                if kind in PATHS:
                    keys.setdefault(kind, set()).add(key)
            self._read = {(row.kind, row.key): row for kind, each in keys.items() for row in rows_with_keys(kind, each)}
        return self._read.get(ref)
