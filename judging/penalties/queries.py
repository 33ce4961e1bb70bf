"""5.4.1, R47, 1.3: The penalties of a round for pages, programs and the rules. All are public at once."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import QuerySet

from judging.announcements.wording import penalty_words
from judging.common.pagination import Paged, paged
from judging.penalties.models import Penalty
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role
from wargame.rules.core.turn import draw_name, losses_of

ACTING = "5.4.1"
"""The rule that leaves its penalties to any judge; other sanctions are the battle judge's (1.3)."""

A_PAGE = 30
Kind = Penalty.Kind


@dataclass(frozen=True)
class PenaltyView:
    """5.4.1: a penalty. `takes` are the troops of slots 1 to 4 that it takes from an army that has that many, all 0
    for a reprimand; `draw` is the name of its die (R38), empty where none was rolled. `army` is empty for a
    reprimand without one. `extended_to`: the new deadline of the army's strat."""

    id: int
    turn: int
    number: int
    kind: str
    player: str
    side: str
    army: str
    what: str
    severity: int
    roll: int
    draw: str
    takes: tuple[int, ...]
    after_battle: bool
    extended_to: datetime | None
    cites: str
    reason: str
    by: str
    made_at: datetime
    is_lifted: bool
    lifted_by: str
    lifted_at: datetime | None
    lifted_reason: str
    may_lift: bool = False


def penalties_page(round_: Round, *, army: str = "", player: str = "", page: str = "1") -> Paged[PenaltyView]:
    """The penalties of a round, newest first: those on an army, or those for a player."""
    return paged(_rows_about(round_, army, player), A_PAGE, page, lambda rows: map(penalty_view, rows))


def penalty_views(round_: Round, *, army: str = "", player: str = "") -> list[PenaltyView]:
    """All of a round, or those on an army or for a player, newest first."""
    return [penalty_view(row) for row in _rows_about(round_, army, player)]


def _rows_about(round_: Round, army: str, player: str) -> QuerySet[Penalty]:
    rows = penalty_rows(round_)
    rows = rows.filter(army__name__iexact=_bare(army)) if army else rows
    return rows.filter(player__name__iexact=_bare(player)) if player else rows


def penalty_rows(round_: Round) -> QuerySet[Penalty]:
    """All of a round, newest first."""
    return _joined(Penalty.objects.filter(turn__round=round_)).order_by("-turn__number", "-number")


def _joined(rows: QuerySet[Penalty]) -> QuerySet[Penalty]:
    joined = rows.select_related("turn", "judge", "player", "army", "lifted_by")
    return joined.defer("turn__position", "turn__events", "turn__sky")


def penalties_in_force(army_id: int, turn: Turn) -> tuple[PenaltyView, ...]:
    """5.4.1: those in a turn that took troops from an army and are not lifted, by number."""
    if not turn.penalties:
        return ()
    return tuple(penalty_view(row) for row in _in_force(turn) if row.army_id == army_id)


def penalties_by_army(turn: Turn) -> dict[str, tuple[PenaltyView, ...]]:
    """5.4.1: the same for every army that has one, by its present name."""
    by_army: dict[str, tuple[PenaltyView, ...]] = {}
    for row in _in_force(turn):
        view = penalty_view(row)
        by_army[view.army] = (*by_army.get(view.army, ()), view)
    return by_army


def _in_force(turn: Turn) -> QuerySet[Penalty]:
    rows = _joined(Penalty.objects.filter(turn=turn, lifted_at__isnull=True))
    return rows.exclude(kind=Kind.REPRIMAND).order_by("number")


def may_lift(penalty: Penalty, judge: Judge) -> bool:
    """1.3: the judge who imposed it, and the head battle judge, whose word is law."""
    return penalty.judge_id == judge.pk or (judge.role == Role.BATTLE and judge.is_head)


def answers_appeal(penalty: Penalty, judge: Judge) -> bool:
    """R57: whether a judge is to answer an open appeal against it, and may lift it whoever imposed it."""
    return penalty.appeals.filter(judge=judge, state="open").exists()


def what_it_does(row: Penalty) -> str:
    """5.4.1: the effect of a penalty, as a part of a sentence; of one that is not rolled yet, the minimum and
    maximum."""
    return penalty_words({"penalty": row.number, **what_of(row)})


def what_of(row: Penalty) -> dict[str, object]:
    """5.4.1: the effect of a penalty, as JSON."""
    is_rolled = row.kind == Kind.DICE
    return {
        "army": row.army.name if row.army else "",
        "takes_troops": row.army is not None and row.takes_troops,
        "stated": [] if is_rolled else list(taken_by(row)),
        "severity": (row.severity or 0) if is_rolled else 0,
        "roll": (row.roll or 0) if is_rolled else 0,
        "after_battle": row.after_battle,
        "extended_to": row.extended_to.isoformat() if row.extended_to else "",
    }


def penalty_view(row: Penalty, judges: Iterable[Judge] = ()) -> PenaltyView:
    """A penalty for display; `judges` are the viewer's seats, any of which may lift it."""
    effect = what_it_does(row)
    return PenaltyView(
        id=row.pk,
        turn=row.turn.number,
        number=row.number,
        kind=row.kind,
        player=row.player.name,
        side=row.player.side,
        army=row.army.name if row.army else "",
        what=effect[0].upper() + effect[1:],
        severity=row.severity or 0,
        roll=row.roll or 0,
        draw=draw_name(row.number) if row.roll else "",
        takes=taken_by(row),
        after_battle=row.after_battle,
        extended_to=row.extended_to,
        cites=row.cites,
        reason=row.reason,
        by=row.judge.name,
        made_at=row.made_at,
        is_lifted=row.lifted_at is not None,
        lifted_by=row.lifted_by.name if row.lifted_by else "",
        lifted_at=row.lifted_at,
        lifted_reason=row.lifted_reason,
        may_lift=row.lifted_at is None and any(may_lift(row, judge) for judge in judges),
    )


def taken_by(row: Penalty) -> tuple[int, ...]:
    """R47: the troops that it takes from slots 1 to 4 of an army that has that many."""
    if row.kind == Kind.DICE:
        return losses_of(row.severity or 0, row.roll or 0)
    return tuple(row.stated) or (0, 0, 0, 0)


def _bare(text: str) -> str:
    return text.replace("\0", "").strip()
