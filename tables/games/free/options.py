"""The options of a table without rules: only what its players agree on as they go."""

from tables.core.options import GameOptions

OPTIONS = GameOptions("free", (), ())
