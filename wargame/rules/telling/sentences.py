"""One sentence for each kind of event, as a judge would post it.

2.3.2, 2.6: one sentence for each kind of event of a change of troops.

6, R48: one sentence for each kind of event of the mercenaries.

5.4.1, R47: the sentence for a penalty.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from wargame.rules.core import events as e
from wargame.rules.core.board import Square
from wargame.rules.core.turn import draw_name
from wargame.rules.mercenaries.events import (
    Disbanded,
    MercenaryDecided,
    NotDisbanded,
    NotSpawned,
    OrderedAfterLock,
    Spawned,
    SpawningRolled,
    WentToWar,
)
from wargame.rules.settling.events import ChangeRefused, Penalised, Personalised, Troops, TroopsChanged


def troops_changed(event: TroopsChanged) -> str:
    return f"{event.army} changes its troops: {_changed_troops(event.troops)}."


def personalised(event: Personalised) -> str:
    called = f", called {event.name} from the unlock on" if event.name else ""
    legend = f", with {event.legend} as its legend" if event.legend else ""
    return f"{event.army} is {event.player}'s own now{called}{legend}: {_changed_troops(event.troops)}."


def change_refused(event: ChangeRefused) -> str:
    return f"The change of {event.army} is not carried out. {event.why}"


def _changed_troops(troops: Troops) -> str:
    return ", ".join(f"{alive:,} of {of:,} {creature}" for _, creature, alive, of in troops) or "none"


RANKS = {6: "1/1", 5: "2/2"}
"""6.3: the rank of a raider by its tier."""


def mercenary_decided(event: MercenaryDecided) -> str:
    if not event.judge:
        return event.why
    return f"{event.judge} orders “{event.ordered}” for {event.army}. By the guidelines: {event.why}"


def ordered_after_lock(event: OrderedAfterLock) -> str:
    return f"After the lock {event.judge} changes {event.army}'s order from “{event.instead_of}” to “{event.order}”."


def went_to_war(event: WentToWar) -> str:
    drawn = f", drawn out of {event.options} theme armies," if event.options > 1 else ""
    return f"{event.army}{drawn} goes to war with {event.side.title}, for {event.killed} was killed by the other team."


def spawning_rolled(event: SpawningRolled) -> str:
    on = "on 1" if event.upto == 1 else f"on 1 to {event.upto}"
    count = "1 raider" if event.raiders == 1 else f"{event.raiders} raiders"
    came = "one appears" if event.roll <= event.upto else "none appears"
    return f"The d20 for a new raider shows {event.roll}; with {count} on the map one comes {on}: {came}."


def spawned(event: Spawned) -> str:
    came = f"{event.army}, a raider of {RANKS[event.tier]} rank, appears on {event.at}"
    if event.judge:
        return f"{came}, called up by {event.judge}: {event.reason}"
    return f"{came}, drawn out of {event.options} squares; its d20 for the rank shows {event.roll}."


def not_spawned(event: NotSpawned) -> str:
    return f"The raider that {event.judge} called up to {event.at} does not appear: {event.why}."


def disbanded(event: Disbanded) -> str:
    left = sum(number for _, _, number in event.troops)
    leaves = f"{event.army} disbands on {event.at} with {left:,} soldiers left"
    return f"{leaves}, by order of {event.judge}: {event.reason}" if event.judge else f"{leaves}."


def not_disbanded(event: NotDisbanded) -> str:
    return f"{event.army} can't disband on {event.at}: it is attacked by {' and '.join(event.by)} and has to fight."


def penalised(event: Penalised) -> str:
    if event.why_not:
        return f"Penalty {event.number} for {event.player} takes nothing from {event.army}: {event.why_not}."
    lost = f"{event.army} loses {loss_words(event.lost)}" if any(event.lost) else f"{event.army} has nothing to lose"
    return f"{lost} by penalty {event.number} for {event.player}{_penalty_drawn(event)}. {event.reason}"


def loss_words(lost: Sequence[int]) -> str:
    """Losses by slot: “600, 300, 150 and 60 of slots 1 to 4”, “600 of slot 1 and 60 of slot 4”, “no troops”."""
    if all(lost):
        *first, last = (f"{number:,}" for number in lost)
        return f"{', '.join(first)} and {last} of slots 1 to {len(lost)}"
    parts = [f"{number:,} of slot {slot}" for slot, number in enumerate(lost, 1) if number]
    if len(parts) < 2:
        return "".join(parts) or "no troops"
    return f"{', '.join(parts[:-1])} and {parts[-1]}"


def _penalty_drawn(event: Penalised) -> str:
    """R47: the factors, and the name of the draw by which everybody can recompute the die."""
    if not event.severity:
        return ""
    return f": severity {event.severity} times {event.roll}, drawn as {draw_name(event.number)}"


RULES = {
    "3.3.1": "a friend has that square",
    "3.3.2": "it had to make room",
    "3.3.5": "both teams are on that square",
    "3.2.3.2": "a nearer enemy fights there",
    "3.2.5.4": "only one joint engagement is allowed each turn",
}
"""Why a partial move came about, by the rule that kept the army from its square."""

FULL = "no square of the map is free"
"""Why an army stays where it may not."""

ENDS = (".", "!", "?", "…", ")", "”")
"""How a sentence may end that a person wrote."""


def sentence_of(event: e.Event) -> str:
    """What happened and why, in one sentence."""
    return _TELL[event.kind](event)


def listed(names: tuple[str, ...] | list[str]) -> str:
    """Names as a person lists them: “A”, “A and B”, “A, B and C”."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def count(number: int, thing: str) -> str:
    """A number with its thing: “1 day”, “3 days”."""
    return f"{number} {thing}{'' if number == 1 else 's'}"


def _verb(names: tuple[str, ...], one: str, many: str) -> str:
    return f"{listed(names)} {one if len(names) == 1 else many}"


def _refused(event: e.Refused) -> str:
    return event.sentence


def _held(event: e.Held) -> str:
    if event.word == "hold":
        return f"{event.army} stays on {event.at}, as ordered."
    return f"{event.army} is in battle on {event.at}."


def _moved(event: e.Moved) -> str:
    route = ", ".join(str(square) for square in event.route[1:-1])
    over = f" over {route}" if route else ""
    drawn = f" (the route was drawn out of {event.paths})" if event.paths > 1 else ""
    later = f"; then on to {', '.join(str(square) for square in event.later)}" if event.later else ""
    return f"{event.army} moves from {event.start} to {event.to}{over}{drawn}{later}."


def _contested(event: e.Contested) -> str:
    ways = {
        "stays": "it stands there and stays",
        "distance": "it is the nearest",
        "time": "it is as near and was ordered earlier",
        "place": "it is as near and stands first in the post",
        "ruling": "a judge ruled so",
    }
    steps = listed([f"{name} {count(distance, 'step')}" for name, distance in event.distances])
    return f"{event.winner} has {event.at} before {listed(event.losers)}: {ways[event.by]} ({steps})."


def _moved_partially(event: e.MovedPartially) -> str:
    why = RULES.get(event.why, "it could not get there")
    start = f"{event.army} meant to reach {event.meant} from {event.start}, but {why}"
    ends = {
        "back": f"it stops on {event.to}",
        "caught": f"it is caught on its own square {event.to} by the enemy that came there",
        "aside": f"every square on its way is taken, so it goes to {event.to}, the nearest free one",
        "stays": f"no square near it is free, so it stays on {event.to}",
    }
    return f"{start} ({event.why}); {ends[event.how]}."


def _pushed(event: e.Pushed) -> str:
    drawn = f", drawn out of {event.options} squares" if event.options > 1 else ""
    if event.to == event.start:
        return f"{event.army} can't leave {event.start}: {FULL}."
    why = "its captive keeps the square" if event.cites == "4.5" else "both teams are on its square"
    return f"{event.army} has to leave {event.start} for {event.to}{drawn}: {why}."


def _intercepted(event: e.Intercepted) -> str:
    near = "as near, and the draw chose" if event.drawn else "nearer"
    rivals = f" It is {near}, so {_verb(event.rivals, 'moves', 'move')} partially." if event.rivals else ""
    way = f"on its way from {event.start} to {event.meant}"
    return f"{event.by} intercepts {event.army} on {event.at}, {way}.{rivals}"


def _passed_by(event: e.PassedBy) -> str:
    why = "as near, and the draw chose it" if event.drawn else "nearer"
    return f"{event.army} crosses {event.at} in spite of {event.by}, which fights {listed(event.rivals)}: {why}."


def _joint_engaged(event: e.JointEngaged) -> str:
    return f"{listed(event.armies)} joint engage {event.at}."


def _joint_failed(event: e.JointFailed) -> str:
    if event.cites == "3.2.5.4":
        return f"{listed(event.armies)} were not the first to joint engage this turn and move partially to {event.at}."
    return f"No enemy is on {event.at}, so the joint engagement of {listed(event.armies)} is two ordinary moves."


def _plan_cancelled(event: e.PlanCancelled) -> str:
    rest = " > ".join(str(square) for square in event.rest)
    return f"The rest of {event.army}'s long move (> {rest}) is cancelled: {event.why}."


def _ruled(event: e.Ruled) -> str:
    told = f"Ruling {event.number}: {event.what}. {event.reason}"
    if not event.why_not:
        return told
    return f"{told}{'' if told.endswith(ENDS) else '.'} It changes nothing: {event.why_not}."


def _drawn(event: e.Drawn) -> str:
    return f"Drawn: {event.name}: {event.value} of {event.sides}."


def _fought(event: e.Fought) -> str:
    parts = [f"{name} {', '.join(str(number) for number in lost)}" for name, lost in event.losses]
    defeat = _verb(event.winners, "defeats", "defeat")
    return f"{defeat} {listed(event.losers)} on {event.at}; lost: {'; '.join(parts)}."


def _retreated(event: e.Retreated) -> str:
    ways = {
        "given": "",
        "free": f", drawn out of {count(event.options, 'free square')}",
        "onto an enemy": ", where an enemy stands, for no neighbouring square is free",
        "farther out": ", for no neighbouring square is free",
    }
    if event.how == "nowhere":
        return f"{event.army} can't leave {event.start}: {FULL}."
    return f"{event.army} leaves {event.start} for {event.to}{ways[event.how]}."


def _killed(event: e.Killed) -> str:
    how = " It had no troops left." if event.cites == "4.3.1" else ""
    return f"{event.army} is killed on {event.at} by {listed(event.by)}.{how}"


def _captured(event: e.Captured) -> str:
    taken = f"{event.army} is captured by {event.by} and taken to {event.to}"
    return f"{taken}; it is now of {event.side.title}, partially converted."


def _liberated(event: e.Liberated) -> str:
    return f"{event.army} lost before it was converted and is free: it is of {event.side.title} again."


def _converted(event: e.Converted) -> str:
    return f"{event.army} has counted its two days and is fully converted to {event.side.title}."


def attack(sides: tuple[tuple[str, ...], ...], defends: int | None, at: Square) -> str:
    """R25: who attacks whom where, without a full stop."""
    if defends is None:
        return f"{listed(sides[0])} and {listed(sides[1])} meet on {at}: no attacker"
    return f"{_verb(sides[1 - defends], 'attacks', 'attack')} {listed(sides[defends])} on {at}"


def _engaged(event: e.Engaged) -> str:
    return f"{attack(event.sides, event.defends, event.at)}."


def _troops(troops: tuple[tuple[int, str, int], ...]) -> str:
    return listed([f"{number} {creature or f'of slot {slot}'}" for slot, creature, number in troops])


def _transferred(event: e.Transferred) -> str:
    return f"{event.receiver} receives {_troops(event.troops)} from {event.sender}."


def _in_transit(event: e.InTransit) -> str:
    return f"{event.sender} sends {_troops(event.troops)} to {event.receiver}, which gets them after its battle."


def _transfer_cut(event: e.TransferCut) -> str:
    return f"{event.number} of slot {event.slot} are not sent from {event.sender} to {event.receiver}: {event.why}."


def _not_transferred(event: e.NotTransferred) -> str:
    return f"{event.receiver} is gone from its square, so {event.sender} transfers nothing."


def _troops_lost(event: e.TroopsLost) -> str:
    return f"{_troops(event.troops)}, sent by {event.sender} to {event.receiver}, are lost: {event.why}."


def _day_counted(event: e.DayCounted) -> str:
    won = " by winning its battle" if event.won else ""
    return f"{event.army} counts day {event.days} in {event.place}{won}."


def _day_not_counted(event: e.DayNotCounted) -> str:
    return f"{event.army} counts no day on {event.at}, for {event.why}; it has {count(event.days, 'day')}."


def _healed(event: e.Healed) -> str:
    return f"{event.army} is healed on {event.at}: {_troops(event.troops)} back."


def _base_destroyed(event: e.BaseDestroyed) -> str:
    return f"{event.by} destroys {event.base} on {event.at}."


def _won(event: e.Won) -> str:
    title = event.side.title
    return f"{title[0].upper()}{title[1:]} wins the round: {event.why}."


_TELL: dict[str, Callable[[Any], str]] = {
    "refused": _refused,
    "held": _held,
    "moved": _moved,
    "contested": _contested,
    "moved_partially": _moved_partially,
    "pushed": _pushed,
    "intercepted": _intercepted,
    "passed_by": _passed_by,
    "joint_engaged": _joint_engaged,
    "joint_failed": _joint_failed,
    "plan_cancelled": _plan_cancelled,
    "ruled": _ruled,
    "drawn": _drawn,
    "fought": _fought,
    "retreated": _retreated,
    "killed": _killed,
    "captured": _captured,
    "liberated": _liberated,
    "converted": _converted,
    "engaged": _engaged,
    "transferred": _transferred,
    "in_transit": _in_transit,
    "transfer_cut": _transfer_cut,
    "not_transferred": _not_transferred,
    "troops_lost": _troops_lost,
    "day_counted": _day_counted,
    "day_not_counted": _day_not_counted,
    "healed": _healed,
    "troops_changed": troops_changed,
    "personalised": personalised,
    "change_refused": change_refused,
    "penalised": penalised,
    "base_destroyed": _base_destroyed,
    "won": _won,
    "mercenary_decided": mercenary_decided,
    "ordered_after_lock": ordered_after_lock,
    "went_to_war": went_to_war,
    "spawning_rolled": spawning_rolled,
    "spawned": spawned,
    "not_spawned": not_spawned,
    "disbanded": disbanded,
    "not_disbanded": not_disbanded,
}
