"""3.1, 1.3, 1.6: Messages, topics and private conversations: writing, editing, withdrawing and moderating."""

import secrets
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Max, Q
from django.utils.translation import gettext

from judging.boards.models import BoardThread, Conversation, Mention, Message, MessageVersion, Participant, Topic
from judging.boards.queries.boards import (
    PRESS,
    Board,
    Readers,
    board_for,
    boards_for,
    may_moderate,
    may_read,
    press_board,
    press_for,
    why_no_press,
    why_not_write,
)
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.models import GENERAL, WHOLE, ReadMark
from judging.common.texts import checked_text, checked_token, utc
from judging.common.viewer import Viewer
from wargame.models import Judge, Player
from wargame.models.choices import RoundState

MAX_MESSAGE = 20_000
MAX_REASON = 2_000
MOST_NAMED = 20
"""How many people one message can mention; with more it would call everybody, which a board does anyway."""

MAX_TITLE = 120
SAME_AGAIN = timedelta(minutes=1)
"""Within this time, the same text by the same author is the same message, from any form."""


@locking.writes
def write_message(
    *, viewer: Viewer, board: Board, text: str, token: str, now: datetime, topic: int = GENERAL
) -> Message:
    """3.1: Write in a topic of a board. The same form sent twice creates one message, and so does the same text within
    a minute.

    Raises Refused for users who can't write there (1.6), for a closed topic, and for a text that is empty or too long.
    People whom it mentions are notified.
    """
    text = checked_text(text, what="message", most=MAX_MESSAGE, cites="")
    user = _checked_writer(viewer, board)
    token = checked_token(token)
    thread = _held_thread(viewer, board)
    _check_topic(thread, topic)
    return written(viewer, user, board, thread, topic, text, token, now)


@locking.writes
def begin_topic(*, viewer: Viewer, board: Board, title: str, text: str, token: str, now: datetime) -> Message:
    """3.1: Begin a topic of a board with its first message, which is returned. The same form sent twice begins one.

    Raises Refused like a message, and for a title that is empty, too long or already used on the board.
    """
    title = checked_title(title)
    text = checked_text(text, what="message", most=MAX_MESSAGE, cites="")
    user = _checked_writer(viewer, board)
    if board.is_press:
        raise Refused(gettext("Conversations have no topics. Start another one."), "1.6")
    token = checked_token(token)
    thread = _held_thread(viewer, board)
    if before := Message.objects.filter(thread=thread, author=user, token=token).first():
        return before
    _check_title(thread, title)
    last = Topic.objects.filter(thread=thread).aggregate(last=Max("number"))["last"] or GENERAL
    topic = Topic.objects.create(thread=thread, number=last + 1, title=title)
    return written(viewer, user, board, thread, topic.number, text, token, now)


@locking.writes
def change_topic(
    *,
    viewer: Viewer,
    board: Board,
    number: int,
    now: datetime,
    is_pinned: bool | None = None,
    is_closed: bool | None = None,
    title: str | None = None,
) -> Topic:
    """1.3: A moderator pins, closes or opens a topic, or gives it another title; None: no change. An act without
    effect changes nothing. A judge's act on a public board is in the log."""
    if not may_moderate(viewer, board):
        raise Refused(
            gettext("Only %(moderators)s can pin and close topics.") % {"moderators": _moderators(board)}, "1.3"
        )
    topic = locking.hold(Topic.objects, thread=_held_thread(viewer, board), number=number)
    does, before = [], topic.title
    if is_pinned is not None and is_pinned != bool(topic.pinned_at):
        topic.pinned_at = now if is_pinned else None
        does.append("pin" if is_pinned else "unpin")
    if is_closed is not None and is_closed != bool(topic.closed_at):
        topic.closed_at = now if is_closed else None
        does.append("close" if is_closed else "open")
    if title is not None and (new := checked_title(title)) != topic.title:
        _check_title(topic.thread, new, topic)
        topic.title = new
        does.append("title")
    topic.save(update_fields=["pinned_at", "closed_at", "title"])
    for each in does if board.is_public else ():
        data = {"board": board.name, "topic": topic.title, "before": before, "does": each}
        record(viewer.round, _user(viewer), "board.topic", data, now)
    return topic


def written(
    viewer: Viewer, user: User, board: Board, thread: BoardThread, topic: int, text: str, token: str, now: datetime
) -> Message:
    """3.1: A message with a checked text, on a board whose thread is locked, or new."""
    messages = Message.objects.filter(thread=thread, author=user)
    before = (
        messages.filter(token=token).first()
        or messages.filter(
            topic=topic, text=text, at__gt=now - SAME_AGAIN, withdrawn_at__isnull=True, hidden_at__isnull=True
        ).last()
    )
    if before is not None:
        return before
    last = Message.objects.filter(thread=thread).aggregate(last=Max("number"))["last"] or 0
    message = Message.objects.create(
        thread=thread,
        number=last + 1,
        topic=topic,
        author=user,
        player=viewer.player,
        name=name_of(viewer, user),
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
    """3.1: Set a new text for one's own message, on top of version `base_version`; the old one is stored.

    The same text again changes nothing. Raises Refused for anybody but the author, for a withdrawn message, for a text
    that is empty or too long, and if it was edited since `base_version`.
    """
    text = checked_text(text, what="message", most=MAX_MESSAGE, cites="")
    row = _held_own_message(viewer, board, message, gettext("Only its author can edit a message."))
    if row.text == text:
        return row
    if row.withdrawn_at is not None:
        raise Refused(
            gettext("You withdrew this message at %(time)s. Write a new one.") % {"time": utc(row.withdrawn_at)}
        )
    if row.version != base_version:
        raise Refused(
            gettext(
                "You edited this message in another window. It is now at version %(version)s; this edit is based "
                "on version %(base_version)s. Your text is still in the form. Look at the newer version first."
            )
            % {"version": row.version, "base_version": base_version}
        )
    since = row.edited_at or row.at
    MessageVersion.objects.create(message=row, number=row.version, text=row.text, at=since)
    row.text, row.version, row.edited_at = text, row.version + 1, now
    row.save(update_fields=["text", "version", "edited_at"])
    _name_people(viewer, board, row)
    return row


@locking.writes
def withdraw_message(*, viewer: Viewer, board: Board, message: Message, now: datetime) -> Message:
    """3.1: Withdraw one's own message. It is stored with its versions, and others can no longer read it; again
    changes nothing. Raises Refused for anybody but the author."""
    row = _held_own_message(viewer, board, message, gettext("Only its author can withdraw a message."))
    if row.withdrawn_at is None:
        row.withdrawn_at = now
        row.save(update_fields=["withdrawn_at"])
    return row


@locking.writes
def hide_message(*, viewer: Viewer, board: Board, message: Message, reason: str, now: datetime) -> Message:
    """1.3: A moderator hides a message, with a reason that all readers of the board see. Its author can still read it.

    A judge's act on a public board is in the log. Acts of leaders on a private one are not: the log is for everybody.
    """
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    row, by = _moderated(viewer, board, message)
    if row.hidden_at is not None:
        raise Refused(gettext("%(hidden_by)s has already hidden this message.") % {"hidden_by": row.hidden_by}, "1.3")
    row.hidden_at, row.hidden_by, row.hidden_because = now, by, reason
    row.save(update_fields=["hidden_at", "hidden_by", "hidden_because"])
    _record(viewer, board, "board.hidden", row, reason, now)
    return row


@locking.writes
def show_message(*, viewer: Viewer, board: Board, message: Message, reason: str, now: datetime) -> Message:
    """1.3: a moderator shows a hidden message again, with a reason."""
    reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3", field="reason")
    row, _ = _moderated(viewer, board, message)
    if row.hidden_at is None:
        raise Refused(gettext("This message is not hidden."), "1.3")
    row.hidden_at, row.hidden_by, row.hidden_because = None, "", ""
    row.save(update_fields=["hidden_at", "hidden_by", "hidden_because"])
    _record(viewer, board, "board.shown", row, reason, now)
    return row


def moderate_message(*, viewer: Viewer, board: Board, message: Message, shows: bool, reason: str, now: datetime) -> str:
    """1.3: Show a hidden message again, or hide it; returns the success message."""
    moderated = show_message if shows else hide_message
    moderated(viewer=viewer, board=board, message=message, reason=reason, now=now)
    sentence = gettext("Message %(number)s is visible again.") if shows else gettext("Message %(number)s is hidden.")
    return sentence % {"number": message.number}


@locking.writes
def mark_read(
    *,
    viewer: Viewer,
    board: Board,
    until: datetime,
    shown: Collection[int] = (),
    up_to: int = 0,
    now: datetime,
    topic: int = GENERAL,
) -> None:
    """3.1: Mark a topic of a board as read for the viewer up to `until`, and its messages as seen: those with the
    numbers `shown`, and all up to the number `up_to`.

    Never backwards. Nothing is stored for anonymous users, or if nothing changes.
    """
    if viewer.user_id is None or not may_read(viewer.player, board):
        return
    is_seen = Q(message__number__in=shown) | Q(message__number__lte=up_to)
    unseen = Mention.objects.filter(is_seen, user_id=viewer.user_id, seen_at__isnull=True, message__topic=topic)
    unseen.filter(message__thread__round=viewer.round, message__thread__key=board.key).update(seen_at=now)
    until = min(until, now)
    place = {"round": viewer.round, "board": board.key, "topic": topic, "user_id": viewer.user_id}
    rows = ReadMark.objects.filter(**place)
    mark = rows.first()
    if mark is None:
        ReadMark.objects.bulk_create([ReadMark(**place, until=until)], ignore_conflicts=True)
    elif mark.until < until:
        rows.filter(until__lt=until).update(until=until)


@locking.writes
def mark_all_read(*, viewer: Viewer, now: datetime) -> None:
    """3.1: Mark all boards that the viewer can read as read up to now."""
    if viewer.user_id is None:
        return
    boards = [*boards_for(viewer), *press_for(viewer).values()]
    rows = [
        ReadMark(round=viewer.round, board=board.key, topic=WHOLE, user_id=viewer.user_id, until=now)
        for board in boards
    ]
    places = ["user", "round", "board", "topic"]
    ReadMark.objects.bulk_create(rows, update_conflicts=True, unique_fields=places, update_fields=["until"])
    keys = [board.key for board in boards]
    unseen = Mention.objects.filter(user_id=viewer.user_id, seen_at__isnull=True, message__thread__key__in=keys)
    unseen.filter(message__thread__round=viewer.round).update(seen_at=now)


def checked_title(title: str) -> str:
    """The title in one line. Raises Refused if it is empty, too long, or can't be stored."""
    title = checked_text(title, what="title", most=MAX_TITLE, cites="", field="title")
    return " ".join(title.split())


def _check_topic(thread: BoardThread, number: int) -> None:
    if number == GENERAL:
        return
    topic = Topic.objects.filter(thread=thread, number=number).first()
    if topic is None:
        raise Refused(gettext("There is no such topic on this board."), "", "topic")
    if topic.closed_at is not None:
        raise Refused(
            gettext("This topic was closed at %(time)s. A moderator can open it again.")
            % {"time": utc(topic.closed_at)},
            "1.3",
        )


def _check_title(thread: BoardThread, title: str, topic: Topic | None = None) -> None:
    topics = Topic.objects.filter(thread=thread, title__iexact=title)
    if topic is not None:
        topics = topics.exclude(pk=topic.pk)
    if (other := topics.first()) is not None:
        raise Refused(
            gettext("This board already has a topic “%(title)s”. Write there, or choose another title.")
            % {"title": other.title},
            "",
            "title",
        )


def _held_thread(viewer: Viewer, board: Board) -> BoardThread:
    """The board's thread, locked until the transaction ends, so that its messages are numbered one after the other."""
    BoardThread.objects.get_or_create(round=viewer.round, key=board.key)
    return locking.hold(BoardThread.objects, round=viewer.round, key=board.key)


def _checked_writer(viewer: Viewer, board: Board) -> User:
    now_there = board_for(viewer, board.key) if board.is_press else board  # who is in a conversation is read anew
    if now_there is None or not may_read(viewer.player, now_there):
        raise Refused(gettext("No such board, or you can't read it."), "1.6")
    why, cites = why_not_write(viewer, now_there)
    if why:
        raise Refused(why, cites)
    return _user(viewer)


def _held_own_message(viewer: Viewer, board: Board, message: Message, else_told: str) -> Message:
    _checked_writer(viewer, board)
    row = locking.hold(Message.objects, pk=message.pk)
    if row.author_id != viewer.user_id:
        raise Refused(else_told, "1.6")
    return row


def _moderated(viewer: Viewer, board: Board, message: Message) -> tuple[Message, str]:
    """The message, locked, and the moderator's name."""
    if not may_moderate(viewer, board):
        raise Refused(
            gettext("Only %(moderators)s can hide or show others' messages.") % {"moderators": _moderators(board)},
            "1.3",
        )
    row = locking.hold(Message.objects, pk=message.pk)
    if row.withdrawn_at is not None:
        raise Refused(gettext("Its author has withdrawn this message. No one else can read it."), "1.3")
    return row, judge_name(viewer) if board.is_public else name_of(viewer, _user(viewer))


def _moderators(board: Board) -> str:
    return gettext("judges of this round") if board.is_public else gettext("leaders who read this board")


def _user(viewer: Viewer) -> User:
    return User.objects.get(pk=viewer.user_id or 0)


def judge_name(viewer: Viewer) -> str:
    """1.3: The name under which the viewer judges the round; empty if they don't."""
    judge = Judge.objects.filter(round=viewer.round, user_id=viewer.user_id or 0).order_by("pk").first()
    return judge.name if judge else ""


def name_of(viewer: Viewer, user: User) -> str:
    """1.6: The viewer's name in the round; for others their username."""
    return viewer.player.name if viewer.player else judge_name(viewer) or user.get_username()


def _name_people(viewer: Viewer, board: Board, message: Message) -> None:
    """Notify the people whom the message mentions, and nobody else; those already notified are not notified again."""
    ids = Readers(viewer.round, board).named_in(message.text) - {message.author_id}
    if len(ids) > MOST_NAMED:
        raise Refused(
            gettext(
                "A message can name up to %(number)s people, who are all notified. Yours names %(named)s. Name "
                "fewer people, or leave out the @."
            )
            % {"number": MOST_NAMED, "named": len(ids)},
            "3.1",
            "text",
        )
    message.mentions.exclude(user_id__in=ids).delete()
    Mention.objects.bulk_create([Mention(message=message, user_id=pk) for pk in sorted(ids)], ignore_conflicts=True)


def _record(viewer: Viewer, board: Board, action: str, message: Message, reason: str, now: datetime) -> None:
    if board.is_public:
        data = {"board": board.name, "message": message.number, "by": message.name, "reason": reason}
        record(viewer.round, _user(viewer), action, data, now)


MOST_PEOPLE = 12
"""How many people can be in a conversation."""

MOST_BEGUN = 20
WITHIN = timedelta(hours=1)
"""The period of the limit on new conversations by one user."""


@locking.writes
def begin_conversation(
    *, viewer: Viewer, names: Iterable[str], title: str, text: str, token: str, now: datetime
) -> Message:
    """1.6: Begin a conversation with players of the round, by their names, with its first message, which is returned.
    The same form sent twice begins one.

    Raises Refused for users who do not play, for players whom the round forbids it, for unknown names, for a recipient
    who blocks the writer, and for too many people or conversations.
    """
    title = checked_title(title) if title.strip() else ""
    text = checked_text(text, what="message", most=MAX_MESSAGE, cites="")
    token = checked_token(token)
    if viewer.player is None or viewer.user_id is None:
        raise Refused(gettext("Private messages are only for players in this round."), "1.6")
    if viewer.round.state == RoundState.ARCHIVE:
        raise Refused(gettext("This is an archive of a round played elsewhere. You can't write here."))
    people = _people(viewer.player, names)
    player = locking.hold(Player.objects, pk=viewer.player.pk)
    messages = Message.objects.filter(author=viewer.user_id, number=1, thread__conversation__isnull=False)
    messages = messages.filter(thread__round=viewer.round)
    if before := messages.filter(token=token).first():
        return before
    if why := why_no_press(viewer, people):
        raise Refused(why, "1.6", "to")
    if messages.filter(at__gt=now - WITHIN).count() >= MOST_BEGUN:
        raise Refused(
            gettext("You started %(number)s conversations within an hour. Wait a while, then try again.")
            % {"number": MOST_BEGUN},
            "1.6",
        )
    thread = BoardThread.objects.create(round=viewer.round, key=f"{PRESS}{secrets.token_hex(6)}")
    conversation = Conversation.objects.create(thread=thread, title=title, begun_at=now)
    everybody = tuple(sorted((player, *people), key=lambda each: each.name))
    Participant.objects.bulk_create([Participant(conversation=conversation, player=each) for each in everybody])
    user = User.objects.get(pk=viewer.user_id)
    return written(viewer, user, press_board(thread.key, title, everybody), thread, GENERAL, text, token, now)


@locking.writes
def leave_conversation(*, viewer: Viewer, board: Board, now: datetime) -> None:
    """1.6: The viewer leaves a conversation, and can't read or write there any more; nobody can bring them back.
    Again changes nothing."""
    rows = Participant.objects.filter(conversation__thread__round=viewer.round, conversation__thread__key=board.key)
    if viewer.player is not None:
        rows.filter(player=viewer.player, left_at__isnull=True).update(left_at=now)


def _people(player: Player, names: Iterable[str]) -> list[Player]:
    """The players with these names, except the writer. Raises Refused for a name of nobody who plays."""
    unique_names = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    if len(unique_names) > MOST_PEOPLE:
        raise Refused(
            gettext("A conversation can have at most %(number)s players.") % {"number": MOST_PEOPLE}, "1.6", "to"
        )
    rows = Player.objects.filter(round=player.round_id, left_at__isnull=True)
    by_name = {row.name.casefold(): row for row in rows}
    missing = next((name for name in unique_names if name.casefold() not in by_name), None)
    if missing is not None:
        raise Refused(
            gettext("No player of this round is called “%(missing)s”.") % {"missing": missing[:40]}, "1.6", "to"
        )
    people = [by_name[name.casefold()] for name in unique_names]
    recipients = [each for each in dict.fromkeys(people) if each != player]
    if not recipients:
        raise Refused(gettext("Choose at least one other player."), "1.6", "to")
    if len(recipients) >= MOST_PEOPLE:
        raise Refused(
            gettext("A conversation can have at most %(number)s players, including you.") % {"number": MOST_PEOPLE},
            "1.6",
            "to",
        )
    return recipients
