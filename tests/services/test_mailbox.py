"""3.1: orders by mail: what is carried out, what is only logged, and what the answer says."""

import time
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
from django.core import mail as outbox
from pytest_django import Settings

from judging.accounts.models import note_bounce
from judging.battles.models import Strat
from judging.common.locking import Busy
from judging.email import services
from judging.email.models import Letter
from judging.inbound_email import parsing, quoting
from judging.inbound_email import services as mailbox
from judging.inbound_email.models import ReceivedMail
from judging.inbound_email.services import mail_address_of, receive
from judging.turns.models import Post
from tests.pages.test_busy import no_writing
from tests.services.test_locking import in_the_way
from tests.services.world_of_tests import HOUR, World

ORDER = "Ana: 3D > 4D"


@pytest.fixture
def now(world: World, settings: Settings) -> datetime:
    settings.MAIL_ORDERS = "orders@wargame.example"
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    user = world.players["Ana"].user
    user.email = "ana@home.example"
    user.save()
    return world.turn.opened_at + HOUR


def mail(
    world: World, now: datetime, text: str = ORDER, subject: str = "Orders", who: str = "Ana", **heads: str
) -> bytes:
    made = EmailMessage()
    token = mail_address_of(player=world.players[who], now=now).token
    given = {"From": "ana@home.example", "To": f"orders+{token}@wargame.example", "Subject": subject}
    given |= {"Message-ID": "<one@home.example>"} | {name.replace("_", "-"): value for name, value in heads.items()}
    for name, value in given.items():
        made[name] = value
    made.set_content(text)
    return made.as_bytes()


def texts() -> list[str]:
    return [post.versions.get().text for post in Post.objects.order_by("pk")]


def answers() -> list[str]:
    while services.send_next(datetime.now(UTC), {}, note_bounce):
        pass
    return [each.body for each in outbox.outbox]


def test_a_mail_is_posted_and_the_answer_says_how_each_line_was_understood(world: World, now: datetime) -> None:
    assert receive(mail(world, now, f"{ORDER}\nGood luck to all."), now).outcome == "done"
    assert texts() == [ORDER]
    [answer] = answers()
    assert "1. Ana: 3D > 4D" in answer
    assert "because they aren't orders:\n  Good luck to all." in answer


@pytest.mark.parametrize("name", ["To", "From", "Cc", "Reply-To", "Authentication-Results", "Content-Type", "Subject"])
def test_a_head_that_pythons_parser_breaks_on_is_an_outcome_like_another(
    world: World, now: datetime, name: str
) -> None:
    raw = f"{name}: {'(' * 1_000}\n".encode() + mail(world, now)
    assert receive(raw, now).outcome in ("unknown", "done", "unreadable", "automatic", "refused")


def test_quotes_and_signatures_are_cut(world: World, now: datetime) -> None:
    quoted = "On Mon, 2 Mar 2026 at 10:00, The War <x@y.example> wrote:\n> Gaz: 1A > 2B\n"
    text = f"{ORDER}\n\n-- \nAna of the Hills\n\n{quoted}"
    receive(mail(world, now, text), now)
    assert texts() == [ORDER]


def test_the_same_mail_twice_is_one_post(world: World, now: datetime) -> None:
    raw = mail(world, now)
    receive(raw, now)
    receive(raw, now + timedelta(minutes=5))
    assert len(texts()) == 1
    assert len(answers()) == 1


def test_a_mail_that_broke_off_in_the_middle_is_carried_out_when_it_comes_again(
    world: World, now: datetime, monkeypatch: pytest.MonkeyPatch
) -> None:
    raw = mail(world, now)
    with monkeypatch.context() as patched:
        patched.setattr(mailbox, "write_letter", lambda **letter: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            receive(raw, now)
    assert (texts(), ReceivedMail.objects.count()) == ([], 0)
    assert receive(raw, now + timedelta(minutes=5)).outcome == "done"
    assert (texts(), len(answers())) == ([ORDER], 1)


def test_a_mail_that_comes_while_others_write_is_not_refused_and_comes_again(world: World, now: datetime) -> None:
    raw = mail(world, now)
    with no_writing("judging_post", in_the_way(5)), pytest.raises(Busy):
        receive(raw, now)
    assert receive(raw, now + timedelta(minutes=1)).outcome == "done"
    assert (texts(), len(answers())) == ([ORDER], 1)


def test_a_sealed_mail_is_sealed(world: World, now: datetime) -> None:
    when = world.turn.lock_at - timedelta(minutes=30)
    receive(mail(world, now, subject="Re: Sealed"), when)
    [post] = Post.objects.all()
    assert post.sealed


def test_a_strat_is_sent_for_the_army_of_the_subject(world: World, now: datetime) -> None:
    world.post("Ana", "3D > 3F; engage Gaz")
    world.settle()
    when = world.turn.opened_at + HOUR
    receive(mail(world, when, "Hold the walls.", "AW: Strat Ana"), when)
    assert [strat.text for strat in Strat.objects.all()] == ["Hold the walls."]
    assert "SHA-256" in answers()[-1]


def test_the_servers_time_counts_and_not_the_mails(world: World, now: datetime) -> None:
    late = world.turn.lock_at + timedelta(minutes=2)
    row = receive(mail(world, now, Date="Mon, 01 Jan 2001 00:00:00 +0000"), late)
    assert row.outcome == "refused"
    assert texts() == []
    assert "locked" in answers()[0]


def test_lines_that_may_be_orders_and_are_none_are_told_and_nothing_is_stored(world: World, now: datetime) -> None:
    row = receive(mail(world, now, "Ana: 3D > > 4D"), now)
    assert (row.outcome, row.detail) == ("refused", "R8")
    assert texts() == []
    assert "We couldn't read “Ana: 3D > > 4D” as an order" in answers()[0]


@pytest.mark.parametrize(
    "heads",
    [
        {"Auto_Submitted": "auto-replied"},
        {"Precedence": "bulk"},
        {"Return_Path": "<>"},
        {"X_Autoreply": "yes"},
        {"List_Id": "<a.list.example>"},
    ],
)
def test_what_a_program_wrote_is_logged_and_not_answered(world: World, now: datetime, heads: dict[str, str]) -> None:
    assert receive(mail(world, now, **heads), now).outcome == "automatic"
    assert (texts(), answers()) == ([], [])


def test_a_letter_of_ours_that_comes_back_is_known(world: World, now: datetime) -> None:
    assert receive(mail(world, now, X_Wargame_Letter="1"), now).outcome == "loop"
    assert answers() == []


def test_a_bounce_is_known(world: World, now: datetime) -> None:
    raw = mail(world, now).replace(
        b"Content-Type: text/plain", b"Content-Type: multipart/report; boundary=x; x-was=text/plain"
    )
    assert receive(raw, now).outcome == "automatic"


SERVER = "mx.wargame.example"


@pytest.mark.parametrize(
    ("results", "outcome"),
    [
        ("dkim=pass header.d=home.example; dmarc=pass", "done"),
        ("dmarc=pass (p=reject; dis=none) header.from=home.example", "done"),
        ("spf=none; dkim=pass header.i=@home.example", "done"),
        ("dkim / 1 = pass header.d=home.example; dmarc=none", "done"),
        ("spf=pass smtp.mailfrom=ana@home.example", "done"),
        ("dkim=fail; dmarc=fail", "forged"),
        ("spf=fail", "forged"),
        ("none", "forged"),
        # What a sender writes into their own address, or into what servers quote of them
        ("dmarc=fail header.from=home.example; spf=fail smtp.mailfrom=arc=pass@evil.example", "forged"),
        ("dmarc=fail; spf=fail smtp.mailfrom=dmarc=pass@evil.example", "forged"),
        ('dmarc=fail; spf=fail smtp.mailfrom="x; dmarc=pass"@evil.example', "forged"),
        ("dmarc=fail; spf=fail smtp.mailfrom=x;dmarc=pass@evil.example", "forged"),
        ("dmarc=fail (seen; dmarc=pass (really) \\) ; dmarc=pass); spf=fail", "forged"),
        ("dmarc=fail; spf=fail smtp.mailfrom==?us-ascii?q?x=3B_dmarc=3Dpass_?=@evil.example", "forged"),
        ("dmarc=fail; spf=fail smtp.helo=x; dmarc=pass", "forged"),
        # What vouches for somebody else
        ("dkim=pass header.d=evil.example; dmarc=none", "forged"),
        ("dkim=pass header.d=evil-home.example", "forged"),
        ("spf=pass smtp.mailfrom=evil.example; dmarc=none", "forged"),
        ("dmarc=pass header.from=evil.example", "forged"),
        ("dmarc=fail; arc=pass", "forged"),
    ],
)
def test_a_mail_counts_if_the_server_vouches_for_the_domain_in_from(
    world: World, now: datetime, settings: Settings, results: str, outcome: str
) -> None:
    settings.MAIL_SERVER_NAME = SERVER
    raw = f"Authentication-Results: {SERVER} (v1); {results}\n".encode() + mail(world, now)
    assert receive(raw, now).outcome == outcome
    assert bool(texts()) == (outcome == "done")


def test_what_another_server_found_out_does_not_count(world: World, now: datetime, settings: Settings) -> None:
    settings.MAIL_SERVER_NAME = SERVER
    assert receive(mail(world, now, Authentication_Results="mx.evil.example; dmarc=pass"), now).outcome == "forged"


def test_a_mail_from_another_address_does_nothing_and_the_account_is_told(
    world: World, now: datetime, settings: Settings
) -> None:
    settings.MAIL_SERVER_NAME = SERVER
    raw = mail(world, now, From="owl@evil.example", Authentication_Results=f"{SERVER}; dmarc=pass")
    assert receive(raw, now).outcome == "forged"
    assert texts() == []
    [answer] = answers()
    assert "didn't come from your account's address (ana@home.example)" in answer


@pytest.mark.parametrize("sender", ["ana@home.example, owl@evil.example", "", "ana", "<@>", "(" * 1_000])
def test_a_mail_without_exactly_one_sender_does_nothing(
    world: World, now: datetime, settings: Settings, sender: str
) -> None:
    settings.MAIL_SERVER_NAME = SERVER
    raw = mail(world, now, Authentication_Results=f"{SERVER}; dmarc=pass")
    raw = raw.replace(b"From: ana@home.example", f"From: {sender}".encode())
    assert receive(raw, now).outcome == "forged"
    assert texts() == []


def test_results_below_the_servers_own_are_somebody_elses(world: World, now: datetime, settings: Settings) -> None:
    settings.MAIL_SERVER_NAME = SERVER
    raw = f"Authentication-Results: {SERVER}; dmarc=fail\n".encode() + mail(
        world, now, Authentication_Results=f"{SERVER}; dmarc=pass"
    )
    assert receive(raw, now).outcome == "forged"


def test_the_answer_goes_to_the_players_address_and_never_to_the_sender(world: World, now: datetime) -> None:
    raw = mail(world, now).replace(b"ana@home.example", b"eve@elsewhere.example")
    receive(raw, now)
    assert [letter.to for letter in Letter.objects.all()] == ["ana@home.example"]


def test_an_address_that_there_is_not_is_logged_and_not_answered(world: World, now: datetime) -> None:
    raw = mail(world, now)
    mail_address_of(player=world.players["Ana"], now=now, another=True)
    assert receive(raw, now).outcome == "unknown"
    assert answers() == []


def test_a_mail_of_twenty_megabytes_is_told_and_costs_nothing(world: World, now: datetime) -> None:
    raw = mail(world, now) + b"x" * 20_000_000
    began = time.perf_counter()
    assert receive(raw[: parsing.LARGEST + 1], now).outcome == "large"
    assert time.perf_counter() - began < 2
    assert "Your email is larger than" in answers()[0]
    assert texts() == []


def test_attachments_are_told_and_not_read(world: World, now: datetime) -> None:
    made = EmailMessage()
    token = mail_address_of(player=world.players["Ana"], now=now).token
    made["To"], made["From"] = f"orders+{token}@wargame.example", "ana@home.example"
    made.set_content(ORDER)
    made.add_attachment(b"Ana: 3D > 5D", maintype="application", subtype="octet-stream", filename="orders.bin")
    receive(made.as_bytes(), now)
    assert texts() == [ORDER]
    assert "We don't read attachments" in answers()[0]


def test_more_than_thirty_mails_an_hour_are_not_read_and_that_is_said_once(world: World, now: datetime) -> None:
    for place in range(33):
        last = receive(mail(world, now, f"Ana: 3D > {place}D", Message_ID=f"<{place}@home.example>"), now)
    assert last.outcome == "many"
    assert len(texts()) == 30
    assert sum("more than 30 emails in an hour" in answer for answer in answers()) == 1


@pytest.mark.parametrize("pattern", ["On \n", "\n", "> ", "On Mon wrote:\n", "-- \n", "<b>"])
def test_a_hostile_text_costs_little(pattern: str) -> None:
    began = time.perf_counter()
    quoting.own_words(pattern * (200_000 // len(pattern)))
    assert time.perf_counter() - began < 3


@pytest.mark.parametrize(
    "raw", [b"", b"\0" * 100, b"\xff\xfe" * 300, b"Content-Type: multipart/mixed\n\n", b"To: =?x?y?z?=\n\nhello"]
)
def test_whatever_comes_is_logged(world: World, now: datetime, raw: bytes) -> None:
    assert receive(raw, now).outcome in ReceivedMail.Outcome.values


def test_html_is_read_as_text(world: World, now: datetime) -> None:
    made = EmailMessage()
    token = mail_address_of(player=world.players["Ana"], now=now).token
    made["To"], made["From"] = f"orders+{token}@wargame.example", "ana@home.example"
    made.set_content("<p>Ana: 3D &gt; 4D</p><script>alert(1)</script>", subtype="html")
    receive(made.as_bytes(), now)
    assert texts() == [ORDER]
