"""1.2, 2.5.1, 5.4.1: The map of a turn and the current one, with bases, portals and towns as viewers may see them."""

from dataclasses import dataclass

from judging.common.control import last_moment
from wargame import world
from wargame.models import Base, Round, Town, Turn
from wargame.models.choices import SiteKind, TurnState
from wargame.rules.core import turn as rules
from wargame.rules.core.position import Position
from wargame.rules.core.sides import Side


def penalties_for(turn: Turn, opened: Position) -> tuple[rules.Penalty, ...]:
    """5.4.1, R47: the penalties of a turn that take troops and are not lifted, by number, with the names that army and
    player have in the turn (1.6, 2.6); `opened` is its map, in which armies may have had other names."""
    rows = turn.penalty_rows.filter(lifted_at__isnull=True).exclude(kind=turn.penalty_rows.model.Kind.REPRIMAND)
    penalties = []
    for row in rows.select_related("army", "player").order_by("number"):
        assert row.army is not None
        names = (row.army.name, *row.army.former)
        penalty = rules.Penalty(
            number=row.number,
            army=next((name for name in names if name in opened.by_name), row.army.name),
            by=row.player.name_at(last_moment(turn.lock_at)),
            cites=row.cites,
            reason=row.reason,
            severity=row.severity or 0,
            roll=row.roll or 0,
            stated=tuple(row.stated) or rules.NOTHING,
            after_battle=row.after_battle,
        )
        penalties.append(penalty)
    return tuple(penalties)


def position_of(turn: Turn) -> Position:
    """The map on which the turn is played: the opening map, without the troops that penalties take from armies first
    (5.4.1). Shared between requests: a position never changes."""
    opened = world.position_of_turn(turn)
    return world.played_position(turn, penalties_for(turn, opened)) if turn.penalties else opened


def present_position(turn: Turn) -> Position:
    """The map at the opening of the round's last turn or, once it is settled without a next one (R34), at its end."""
    return world.load_position(turn.round) if turn.state == TurnState.SETTLED else position_of(turn)


def names_of(position: Position) -> tuple[str, ...]:
    """3.2.2.5: the names of the armies on the map, sorted."""
    return tuple(position.by_name)


@dataclass(frozen=True)
class SeenSite:
    """2.5.1: a site as a viewer sees it; `at` is empty if it has no place or the place is hidden."""

    name: str
    kind: str
    color: str
    at: str
    is_win: bool
    description: str
    is_destroyed: bool = False


def places_of(round: Round) -> list[SeenSite]:
    """2.5.1.2, 2.5.1.3: the sites on the map with their descriptions; none before the reveal, as there are no rows."""
    bases = sorted(Base.objects.filter(round=round), key=lambda base: (base.side, base.pk))
    sites = [
        SeenSite(
            name=base.name,
            kind=(SiteKind.BASE if base.side == Side.COALITION else SiteKind.PORTAL).value,
            color=base.color,
            at=base.at,
            is_win=base.win,
            description=base.description,
            is_destroyed=base.destroyed_in is not None,
        )
        for base in bases
    ]
    towns = Town.objects.filter(round=round).order_by("pk")
    return sites + [SeenSite(town.name, SiteKind.TOWN.value, "", town.at, False, town.description) for town in towns]
