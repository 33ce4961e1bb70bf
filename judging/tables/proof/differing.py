"""T8.5: what came out differently when something published was recomputed."""

from __future__ import annotations


class Differs(Exception):
    """T8.5: what came out differently, as a sentence."""
