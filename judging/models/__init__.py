"""The rows: how a game is run."""

from .accounts import Account
from .army_setups import ArmySetup, MercenaryPlan
from .battles import Battle, BattleArmy
from .boards import BoardThread, Mention, Message, MessageVersion, ReadMark
from .books import BookVersion
from .command import Admission, ControlRequest, Declaration, Leave, NameChange
from .heartbeats import Heartbeat
from .log import LogEntry
from .mercenaries import MercenaryOrder
from .musters import ChangeRequest, HandedIn, Muster, PersonalOffer
from .narratives import NarrativeDraft
from .notices import Notice
from .penalties import Penalty
from .posts import Manifest, Post, PostVersion
from .risks import RiskRuling
from .rubrics import Claim, Criterion, Note
from .rulings import Correction, Ruling
from .scores import Draft, Opinion, Proposal, Result, Score
from .setups import PlannedSite, RoundSetup, SideWish
from .strats import Strat, StratDraft
from .votes import Ballot, Vote

__all__ = [
    "Account",
    "Admission",
    "ArmySetup",
    "Ballot",
    "Battle",
    "BattleArmy",
    "BoardThread",
    "BookVersion",
    "ChangeRequest",
    "Claim",
    "ControlRequest",
    "Correction",
    "Criterion",
    "Declaration",
    "Draft",
    "HandedIn",
    "Heartbeat",
    "Leave",
    "LogEntry",
    "Manifest",
    "Mention",
    "MercenaryOrder",
    "MercenaryPlan",
    "Message",
    "MessageVersion",
    "Muster",
    "NameChange",
    "NarrativeDraft",
    "Note",
    "Notice",
    "Opinion",
    "Penalty",
    "PersonalOffer",
    "PlannedSite",
    "Post",
    "PostVersion",
    "Proposal",
    "ReadMark",
    "Result",
    "RiskRuling",
    "RoundSetup",
    "Ruling",
    "Score",
    "SideWish",
    "Strat",
    "StratDraft",
    "Vote",
]
