"""2.2.1: the catalogue of creatures, which all rounds share."""

import re

from django.db import models

from wargame.rules.armies import creatures
from wargame.rules.armies.creatures import CREATURE_COLORS, name_key

LETTERS = dict(zip(CREATURE_COLORS, "WUBRG", strict=True))
NO_SIZE = 99
"""The value of `least` for an unknown size."""

_NOT_A_WORD = re.compile(r"[^a-z0-9*/+]+")


class Creature(models.Model):
    """2.2.1: a creature as printed: `colors` are letters of WUBRG, `types` like `Artifact Creature Legend`.

    `uses`, `cites`, `banned`, `note`, `asks`: as in the rules' Creature. `hints`: the rules that its text calls for.
    `least` is the smallest slot that it fits; `words` and `kinds` are the searched columns, filled by `derive`.
    """

    name = models.CharField(max_length=150)
    key = models.CharField(max_length=150, unique=True)
    colors = models.CharField(max_length=5, blank=True)
    power = models.CharField(max_length=8)
    toughness = models.CharField(max_length=8)
    types = models.CharField(max_length=60)
    subtypes = models.CharField(max_length=100, blank=True)
    printed_in = models.CharField(max_length=80, blank=True)
    text = models.TextField(blank=True)
    uses = models.JSONField(default=list, blank=True)
    cites = models.CharField(max_length=12, blank=True)
    banned = models.CharField(max_length=12, blank=True)
    note = models.CharField(max_length=200, blank=True)
    asks = models.CharField(max_length=200, blank=True)
    hints = models.JSONField(default=list, blank=True)
    least = models.SmallIntegerField(db_index=True)
    is_legend = models.BooleanField(default=False)
    kinds = models.CharField(max_length=170)
    words = models.TextField()

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.name

    @property
    def size(self) -> str:
        """2.1: power and toughness as printed."""
        return f"{self.power}/{self.toughness}"

    @property
    def color_names(self) -> tuple[str, ...]:
        """1.1.2: its colours in words; none for a colourless one."""
        return tuple(name for name, letter in LETTERS.items() if letter in self.colors)

    @property
    def is_used_otherwise(self) -> bool:
        """2.2.2 to 2.2.6: whether it may be used at another size than the printed one."""
        return self.as_rules().uses not in ((), (self.size,))

    def as_rules(self) -> creatures.Creature:
        """The creature as the rules know it, with the rulebook's rulings on its name."""
        return creatures.with_ruling(
            creatures.Creature(
                name=self.name,
                colors=self.color_names,
                size=self.size,
                types=tuple(self.types.split()),
                uses=tuple(self.uses),
                cites=self.cites,
                banned=self.banned,
                note=self.note,
                asks=self.asks,
            )
        )

    def derive(self) -> None:
        """Fill in the fields derived from others."""
        ruled = self.as_rules()
        self.key = name_key(self.name)
        self.least = NO_SIZE if ruled.least is None else ruled.least
        self.is_legend = ruled.is_legend
        self.kinds = f" {searched(f'{self.types} {self.subtypes}')} "
        texts = (self.name, self.size, self.types, self.subtypes, self.printed_in, self.text)
        self.words = f" {searched(' '.join(texts))} "


def searched(text: str) -> str:
    """The form of a text used for search: lower case without accents, one space between words."""
    return _NOT_A_WORD.sub(" ", name_key(text.replace("'", "").replace("’", ""))).strip()
