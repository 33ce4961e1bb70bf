"""1.6: two at once: a code, a bar, a deletion and its withdrawal; and in talk. On PostgreSQL they meet for real."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from django_otp.oath import TOTP
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.models import AdminEntry, Bar, Deletion
from judging.accounts.two_factor.services import CodeOutcome, begin_second, confirm_second, try_second
from judging.boards.models import Conversation, Message, Report, Topic
from judging.boards.reports import decide_report, report_message
from judging.boards.services import begin_conversation, begin_topic
from judging.common.models import LogEntry
from judging.people.deletion import ask_deletion, delete_account, keep_account
from judging.people.services import bar, end_bars
from tests.services.boards_of_tests import TALK, viewer
from tests.services.teams import make_teams
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import LOCK, UNLOCK, World, token

pytestmark = pytest.mark.django_db(transaction=True)
DAY = timedelta(days=1)


@pytest.fixture
def world(db: None) -> World:
    return make_teams(lock=LOCK + 30 * DAY)


@pytest.fixture
def dot(world: World) -> User:
    user: User = world.players["Dot"].user
    return user


def test_the_same_code_logs_one_browser_in(dot: User) -> None:
    device = begin_second(user=dot)
    clock = TOTP(device.bin_key)
    clock.time = timezone.now().timestamp()
    assert confirm_second(user=dot, code=f"{clock.token():06d}", but="", now=timezone.now())[0] is CodeOutcome.PASSED
    TOTPDevice.objects.update(last_t=-1)
    code, now = f"{clock.token():06d}", timezone.now()
    given = at_once(*[lambda: try_second(user=dot, code=code, now=now)] * 3)
    assert given.count(CodeOutcome.PASSED) == 1, given


def test_a_recovery_code_logs_one_browser_in(dot: User) -> None:
    device = begin_second(user=dot)
    clock = TOTP(device.bin_key)
    clock.time = timezone.now().timestamp()
    _, codes = confirm_second(user=dot, code=f"{clock.token():06d}", but="", now=timezone.now())
    now = timezone.now()
    given = at_once(*[lambda: try_second(user=dot, code=codes[0], now=now)] * 3)
    assert given.count(CodeOutcome.PASSED) == 1, given


def test_nobody_is_barred_twice_at_a_time_and_a_bar_ends_once(dot: User) -> None:
    at_once(*[lambda: bar(user=dot, by=None, reason="He shouts.", days=1, now=UNLOCK)] * 3)
    assert Bar.objects.filter(ended_at__isnull=True).count() == 1
    at_once(*[lambda: end_bars(UNLOCK + 2 * DAY)] * 3)
    assert AdminEntry.objects.filter(action="bar_over").count() == 1
    assert User.objects.get(pk=dot.pk).is_active


def test_an_account_is_kept_or_deleted_as_a_whole(dot: User) -> None:
    ask_deletion(user=dot, renames_all=False, now=UNLOCK)
    later = UNLOCK + 8 * DAY
    at_once(
        lambda: delete_account(user=dot, by=None, reason="", renames_all=False, now=later),
        lambda: keep_account(user=dot, now=later),
    )
    gone = Deletion.objects.filter(user=dot, done_at__isnull=False).exists()
    user = User.objects.get(pk=dot.pk)
    assert (user.is_active, user.players.get().left_at is None) == (not gone, not gone)
    assert Deletion.objects.filter(user=dot).exists() == gone


def test_a_title_begins_one_topic_a_form_one_conversation_and_a_report_is_decided_once(world: World) -> None:
    """3.1, 1.6, 1.3."""
    ana, bo, judge = viewer(world, "Ana"), viewer(world, "Bo"), viewer(world, "battle")
    begun = at_once(
        *[
            lambda who=who: begin_topic(viewer=who, board=TALK, title="North", text="Well?", token=token(), now=UNLOCK)
            for who in (ana, bo)
        ]
    )
    assert (Topic.objects.count(), Message.objects.count()) == (1, 1), begun
    at_once(
        *[lambda: begin_conversation(viewer=ana, names=["Bo"], title="", text="Between us.", token="one", now=UNLOCK)]
        * 3
    )
    assert Conversation.objects.count() == 1
    message = Message.objects.get(thread__key="talk")
    reader = bo if message.author_id == ana.user_id else ana
    reports = at_once(
        *[lambda: report_message(viewer=reader, board=TALK, message=message, reason="So.", now=UNLOCK)] * 3
    )
    report = Report.objects.get()
    assert reports.count(report) == 3
    at_once(
        *[
            lambda does=does: decide_report(viewer=judge, report=report, does=does, reason="So.", now=UNLOCK)
            for does in ("hide", "warn")
        ]
    )
    assert LogEntry.objects.filter(action__in=("board.hidden", "board.warned")).count() == 1
