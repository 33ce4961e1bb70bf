"""2.1: the armies of a round, as a list and one by one. Armies, squares and living troops are public."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import get_close_matches
from typing import NamedTuple

from judging.armies.models import ChangeRequest, PersonalOffer
from judging.common.control import control_then
from judging.common.positions import present_position
from judging.common.rounds import current_turn
from judging.common.viewer import Viewer
from judging.penalties.queries import PenaltyView, penalties_in_force
from judging.svg.crests import crest_of, tier_of, title_of
from judging.svg.map import battle_words, name_of_place
from wargame.models import Army, Player, Round, Turn
from wargame.models import Troop as TroopRow
from wargame.models.choices import TurnState
from wargame.rules.core.board import Board
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Army as ArmyOnMap
from wargame.rules.core.position import Position
from wargame.rules.core.troops import SLOTS, Troop
from wargame.rules.settling.healing import days_to_healing
from wargame.rules.settling.losses import fall
from wargame.rules.telling.telling import armies_of, event_from_json, tell, tell_all

SHOWN_TURNS = 20
"""How many settled turns of an army's history are read at once."""


class CreatureView(NamedTuple):
    """2.1: the troops of one creature: how many are `alive`, and how many there were at full strength (`of`)."""

    creature: str
    size: str
    colors: tuple[str, ...]
    alive: int
    of: int


@dataclass(frozen=True)
class SlotView:
    """2.1: one of an army's four slots."""

    number: int
    alive: int
    of: int
    creatures: tuple[CreatureView, ...]


@dataclass(frozen=True)
class TroopsView:
    """2.1: An army's troops by slot, and in total."""

    slots: tuple[SlotView, ...]
    alive: int
    of: int

    @property
    def creatures(self) -> list[dict[str, object]]:
        return [{"slot": slot.number, **each._asdict()} for slot in self.slots for each in slot.creatures]


@dataclass(frozen=True)
class ArmyLine:
    """An army in the list; a dead one has `died_in` and no place."""

    name: str
    side: str
    rank: str
    faction: str
    mercenary_tier: int
    title: str
    tier: int
    at: str
    place: str
    alive: int
    of: int
    battle: str
    captured: bool
    empty: bool
    controllers: tuple[str, ...]
    died_in: int | None


@dataclass(frozen=True)
class TurnHistory:
    number: int
    settled_at: datetime | None
    events: tuple[Json, ...]


@dataclass(frozen=True)
class ArmyCard:
    """2.1: The public facts about an army. `army` is its row, with `rank`, `colors`, `legend`, `days`. `penalties`
    are those of the current turn that are in force (5.4.1)."""

    army: Army
    title: str
    tier: int
    place: str
    battle: str
    controllers: tuple[str, ...]
    own: bool
    troops: TroopsView
    last_day: dict[str, str] | None
    heals_in: int | None
    plan: tuple[str, ...]
    captive_of: str
    kills: tuple[tuple[str, int], ...]
    history: tuple[TurnHistory, ...]
    older: int | None
    is_offered: bool = False
    penalties: tuple[PenaltyView, ...] = ()

    @property
    def crest(self) -> str:
        """The id of its crest's symbol."""
        return crest_of(self.army.side, self.tier)

    @property
    def is_empty(self) -> bool:
        """4.3.1: Whether the army is alive and has no troops left."""
        return self.army.died_in is None and self.troops.alive == 0


def army_list(round: Round, now: datetime) -> list[ArmyLine]:
    """Every army of a round, including the dead ones, by name."""
    control = control_then(round, now)
    turn = current_turn(round)
    living: list[ArmyLine] = []
    if turn:
        position = present_position(turn)
        living = [_living(position, army, control.get(army.name, ())) for army in position.armies]
    dead = [_dead(army) for army in Army.objects.filter(round=round, died_in__isnull=False)]
    return sorted(living + dead, key=lambda line: line.name.casefold())


def army_card(round: Round, name: str, viewer: Viewer, now: datetime, before: int | None = None) -> ArmyCard | None:
    """An army by its exact name; None if there is none. `before`: only the history older than that turn."""
    army = Army.objects.filter(round=round, name=name).prefetch_related("troops").first()
    turn = current_turn(round)
    if army is None:
        return None
    position = present_position(turn) if turn else Position(Board(tuple(round.terrain.split())))
    on_map = position.by_name.get(name)
    controllers = control_then(round, now).get(name, ())
    names = (name, *army.former)
    history, older = _history(round, names, before)
    return ArmyCard(
        army=army,
        title=title_of(army),
        tier=tier_of(army),
        place=name_of_place(position.board, on_map.at) if on_map else "",
        battle=battle_words(position, name),
        controllers=controllers,
        own=viewer.player is not None and viewer.player.name in controllers,
        troops=troops_view(_troops_left(army, names)),
        last_day=last_day_of(turn, names) if turn else None,
        heals_in=days_to_healing(on_map, position.board) if on_map else None,
        plan=_plan_words(army.plan),
        captive_of=(army.captivity or {}).get("side", ""),
        kills=kills_of(round, names),
        history=history,
        older=older,
        is_offered=viewer.player is not None and is_offered(army, viewer.player),
        penalties=penalties_in_force(army.pk, turn) if turn else (),
    )


def _troops_left(army: Army, names: Sequence[str]) -> Iterable[Troop | TroopRow]:
    """R32: An army's troops; of a dead one without those lost in its last battle, which its rows still have."""
    troops = list(army.troops.all())
    if army.died_in is None:
        return troops
    events = (
        Turn.objects.filter(round=army.round_id, number=army.died_in).values_list("events", flat=True).first() or []
    )
    fought = (event for event in events if event["kind"] == "fought")
    losses = next((tuple(by_slot) for event in fought for name, by_slot in event["losses"] if name in names), None)
    if losses is None:
        return troops
    before = tuple(Troop(row.slot, row.creature, row.alive, row.of, tuple(row.colors), row.size) for row in troops)
    return fall(before, losses)[0]


def is_offered(army: Army, player: Player) -> bool:
    """2.6: Whether the army was chosen for a new player, who has not made it their own yet."""
    if not PersonalOffer.objects.filter(army=army, player=player).exists():
        return False
    changes = ChangeRequest.objects.filter(army=army, kind=ChangeRequest.Kind.PERSONAL, applied_in__isnull=False)
    return army.died_in is None and not changes.exists()


def last_day_of(turn: Turn, names: Sequence[str]) -> dict[str, str] | None:
    """1.5: The event with the reason why an army gained a day in the last settlement, or why not. `names`: its
    current and former ones (2.6)."""
    last = Turn.objects.filter(round_id=turn.round_id, state=TurnState.SETTLED).order_by("-number")
    events = last.values_list("events", flat=True).first() or []
    about = (event for event in events if event["kind"] in ("day_counted", "day_not_counted"))
    return next((tell(event_from_json(event)) for event in about if event["army"] in names), None)


def kills_of(round: Round, names: Sequence[str]) -> tuple[tuple[str, int], ...]:
    """4.3: The armies that an army killed, alone or with a partner, with the turns."""
    events = (
        Turn.objects.filter(round=round, state=TurnState.SETTLED).order_by("number").values_list("number", "events")
    )
    return tuple(
        (event["army"], number)
        for number, turn_events in events
        for event in turn_events
        if event["kind"] == "killed" and not set(names).isdisjoint(event["by"])
    )


def now_called(round: Round, name: str) -> str:
    """2.6: The current name of the army that had this name before; empty if none had it."""
    renamed = Army.objects.filter(round=round).exclude(former=[]).values_list("name", "former")
    return next((present for present, former in renamed if name in former), "")


def names_like(round: Round, name: str) -> list[str]:
    """R10: Names similar to an unknown one, likeliest first; at most 5."""
    names = {n.casefold(): n for n in Army.objects.filter(round=round).values_list("name", flat=True)}
    query = name.strip().casefold()
    starts = [n for key, n in sorted(names.items()) if query and key.startswith(query)]
    close = [names[key] for key in get_close_matches(query, names, n=5, cutoff=0.5)]
    return list(dict.fromkeys(starts + close))[:5]


def troops_view(troops: Iterable[Troop | TroopRow]) -> TroopsView:
    """2.1: Troops (of the rules or rows) by slot, with all four slots."""
    rows = list(troops)
    slots = tuple(_slot_view(number, [t for t in rows if t.slot == number]) for number in SLOTS)
    return TroopsView(slots, sum(slot.alive for slot in slots), sum(slot.of for slot in slots))


def _slot_view(number: int, troops: Sequence[Troop | TroopRow]) -> SlotView:
    creatures = tuple(CreatureView(t.creature, t.size, tuple(t.colors), t.alive, t.of) for t in troops)
    return SlotView(number, sum(t.alive for t in troops), sum(t.of for t in troops), creatures)


def _living(position: Position, army: ArmyOnMap, controllers: tuple[str, ...]) -> ArmyLine:
    return ArmyLine(
        name=army.name,
        side=army.side.value,
        rank=army.rank.value if army.rank else "",
        faction=army.faction.value if army.faction else "",
        mercenary_tier=army.mercenary_tier,
        title=army.title,
        tier=army.tier,
        at=str(army.at),
        place=name_of_place(position.board, army.at),
        alive=sum(troop.alive for troop in army.troops),
        of=sum(troop.of for troop in army.troops),
        battle=battle_words(position, army.name),
        captured=army.captivity is not None,
        empty=army.is_empty,
        controllers=controllers,
        died_in=None,
    )


def _dead(army: Army) -> ArmyLine:
    return ArmyLine(
        name=army.name,
        side=army.side,
        rank=army.rank,
        faction=army.faction,
        mercenary_tier=army.mercenary_tier,
        title=title_of(army),
        tier=tier_of(army),
        at="",
        place="",
        alive=0,
        of=0,
        battle="",
        captured=False,
        empty=False,
        controllers=(),
        died_in=army.died_in,
    )


def _plan_words(plan: Json | None) -> tuple[str, ...]:
    """3.2.2.3: The remaining steps of a long move, in the words of a post."""
    return tuple(_step_words(step) for step in (plan or {}).get("steps", ()))


def _step_words(step: Json) -> str:
    suffix = " ".join(part for part in (step["suffix"], step["target"]) if part)
    return f"{step['from']} > {step['to']}" + (f"; {suffix}" if suffix else "")


def _history(round: Round, names: Sequence[str], before: int | None) -> tuple[tuple[TurnHistory, ...], int | None]:
    """The latest settled turns with events about the army, and the turn to continue from."""
    own = set(names)
    turns = Turn.objects.filter(round=round, state=TurnState.SETTLED).order_by("-number")
    if before is not None:
        turns = turns.filter(number__lt=before)
    rows = list(turns.values_list("number", "settled_at", "events")[: SHOWN_TURNS + 1])
    history = [
        TurnHistory(number, at, lines)
        for number, at, events in rows[:SHOWN_TURNS]
        if (lines := tuple(tell_all([event for event in events if not own.isdisjoint(armies_of(event))], among=events)))
    ]
    return tuple(history), rows[SHOWN_TURNS - 1][0] if len(rows) > SHOWN_TURNS else None
