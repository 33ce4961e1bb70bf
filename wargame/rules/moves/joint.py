"""3.2.5: joint engagements."""

from collections.abc import Iterable, Mapping

from wargame.rules.core.board import Square
from wargame.rules.core.position import Position
from wargame.rules.core.reasons import Reason
from wargame.rules.moves.commands import Commands
from wargame.rules.moves.events import JointEngaged, JointFailed, Refused
from wargame.rules.moves.marches import Fate, Field, March, ending_of, orders_alone

Pair = tuple[March, March]


def judge_joint_engagements(field: Field) -> list[Pair]:
    """3.2.5.2 to 3.2.5.4, R23: judge them at once on the legal orders; returns the pairs that go through."""
    groups = _wanted(field.marches.values())
    if not groups:
        return []
    ending = field.ending()
    verdicts = [(group, _failure(group, ending[group[0].to])) for group in groups]
    pairs: list[Pair] = []
    for group, failure in verdicts:
        if failure:
            _ignore(field, group, *failure)
        elif all(march.army.side is group[0].army.side for march in ending[group[0].to]):
            _announce_failure(field, group, "3.2.5.3")
        else:
            pairs.append((group[0], group[1]))
    return _one_a_turn(field, pairs)


def ignored_joint_engages(position: Position, commands: Commands) -> frozenset[str]:
    """3.2.5.3, R61: the armies whose joint engage fails on the legal orders of the turn, before any route is drawn:
    they stay."""
    marches = orders_alone(position, commands)
    ending = ending_of(marches)
    groups = (group for group in _wanted(marches) if _failure(group, ending[group[0].to]))
    return frozenset(march.army.name for group in groups for march in group)


def dissolve_pairs_without_enemy(field: Field, pairs: list[Pair]) -> list[Pair]:
    """3.2.5.3, R23: if in the end no enemy is on the square, the two are ordinary moves."""
    if not pairs:
        return []
    ending = field.ending()
    remaining = []
    for pair in pairs:
        partners = [march for march in pair if march.fate in (Fate.ARRIVES, Fate.STAYS)]
        if any(other.army.is_enemy(pair[0].army) for other in ending.get(pair[0].meant, ())):
            remaining.append(pair)
        elif len(partners) == 2:
            _announce_failure(field, list(pair), "3.2.5.3")
    return remaining


def _wanted(marches: Iterable[March]) -> list[list[March]]:
    """The joint orders by side and square, each group in the order of posting."""
    groups: dict[tuple[str, Square], list[March]] = {}
    for march in marches:
        if march.joint:
            groups.setdefault((march.army.side.value, march.to), []).append(march)
    return [sorted(group, key=lambda march: march.when) for group in groups.values()]


def _failure(group: list[March], ending: list[March]) -> tuple[Reason, Mapping[str, str]] | None:
    """3.2.5.3: why a joint order is ignored, with the facts; None if it is not."""
    side = group[0].army.side
    if len(group) == 1:
        return Reason.JOINT_ALONE, {}
    if len(group) > 2:
        return Reason.JOINT_CROWD, {"armies": str(len(group))}
    friends = sorted(m.army.name for m in ending if m.army.side is side and m not in group)
    if friends:
        return Reason.JOINT_FRIENDS, {"friends": " and ".join(friends)}
    return None


def _ignore(field: Field, group: Iterable[March], reason: Reason, facts: Mapping[str, str]) -> None:
    """3.2.5.3: the order is ignored completely, and the army does not move."""
    for march in group:
        assert march.command is not None
        details = (("to", str(march.to)), *facts.items())
        by, text = march.command.by, march.command.text
        field.events.append(Refused(march.army.name, reason, details, by, text, at=march.start))
        march.to, march.route, march.fate, march.joint = march.start, (), Fate.STAYS, False


def _one_a_turn(field: Field, pairs: list[Pair]) -> list[Pair]:
    """3.2.5.4, R23: the square whose second order is the earliest; both teams on one square are one engagement."""
    if not pairs:
        return []
    first = min(pairs, key=lambda pair: pair[1].when)[0].to
    through = [pair for pair in pairs if pair[0].to == first]
    for pair in pairs:
        names = (pair[0].army.name, pair[1].army.name)
        if pair in through:
            field.events.append(JointEngaged(names, first))
            continue
        field.events.append(JointFailed(names, pair[0].to, "3.2.5.4"))
        for march in pair:
            march.joint = False
            if march.to != march.start:
                march.must_part("3.2.5.4")
    return through


def _announce_failure(field: Field, group: list[March], cites: str) -> None:
    field.events.append(JointFailed(tuple(march.army.name for march in group), group[0].meant, cites))
    for march in group:
        march.joint = False
