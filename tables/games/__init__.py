"""The games: their zones and flow as data, their procedures by the numbers of their rules."""

from collections.abc import Mapping

from tables.core.play import Rules
from tables.games.altered.rules import ALTERED
from tables.games.free.rules import FREE
from tables.games.kryptik.rules import KRYPTIK
from tables.games.seize.rules import SEIZE

RULES: Mapping[str, Rules] = {"altered": ALTERED, "free": FREE, "kryptik": KRYPTIK, "seize": SEIZE}
