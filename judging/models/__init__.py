"""The rows: how a game is run."""

from .battles import Battle, BattleArmy
from .books import BookVersion
from .heartbeats import Heartbeat
from .log import LogEntry
from .musters import ChangeRequest, HandedIn, Muster, PersonalOffer
from .narratives import NarrativeDraft
from .notices import Notice
from .posts import Manifest, Post, PostVersion
from .rubrics import Claim, Criterion, Note
from .rulings import Correction, Ruling
from .scores import Draft, Opinion, Proposal, Result, Score
from .strats import Strat, StratDraft

__all__ = [
    "Battle",
    "BattleArmy",
    "BookVersion",
    "ChangeRequest",
    "Claim",
    "Correction",
    "Criterion",
    "Draft",
    "HandedIn",
    "Heartbeat",
    "LogEntry",
    "Manifest",
    "Muster",
    "NarrativeDraft",
    "Note",
    "Notice",
    "Opinion",
    "PersonalOffer",
    "Post",
    "PostVersion",
    "Proposal",
    "Result",
    "Ruling",
    "Score",
    "Strat",
    "StratDraft",
]
