"""What a table without rules plays by: nothing but what its players agree on as they go."""

from tables.core.options import GameOptions

OPTIONS = GameOptions("free", (), ())
