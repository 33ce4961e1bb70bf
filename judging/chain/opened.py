"""R38: what of a chain everybody may know: the salts of what is public anyway, and the digests of all else.

A link is opened if its row is public and it is the row's last one. Of earlier ones only the row is told, of a row that
is secret nothing but that there is a link: its digest gives nothing away.
"""

from __future__ import annotations

from collections.abc import Collection
from itertools import islice
from typing import Protocol

from django.db.models import Max

from judging.chain.models import ChainHead, ChainLink
from judging.chain.reads import START, open_from
from judging.chain.rows import PATHS, PERSON, Ref, Row, as_json, rows_with_keys
from wargame.models import Round
from wargame.rules.core import chain
from wargame.rules.core.codec import Json

AT_ONCE = 200
"""Rows that are held in memory."""


class Shows(Protocol):
    """What of a round is public."""

    def public_keys(self, kind: str) -> Collection[int]:
        """The keys of the rows of a kind of which all stands in the file that is said to."""

    def shows_field(self, kind: str, field: str) -> bool:
        """Whether a field of theirs stands in the file."""


class Opened:
    """The links of a round as a public file has them."""

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
        """A link's data as everybody may have them; `key` is the number that its row has in the file."""
        if link.kind == START:
            return {**data, "opened": self._start(link)}
        if not self._is_public(link.kind, link.key):
            return {**data, "row": None, "kind": "", "key": None, "is_gone": False, "opened": None}
        is_last = self._lasts.get((link.kind, link.key or 0)) == link.number
        return {**data, "opened": self._opened(link) if is_last and not link.is_gone else None}

    def last_before(self) -> tuple[int, str]:
        """The number and hash of the last link that is public."""
        links = ChainLink.objects.filter(round=self.round).order_by("-number")
        known = links.filter(number__lt=self.before) if self.before else links
        return known.values_list("number", "hash").first() or (0, "")

    def forms(self) -> dict[str, list[object]]:
        """The forms of the links that are public."""
        first = self.before
        found = {
            kind: [form for form in forms if first is None or form[0] < first]
            for kind, forms in self.head.forms.items()
        }
        return {kind: forms for kind, forms in found.items() if forms}

    def _start(self, link: ChainLink) -> Json:
        fields = (link.opened or {}).get("fields", {})
        salts = {name: chain.salt(self.head.secret, link.number, name) for name in fields}
        return {"salt": chain.salt(self.head.secret, link.number), "salts": salts, "sealed": {}, "fields": fields}

    def _opened(self, link: ChainLink) -> Json | None:
        """The salts of a row's public fields and the sealed others; `refs` are the rows to which the public ones refer,
        by their first links, where a file has its own numbers."""
        secret, number = self.head.secret, link.number
        opened: Json = {"salt": chain.salt(secret, number), "salts": {}, "sealed": {}, "refs": {}}
        if link.kind not in PATHS:
            return opened
        row = self._row(link)
        if row is None:
            return None
        fields = as_json(row, lambda kind, key: self._rows.get((kind, key)))
        plain = as_json(row, lambda kind, key: key)
        known = as_json(row, lambda kind, key: key if self._is_public(kind, key) else None)
        unlinked = as_json(row, lambda kind, key: None)
        for name, value in fields.items():
            salt = chain.salt(secret, number, name)
            if self._shows.shows_field(link.kind, name) and known[name] == plain[name]:
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
        """The row of a link; those of the next links are read with it."""
        ref = link.kind, link.key or 0
        if ref not in self._read:
            coming = sorted((number, each) for each, number in self._lasts.items() if number >= link.number)
            keys: dict[str, set[int]] = {}
            for _, (kind, key) in islice(coming, AT_ONCE):
                if kind in PATHS:
                    keys.setdefault(kind, set()).add(key)
            self._read = {(row.kind, row.key): row for kind, each in keys.items() for row in rows_with_keys(kind, each)}
        return self._read.get(ref)
