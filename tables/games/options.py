"""T12.1: the choices and further rules of tables of each game, for the page that shows them."""

from collections.abc import Mapping

from tables.core.options import GameOptions
from tables.games.altered.options import OPTIONS as ALTERED
from tables.games.free.options import OPTIONS as FREE
from tables.games.kryptik.options import OPTIONS as KRYPTIK
from tables.games.seize.options import OPTIONS as SEIZE

OPTIONS: Mapping[str, GameOptions] = {options.game: options for options in (ALTERED, FREE, KRYPTIK, SEIZE)}
