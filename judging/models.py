"""The rows: how a game is run."""

from judging.accounts.models import Account
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
from judging.setup.models import ArmySetup, MercenaryPlan, PlannedSite, RoundSetup, SideWish
from judging.turns.done.models import DoneMark, EarlyLock
from judging.turns.models import Correction, Draft, Manifest, Post, PostVersion, Ruling, StageFailure
from judging.votes.models import Ballot, Vote

__all__ = [
    "AccessToken",
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
