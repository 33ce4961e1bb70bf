"""What the tests of the boards share: two teams with factions, judges, and their viewers."""

from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth.models import AnonymousUser, User

from judging.boards.models import Message
from judging.boards.queries.board_page import board_page
from judging.boards.queries.boards import BOARDS
from judging.boards.queries.read_marks import Unread, unread_by_board
from judging.boards.services import edit_message, hide_message, mark_read, write_message
from judging.common.viewer import Viewer, viewer_of
from tests.services.teams import NOW
from tests.services.world_of_tests import HOUR, World, token
from wargame.models import Judge, Player, Round

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)
TALK = BOARDS["talk"]

READ = {
    "Ana": {"team-coalition", "council-coalition"},
    "Bo": {"team-coalition", "faction-red", "faction-green"},
    "Cem": {"team-coalition", "faction-red"},
    "Dot": {"team-coalition"},
    "Vorn": {"team-phyrexia", "council-phyrexia"},
    "Skar": {"team-phyrexia"},
    "movement": set(),
    "battle": set(),
    "mercenary": set(),
    "admin": set(),
    "outsider": set(),
    "": set(),
}
"""1.1: the private boards that each reads, in the round of `make_teams`."""


def user_of(world: World, who: str) -> User | None:
    """A player by his name, a judge by his role, an administrator, somebody with an account; empty: nobody."""
    if who in ("admin", "outsider"):
        powers = {"is_staff": who == "admin", "is_superuser": who == "admin"}
        return User.objects.get_or_create(username=who, defaults=powers)[0]
    return (world.players.get(who) or world.judges[who]).user if who else None


def viewer(world: World, who: str) -> Viewer:
    """Somebody as he looks at the round, all read anew."""
    return viewer_of(user_of(world, who) or AnonymousUser(), Round.objects.get(pk=world.round.pk))


def write(world: World, who: str, text: str, board: str = "talk", at: datetime = NOW, form: str = "") -> Message:
    """A message by somebody, written."""
    return write_message(viewer=viewer(world, who), board=BOARDS[board], text=text, token=form or token(), now=at)


def plays_and_judges(world: World, name: str) -> None:
    """1.3: a player who is an assistant movement judge, too."""
    player = Player.objects.get(round=world.round, name=name)
    Judge.objects.create(round=world.round, user=player.user, name=name, role="movement", is_head=False)


def page(world: World, who: str, board: str = "talk", number: int | None = None, at: datetime = NOW + HOUR) -> Any:
    """A page of a board; None if there is none."""
    return board_page(viewer(world, who), BOARDS[board], number, at)


def texts(world: World, who: str, board: str = "talk") -> list[str]:
    """What somebody reads of the messages on a board's page."""
    found = page(world, who, board)
    return [entry.message.text for entry in found.entries if entry.message]


def new(world: World, who: str) -> dict[str, Unread]:
    """What is unread, but for the posts by the service."""
    return {key: found for key, found in unread_by_board(viewer(world, who)).items() if not BOARDS[key].notices}


def read(world: World, who: str, board: str = "talk", at: datetime = NOW + HOUR) -> None:
    """Opens a board's page."""
    found = page(world, who, board, at=at)
    mark_read(viewer=viewer(world, who), board=BOARDS[board], until=found.until, shown=found.shown, now=at)


def edit(world: World, who: str, message: Message, text: str, base: int, at: datetime = NOW + MINUTE) -> Message:
    """A message with another text, by somebody."""
    board = BOARDS[message.thread.key]
    return edit_message(viewer=viewer(world, who), board=board, message=message, text=text, base_version=base, now=at)


def hide(world: World, who: str, message: Message, reason: str = "It insults Bo.") -> Message:
    """A message, hidden by somebody."""
    board = BOARDS[message.thread.key]
    return hide_message(viewer=viewer(world, who), board=board, message=message, reason=reason, now=NOW + MINUTE)
