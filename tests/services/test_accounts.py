"""1.6: accounts: one name, one mail address, strong passwords, and letters that confirm."""

import re
from datetime import UTC, datetime, timedelta
from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core import mail
from django.core.management import call_command
from django.db import IntegrityError, transaction

from judging.accounts.models import Account
from judging.accounts.services import change_mail, confirm_mail, letter_token, send_letter, sign_up
from judging.common.errors import Refused
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
    with pytest.raises(Refused, match="make a difference") as caught:
        join(name)
    assert (caught.value.cites, caught.value.field) == ("1.6", "name")
    other = User.objects.create_user("sai  rei")
    with pytest.raises(IntegrityError), transaction.atomic():
        Account.objects.create(user=other, key="sai rei")


@pytest.mark.parametrize(
    "name",
    ["", "Sai:Rei", "Sai>Rei", "x" * 41, "5E", "hold", "Sai\x00Rei", "\ud800", "\U0001f409\U0001f525", "\u2764\ufe0f"],
)
def test_a_name_that_could_be_no_armys_or_is_of_pictures_alone_is_refused(name: str) -> None:
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
        with pytest.raises(Refused, match="make a difference"):
            join(name)


@pytest.mark.parametrize("password", ["short", "12345678901", "password123", "Sai Rei 1", "\0" * 12, "x" * 5000])
def test_a_weak_password_is_refused_and_nothing_is_made(password: str) -> None:
    with pytest.raises(Refused) as caught:
        join(password=password)
    assert caught.value.field == "password"
    assert not User.objects.exists()


@pytest.mark.parametrize("taken", ["sai@example.org", "Hand@example.org"])
def test_whether_an_address_has_an_account_is_told_to_the_address_alone(taken: str) -> None:
    owner = join(mail="sai@example.org")
    confirm_mail(token=token_in_letter(), now=NOW)
    User.objects.create_user("by-hand", email="hand@example.org")
    other = join("Other", mail=taken.upper())
    free = join("Third", mail="free@example.org")
    told = [(one.account.mail != "", one.account.confirmed_at, one.email) for one in (other, free)]
    assert told[0] == told[1] == (True, None, "")
    assert "Someone, maybe you, gave this address for the account" in mail.outbox[-2].body
    assert "confirm it within" in mail.outbox[-1].body
    assert "/accounts/mail/" not in mail.outbox[-2].body
    with pytest.raises(Refused, match="This address belongs to another account"):
        confirm_mail(token=letter_token(other.account), now=NOW)
    owner.refresh_from_db()
    assert owner.email == "sai@example.org"


def test_of_two_who_claim_an_address_the_first_who_confirms_it_has_it() -> None:
    first, second = join(mail="sai@example.org"), join("Other", mail="sai@example.org")
    confirm_mail(token=letter_token(second.account), now=NOW)
    with pytest.raises(Refused, match="another account"):
        confirm_mail(token=letter_token(first.account), now=NOW)
    assert [user.email for user in User.objects.order_by("pk")] == ["", "sai@example.org"]


@pytest.mark.parametrize(
    "name", ["S\u0430i Rei", "S\u0430\u0456 R\u0435\u0456", "\uff33AI REI", "\u0405ai Rei", "Sai R\u0435i"]
)
def test_a_name_that_looks_like_anothers_is_refused(name: str) -> None:
    join()
    with pytest.raises(Refused, match="is taken") as caught:
        join(name)
    assert (caught.value.cites, caught.value.field) == ("1.6", "name")


def test_a_name_that_looks_like_that_of_somebody_without_an_account_row_is_refused() -> None:
    User.objects.create_user("Magistra")
    for name in ("Ma\u0261istra", "M\u0430gistra", "\uff2dAGISTRA", "Magi\u017ftra"):
        with pytest.raises(Refused, match="is taken"):
            join(name)
    assert join("Magistro").username == "Magistro"


def test_a_name_that_looks_like_a_judges_or_a_players_is_refused() -> None:
    make_teams()
    for name in ("D\u043et", "Judge b\u0430ttle"):
        with pytest.raises(Refused, match="looks too much like"):
            join(name)


@pytest.mark.parametrize(
    "name",
    ["admin", "System", "The Coalition Wargame", "Judge", "\u0430dmin", "Phyrexia", "Battle  Judge", "Der Dienst"],
)
def test_nobody_is_called_like_the_site_its_judges_or_a_team(name: str) -> None:
    with pytest.raises(Refused, match="could be mistaken for the site, its judges or a team"):
        join(name)


@pytest.mark.parametrize(
    "name",
    [
        *("Sai\u200bRei", "Sai\u202eRei", "Sai\u2066Rei", "Sai\u00adRei", "Sai\u3164Rei", "Sai\u034fRei"),
        *("Zalgo" + "\u0301" * 4, "Sai\ufe0fRei"),
    ],
)
def test_a_name_of_which_not_all_is_seen_is_refused(name: str) -> None:
    with pytest.raises(Refused) as caught:
        join(name)
    assert (caught.value.cites, caught.value.field) == ("1.6", "name")


@pytest.mark.parametrize(
    "name",
    [
        *("Zo\xeb", "Bj\xf8rn", "\u0141ukasz", "Nguy\u1ec5n Th\u1ecb", "\u0418\u0432\u0430\u043d", "O'Neill", "R2D2"),
        *("\u0399\u03ac\u03c3\u03c9\u03bd", "\u674e\u5c0f\u9f8d"),
    ],
)
def test_names_of_all_languages_are_welcome(name: str) -> None:
    assert join(name).username == name


def test_names_that_look_alike_already_stay_and_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    join()
    late = User.objects.create_user("S\u0430i Rei")
    User.objects.create_user("admin")
    assert change_mail(user=late, mail="late@example.org", now=NOW).skeleton is None
    call_command("check_names")
    told = capsys.readouterr().out
    assert "Look alike: Sai Rei (Sai Rei), S\\u0430i Rei" in told
    assert "its judges: admin" in told


def test_old_accounts_get_their_skeletons_and_none_is_lost() -> None:
    names = ("sai", "s\u0430i", "bo")
    rows = [Account.objects.create(user=User.objects.create_user(name), key=name) for name in names]
    import_module("judging.migrations.0003_names_that_look_alike").give_skeletons(apps, None)
    for row in rows:
        row.refresh_from_db()
    assert [row.skeleton for row in rows] == ["sai", None, "bo"]


@pytest.mark.parametrize("address", ["sai", "sai@", "sai@example.org\nBcc: x@example.org", "a b@example.org"])
def test_an_address_that_is_none_is_refused(address: str) -> None:
    with pytest.raises(Refused, match="not an email address"):
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
    with time_machine.travel(NOW + timedelta(days=3), tick=False), pytest.raises(Refused, match="has expired"):
        confirm_mail(token=token, now=NOW)
    with pytest.raises(Refused, match="damaged"):
        confirm_mail(token=token[:-2], now=NOW)
    with time_machine.travel(NOW, tick=False):
        change_mail(user=user, mail="rei@example.org", now=NOW)
        with pytest.raises(Refused, match="This email is for an address that your account no longer has"):
            confirm_mail(token=token, now=NOW)


def test_a_changed_address_is_confirmed_anew_and_an_empty_one_is_taken_away() -> None:
    user = join(mail="sai@example.org")
    confirm_mail(token=token_in_letter(), now=NOW)
    same = change_mail(user=user, mail="sai@example.org", now=NOW)
    assert same.confirmed_at == NOW
    changed = change_mail(user=user, mail="rei@example.org", now=NOW)
    user.refresh_from_db()
    assert (changed.unconfirmed, user.email) == ("rei@example.org", "sai@example.org"), "the old one stays until then"
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
    assert join("Other", mail="sai@example.org").account.mail == "sai@example.org"


def test_a_mail_server_that_is_down_stops_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*args: object, **kwargs: object) -> None:
        raise OSError("no route to host")

    monkeypatch.setattr("django.core.mail.EmailMessage.send", fail)
    assert join(mail="sai@example.org").account.mail == "sai@example.org"
