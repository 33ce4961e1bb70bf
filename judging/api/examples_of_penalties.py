"""The example of a penalty."""

from __future__ import annotations

from judging.api.examples import Json

PENALTY: Json = {
    "turn": 3,
    "number": 1,
    "kind": "dice",
    "player": "Cinderhoof",
    "side": "coalition",
    "army": "Sai Rei",
    "what": "Sai Rei loses 800, 400, 200 and 80 of slots 1 to 4 (severity 2 times 4, drawn as penalty/1)",
    "severity": 2,
    "roll": 4,
    "draw": "penalty/1",
    "takes": [800, 400, 200, 80],
    "after_battle": False,
    "extended_to": None,
    "cites": "5.4.1",
    "reason": "He moved Sai Rei, which is not his.",
    "by": "Magistra",
    "made_at": "2026-03-04T18:00:00Z",
    "is_lifted": False,
    "lifted_by": "",
    "lifted_at": None,
    "lifted_reason": "",
}
