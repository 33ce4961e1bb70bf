"""R35: the receipt of a strat, which proves afterwards what was sent and tells nothing before."""

from __future__ import annotations

import hashlib

from wargame.rules.core.codec import canonical


def receipt(*, salt: str, text: str, risk: str, runs: bool, leaves: str, leaves_to: str) -> str:
    """R35: the SHA-256 of a strat's text and requests with its salt, as canonical JSON (docs/dice.md).

    The salt keeps short strats from being guessed and tried; its sender sees it at once, others with the text.
    """
    strat = {"leaves": leaves, "leaves_to": leaves_to, "risk": risk, "runs": runs, "salt": salt, "text": text}
    return hashlib.sha256(canonical(strat).encode()).hexdigest()
