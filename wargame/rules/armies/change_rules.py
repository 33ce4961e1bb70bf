"""2.3.2, 2.6: an army changes its troops, or a new player personalises it."""

from collections.abc import Iterable, Iterator

from wargame.rules.armies.creatures import name_key
from wargame.rules.armies.findings import MusterFault, MusterFinding, MusterWords
from wargame.rules.core.board import Board
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.position import Army
from wargame.rules.core.sides import LOWEST_TWO_TIERS, Rank, Side
from wargame.rules.core.troops import DAYS_TO_HEAL, SLOT_MAXIMUM, SLOTS, Troop, alive_by_slot, strength_by_slot
from wargame.rules.core.turn import NOTHING, NewPlayer

BATTLES_TO_STAY = 2
"""2.6: the battles that a new player must fight first."""

TURNS_TO_PERSONALISE = 2
"""2.6: for how many turns the offer is open."""


def change_faults(army: Army, board: Board, coming: int = 0) -> list[MusterFinding]:
    """2.3.2: whether an army may change its troops on its current square. `coming`: days that it may count there
    before the change is carried out."""
    why = _why_not(army, board, coming)
    return [MusterFinding(MusterFault.NOT_HEALING, {"army": army.name, "why": why})] if why else []


def personalise_faults(army: str, rank: Rank | None, player: NewPlayer) -> list[MusterFinding]:
    """2.6: whether a new player may personalise the army that their leaders chose for them."""
    return [*offer_faults(army, rank, player), *_late(army, player)]


def offer_faults(army: str, rank: Rank | None, player: NewPlayer) -> list[MusterFinding]:
    """2.6: whether the leaders may choose this army for a player."""
    faults = []
    if not player.joined_later:
        faults.append(MusterFinding(MusterFault.NOT_NEW, {"player": player.name}))
    if player.battles < BATTLES_TO_STAY:
        faults.append(MusterFinding(MusterFault.FEW_BATTLES, {"player": player.name, "count": player.battles}))
    if rank is None or rank.tier not in LOWEST_TWO_TIERS:
        faults.append(MusterFinding(MusterFault.HIGH_RANK, {"army": army, "rank": rank.title if rank else "none"}))
    return faults


def sent_faults(before: tuple[Troop, ...], sent: tuple[int, ...], after: tuple[Troop, ...]) -> list[MusterFinding]:
    """R65: a slot may grow by a change, and an empty one be filled, but troops sent away since the army was made do
    not come back (R28): the slot's maximum is reduced by their number for ever. It may keep its current troops."""
    slots = zip(SLOTS, SLOT_MAXIMUM, strength_by_slot(before), sent or NOTHING, strength_by_slot(after), strict=True)
    return [
        MusterFinding(MusterFault.SENT_AWAY, {"slot": slot, "number": new, "sent": cut, "most": max(old, most - cut)})
        for slot, most, old, cut, new in slots
        if cut and new > max(old, most - cut)
    ]


def strength_faults(before: tuple[Troop, ...], after: tuple[Troop, ...]) -> list[MusterFinding]:
    """2.6: a slot's strength does not grow when a new player personalises an army: this is no healing."""
    pairs = zip(SLOTS, strength_by_slot(before), strength_by_slot(after), strict=True)
    return [
        MusterFinding(MusterFault.STRENGTH_GREW, {"slot": slot, "number": new, "of": old})
        for slot, old, new in pairs
        if new > old
    ]


def living_faults(before: tuple[Troop, ...], after: tuple[Troop, ...]) -> list[MusterFinding]:
    """2.6: as many soldiers stay alive as before, so each slot needs room for its living."""
    pairs = zip(SLOTS, alive_by_slot(before), strength_by_slot(after), strict=True)
    return [
        MusterFinding(MusterFault.LIVING_LEFT_OUT, {"slot": slot, "alive": alive, "number": number})
        for slot, alive, number in pairs
        if number < alive
    ]


def changed_troops(before: tuple[Troop, ...], makeup: Iterable[Troop]) -> tuple[Troop, ...]:
    """2.3.2, 2.6: the army with its new makeup; no slot has more living than before.

    `makeup` has the new strengths (`of`). A creature that stays in its slot keeps its living first, and its lost ones
    keep their waiting; the rest of the slot's living goes to the new ones, then to any, in the list's order.
    """
    troops = sorted(makeup, key=lambda troop: troop.slot)
    alive = alive_by_slot(before)
    return tuple(troop for slot in SLOTS for troop in _slot(slot, before, troops, alive[slot - 1]))


def _slot(slot: int, before: tuple[Troop, ...], makeup: list[Troop], alive: int) -> Iterator[Troop]:
    stayed = {name_key(troop.creature): troop for troop in before if troop.slot == slot}
    new = [troop for troop in makeup if troop.slot == slot]
    old = [stayed.get(name_key(troop.creature)) for troop in new]
    living = [0] * len(new)
    for place, (troop, was) in enumerate(zip(new, old, strict=True)):
        living[place] = min(was.alive, troop.of, alive) if was else 0
        alive -= living[place]
    for place in sorted(range(len(new)), key=lambda place: old[place] is not None):
        more = min(alive, new[place].of - living[place])
        living[place] += more
        alive -= more
    for troop, number, was in zip(new, living, old, strict=True):
        recovery = (was.rested, was.lost_in_day) if was else (0, 0)
        yield troop._replace(rested=recovery[0], lost_in_day=recovery[1]).with_numbers(number, troop.of)


def _why_not(army: Army, board: Board, coming: int) -> Phrase | None:
    """2.3.2, 2.3.1.3: the reason against it; None if it may."""
    base = board.base_by_square.get(army.at)
    if army.is_partially_converted:
        return MusterWords.CONVERTED()
    if base is None:
        if army.at in board.town_by_square:
            return MusterWords.IN_A_TOWN(square=str(army.at))
        return MusterWords.NO_BASE(square=str(army.at))
    if base.destroyed:
        return MusterWords.BASE_DESTROYED(name=base.name)
    if base.side is not army.side or (army.side is Side.COALITION and base.color not in army.colors):
        return MusterWords.BASE_FOREIGN(name=base.name)
    if army.days + coming < DAYS_TO_HEAL:
        return MusterWords.FEW_DAYS(days=army.days)
    return None


def _late(army: str, player: NewPlayer) -> list[MusterFinding]:
    """2.6: the offer is open in the turn in which it was made and in the next one."""
    over = player.turn - player.offered >= TURNS_TO_PERSONALISE
    return [MusterFinding(MusterFault.OFFER_OVER, {"army": army})] if over else []
