"""3.1, T9.6: the pages on which somebody has an address for orders, or for moves, by mail."""

import re
from collections.abc import Iterator

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from judging.inbound_email.models import MailAddress, ReceivedMail, SeatAddress
from judging.tables.models import Seat
from tests.pages.playing import Game as Round
from tests.pages.playing import game
from tests.services.tables_of_tests import OPENED, Game, person, running

__all__ = ["game"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def table() -> Iterator[Game]:
    with time_machine.travel(OPENED, tick=False):
        yield running()


@pytest.fixture
def mail(settings: Settings) -> None:
    settings.MAIL_ORDERS = "orders@wargame.example"


def at_table(who: str) -> Client:
    found = Client()
    User.objects.filter(pk=person(who).pk).update(email=f"{who}@home.example")
    found.force_login(person(who), backend="django.contrib.auth.backends.ModelBackend")
    return found


def page_of(table: Game) -> str:
    return reverse("table-mailbox", args=[table.table.slug])


def test_who_sits_makes_an_address_and_another_one(table: Game, mail: None) -> None:
    client = at_table("Ana")
    assert "Create my address" in client.get(page_of(table)).content.decode()
    assert client.post(page_of(table)).status_code == 302
    first = SeatAddress.objects.get(seat=table.seat("Ana")).token
    assert f"orders+{first}@wargame.example" in client.get(page_of(table)).content.decode()
    client.post(page_of(table))
    assert SeatAddress.objects.get(seat=table.seat("Ana")).token != first
    assert "orders+" not in at_table("Bo").get(page_of(table)).content.decode()


def test_an_account_that_cant_be_answered_has_no_address(table: Game, mail: None) -> None:
    client = at_table("Ana")
    User.objects.update(email="")
    assert "Your account has no email address" in client.get(page_of(table)).content.decode()
    answer = client.post(page_of(table))
    assert (answer.status_code, SeatAddress.objects.count()) == (422, 0)
    assert "Add an email address to your account first" in answer.content.decode()


def test_who_takes_a_seat_over_reads_nothing_of_the_mails_of_who_sat_there(table: Game, mail: None) -> None:
    client, seat = at_table("Ana"), table.seat("Ana")
    client.post(page_of(table))
    ReceivedMail.objects.create(seat=seat, digest="d", at=OPENED, size=1, outcome="refused", detail="T9.3")
    assert "refused" in client.get(page_of(table)).content.decode()
    Seat.objects.filter(pk=seat.pk).update(user=person("Cy"))
    shown = at_table("Cy").get(page_of(table)).content.decode()
    assert "refused" not in shown
    assert "orders+" not in shown
    assert client.get(page_of(table)).status_code == 403


def test_the_table_leads_there_and_only_who_sits_gets_in(table: Game, mail: None) -> None:
    assert page_of(table) in at_table("Ana").get(reverse("table", args=[table.table.slug])).content.decode()
    assert page_of(table) not in Client().get(reverse("table", args=[table.table.slug])).content.decode()
    assert at_table("Cy").get(page_of(table)).status_code == 403
    assert Client().get(page_of(table)).status_code == 302
    assert at_table("Ana").get(reverse("table-mailbox", args=["nowhere"])).status_code == 404


def test_a_site_without_a_mailbox_says_so_and_refuses(table: Game) -> None:
    client = at_table("Ana")
    assert "accept orders by email" in client.get(page_of(table)).content.decode()
    assert client.post(page_of(table)).status_code == 422
    assert not SeatAddress.objects.exists()


def test_the_thread_leads_a_player_to_his_address(game: Round, mail: None) -> None:
    client, slug = game.client("Ana"), game.world.round.slug
    User.objects.update(email="ana@home.example")
    assert reverse("mailbox", args=[slug]) in client.get(reverse("movement", args=[slug])).content.decode()
    assert client.post(reverse("mailbox", args=[slug])).status_code == 302
    [address] = MailAddress.objects.all()
    shown = client.get(reverse("mailbox", args=[slug])).content.decode()
    assert re.search(rf"<code>orders\+{address.token}@wargame\.example</code>", shown)
