"""A small round for the tests of the services: two teams, three judges, a few armies on plains."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count

from django.contrib.auth.models import User

from judging.battles.desk.publishing import publish_result
from judging.battles.desk.scoring import WHOLE, ScoreReason, lock_score
from judging.battles.models import Battle, Result, Strat
from judging.battles.strats.services import send_strat
from judging.command.control.services import assign
from judging.turns.models import Post
from judging.turns.posts.services import submit_post
from judging.turns.stages import advance, open_round
from tests.keeping import kept
from wargame.models import Army, Judge, Player, Round, Troop, Turn
from wargame.rules.battle.criteria import DEFAULT_CRITERIA, read_criteria
from wargame.rules.core.board import PLAINS

UNLOCK = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
LOCK = datetime(2026, 3, 9, 5, 0, tzinfo=UTC)
DEADLINE = LOCK - timedelta(hours=24)
LAST_SECOND = LOCK + timedelta(seconds=59)
LOCKED = LOCK + timedelta(minutes=1)
HOUR = timedelta(hours=1)
WEEK = timedelta(days=7)
TROOPS = (5000, 2500, 1500, 1000)

_tokens = count(1)


REASONS = {WHOLE: ScoreReason(0, "All in all, enough.", departs="So it is.")} | {
    name: ScoreReason(3, f"{name}: enough.") for name, _ in read_criteria(DEFAULT_CRITERIA)[0]
}
"""R54: what a judge of the tests says of the whole and on each criterion of a round."""


@dataclass
class World:
    """A round that is being played, with its people by name."""

    round: Round
    players: dict[str, Player]
    judges: dict[str, Judge]

    @property
    def turn(self) -> Turn:
        """The last turn, read anew."""
        return Turn.objects.select_related("round").filter(round=self.round).latest("number")

    def army(self, name: str) -> Army:
        return Army.objects.get(round=self.round, name=name)

    @kept
    def post(self, by: str, text: str, at: datetime = UNLOCK + HOUR, sealed: bool = False) -> Post:
        return submit_post(turn=self.turn, player=self.players[by], text=text, sealed=sealed, token=token(), now=at)

    def strat(self, battle: Battle, army: str, by: str, text: str = "Fight.", **more: object) -> Strat:
        given = {"risk": "", "runs": False, "leaves": "", "leaves_to": "", "now": battle.announced_at + HOUR}
        arguments = {**given, "token": token(), **more}
        player = self.players[by]
        return send_strat(battle=battle, army=self.army(army), player=player, text=text, **arguments)  # type: ignore[arg-type]

    def score(self, battle: Battle, favours: int | None = None, bonus: int = 0, now: datetime | None = None) -> Result:
        """Scores and publishes a battle after its deadline."""
        when = now or battle.deadline + HOUR
        judge = self.judges["battle"]
        lock_score(battle=battle, judge=judge, favours=favours, bonus=bonus, reasons=REASONS, now=when)
        return publish_result(battle=battle, judge=judge, narrative="It was a long day.", now=when)

    @kept
    def settle(self, now: datetime | None = None) -> str:
        """What the jobs do after the present turn's lock."""
        turn = self.turn
        return advance(turn.pk, now or turn.lock_at + timedelta(minutes=1))


def token() -> str:
    return f"form-{next(_tokens)}"


@kept
def make_round(armies: Mapping[str, tuple[str, str, str]], **settings: object) -> World:
    """A round in its set-up: `armies` are side, square and rank by name; each has a player of its name.

    The players control nothing yet. `settings` are fields of the round.
    """
    given = {"name": "Trial", "slug": "trial", "terrain": "\n".join(PLAINS), "created_at": UNLOCK, **settings}
    round_ = Round.objects.create(**given)
    players = {}
    for name, (side, at, rank) in armies.items():
        army = Army.objects.create(round=round_, name=name, side=side, at=at, rank=rank, colors=["red"])
        for place, number in enumerate(TROOPS):
            size = f"{place + 1}/{place + 1}"
            creature = f"{name} {size}"
            Troop.objects.create(
                round=round_, army=army, place=place, slot=place + 1, creature=creature,
                colors=["red"], size=size, types=["Creature"], alive=number, of=number,
            )  # fmt: skip
        players[name] = add_player(round_, name, side, rank)
    judges = {role: add_judge(round_, role) for role in ("movement", "battle", "mercenary")}
    return World(round_, players, judges)


@kept
def add_player(round_: Round, name: str, side: str, rank: str = "") -> Player:
    user = User.objects.create_user(f"{round_.slug}-{name}")
    return Player.objects.create(round=round_, user=user, name=name, side=side, rank=rank, joined_at=round_.created_at)


@kept
def add_judge(round_: Round, role: str, name: str = "", is_head: bool = True) -> Judge:
    user = User.objects.create_user(f"{round_.slug}-judge-{name or role}")
    return Judge.objects.create(round=round_, user=user, name=name or f"Judge {role}", role=role, is_head=is_head)


def begin(world: World, first_lock: datetime = LOCK, now: datetime = UNLOCK) -> World:
    """Gives each player the army of his name and opens turn 1."""
    _open(world, first_lock, now)
    world.round.refresh_from_db()
    return world


@kept
def _open(world: World, first_lock: datetime, now: datetime) -> None:
    for name, player in world.players.items():
        if Army.objects.filter(round=world.round, name=name).exists():
            assign(round=world.round, army=world.army(name), player=player, now=now)
    open_round(round=world.round, now=now, first_lock=first_lock)
