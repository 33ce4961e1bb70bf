"""The secrets of teams and people: private boards and press, what moderators hid or read, and votes of one team."""

from datetime import datetime, timedelta

from judging.boards.models import (
    Block,
    BoardThread,
    Conversation,
    Message,
    MessageVersion,
    Participant,
    Report,
    Topic,
)
from judging.votes.models import Ballot, Vote
from tests.secrecy.scene import Scene
from tests.services.world_of_tests import World

BOARDS = {
    "team-coalition": ("board of a team", "author", "Ana"),
    "team-phyrexia": ("board of the enemy", "enemy", "Gaz"),
    "council-phyrexia": ("council", "enemy leader", "Vorn"),
    "faction-red": ("board of a faction", "author", "Ana"),
    "talk": ("hidden message", "enemy", "Gaz"),
}
"""By its key: what a message there is, whose as a viewer, and his name. Ana claims the red faction."""


def plant(scene: Scene, world: World, at: datetime) -> None:
    world.players["Ana"].factions = ["red"]
    world.players["Ana"].save()
    for key, (kind, viewer, name) in BOARDS.items():
        _write(scene, world, key, kind, viewer, name, at)
    _converse(scene, world, at)
    _call(scene, world, at)


def _converse(scene: Scene, world: World, at: datetime) -> None:
    """1.6: a topic of the team, and a conversation of Ana and Gaz, who blocks somebody and has reported a message."""
    team = BoardThread.objects.get(round=world.round, key="team-coalition")
    Topic.objects.create(thread=team, number=2, title=scene.mark("board of a team", "author"))
    thread = BoardThread.objects.create(round=world.round, key="press-0123456789ab")
    talk = Conversation.objects.create(thread=thread, title=scene.mark("press", "author"), begun_at=at)
    for name in ("Ana", "Gaz"):
        Participant.objects.create(conversation=talk, player=world.players[name])
    ana = {"thread": thread, "author": scene.users["author"], "player": world.players["Ana"], "name": "Ana", "at": at}
    Message.objects.create(number=1, text=scene.mark("press", "author"), token="one", **ana)
    said = scene.mark("reported press", "author")
    message = Message.objects.create(number=2, text=said, token="two", **ana)
    gaz = scene.users["enemy"]
    Report.objects.create(
        round=world.round, message=message, user=gaz, text=said, reason=scene.mark("report", "enemy"), at=at
    )
    Block.objects.create(user=gaz, blocked=scene.users["leader"], name=scene.mark("block", "enemy"), at=at)


def _write(scene: Scene, world: World, key: str, kind: str, viewer: str, name: str, at: datetime) -> None:
    """3.1: a message that was edited once; on the public board it is hidden by a moderator."""
    thread, _ = BoardThread.objects.get_or_create(round=world.round, key=key)
    is_hidden = kind == "hidden message"
    message = Message.objects.create(
        thread=thread, number=1, author=scene.users[viewer], player=world.players[name], name=name, at=at, version=2,
        text=scene.mark(kind, viewer), edited_at=at, hidden_at=at if is_hidden else None, token="form",
    )  # fmt: skip
    MessageVersion.objects.create(message=message, number=1, text=scene.mark(kind, viewer), at=at)


def _call(scene: Scene, world: World, at: datetime) -> None:
    """1.4.3: a vote of the Coalition, called by its General; Ana is asked."""
    vote = Vote.objects.create(
        round=world.round, player=world.players["Lea"], kind="special", side="coalition", options=["Yes", "No"],
        question=scene.mark("vote of a team", "leader"), called_at=at, closes_at=at + timedelta(days=3), token="form",
        audience={"side": "coalition", "groups": [], "faction": "", "chosen": ["Ana"]}, points={},
    )  # fmt: skip
    Ballot.objects.create(vote=vote, player=world.players["Ana"])
