"""4.1: battles as the pages show them. Who may read a strat is decided here and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Prefetch, QuerySet

from judging.markup import to_html
from judging.models import Battle, BattleArmy, Strat
from judging.selectors.battle_views import (
    BattleView,
    FighterView,
    Receipt,
    headline,
    how_it_begins,
    result_view,
    slots_of,
    strat_view,
)
from judging.selectors.rounds import position_of
from judging.selectors.viewer import Viewer
from wargame.models import Army, Base, Player, Round, Town, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules import clock
from wargame.rules.board import neighbours, read_square
from wargame.rules.position import Position
from wargame.rules.troops import alive_by_slot, strength_by_slot
from wargame.world import control_at


def battles_of_turn(turn: Turn, viewer: Viewer, now: datetime) -> list[BattleView]:
    """4.1.1: the battles that are fought in a turn, in the order in which they were announced."""
    return _views(_rows(Battle.objects.filter(turn=turn)), viewer, now)


def battle_view(battle_id: int, viewer: Viewer, now: datetime) -> BattleView | None:
    """One battle of the viewer's round; None if there is none of that number."""
    rows = Battle.objects.filter(pk=battle_id, turn__round=viewer.round)
    return next(iter(_views(_rows(rows), viewer, now)), None)


def published_battles(turns: Iterable[Turn], viewer: Viewer, now: datetime) -> list[BattleView]:
    """4.2.5: the battles of some turns that have a result, the newest turn first."""
    rows = Battle.objects.filter(turn__in=list(turns), turn__round=viewer.round, result__isnull=False)
    return _views(_rows(rows).order_by("-turn__number", "number"), viewer, now)


def pair_choices(view: BattleView, fighter: FighterView) -> dict[str, tuple[str, ...]]:
    """4.4: which of two armies may leave the square, and where to; nothing for an army that fights alone."""
    side = view.sides[0] if fighter in view.sides[0] else view.sides[1]
    if len(side) < 2:
        return {"pair": (), "squares": ()}
    squares = neighbours(read_square(view.at))
    return {"pair": tuple(each.name for each in side), "squares": tuple(str(square) for square in squares)}


def rows_for_strat(view: BattleView, fighter: FighterView) -> tuple[Battle, Army]:
    """The rows that a strat is sent for."""
    entry = BattleArmy.objects.select_related("battle", "army").get(battle=view.id, army__name=fighter.name)
    return entry.battle, entry.army


def may_read(strat: Strat, controllers: Iterable[str], viewer: Viewer, round_: Round) -> bool:
    """R35: its author, the contingencies of the army's controllers, the battle judges; all when the round is over."""
    if round_.state == RoundState.OVER or viewer.is_judge(Role.BATTLE):
        return True
    if strat.player is None:
        return viewer.is_judge(Role.MERCENARY)
    player = viewer.player
    return player is not None and (player == strat.player or _is_contingency(player, controllers))


def who_may_send(controllers: Iterable[str], battle: Battle, viewer: Viewer, now: datetime) -> str:
    """R35, 5.2.3: as what the viewer may send this army's strat: `controller`, `contingency` or nothing."""
    if viewer.player is None:
        return ""
    if viewer.player.name in controllers:
        return "controller"
    opens = battle.deadline - viewer.round.contingency_before_deadline
    in_window = now >= opens and clock.is_in_time(now, battle.deadline)
    return "contingency" if in_window and _is_contingency(viewer.player, controllers) else ""


def _is_contingency(player: Player, controllers: Iterable[str]) -> bool:
    return player.contingency_of.filter(name__in=list(controllers)).exists()


def _rows(battles: QuerySet[Battle]) -> QuerySet[Battle]:
    entries = BattleArmy.objects.select_related("army").prefetch_related(
        Prefetch("strats", Strat.objects.select_related("player"))
    )
    return battles.select_related("result").prefetch_related(Prefetch("entries", entries))


def _views(battles: QuerySet[Battle], viewer: Viewer, now: datetime) -> list[BattleView]:
    """The turns are read once each: a row of a turn carries its whole map."""
    rows = list(battles)
    turns = Turn.objects.defer("position").in_bulk({battle.turn_id for battle in rows})
    control = {pk: control_at(viewer.round, min(now, turn.lock_at)) for pk, turn in turns.items()}
    places = _descriptions(viewer.round)
    for battle in rows:
        battle.turn = turns[battle.turn_id]
        battle.turn.round = viewer.round
    return [_view(battle, viewer, control[battle.turn_id], places, now) for battle in rows]


def _view(
    battle: Battle, viewer: Viewer, control: dict[str, tuple[str, ...]], places: dict[str, str], now: datetime
) -> BattleView:
    position = position_of(battle.turn)
    sides: tuple[list[FighterView], list[FighterView]] = ([], [])
    for entry in battle.entries.all():
        sides[entry.side].append(_fighter(entry, battle, position, viewer, control, now))
    names = tuple(tuple(f.name for f in side) for side in sides)
    return BattleView(
        id=battle.pk,
        turn=battle.turn.number,
        number=battle.number,
        at=battle.at,
        terrain=battle.terrain,
        place=battle.place,
        place_text=to_html(places.get(battle.at, "")),
        headline=headline(names[0], names[1], battle.defends),
        how=how_it_begins(battle.defends),
        sides=(tuple(sides[0]), tuple(sides[1])),
        defends=battle.defends,
        announced_at=battle.announced_at,
        deadline=battle.deadline,
        is_closed=not clock.is_in_time(now, battle.deadline),
        commitment=battle.commitment,
        result=result_view(battle, names) if hasattr(battle, "result") else None,
    )


def _descriptions(round_: Round) -> dict[str, str]:
    """2.5.1.2: the site descriptions by square."""
    bases = Base.objects.filter(round=round_).values_list("at", "description")
    return dict([*bases, *Town.objects.filter(round=round_).values_list("at", "description")])


def _fighter(
    entry: BattleArmy,
    battle: Battle,
    position: Position,
    viewer: Viewer,
    control: dict[str, tuple[str, ...]],
    now: datetime,
) -> FighterView:
    army = position.by_name[entry.army.name]
    controllers = control.get(army.name, ())
    strats = list(entry.strats.all())
    return FighterView(
        army=army,
        slots=slots_of(army),
        alive=sum(alive_by_slot(army.troops)),
        of=sum(strength_by_slot(army.troops)),
        controllers=controllers,
        receipts=tuple(Receipt(s.sent_at, s.sha256, s.late) for s in strats),
        strats=tuple(strat_view(s) for s in strats if may_read(s, controllers, viewer, viewer.round)),
        may_send="" if _is_closed(battle) else who_may_send(controllers, battle, viewer, now),
    )


def _is_closed(battle: Battle) -> bool:
    return battle.state == Battle.State.PUBLISHED or battle.turn.state == TurnState.SETTLED
