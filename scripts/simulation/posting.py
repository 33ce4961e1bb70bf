"""3.1: the posts of a simulated turn: lines by players and strangers, orders that go together, manifests."""

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from scripts.simulation.judging import REPLACED
from scripts.simulation.marching import usual_order, within, wrong_order
from wargame.rules.core.board import RANGE
from wargame.rules.core.orders import Intercept, Move, Order, Step, Transfer, write_order
from wargame.rules.core.position import Army, Position
from wargame.rules.core.troops import SLOTS
from wargame.rules.core.turn import Manifest, ManifestEntry, PostedLine
from wargame.rules.moves.marches import shortest_paths

TURN = 168 * 3600
"""3.1: seconds from the unlock to the lock."""

WRONG = 0.12
AGAIN = 0.05
STRANGER = 0.02
NO_MANIFEST = 0.1
"""The share of orders that are wrong, given twice or by a stranger, and of transfers that lack a manifest."""


LATER_POSTS = 1000
"""The numbers of posts that add an order to a player's first one."""


@dataclass(frozen=True, slots=True)
class Posted:
    """3.1, 3.2.4.2: the lines and the manifests of a turn."""

    lines: tuple[PostedLine, ...]
    manifests: tuple[Manifest, ...]


def post(position: Position, control: dict[str, tuple[str, ...]], random: Random) -> Posted:
    """3.1: everybody posts once; players whose armies get another order post again. Most mercenaries get none (R48)."""
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
    """The players who give an army an order: one of its controllers, now and then twice or both, or a stranger."""
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


JOINT = 3
CROSSINGS = 4
"""The number of joint engagements and intercepts that are tried in a turn."""


def scenes(position: Position, random: Random) -> dict[str, Order]:
    """The orders of the armies that take part, by name."""
    orders: dict[str, Order] = {}
    free = [army for army in position.armies if army.name not in position.battle_of and not army.is_partially_converted]
    for enemy in random.sample(free, min(JOINT, len(free))):
        orders |= _joint_engagement(position, enemy, free, random)
    for interceptor in random.sample(free, min(CROSSINGS, len(free))):
        orders |= _crossing(interceptor, free, random)
    return orders


def _joint_engagement(position: Position, enemy: Army, free: list[Army], random: Random) -> dict[str, Order]:
    """3.2.5.2: two armies of one side onto an enemy; now and then a third one spoils it."""
    candidates = [army for army in free if army.is_enemy(enemy) and army.at.distance(enemy.at) <= RANGE]
    first = random.choice(candidates) if candidates else enemy
    pair = [army for army in candidates if army.side is first.side and not army.is_leading]
    attackers = random.sample(pair, min(len(pair), random.choice((2, 2, 2, 3))))
    return {army.name: Move((Step(army.at, enemy.at, None, "joint engage"),)) for army in attackers}


def _crossing(interceptor: Army, free: list[Army], random: Random) -> dict[str, Order]:
    """3.2.3.1: an enemy that crosses the square of an army that waits for it."""
    candidates = [army for army in free if army.is_enemy(interceptor) and army.at.distance(interceptor.at) < RANGE]
    if not candidates:
        return {}
    crosser = random.choice(candidates)
    beyond = [to for to in within(crosser.at) if to != interceptor.at]
    routes = [path for to in beyond for path in shortest_paths(crosser.at, to) if interceptor.at in path]
    if not routes:
        return {}
    route = random.choice(routes)
    return {
        crosser.name: Move((Step(crosser.at, route[-1], route),)),
        interceptor.name: Intercept(crosser.name),
    }
