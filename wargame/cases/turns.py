"""Turn cases (docs/develop/cases.md): a position, the input of each turn, and its required outcome.

By docs/develop/cases.md a mercenary without a post stays and nothing spawns. Besides its keys a turn may have:

- `changes` of troops, accepted by the judge in this order (2.3.2, 2.6): `army`, `by` (the player, the army's name
  without the key), `troops` (slot, creature, number, color, size, types), and for 2.6 `new_player` (`battles`,
  `turns` since the offer, `joined_later`) with `name` and `legend`;
- `penalties`, handed down in this order (5.4.1, R47): `army`, `by` (who acted), and either `severity` with a `roll`
  (drawn as `penalty/N` without it) or `troops`, the loss by hand for slots 1 to 4; `after_battle: true` where the
  army's battle was over already;
- `guidelines: true`: the mercenaries without a post go by the book, and raiders may appear (chapter 6);
- in a result `leaves`, the winner that leaves the square without saying where to (4.4), `absent`, an army whose
  partner alone sent a strat, and `taken_by`, which of two winners killed or captured an army (4.3, 4.5):
  `{army: winner}`;
- the mercenary judge's own acts: `after_lock` (an order), `disband` (a list of `army`, `reason`) and `spawn` (a
  list of `at`, `rank`: 1/1 or 2/2, `reason`); a line by a mercenary's own name is the judge's order instead of the
  guideline's.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, Literal, NamedTuple

from wargame.cases.expectations import Expected, differences
from wargame.cases.kinds import Kind, Part
from wargame.cases.positions import PLAIN, Armies, BoardOfCase, position_of
from wargame.cases.reading import CaseError, CreatureColors, Four, Free, Slot, among
from wargame.rules.core.board import Square
from wargame.rules.core.clock import accepts_sealed, is_in_time
from wargame.rules.core.codec import position_to_json
from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.events import Event
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Position
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import (
    DIE,
    NOTHING,
    SEVERITIES,
    AfterLockOrder,
    DisbandingOrder,
    Manifest,
    ManifestEntry,
    MercenaryAct,
    NewPlayer,
    Penalty,
    PostedLine,
    Result,
    SpawningOrder,
    TroopChange,
    TurnInput,
    draw_name,
)
from wargame.rules.mercenaries.spawning import STRONGER_TIER, TIER
from wargame.rules.posts.notation import read_line, read_post
from wargame.rules.settlement import settle
from wargame.rules.settling.events import Captured, Liberated, Personalised
from wargame.rules.telling.telling import event_to_json

Control = dict[str, tuple[str, ...]]
Change = tuple[datetime, str, tuple[str, ...]]

FIRST_UNLOCK = datetime(2000, 1, 1, 5, tzinfo=UTC)
BETWEEN_UNLOCKS = timedelta(days=14)
LOCK_AFTER = timedelta(hours=168)
FIRST_POST_AFTER = timedelta(hours=1)
BETWEEN_POSTS = timedelta(minutes=1)
JUDGE = "the mercenary judge"
TIERS = {"1/1": TIER, "2/2": STRONGER_TIER}

_TIME = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")


def _since_unlock(value: object, where: str) -> timedelta:
    match = _TIME.fullmatch(str(value))
    if not match or not any(match.groups()):
        raise CaseError(f"{where}: “{value}” is not a time. Try 2h, 30m or 168h0m59s")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


SinceUnlock = Annotated[timedelta, _since_unlock]


class ManifestTable(NamedTuple):
    """3.2.4.2: the troops that a transfer sends: numbers of the slots 1 to 4, or entries in full."""

    from_: str
    to: str
    troops: list[int | ManifestEntry]


class PostTable(NamedTuple):
    """A post; without `at` it comes a minute after the one before."""

    by: str
    at: SinceUnlock | None = None
    sealed: bool = False
    text: Free = ""
    manifest: ManifestTable | None = None


class ControlTable(NamedTuple):
    """5.2.1: a change of the control list within the turn. `accepted`: when a judge accepted an exception, before the
    settlement; it counts from its request all the same (R44)."""

    at: SinceUnlock
    army: str
    to: tuple[str, ...]
    accepted: SinceUnlock | None = None


class ResultTable(NamedTuple):
    """4.2.5: a battle's result as handed in by the battle judge."""

    at: Square
    winner: tuple[str, ...]
    losses: Mapping[str, tuple[int, ...]] = {}
    killed: tuple[str, ...] = ()
    captured: tuple[str, ...] = ()
    retreat: Mapping[str, Square] = {}
    leaves: str | None = None
    taken_by: Mapping[str, str] = {}
    absent: tuple[str, ...] = ()


class NewTroop(NamedTuple):
    """2.3.2: a creature of a changed army."""

    slot: Slot
    creature: str
    number: int
    color: CreatureColors = ()
    size: str = ""
    types: tuple[str, ...] = ("Creature",)


class NewPlayerTable(NamedTuple):
    """2.6: the player who personalises an army; `turns` counts those since the offer."""

    battles: int
    turns: int
    joined_later: bool = True

    def called(self, name: str) -> NewPlayer:
        return NewPlayer(name, self.joined_later, self.battles, 0, self.turns)


class ChangeTable(NamedTuple):
    """2.3.2, 2.6: a change of troops."""

    army: str
    troops: list[NewTroop]
    by: str = ""
    new_player: NewPlayerTable | None = None
    name: str = ""
    legend: str = ""


class PenaltyTable(NamedTuple):
    """5.4.1, R47: a penalty."""

    army: str
    by: str = ""
    severity: int | None = None
    roll: int | None = None
    troops: Four | None = None
    after_battle: bool = False


class SpawnTable(NamedTuple):
    """6.3.2: a raider that is to appear."""

    at: Square
    rank: Literal["1/1", "2/2"]
    reason: Free = ""


class DisbandTable(NamedTuple):
    """6.3.2: a raider that is to disband."""

    army: str
    reason: Free = ""


class TurnTable(NamedTuple):
    posts: list[PostTable] = []
    control: list[ControlTable] = []
    results: list[ResultTable] = []
    changes: list[ChangeTable] = []
    penalties: list[PenaltyTable] = []
    guidelines: bool = False
    after_lock: Free = ""
    spawn: list[SpawnTable] = []
    disband: list[DisbandTable] = []
    expect: Expected = Expected()


class TurnCase(NamedTuple):
    case: str
    armies: Armies
    turns: list[TurnTable]
    about: Free = ""
    seed: Free = "0"
    board: BoardOfCase = PLAIN
    players: object = None
    control: Mapping[str, tuple[str, ...]] = {}


@dataclass(frozen=True, slots=True)
class PlayedTurn:
    """One turn of a case: the position before and after, its events, and the expectations."""

    number: int
    before: Position
    after: Position
    events: tuple[Event, ...]
    expect: Expected


def play(case: TurnCase) -> list[PlayedTurn]:
    """The case turn by turn. CaseError names the turn that can't be played."""
    played = []
    where = ""
    try:
        position = position_of(case.board, case.armies)
        control = _control_at_start(case, position)
        for number, turn in enumerate(case.turns, 1):
            where = f"turn {number}: "
            dice = turn_dice(case.seed.encode(), case.case, number)
            turn_input = _input_of_turn(turn, number, position, control, dice)
            settled = settle(position, turn_input, turn_dice(case.seed.encode(), case.case, number))
            played.append(PlayedTurn(number, position, settled.position, settled.events, turn.expect))
            position, control = settled.position, control_after(dict(turn_input.control), settled.events)
    except ValueError as error:
        raise CaseError(f"{where}{error}") from error
    return played


def _differences(case: TurnCase, played: list[PlayedTurn]) -> Iterator[str]:
    known_names: set[str] = set()
    for turn in played:
        where = f"turn {turn.number}"
        known_names.update(turn.before.by_name, turn.after.by_name)
        for text in differences(known_names, turn.after, turn.events, turn.expect, where):
            yield f"{where}: {text}"


def _parts(case: TurnCase, played: list[PlayedTurn]) -> Iterator[Part]:
    for turn in played:
        lines = [f"{event.sentence} ({event.cites})" for event in turn.events]
        events = [event_to_json(event) for event in turn.events]
        yield Part(f"Turn {turn.number}", lines, {"events": events, "position": position_to_json(turn.after)})


TURNS = Kind(TurnCase, play, _differences, _parts)


def control_at(control: Control, changes: list[Change], at: datetime | None) -> Control:
    """5.2.1: the control list after the changes up to a moment; all of them without one."""
    after = dict(control)
    for when, army, players in sorted(changes, key=lambda change: change[0]):
        if at is None or when <= at:
            after[army] = players
    return after


def control_after(control: Control, events: tuple[Event, ...]) -> Control:
    """R40: nobody controls a captured army; a freed one returns to its old controllers. 2.6: a renamed one has its
    new name."""
    after = dict(control)
    for event in events:
        if isinstance(event, Captured):
            after[event.army] = ()
        elif isinstance(event, Liberated):
            after[event.army] = event.controllers
        elif isinstance(event, Personalised) and event.name:
            after[event.name] = after.pop(event.army, ())
    return after


def own_army(by: str, control: Control) -> str:
    """R10: the army whose name a player may leave off; empty if there is none."""
    if by in control:
        return by
    controlled = [army for army, players in control.items() if by in players]
    return controlled[0] if len(controlled) == 1 else ""


def _control_at_start(case: TurnCase, position: Position) -> Control:
    defaults: Control = {army.name: (army.name,) for army in position.armies}
    return {**defaults, **{among(defaults, army): players for army, players in case.control.items()}}


def _input_of_turn(turn: TurnTable, number: int, position: Position, control: Control, dice: Dice) -> TurnInput:
    """The input of a turn of a case; penalties are drawn with separate dice of the turn."""
    unlock = FIRST_UNLOCK + number * BETWEEN_UNLOCKS
    lock = unlock + LOCK_AFTER
    changes = [(unlock + change.at, change.army, change.to) for change in _in_time(turn.control)]
    lines: list[PostedLine] = []
    manifests: list[Manifest] = []
    at = unlock + FIRST_POST_AFTER - BETWEEN_POSTS
    for place, post in enumerate(turn.posts, 1):
        at = at + BETWEEN_POSTS if post.at is None else unlock + post.at
        accepted = accepts_sealed(at, lock) if post.sealed else is_in_time(at, lock)
        if accepted and post.manifest:
            manifests.append(_manifest(post.by, post.manifest, int(at.timestamp())))
        elif accepted:
            lines.extend(_lines(post, place, at, position, control_at(control, changes, at)))
    return TurnInput(
        tuple(lines),
        control_at(control, [change for change in changes if is_in_time(change[0], lock)], None),
        tuple(manifests),
        tuple(Result(*result) for result in turn.results),
        changes=tuple(_change(change, position) for change in turn.changes),
        mercenaries=tuple(_acts(turn, position)),
        guidelines=turn.guidelines,
        penalties=tuple(_penalty(place, table, position, dice) for place, table in enumerate(turn.penalties, 1)),
    )


def _in_time(changes: list[ControlTable]) -> list[ControlTable]:
    """5.2.2.2, R44: the changes of a turn; CaseError for an exception that was accepted before its request or after the
    next unlock."""
    for change in changes:
        if change.accepted is not None and not change.at <= change.accepted < BETWEEN_UNLOCKS:
            raise CaseError(
                f"control: {change.army}: an exception must be accepted after its request and before the unlock"
            )
    return changes


def _lines(post: PostTable, place: int, at: datetime, position: Position, control: Control) -> list[PostedLine]:
    return [
        PostedLine(
            by=post.by,
            army=line.army,
            order=line.order,
            at=int(at.timestamp()),
            place=(place, line.number),
            controlled=post.by in control.get(line.army, ()),
            text=line.text,
        )
        for line in read_post(post.text, position.names, own_army(post.by, control))
        if isinstance(line, ReadOrder)
    ]


def _manifest(by: str, manifest: ManifestTable, at: int) -> Manifest:
    entries = [
        entry if isinstance(entry, ManifestEntry) else ManifestEntry(slot, entry)
        for slot, entry in enumerate(manifest.troops, 1)
        if entry
    ]
    return Manifest(by, manifest.from_, manifest.to, tuple(entries), at)


def _change(change: ChangeTable, position: Position) -> TroopChange:
    """2.3.2, 2.6: a change of troops, by default requested by the player of the army's name."""
    by = change.by or among(position.by_name, change.army)
    makeup = tuple(Troop(t.slot, t.creature, t.number, t.number, t.color, t.size, t.types) for t in change.troops)
    newcomer = change.new_player.called(by) if change.new_player else None
    return TroopChange(among(position.by_name, change.army), by, makeup, newcomer, change.name, change.legend)


def _acts(turn: TurnTable, position: Position) -> Iterator[MercenaryAct]:
    """6.3.2, R48: the mercenary judge's own acts."""
    for spawn in turn.spawn:
        yield SpawningOrder(JUDGE, spawn.at, TIERS[spawn.rank], spawn.reason)
    for disband in turn.disband:
        yield DisbandingOrder(JUDGE, disband.army, disband.reason)
    if turn.after_lock:
        line = read_line(turn.after_lock, [army.name for army in position.armies])
        if not isinstance(line, ReadOrder):
            raise CaseError(f"after_lock: “{turn.after_lock}” is not an order")
        yield AfterLockOrder(JUDGE, line.army, line.order, line.text)


def _penalty(number: int, table: PenaltyTable, position: Position, dice: Dice) -> Penalty:
    if (table.severity is None) == (table.troops is None):
        raise CaseError("penalties: a penalty must have either a severity or troops")
    severity, roll = (0, 0) if table.severity is None else _factors(number, table.severity, table.roll, dice)
    return Penalty(
        number=number,
        army=among(position.by_name, table.army),
        by=table.by or table.army,
        cites="5.4.1",
        reason="It was not his.",
        severity=severity,
        roll=roll,
        stated=table.troops or NOTHING,
        after_battle=table.after_battle,
    )


def _factors(number: int, severity: int, rolled: int | None, dice: Dice) -> tuple[int, int]:
    """R47: severity and die."""
    if severity not in SEVERITIES:
        raise CaseError(f"penalties: severity: must be 1 to {SEVERITIES[-1]}, not {severity}")
    roll = dice.roll(draw_name(number), DIE) if rolled is None else rolled
    if not 1 <= roll <= DIE:
        raise CaseError(f"penalties: roll: a die shows 1 to {DIE}, not {roll}")
    return severity, roll
