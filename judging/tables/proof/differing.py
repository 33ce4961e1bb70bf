"""T8.5: what came out differently when something published was recomputed."""

from __future__ import annotations

from judging.game.words import Words


class Differs(Exception):
    """T8.5: what came out differently."""

    def __init__(self, told: Words) -> None:
        super().__init__(str(told))
        self.told = told
