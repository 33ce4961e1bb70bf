"""One small game in examples: what the documentation shows for each address."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]
A_HASH = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"


INDEX: Json = {
    "rounds": "https://wargame.example/api/v1/rounds/",
    "docs": "https://wargame.example/api/docs/",
    "schema": "https://wargame.example/api/schema/",
    "round": "https://wargame.example/api/v1/rounds/first-war/",
    "map": "https://wargame.example/api/v1/rounds/first-war/map/",
    "armies": "https://wargame.example/api/v1/rounds/first-war/armies/",
    "control": "https://wargame.example/api/v1/rounds/first-war/control/",
    "turns": "https://wargame.example/api/v1/rounds/first-war/turns/",
    "results": "https://wargame.example/api/v1/rounds/first-war/results/",
    "posts": "https://wargame.example/api/v1/rounds/first-war/turns/4/posts/",
    "battles": "https://wargame.example/api/v1/rounds/first-war/turns/4/battles/",
}
ROUND: Json = {
    "slug": "first-war",
    "name": "The First War",
    "state": "running",
    "turn": 4,
    "winner": "",
    "created_at": "2031-04-13T05:00:00Z",
    "turn_length": 604800.0,
    "deadline_before_lock": 86400.0,
    "sealed_before_lock": 100800.0,
    "contingency_before_deadline": 86400.0,
    "holidays": "2031-12-25 Christmas",
}
MAP: Json = {
    "round": "first-war",
    "turn": 4,
    "position_hash": A_HASH,
    "rows": "ABCDEFGHIJKLMN",
    "columns": 38,
    "terrain": ["o" * 38] * 14,
    "terrains": {"o": "ocean"},
    "bases": [{"name": "Red Base", "at": "3D", "side": "coalition", "color": "red", "win": True, "destroyed": False}],
    "towns": [{"name": "Lowmarket", "at": "20G"}],
    "armies": [
        {
            "name": "Sai Rei",
            "side": "coalition",
            "title": "Commander",
            "at": "5E",
            "alive": [5000, 2400, 1500, 1000],
            "strength": [5000, 2500, 1500, 1000],
            "days": 0,
            "fights": True,
            "captured": False,
        }
    ],
    "battles": [{"at": "5E", "sides": [["Sai Rei"], ["Gazetzot"]], "defends": 0}],
}
ARMY: Json = {
    "name": "Sai Rei",
    "side": "coalition",
    "title": "Commander",
    "rank": "commander",
    "faction": "",
    "at": "5E",
    "place": "forest",
    "alive": 9900,
    "of": 10000,
    "battle": "is attacked by Gazetzot",
    "captured": False,
    "controllers": ["Sai Rei"],
    "died_in": None,
}
EVENT: Json = {
    "kind": "moved",
    "cites": "3.2.2",
    "text": "Sai Rei moved from 3D to 5E.",
    "armies": ["Sai Rei"],
    "squares": ["3D", "5E"],
    "important": False,
}
ARMY_DETAIL: Json = {
    **{name: value for name, value in ARMY.items() if name != "captured"},
    "colors": ["red"],
    "legend": "",
    "days": 0,
    "captive_of": "",
    "troops": [{"slot": 1, "creature": "Kris Mage", "size": "1/1", "colors": ["red"], "alive": 5000, "of": 5000}],
    "plan": ["5E > 8E"],
    "history": [{"turn": 3, "settled_at": "2031-05-04T05:04:00Z", "events": [EVENT]}],
}
REACH: Json = {
    "army": "Sai Rei",
    "at": "3D",
    "turn": 4,
    "goals": [
        {
            "at": "5D",
            "steps": 2,
            "choices": [
                {"kind": "engage", "order": "Sai Rei: 3D > 5D; engage Gazetzot", "refusal": "", "cites": ""},
                {"kind": "joint", "order": "Sai Rei: 3D > 5D; joint engage", "refusal": "", "cites": ""},
            ],
        }
    ],
    "here": [{"kind": "intercept", "order": "Sai Rei: intercept Gazetzot", "refusal": "", "cites": ""}],
}
ORDERS: Json = {
    "turn": 4,
    "orders": [
        {
            "army": "Sai Rei",
            "side": "coalition",
            "kind": "replace",
            "order": "Sai Rei: 3D > 5E; replace Darkhand5",
            "route": ["3D", "5E"],
            "target": "Darkhand5",
            "by": "Sai Rei",
            "at": "2031-05-05T19:30:00Z",
            "sealed": False,
        }
    ],
    "clashes": [
        {
            "armies": ["Sai Rei", "Darkhand5"],
            "at": "5E",
            "cites": "3.3.1",
            "detail": "Darkhand5 stays on 5E, so Sai Rei will move partially.",
        }
    ],
}
CONTROL: Json = {
    "when": "2031-05-05T19:30:00Z",
    "turn": 4,
    "is_present": True,
    "sides": [
        {
            "side": "coalition",
            "may_ask": ["Gazetzot", "Sai Rei"],
            "players": [
                {
                    "name": "Sai Rei",
                    "rank": "Captain",
                    "contingency": "Gazetzot",
                    "armies": [
                        {
                            "army": "Sai Rei",
                            "rank": "captain",
                            "since": "2031-04-13T05:00:00Z",
                            "beside": [],
                            "is_namesake": True,
                            "is_captive": False,
                        }
                    ],
                }
            ],
            "nobody": [
                {
                    "army": "Darkhand5",
                    "rank": "lieutenant",
                    "since": None,
                    "beside": [],
                    "is_namesake": False,
                    "is_captive": False,
                }
            ],
        }
    ],
}
CONTROL_REQUEST: Json = {
    "id": 12,
    "side": "coalition",
    "by": "Sai Rei",
    "state": "applied",
    "asked_at": "2031-05-05T19:40:00Z",
    "changes": [{"army": "Darkhand5", "before": [], "to": ["Sai Rei"]}],
    "breaches": [],
    "why": "",
    "decided_by": "",
    "reason": "",
    "runs_out_in": None,
}
CONTROL_SENT: Json = {"changes": [{"army": "Darkhand5", "to": ["Sai Rei"]}], "token": "darkhand-to-sai-rei"}
TURN: Json = {
    "number": 3,
    "state": "settled",
    "is_open": False,
    "opened_at": "2031-04-27T05:03:00Z",
    "deadline": "2031-05-03T05:00:00Z",
    "lock_at": "2031-05-04T05:00:00Z",
    "settled_at": "2031-05-04T05:04:00Z",
    "commitment": A_HASH,
    "position_hash": A_HASH,
    "next_hash": A_HASH,
}
RULING: Json = {
    "number": 1,
    "army": "Sai Rei",
    "what": "The refusal of the order of Sai Rei is lifted",
    "cites": "3.2.2.5",
    "reason": "A slip of the pen: it stood on 5E all the time.",
    "by": "Old Tom",
    "made_at": "2031-05-11T06:00:00Z",
    "why_not": "",
    "is_correction": False,
    "is_withdrawn": False,
    "withdrawn_reason": "",
}
CORRECTION: Json = {
    "by": "Old Tom",
    "at": "2031-05-12T06:00:00Z",
    "old_hash": A_HASH,
    "next_hash": A_HASH,
    "armies": [{"army": "Sai Rei", "changes": ["5E → 6E"]}],
    "rulings": [RULING],
}
TURN_DETAIL: Json = {
    **TURN,
    "seed": "00112233445566778899aabbccddeeff",
    "is_draft": False,
    "events": [EVENT],
    "rulings": [RULING],
    "corrections": [CORRECTION],
}
LINE: Json = {
    "number": 1,
    "text": "Sai Rei: 5E > 8F",
    "kind": "order",
    "army": "Sai Rei",
    "order": "Sai Rei: 5E > 8F",
    "refusal": "5E > 8F is 4 steps; an army moves at most 3.",
    "cites": "3.2.2.1",
    "remark": "",
    "column": None,
    "wrong": "",
    "expected": "",
    "suggestions": [],
    "at": "2031-05-05T19:20:00Z",
    "is_replaced": False,
}
POST: Json = {
    "id": 71,
    "turn": 4,
    "by": "Sai Rei",
    "side": "coalition",
    "sealed": False,
    "is_hidden": False,
    "posted_at": "2031-05-05T19:20:00Z",
    "edited_at": "2031-05-05T19:20:00Z",
    "version": 1,
    "text": "Sai Rei: 5E > 8F",
    "lines": [LINE],
    "may_edit": True,
    "withdrawn_at": None,
}
POST_SENT: Json = {"text": "Sai Rei: 5E > 8F", "sealed": False, "token": "monday-orders-1"}
POST_CHANGE: Json = {"text": "Sai Rei: 5E > 8E", "base_version": 1}
RECEIPT: Json = {
    "army": "Sai Rei",
    "sent_at": "2031-05-08T21:00:00Z",
    "sha256": A_HASH,
    "late": False,
    "accepted_because": "",
    "counted": None,
}
RESULT: Json = {
    "winner": 0,
    "winners": ["Sai Rei"],
    "bonuses": [
        {"strategy": 4, "size": 1, "color": 1, "total": 6},
        {"strategy": 0, "size": 0, "color": 0, "total": 0},
    ],
    "rounds": [[{"bare": [12, 15], "total": [18, 15], "who": 0}]],
    "dice_won": [3, 1],
    "losses": [{"army": "Gazetzot", "slots": [900, 300, 120, 40], "total": 1360}],
    "losses_by_creature": [{"army": "Gazetzot", "creature": "Phyrexian Slayer", "number": 300}],
    "attempts": [],
    "adjustments": [],
    "risk_rulings": [],
    "killed": [],
    "captured": [],
    "why": "won more of the four dice",
    "why_cites": "4.2.4",
    "narrative_html": "<p>At dawn the mages held the ridge.</p>",
    "after": [],
    "published_at": "2031-05-10T08:00:00Z",
    "seed": "00112233445566778899aabbccddeeff",
}
FIGHTER: Json = {
    "name": "Sai Rei",
    "side": "coalition",
    "title": "Commander",
    "controllers": ["Sai Rei"],
    "alive": 9900,
    "of": 10000,
    "slots": [{"slot": 1, "size": "3/3", "alive": 5000, "of": 5000, "creatures": ["Kris Mage"]}],
    "has_strat": True,
    "deadline": "2031-05-10T05:00:00Z",
}
BATTLE: Json = {
    "id": 12,
    "turn": 4,
    "number": 1,
    "at": "5E",
    "terrain": "forest",
    "place": "",
    "weather": "Showers, a fresh wind from the west, cool. It is spring.",
    "headline": "Gazetzot attacks Sai Rei",
    "how": "The defender starts at the centre and has a few hours; the attacker comes from out of sight.",
    "defends": 0,
    "announced_at": "2031-05-04T05:04:00Z",
    "deadline": "2031-05-10T05:00:00Z",
    "commitment": A_HASH,
    "sides": [[FIGHTER], [{**FIGHTER, "name": "Gazetzot", "side": "phyrexia", "title": "Plaguelord"}]],
    "receipts": [RECEIPT],
    "extensions": [],
    "result": None,
    "is_cancelled": False,
}
CREATURE: Json = {
    "name": "Werebear",
    "colors": ["green"],
    "power": "1",
    "toughness": "1",
    "types": ["Creature"],
    "subtypes": "Human Bear Druid",
    "set": "ODY",
    "text": "",
    "uses": ["1/1", "4/4"],
    "banned": "",
    "note": "4/4 with threshold.",
    "cites": "2.2.3.3",
}
STRAT_SENT: Json = {
    "army": "Sai Rei",
    "text": "Hold the ridge until noon, then strike their flank.",
    "risk": "",
    "runs": False,
    "token": "strat-5E-1",
}
OWN_STRAT: Json = {
    **RECEIPT,
    "battle": 12,
    "text": STRAT_SENT["text"],
    "wishes": [],
    "as_contingency": False,
}
