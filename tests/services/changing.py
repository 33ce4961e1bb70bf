"""What the tests of changes of troops share: armies with two days in a base, a new player, accepted requests."""

from datetime import datetime
from typing import Any

from judging.armies.changes.services import decide_change, save_change, send_change
from judging.armies.models import ChangeRequest, HandedIn, PersonalOffer
from judging.armies.musters.validation import MusterText
from tests.keeping import kept
from tests.services.world_of_tests import HOUR, UNLOCK, World, add_player, begin, make_round
from wargame.models import Army, Base, Player
from wargame.rules.core.sides import Rank
from wargame.rules.core.turn import NewPlayer

ARMIES = {
    "Ana": ("coalition", "3D", "captain"),
    "Ben": ("coalition", "10D", "lieutenant"),
    "Cid": ("coalition", "6D", "lieutenant"),
    "Lea": ("coalition", "30D", "general"),
    "Gaz": ("phyrexia", "12D", "evincar"),
}
DRAGONS = ("5000 Lightning Dragon", "2500 Shivan Dragon", "1500 Orgg", "1000 Scoria Wurm")
"""What a Captain's red army may turn into."""
GOBLINS = ("5000 Mogg Fanatic", "2500 Gray Ogre", "1500 Hill Giant", "1000 Volcanic Dragon")
"""What a Lieutenant's may."""


@kept
def make_war(days: int = 2) -> World:
    """Ana has counted two `days` in Red Base. Ben will be New's, who joined in turn 1. Gaz is two squares from Ben."""
    world = make_round(ARMIES)
    Base.objects.create(round=world.round, name="Red Base", at="3D", side="coalition", color="red")
    Army.objects.filter(round=world.round, name="Ana").update(days=days)
    begin(world)
    new = add_player(world.round, "New", "coalition", "lieutenant")
    new.joined_at = UNLOCK + HOUR
    new.save()
    world.players["New"] = new
    return world


def asks(
    world: World, army: str, by: str, lists: tuple[str, str, str, str], *, at: datetime, **more: Any
) -> ChangeRequest:
    """A request that is with the judge; `name` and `legend` make it one of 2.6."""
    kind = ChangeRequest.Kind.PERSONAL if more else ChangeRequest.Kind.CHANGE
    row = world.army(army)
    typed = MusterText(rank=Rank(row.rank), lists=lists, **({"name": row.name, "colors": tuple(row.colors)} | more))
    player = world.players[by]
    kept = save_change(round=world.round, army=army, kind=kind, player=player, typed=typed, base_version=0, now=at)
    return send_change(request=kept, player=player, now=at)


def accept(world: World, request: ChangeRequest, at: datetime) -> ChangeRequest:
    decide_change(request=request, judge=world.judges["battle"], accept=True, reason="", now=at)
    return ChangeRequest.objects.get(pk=request.pk)


def change(world: World, army: str = "Ana", by: str = "Ana", lists: Any = DRAGONS, **more: Any) -> ChangeRequest:
    """2.3.2, 2.6: asked for and accepted in the present turn, before its lock."""
    at = world.turn.opened_at + HOUR
    return accept(world, asks(world, army, by, lists, at=at, **more), at)


def offer(world: World, army: str = "Ben", to: str = "New", battles: int = 2, monkeypatch: Any = None) -> Player:
    """2.6: an army that is chosen for a new player, who has fought his two battles, or so many."""
    player = world.players[to]
    row, turn = world.army(army), world.turn
    PersonalOffer.objects.create(
        round=world.round, player=player, army=row, offered_in=turn.number, offered_at=turn.opened_at
    )
    monkeypatch.setattr(
        "judging.armies.changes.services.new_player",
        lambda who, now, offered=None: NewPlayer(who.name, True, battles, offered or now.number, now.number),
    )
    return player


def states(world: World) -> list[tuple[str, str, int | None, int | None]]:
    """The requests of a round: army, state, the turn that is given them, the one that carried them out."""
    rows = ChangeRequest.objects.filter(round=world.round).order_by("pk")
    return [(row.army.name, row.state, row.for_turn, row.applied_in) for row in rows]


ACCEPTED = HandedIn.ACCEPTED.value
