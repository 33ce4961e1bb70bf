"""T7: the primitives that every game shares, by their words."""

from collections.abc import Mapping

from tables.core.effects.cards import CARDS
from tables.core.effects.choices import CHOICES
from tables.core.effects.items import ITEMS
from tables.core.effects.lasting import LASTING
from tables.core.play import Primitive

SHARED: Mapping[str, Primitive] = {**CARDS, **CHOICES, **LASTING, **ITEMS}
