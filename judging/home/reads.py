"""1.5, 2.5: all rounds and those that concern somebody; a demo's log-ins; what a player's armies do, and his tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from django.contrib.auth.models import AnonymousUser, User
from django.urls import reverse

from judging.battles.models import Strat
from judging.battles.reads import rows_of_turn, views_of
from judging.battles.shapes import BattleView, FighterView
from judging.battles.strats.reads import counting_as_read
from judging.command.models import Admission
from judging.drawing.crests import short_side
from judging.game.control import armies_of
from judging.game.rounds import running_round
from judging.game.viewer import Viewer, viewer_of
from judging.penalties.reads import PenaltyView, penalties_by_army
from judging.setup.reads import may_create_round, rounds_in_setup
from judging.turns.positions import position_of
from judging.turns.posts.reading import ThreadLine
from judging.turns.posts.reads import PostView, movement_thread
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import RANKS, Role, RoundState
from wargame.rules.core import clock
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Side
from wargame.rules.core.troops import alive_by_slot, strength_by_slot
from wargame.world import place_name

DEMO_PASSWORD = "wargame-demo"
DEMO_GROUP = "demo"
"""The users that the demo made, and no others, are of this group."""


@dataclass(frozen=True)
class OwnSetup:
    """2.5: a round that is being set up, and what somebody has to do with it: `you are its battle judge`."""

    round: Round
    words: str


def own_setups(user: User | AnonymousUser) -> tuple[OwnSetup, ...]:
    """2.5: the rounds being set up in which the user judges, plays, or has asked for admission, the newest first."""
    if not user.is_authenticated:
        return ()
    found = ((round_, _words(user, round_)) for round_ in rounds_in_setup())
    return tuple(OwnSetup(round_, words) for round_, words in found if words)


def rounds_to_join(user: User) -> tuple[Round, ...]:
    """1.1: the rounds that are played or set up and with which the user has nothing to do yet."""
    running = Round.objects.filter(state=RoundState.RUNNING).order_by("-created_at", "-pk")
    return tuple(round_ for round_ in (*running, *rounds_in_setup()) if not _words(user, round_))


class LogInAccount(NamedTuple):
    """An account of the demo: what to log in with, whose it is, and what he is there."""

    username: str
    name: str
    what: str


@dataclass(frozen=True)
class LogInGroup:
    """Accounts that may be tried, under one heading."""

    title: str
    side: str
    accounts: tuple[LogInAccount, ...]


def all_rounds() -> list[Round]:
    """1.5: every round that has begun, the newest first."""
    begun = Round.objects.exclude(state__in=[RoundState.SETUP, RoundState.GIVEN_UP])
    return list(begun.order_by("-created_at", "-pk"))


def demo_log_ins(round: Round | None) -> tuple[LogInGroup, ...]:
    """The judges', the players' and the onlookers' accounts of a demo round; nothing of any other round."""
    if round is None or not round.is_demo:
        return ()
    judges = Judge.objects.filter(round=round).select_related("user").order_by("role", "name")
    groups = [
        LogInGroup("Judges", "", tuple(LogInAccount(j.user.username, j.name, j.get_role_display()) for j in judges))
    ]
    order = {value: place for place, (value, _) in enumerate(RANKS)}
    players = sorted(
        Player.objects.filter(round=round, left_at__isnull=True).select_related("user"),
        key=lambda player: (player.side, order.get(player.rank, len(order)), player.name),
    )
    for side in sorted({player.side for player in players}):
        own = (player for player in players if player.side == side)
        accounts = [LogInAccount(p.user.username, p.name, p.get_rank_display() or "no rank") for p in own]
        groups.append(LogInGroup(short_side(side), side, tuple(accounts)))
    groups.append(LogInGroup("Onlookers", "", _onlookers()))
    return tuple(group for group in groups if group.accounts)


def is_demo_user(username: str) -> bool:
    """Whether the log-in is one that anybody may try."""
    return User.objects.filter(username=username, groups__name=DEMO_GROUP).exists()


def _onlookers() -> tuple[LogInAccount, ...]:
    """The demo's people who neither play nor judge anywhere."""
    users = User.objects.filter(groups__name=DEMO_GROUP, is_active=True, is_staff=False)
    rows = users.exclude(pk__in=Player.objects.values("user")).exclude(pk__in=Judge.objects.values("user"))
    return tuple(
        LogInAccount(user.username, user.first_name or user.username, "sees what the public sees") for user in rows
    )


def first_page(user: User | AnonymousUser) -> str:
    """The address of what the user looks for when he has logged in.

    That is the round being set up that concerns him, unless he is of the running one; the list of rounds, if there are
    several or if he may start one; the front door for everybody else.
    """
    running = running_round()
    if running is not None and _words(user, running):
        return reverse("home")
    own = own_setups(user)
    if len(own) == 1:
        return reverse("setup", args=[own[0].round.slug])
    return reverse("rounds") if own or may_create_round(user) else reverse("home")


def _words(user: User | AnonymousUser, round_: Round) -> str:
    """1.1, 1.3: what the user is in a round; empty: nothing."""
    viewer = viewer_of(user, round_)
    parts = [f"you are its {Role(role).label}" for role in sorted(viewer.roles)]
    parts += [f"you play for {viewer.side.title}"] if viewer.side else []
    asked = Admission.objects.filter(round=round_, user_id=user.pk or 0, state=Admission.State.ASKED).first()
    parts += [f"you have asked {Side(asked.side).title} for admission"] if asked else []
    return ", ".join(parts)


@dataclass(frozen=True)
class StandingOrder:
    """R12: the line that counts for an army now, and the post that it is in."""

    entry: ThreadLine
    post: PostView


@dataclass(frozen=True)
class MyArmy:
    """An army of the viewer's. `plan` are the squares that a long move still leads to (3.2.2.3), `penalties` those that
    took troops from it in this turn (5.4.1)."""

    army: Army
    terrain: str
    place: str
    alive: int
    of: int
    order: StandingOrder | None
    plan: tuple[str, ...]
    battle: BattleView | None
    penalties: tuple[PenaltyView, ...] = ()


@dataclass(frozen=True)
class DueStrat:
    """A battle and the army whose strat the viewer may send. `is_sent`: one that counts is there. `is_late`: its
    deadline has passed."""

    battle: BattleView
    fighter: FighterView
    is_sent: bool
    is_late: bool


@dataclass(frozen=True)
class MineView:
    """A player's share of the turn. Strats that are missing come first; `as_contingency` are other players' (5.2.3)."""

    armies: tuple[MyArmy, ...]
    strats: tuple[DueStrat, ...]
    as_contingency: tuple[DueStrat, ...]

    @property
    def without_order(self) -> int:
        """How many armies could move and have neither an order nor a long move."""
        return sum(1 for mine in self.armies if not (mine.order or mine.plan or mine.battle))

    @property
    def missing_strats(self) -> tuple[DueStrat, ...]:
        """4.1.1: those that can still be sent in time."""
        return tuple(due for due in self.strats if not due.is_sent and not due.is_late)

    @property
    def missed_strats(self) -> tuple[DueStrat, ...]:
        """4.1.1: those that were not sent in time."""
        return tuple(due for due in self.strats if not due.is_sent and due.is_late)

    @property
    def next_deadline(self) -> datetime | None:
        """R5: the first deadline of those that can still be sent in time."""
        return min((due.fighter.deadline for due in self.missing_strats), default=None)


def mine_of(turn: Turn, viewer: Viewer, now: datetime) -> MineView:
    """Everything that the viewer plays in this turn; empty for somebody who does not play."""
    if viewer.player is None:
        return MineView((), (), ())
    position = position_of(turn)
    rows = rows_of_turn(turn)
    battles = views_of(rows, viewer, now, in_full=False)
    posts = movement_thread(turn, viewer, now)
    own = [position.by_name[name] for name in armies_of(viewer.player, now) if name in position.by_name]
    armies = tuple(_mine(army, position, posts, battles) for army in own)
    if turn.penalties:
        penalties = penalties_by_army(turn)
        armies = tuple(replace(mine, penalties=penalties.get(mine.army.name, ())) for mine in armies)
    fighters = [(battle, fighter) for battle in battles for fighter in battle.fighters if fighter.may_send]
    counting = counting_as_read(rows)
    due = [DueStrat(b, f, _counts(f, counting[b.id]), not clock.is_in_time(now, f.deadline)) for b, f in fighters]
    due.sort(key=lambda strat: (strat.is_sent, strat.battle.number))
    return MineView(
        armies=armies,
        strats=tuple(strat for strat in due if strat.fighter.may_send == "controller"),
        as_contingency=tuple(strat for strat in due if strat.fighter.may_send == "contingency"),
    )


def _counts(fighter: FighterView, counting: Mapping[str, Strat]) -> bool:
    """R35, 5.4.2: whether a strat of the army's counts as things stand: one of who controlled it before does not."""
    return fighter.has_strat and fighter.name in counting


def _mine(army: Army, position: Position, posts: Sequence[PostView], battles: Sequence[BattleView]) -> MyArmy:
    return MyArmy(
        army=army,
        terrain=position.board.terrain_at(army.at),
        place=place_name(position.board, army.at),
        alive=sum(alive_by_slot(army.troops)),
        of=sum(strength_by_slot(army.troops)),
        order=_standing(army.name, posts),
        plan=tuple(str(planned.step.to) for planned in army.plan.steps) if army.plan else (),
        battle=next((battle for battle in battles if battle.fighter(army.name)), None),
    )


def _standing(army: str, posts: Sequence[PostView]) -> StandingOrder | None:
    """R12: the latest line for an army by somebody who may give it orders."""
    found = [
        (entry.at, place, entry.line.number, StandingOrder(entry, post))
        for place, post in enumerate(posts)
        for entry in post.lines
        if entry.is_order and entry.line.army == army and not entry.is_replaced and not _is_void(entry)
    ]
    return max(found, key=lambda each: each[:3])[3] if found else None


def _is_void(entry: ThreadLine) -> bool:
    """R13: a line of somebody who does not control the army."""
    return entry.line.refusal is not None and entry.line.refusal.cites in ("5.4.1", "5.4.2")
