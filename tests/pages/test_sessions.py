"""1.6: who is logged in sees in which browsers, and ends one or all others."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from django_otp.plugins.otp_totp.models import TOTPDevice

from judging.accounts.sessions.models import BrowserSession
from judging.accounts.sessions.queries import browser_name
from tests.pages.playing import PASSWORD, Game, game, said

__all__ = ["game"]

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 Version/17.5 Safari/604.1"


@pytest.fixture
def ana(game: Game) -> User:
    user: User = game.world.players["Ana"].user
    user.set_password(PASSWORD)
    user.save()
    return user


def browser(user: User, agent: str = FIREFOX) -> Client:
    client = Client(headers={"User-Agent": agent})
    assert client.post(reverse("login"), {"username": user.username, "password": PASSWORD}).status_code == 302
    return client


def is_in(client: Client) -> bool:
    return client.get(reverse("account")).status_code == 200


def press(client: Client, act: str) -> str:
    return said(client.post(reverse("sessions"), {"act": act}, follow=True))


def test_the_account_page_lists_the_browsers_and_names_this_one(game: Game, ana: User) -> None:
    here, _ = browser(ana), browser(ana, IPHONE)
    page = said(here.get(reverse("account")))
    assert "Firefox on Linux this browser" in page
    assert "Safari on iPhone" in page


def test_a_log_in_whose_code_is_missing_is_marked(game: Game, ana: User) -> None:
    here = browser(ana)
    TOTPDevice.objects.create(user=ana, confirmed=True)
    browser(ana, IPHONE)
    page = said(here.get(reverse("account")))
    assert "Safari on iPhone password entered, code missing" in page
    assert page.count("password entered, code missing") == 1


def test_one_of_them_or_all_others_are_ended(game: Game, ana: User) -> None:
    here, phone, third = browser(ana), browser(ana, IPHONE), browser(ana)
    row = BrowserSession.objects.get(browser="Safari on iPhone")
    assert "Safari on iPhone is logged out." in press(here, f"end {row.pk}")
    assert (is_in(here), is_in(phone), is_in(third)) == (True, False, True)
    assert "That browser is already logged out" in press(here, f"end {row.pk}")
    assert "Other sessions ended: 1." in press(here, "others")
    assert (is_in(here), is_in(third)) == (True, False)


def test_nobody_ends_somebody_elses(game: Game, ana: User) -> None:
    hers = browser(ana)
    row = BrowserSession.objects.get()
    other = game.client("Gaz")
    assert "That browser is already logged out" in press(other, f"end {row.pk}")
    press(other, "others")
    assert is_in(hers)


def test_all_others_end_also_those_that_were_noted_nowhere(game: Game, ana: User) -> None:
    here, old = browser(ana), browser(ana)
    BrowserSession.objects.exclude(key=here.cookies["sessionid"].value).delete()
    press(here, "others")
    assert (is_in(here), is_in(old)) == (True, False)


def test_a_session_is_noted_at_the_log_in_and_then_every_ten_minutes(game: Game, ana: User) -> None:
    client, began = browser(ana), timezone.now()

    def writes_after(minutes: int) -> bool:
        game.go_to(began + timedelta(minutes=minutes))
        with CaptureQueriesContext(connection) as asked:
            assert is_in(client)
        return any("judging_browsersession" in query["sql"] and "UPDATE" in query["sql"] for query in asked)

    assert [writes_after(minutes) for minutes in (0, 9, 10, 15, 20)] == [False, False, True, False, True]
    row = BrowserSession.objects.get()
    assert (row.first_seen, row.last_seen) == (began, began + timedelta(minutes=20))


def test_a_session_from_before_is_noted_when_it_is_used(game: Game, ana: User) -> None:
    client = browser(ana)
    BrowserSession.objects.all().delete()
    session = client.session
    del session["noted"]
    session.save()
    assert is_in(client)
    assert BrowserSession.objects.get().user == ana


def test_a_changed_password_ends_the_others_and_this_one_stays_in_the_list(game: Game, ana: User) -> None:
    here, other = browser(ana), browser(ana)
    new = "three owls on a wire"
    here.post(reverse("password"), {"old_password": PASSWORD, "new_password1": new, "new_password2": new})
    assert (is_in(here), is_in(other)) == (True, False)
    assert "this browser" in said(here.get(reverse("account")))


def test_who_logs_out_is_in_no_list(game: Game, ana: User) -> None:
    client = browser(ana)
    client.post(reverse("logout"))
    assert not BrowserSession.objects.exists()


def test_rows_of_sessions_that_are_over_are_tidied_away_at_the_next_log_in(game: Game, ana: User) -> None:
    browser(ana)
    Session.objects.all().delete()
    browser(ana, IPHONE)
    assert [row.browser for row in BrowserSession.objects.all()] == ["Safari on iPhone"]


@pytest.mark.parametrize(
    ("agent", "told"), [(FIREFOX, "Firefox on Linux"), ("", "a browser"), ("x" * 9000, "a browser")]
)
def test_a_browser_has_a_rough_name(agent: str, told: str) -> None:
    assert browser_name(agent) == told
