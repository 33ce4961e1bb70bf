"""2.2.1: The catalogue of creatures: search, lookup by name, and import from files (all or nothing)."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from difflib import get_close_matches
from itertools import islice
from pathlib import Path
from typing import IO

from django.conf import settings
from django.db import transaction
from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Length
from django.utils.translation import gettext_lazy

from judging.common import locking
from wargame.importing.cards import COPY, SIZE_RULES, Card, Skipped, WhyNot, hints_of, is_copy
from wargame.importing.reading import OWN_TEXT, CardFileError, Watch, read_cards
from wargame.models import Creature
from wargame.models.creatures import LETTERS, searched
from wargame.rules.armies import creatures
from wargame.rules.armies.creatures import name_key
from wargame.rules.armies.sizes import read_size
from wargame.rules.core.board import COLORS
from wargame.rules.core.codec import Json
from wargame.rules.core.sides import Side

LONGEST_SEARCH = 80
MOST_WORDS = 8
MOST_GUESSES = 3
CANDIDATES = 2000
"""How many names are searched for one similar to a misspelt name."""

KINDS = {
    "troops": gettext_lazy("no legends"),
    "legend": gettext_lazy("legends"),
    "artifact": gettext_lazy("artifacts"),
}
"""2.2.1: The kinds that the rules distinguish, and their labels."""


@dataclass(frozen=True)
class CreatureQuery:
    """Filters of a search; empty values filter nothing.

    `color` is one of 1.1.2's; `kind` one of KINDS or a creature type; `size` as printed, `2/3` or `*/*`; `fits`: the
    slot of that size has room for it (2.1). `side` and `own`: the creatures that an army of these colours may have
    (2.2.1).
    """

    words: str = ""
    color: str = ""
    kind: str = ""
    size: str = ""
    fits: int | None = None
    side: Side | None = None
    own: tuple[str, ...] = ()

    @classmethod
    def of(cls, query: Mapping[str, str]) -> CreatureQuery:
        """From query parameters; invalid values are ignored."""
        fits = query.get("fits", "")
        color, size = query.get("color", ""), query.get("size", "").strip()
        return cls(
            words=query.get("q", "").strip()[:LONGEST_SEARCH],
            color=color if color in COLORS else "",
            kind=searched(query.get("kind", "")[:LONGEST_SEARCH]),
            size=size if read_size(size) else "",
            fits=int(fits) if fits.isdecimal() and len(fits) < 3 else None,
        )

    @property
    def is_narrowed(self) -> bool:
        return bool(self.words or self.color or self.kind or self.size or self.fits is not None)


def found_creatures(query: CreatureQuery) -> QuerySet[Creature]:
    """2.2.1: The matching creatures, best matches of the words first, then by name.

    Every word must begin a word of the creature's name, size, types, set or text: the same on every database.
    """
    rows = Creature.objects.filter(_narrowed(query))
    for term in searched(query.words).split()[:MOST_WORDS]:
        rows = rows.filter(words__contains=f" {term}")
    if query.fits is not None and not query.words:
        return rows.order_by("-least", "key")
    return rows.annotate(rank=_rank(searched(query.words))).order_by("rank", "key")


def known_creatures(names: Iterable[str]) -> dict[str, creatures.Creature]:
    """The creatures with those names as the rules know them, by `name_key`; the rulebook's own spellings are found."""
    keys = {name_key(name): name for name in names}
    rows = Creature.objects.filter(key__in=[*keys, *map(name_key, _printed_names(keys.values()))])
    by_key = {row.key: row.as_rules() for row in rows}
    matches = {key: by_key.get(key) or by_key.get(name_key(creatures.printed_name(name))) for key, name in keys.items()}
    return {key: creature for key, creature in matches.items() if creature is not None}


def creature_called(name: str) -> Creature | None:
    """2.2.1: The creature with that name in the catalogue, in any spelling of the rulebook; None if there is none."""
    keys = [name_key(name), name_key(creatures.printed_name(name))]
    rows = {row.key: row for row in Creature.objects.filter(key__in=keys)}
    return next((rows[key] for key in keys if key in rows), None)


def cards_of(names: Iterable[str]) -> dict[str, Creature]:
    """2.2.3: The catalogue's creatures with these names, by the given names; one query."""
    keys = {name: name_key(creatures.printed_name(name)) for name in names if name}
    rows = {row.key: row for row in Creature.objects.filter(key__in=set(keys.values()))} if keys else {}
    return {name: rows[key] for name, key in keys.items() if key in rows}


def names_near(name: str) -> Sequence[str]:
    """Names similar to an unknown one, likeliest first."""
    key = name_key(name)[:LONGEST_SEARCH]
    if not key:
        return []
    within = Creature.objects.filter(key__contains=key).order_by(Length("key"), "key")
    guesses = list(within.values_list("name", flat=True)[:MOST_GUESSES])
    alike = Creature.objects.filter(key__startswith=key[:2]).values_list("key", "name")[:CANDIDATES]
    names = dict(alike)
    guesses += [names[close] for close in get_close_matches(key, names, n=MOST_GUESSES, cutoff=0.75)]
    return list(dict.fromkeys(guesses))[:MOST_GUESSES]


def _narrowed(query: CreatureQuery) -> Q:
    condition = Q()
    if query.color:
        condition &= _of_color(query.color)
    if query.kind in ("troops", "legend"):
        condition &= Q(is_legend=query.kind == "legend")
    elif query.kind:
        condition &= Q(kinds__contains=f" {query.kind} ")
    if query.size:
        power, _, toughness = query.size.partition("/")
        condition &= Q(power=power.strip(), toughness=toughness.strip())
    if query.fits is not None:
        condition &= Q(least__lte=query.fits)
    if query.side is not None:
        condition &= _of_army(query.side, query.own)
    return condition


def _of_color(color: str) -> Q:
    """1.1.2: Has that colour, perhaps among others; `multicolor` is several, `colorless` none."""
    if color == "multicolor":
        return ~Q(colors__in=["", *LETTERS.values()])
    return Q(colors="") if color == "colorless" else Q(colors__contains=LETTERS[color])


def _of_army(side: Side, colors: Iterable[str]) -> Q:
    """2.2.1: The same as `allows_colors`."""
    if side is Side.PHYREXIA:
        return ~Q(colors__contains="W") & ~Q(colors__contains="G")
    condition = Q(colors__in=[LETTERS[color] for color in colors if color in LETTERS])
    if "colorless" in colors:
        condition |= Q(colors="")
    return condition | _of_color("multicolor") if "multicolor" in colors else condition


def _rank(words: str) -> Case | Value:
    """The name itself, then names that begin with the words, then names with the first word, then the rest."""
    if not words:
        return Value(0, output_field=IntegerField())
    first = words.split()[0]
    return Case(
        When(words__startswith=f" {words} ", then=0),
        When(words__startswith=f" {words}", then=1),
        When(key__contains=first, then=2),
        default=3,
        output_field=IntegerField(),
    )


def _printed_names(names: Iterable[str]) -> list[str]:
    return [creatures.printed_name(name) for name in names]


OWN_LIST = settings.BASE_DIR / "fixtures" / "creatures.yaml"
BATCH = 500
EXAMPLES = 5

RULINGS = ("uses", "cites", "banned", "note", "asks")
PRINTED = ("name", "colors", "power", "toughness", "types", "subtypes", "printed_in", "text", "hints")
OPTIONAL = ("subtypes", "printed_in", "text", "hints")
DERIVED = ("least", "is_legend", "kinds", "words")
LONGEST = {"name": 150, "types": 60, "subtypes": 100, "printed_in": 80}


@dataclass
class CreatureImport:
    """The result of an import. `skipped` and `examples` are by the reason; `fronts` and `funny` are among the
    imported ones."""

    entries: int = 0
    creatures: int = 0
    again: int = 0
    fronts: int = 0
    funny: int = 0
    new: int = 0
    changed: int = 0
    same: int = 0
    skipped: Counter[WhyNot] = field(default_factory=Counter)
    examples: dict[WhyNot, list[str]] = field(default_factory=dict)


def import_creatures(path: Path, *, dry_run: bool = False, watch: Watch = lambda result: None) -> CreatureImport:
    """2.2.1: Import the creatures of a card file into the catalogue, by name; existing ones are updated.

    The whole file is first read into a temporary file, so that memory does not grow and nobody waits for the database.
    Raises CardFileError, and then nothing is imported.
    """
    result = CreatureImport()
    with tempfile.TemporaryFile("w+", encoding="utf-8") as buffer:
        _read(path, buffer, result, watch)
        if not result.creatures:
            raise CardFileError(f"{path} has no creatures in it. Nothing was imported.")
        buffer.seek(0)
        with locking.transaction():
            for batch in _batches(buffer):
                _store(batch, result)
            if dry_run:
                transaction.set_rollback(True)
    return result


def load_own_list() -> CreatureImport | None:
    """Import the project's own list if the catalogue is empty; None if it is not."""
    return None if Creature.objects.exists() else import_creatures(OWN_LIST)


@locking.writes
def fill_texts() -> int:
    """2.2.3: Set our own texts for the creatures of our own list that have none, as in a catalogue of a version
    without them; returns how many got one. Texts from a card file stay."""
    texts = {name_key(entry.name): row[OWN_TEXT] for entry, row in read_cards(OWN_LIST) if OWN_TEXT in row}
    silent = list(Creature.objects.filter(key__in=texts, text="").order_by("key"))
    for creature in silent:
        creature.text = texts[creature.key]
        creature.derive()
    Creature.objects.bulk_update(silent, ["text", "words"], batch_size=BATCH)
    return len(silent)


def _read(path: Path, buffer: IO[str], result: CreatureImport, watch: Watch) -> None:
    """Write every creature of the file once, as a line of JSON; count all others."""
    keys: set[str] = set()
    left_out: set[tuple[str, WhyNot]] = set()
    for entry, rulings in read_cards(path, watch):
        result.entries += 1
        if isinstance(entry, Skipped):
            _count(entry, result, left_out)
            continue
        key = name_key(entry.name)
        if key in keys:
            result.again += 1
            continue
        keys.add(key)
        result.creatures += 1
        result.fronts += entry.is_front
        result.funny += entry.is_funny
        json.dump({"key": key, **_fields(entry), **rulings}, buffer, ensure_ascii=True)
        buffer.write("\n")


def _count(entry: Skipped, result: CreatureImport, left_out: set[tuple[str, WhyNot]]) -> None:
    """Once for each name, however many printings the file has; cards that are no creatures are too many to list."""
    if entry.why.told and (entry.name, entry.why) in left_out:
        result.again += 1
        return
    result.skipped[entry.why] += 1
    if entry.why.told:
        left_out.add((entry.name, entry.why))
        examples = result.examples.setdefault(entry.why, [])
        if len(examples) < EXAMPLES and entry.name:
            examples.append(entry.name)


def _fields(card: Card) -> Json:
    """A card as the fields of a row, without its rulings unless they follow from its text (2.2.4)."""
    values = asdict(card)
    row: Json = {name: values[name] for name in PRINTED if name in values}
    row |= {"types": " ".join(card.types), "subtypes": " ".join(card.subtypes), "hints": hints_of(card)}
    row |= {name: row[name][:longest] for name, longest in LONGEST.items()}
    size_rule = next((rule for rule in row["hints"] if rule in SIZE_RULES), "")
    if is_copy(card):
        return {**row, "uses": list(COPY), "cites": "2.2.4"}
    return {**row, "cites": size_rule} if size_rule else row


def _batches(buffer: IO[str]) -> Iterator[list[Json]]:
    rows = (json.loads(line) for line in buffer)
    while batch := list(islice(rows, BATCH)):
        yield batch


def _store(batch: list[Json], result: CreatureImport) -> None:
    """Write new or changed creatures. Rulings that the file does not mention stay unchanged."""
    there = Creature.objects.in_bulk([row["key"] for row in batch], field_name="key")
    write = []
    for row in batch:
        creature = there.get(row["key"]) or Creature()
        before = _values(creature) if creature.pk else None
        _fill(creature, row)
        creature.derive()
        if before is None:
            result.new += 1
        elif before != _values(creature):
            result.changed += 1
        else:
            result.same += 1
            continue
        write.append(creature)
    _write(write)


def _fill(creature: Creature, row: Json) -> None:
    """Fields that the file lacks stay; so do the rule for sizes that are already known, and a text from a card file,
    whatever our own list says."""
    if OWN_TEXT in row and not creature.text:
        creature.text = row[OWN_TEXT]
    for name, value in row.items():
        if name == OWN_TEXT:
            continue
        is_silent = name in OPTIONAL and not value
        if not is_silent and not (name == "cites" and creature.uses and "uses" not in row):
            setattr(creature, name, value)


def _values(creature: Creature) -> list[object]:
    return [getattr(creature, name) for name in (*PRINTED, *RULINGS, *DERIVED)]


def _write(creatures: Iterable[Creature]) -> None:
    """One query a batch, for new and old rows alike."""
    rows = list(creatures)
    for row in rows:
        row.pk = None
    Creature.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["key"], update_fields=[*PRINTED, *RULINGS, *DERIVED]
    )


def report(done: CreatureImport) -> list[str]:
    lines = [f"{done.creatures:,} creatures: {done.new:,} new, {done.changed:,} changed, {done.same:,} as before."]
    if done.again:
        lines.append(f"  {done.again:,} more printings of the same cards.")
    if done.fronts:
        lines.append(f"  {done.fronts:,} of them are two-faced or split cards, read by their front.")
    if done.funny:
        lines.append(f"  {done.funny:,} of them are un-cards, which the rules allow (2.2.1).")
    lines += [_left_out(why, done) for why, _ in done.skipped.most_common()]
    return lines


def _left_out(why: WhyNot, result: CreatureImport) -> str:
    number, examples = result.skipped[why], result.examples.get(why, [])
    more = ", …" if number > len(examples) else ""
    names = f" ({', '.join(examples)}{more})" if examples else ""
    return f"  Left out: {number:,}: {why.words}{names}."
