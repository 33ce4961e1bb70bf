"""3.1: what is posted in a simulated turn: lines by players and strangers, and manifests."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from scripts.simulation.commanding import REPLACED
from scripts.simulation.marching import usual_order
from scripts.simulation.mistakes import wrong_order
from scripts.simulation.scenes import scenes
from wargame.rules.core.orders import Order, Transfer, write_order
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import SLOTS
from wargame.rules.core.turn import Manifest, ManifestEntry, PostedLine

TURN = 168 * 3600
"""3.1: seconds from the unlock to the lock."""

WRONG = 0.12
AGAIN = 0.05
STRANGER = 0.02
NO_MANIFEST = 0.1
"""How many of the orders are wrong, are given twice or by a stranger, or how many transfers lack a manifest."""


LATER_POSTS = 1000
"""The numbers of posts that add an order to a player's first one."""


@dataclass(frozen=True, slots=True)
class Posted:
    """3.1, 3.2.4.2: the lines and the manifests of a turn."""

    lines: tuple[PostedLine, ...]
    manifests: tuple[Manifest, ...]


def post(position: Position, control: dict[str, tuple[str, ...]], random: Random) -> Posted:
    """3.1: everybody posts once; those whose armies get another order post again. Most mercenaries get none (R48)."""
    together = scenes(position, random)
    times: dict[str, tuple[int, int]] = {}
    lines: list[PostedLine] = []
    manifests: list[Manifest] = []
    for place, army in enumerate(position.armies):
        if army.faction and random.random() >= REPLACED:
            continue
        for by in _posters(army, control, random):
            at, number = times.setdefault(by, (random.randrange(TURN), len(times)))
            order = together.get(army.name) or _order(position, army, random)
            if order is None:
                continue
            if random.random() < AGAIN:
                at, number = random.randrange(TURN), LATER_POSTS + place
            controlled = by in control[army.name] or random.random() < 0.5
            text = write_order(army.name, order)
            lines.append(PostedLine(by, army.name, order, at, (number, len(lines)), controlled, text))
            if isinstance(order, Transfer) and random.random() >= NO_MANIFEST:
                manifests.append(_manifest(by, army, order, len(manifests), random))
    return Posted(tuple(lines), tuple(manifests))


def _posters(army: Army, control: dict[str, tuple[str, ...]], random: Random) -> Iterator[str]:
    """Who gives an army an order: one of its controllers, now and then twice or both, or somebody else."""
    for number, by in enumerate(control[army.name]):
        if number == 0 or random.random() < 0.3:
            yield by
    if control[army.name] and random.random() < AGAIN:
        yield control[army.name][0]
    if random.random() < STRANGER:
        yield random.choice(sorted({by for controllers in control.values() for by in controllers}))


def _order(position: Position, army: Army, random: Random) -> Order | None:
    if random.random() < WRONG:
        return wrong_order(position, army, random)
    return usual_order(position, army, random)


def _manifest(by: str, army: Army, order: Transfer, at: int, random: Random) -> Manifest:
    """3.2.4.2: by slot or by creature, sometimes more than there is."""
    entries = [ManifestEntry(slot, random.randint(1, 1500)) for slot in random.sample(SLOTS, 2)]
    troop = random.choice(army.troops)
    entries.append(ManifestEntry(troop.slot, random.randint(1, 500), troop.creature))
    return Manifest(by, army.name, order.target, tuple(entries), at)
