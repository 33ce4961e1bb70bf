"""2.2.1: the catalogue of creatures: searched, narrowed, and looked up by name."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from django.db.models import Case, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Length
from django.utils.translation import gettext_lazy

from wargame.models import Creature
from wargame.models.creatures import LETTERS, searched
from wargame.rules.armies import creatures
from wargame.rules.armies.creatures import name_key
from wargame.rules.armies.sizes import read_size
from wargame.rules.core.board import COLORS
from wargame.rules.core.sides import Side

LONGEST_SEARCH = 80
MOST_WORDS = 8
MOST_GUESSES = 3
CANDIDATES = 2000
"""Names among which a misspelt one is looked for."""

KINDS = {
    "troops": gettext_lazy("no legends"),
    "legend": gettext_lazy("legends"),
    "artifact": gettext_lazy("artifacts"),
}
"""2.2.1: the kinds that the rules tell apart, and their words."""


@dataclass(frozen=True)
class CreatureQuery:
    """What a search is narrowed to; empty values narrow nothing.

    `color` is one of 1.1.2's; `kind` one of KINDS or a creature type; `size` as printed, `2/3` or `*/*`; `fits` the
    slot of that size has room for it (2.1). `side` and `own`: what an army of these colours may have (2.2.1).
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
        """From the parameters of an address; what can't be understood counts as not given."""
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
        """Whether anything was asked for."""
        return bool(self.words or self.color or self.kind or self.size or self.fits is not None)


def found_creatures(query: CreatureQuery) -> QuerySet[Creature]:
    """2.2.1: the creatures that fit, the best matches of the words first, then by name.

    Every word must begin a word of the creature's name, size, types, set or text: the same on every database.
    """
    found = Creature.objects.filter(_narrowed(query))
    for word in searched(query.words).split()[:MOST_WORDS]:
        found = found.filter(words__contains=f" {word}")
    if query.fits is not None and not query.words:
        return found.order_by("-least", "key")
    return found.annotate(rank=_rank(searched(query.words))).order_by("rank", "key")


def known_creatures(names: Iterable[str]) -> dict[str, creatures.Creature]:
    """The creatures of those names as the rules know them, by `name_key`; the rulebook's own spellings are found."""
    keys = {name_key(name): name for name in names}
    rows = Creature.objects.filter(key__in=[*keys, *map(name_key, _printed_names(keys.values()))])
    by_key = {row.key: row.as_rules() for row in rows}
    found = {key: by_key.get(key) or by_key.get(name_key(creatures.printed_name(name))) for key, name in keys.items()}
    return {key: creature for key, creature in found.items() if creature is not None}


def creature_called(name: str) -> Creature | None:
    """2.2.1: the creature of that name in the catalogue, however it is spelt in the rulebook; None if there is none."""
    keys = [name_key(name), name_key(creatures.printed_name(name))]
    found = {row.key: row for row in Creature.objects.filter(key__in=keys)}
    return next((found[key] for key in keys if key in found), None)


def cards_of(names: Iterable[str]) -> dict[str, Creature]:
    """2.2.3: the catalogue's creatures of these names, by the names as they were given; one statement."""
    keys = {name: name_key(creatures.printed_name(name)) for name in names if name}
    rows = {row.key: row for row in Creature.objects.filter(key__in=set(keys.values()))} if keys else {}
    return {name: rows[key] for name, key in keys.items() if key in rows}


def names_near(name: str) -> Sequence[str]:
    """Names that may have been meant by one that is not known, the likeliest first."""
    key = name_key(name)[:LONGEST_SEARCH]
    if not key:
        return []
    within = Creature.objects.filter(key__contains=key).order_by(Length("key"), "key")
    found = list(within.values_list("name", flat=True)[:MOST_GUESSES])
    alike = Creature.objects.filter(key__startswith=key[:2]).values_list("key", "name")[:CANDIDATES]
    names = dict(alike)
    found += [names[close] for close in get_close_matches(key, names, n=MOST_GUESSES, cutoff=0.75)]
    return list(dict.fromkeys(found))[:MOST_GUESSES]


def _narrowed(query: CreatureQuery) -> Q:
    found = Q()
    if query.color:
        found &= _of_color(query.color)
    if query.kind in ("troops", "legend"):
        found &= Q(is_legend=query.kind == "legend")
    elif query.kind:
        found &= Q(kinds__contains=f" {query.kind} ")
    if query.size:
        power, _, toughness = query.size.partition("/")
        found &= Q(power=power.strip(), toughness=toughness.strip())
    if query.fits is not None:
        found &= Q(least__lte=query.fits)
    if query.side is not None:
        found &= _of_army(query.side, query.own)
    return found


def _of_color(color: str) -> Q:
    """1.1.2: of that colour, among others; `multicolor` is several, `colorless` none."""
    if color == "multicolor":
        return ~Q(colors__in=["", *LETTERS.values()])
    return Q(colors="") if color == "colorless" else Q(colors__contains=LETTERS[color])


def _of_army(side: Side, own: Iterable[str]) -> Q:
    """2.2.1: what `allows_colors` allows."""
    if side is Side.PHYREXIA:
        return ~Q(colors__contains="W") & ~Q(colors__contains="G")
    allowed = Q(colors__in=[LETTERS[color] for color in own if color in LETTERS])
    if "colorless" in own:
        allowed |= Q(colors="")
    return allowed | _of_color("multicolor") if "multicolor" in own else allowed


def _rank(words: str) -> Case | Value:
    """The name itself, then names that begin so, then names with the first word, then the rest."""
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
