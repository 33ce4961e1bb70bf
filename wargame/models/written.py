"""DESIGN: how a position is stored: as the text that its hash is of, which is written once."""

from __future__ import annotations

import json

from wargame.rules.core.codec import Written


class AsWritten(json.JSONEncoder):
    """The encoder of a JSON field that may be given what was written already."""

    def encode(self, o: object) -> str:
        return o.text if isinstance(o, Written) else super().encode(o)
