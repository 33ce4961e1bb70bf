"""4.1: Battles as the pages show them. Only this module decides who may read a strat."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db.models import Count, OuterRef, Prefetch, Q, QuerySet, Subquery, prefetch_related_objects
from django.utils.translation import gettext

from judging.battles.models import Battle, BattleArmy, Claim, Note, Opinion, Score, Strat
from judging.battles.results import published_view
from judging.battles.shapes import BattleView, FighterView, Receipt, how_it_begins, sealed_view, slots_of, strat_view
from judging.battles.strats.queries import counting_as_read, deadline_of, last_deadline
from judging.common.control import control_in, control_then_each
from judging.common.markup import to_html
from judging.common.models import LogEntry
from judging.common.positions import position_of
from judging.common.request_cache import request_cached
from judging.common.rounds import current_turn
from judging.common.stored_messages import reason_in
from judging.common.texts import utc
from judging.common.viewer import Viewer
from judging.penalties.queries import penalties_in_force
from wargame.models import Army, Base, Player, Round, Town, Turn
from wargame.models.choices import DiceMix, Role, RoundState, TurnState
from wargame.rules.battle.weather import told_weather
from wargame.rules.core import clock, codec
from wargame.rules.core.board import neighbours, read_square
from wargame.rules.core.position import Position
from wargame.rules.core.troops import alive_by_slot, strength_by_slot
from wargame.rules.core.wording import headline


def battles_of_turn(turn: Turn, viewer: Viewer, now: datetime) -> list[BattleView]:
    """4.1.1: The battles of a turn, as the viewer may see them, in the order of their announcement.

    The battles with their strats, claims, notes and penalties are read together, whatever their number.
    """
    return views_of(rows_of_turn(turn), viewer, now)


def rows_of_turn(turn: Turn, rows: QuerySet[Battle] | None = None) -> list[Battle]:
    """4.1.1: The rows of a turn's battles, for `views_of`, in the order of their announcement, with the annotations
    of `rows`."""
    in_play = (Battle.objects.all() if rows is None else rows).filter(turn=turn).exclude(state=Battle.State.CANCELLED)
    return _in_turns([turn], rows_to_view(in_play))


def cancelled_battles(turn: Turn) -> list[tuple[int, str]]:
    """3.3.3: The battles of a turn that a correction of the turn before cancelled: key and square."""
    rows = Battle.objects.filter(turn=turn, state=Battle.State.CANCELLED).order_by("number")
    return list(rows.values_list("pk", "at"))


def battle_view(battle_id: int, viewer: Viewer, now: datetime) -> BattleView | None:
    """One battle of the viewer's round; None if there is none with that number."""
    rows = Battle.objects.filter(pk=battle_id, turn__round=viewer.round).select_related("turn").defer("turn__position")
    battle = rows_to_view(rows).first()
    return view_of(battle, viewer, now) if battle else None


def view_of(battle: Battle, viewer: Viewer, now: datetime, *, in_full: bool = True) -> BattleView:
    """One battle of the viewer's round, read by `rows_to_view` with its turn."""
    (view,) = views_of([battle], viewer, now, in_full=in_full)
    return view if view.result else _with_counting(view, battle)


def _with_counting(view: BattleView, battle: Battle) -> BattleView:
    """R35: Before the result, mark which strat counts so far, for those who may read them: for a contingency's
    strat, others could infer its author."""
    if not any(fighter.strats for fighter in view.fighters):
        return view
    strats = counting_as_read([battle])[battle.pk]
    counting = {name: strat.sha256 for name, strat in strats.items()}
    sides = (
        tuple(_marked(fighter, counting) if fighter.strats else fighter for fighter in view.sides[0]),
        tuple(_marked(fighter, counting) if fighter.strats else fighter for fighter in view.sides[1]),
    )
    return replace(view, sides=sides)


def _marked(fighter: FighterView, counting: Mapping[str, str]) -> FighterView:
    """R35: An army's receipts, of which at most one counts; `counting` are their hashes by the armies' names."""
    counts = next((r for r in fighter.receipts if r.sha256 == counting.get(fighter.name)), None)
    receipts = tuple(
        replace(r, counted=r is counts, replaced=counts is not None and r.sent_at < counts.sent_at)
        for r in fighter.receipts
    )
    return replace(fighter, receipts=receipts)


def published_battles(turns: Iterable[Turn], viewer: Viewer, now: datetime) -> list[BattleView]:
    """4.2.5: The published battles of some turns, newest turn first."""
    turns = list(turns)
    rows = Battle.objects.filter(turn__in=turns, turn__round=viewer.round, result__isnull=False)
    return views_of(_in_turns(turns, rows_to_view(rows).order_by("-turn__number", "number")), viewer, now)


def pair_choices(view: BattleView, fighter: FighterView) -> dict[str, tuple[str, ...]]:
    """4.4: Which of two armies may leave the square, and where to; empty for an army that fights alone."""
    side = view.sides[0] if fighter in view.sides[0] else view.sides[1]
    if len(side) < 2:
        return {"pair": (), "squares": ()}
    squares = neighbours(read_square(view.at))
    return {"pair": tuple(each.name for each in side), "squares": tuple(str(square) for square in squares)}


def rows_for_strat(view: BattleView, fighter: FighterView) -> tuple[Battle, Army]:
    """The rows for a strat: the battle, and the army in it. Both exist, because they are shown."""
    entry = BattleArmy.objects.select_related("battle", "army").get(battle=view.id, name=fighter.name)
    return entry.battle, entry.army


def may_read(strat: Strat, controllers: Iterable[str], viewer: Viewer, round_: Round) -> bool:
    """R35: Its author, the contingencies of the army's controllers, the battle judges; all when the round is over.

    For everybody else, see `is_released` about earlier publication.
    """
    if round_.state == RoundState.OVER or viewer.is_judge(Role.BATTLE):
        return True
    if strat.player is None:
        return viewer.is_judge(Role.MERCENARY)
    player = viewer.player
    return player is not None and (player == strat.player or _is_contingency(player, controllers))


def is_released(strat: Strat, battle: Battle) -> bool:
    """R54, R35: Whether everybody may read a strat before the round is over: the one that counted, when the round
    publishes it; one that a judge published earlier."""
    if battle.state != Battle.State.PUBLISHED:
        return False
    if strat.released_at is not None:
        return True
    after = battle.turn.round.strats_after
    if after is None or battle.result.outcome["strats"].get(strat.entry.name) != strat.sha256:
        return False
    current = current_turn(battle.turn.round)
    return current is not None and current.number >= battle.turn.number + after


def released_strats() -> Q:
    """R54, R35: A filter for the public strats of all rounds; see `is_released`."""
    earlier = Strat.objects.filter(entry__battle__turn__round__strats_after__isnull=False)
    published = earlier.filter(entry__battle__state=Battle.State.PUBLISHED).defer("text")
    rows = published.select_related("entry__battle__turn__round", "entry__battle__result")
    keys = [strat.pk for strat in rows if is_released(strat, strat.entry.battle)]
    over = Q(entry__battle__turn__round__state=RoundState.OVER)
    return over | Q(released_at__isnull=False) | Q(pk__in=keys)


def is_sealed(strat: Strat, battle: Battle, viewer: Viewer) -> bool:
    """R35: Whether a late strat's text is hidden from the judges who must still decide whether it counts: they
    decide by its time and its reason, not by its text. Its author reads it."""
    if not strat.late or strat.accepted_at or strat.declined_at or battle.state != Battle.State.WAITING:
        return False
    is_own = viewer.player is not None and viewer.player.pk == strat.player_id
    return viewer.is_judge(Role.BATTLE) and not is_own


def _no_more_strats(battle: Battle) -> bool:
    """4.1.1: Whether a score is locked, the battle's or that of one of two judges: its strats can no longer change."""
    if battle.state in (Battle.State.SCORED, Battle.State.ROLLED):
        return True
    is_of_two = battle.state == Battle.State.WAITING and battle.second_judge_id is not None
    return is_of_two and Opinion.objects.filter(battle=battle).exists()


def who_may_send(controllers: Iterable[str], deadline: datetime, viewer: Viewer, now: datetime) -> str:
    """R35, 5.2.3: In which role the viewer may send this army's strat: `controller` or `contingency`; empty if they
    may not."""
    if viewer.player is None:
        return ""
    if viewer.player.name in controllers:
        return "controller"
    opens = deadline - viewer.round.contingency_before_deadline
    in_window = now >= opens and clock.is_in_time(now, deadline)
    return "contingency" if in_window and _is_contingency(viewer.player, controllers) else ""


def contingency_opens(fighter: FighterView, viewer: Viewer, now: datetime) -> datetime | None:
    """5.2.3: From when on the viewer may send this army's strat as a contingency; None if they never may, or may
    now."""
    if viewer.player is None or not _is_contingency(viewer.player, fighter.controllers):
        return None
    opens = fighter.deadline - viewer.round.contingency_before_deadline
    return opens if now < opens else None


def _is_contingency(player: Player, controllers: Iterable[str]) -> bool:
    return not _stands_in_for(player).isdisjoint(controllers)


@request_cached
def _stands_in_for(player: Player) -> frozenset[str]:
    """5.2.3: The names of those whose contingency a player is."""
    return frozenset(player.contingency_of.values_list("name", flat=True))


def rows_to_view(battles: QuerySet[Battle]) -> QuerySet[Battle]:
    """Battles with their armies and strats, but without their turns, in three queries, however many there are."""
    strats = Strat.objects.select_related("player", "risk_ruling__judge", "released_by")
    entries = BattleArmy.objects.prefetch_related(Prefetch("strats", strats))
    related = battles.select_related("result", "score__judge", "decision__judge", "cancelled_by")
    return related.prefetch_related(Prefetch("entries", entries))


def _in_turns(turns: Iterable[Turn], rows: QuerySet[Battle]) -> list[Battle]:
    """The battles of turns that are already read: a row of a turn is large, because it has all its events."""
    by_key, battles = {turn.pk: turn for turn in turns}, list(rows)
    for battle in battles:
        battle.turn = by_key[battle.turn_id]
    return battles


def views_of(
    rows: Sequence[Battle], viewer: Viewer, now: datetime, *, in_full: bool = True, with_notes: bool = True
) -> list[BattleView]:
    """Battles of the viewer's round as they may see them, read by `rows_to_view`, with their turns.

    `in_full`: with claims and the descriptions of the squares, which lists don't need. `with_notes`: with the judges'
    notes on results.
    """
    turns = {battle.turn_id: battle.turn for battle in rows}
    locks = {pk: min(now, turn.lock_at) for pk, turn in turns.items()}
    control = _control(viewer.round, turns, locks)
    places = _descriptions(viewer.round) if rows and in_full else {}
    extensions = _extensions(viewer.round, rows, turns)
    for battle in rows:
        battle.turn.round = viewer.round
    claimed = {battle.pk for battle in rows if in_full and _shows_claims(battle, viewer)}
    _read_what_is_judged(rows, claimed, viewer, with_notes=with_notes)
    views = [_view(b, viewer, control[b.turn_id], places, now, with_claims=b.pk in claimed) for b in rows]
    return [replace(view, extensions=extensions.get((view.turn, view.number), ())) for view in views]


def _control(
    round_: Round, turns: Mapping[int, Turn], moments: Mapping[int, datetime]
) -> dict[int, dict[str, tuple[str, ...]]]:
    """5.2: The control of armies in each turn, by its key: with one query, which a single turn's page has already
    made."""
    if len(turns) == 1:
        return {pk: control_in(turn, moments[pk]) for pk, turn in turns.items()}
    controls = control_then_each(round_, tuple(sorted(set(moments.values()))))
    return {pk: controls[moment] for pk, moment in moments.items()}


def _read_what_is_judged(rows: Sequence[Battle], claimed: Collection[int], viewer: Viewer, *, with_notes: bool) -> None:
    """4.2.1: The claims of the battles with these keys, and of published battles the notes and, if two judged, both
    scores (R55)."""
    entries = [entry for battle in rows if battle.pk in claimed for entry in battle.entries.all()]
    strats = [strat for entry in entries for strat in entry.strats.all()]
    prefetch_related_objects(strats, Prefetch("claims", _claims_for(viewer)))
    notes = Note.objects.filter(shown=True).exclude(text="").select_related("criterion__judge")
    notes = notes if with_notes else notes.none()
    judged = [battle for battle in rows if hasattr(battle, "result")]
    prefetch_related_objects(judged, Prefetch("notes", notes))
    of_two = [battle for battle in judged if hasattr(battle, "score") and battle.score.how != Score.How.ALONE]
    prefetch_related_objects(of_two, Prefetch("opinions", Opinion.objects.select_related("judge")))


def _claims_for(viewer: Viewer) -> QuerySet[Claim]:
    """R55: The viewer's own claims; others' verdicts once nothing can sway a judge any more: both of two scores are
    locked, or that of the battle is."""
    scored = Opinion.objects.filter(battle=OuterRef("strat__entry__battle")).order_by().values("battle")
    both = Claim.objects.alias(scored=Subquery(scored.annotate(number=Count("pk")).values("number")))
    is_free = Q(judge__user=viewer.user_id or 0) | Q(scored__gte=2)
    return both.filter(is_free | ~Q(strat__entry__battle__state=Battle.State.WAITING))


def _view(
    battle: Battle,
    viewer: Viewer,
    control: dict[str, tuple[str, ...]],
    places: dict[str, str],
    now: datetime,
    *,
    with_claims: bool,
) -> BattleView:
    position = _position(battle)
    is_decided = hasattr(battle, "result")
    sides: tuple[list[FighterView], list[FighterView]] = ([], [])
    for entry in battle.entries.all():
        fighter = _fighter(entry, battle, position, viewer, control, now, with_claims=with_claims)
        sides[entry.side].append(_marked(fighter, battle.result.outcome["strats"]) if is_decided else fighter)
    names = tuple(tuple(f.name for f in side) for side in sides)
    armies = {f.name: f.army for side in sides for f in side}
    return BattleView(
        id=battle.pk,
        turn=battle.turn.number,
        number=battle.number,
        at=battle.at,
        terrain=battle.terrain,
        place=battle.place,
        place_text=to_html(places.get(battle.at, "")),
        weather=told_weather(battle.weather).get("text", ""),
        headline=headline(names[0], names[1], battle.defends),
        how=how_it_begins(battle.defends),
        sides=(tuple(sides[0]), tuple(sides[1])),
        defends=battle.defends,
        announced_at=battle.announced_at,
        deadline=battle.deadline,
        is_closed=not clock.is_in_time(now, last_deadline(battle)),
        commitment=battle.commitment,
        result=published_view(battle, names, armies) if is_decided else None,
        is_cancelled=battle.state == Battle.State.CANCELLED,
        dice_mix=battle.dice_mix,
        awaits_words=battle.dice_mix == DiceMix.WORDS and battle.state == Battle.State.SCORED,
    )


def _position(battle: Battle) -> Position:
    """The map on which the battle was announced: for a cancelled one that from before the correction."""
    if battle.cancelled_by is None:
        return position_of(battle.turn)
    return codec.position_from_json(battle.cancelled_by.old_position)


def _extensions(
    round_: Round, battles: Iterable[Battle], turns: Mapping[int, Turn]
) -> dict[tuple[int, int], tuple[str, ...]]:
    """R5: Extensions of strats: for whom, until when and why, by turn and battle."""
    if not any(battle.deadline != turns[battle.turn_id].deadline or _own_deadlines(battle) for battle in battles):
        return {}
    by_battle: dict[tuple[int, int], tuple[str, ...]] = {}
    actions = ("battle.extended", "battle.extension_overruled")
    rows = LogEntry.objects.filter(round=round_, action__in=actions).values_list("action", "data")
    for action, data in rows:
        until = datetime.fromisoformat(data["until"])
        sentence = _moved(data, until, is_overruled=action == actions[1])
        key = (data["turn"], data["battle"])
        by_battle[key] = (*by_battle.get(key, ()), sentence)
    return by_battle


def _moved(data: Mapping[str, Any], until: datetime, *, is_overruled: bool) -> str:
    """R5: Who has, or no longer has, more time, until when, and why."""
    message = gettext("The strat of %(army)s is due by %(time)s: %(reason)s")
    if is_overruled and data["army"]:
        message = gettext("The strat of %(army)s is due by %(time)s again, as %(name)s was overruled: %(reason)s")
    elif is_overruled:
        message = gettext("All strats are due by %(time)s again, as %(name)s was overruled: %(reason)s")
    elif not data["army"]:
        message = gettext("All strats are due by %(time)s: %(reason)s")
    return message % {"army": data["army"], "time": utc(until), "name": data.get("of", ""), "reason": reason_in(data)}


def _own_deadlines(battle: Battle) -> bool:
    return any(entry.deadline for entry in battle.entries.all())


@request_cached
def _descriptions(round_: Round) -> dict[str, str]:
    """2.5.1.2: the site descriptions by square."""
    bases = Base.objects.filter(round=round_).order_by().values_list("at", "description")
    return dict(bases.union(Town.objects.filter(round=round_).order_by().values_list("at", "description")))


def _fighter(
    entry: BattleArmy,
    battle: Battle,
    position: Position,
    viewer: Viewer,
    control: dict[str, tuple[str, ...]],
    now: datetime,
    *,
    with_claims: bool,
) -> FighterView:
    army = position.by_name[entry.name]
    controllers = control.get(army.name, ())
    strats, deadline = list(entry.strats.all()), deadline_of(entry, battle)
    is_over = viewer.round.state == RoundState.OVER
    pairs = [(s, is_over or is_released(s, battle)) for s in strats]
    readable = [(s, public) for s, public in pairs if public or may_read(s, controllers, viewer, viewer.round)]
    may_send = "" if _is_closed(battle) else who_may_send(controllers, deadline, viewer, now)
    is_judged = bool(may_send) and _no_more_strats(battle)
    return FighterView(
        army=army,
        slots=slots_of(army),
        alive=sum(alive_by_slot(army.troops)),
        of=sum(strength_by_slot(army.troops)),
        controllers=controllers,
        receipts=tuple(_receipt(strat) for strat in strats),
        strats=tuple(
            sealed_view(s) if is_sealed(s, battle, viewer) else strat_view(s, with_claims=with_claims, is_public=public)
            for s, public in readable
        ),
        may_send="" if is_judged else may_send,
        is_judged=is_judged,
        deadline=deadline,
        is_extended=deadline != battle.deadline,
        penalties=penalties_in_force(entry.army_id, battle.turn),
    )


def _receipt(strat: Strat) -> Receipt:
    """R35: The public part of a strat from the start, and a judge's decision on a late one."""
    return Receipt(
        *(strat.sent_at, strat.sha256, strat.late, strat.accepted_because),
        word_sha256=strat.word_sha256,
        declined_because=strat.declined_because,
    )


def _shows_claims(battle: Battle, viewer: Viewer) -> bool:
    """4.1.2: Claims are shown with the result; battle judges read them before."""
    return battle.state == Battle.State.PUBLISHED or viewer.is_judge(Role.BATTLE)


def _is_closed(battle: Battle) -> bool:
    decided = (Battle.State.PUBLISHED, Battle.State.CANCELLED)
    return battle.state in decided or battle.turn.state == TurnState.SETTLED
