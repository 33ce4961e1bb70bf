"""3.3.3: the changes by a ruling or a correction, as JSON for the judge and the public."""

from collections.abc import Iterable, Mapping
from typing import TypedDict

from django.utils.translation import gettext

from judging.announcements.wording import battle_words
from judging.turns.models import Correction
from wargame.rules.core import codec
from wargame.rules.core.events import Event
from wargame.rules.core.position import Army, Battle, Position
from wargame.rules.core.saying import grouped
from wargame.rules.core.troops import Troop
from wargame.rules.moves.events import Refused
from wargame.rules.settling.accepted_changes import otherwise_called, renamed
from wargame.rules.telling.telling import read_all


class ToldEvent(TypedDict):
    """An event of one report that is missing in the other: its kind, the rules that it cites, and its sentence."""

    kind: str
    cites: str
    text: str


class EventsDifference(TypedDict):
    """The events that are only in the earlier report, and those that are only in the later one."""

    gone: list[ToldEvent]
    new: list[ToldEvent]


class DraftsDifference(EventsDifference):
    """R18: two drafts: also the armies that end elsewhere, each as name, square before and square now."""

    places: list[list[str]]


class ArmyDifference(TypedDict):
    """An army that differs, and the differences in words."""

    army: str
    changes: list[str]


class BattlesDifference(TypedDict):
    """Battles in words: those that are gone, new, or changed."""

    gone: list[str]
    new: list[str]
    changed: list[str]


class PositionsDifference(TypedDict):
    """Two maps: their armies, the changes of bases in words, and their battles."""

    armies: list[ArmyDifference]
    bases: list[str]
    battles: BattlesDifference


class CorrectionDifference(PositionsDifference, EventsDifference):
    """3.3.3: all that a correction changes."""


class FormerDraft(TypedDict):
    """R18: the parts of an earlier draft to compare: the events of its moves, and the armies' squares after them."""

    events: Iterable[Event]
    places: Mapping[str, str]


UNTOLD = ("drawn", "day_counted")
"""Kinds of events that follow from others and are not compared one by one."""


def difference_of(correction: Correction) -> CorrectionDifference:
    """3.3.3: the changes of map and report by a correction, applied or not."""
    old, new = _positions(correction)
    events = difference_of_events(read_all(correction.old_events), read_all(correction.events))
    of_map = difference_of_positions(old, new)
    return {
        "armies": of_map["armies"],
        "bases": of_map["bases"],
        "battles": of_map["battles"],
        "gone": events["gone"],
        "new": events["new"],
    }


def changes_nothing(correction: Correction, difference: CorrectionDifference) -> bool:
    """Whether map and report stay the same, apart from the rulings in the report."""
    events = [*difference["gone"], *difference["new"]]
    return not correction.changes_map and all(event["kind"] == "ruled" for event in events)


def difference_of_drafts(former: FormerDraft, places: Mapping[str, str], events: Iterable[Event]) -> DraftsDifference:
    """R18, steps 1 to 6: the armies that end elsewhere than in the former draft, and the events that differ."""
    old = former["places"]
    moves = [[name, old.get(name, ""), at] for name, at in places.items() if old.get(name, "") != at]
    of_events = difference_of_events(former["events"], events)
    return {"places": moves, "gone": of_events["gone"], "new": of_events["new"]}


def difference_of_events(old: Iterable[Event], new: Iterable[Event]) -> EventsDifference:
    """The events that are in one report and not in the other, as kind, citation and text."""
    before, after = _compared_events(old), _compared_events(new)
    removed = [row for key, row in before.items() if key not in after]
    return {"gone": removed, "new": [row for key, row in after.items() if key not in before]}


def difference_of_positions(old: Position, new: Position) -> PositionsDifference:
    """The armies that differ, each with the differences, and the battles that are gone, new, or changed."""
    former_names = otherwise_called(new, old)
    new = renamed(new, former_names)
    names = sorted(old.by_name.keys() | new.by_name.keys())
    pairs = ((name, old.by_name.get(name), new.by_name.get(name)) for name in names)
    renames = {was: gettext("now called %(name)s") % {"name": now} for now, was in former_names.items()}
    armies: list[ArmyDifference] = [
        {"army": name, "changes": _changes(was, now, renames.get(name))} for name, was, now in pairs if was != now
    ]
    battles = {key: [battle_words(battle) for battle in group] for key, group in _battles(old, new).items()}
    return {
        "armies": [army for army in armies if army["changes"]],
        "bases": _bases(old, new),
        "battles": {"gone": battles["gone"], "new": battles["new"], "changed": battles["changed"]},
    }


def battles_that_differ(correction: Correction) -> dict[str, list[codec.Json]]:
    """3.3.3: the battles that a correction causes, ends or changes, as JSON."""
    old, new = _positions(correction)
    by_kind = _battles(old, renamed(new, otherwise_called(new, old)))
    return {key: [codec.battle_to_json(battle) for battle in battles] for key, battles in by_kind.items()}


def _battles(old: Position, new: Position) -> dict[str, list[Battle]]:
    before, after = _by_opponents(old), _by_opponents(new)
    return {
        "gone": [battle for key, battle in before.items() if key not in after],
        "new": [battle for key, battle in after.items() if key not in before],
        "changed": [battle for key, battle in after.items() if key in before and before[key] != battle],
    }


def _positions(correction: Correction) -> tuple[Position, Position]:
    return codec.position_from_json(correction.old_position), codec.position_from_json(correction.position)


def opponents(battle: Battle) -> tuple[str, frozenset[str]]:
    """The identity of a battle: the square and the armies that meet there."""
    return str(battle.at), frozenset(battle.armies)


def _compared_events(events: Iterable[Event]) -> dict[tuple[object, ...], ToldEvent]:
    compared = (event for event in events if event.kind not in UNTOLD)
    return {
        event.compared: {"kind": event.kind, "cites": event.cites, "text": _sentence_of(event)} for event in compared
    }


def _sentence_of(event: Event) -> str:
    """An event's sentence; a refusal's does not name the army."""
    return f"{event.army}: {event.sentence}" if isinstance(event, Refused) else event.sentence


def _by_opponents(position: Position) -> dict[tuple[str, frozenset[str]], Battle]:
    return {opponents(battle): battle for battle in position.battles}


def _bases(old: Position, new: Position) -> list[str]:
    fallen = {base.name for base in old.board.bases if base.destroyed}
    return [
        (gettext("%(base)s is destroyed") if base.destroyed else gettext("%(base)s still stands")) % {"base": base.name}
        for base in new.board.bases
        if base.destroyed != (base.name in fallen)
    ]


def _changes(was: Army | None, now: Army | None, rename: str | None) -> list[str]:
    """The changes of an army, in words: from what to what."""
    if was is None or now is None:
        return [gettext("is alive, on %(at)s") % {"at": now.at}] if now else [gettext("is dead")]
    changes = [rename] if rename else []
    changes += [f"{was.at} → {now.at}"] if was.at != now.at else []
    if was.side is not now.side:
        changes.append(gettext("from %(title)s to %(title2)s") % {"title": was.side.title, "title2": now.side.title})
    if was.days != now.days:
        changes.append(gettext("days %(was)s → %(now)s") % {"was": was.days, "now": now.days})
    if was.plan != now.plan:
        changes.append(gettext("its long move continues differently") if now.plan else gettext("its long move ends"))
    changes += _changed_troops(was.troops, now.troops)
    if was != now and not changes:
        changes.append(gettext("its wait for healing (2.3.1), conversion (4.5) or victory (1.7.2)"))
    return changes


def _changed_troops(was: tuple[Troop, ...], now: tuple[Troop, ...]) -> list[str]:
    old = {(troop.slot, troop.creature): troop for troop in was}
    new = {(troop.slot, troop.creature): troop for troop in now}
    changes = []
    for slot, creature in sorted(old.keys() | new.keys()):
        before, after = old.get((slot, creature)), new.get((slot, creature))
        alive = (before.alive if before else 0, after.alive if after else 0)
        if alive[0] != alive[1]:
            name = creature or gettext("slot %(slot)s") % {"slot": slot}
            changes.append(f"{name} {grouped(alive[0])} → {grouped(alive[1])}")
    return changes
