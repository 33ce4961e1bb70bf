"""3.1, 1.3: messages on the boards: written, edited, withdrawn by their authors, hidden by moderators, and read."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Max

from judging.boards.models import BoardThread, Mention, Message, MessageVersion, ReadMark
from judging.boards.reads.boards import Board, Readers, boards_for, may_moderate, may_read, why_not_write
from judging.game import locking
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.texts import checked_text, checked_token, utc
from judging.game.viewer import Viewer
from wargame.models import Judge

MAX_MESSAGE = 20_000
MAX_REASON = 2_000
SAME_AGAIN = timedelta(minutes=1)
"""Within this the same text by the same author is the same message, whichever form it came from."""


@locking.writes
def write_message(*, viewer: Viewer, board: Board, text: str, token: str, now: datetime) -> Message:
    """3.1: writes on a board. The same form sent twice makes one message, and so does the same text within a minute.

    Refused for who does not write there (1.6), and for a text that is empty or too long. Whom it names is told.
    """
    text = checked_text(text, what="message", most=MAX_MESSAGE, cites="")
    user = _checked_writer(viewer, board)
    token = checked_token(token)
    thread = _held(viewer, board)
    own = Message.objects.filter(thread=thread, author=user)
    before = (
        own.filter(token=token).first()
        or own.filter(text=text, at__gt=now - SAME_AGAIN, withdrawn_at__isnull=True, hidden_at__isnull=True).last()
    )
    if before is not None:
        return before
    last = Message.objects.filter(thread=thread).aggregate(last=Max("number"))["last"] or 0
    message = Message.objects.create(
        thread=thread,
        number=last + 1,
        author=user,
        player=viewer.player,
        name=_name_of(viewer, user),
        roles=sorted(viewer.roles) if board.is_public else [],
        at=now,
        text=text,
        token=token,
    )
    _name_people(viewer, board, message)
    return message


@locking.writes
def edit_message(
    *, viewer: Viewer, board: Board, message: Message, text: str, base_version: int, now: datetime
) -> Message:
    """3.1: a new text for one's own message, written on top of version `base_version`; the old one is kept.

    The same text again changes nothing. Refused for anybody but the author, for what he withdrew, for a text that is
    empty or too long, and if it was edited since `base_version`.
    """
    text = checked_text(text, what="message", most=MAX_MESSAGE, cites="")
    held = _own(viewer, board, message, "edits")
    if held.text == text:
        return held
    if held.withdrawn_at is not None:
        raise Refused(f"You withdrew this message at {utc(held.withdrawn_at)}. Write it anew.")
    if held.version != base_version:
        raise Refused(
            f"You edited this message in another window: it is at version {held.version} now, and this edit began from "
            f"version {base_version}. What you wrote here is kept in the form; look at the newer version first."
        )
    since = held.edited_at or held.at
    MessageVersion.objects.create(message=held, number=held.version, text=held.text, at=since)
    held.text, held.version, held.edited_at = text, held.version + 1, now
    held.save(update_fields=["text", "version", "edited_at"])
    _name_people(viewer, board, held)
    return held


@locking.writes
def withdraw_message(*, viewer: Viewer, board: Board, message: Message, now: datetime) -> Message:
    """3.1: takes one's own message back. It is kept with its versions, and others don't read it any more; once more
    changes nothing. Refused for anybody but the author."""
    held = _own(viewer, board, message, "withdraws")
    if held.withdrawn_at is None:
        held.withdrawn_at = now
        held.save(update_fields=["withdrawn_at"])
    return held


@locking.writes
def hide_message(*, viewer: Viewer, board: Board, message: Message, reason: str, now: datetime) -> Message:
    """1.3: a moderator hides a message, with a reason that all readers of the board see. Its author still reads it.

    A judge's act on a public board is in the log. What leaders do on a private one is not: the log is for everybody.
    """
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    held, by = _moderated(viewer, board, message)
    if held.hidden_at is not None:
        raise Refused(f"{held.hidden_by} has hidden this message already.", "1.3")
    held.hidden_at, held.hidden_by, held.hidden_because = now, by, reason
    held.save(update_fields=["hidden_at", "hidden_by", "hidden_because"])
    _record(viewer, board, "board.hidden", held, reason, now)
    return held


@locking.writes
def show_message(*, viewer: Viewer, board: Board, message: Message, reason: str, now: datetime) -> Message:
    """1.3: a moderator shows a hidden message again, with a reason."""
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    held, _ = _moderated(viewer, board, message)
    if held.hidden_at is None:
        raise Refused("This message is not hidden.", "1.3")
    held.hidden_at, held.hidden_by, held.hidden_because = None, "", ""
    held.save(update_fields=["hidden_at", "hidden_by", "hidden_because"])
    _record(viewer, board, "board.shown", held, reason, now)
    return held


@locking.writes
def mark_read(*, viewer: Viewer, board: Board, until: datetime, shown: Collection[int], now: datetime) -> None:
    """3.1: the viewer has read a board up to what was written at `until`, and seen the messages of the numbers `shown`.

    Never backwards. Nothing is stored for who is not logged in, nor where nothing changes.
    """
    if viewer.user_id is None or not may_read(viewer.player, board):
        return
    unseen = Mention.objects.filter(user_id=viewer.user_id, seen_at__isnull=True, message__number__in=shown)
    unseen.filter(message__thread__round=viewer.round, message__thread__key=board.key).update(seen_at=now)
    until = min(until, now)
    rows = ReadMark.objects.filter(round=viewer.round, board=board.key, user_id=viewer.user_id)
    mark = rows.first()
    if mark is None:
        ReadMark.objects.bulk_create(
            [ReadMark(round=viewer.round, board=board.key, user_id=viewer.user_id, until=until)], ignore_conflicts=True
        )
    elif mark.until < until:
        rows.filter(until__lt=until).update(until=until)


@locking.writes
def mark_all_read(*, viewer: Viewer, now: datetime) -> None:
    """3.1: the viewer has read all that he may read, up to now."""
    boards = boards_for(viewer)
    for board in boards:
        mark_read(viewer=viewer, board=board, until=now, shown=(), now=now)
    keys = [board.key for board in boards]
    unseen = Mention.objects.filter(user_id=viewer.user_id or 0, seen_at__isnull=True, message__thread__key__in=keys)
    unseen.filter(message__thread__round=viewer.round).update(seen_at=now)


def _held(viewer: Viewer, board: Board) -> BoardThread:
    """The board's thread, held until the transaction ends, so that its messages are numbered one after the other."""
    BoardThread.objects.get_or_create(round=viewer.round, key=board.key)
    return locking.hold(BoardThread.objects, round=viewer.round, key=board.key)


def _checked_writer(viewer: Viewer, board: Board) -> User:
    if not may_read(viewer.player, board):
        raise Refused("There is no such board for you.", "1.6")
    why, cites = why_not_write(viewer, board)
    if why:
        raise Refused(why, cites)
    return _user(viewer)


def _own(viewer: Viewer, board: Board, message: Message, does: str) -> Message:
    _checked_writer(viewer, board)
    held = locking.hold(Message.objects, pk=message.pk)
    if held.author_id != viewer.user_id:
        raise Refused(f"Only its author {does} a message.", "1.6")
    return held


def _moderated(viewer: Viewer, board: Board, message: Message) -> tuple[Message, str]:
    """The message, held, and who moderates it."""
    if not may_moderate(viewer, board):
        who = "judges of this round" if board.is_public else "leaders who read this board"
        raise Refused(f"Only the {who} hide or show messages of others.", "1.3")
    held = locking.hold(Message.objects, pk=message.pk)
    if held.withdrawn_at is not None:
        raise Refused("Its author has withdrawn this message; nobody else reads it any more.", "1.3")
    return held, _judge_name(viewer) if board.is_public else _name_of(viewer, _user(viewer))


def _user(viewer: Viewer) -> User:
    return User.objects.get(pk=viewer.user_id or 0)


def _judge_name(viewer: Viewer) -> str:
    judge = Judge.objects.filter(round=viewer.round, user_id=viewer.user_id or 0).order_by("pk").first()
    return judge.name if judge else ""


def _name_of(viewer: Viewer, user: User) -> str:
    """1.6: the name under which somebody takes part in the round; who does not, goes by his log-in."""
    return viewer.player.name if viewer.player else _judge_name(viewer) or user.get_username()


def _name_people(viewer: Viewer, board: Board, message: Message) -> None:
    """Those whom the message names, and nobody else, are told of it; who was told before is not told again."""
    named = Readers(viewer.round, board).named_in(message.text) - {message.author_id}
    message.mentions.exclude(user_id__in=named).delete()
    Mention.objects.bulk_create([Mention(message=message, user_id=pk) for pk in sorted(named)], ignore_conflicts=True)


def _record(viewer: Viewer, board: Board, action: str, message: Message, reason: str, now: datetime) -> None:
    if board.is_public:
        data = {"board": board.title, "message": message.number, "by": message.name, "reason": reason}
        record(viewer.round, _user(viewer), action, data, now)
