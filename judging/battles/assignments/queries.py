"""R55, R56, R59: Who may judge which battle, who is away or has a conflict, and the public part of it."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet, Subquery
from django.utils.translation import gettext, gettext_noop, pgettext

from judging.accounts.sessions.models import BrowserSession
from judging.battles.assignments.models import BattleSeat, Deputy, JudgeLeave, StandIn, StatedConflict
from judging.battles.models import Battle, BattleArmy, Opinion, Strat
from judging.battles.strats.queries import are_sent, last_deadline
from judging.common.models import LogEntry
from wargame.models import Control, Judge, Player, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.command.bench import (
    HEAD_SILENT,
    ConcernedArmy,
    Conflict,
    FoundConflict,
    Stated,
    conflict_with,
    is_silent,
    order_of,
)
from wargame.rules.core import clock
from wargame.rules.core.sides import Side

Conflicts = dict[tuple[int, int], FoundConflict]
"""R56: The conflicts with battles, by the battle's key and the judge's user key."""


def judges_of(round: Round | int) -> QuerySet[Judge]:
    """R56: The judges of a round, each with their player in it as `plays_as`, and `has_stated`, whether they have
    stated a conflict: one query shows whose conflicts must be looked up."""
    return _with_conflicts(Judge.objects.filter(round=round))


def _with_conflicts(judges: QuerySet[Judge]) -> QuerySet[Judge]:
    playing = Player.objects.filter(round=OuterRef("round"), user=OuterRef("user")).values("name")[:1]
    stated = StatedConflict.objects.filter(
        judge__round=OuterRef("round"), judge__user=OuterRef("user"), withdrawn_at__isnull=True
    )
    return judges.annotate(plays_as=Subquery(playing), has_stated=Exists(stated))


def suspects_among(judges: Iterable[int]) -> set[int]:
    """R56: Those of these judges who play in their round or have stated a conflict: no others can have any."""
    return {judge.pk for judge in _with_conflicts(Judge.objects.filter(pk__in=set(judges))) if _is_suspect(judge)}


def battle_judges(round: Round) -> list[Judge]:
    """R59: the battle judges who serve, in the round's order."""
    rows = {judge.pk: judge for judge in judges_of(round).filter(role=Role.BATTLE).select_related("user")}
    since = ((pk, judge.named_at or round.created_at) for pk, judge in rows.items())
    return [rows[pk] for pk in order_of(since)]


def present_leaves(round: Round, now: datetime) -> list[JudgeLeave]:
    """R59: The judges' current leaves."""
    return list(_leaves_at(now).filter(judge__round=round).select_related("judge"))


def _leaves_at(now: datetime) -> QuerySet[JudgeLeave]:
    return JudgeLeave.objects.filter(Q(until__isnull=True) | Q(until__gt=now), since__lte=now)


def away_users(round: Round, now: datetime) -> set[int]:
    """R59: The users of the judges on leave; a leave applies to all of a judge's roles."""
    return {leave.judge.user_id for leave in present_leaves(round, now)}


def away_in_rounds(now: datetime) -> set[tuple[int, int]]:
    """R59: The same for all running rounds, by the keys of round and user."""
    rows = _leaves_at(now).filter(judge__round__state=RoundState.RUNNING)
    return set(rows.values_list("judge__round_id", "judge__user_id"))


def rounds_in_need_of_a_head(now: datetime) -> set[int]:
    """R59: The running rounds whose head may be silent or away, or has a stand-in. `mind_head` checks each round."""
    round_ids = set(
        StandIn.objects.filter(until__isnull=True, round__state=RoundState.RUNNING).values_list("round", flat=True)
    )
    visits = BrowserSession.objects.filter(user=OuterRef("user")).order_by("-last_seen").values("last_seen")[:1]
    acts = LogEntry.objects.filter(round=OuterRef("round"), actor=OuterRef("user")).order_by("-at").values("at")[:1]
    heads = Judge.objects.filter(role=Role.BATTLE, is_head=True, round__state=RoundState.RUNNING)
    heads = heads.annotate(visited=Subquery(visits), acted=Subquery(acts))
    away = away_in_rounds(now)
    columns = ("round", "user", "named_at", "head_since", "round__created_at", "visited", "acted")
    for round, user, *signs in heads.values_list(*columns):
        last = max(moment for moment in signs if moment is not None)
        if (round, user) in away or is_silent(last, now, HEAD_SILENT):
            round_ids.add(round)
    return round_ids


def deputy_of(judge: Judge) -> Judge | None:
    """R59: The deputy of a judge, if they named one of their role who still serves."""
    row = Deputy.objects.select_related("deputy__user").filter(judge=judge).first()
    deputy = row.deputy if row else None
    return deputy if deputy and deputy.dismissed_at is None and deputy.role == judge.role else None


def standing_in(round: Round) -> StandIn | None:
    """R59: The current stand-in for the head."""
    rows = StandIn.objects.filter(round=round, until__isnull=True)
    return rows.select_related("head__user", "judge__user").first()


def open_conflicts(round: Round, users: Collection[int] | None = None) -> list[StatedConflict]:
    """R56: The conflicts that judges of a round have stated and not withdrawn; those of these users, if given."""
    rows = StatedConflict.objects.filter(judge__round=round, withdrawn_at__isnull=True)
    rows = rows if users is None else rows.filter(judge__user__in=users)
    return list(rows.select_related("judge", "player"))


def conflicts_in(battles: Collection[Battle], judges: Iterable[Judge]) -> Conflicts:
    """R56: Which of these judges, read by `judges_of`, have a conflict with which of these battles, all of one round.

    No query if none of them plays or has stated one.
    """
    suspects = {judge.user_id: _plays_as(judge) for judge in judges if _is_suspect(judge)}
    battle = next(iter(battles), None)
    if battle is None or not suspects:
        return {}
    stated: dict[int, list[Stated]] = {}
    for each in open_conflicts(battle.turn.round, suspects):
        stated.setdefault(each.judge.user_id, []).append(_stated(each))
    conflicts: Conflicts = {}
    for pk, fighters in fighters_in(battles).items():
        for user, player in suspects.items():
            conflict = conflict_with(fighters, player, stated.get(user, ()))
            if conflict is not None:
                conflicts[pk, user] = conflict
    return conflicts


def conflict_of(battle: Battle, judge: Judge) -> FoundConflict | None:
    """R56: The conflict of one judge, read in any way, with one battle."""
    read = judges_of(judge.round_id).filter(pk=judge.pk)
    return conflicts_in([battle], read).get((battle.pk, judge.user_id))


def _plays_as(judge: Judge) -> str | None:
    name: str | None = getattr(judge, "plays_as")  # noqa: B009
    return name


def _is_suspect(judge: Judge) -> bool:
    return _plays_as(judge) is not None or bool(getattr(judge, "has_stated"))  # noqa: B009


def fighters_in(battles: Collection[Battle]) -> dict[int, list[ConcernedArmy]]:
    """R56: The armies of battles with all who controlled them in the round, by the battle's key."""
    entries = list(BattleArmy.objects.filter(battle__in=battles).select_related("army"))
    people: dict[int, list[Player]] = {}
    for row in Control.objects.filter(army__in={entry.army_id for entry in entries}).select_related("player"):
        people.setdefault(row.army_id, []).append(row.player)
    fighters: dict[int, list[ConcernedArmy]] = {battle.pk: [] for battle in battles}
    for entry in entries:
        players = people.get(entry.army_id, ())
        names = frozenset(player.name for player in players)
        factions = frozenset(faction for player in players for faction in player.factions)
        fighters[entry.battle_id].append(ConcernedArmy(entry.name, entry.army.side, names, factions))
    return fighters


def in_words(found: FoundConflict) -> str:
    """R56: a conflict in a sentence."""
    if found.why is Conflict.CONTROLS:
        return gettext(
            "In this round you control or have controlled %(army)s, one of the armies in this battle (R56)."
        ) % {"army": found.army}
    message = gettext("You declared a conflict with %(whom)s, and this battle involves %(army)s (R56).")
    return message % {"whom": whom_in_words(found.why.value, found.name), "army": found.army}


FACTIONS = {
    "white": gettext_noop("the white faction"),
    "blue": gettext_noop("the blue faction"),
    "black": gettext_noop("the black faction"),
    "red": gettext_noop("the red faction"),
    "green": gettext_noop("the green faction"),
    "multicolor": gettext_noop("the multicolor faction"),
    "colorless": gettext_noop("the colorless faction"),
}


def whom_in_words(about: str, name: str) -> str:
    """R56: The other party of a conflict, by its kind: a player's name, a faction's colour or a team's side."""
    if about == Conflict.FACTION.value:
        # Translators: stands behind “with”
        return gettext(FACTIONS[name]) if name in FACTIONS else gettext("the %(name)s faction") % {"name": name}
    if about == Conflict.TEAM.value:
        return pgettext("behind “with”", "the Coalition") if name == Side.COALITION else Side(name).title
    return name


Seats = list[BattleSeat]
"""R59: All seats of a battle, including lost ones, oldest first."""


def all_seats(battle: Battle | int) -> Seats:
    """R59: The current and former judges of a battle."""
    return list(BattleSeat.objects.filter(battle=battle).select_related("judge", "by").order_by("pk"))


def seats_in(battles: Iterable[Battle]) -> dict[int, dict[str, BattleSeat]]:
    """R59: The current judges of battles, by the battle's key and the kind of the seat."""
    rows = BattleSeat.objects.filter(battle__in=[battle.pk for battle in battles], until__isnull=True)
    seats: dict[int, dict[str, BattleSeat]] = {}
    for row in rows.select_related("judge", "by"):
        seats.setdefault(row.battle_id, {})[row.kind] = row
    return seats


def lost_by(seats: Seats, judge: Judge) -> BattleSeat | None:
    """R59: The seat that a judge lost by their silence, unless the head gave it to them again since."""
    own_seats = [seat for seat in seats if seat.judge_id == judge.pk]
    last = own_seats[-1] if own_seats else None
    if last is None or last.until is None:
        return None
    silence = BattleSeat.Cause.SILENCE
    after = (seat for seat in seats if seat.kind == last.kind and seat.pk > last.pk and seat.cause == silence)
    return last if any(after) else None


def is_chosen_by_head(seats: Seats, judge: Judge) -> bool:
    """R56: Whether the head decided in public that this judge judges the battle, despite a conflict."""
    return any(s.judge_id == judge.pk and s.cause == BattleSeat.Cause.HEAD and s.until is None for s in seats)


def barred_from(battle: Battle, judges: Collection[Judge], now: datetime | None) -> set[int]:
    """R56, R59: Those of these judges, read by `judges_of`, who can't get the battle: because of a conflict, because
    they had it and lost it, or, if a moment is given, because they are away then."""
    conflicts = conflicts_in([battle], judges)
    away = away_users(battle.turn.round, now) if now else set()
    rows = BattleSeat.objects.filter(battle=battle, until__isnull=False).values_list("judge_id", flat=True)
    former_ids = set(rows)
    return {
        judge.pk
        for judge in judges
        if (battle.pk, judge.user_id) in conflicts or judge.user_id in away or judge.pk in former_ids
    }


def all_have_a_conflict(battle: Battle) -> bool:
    """R56: Whether no battle judge without a conflict is left who could score the battle or decide over its scores."""
    scored = set(Opinion.objects.filter(battle=battle).values_list("judge_id", flat=True))
    judges = battle_judges(battle.turn.round)
    conflicts = conflicts_in([battle], judges)
    remaining = [judge for judge in judges if judge.pk not in scored or len(scored) < 2]
    return all((battle.pk, judge.user_id) in conflicts for judge in remaining)


def ready_at(battle: Battle, counting: Mapping[str, Strat], teams: Collection[str]) -> datetime:
    """4.1.1, R59: Since when a battle can be judged: when the last strat of a team's army came, else its deadline.

    `battle` has its entries with their strats, `teams` are the names of the armies that are no mercenaries'; the moment
    may be in the future.
    """
    closes = clock.closes(last_deadline(battle))
    if not are_sent(teams, counting):
        return closes
    first = [
        min((strat.sent_at for strat in entry.strats.all() if not strat.as_contingency), default=closes)
        for entry in battle.entries.all()
        if entry.name in teams
    ]
    return min(max(first, default=closes), closes)


def last_act(round: Round, user: int) -> datetime | None:
    """R59: When a user last did something in a round that its log records."""
    return LogEntry.objects.filter(round=round, actor=user).order_by("-at").values_list("at", flat=True).first()


def last_sign(round: Round, judge: Judge, now: datetime) -> datetime:
    """R59: When a head last gave a sign: their last act in the round, their last visit, the end of a leave, or when
    they became the head."""
    last_visit = BrowserSession.objects.filter(user=judge.user_id).aggregate(last=Max("last_seen"))["last"]
    moments: list[datetime | None] = [
        judge.named_at,
        judge.head_since,
        round.created_at,
        last_visit,
        last_act(round, judge.user_id),
    ]
    over = JudgeLeave.objects.filter(judge__round=round, judge__user=judge.user_id, until__lte=now)
    moments += over.values_list("until", flat=True)
    return max(moment for moment in moments if moment is not None)


def _stated(row: StatedConflict) -> Stated:
    return Stated(Conflict(row.about), row.player.name if row.player else row.code)


def decided_by_head(battle_id: int) -> BattleSeat | None:
    """R56: The head's public choice of a judge for a battle with which all have a conflict; None if there is none."""
    rows = BattleSeat.objects.filter(battle=battle_id, cause=BattleSeat.Cause.HEAD).select_related("judge", "by")
    return rows.order_by("since").last()


@dataclass(frozen=True)
class ConflictView:
    """R56: A judge's stated conflict: `about` is player, faction or team, `name` the other party."""

    id: int
    about: str
    name: str
    why: str
    stated_at: datetime

    @property
    def whom(self) -> str:
        """The other party: a player, a faction or a team, in words."""
        return whom_in_words(self.about, self.name)


@dataclass(frozen=True)
class LeaveView:
    """R59: A leave that is not over; `until` is None if it has no end yet."""

    since: datetime
    until: datetime | None
    note: str
    has_begun: bool


@dataclass(frozen=True)
class JudgeView:
    """R56, R59: The public view of a serving judge. `stands_in_for` names the head whom they replace."""

    id: int
    name: str
    role: str
    is_head: bool
    deputy: str
    stands_in_for: str
    conflicts: tuple[ConflictView, ...]
    leaves: tuple[LeaveView, ...]


def judges_in(round: Round, now: datetime) -> tuple[JudgeView, ...]:
    """R56, R59: The judges of a round, by their roles, heads first."""
    conflicts: dict[int, list[StatedConflict]] = {}
    for row in open_conflicts(round):
        conflicts.setdefault(row.judge.user_id, []).append(row)
    absences = JudgeLeave.objects.filter(Q(until__isnull=True) | Q(until__gt=now), judge__round=round)
    leaves: dict[int, list[JudgeLeave]] = {}
    for leave in absences.exclude(until=F("since")).select_related("judge"):
        leaves.setdefault(leave.judge.user_id, []).append(leave)
    rows = Deputy.objects.filter(judge__round=round, deputy__dismissed_at__isnull=True).select_related("deputy")
    deputies = {row.judge_id: row.deputy.name for row in rows if row.deputy}
    substitute = standing_in(round)
    return tuple(
        JudgeView(
            id=judge.pk,
            name=judge.name,
            role=judge.role,
            is_head=judge.is_head,
            deputy=deputies.get(judge.pk, ""),
            stands_in_for=substitute.head.name if substitute and substitute.judge_id == judge.pk else "",
            conflicts=tuple(_conflict(row) for row in conflicts.get(judge.user_id, ())),
            leaves=tuple(
                LeaveView(row.since, row.until, row.note, row.since <= now) for row in leaves.get(judge.user_id, ())
            ),
        )
        for judge in Judge.objects.filter(round=round).order_by("role", "-is_head", "name")
    )


def _conflict(row: StatedConflict) -> ConflictView:
    return ConflictView(row.pk, row.about, row.player.name if row.player else row.code, row.why, row.stated_at)
