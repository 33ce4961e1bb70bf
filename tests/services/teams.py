"""Two teams with leaders, proxies and plain players, for the tests of joining, ranks and control."""

from datetime import datetime, timedelta

from django.contrib.auth.models import User

from judging.command.control.requests import AskedControl, request_control
from judging.command.control.services import assign
from judging.command.models import ControlRequest
from tests.keeping import kept
from tests.services.world_of_tests import HOUR, LOCK, TROOPS, UNLOCK, World, begin, make_round, token
from wargame.models import Army, Control, Player, Troop
from wargame.rules.command.control_list import Wish

ARMIES = {
    "Ana": ("coalition", "3D", "general"),
    "Bo": ("coalition", "6D", "captain"),
    "Cem": ("coalition", "9D", "commander"),
    "Dot": ("coalition", "12D", "lieutenant"),
    "Vorn": ("phyrexia", "20K", "chief_praetor"),
    "Skar": ("phyrexia", "23K", "centurion"),
}
PROXIES = {
    "Elk": ("coalition", "15D", "lieutenant", "Dot"),
    "Fir": ("coalition", "18D", "captain", "Ana"),
    "Gum": ("coalition", "21D", "lieutenant", ""),
    "Oil": ("phyrexia", "26K", "cpl", "Vorn"),
}
NOW = UNLOCK + HOUR
DAY = timedelta(days=1)
WEEK = timedelta(days=7)


@kept
def make_teams(unlock: datetime = UNLOCK, lock: datetime = LOCK) -> World:
    """Turn 1, an hour old. Ana and Bo, and Vorn, may ask for changes; everybody joined, so posted, at the unlock."""
    world = make_round(ARMIES, created_at=unlock)
    for name, (side, at, rank, by) in PROXIES.items():
        army = Army.objects.create(round=world.round, name=name, side=side, at=at, rank=rank, colors=["red"])
        Troop.objects.create(
            round=world.round, army=army, place=0, slot=1, creature=f"{name} 1/1", colors=["red"], size="1/1",
            types=["Creature"], alive=TROOPS[0], of=TROOPS[0],
        )  # fmt: skip
        if by:
            assign(round=world.round, army=army, player=world.players[by], now=unlock)
    for player in world.players.values():
        player.may_change_control = player.name in ("Ana", "Bo", "Vorn")
        player.factions = {"Bo": ["red", "green"], "Cem": ["red"]}.get(player.name, [])
        player.save()
    return begin(world, first_lock=lock, now=unlock)


def ask(
    world: World,
    by: str,
    wishes: dict[str, tuple[str, ...]],
    *,
    as_exception: bool = False,
    why: str = "",
    seen: dict[str, tuple[str, ...]] | None = None,
    form: str = "",
    now: object = NOW,
) -> ControlRequest:
    """A control request by a player, read anew."""
    asked = AskedControl(
        tuple(Wish(army, to) for army, to in wishes.items()), form or token(), seen or {}, as_exception, why
    )
    player = Player.objects.get(round=world.round, name=by)
    return request_control(round=world.round, player=player, asked=asked, now=now)  # type: ignore[arg-type]


def who(world: World, army: str) -> list[str]:
    """Who controls an army now."""
    rows = Control.objects.filter(army__round=world.round, army__name=army, until__isnull=True)
    return sorted(rows.values_list("player__name", flat=True))


def player(world: World, name: str) -> Player:
    """A player, read anew."""
    return Player.objects.select_related("round", "user").get(round=world.round, name=name)


def stranger(name: str = "newcomer") -> User:
    """Somebody with an account who does not play."""
    return User.objects.create_user(name)
