"""The example of the ledger of the neutrals."""

from __future__ import annotations

from judging.api.examples import Json

LEDGER: Json = {
    "turn": 3,
    "decisions": [
        {
            "army": "Wolfpack",
            "faction": "raider",
            "at": "12G",
            "course": "engages",
            "proposal": "12G > 14G; engage Gazetzot",
            "target": "Gazetzot",
            "guideline": "6.3.1",
            "ruling": "R52",
            "why": "Wolfpack attacks Gazetzot, the weakest army in range: 3,999 to 18,500.",
            "considered": [{"what": "engage Sai Rei", "why_not": "it is not weaker: 38,500 to 18,500"}],
            "draws": [],
            "judge": "",
            "order": "12G > 14G; engage Gazetzot",
            "came": [],
        }
    ],
    "events": [
        {
            "kind": "spawning_rolled",
            "cites": "6.3.2",
            "text": "The d20 for a new raider shows 9; with 3 raiders on the map one comes on 1: none appears.",
            "armies": [],
            "squares": [],
            "important": False,
        }
    ],
}
