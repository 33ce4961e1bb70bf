"""1.3: moderators are notified of a report, and its sender of the decision."""

from datetime import datetime

from django.contrib.auth.models import User

from judging.boards.models import Report
from judging.boards.queries.boards import BOARDS, players_who_read
from judging.boards.reports import may_decide, report_decided, report_sent
from judging.common.control import is_leader
from judging.common.notify import News
from judging.common.viewer import viewer_of
from judging.notifications.services import lapse, tell
from wargame.models import Judge
from wargame.rules.core.sides import Rank


def watch() -> None:
    """Connect to every report and every decision on one; called once at the start."""
    report_sent.connect(_tell_moderators, dispatch_uid="judging.notifications")
    report_decided.connect(_tell_reporter, dispatch_uid="judging.notifications")


def _tell_moderators(*, report: Report, now: datetime, **_: object) -> None:
    """1.3: notify those who can decide about a report that it waits, without its content."""
    users = set(Judge.objects.filter(round=report.round).values_list("user_id", flat=True))
    board = BOARDS.get(report.message.thread.key) if report.message else None
    if board is not None and not board.is_public:
        players = players_who_read(report.round, board)
        users = {each.user_id for each in players if is_leader(each) or each.rank == Rank.CAPTAIN}
    data = {"report": report.pk}
    tell(
        [
            News(user.pk, "talk.reported", _key(report), now, report.round_id, data=data)
            for user in User.objects.filter(pk__in=users - {report.user_id})
            if may_decide(viewer_of(user, report.round), report)
        ],
        now,
    )


def _tell_reporter(*, report: Report, by: User, now: datetime, **_: object) -> None:
    """1.3: the report waits for nobody any more, and its sender is notified, unless they decided it themselves."""
    lapse(kind="talk.reported", keys=[_key(report)], now=now)
    if report.user_id != by.pk:
        data = {"report": report.pk}
        tell([News(report.user_id, "talk.report_decided", _key(report), now, report.round_id, data=data)], now)


def _key(report: Report) -> str:
    return f"report-{report.pk}"
