"""1.6: accounts: one name, one mail address, strong passwords, and letters that confirm."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core import mail
from django.db import IntegrityError, transaction

from judging.accounts.models import Account
from judging.accounts.writes import change_mail, confirm_mail, letter_token, send_letter, sign_up
from judging.game.errors import Refused
from tests.services.teams import make_teams

pytestmark = pytest.mark.django_db
NOW = datetime(2026, 3, 2, 12, tzinfo=UTC)
GOOD = "three owls on a wire"
NO_MAIL = "django.core.mail.backends.dummy.EmailBackend"


def join(name: str = "Sai Rei", mail: str = "", password: str = GOOD, now: datetime = NOW) -> User:
    return sign_up(name=name, password=password, mail=mail, now=now)


def token_in_letter() -> str:
    found = re.search(r"/accounts/mail/([^/\s]+)/", str(mail.outbox[-1].body))
    assert found
    return found[1]


def test_an_account_needs_a_name_and_a_password_and_no_address(rf: object) -> None:
    user = join("  Sai   Rei ")
    assert (user.username, user.email, user.account.mail) == ("Sai Rei", "", "")
    assert user.check_password(GOOD)
    assert authenticate(rf.get("/"), username="Sai Rei", password=GOOD) == user  # type: ignore[attr-defined]
    assert mail.outbox == []


@pytest.mark.parametrize("name", ["sai rei", "SAI  REI", "Sai Rei"])
def test_names_that_differ_in_case_alone_are_one(name: str) -> None:
    join()
    with pytest.raises(Refused, match="somebody's name already") as caught:
        join(name)
    assert (caught.value.cites, caught.value.field) == ("1.6", "name")
    other = User.objects.create_user("sai  rei")
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create(user=other, key="sai rei")


@pytest.mark.parametrize("name", ["", "Sai:Rei", "Sai>Rei", "x" * 41, "5E", "hold", "Sai\x00Rei", "\ud800"])
def test_a_name_that_could_be_no_armys_is_refused(name: str) -> None:
    with pytest.raises(Refused) as caught:
        join(name)
    assert caught.value.cites == "1.6"
    assert not User.objects.exists()


def test_nobody_signs_up_under_the_name_of_somebody_who_plays_or_judges() -> None:
    world = make_teams()
    dot = world.players["Dot"]
    dot.former_names = [["Dorothy", NOW.isoformat()]]
    dot.save()
    for name in ("dot", "dorothy", "judge battle"):
        with pytest.raises(Refused, match="somebody's name already"):
            join(name)


@pytest.mark.parametrize("password", ["short", "12345678901", "password123", "Sai Rei 1", "\0" * 12, "x" * 5000])
def test_a_weak_password_is_refused_and_nothing_is_made(password: str) -> None:
    with pytest.raises(Refused) as caught:
        join(password=password)
    assert caught.value.field == "password"
    assert not User.objects.exists()


def test_a_mail_address_belongs_to_one_account() -> None:
    join(mail="sai@example.org")
    for address in ("sai@example.org", "SAI@Example.ORG", " sai@example.org "):
        with pytest.raises(Refused, match="Another account has this mail address") as caught:
            join("Other", mail=address)
        assert caught.value.field == "mail"
    assert User.objects.count() == 1
    User.objects.create_user("by-hand", email="hand@example.org")
    with pytest.raises(Refused, match="Another account"):
        join("Other", mail="Hand@example.org")


@pytest.mark.parametrize("address", ["sai", "sai@", "sai@example.org\nBcc: x@example.org", "a b@example.org"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(Refused, match="no mail address"):
        join(mail=address)


def test_a_letter_asks_and_only_then_the_address_is_used() -> None:
    user = join(mail="sai@example.org")
    (letter,) = mail.outbox
    assert letter.to == ["sai@example.org"]
    assert "“Sai Rei”" in letter.body
    assert (user.account.confirmed_at, User.objects.get().email) == (None, "")
    confirm_mail(token=token_in_letter(), now=NOW)
    confirm_mail(token=token_in_letter(), now=NOW)
    user.refresh_from_db()
    assert (user.email, user.account.mail) == ("sai@example.org", "sai@example.org")


def test_a_letter_that_is_old_damaged_or_of_another_address_confirms_nothing() -> None:
    with time_machine.travel(NOW, tick=False):
        user = join(mail="sai@example.org")
        token = token_in_letter()
    with time_machine.travel(NOW + timedelta(days=3), tick=False), pytest.raises(Refused, match="too old"):
        confirm_mail(token=token, now=NOW)
    with pytest.raises(Refused, match="damaged"):
        confirm_mail(token=token[:-2], now=NOW)
    with time_machine.travel(NOW, tick=False):
        change_mail(user=user, mail="rei@example.org", now=NOW)
        with pytest.raises(Refused, match="does not have any more"):
            confirm_mail(token=token, now=NOW)


def test_an_address_that_nobody_confirmed_is_free_again_after_two_days() -> None:
    squatter = join("Squatter", mail="sai@example.org")
    with pytest.raises(Refused):
        join(mail="sai@example.org", now=NOW + timedelta(days=1))
    assert join(mail="sai@example.org", now=NOW + timedelta(days=2)).account.mail == "sai@example.org"
    squatter.account.refresh_from_db()
    assert squatter.account.mail == ""


def test_a_changed_address_is_confirmed_anew_and_an_empty_one_is_taken_away() -> None:
    user = join(mail="sai@example.org")
    confirm_mail(token=token_in_letter(), now=NOW)
    same = change_mail(user=user, mail="sai@example.org", now=NOW)
    assert same.confirmed_at == NOW
    changed = change_mail(user=user, mail="rei@example.org", now=NOW)
    user.refresh_from_db()
    assert (changed.confirmed_at, user.email) == (None, "")
    change_mail(user=user, mail="", now=NOW)
    user.account.refresh_from_db()
    assert user.account.mail == ""


def test_somebody_who_was_made_by_hand_gets_a_row_with_his_address() -> None:
    user = User.objects.create_user("by-hand")
    account = change_mail(user=user, mail="hand@example.org", now=NOW)
    assert (account.key, letter_token(account) != "") == ("by-hand", True)


def test_without_mail_an_address_is_kept_and_no_letter_is_sent(settings: object) -> None:
    settings.EMAIL_BACKEND = NO_MAIL  # type: ignore[attr-defined]
    user = join(mail="sai@example.org")
    assert user.account.confirmed_at is None
    assert not send_letter(user.account, NOW)
    with pytest.raises(Refused, match="Another account"):
        join("Other", mail="sai@example.org", now=NOW + timedelta(days=9))


def test_a_mail_server_that_is_down_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    assert join(mail="sai@example.org").account.mail == "sai@example.org"
