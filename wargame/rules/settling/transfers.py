"""3.2.4, 2.3.3: transfers of troops."""

from collections.abc import Iterable

from wargame.rules.armies.creatures import fits_colors, fits_slot, ruled
from wargame.rules.armies.sizes import read_size
from wargame.rules.core.orders import Transfer
from wargame.rules.core.phrases import Phrase
from wargame.rules.core.position import Army, Transit
from wargame.rules.core.reasons import Reason
from wargame.rules.core.troops import MOST_CREATURES, SLOT_MAXIMUM, Troop, alive_by_slot, slot_size, strength_by_slot
from wargame.rules.core.turn import NOTHING, Manifest, ManifestEntry, TurnInput
from wargame.rules.moves.commands import Commands
from wargame.rules.moves.events import Refused
from wargame.rules.settling.events import (
    InTransit,
    NotTransferred,
    TransferCut,
    Transferred,
    TroopsLost,
    WhyCut,
    WhyLost,
)
from wargame.rules.settling.scene import Scene


def deliver_transits(scene: Scene) -> None:
    """3.2.4.3.2, R28, R68: troops that waited for the end of a battle; lost if the receiver died, or changed sides
    before they came (R73)."""
    for transit in scene.before.transits:
        receiver = scene.armies.get(transit.receiver)
        names = (transit.sender, transit.receiver)
        if receiver is None or receiver.side is not scene.before.by_name[transit.receiver].side:
            why = WhyLost.CHANGED_SIDES() if receiver else WhyLost.KILLED()
            scene.events.append(TroopsLost(*names, _listed(transit.troops), why))
            continue
        arrived = []
        for troop in transit.troops:
            receiver = scene.armies[transit.receiver]
            is_other = _is_of_another_size(troop, receiver, receiver.troops)
            room = 0 if is_other else _room(receiver.troops, troop)
            if room:
                arrived.append(troop._replace(alive=room, of=room))
                _add(scene, transit.receiver, arrived[-1])
            if room < troop.alive:
                surplus = troop._replace(alive=troop.alive - room)
                why = WhyLost.OTHER_SIZE() if is_other else WhyLost.NO_ROOM()
                scene.events.append(TroopsLost(*names, _listed((surplus,)), why))
        if arrived:
            scene.events.append(Transferred(*names, _listed(tuple(arrived)), "3.2.4.3.2"))


def send_troops(scene: Scene, commands: Commands, given: TurnInput) -> list[Transit]:
    """3.2.4, R28, R68, R75: all transfers of the turn, in the order of posting: senders lose the troops, and winners
    of battles get them. Returns the troops on their way to armies that did not fight."""
    manifests = _last_manifests(given)
    transfers = [
        (command, command.order.target) for command in commands.values() if isinstance(command.order, Transfer)
    ]
    on_the_way: list[Transit] = []
    for command, receiver in sorted(transfers, key=lambda transfer: transfer[0].when):
        manifest = manifests.get((command.army.name, receiver))
        if manifest is None:
            army, reason = command.army, Reason.NO_MANIFEST
            scene.events.append(Refused(army.name, reason, (), command.by, command.text, at=army.at))
        elif command.army.name in scene.armies:
            _send(scene, manifest, on_the_way)
    return on_the_way


def hand_over(scene: Scene, on_the_way: list[Transit]) -> None:
    """3.2.4.3.1, 3.2.4.3.2, R68: once the new battles are known, receivers that are not attacked get their troops,
    and those of the others wait for the end of the battle."""
    for transit in on_the_way:
        sender, receiver = names = transit.sender, transit.receiver
        if receiver in scene.fallen:
            scene.events.append(TroopsLost(*names, _listed(transit.troops), WhyLost.KILLED()))
        elif scene.is_attacked(receiver):
            scene.transits.append(transit)
            scene.events.append(InTransit(sender, receiver, _listed(transit.troops)))
        else:
            for troop in transit.troops:
                _add(scene, receiver, troop)
            scene.events.append(Transferred(*names, _listed(transit.troops), "3.2.4.3.1"))


def _last_manifests(turn_input: TurnInput) -> dict[tuple[str, str], Manifest]:
    """3.2.4.2, R28: the last manifest by a controller of the sender, by sender and receiver."""
    last: dict[tuple[str, str], Manifest] = {}
    for manifest in sorted(turn_input.manifests, key=lambda manifest: manifest.at):
        if manifest.by in turn_input.control.get(manifest.sender, ()):
            last[manifest.sender, manifest.receiver] = manifest
    return last


def _send(scene: Scene, manifest: Manifest, on_the_way: list[Transit]) -> None:
    """3.2.4.3: the sender loses its troops; for an army that fought they are there now if it won, and are killed if it
    lost."""
    sender, receiver = manifest.sender, manifest.receiver
    if not _receiver_stayed(scene, receiver):
        scene.events.append(NotTransferred(sender, receiver))
        return
    troops = _take_all(scene, manifest, on_the_way)
    if not troops:
        return
    if receiver in scene.fallen:
        scene.events.append(TroopsLost(sender, receiver, _listed(troops), WhyLost.KILLED()))
    elif receiver in scene.lost:
        scene.events.append(TroopsLost(sender, receiver, _listed(troops), WhyLost.DEFEATED()))
    elif receiver in scene.won:
        for troop in troops:
            _add(scene, receiver, troop)
        scene.events.append(Transferred(sender, receiver, _listed(troops), "3.2.4.3.3"))
    else:
        on_the_way.append(Transit(sender, receiver, troops))


def _receiver_stayed(scene: Scene, receiver: str) -> bool:
    """3.2.4.1: the receiver did not move away by itself; a loser's retreat belongs to its battle."""
    if receiver in scene.before.battle_of:
        return True
    return _receiver(scene, receiver).at == scene.before.by_name[receiver].at


def _receiver(scene: Scene, name: str) -> Army:
    """The receiver in its current state, or as it fell."""
    return scene.armies.get(name) or scene.fallen[name]


def _take_all(scene: Scene, manifest: Manifest, on_the_way: list[Transit]) -> tuple[Troop, ...]:
    """R28, R75: the troops that a manifest takes from the sender, in the receiver's slots; the rest is cut. Room
    includes troops on their way."""
    in_transit = [troop for transit in on_the_way if transit.receiver == manifest.receiver for troop in transit.troops]
    troops: list[Troop] = []
    for entry in manifest.entries:
        _take(scene, manifest, entry, troops, in_transit)
    return tuple(troops)


def _take(scene: Scene, manifest: Manifest, entry: ManifestEntry, sent: list[Troop], on_the_way: list[Troop]) -> None:
    """3.2.4.2: append the troops that one entry takes from the sender to `sent`."""
    remaining = entry.number
    for troop in scene.armies[manifest.sender].troops:
        if troop.slot != entry.slot or entry.creature not in (None, troop.creature) or not remaining:
            continue
        available = min(remaining, troop.alive)
        fitting = _fit(scene, manifest, troop._replace(alive=available), [*on_the_way, *sent])
        remaining -= available
        if fitting is not None:
            sent.append(fitting)
            _remove(scene, manifest.sender, troop, fitting.alive)
    if remaining:
        _cut(scene, manifest, entry.slot, remaining, WhyCut.NOT_THERE())


def _fit(scene: Scene, manifest: Manifest, troop: Troop, extra_troops: list[Troop]) -> Troop | None:
    """2.3.3, R28: how many of a troop the receiver can take on top of the `extra_troops` that it gets, and in which
    slot."""
    receiver = _receiver(scene, manifest.receiver)
    slot = next((s for s in fits_slot(troop, receiver.tier)), None)
    if slot is None:
        _cut(scene, manifest, troop.slot, troop.alive, WhyCut.TOO_LARGE())
        return None
    if not fits_colors(troop, receiver):
        _cut(scene, manifest, troop.slot, troop.alive, WhyCut.FOREIGN_COLOR())
        return None
    new_troop, there = troop._replace(slot=slot), (*receiver.troops, *extra_troops)
    if _is_of_another_size(new_troop, receiver, there):
        _cut(scene, manifest, troop.slot, troop.alive, WhyCut.OTHER_SIZE())
        return None
    room = _room(there, new_troop)
    if room < troop.alive:
        _cut(scene, manifest, troop.slot, troop.alive - room, WhyCut.NO_ROOM())
    return new_troop._replace(alive=room, of=room, rested=0, lost_in_day=0) if room else None


def _is_of_another_size(troop: Troop, receiver: Army, troops: Iterable[Troop]) -> bool:
    """2.2.2, R71: whether the creature is among the `troops` at another size; one with sizes listed in the rulebook
    (2.2.3.3, 2.2.6) may have several."""
    same = [t for t in troops if t.creature == troop.creature and (t.slot, t.size) != (troop.slot, troop.size)]
    if not same or not (own_size := _size_in(troop, receiver)):
        return False
    ruling = ruled(troop.creature)
    if ruling and ruling.uses and "*/*" not in ruling.uses:
        return False
    return any(_size_in(other, receiver) not in (None, own_size) for other in same)


def _size_in(troop: Troop, army: Army) -> tuple[int, int] | None:
    """2.2.2: power and toughness of a creature in an army; for one that varies they are its slot's. None if its size
    is unknown."""
    size = read_size(troop.size)
    if size is None:
        return None
    largest = slot_size(army.tier, troop.slot)
    return (largest, largest) if size.varies else (size.power, size.toughness)


def _room(troops: tuple[Troop, ...], troop: Troop) -> int:
    """2.3.3: how many more of a troop fit to others: the slot's maximum less the living, six kinds at most."""
    kinds = {t.creature for t in troops if not t.anonymous}
    if not troop.anonymous and troop.creature not in kinds and len(kinds) >= MOST_CREATURES:
        return 0
    return max(0, min(troop.alive, SLOT_MAXIMUM[troop.slot - 1] - alive_by_slot(troops)[troop.slot - 1]))


def _cut(scene: Scene, manifest: Manifest, slot: int, number: int, why: Phrase) -> None:
    if number > 0:
        scene.events.append(TransferCut(manifest.sender, manifest.receiver, slot, number, why))


def _remove(scene: Scene, name: str, troop: Troop, number: int) -> None:
    """R28: the sender's strength falls by the troops sent, so that healing does not raise troops twice; and no
    change of troops gives it back (R65)."""
    troops = tuple(
        t._replace(alive=t.alive - number, of=t.of - number) if t is troop else t for t in scene.armies[name].troops
    )
    counts = list(scene.armies[name].sent or NOTHING)
    counts[troop.slot - 1] += number
    scene.change(name, troops=troops, sent=tuple(counts))


def _add(scene: Scene, name: str, troop: Troop) -> None:
    """R28: the receiver's strength in the slot is unchanged, or the number of its troops there, if that is more."""
    troops = list(scene.armies[name].troops)
    strength_before = strength_by_slot(tuple(troops))[troop.slot - 1]
    same = next((i for i, t in enumerate(troops) if (t.slot, t.creature) == (troop.slot, troop.creature)), None)
    if same is None:
        troops.append(troop)
    else:
        current = troops[same]
        alive = current.alive + troop.alive
        troops[same] = current.with_numbers(alive, max(current.of, alive))
    strength = max(strength_before, alive_by_slot(tuple(troops))[troop.slot - 1])
    scene.change(name, troops=_within(strength, tuple(troops), troop.slot))


def _within(strength: int, troops: tuple[Troop, ...], slot: int) -> tuple[Troop, ...]:
    """R28: the dead whose room is taken can't come back: their number is reduced, in the order of the list."""
    excess = strength_by_slot(troops)[slot - 1] - strength
    after = []
    for troop in troops:
        given_up = min(troop.missing, excess) if troop.slot == slot and excess > 0 else 0
        excess -= given_up
        after.append(troop.with_numbers(troop.alive, troop.of - given_up) if given_up else troop)
    return tuple(after)


def _listed(troops: tuple[Troop, ...]) -> tuple[tuple[int, str, int], ...]:
    return tuple((troop.slot, troop.creature, troop.alive) for troop in troops)
