"""3.1, 4.1.1: mails as mail programs write them: each does what its writer meant, or nothing, and says so."""

import contextlib
import email
import time
from datetime import datetime
from email.message import EmailMessage
from pathlib import Path

import pytest
from pytest_django import Settings

from judging.battles.models import Strat
from judging.command.control.services import assign
from judging.common.errors import Refused
from judging.common.locking import is_writing
from judging.inbound_email import orders, parsing, quoting
from judging.inbound_email.orders import asked_in
from judging.inbound_email.services import mail_address_of, receive
from judging.turns.models import Post
from judging.turns.posts.queries import preview_lines
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
        ("quote-html-portuguese", SALTBEARD, "as a quote and ignored"),
        ("quote-outlook-swedish", SALTBEARD, "We treated 5 lines"),
        ("quote-japanese", SALTBEARD, "as a quote and ignored"),
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


def send(world: World, subject: str, text: str, now: datetime, who: str = "Brassmonger", kind: str = "plain") -> str:
    """Receives a mail; what became of it."""
    made = EmailMessage()
    token = mail_address_of(player=world.players[who], now=now).token
    made["From"], made["To"], made["Subject"] = "them@players.example", f"orders+{token}@wargame.example", subject
    made["Message-ID"] = f"<{len(subject)}-{len(text)}@players.example>"
    made.set_content(text, subtype=kind)
    return receive(made.as_bytes(), now).outcome


@pytest.mark.parametrize(
    ("subject", "asks"),
    [
        *((subject, "post") for subject in ("", "Orders", "Befehle für Zug 4", "Re: Turn 4", "Trial: your mail")),
        *(
            (subject, "post")
            for subject in ("[EXTERNAL] AW: Orders", "Brassmonger's orders", "RES: Trial, turn 4: ...")
        ),
        *(
            (subject, "strat")
            for subject in ("Strat X", "Strats X", "Strat. X", "My strat for X (turn 4)", "Strat – X")
        ),
        *((subject, "strat") for subject in ("[EXTERNAL] Strat X", "RES: Strat X", "Battle strategy X", "STRATÉGIE")),
        *((subject, "strat") for subject in ("Schlachtplan X", "Orders and strat", "Sealed strat", "Ｓｔｒａｔ X")),
        *((subject, "sealed") for subject in ("Sealed", "Re: Secret orders", "Versiegelt", "Geheime Befehle", "🔒")),
        *((subject, "talk") for subject in ("Talk", "Re: Talk about the north", "Gespräch")),
        *((subject, "unknown") for subject in ("Question", "Confidential", "Strаt X", "Not sealed", "Plan for turn 4")),
        *((subject, "unknown") for subject in ("Orders of The Secret Hand", "Trialogue", "Seal", "🤷")),
    ],
)
def test_a_subject_asks_for_one_thing_or_nothing_is_certain(subject: str, asks: str) -> None:
    assert asked_in(subject, "Trial", ("Brassmonger", "The Secret Hand", "Seal")) == asks


@pytest.mark.parametrize("subject", ["Strat", "Strat of Gorwright", "Strat Blackened Mirror or Carrion Call"])
def test_a_strat_that_names_no_army_is_asked_about(war: World, subject: str) -> None:
    now = war.turn.opened_at + HOUR
    outcome = send(war, subject, "The reserve waits.", now, "Xarthul")
    if "Mirror" in subject:  # of the two that it names, one fights
        assert (outcome, stored()) == ("done", ["The reserve waits."])
    else:
        assert (outcome, stored()) == ("refused", [])
        assert "with the subject “Strat Blackened Mirror”" in answers()[-1]


def test_a_strat_of_nothing_but_orders_is_asked_about(war: World) -> None:
    now = war.turn.opened_at + HOUR
    assert (
        send(war, "Re: Trial: the strat for Blackened Mirror is due", "Carrion Call: hold", now, "Xarthul") == "refused"
    )
    assert stored() == []
    assert "contains only orders" in answers()[-1]


@pytest.mark.parametrize("length", [50_000, 50_001])
def test_a_strat_may_be_as_long_as_by_the_form(war: World, length: int) -> None:
    text = "\n".join(["x" * 98] * 600)[:length]
    outcome = send(war, "Strat Blackened Mirror", text, war.turn.opened_at + HOUR, "Xarthul")
    assert (outcome, stored()) == (("done", [text]) if length == 50_000 else ("refused", []))
    assert ("50,000 characters" if length == 50_000 else "has 50,001 characters") in answers()[-1]


def test_of_a_strat_only_a_quote_of_the_services_own_mail_is_cut(war: World) -> None:
    own = (
        "The plan\n---\n\n> No mercy.\n\nAs on 1 Mar 2026 at 10:00 they@home.example wrote:\n> Strike first.\n\nWe do."
    )
    ours = (
        "On Mon, 2 Mar 2026 at 10:00, The Wargame <wargame@wargame.example> wrote:\n> Your strat is due.\n> - Hurry.\n"
    )
    assert send(war, "Strat Blackened Mirror", f"{own}\n\n{ours}", war.turn.opened_at + HOUR, "Xarthul") == "done"
    assert stored() == [own]
    assert "We treated 3 lines" in answers()[-1]


@pytest.mark.parametrize("charset", ["utf-8", "x-unknown", "us-ascii"])
def test_bytes_of_another_charset_are_read_as_windows_writes_them(war: World, charset: str) -> None:
    now = war.turn.opened_at + HOUR
    token = mail_address_of(player=war.players["Xarthul"], now=now).token
    head = (
        f"From: them@players.example\nTo: orders+{token}@wargame.example\nSubject: Strat Blackened Mirror\n"
        f"Content-Type: text/plain; charset={charset}\nContent-Transfer-Encoding: 8bit\n\n"
    )
    assert receive(head.encode() + "“Wait” – then charge.".encode("cp1252"), now).outcome == "done"
    assert stored() == ["“Wait” – then charge."]


def test_lines_with_colons_right_above_a_quoted_header_are_the_senders(war: World) -> None:
    quote = "From: The Wargame <wargame@wargame.example>\nSent: Thursday, November 26, 2026 9:00 AM\nTo: X\n\nTurn 2"
    text = f"First: wait\nThen: charge\n{quote}"
    assert send(war, "Strat Blackened Mirror", text, war.turn.opened_at + HOUR, "Xarthul") == "done"
    assert stored() == ["First: wait\nThen: charge"]


def test_html_of_a_strat_keeps_block_quotes_and_says_what_is_struck_out(war: World) -> None:
    text = "<p>First</p><blockquote>No mercy.<br>None.</blockquote><p>Go <s>left</s> right.</p>"
    assert send(war, "Strat Blackened Mirror", text, war.turn.opened_at + HOUR, "Xarthul", "html") == "done"
    assert stored() == ["First\n\n> No mercy.\n> None.\n\nGo ~~left~~ right."]


@pytest.mark.parametrize(
    "text",
    [
        f"{SALTBEARD}\n\nPlease keep this secret.",
        f"Bitte versiegeln, geheim!\n\n{SALTBEARD}",
        f"My strat:\n\nThe reserve waits.\n\n{SALTBEARD}",
    ],
)
def test_orders_beside_a_word_of_secrets_are_not_published(war: World, text: str) -> None:
    assert send(war, "Orders", text, war.turn.opened_at + HOUR) == "refused"
    assert stored() == []
    assert "tell who should be able to read your email" in answers()[-1]


@pytest.mark.parametrize("subject", ["", "Orders", "Re: Trial: Blackened Mirror fights on 30K", "Blackened Mirror"])
def test_of_a_strat_under_another_subject_nothing_but_orders_is_posted(war: World, subject: str) -> None:
    text = "We wait behind the hill.\nBlackened Mirror: hold\nThe top slot goes for the kill.\nCarrion Call: hold"
    send(war, subject, text, war.turn.opened_at + HOUR, "Xarthul")
    assert stored() == ["Blackened Mirror: hold\nCarrion Call: hold"]
    assert "because they aren't orders:\n  We wait behind the hill.\n  The top slot goes for the kill." in answers()[-1]


def test_what_stands_below_a_line_like_a_signatures_is_part_of_a_strat(war: World) -> None:
    text = "The reserve waits.\n\n-- \nIf they flee, it rides."
    assert send(war, "Strat Blackened Mirror", text, war.turn.opened_at + HOUR, "Xarthul") == "done"
    assert stored() == [text]


def test_talk_is_posted_by_its_subject_alone_and_never_with_orders(war: World) -> None:
    now = war.turn.opened_at + HOUR
    assert send(war, "Talk", "Well met.\n\nMay Old Saltbeard live long.", now) == "done"
    assert stored() == ["Well met.\n\nMay Old Saltbeard live long."]
    assert send(war, "Talk", f"Well met.\n{SALTBEARD}", now) == "refused"


def test_behind_the_last_order_a_line_that_may_be_an_order_still_refuses(war: World) -> None:
    now = war.turn.opened_at + HOUR
    assert send(war, "Orders", f"{SALTBEARD}\n\nBrasmonger: 10K >> 11K", now) == "refused"
    assert stored() == []


@pytest.mark.parametrize(
    "html",
    [
        f"{'<div>' * 300}{SALTBEARD.replace('>', '&gt;')}",
        "<b>x</b>" * 30_000,
        f"<p style='padding-left:99999999em;margin-top:99999999em'>{SALTBEARD.replace('>', '&gt;')}</p>",
        "<table><tr><td>" * 60 + "x<br>" * 8_000,
        f"<table><tr><td>{'y' * 100_000}</td></tr>{'<tr><td>x</td></tr>' * 5_000}</table>",
        "<ul><li>" * 110 + "x<br>" * 8_000,
    ],
)
def test_html_that_would_be_endless_costs_little(war: World, html: str) -> None:
    began = time.perf_counter()
    assert send(war, "Orders", html, war.turn.opened_at + HOUR, kind="html") in ("done", "refused", "unreadable")
    assert time.perf_counter() - began < 10
    assert stored() in ([], [SALTBEARD])


@pytest.mark.parametrize(
    "raw",
    [
        b"".join(b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(5_000)),
        b"Subject: " + b"=?utf-8?q?a?= " * 40_000 + b"\n\nhello",
        b"To: " + b"<" * 200_000 + b"\n\nhello",
        b"X: y\n" * 100_000 + b"\nhello",
        b"Content-Type: text/plain; charset=punycode\n\n" + b"a-" * 200_000,
    ],
)
def test_a_mail_of_endless_heads_or_parts_costs_little(raw: bytes) -> None:
    began = time.perf_counter()
    head = parsing.head_of(raw)
    parsing.tokens_of(head)
    parsing.digest_of(head, raw)
    with contextlib.suppress(Refused):
        parsing.written_in(raw)
    assert time.perf_counter() - began < 5


def test_a_mail_is_read_before_anything_is_locked(war: World, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []
    monkeypatch.setattr(parsing, "own_words", lambda text: seen.append(is_writing()) or quoting.own_words(text))
    monkeypatch.setattr(orders, "preview_lines", lambda *given: seen.append(is_writing()) or preview_lines(*given))
    assert send(war, "Orders", SALTBEARD, war.turn.opened_at + HOUR) == "done"
    assert set(seen) == {False}


def test_encrypted_mail_is_named(war: World) -> None:
    text = "-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----"
    assert send(war, "Strat Blackened Mirror", text, war.turn.opened_at + HOUR, "Xarthul") == "unreadable"
    assert "encrypted" in answers()[-1]
