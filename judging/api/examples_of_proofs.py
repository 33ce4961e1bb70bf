"""Examples for the documentation: what recomputing the small game of `examples.py` gives."""

from __future__ import annotations

from typing import Any

from judging.api.examples import A_HASH

Json = dict[str, Any]
SEED = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff"

CHECK: Json = {
    "what": "The position that came of it",
    "published": A_HASH,
    "recomputed": A_HASH,
    "is_same": True,
}
VERDICT: Json = {
    "turn": 3,
    "verdict": "same",
    "differences": [],
    "recomputed_at": "2031-05-05T12:00:00Z",
    "is_settled": True,
    "position_hash": A_HASH,
    "next_hash": A_HASH,
    "commitment": A_HASH,
}
BATTLE_CHECK: Json = {
    "id": 12,
    "number": 1,
    "at": "5E",
    "headline": "Gazetzot attacks Sai Rei",
    "commitment": A_HASH,
    "seed": SEED,
    "strats": [{"army": "Sai Rei", "sha256": A_HASH}],
    "rolls": [
        {"name": "d20 side 1", "number": 1, "sides": 20, "published": 12, "recomputed": 12, "is_same": True},
    ],
    "checks": [{**CHECK, "what": "Its outcome"}],
    "differences": [],
}
VERDICT_DETAIL: Json = {
    **VERDICT,
    "seed": SEED,
    "checks": [CHECK],
    "battles": [BATTLE_CHECK],
    "pending": [{"what": "Bonuses and losses", "why": "The formula book is secret until the round is over."}],
}
PROOF: Json = {
    "format": "wargame-proof-1",
    "round": "first-war",
    "turn": 3,
    "battle": 1,
    "at": "5E",
    "terrain": "forest",
    "weather": {"sky": "showers", "severity": 1, "text": "Showers, a fresh wind from the west, cool. It is spring."},
    "defends": 0,
    "sides": [[{"name": "Sai Rei", "side": "coalition"}], [{"name": "Gazetzot", "side": "phyrexia"}]],
    "position_hash": A_HASH,
    "commitment": A_HASH,
    "seed": SEED,
    "strats": [
        {
            "army": "Sai Rei",
            "sha256": A_HASH,
            **dict.fromkeys(("salt", "text", "risk", "runs", "leaves", "leaves_to")),
        }
    ],
    "rolls": [{"name": "d20 side 1", "sides": 20, "value": 12, "number": 1}],
    "outcome": {"winner": 0, "dice_won": [3, 1]},
    "book": {"version": 1, "from_turn": 1, "commitment": A_HASH, "salt": None, "formulas": None},
    "secret": [{"what": "book.formulas", "why": "The formula book and its salt are public when the round is over."}],
}
