"""The rows: how a game is run."""

from .battles import Battle, BattleArmy
from .heartbeats import Heartbeat
from .log import LogEntry
from .narratives import NarrativeDraft
from .notices import Notice
from .posts import Manifest, Post, PostVersion
from .scores import Draft, Result, Score
from .strats import Strat

__all__ = [
    "Battle",
    "BattleArmy",
    "Draft",
    "Heartbeat",
    "LogEntry",
    "Manifest",
    "NarrativeDraft",
    "Notice",
    "Post",
    "PostVersion",
    "Result",
    "Score",
    "Strat",
]
