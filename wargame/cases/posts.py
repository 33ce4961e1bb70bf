"""Turn cases (CASES.md): what a turn was given: posts by their time, manifests, control, results."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Any

from wargame.cases.armies import CaseError
from wargame.cases.boards import square_of
from wargame.cases.changes import change_from_case
from wargame.cases.errors import keys_of
from wargame.cases.mercenaries import acts_from_case
from wargame.rules.core.clock import accepts_sealed, is_in_time
from wargame.rules.core.orders import ReadOrder
from wargame.rules.core.position import Position
from wargame.rules.core.turn import Manifest, ManifestEntry, PostedLine, Result, TurnInput
from wargame.rules.posts.notation import read_post

Control = dict[str, tuple[str, ...]]
Change = tuple[datetime, str, tuple[str, ...]]

FIRST_UNLOCK = datetime(2000, 1, 1, 5, tzinfo=UTC)
BETWEEN_UNLOCKS = timedelta(days=14)
LOCK_AFTER = timedelta(hours=168)
FIRST_POST_AFTER = timedelta(hours=1)
BETWEEN_POSTS = timedelta(minutes=1)

_TIME = re.compile(r"(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?")
_POST_KEYS = ("by", "at", "sealed", "text", "manifest")


def given_from_case(
    turn: dict[str, Any], where: str, number: int, position: Position, control: Control
) -> tuple[TurnInput, Control]:
    """What a turn of a case was given, and the control at its lock. CaseError names the key."""
    unlock = FIRST_UNLOCK + number * BETWEEN_UNLOCKS
    lock = unlock + LOCK_AFTER
    changes = [_change(data, where, unlock) for data in turn.get("control", [])]
    at_lock = control_at(control, [change for change in changes if is_in_time(change[0], lock)], None)
    lines: list[PostedLine] = []
    manifests: list[Manifest] = []
    at = unlock + FIRST_POST_AFTER - BETWEEN_POSTS
    for place, data in enumerate(turn.get("posts", []), 1):
        keys_of(data, f"{where}, posts", _POST_KEYS, ("by",))
        at = unlock + _time(data["at"], where) if "at" in data else at + BETWEEN_POSTS
        accepted = accepts_sealed(at, lock) if data.get("sealed") else is_in_time(at, lock)
        if accepted and "manifest" in data:
            manifests.append(_manifest(data, where, int(at.timestamp())))
        elif accepted:
            lines.extend(_lines(data, place, at, position, control_at(control, changes, at)))
    results = tuple(_result(data, where) for data in turn.get("results", []))
    new_troops = tuple(change_from_case(data, where, position) for data in turn.get("changes", []))
    given = TurnInput(
        tuple(lines),
        at_lock,
        tuple(manifests),
        results,
        changes=new_troops,
        mercenaries=acts_from_case(turn, where, position),
        guidelines=bool(turn.get("guidelines")),
    )
    return given, at_lock


def control_at(control: Control, changes: list[Change], at: datetime | None) -> Control:
    """5.2.1: who controls what after the changes made by a moment; all of them without one."""
    after = dict(control)
    for when, army, players in sorted(changes, key=lambda change: change[0]):
        if at is None or when <= at:
            after[army] = players
    return after


def own_army(by: str, control: Control) -> str:
    """R10: the army whose name a player may leave off; empty if there is none."""
    if by in control:
        return by
    controlled = [army for army, players in control.items() if by in players]
    return controlled[0] if len(controlled) == 1 else ""


def _lines(data: dict[str, Any], place: int, at: datetime, position: Position, control: Control) -> list[PostedLine]:
    by = data["by"]
    read = read_post(str(data.get("text", "")), position.names, own_army(by, control))
    return [
        PostedLine(
            by=by,
            army=line.army,
            order=line.order,
            at=int(at.timestamp()),
            place=(place, line.number),
            controlled=by in control.get(line.army, ()),
            text=line.text,
        )
        for line in read
        if isinstance(line, ReadOrder)
    ]


def _time(text: Any, where: str) -> timedelta:
    match = _TIME.fullmatch(str(text))
    if not match or not any(match.groups()):
        raise CaseError(f"{where}: “{text}” is no time; write it like 2h, 30m or 168h0m59s")
    hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return timedelta(hours=hours, minutes=minutes, seconds=seconds)


def _change(data: dict[str, Any], where: str, unlock: datetime) -> Change:
    keys_of(data, f"{where}, control", ("at", "army", "to"), ("at", "army", "to"))
    players = data["to"] if isinstance(data["to"], list) else [data["to"]]
    return unlock + _time(data["at"], where), data["army"], tuple(players)


def _manifest(data: dict[str, Any], where: str, at: int) -> Manifest:
    manifest = data["manifest"]
    keys_of(manifest, f"{where}, manifest", ("from", "to", "troops"), ("from", "to", "troops"))
    entries = []
    for slot, entry in enumerate(manifest["troops"], 1):
        if isinstance(entry, dict):
            entries.append(ManifestEntry(entry["slot"], entry["number"], entry.get("creature")))
        elif entry:
            entries.append(ManifestEntry(slot, entry))
    return Manifest(data["by"], manifest["from"], manifest["to"], tuple(entries), at)


def _result(data: dict[str, Any], where: str) -> Result:
    keys = ("at", "winner", "losses", "killed", "captured", "retreat")
    keys_of(data, f"{where}, results", keys, ("at", "winner"))
    winner = data["winner"] if isinstance(data["winner"], list) else [data["winner"]]
    return Result(
        at=square_of(data["at"], where),
        winner=tuple(winner),
        losses={name: tuple(lost) for name, lost in data.get("losses", {}).items()},
        killed=tuple(data.get("killed", [])),
        captured=tuple(data.get("captured", [])),
        retreat={name: square_of(square, where) for name, square in data.get("retreat", {}).items()},
    )
