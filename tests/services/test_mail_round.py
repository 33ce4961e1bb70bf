"""3.1, 4.1.1, T9.6: turns and a card table, played by mail alone: the mail server speaks SMTP, the mailbox IMAP."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from email import message_from_string
from email.message import EmailMessage, Message
from email.policy import default
from io import BytesIO, StringIO, TextIOWrapper

import pytest
import time_machine
from django.core.management import CommandError, call_command
from pytest_django import Settings

from judging.accounts.models import note_bounce
from judging.battles.models import Battle, Result, Strat
from judging.common import locking
from judging.common.positions import position_of
from judging.email import services
from judging.email.models import Letter
from judging.inbound_email import services as mailbox
from judging.inbound_email.models import ReceivedMail
from judging.inbound_email.services import another_seat_address, mail_address_of
from judging.turns.models import Post
from tests.services import tables_of_tests as tables
from tests.services.post_office import PostOffice, post_office
from tests.services.world_of_tests import HOUR, World

HOME = "wargame.example"


@pytest.fixture(scope="module")
def servers() -> Iterator[PostOffice]:
    with post_office(HOME) as found:
        yield found


@pytest.fixture
def office(servers: PostOffice, world: World, settings: Settings) -> PostOffice:
    """The servers as the service knows them; whoever plays has an address of his own at home."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", servers.smtp
    settings.MAIL_ORDERS, settings.MAIL_IMAP = f"orders@{HOME}", servers.address
    for name, player in world.players.items():
        player.user.email = f"{name.lower()}@home.example"
        player.user.save()
    servers.delivered.clear()
    servers.finds = ""
    return servers


def mail(world: World, who: str, text: str, subject: str = "Orders", number: int = 1, **heads: str) -> EmailMessage:
    """What a player's mail program writes, with his signature."""
    made = EmailMessage()
    token = mail_address_of(player=world.players[who], now=world.turn.opened_at).token
    made["From"], made["To"] = f"{who} <{who.lower()}@home.example>", f"orders+{token}@{HOME}"
    made["Subject"], made["Message-ID"] = subject, f"<{who}-{world.turn.number}-{number}-{token}@home.example>"
    for name, value in heads.items():
        made[name.replace("_", "-")] = value
    made.set_content(f"{text}\n\n-- \n{who}, commander\n")
    return made


def answered(box: str, seen: Message, text: str, number: int) -> EmailMessage:
    """What a mail program makes of an answer: below what is written it quotes what was read."""
    made = EmailMessage()
    made["From"], made["To"], made["Subject"] = str(seen["To"]), box, f"Re: {seen['Subject']}"
    made["Message-ID"], made["In-Reply-To"] = f"<{number}@home.example>", str(seen["Message-ID"])
    quoted = "\n".join(f"> {line}" for line in text_of(seen).splitlines())
    made.set_content(f"{text}\n\nOn Mon, 2 Mar 2026 at 10:00, {seen['From']} wrote:\n{quoted}\n")
    return made


def text_of(mail: Message) -> str:
    return "\n".join(str(mail.get_payload(decode=True), "utf-8").splitlines())


def fetched(now: datetime) -> list[str]:
    """What `manage.py receive_mail --imap` says of each mail."""
    told = StringIO()
    with time_machine.travel(now, tick=False):
        call_command("receive_mail", "--imap", stdout=told)
        while services.send_next(now, {}, note_bounce):
            pass
    return told.getvalue().split()


def answers(office: PostOffice, who: str) -> list[Message]:
    return [
        message_from_string(each, policy=default) for each in office.delivered.get(f"{who.lower()}@home.example", [])
    ]


def at(world: World, name: str) -> str:
    return str(position_of(world.turn).by_name[name].at)


def test_two_turns_are_played_by_mail_alone(world: World, office: PostOffice) -> None:
    now = world.turn.opened_at + HOUR
    office.send(mail(world, "Ana", "Ana: 3D > 3F; engage Gaz\nTo arms!"), "ana@home.example")
    office.send(mail(world, "Ben", "Ben: 10D > 11D"), "ben@home.example")
    office.send(mail(world, "Hex", "20F > > 21F"), "hex@home.example")
    assert fetched(now) == ["done", "done", "refused"]
    assert fetched(now) == [], "a mail that was carried out is not fetched again"
    assert "because they aren't orders:\n  To arms!" in str(answers(office, "Ana")[0])
    assert "as an order. There is no square after" in str(answers(office, "Hex")[0])
    office.send(mail(world, "Hex", "Hex: 20F > 21F", number=2), "hex@home.example")
    sealed = world.turn.lock_at - timedelta(minutes=30)
    assert fetched(sealed) == ["done"]
    assert world.settle() == "settled"
    battle = Battle.objects.get(turn=world.turn)
    assert {name: at(world, name) for name in ("Ben", "Hex")} == {"Ben": "11D", "Hex": "21F"}

    now = battle.announced_at + HOUR
    office.send(mail(world, "Ana", "Ana holds the ridge.", "Strat Ana"), "ana@home.example")
    office.send(mail(world, "Gaz", "Gaz goes round it.", "Re: Strat Gaz"), "gaz@home.example")
    assert fetched(now) == ["done", "done"]
    ana, gaz = Strat.objects.order_by("text")
    assert ana.text.startswith("Ana holds the ridge.")
    assert gaz.text.startswith("Gaz goes round it.")
    digest = ana.sha256
    assert digest in "".join(str(answers(office, "Ana")[-1]).replace("=\n", "").split("\n"))
    world.score(battle)
    assert Result.objects.filter(battle=battle).exists()
    office.send(mail(world, "Ben", "Ben: 11D > 12D", "Sealed"), "ben@home.example")
    assert fetched(world.turn.lock_at - timedelta(minutes=20)) == ["done"]
    assert Post.objects.get(turn=world.turn).sealed
    assert world.settle() == "settled"
    assert at(world, "Ben") == "12D"


def test_a_vacations_answer_to_our_answer_ends_it(world: World, office: PostOffice) -> None:
    now = world.turn.opened_at + HOUR
    office.send(mail(world, "Ana", "Ana: 3D > 4D"), "ana@home.example")
    fetched(now)
    assert len(answers(office, "Ana")) == 1
    away = mail(world, "Ana", "I am away.", "Automatic reply", number=2, Auto_Submitted="auto-replied")
    back = mail(
        world, "Ana", "As you sent it.", "Fwd", number=3, X_Wargame_Letter=answers(office, "Ana")[0]["X-Wargame-Letter"]
    )
    for each in (away, back):
        office.send(each, "ana@home.example")
    assert fetched(now) == ["automatic", "loop"]
    assert (len(answers(office, "Ana")), Letter.objects.count(), Post.objects.count()) == (1, 1, 1)


def test_a_mail_that_breaks_stays_in_the_box_and_keeps_nobody_elses_from_being_read(
    world: World, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = world.turn.opened_at + HOUR
    office.send(mail(world, "Ana", "Ana: 3D > 4D"), "ana@home.example")
    office.send(mail(world, "Ben", "Ben: 10D > 11D"), "ben@home.example")
    with monkeypatch.context() as patched:
        real = mailbox.act_of
        patched.setattr(mailbox, "act_of", lambda player, *more: 1 / 0 if player.name == "Ana" else real(player, *more))
        assert fetched(now) == ["left", "unread", "done"]
    assert fetched(now) == ["done"]
    assert Post.objects.count() == 2


def test_a_mail_that_fails_twice_is_set_aside(
    world: World, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = world.turn.opened_at + HOUR
    office.send(mail(world, "Ana", "Ana: 3D > 4D"), "ana@home.example")
    monkeypatch.setattr(mailbox, "act_of", lambda *mail: 1 / 0)
    assert fetched(now) == ["left", "unread"]
    assert fetched(now) == ["unreadable"]
    assert fetched(now) == []
    assert "Nothing was saved" in str(answers(office, "Ana")[0])


def test_a_mail_that_only_waits_for_the_database_is_never_set_aside(
    world: World, office: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = world.turn.opened_at + HOUR
    office.send(mail(world, "Ana", "Ana: 3D > 4D"), "ana@home.example")
    with monkeypatch.context() as patched:
        patched.setattr(mailbox, "act_of", busy)
        for _ in range(3):
            assert fetched(now) == ["left", "unread"]
    assert fetched(now) == ["done"]


def busy(*mail: object) -> None:
    raise locking.Busy(passes=True)


@pytest.mark.parametrize("breaks", [False, True])
def test_a_mail_servers_pipe_is_asked_to_try_again_and_never_fails(
    world: World,
    office: PostOffice,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    breaks: bool,
) -> None:
    raw = mail(world, "Ana", "Ana: 3D > 4D").as_bytes()
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(raw)))
    if not breaks:
        call_command("receive_mail")
        assert ReceivedMail.objects.get().size == len(raw)
        return
    monkeypatch.setattr(mailbox, "act_of", lambda *mail: 1 / 0)
    with pytest.raises(SystemExit) as ended:
        call_command("receive_mail")
    assert (ended.value.code, Post.objects.count()) == (75, 0)
    monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(raw)))
    call_command("receive_mail")
    assert "unreadable" in capsys.readouterr().out


def test_whoever_forges_a_sender_moves_nobody(world: World, office: PostOffice, settings: Settings) -> None:
    settings.MAIL_SERVER_NAME, office.finds = HOME, "spf=fail; dkim=none; dmarc=fail"
    forged = mail(world, "Ana", "Ana: 3D > 4D", Authentication_Results=f"{HOME}; dmarc=pass")
    office.send(forged, "eve@elsewhere.example")
    assert fetched(world.turn.opened_at + HOUR) == ["forged"]
    assert (Post.objects.count(), office.delivered) == (0, {})


def test_of_twenty_megabytes_one_is_read_and_the_next_mail_comes_through(world: World, office: PostOffice) -> None:
    now = world.turn.opened_at + HOUR
    large = mail(world, "Ana", "Ana: 3D > 4D")
    large.add_attachment(b"x" * 15_000_000, maintype="application", subtype="octet-stream", filename="map.bin")
    office.send(large, "ana@home.example")
    office.send(mail(world, "Ben", "Ben: 10D > 11D"), "ben@home.example")
    assert fetched(now) == ["large", "done"]
    assert ReceivedMail.objects.get(outcome="large").size == 1_000_001
    assert "Your email is larger than" in str(answers(office, "Ana")[0]).replace("=\n", "")
    assert Post.objects.get().player.name == "Ben"


def test_a_mailbox_that_lets_nobody_in_or_is_away_is_one_sentence(
    world: World, office: PostOffice, settings: Settings
) -> None:
    for address in (office.address.replace("a%20word", "another"), "imap://orders:word@127.0.0.1:1/INBOX"):
        settings.MAIL_IMAP = address
        with pytest.raises(CommandError, match="The mailbox in MAIL_IMAP can't be read") as told:
            fetched(world.turn.opened_at)
        assert "\n" not in str(told.value)
        assert "word" not in str(told.value)


def test_a_card_table_is_played_to_its_end_by_mail_alone(servers: PostOffice, db: None, settings: Settings) -> None:
    """Each reads his mails and nothing else: what he writes is a line that the last one offers him."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", servers.smtp
    settings.MAIL_ORDERS, settings.MAIL_IMAP = f"orders@{HOME}", servers.address
    servers.delivered.clear()
    servers.finds = ""
    game = tables.running()
    tokens = {name: another_seat_address(seat=game.seat(name), now=game.now).token for name in ("Ana", "Bo")}

    def last_read(who: str) -> Message:
        return message_from_string(servers.delivered[tables.person(who).email][-1], policy=default)

    def write(who: str, text: str) -> list[str]:
        game.now += timedelta(minutes=3)
        own, number = f"orders+{tokens[who]}@{HOME}", ReceivedMail.objects.count()
        sent = answered(own, last_read(who), text, number)
        servers.send(sent, tables.person(who).email)
        return fetched(game.now)

    for who, token in tokens.items():
        first = EmailMessage()
        first["From"], first["To"], first["Message-ID"] = who, f"orders+{token}@{HOME}", f"<first-{who}@home.example>"
        first.set_content("What is there to do?")
        servers.send(first, tables.person(who).email)
    assert fetched(game.now) == ["refused", "refused"]
    for turn in range(4):
        who = game.waited()
        if turn:
            write(who, "?")  # what the other one did is news to him
        offered = text_of(last_read(who)).partition("several as a plan:\n")[2]
        line = offered.splitlines()[0].strip()
        assert write(who, line) == ["done"]
        assert f"1. {line}: " in text_of(last_read(who))
    assert write("Bo", "?") == ["refused"]
    assert write("Bo", "concede!") == ["done"]
    assert game.row().state == "over"
    assert "Ana" in text_of(last_read("Bo"))
