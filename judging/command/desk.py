"""1.3, 5: Teams, ranks and control on the judges' desk, and for which judge."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, QuerySet

from judging.command.control.requests import RequestView, waiting_requests
from judging.command.control.services import (
    StandingException,
    everybody_in,
    list_state,
    overdue_exceptions,
    standing_exceptions,
)
from judging.command.models import Admission, Declaration, NameChange
from judging.command.people.absence import open_declarations
from judging.command.people.admission import invited_who_ask
from judging.command.people.roster import (
    RankChoice,
    Team,
    open_admissions,
    overrulable_of,
    rank_choices,
    teams,
)
from judging.common.control import LEADERS
from judging.common.judges import is_supreme, judged_by
from judging.common.viewer import Viewer, viewer_of
from wargame.models import Army, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.core.sides import RANKS, TEAMS


@dataclass(frozen=True)
class TeamDesk:
    """1.1, 5.2: A team on a judge's desk: its list, its ranks, its exceptions.

    `without_leader`: the battle judge decides for it.
    """

    team: Team
    choices: tuple[RankChoice, ...]
    armies: tuple[Army, ...]
    players: tuple[Player, ...]
    holders: tuple[str, ...]
    exceptions: tuple[StandingException, ...]
    without_leader: bool


@dataclass(frozen=True)
class CommandDesk:
    """1.3, 5: One round. `plays_for` is the side for which a movement judge plays (1.3); `invited` is the number of
    invited players who ask for admission; `taken_in` are the admissions by assistants that the viewer, as head
    battle judge, may overrule."""

    round: Round
    is_battle_judge: bool
    plays_for: str
    requests: tuple[RequestView, ...]
    names: tuple[NameChange, ...]
    declarations: tuple[Declaration, ...]
    admissions: tuple[Admission, ...]
    invited: int
    taken_in: tuple[Admission, ...]
    teams: tuple[TeamDesk, ...]


@dataclass(frozen=True)
class CommandQueue:
    """1.3, 5.2.2.2: The number of waiting requests in a round, and whether an exception has run out."""

    round: Round
    waiting: int
    is_overdue: bool


def command_desk(viewer: Viewer, now: datetime) -> CommandDesk | None:
    """1.3: the desk for a movement or battle judge of the round; None for everybody else."""
    if not _judges_control(viewer):
        return None
    round_, is_battle_judge = viewer.round, viewer.is_judge(Role.BATTLE)
    return CommandDesk(
        round=round_,
        is_battle_judge=is_battle_judge,
        plays_for=viewer.player.side if viewer.player else "",
        requests=tuple(waiting_requests(viewer)),
        names=tuple(_names(round_).select_related("player").order_by("pk")) if is_battle_judge else (),
        declarations=tuple(open_declarations(round_)) if is_battle_judge else (),
        admissions=tuple(open_admissions(round_)) if is_battle_judge else (),
        invited=len(invited_who_ask(round_, TEAMS)) if is_battle_judge else 0,
        taken_in=tuple(_taken_in(viewer)),
        teams=tuple(_team(team, round_, now) for team in teams(round_, now)),
    )


def command_queues(user: AbstractBaseUser | AnonymousUser, now: datetime) -> tuple[CommandQueue, ...]:
    """1.3: The rounds in which a judge decides about control, with the decisions that wait for them."""
    queues = []
    for round_ in (each for each in judged_by(user) if each.state != RoundState.OVER):
        viewer = viewer_of(user, round_)
        if _judges_control(viewer):
            count = len(waiting_requests(viewer))
            if viewer.is_judge(Role.BATTLE):
                # A union, so that the two cost one statement; SQLite takes no part of one that is ordered.
                admissions = leaderless_admissions(round_).order_by().values("pk")
                requests = _names(round_).order_by().values("pk").union(admissions, all=True)
                count += requests.count()
            queues.append(CommandQueue(round_, count, any(overdue_exceptions(round_, now))))
    return tuple(queues)


def _team(team: Team, round_: Round, now: datetime) -> TeamDesk:
    state = list_state(round_, team.side, now)
    return TeamDesk(
        team=team,
        choices=rank_choices(round_, team.side, now),
        armies=tuple(state.armies.values()),
        players=tuple(state.players.values()),
        holders=state.listed.may_ask,
        exceptions=tuple(standing_exceptions(round_, state.listed, now)),
        without_leader=not team.leaders,
    )


def _judges_control(viewer: Viewer) -> bool:
    return viewer.is_judge(Role.MOVEMENT) or viewer.is_judge(Role.BATTLE)


def _names(round_: Round) -> QuerySet[NameChange]:
    return NameChange.objects.filter(player__round=round_, state=NameChange.State.ASKED)


def _taken_in(viewer: Viewer) -> Sequence[Admission]:
    head = next((judge for judge in viewer.seats if is_supreme(judge)), None)
    here = (player for player in everybody_in(viewer.round) if player.left_at is None)
    return overrulable_of(sorted(here, key=lambda player: player.pk), head) if head else ()


def leaderless_admissions(round_: Round) -> QuerySet[Admission]:
    """1.1: Requests to teams that have nobody who could decide them, as a lazy queryset."""
    leads = [rank.value for ranks in RANKS.values() for rank in ranks if rank.tier <= LEADERS]
    leaders = Player.objects.filter(round=round_, side=OuterRef("side"), left_at__isnull=True, rank__in=leads)
    admissions = Admission.objects.filter(round=round_, state=Admission.State.ASKED)
    return admissions.exclude(Exists(leaders))
