"""3.1, 4.1.1: mails as mail programs write them: each does what its writer meant, or nothing, and says so."""

from __future__ import annotations

import email
from datetime import datetime
from pathlib import Path

import pytest
from pytest_django import Settings

from judging.battles.models import Strat
from judging.command.control.writes import assign
from judging.mailbox.writes import mail_address_of, receive
from judging.turns.models import Post
from tests.services.test_mailbox import answers
from tests.services.world_of_tests import HOUR, World, begin, make_round

MAILS = Path(__file__).parent / "mails"
SALTBEARD, BRASSMONGER = "Old Saltbeard: 14H > 15H", "Brassmonger: 10K > 11K"
LONG = "Old Saltbeard: 14H > 16I (14H - 15H - 16H - 16I) > 18I > 20I > 22I > 24I"
ARMIES = {
    "Brassmonger": ("coalition", "10K", "captain"),
    "Old Saltbeard": ("coalition", "14H", "lieutenant"),
    "Sparkplug 64": ("coalition", "16L", "lieutenant"),
    "Rustbucket 9": ("coalition", "20B", "lieutenant"),
    "Gorewright": ("coalition", "30K", "captain"),
    "Xarthul": ("phyrexia", "2N", "evincar"),
    "Blackened Mirror": ("phyrexia", "30J", "evincar"),
    "Carrion Call": ("phyrexia", "25C", "centurion"),
    "Pale Apothecary": ("phyrexia", "22K", "centurion"),
}
CONTROL = {
    "Brassmonger": ("Old Saltbeard", "Sparkplug 64", "Rustbucket 9"),
    "Xarthul": ("Blackened Mirror", "Carrion Call"),
}


@pytest.fixture
def war(db: None, settings: Settings) -> World:
    """Two who play by mail; Blackened Mirror of one of them fights on 30K."""
    settings.MAIL_ORDERS, settings.DEFAULT_FROM_EMAIL = "orders@wargame.example", "wargame@wargame.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    world = begin(make_round(ARMIES))
    for name, armies in CONTROL.items():
        player = world.players[name]
        player.user.email = f"{name.lower()}@players.example"
        player.user.save()
        for army in armies:
            assign(round=world.round, army=world.army(army), player=player, now=world.turn.opened_at)
    world.post("Xarthul", "Blackened Mirror: 30J > 30K; engage Gorewright")
    assert world.settle() == "settled"
    return world


def receive_file(world: World, name: str, now: datetime) -> str:
    """Carries out one of the kept mails; what became of it."""
    raw = (MAILS / f"{name}.eml").read_bytes()
    for player in CONTROL:
        token = mail_address_of(player=world.players[player], now=now).token
        raw = raw.replace(f"SECRET-OF-{player.lower()}".encode(), token.encode())
    return receive(raw, now).outcome


def stored() -> list[str]:
    """What is in the thread of this turn, and all strats."""
    posts = Post.objects.filter(turn__number=2).order_by("pk")
    return [post.versions.get().text for post in posts] + [strat.text for strat in Strat.objects.all()]


def written(name: str) -> str:
    """The text of one of the kept mails."""
    payload = email.message_from_bytes((MAILS / f"{name}.eml").read_bytes()).get_payload(decode=True)
    assert isinstance(payload, bytes)
    return payload.decode().replace("\r\n", "\n").strip()


BOTH = f"{SALTBEARD}\n{BRASSMONGER}"


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("two-text-parts", f"{SALTBEARD}\n\n{BRASSMONGER}", ""),
        ("flowed-wrapped-at-arrow", LONG, ""),
        ("flowed-wrapped-name", f"Old Saltbeard: 14H > 15H; replace Rustbucket 9\n{BRASSMONGER}", ""),
        ("quote-html-portuguese", SALTBEARD, "taken for a quote"),
        ("quote-outlook-swedish", SALTBEARD, "5 lines were taken for a quote"),
        ("quote-japanese", SALTBEARD, "taken for a quote"),
        ("html-struck-out", SALTBEARD, "struck out or hidden:\n  Brassmonger: 10K > 11K"),
        ("html-nested-divs", BOTH, ""),
        ("html-table", BOTH, ""),
        ("empty-plain-part", BOTH, ""),
        ("charset-utf8mb4", SALTBEARD, ""),
        ("signature-with-arrows", BOTH, "Monger & Sons > Hardware > Sales"),
        ("attribution-kept", SALTBEARD, "B. Monger"),
        ("pgp-signed", SALTBEARD, "B."),
    ],
)
def test_orders_are_posted_without_what_else_a_mail_program_sends(war: World, name: str, text: str, told: str) -> None:
    assert receive_file(war, name, war.turn.opened_at + HOUR) == "done"
    assert ["\n".join(" ".join(line.split()) for line in each.split("\n")) for each in stored()] == [text]
    assert told in answers()[-1]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("question-without-orders", "begin the subject with “Talk”"),
        ("hard-wrapped-at-arrow", "“> 23H > 24H” may continue the route above"),
        ("winmail-alone", "winmail.dat"),
    ],
)
def test_what_is_not_certain_is_stored_nowhere_and_asked_about(war: World, name: str, told: str) -> None:
    assert receive_file(war, name, war.turn.opened_at + HOUR) in ("refused", "empty")
    assert stored() == []
    assert told in answers()[-1]


@pytest.mark.parametrize(
    "name",
    [
        "strat-with-rule",
        "strat-with-from-to-date",
        "strat-with-verse",
        "strat-over-8000",
        "strat-over-20000",
        "subject-my-strat-for",
        "subject-strats",
    ],
)
def test_a_strat_is_sent_whole_and_read_back(war: World, name: str) -> None:
    assert receive_file(war, name, war.turn.opened_at + HOUR) == "done"
    assert stored() == [written(name)]
    answer = answers()[-1]
    assert "Blackened Mirror for the battle on 30K" in answer
    assert f"{len(written(name)):,} characters" in answer
    assert f"Last line: “{written(name).splitlines()[-1]}”" in answer


def test_a_german_word_seals(war: World) -> None:
    assert receive_file(war, "sealed-in-german", war.turn.lock_at - HOUR / 2) == "done"
    assert Post.objects.get(turn__number=2).sealed
