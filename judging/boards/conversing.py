"""1.6: private press: conversations between players of a round are begun and left. What is written in them is written
as on a board."""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.boards.models import BoardThread, Conversation, Message, Participant
from judging.boards.reads.boards import PRESS, Board, press_board, why_no_press
from judging.boards.writes import MAX_MESSAGE, checked_title, written
from judging.game import locking
from judging.game.errors import Refused
from judging.game.models import GENERAL
from judging.game.texts import checked_text, checked_token
from judging.game.viewer import Viewer
from wargame.models import Player
from wargame.models.choices import RoundState

MOST_PEOPLE = 12
"""How many may be in a conversation."""

MOST_BEGUN = 20
WITHIN = timedelta(hours=1)
"""How many conversations somebody may begin within this time."""


@locking.writes
def begin_conversation(
    *, viewer: Viewer, names: Iterable[str], title: str, text: str, token: str, now: datetime
) -> Message:
    """1.6: begins a conversation with players of the round, who are named, by its first message, which is returned. The
    same form sent twice begins one.

    Refused for who does not play, for whom the round forbids it, for names of nobody, for one who takes no messages
    from the writer, and for more people or conversations than may be.
    """
    title = checked_title(title) if title.strip() else ""
    text = checked_text(text, what="message", most=MAX_MESSAGE, cites="")
    token = checked_token(token)
    if viewer.player is None or viewer.user_id is None:
        raise Refused(gettext("Private messages are only for players of the round."), "1.6")
    if viewer.round.state == RoundState.ARCHIVE:
        raise Refused(gettext("This is an archive of a round played elsewhere. You can't write here."))
    people = _people(viewer.player, names)
    player = locking.hold(Player.objects, pk=viewer.player.pk)
    begun = Message.objects.filter(author=viewer.user_id, number=1, thread__conversation__isnull=False)
    begun = begun.filter(thread__round=viewer.round)
    if before := begun.filter(token=token).first():
        return before
    if why := why_no_press(viewer, people):
        raise Refused(why, "1.6", "to")
    if begun.filter(at__gt=now - WITHIN).count() >= MOST_BEGUN:
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
    """1.6: the viewer reads and writes in a conversation no more, and nobody brings him back; once more changes
    nothing."""
    rows = Participant.objects.filter(conversation__thread__round=viewer.round, conversation__thread__key=board.key)
    if viewer.player is not None:
        rows.filter(player=viewer.player, left_at__isnull=True).update(left_at=now)


def _people(player: Player, names: Iterable[str]) -> list[Player]:
    """The players of these names, but for the writer. Refused for a name of nobody who plays."""
    wanted = list(dict.fromkeys(name.strip() for name in names if name.strip()))
    if len(wanted) > MOST_PEOPLE:
        raise Refused(
            gettext("A conversation can have at most %(number)s players.") % {"number": MOST_PEOPLE}, "1.6", "to"
        )
    rows = Player.objects.filter(round=player.round_id, left_at__isnull=True)
    by_name = {row.name.casefold(): row for row in rows}
    missing = next((name for name in wanted if name.casefold() not in by_name), None)
    if missing is not None:
        raise Refused(
            gettext("No player of this round is called “%(missing)s”.") % {"missing": missing[:40]}, "1.6", "to"
        )
    people = [by_name[name.casefold()] for name in wanted]
    others = [each for each in dict.fromkeys(people) if each != player]
    if not others:
        raise Refused(gettext("Choose at least one other player."), "1.6", "to")
    if len(others) >= MOST_PEOPLE:
        raise Refused(
            gettext("A conversation can have at most %(number)s players, including you.") % {"number": MOST_PEOPLE},
            "1.6",
            "to",
        )
    return others
