"""1.2: what is old, hidden, damaged or cannot be told keeps nothing else from being told."""

from collections.abc import Iterator

import pytest
from django.contrib.auth.models import User

from judging.boards.models import Mention, Message
from judging.boards.queries.boards import BOARDS
from judging.boards.services import write_message
from judging.common.errors import Refused
from judging.common.notify import News
from judging.common.viewer import viewer_of
from judging.notifications import delivery, gathering, reminders
from judging.notifications.models import Gathered, Notification
from judging.notifications.services import tell
from judging.people.deletion import delete_account
from tests.services.hearing import kinds_of, listen, news, sentences, with_mail
from tests.services.world_of_tests import HOUR, LOCK, UNLOCK, WEEK, World, token
from wargame.models import Round, Turn

pytestmark = pytest.mark.django_db


def test_what_is_old_when_it_is_first_read_is_history(world: World) -> None:
    listen(world)
    world.settle()
    assert gathering.gather(world.turn.opened_at + WEEK) == 0


def test_a_message_that_names_a_thousand_is_refused_with_their_number_and_nobody_is_told(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    listen(world)
    monkeypatch.setattr("judging.boards.services.MOST_NAMED", 2)
    text = "@Ben @Gaz @Hex " * 1000
    ana = viewer_of(world.players["Ana"].user, world.round)
    with pytest.raises(Refused, match="Yours names 3"):
        write_message(viewer=ana, board=BOARDS["talk"], text=text, token=token(), now=UNLOCK)
    assert gathering.gather(UNLOCK) == 0


def test_turns_shorter_than_a_reminder_have_none() -> None:
    opened, lock = UNLOCK, UNLOCK + 3 * HOUR
    assert reminders.hours_left((24, 4), lock, opened, lock - HOUR) is None
    assert reminders.hours_left((24, 4), lock + 2 * HOUR, opened, lock) == 4
    assert reminders.hours_left((24, 4), lock, opened - 2 * WEEK, lock + HOUR) is None


def test_others_are_told_no_more_how_somebody_was_called_whose_account_is_deleted(world: World) -> None:
    listen(world)
    ana, ben = world.players["Ana"], world.players["Ben"]
    viewer = viewer_of(ben.user, world.round)
    write_message(viewer=viewer, board=BOARDS["talk"], text="Hm, @Ana.", token=token(), now=UNLOCK)
    gathering.gather(UNLOCK)
    assert "Ben" in sentences(ana)[0]
    name = delete_account(user=ben.user, by=None, reason="He asked.", renames_all=False, now=UNLOCK + HOUR)
    assert sentences(ana)[0] == f"{name} mentioned you on Open board."
    assert "Ben" not in str(list(Notification.objects.values_list("data", flat=True)))


def test_what_is_hidden_or_taken_back_before_it_is_read_is_told_to_nobody(world: World) -> None:
    listen(world)
    ana, ben = (world.players[name] for name in ("Ana", "Ben"))
    board = BOARDS["talk"]
    first = write_message(viewer=viewer_of(ana.user, world.round), board=board, text="Hm.", token=token(), now=UNLOCK)
    quote = f"> **Ana** [wrote](/rounds/trial/boards/talk/{first.number}/):\n>\n> Hm.\n\nYes, @Gaz."
    for gone in ({"hidden_at": UNLOCK}, {"withdrawn_at": UNLOCK}):
        said = write_message(
            viewer=viewer_of(ben.user, world.round), board=board, text=quote, token=token(), now=UNLOCK
        )
        Message.objects.filter(pk=said.pk).update(**gone)
    gathering.gather(UNLOCK)
    assert (kinds_of(ana), kinds_of(world.players["Gaz"])) == ([], [])


def test_a_row_that_cannot_be_told_keeps_nothing_else_from_being_told(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    listen(world)
    ana = viewer_of(world.players["Ana"].user, world.round)
    for text in ("@Gaz, first.", "@Gaz, damaged.", "@Ben, last."):
        write_message(viewer=ana, board=BOARDS["talk"], text=text, token=token(), now=UNLOCK)
    talk = gathering._talk

    def breaks(user: int, kind: str, message: Message) -> News:
        if "damaged" in message.text:
            raise KeyError("no such thing")
        return talk(user, kind, message)

    monkeypatch.setattr(gathering, "_talk", breaks)
    assert gathering.gather(UNLOCK) == 2
    assert "Notifying people of row" in caplog.text
    assert (kinds_of(world.players["Gaz"]), kinds_of(world.players["Ben"])) == (["talk.named"], ["talk.named"])
    assert Gathered.objects.get(source="mentions").seen == sorted(Mention.objects.values_list("pk", flat=True))
    caplog.clear()
    gathering.gather(UNLOCK)
    assert "Notifying people of row" not in caplog.text, "it is noted as read"


def test_a_damaged_round_is_reminded_of_nothing_and_keeps_what_it_was_told(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    now, of_turn, broken = LOCK - 3 * HOUR, reminders._of_turn, [True]

    def breaks(turn: Turn, running: reminders._Running) -> Iterator[News]:
        if turn.number == 99 or broken[0]:
            raise ValueError("no map")
        yield from of_turn(turn, running)

    monkeypatch.setattr(reminders, "_of_turn", breaks)
    assert reminders.remind(now) == 0
    assert "reminders for round trial failed" in caplog.text
    broken[0] = False
    turn = world.turn
    turn.pk, turn.round_id, turn.number = None, copy_of(world.round).pk, 99
    turn.save()
    told = reminders.remind(now)
    assert told > 0, "the other round is reminded"
    broken[0] = True
    reminders.remind(now)
    assert Notification.objects.filter(read_at__isnull=True).count() == told, "what is not known is not taken back"


def copy_of(round_: Round) -> Round:
    """Another round that is played, which comes before the others."""
    other = Round.objects.get(pk=round_.pk)
    other.pk, other.name, other.slug = 0, "Damaged", "damaged"
    other.save()
    return other


def test_somebody_whose_letter_fails_keeps_no_other_from_his(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ana, ben = world.players["Ana"], world.players["Ben"]
    for player in (ana, ben):
        with_mail(player, preset="all")
    tell([news(ana.user_id), news(ben.user_id)], UNLOCK)
    writes = delivery._write
    first = min(ana.user_id, ben.user_id)

    def breaks(user: User, *given: object) -> None:
        if user.pk == first:
            raise ValueError("no letter")
        writes(user, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(delivery, "_write", breaks)
    assert delivery.deliver(UNLOCK + HOUR) == 1
    assert "could not be sent" in caplog.text
    assert Notification.objects.get(mail_due__isnull=False).user_id == first, "and is tried again"
