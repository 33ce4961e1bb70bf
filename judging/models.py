"""The rows of running a game."""

from judging.accounts.models import Account, AdminEntry, Bar, Deletion, SignUpLink
from judging.accounts.sessions.models import BrowserSession
from judging.accounts.tokens.models import AccessToken
from judging.accounts.two_factor.models import RecoveryCode
from judging.announcements.models import Notice
from judging.api.models import SentRequest
from judging.appeals.models import Appeal
from judging.armies.models import ChangeRequest, HandedIn, MercenaryPlan, Muster, PersonalOffer
from judging.battles.assignments.models import (
    BattleSeat,
    Decision,
    Deputy,
    JudgeLeave,
    OwnNarrative,
    StandIn,
    StatedConflict,
)
from judging.battles.models import (
    Battle,
    BattleArmy,
    BeaconValue,
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
from judging.battles.rejudging.models import Rejudgement
from judging.boards.models import (
    Block,
    BoardThread,
    Conversation,
    Mention,
    Message,
    MessageVersion,
    Participant,
    Report,
    Topic,
)
from judging.chain.models import ChainAnchor, ChainHead, ChainLink
from judging.command.models import Admission, ControlRequest, Declaration, Invitation, Leave, NameChange
from judging.common.models import Heartbeat, LogEntry, ReadMark, Unsent
from judging.discord.models import DiscordLink
from judging.email.models import Letter
from judging.feedback.models import BattleFeedback
from judging.feeds.models import FeedAddress
from judging.formula_books.models import BookVersion
from judging.inbound_email.models import MailAddress, ReceivedMail, SeatAddress
from judging.mercenaries.models import MercenaryOrder
from judging.notifications.models import (
    Gathered,
    MutedRound,
    Notification,
    Preference,
    Push,
    PushKey,
    PushSubscription,
)
from judging.penalties.models import Penalty
from judging.setup.models import ArmySetup, PlannedSite, RoundSetup, SideWish
from judging.tables.away.models import SeatNight, Substitution, TableLeave
from judging.tables.conduct.models import Sanction, TableAct, TableAppeal
from judging.tables.drafts.models import Drafter, DraftPick, TableDraft
from judging.tables.matches.models import MatchGame
from judging.tables.models import (
    CardList,
    Deck,
    DeckVersion,
    Entry,
    Hidden,
    Seat,
    Snapshot,
    Table,
    TableAgreements,
    TableEvents,
    TableJudge,
    TableRuling,
)
from judging.tables.talk.models import TableMessage, TableReport
from judging.turns.done.models import DoneMark, EarlyLock
from judging.turns.models import Correction, Draft, Manifest, Post, PostVersion, Ruling, StageFailure
from judging.votes.models import Ballot, Vote
from judging.webhooks.models import Hook, HookMessage

__all__ = [
    "AccessToken",
    "Account",
    "AdminEntry",
    "Admission",
    "Appeal",
    "ArmySetup",
    "Ballot",
    "Bar",
    "Battle",
    "BattleArmy",
    "BattleFeedback",
    "BattleSeat",
    "BeaconValue",
    "Block",
    "BoardThread",
    "BookVersion",
    "BrowserSession",
    "CardList",
    "ChainAnchor",
    "ChainHead",
    "ChainLink",
    "ChangeRequest",
    "Claim",
    "ControlRequest",
    "Conversation",
    "Correction",
    "Criterion",
    "Decision",
    "Deck",
    "DeckVersion",
    "Declaration",
    "Deletion",
    "Deputy",
    "DiscordLink",
    "DoneMark",
    "Draft",
    "DraftPick",
    "Drafter",
    "EarlyLock",
    "Entry",
    "FeedAddress",
    "Gathered",
    "HandedIn",
    "Heartbeat",
    "Hidden",
    "Hook",
    "HookMessage",
    "Invitation",
    "JudgeLeave",
    "Leave",
    "Letter",
    "LogEntry",
    "MailAddress",
    "Manifest",
    "MatchGame",
    "Mention",
    "MercenaryOrder",
    "MercenaryPlan",
    "Message",
    "MessageVersion",
    "Muster",
    "MutedRound",
    "NameChange",
    "NarrativeDraft",
    "Note",
    "Notice",
    "Notification",
    "Opinion",
    "OwnNarrative",
    "Participant",
    "Penalty",
    "PersonalOffer",
    "PlannedSite",
    "Post",
    "PostVersion",
    "Preference",
    "Proposal",
    "Push",
    "PushKey",
    "PushSubscription",
    "ReadMark",
    "ReceivedMail",
    "RecoveryCode",
    "Rejudgement",
    "Report",
    "Result",
    "RiskRuling",
    "RoundSetup",
    "Ruling",
    "Sanction",
    "Score",
    "Seat",
    "SeatAddress",
    "SeatNight",
    "SentRequest",
    "SideWish",
    "SignUpLink",
    "Snapshot",
    "StageFailure",
    "StandIn",
    "StatedConflict",
    "Strat",
    "StratDraft",
    "Substitution",
    "Table",
    "TableAct",
    "TableAgreements",
    "TableAppeal",
    "TableDraft",
    "TableEvents",
    "TableJudge",
    "TableLeave",
    "TableMessage",
    "TableReport",
    "TableRuling",
    "Topic",
    "Unsent",
    "Vote",
]
