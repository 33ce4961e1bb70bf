"""The examples of votes."""

from __future__ import annotations

from judging.api.examples import Json

BALLOT_SENT: Json = {"choice": 1}
VOTE: Json = {
    "id": 7,
    "kind": "normal",
    "question": "Shall turns be ten days long in December?",
    "text": "Several of us are away.",
    "options": ["Ten days", "Seven, as now"],
    "side": "",
    "asks": "all players",
    "weights": "General and Chief Praetor 3, Admirals and Praetors 2, everybody else 1",
    "called_by": "Sai Rei",
    "called_at": "2031-05-05T18:00:00Z",
    "closes_at": "2031-05-12T18:00:00Z",
    "is_open": True,
    "is_withdrawn": False,
    "may_vote": True,
    "missing": ["Gazetzot"],
    "voters": [
        {
            "name": "Sai Rei",
            "side": "coalition",
            "rank": "Admiral",
            "points": 2,
            "has_voted": True,
            "choice": "Seven, as now",
            "abstains": False,
        },
        {
            "name": "Gazetzot",
            "side": "phyrexia",
            "rank": "Evincar",
            "points": 1,
            "has_voted": False,
            "choice": None,
            "abstains": False,
        },
    ],
    "count": {
        "lines": [
            {"option": "Ten days", "points": 0, "votes": 0},
            {"option": "Seven, as now", "points": 2, "votes": 1},
        ],
        "tie": [],
        "abstained": [],
        "winner": "Seven, as now",
        "voted": 1,
        "points": 2,
        "of_points": 3,
    },
}
