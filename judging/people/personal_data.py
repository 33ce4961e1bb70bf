"""1.6: what the service stores about a person, as data for themselves.

Left out are secrets (hashes, tokens, keys) and the
columns in which others decide or write something.
"""

from dataclasses import dataclass
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.admin.models import LogEntry as DeskEntry
from django.contrib.auth.models import User
from django.db.models import Model
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.models import AdminEntry, Bar, Deletion, SignUpLink
from judging.accounts.queries import account_of
from judging.accounts.sessions.models import BrowserSession
from judging.accounts.tokens.models import AccessToken
from judging.accounts.two_factor.models import RecoveryCode
from judging.api.models import SentRequest
from judging.appeals.models import Appeal
from judging.armies.models import ChangeRequest, Muster
from judging.battles.assignments.models import JudgeLeave, OwnNarrative, StatedConflict
from judging.battles.models import NarrativeDraft, Strat, StratDraft
from judging.boards.models import Block, Message, MessageVersion, Report
from judging.command.models import Admission, ControlRequest, Declaration, Invitation, Leave, NameChange
from judging.common.accounts import is_demo_user
from judging.common.models import LogEntry, ReadMark, Unsent
from judging.discord.models import DiscordLink
from judging.email.models import Letter
from judging.feedback.models import BattleFeedback
from judging.feeds.models import FeedAddress
from judging.inbound_email.models import MailAddress, ReceivedMail, SeatAddress
from judging.notifications.models import MutedRound, Notification, Preference, PushSubscription
from judging.tables import personal_data
from judging.tables.away.models import SeatNight, Substitution, TableLeave
from judging.tables.conduct.models import Sanction, TableAct, TableAppeal
from judging.tables.drafts.models import Drafter
from judging.tables.talk.models import TableMessage, TableReport
from judging.turns.done.models import DoneMark
from judging.turns.models import Manifest, PostVersion
from judging.votes.models import Ballot, Vote
from judging.webhooks.models import Hook
from wargame.models import Judge, Player, RankChange


@dataclass(frozen=True)
class Part:
    """A person's rows: the name of the list in the file, the table, the lookup of the owner, and the columns."""

    name: str
    model: type[Model]
    owner: str
    columns: str


PARTS = (
    Part("rounds", Player, "user", "round__slug name side rank factions former_names joined_at left_at"),
    Part("ranks", RankChange, "player__user", "player__round__slug before after by reason at"),
    Part("judging", Judge, "user", "round__slug name role is_head named_at head_since dismissed_at"),
    Part("second_factor", TOTPDevice, "user", "confirmed created_at last_used_at"),
    Part("recovery_codes", RecoveryCode, "user", "used_at"),
    Part("tokens", AccessToken, "user", "prefix name scopes made_at expires_at revoked_at last_used_at"),
    Part("bars", Bar, "user", "reason since until ended_at"),
    Part("deletion", Deletion, "user", "asked_at due_at renames_all done_at"),
    Part("administration", AdminEntry, "user", "at action data"),
    Part("acts_as_administrator", AdminEntry, "actor", "at action"),
    Part("acts_at_the_desk", DeskEntry, "user", "action_time object_repr change_message"),
    Part("invitation_links", SignUpLink, "by", "note places used made_at expires_at revoked_at"),
    Part("acts", LogEntry, "actor", "round__slug at action"),
    Part("notification_settings", Preference, "user", "preset channels time_zone digest_hour quiet_from quiet_until"),
    Part("muted_rounds", MutedRound, "user", "round__slug"),
    Part("notifications", Notification, "user", "round__slug turn kind data at read_at"),
    Part("push_devices", PushSubscription, "user", "name made_at last_at gone_at"),
    Part("webhooks", Hook, "user", "name style kinds made_at off_at why_off"),
    Part("feeds", FeedAddress, "user", "made_at"),
    Part("discord", DiscordLink, "user", "discord made_at"),
    Part("mail_addresses", MailAddress, "player__user", "player__round__slug made_at"),
    Part("mail_addresses_of_tables", SeatAddress, "user", "seat__table__slug made_at"),
    Part("received_mails", ReceivedMail, "player__user", "at size outcome"),
    Part("received_mails_of_tables", ReceivedMail, "seat__user", "at size outcome"),
    Part("unsent", Unsent, "user", "place text also sent kept_at"),
    Part("read_marks", ReadMark, "user", "board topic until"),
    Part("admissions", Admission, "user", "round__slug side name text factions state asked_at decided_at reason"),
    Part("invitations", Invitation, "user", "round__slug side name rank factions muster invited_at answered_at"),
    Part("name_changes", NameChange, "player__user", "old new state asked_at decided_at reason"),
    Part("absences", Leave, "player__user", "player__round__slug since until note stated_at"),
    Part("absences_as_judge", JudgeLeave, "judge__user", "judge__round__slug since until note stated_at"),
    Part("conflicts", StatedConflict, "judge__user", "judge__round__slug about why stated_at withdrawn_at"),
    Part("declared_inactive", Declaration, "player__user", "reason at withdrawn_at rejected_at"),
    Part("declarations", Declaration, "by__user", "reason at withdrawn_at rejected_at"),
    Part("control_requests", ControlRequest, "player__user", "changes why state asked_at decided_at reason"),
    Part("posts", PostVersion, "post__player__user", "post__turn__round__slug post__number number text at"),
    Part("manifests", Manifest, "player__user", "sender receiver entries sent_at"),
    Part("done_marks", DoneMark, "player__user", "turn__round__slug turn__number at"),
    Part("strats", Strat, "player__user", "entry__battle text risk runs leaves leaves_to sent_at word"),
    Part("strat_drafts", StratDraft, "player__user", "text risk runs leaves leaves_to saved_at"),
    Part("story_drafts", NarrativeDraft, "judge__user", "text saved_at"),
    Part("own_stories", OwnNarrative, "judge__user", "text saved_at"),
    Part("feedback", BattleFeedback, "player__user", "battle fair clear in_time sentence given_at"),
    Part("musters", Muster, "author__user", "round__slug name legend lists remark state saved_at"),
    Part("army_changes", ChangeRequest, "player__user", "round__slug name legend lists remark state saved_at"),
    Part("votes", Vote, "player__user", "round__slug question text options called_at"),
    Part("ballots", Ballot, "player__user", "vote__question choice cast_at"),
    Part("appeals", Appeal, "player__user", "round__slug kind reason lodged_at state answer answered_at"),
    Part("messages", Message, "author", "thread__round__slug name at text edited_at withdrawn_at"),
    Part("earlier_messages", MessageVersion, "message__author", "message__thread__round__slug at text"),
    Part("reports", Report, "user", "round__slug reason at state answer"),
    Part("blocks", Block, "user", "name at"),
    Part("table_messages", TableMessage, "author", "table__slug at text withdrawn_at"),
    Part("table_reports", TableReport, "user", "message__table__slug reason at state answer"),
    Part("table_appeals", TableAppeal, "user", "table__slug reason lodged_at state answer answered_at"),
    Part("table_sanctions", Sanction, "user", "table__slug kind reason made_at until lifted_at"),
    Part("table_acts", TableAct, "user", "table__slug at action"),
    Part("table_drafts", Drafter, "user", "draft__table__slug name wishes joined_at"),
    Part("table_absences", TableLeave, "seat__user", "seat__table__slug first until announced_at"),
    Part("table_nights", SeatNight, "seat__user", "seat__table__slug first_hour zone since"),
    Part("table_substitutions", Substitution, "user", "seat__table__slug sought_at closed_at"),
)

OF_BROWSERS = (
    Part("browsers", BrowserSession, "user", "browser first_seen last_seen"),
    Part("log_ins", AccessLog, "username", "attempt_time logout_time ip_address user_agent"),
    Part("wrong_passwords", AccessAttempt, "username", "attempt_time failures_since_start"),
    Part("failed_log_ins", AccessFailureLog, "username", "attempt_time"),
    Part("requests", SentRequest, "user", "key status at"),
)
"""Log-ins and browsers: a demo account's are other people's. Of a wrong password only the time: another person may
have typed it."""


def data_of(user: User) -> dict[str, Any]:
    """1.6: all of it, by list."""
    account, parts = account_of(user), PARTS if is_demo_user(user.username) else (*PARTS, *OF_BROWSERS)
    # An address that is only claimed may be somebody else's, and so are the emails to it.
    letters = Letter.objects.filter(to__iexact=user.email) if user.email else Letter.objects.none()
    return {
        "format": "coalition-wargame-own-data",
        "version": 2,
        "account": {
            "log_in": user.get_username(),
            "mail": user.email,
            "unconfirmed_mail": account.unconfirmed if account else "",
            "mail_confirmed": account.confirmed_at if account else None,
            "mail_refused": account.bounced_at if account else None,
            "language": account.language if account else "",
            "hides_record": bool(account and account.hides_record),
            "joined": user.date_joined,
            "last_log_in": user.last_login,
        },
        **{part.name: _rows(part, user) for part in parts},
        "emails": list(letters.order_by("pk").values("kind", "subject", "created", "state", "ended")),
        "tables": personal_data.own_data(user),
    }


def _rows(part: Part, user: User) -> list[dict[str, Any]]:
    owner = user.get_username() if part.owner == "username" else user
    columns = part.columns.split()
    rows = part.model._base_manager.filter(**{part.owner: owner}).order_by("pk").values_list(*columns)
    names = [_name(column) for column in columns]
    return [dict(zip(names, row, strict=True)) for row in rows]


def _name(column: str) -> str:
    """A column's name in the file: `post__turn__round__slug` is the `round`."""
    *path, last = column.split("__")
    return path[-1] if path and last in ("slug", "number", "question") else last
