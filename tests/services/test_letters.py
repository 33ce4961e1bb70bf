"""1.6: letters go out by an outbox: once, late if they must, and never in the way of a request or a lock."""

import re
import socket
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from smtplib import SMTPDataError, SMTPRecipientsRefused

import pytest
import time_machine
from django.conf import settings as service
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from judging import tasks
from judging.accounts.models import Account, note_bounce
from judging.accounts.services import confirm_mail, letter_token, sign_up
from judging.common.errors import Refused
from judging.email.models import Letter
from judging.email.services import (
    KEPT,
    given_up,
    lost_letters,
    prune,
    send_again,
    send_next,
    write_letter,
)
from judging.tasks import COMPOSERS
from judging.turns.failures import note_failure
from judging.turns.models import StageFailure
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import LOCKED, World
from wargame.celery_app import app

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("letters_wait")]
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
TOKEN = "a-token-that-lets-its-reader-in"


class Killed(BaseException):
    """The worker died."""


def write(to: str = "ana@example.org", now: datetime = NOW) -> Letter:
    assert write_letter(to=to, kind=Letter.Kind.CONFIRM, now=now, subject="Good morning", body=TOKEN)
    return Letter.objects.latest("pk")


def send(now: datetime = NOW) -> bool:
    return send_next(now, COMPOSERS, note_bounce)


@pytest.fixture
def failing(monkeypatch: pytest.MonkeyPatch) -> Callable[[BaseException], None]:
    """Lets every letter fail with an error."""

    def fail_with(error: BaseException) -> None:
        def fail(letter: EmailMessage) -> int:
            raise error

        monkeypatch.setattr(EmailMessage, "send", fail)

    return fail_with


@pytest.fixture
def silent(settings: object) -> Iterator[list[socket.socket]]:
    """A mail server that accepts and says nothing: the connections that it was asked for."""
    server = socket.create_server(("127.0.0.1", 0))
    server.setblocking(False)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"  # type: ignore[attr-defined]
    settings.EMAIL_HOST, settings.EMAIL_PORT = server.getsockname()  # type: ignore[attr-defined]
    settings.EMAIL_TIMEOUT = 0.2  # type: ignore[attr-defined]
    yield (taken := Taken(server))
    for each in taken:
        each.close()
    server.close()


class Taken(list[socket.socket]):
    """The connections that a server has taken so far; none is waited for."""

    def __init__(self, server: socket.socket) -> None:
        super().__init__()
        self.server = server

    def count_all(self) -> int:
        try:
            while True:
                self.append(self.server.accept()[0])
        except BlockingIOError:
            return len(self)


def test_a_letter_is_sent_once_and_its_text_is_gone() -> None:
    letter = write()
    assert send()
    assert not send(NOW + timedelta(days=1))
    (sent,) = mail.outbox
    assert (sent.to, sent.subject, sent.body) == (["ana@example.org"], "Good morning", TOKEN)
    letter.refresh_from_db()
    assert (letter.state, letter.body, letter.tries) == ("sent", "", 1)


@pytest.mark.django_db(transaction=True)
def test_four_workers_send_a_letter_once() -> None:
    write()
    given = at_once(*[send] * 4)
    assert len(mail.outbox) == 1, given


def test_a_letter_of_an_act_that_came_to_nothing_is_none() -> None:
    with transaction.atomic():
        write()
        transaction.set_rollback(True)
    assert not Letter.objects.exists()


def test_who_dies_in_sending_has_it_for_a_while_then_another_takes_it_up(
    failing: Callable[[BaseException], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    write()
    failing(Killed())
    with pytest.raises(Killed):
        send()
    monkeypatch.undo()
    assert not send(NOW + Letter.LEASE - timedelta(seconds=1))
    assert send(NOW + Letter.LEASE)
    assert len(mail.outbox) == 1


def test_both_letters_of_one_row_have_one_name(failing: Callable[[BaseException], None]) -> None:
    letter = write()
    send()
    Letter.objects.update(state="sending", due=NOW)
    send()
    first, second = mail.outbox
    assert first.extra_headers["Message-ID"] == second.extra_headers["Message-ID"]
    assert str(letter.pk) not in first.extra_headers["Message-ID"].split("@")[1]


def test_a_letter_is_tried_later_and_later_and_then_given_up(failing: Callable[[BaseException], None]) -> None:
    letter = write()
    failing(OSError("ana@example.org is away"))
    now = NOW
    for tries in range(1, Letter.MOST_TRIES + 1):
        assert send(now)
        letter.refresh_from_db()
        assert (letter.tries, letter.error) == (tries, "OSError")
        assert not send(now)
        now += Letter.pause_after(tries)
    assert letter.state == "given up"
    assert [Letter.pause_after(n) // timedelta(minutes=1) for n in (1, 2, 3, 20)] == [1, 2, 4, 120]


def test_nobody_is_written_to_again_whom_the_server_does_not_know(failing: Callable[[BaseException], None]) -> None:
    failing(SMTPRecipientsRefused({"ana@example.org": (550, b"no such person")}))
    letter = write()
    send()
    letter.refresh_from_db()
    assert (letter.state, letter.error) == ("given up", "SMTPRecipientsRefused 550")


def test_a_server_that_is_busy_is_asked_again(failing: Callable[[BaseException], None]) -> None:
    failing(SMTPDataError(451, b"later"))
    letter = write()
    send()
    letter.refresh_from_db()
    assert (letter.state, letter.error, letter.due) == ("waiting", "SMTPDataError 451", NOW + timedelta(minutes=1))


def test_a_letter_that_kills_whoever_tries_it_is_given_up() -> None:
    letter = write()
    Letter.objects.update(state="sending", tries=Letter.MOST_TRIES, due=NOW)
    assert not send()
    letter.refresh_from_db()
    assert (letter.state, letter.error) == ("given up", "no answer")


def test_an_administrator_sees_what_was_given_up_and_sends_it_again(client: Client, world: World) -> None:
    letter = write()
    Letter.objects.update(state="given up", tries=Letter.MOST_TRIES, error="OSError", ended=NOW)
    root, judge = User.objects.create_superuser("root"), world.judges["battle"].user
    client.force_login(judge)
    assert "ana@example.org" not in client.get("/judge/").content.decode()
    assert lost_letters(judge, NOW) is None
    with pytest.raises(Refused):
        send_again(judge, NOW)
    client.force_login(root)
    desk = client.get("/judge/").content.decode()
    assert "ana@example.org" in desk
    assert TOKEN not in desk
    assert client.post(reverse("judge:letters-again")).status_code == 302
    letter.refresh_from_db()
    assert (letter.state, letter.tries) == ("waiting", 0)
    assert given_up() is None


def test_so_does_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    letter = write()
    Letter.objects.update(state="given up", error="OSError", ended=NOW)
    call_command("letters")
    told = capsys.readouterr().out
    assert f"{letter.pk}  2026-03-02 12:00 UTC  ana@example.org  address confirmation" in told
    assert TOKEN not in told
    call_command("letters", "--again", str(letter.pk))
    assert "Emails that will be sent again: 1" in capsys.readouterr().out
    assert send(NOW + timedelta(days=10**4))


def test_old_letters_are_forgotten() -> None:
    write()
    send()
    write("ben@example.org")
    prune(NOW + KEPT + timedelta(seconds=1))
    assert list(Letter.objects.values_list("to", flat=True)) == ["ben@example.org"]


def test_without_mail_no_letter_is_written(settings: object) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"  # type: ignore[attr-defined]
    assert not write_letter(to="ana@example.org", kind=Letter.Kind.VOTE, now=NOW)
    assert not Letter.objects.exists()


# A mail server that accepts and says nothing


def test_no_sweep_and_no_request_waits_for_a_silent_server(
    world: World, client: Client, silent: Taken, monkeypatch: pytest.MonkeyPatch
) -> None:
    hints: list[str] = []
    monkeypatch.setattr(tasks.send_letters, "apply_async", lambda **how: hints.append("send"))
    monkeypatch.setattr(tasks.advance_turn, "apply_async", lambda arguments, **how: hints.append("advance"))
    world.judges["battle"].user.email = "judge@example.org"
    world.judges["battle"].user.save()
    with time_machine.travel(LOCKED, tick=False):
        given = {
            "name": "Nell",
            "mail": "nell@example.org",
            "password": "owls on a wire 7",
        }
        assert client.post(reverse("sign-up"), given).status_code == 302
        for address in ("nell@example.org", "stranger@example.org"):
            assert client.post(reverse("password_reset"), {"email": address}).status_code == 302
        for _ in range(3):
            note_failure(world.turn.pk, ValueError(), LOCKED)
            StageFailure.objects.update(retry_at=LOCKED)
        tasks.sweep()
    assert sorted(set(hints)) == ["advance", "send"]
    assert sorted(Letter.objects.values_list("kind", flat=True)) == ["asked", "asked", "confirm", "stuck"]
    assert silent.count_all() == 0


def test_a_silent_server_holds_a_letter_no_longer_than_its_time(silent: Taken) -> None:
    letter = write()
    assert send()
    assert silent.count_all() == 1
    letter.refresh_from_db()
    assert (letter.state, letter.body) == ("waiting", TOKEN)
    assert letter.error


def test_what_waits_for_other_machines_has_a_queue_of_its_own_and_a_time_limit(settings: object) -> None:
    names = [name for name, task in app.tasks.items() if task.time_limit is not None]
    assert {tasks.send_letters.name, tasks.ask_beacon.name, tasks.write_anchors.name} < set(names)
    assert dict.fromkeys(names, {"queue": "mail"}) == settings.CELERY_TASK_ROUTES  # type: ignore[attr-defined]
    assert 0 < settings.EMAIL_TIMEOUT <= 60  # type: ignore[attr-defined]
    assert tasks.send_letters.time_limit is not None
    assert timedelta(seconds=tasks.send_letters.time_limit) < Letter.LEASE


def test_nobody_is_asked_to_do_what_is_not_due(monkeypatch: pytest.MonkeyPatch, world: World) -> None:
    """A queue whose worker is away does not grow by what there is not."""
    sent: list[str] = []
    for name in service.OUTWARD:
        monkeypatch.setattr(getattr(tasks, name), "apply_async", lambda name=name, **how: sent.append(name))
    for chore in ("sweep", *service.CHORES):
        getattr(tasks, chore)()
    assert sent == []


# A forgotten password


def member(mail_address: str) -> User:
    user = sign_up(name="Nell", password="owls on a wire 7", mail=mail_address, now=NOW)
    with time_machine.travel(NOW, tick=False):
        confirm_mail(token=letter_token(Account.objects.get()), now=NOW)
    Letter.objects.all().delete()
    return user


def test_a_reset_costs_the_same_whether_there_is_an_account_or_not(client: Client) -> None:
    member("nell@example.org")
    asked = []
    for address in ("nell@example.org", "none@example.org"):
        cache.clear()
        with CaptureQueriesContext(connection) as captured:
            client.post(reverse("password_reset"), {"email": address})
        name = address.partition("@")[0]
        asked.append(
            [
                re.sub(r"\d", "9", query["sql"].replace(address, "X").replace(f"{name}+", "X+").split("VALUES")[0])
                for query in captured
            ]
        )
    assert asked[0] == asked[1]
    assert list(Letter.objects.values_list("kind", "body")) == [("asked", "")] * 2


def test_a_reset_becomes_a_letter_if_there_is_an_account(client: Client) -> None:
    member("nell@example.org")
    for address in ("NELL@example.org", "none@example.org"):
        client.post(reverse("password_reset"), {"email": address})
    later = datetime.now(UTC) + timedelta(minutes=1)
    while send(later):
        pass
    (letter,) = mail.outbox
    assert letter.to == ["nell@example.org"]
    assert letter.subject == "The Coalition Wargame: choose a new password"
    assert "/accounts/reset/" in letter.body
    assert not Letter.objects.exclude(body="").exists()


def test_a_turn_that_does_not_go_on_is_told_to_its_judges_and_administrators(world: World) -> None:
    for role, judge in world.judges.items():
        User.objects.filter(pk=judge.user_id).update(email=f"{role}@example.org")
    User.objects.create_superuser("root", "root@example.org")
    for _ in range(4):
        note_failure(world.turn.pk, ValueError("5E > 6E"), LOCKED)
        StageFailure.objects.update(retry_at=LOCKED)
    while send(LOCKED):
        pass
    told = sorted(letter.to for letter in mail.outbox)
    assert told == [["battle@example.org"], ["movement@example.org"], ["root@example.org"]]
    assert "5E" not in mail.outbox[0].body
