"""3.1: what people said on the demo round's boards, said through the services at its time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial

from django.contrib.auth.models import User
from django.urls import reverse

from judging.boards.mentions import quoted
from judging.boards.models import Message
from judging.boards.reads.boards import BOARDS
from judging.boards.reads.messages import messages_on
from judging.boards.writes import edit_message, hide_message, write_message
from judging.demo import fixtures
from judging.demo.fixtures import Row
from judging.game.viewer import Viewer, viewer_of
from wargame.models import Round

A_MOMENT = timedelta(seconds=1)
"""How long after a message its author or a judge thinks again; the shortest turns have room for it."""

Said = tuple[float, Callable[[datetime], object]]
"""A part of a turn, and what is said then."""


def talk_of(round_: Round, turn: int) -> Iterator[Said]:
    """What was said in a turn."""
    for number, row in enumerate(fixtures.read("boards")["messages"], 1):
        if row["turn"] == turn:
            yield row["at"], partial(_say, round_, row, f"demo-board-{number}")


def _say(round_: Round, row: Row, token: str, now: datetime) -> None:
    viewer, board = _viewer(round_, row["by"]), BOARDS[row["board"]]
    text = _quote(round_, row) + row["text"]
    message = write_message(viewer=viewer, board=board, text=text, token=token, now=now)
    if "edit" in row:
        edit_message(viewer=viewer, board=board, message=message, text=row["edit"], base_version=1, now=now + A_MOMENT)
    if "hidden_by" in row:
        judge = _viewer(round_, row["hidden_by"])
        hide_message(viewer=judge, board=board, message=message, reason=row["reason"], now=now + A_MOMENT)


def _viewer(round_: Round, username: str) -> Viewer:
    return viewer_of(User.objects.get(username=username), round_)


def _quote(round_: Round, row: Row) -> str:
    if "quotes" not in row:
        return ""
    answered: Message = messages_on(round_, BOARDS[row["board"]]).get(number=row["quotes"])
    address = reverse("board-message", args=[round_.slug, row["board"], answered.number])
    return quoted(answered.text, answered.name, address)
