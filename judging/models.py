"""The rows: how a game is run."""

from judging.accounts.models import Account
from judging.accounts.second.models import RecoveryCode
from judging.accounts.sessions.models import BrowserSession
from judging.accounts.tokens.models import AccessToken
from judging.armies.models import ChangeRequest, HandedIn, Muster, PersonalOffer
from judging.battles.models import (
    Battle,
    BattleArmy,
    Claim,
    Criterion,
    NarrativeDraft,
    Note,
    Opinion,
    Proposal,
    Result,
    RiskRuling,
    Score,
    Strat,
    StratDraft,
)
from judging.boards.models import BoardThread, Mention, Message, MessageVersion, ReadMark
from judging.books.models import BookVersion
from judging.command.models import Admission, ControlRequest, Declaration, Invitation, Leave, NameChange
from judging.game.models import Heartbeat, LogEntry
from judging.letters.models import Letter
from judging.mercenaries.models import MercenaryOrder
from judging.notices.models import Notice
from judging.penalties.models import Penalty
from judging.people.models import AdminEntry, Bar, Deletion
from judging.setup.models import ArmySetup, MercenaryPlan, PlannedSite, RoundSetup, SideWish
from judging.turns.done.models import DoneMark, EarlyLock
from judging.turns.models import Correction, Draft, Manifest, Post, PostVersion, Ruling, StageFailure
from judging.votes.models import Ballot, Vote

__all__ = [
    "AccessToken",
    "Account",
    "AdminEntry",
    "Admission",
    "ArmySetup",
    "Ballot",
    "Bar",
    "Battle",
    "BattleArmy",
    "BoardThread",
    "BookVersion",
    "BrowserSession",
    "ChangeRequest",
    "Claim",
    "ControlRequest",
    "Correction",
    "Criterion",
    "Declaration",
    "Deletion",
    "DoneMark",
    "Draft",
    "EarlyLock",
    "HandedIn",
    "Heartbeat",
    "Invitation",
    "Leave",
    "Letter",
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
    "RecoveryCode",
    "Result",
    "RiskRuling",
    "RoundSetup",
    "Ruling",
    "Score",
    "SideWish",
    "StageFailure",
    "Strat",
    "StratDraft",
    "Vote",
]
