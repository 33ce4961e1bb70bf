"""5.2: the controllers of armies, at any moment and after a settlement or a correction."""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from django.db.models import Q, Value
from django.db.models.functions import Greatest

from wargame.models import Control, Player, Round, Turn
from wargame.rules.command.control_list import may_control
from wargame.rules.core.position import Army, Position
from wargame.rules.core.sides import Rank, Side


def control_at(round: Round, when: datetime) -> dict[str, tuple[str, ...]]:
    """5.2: the controllers of each army at a moment: the players' names, sorted, by the army's name and its former
    ones."""
    return control_at_each(round, [when])[when]


def control_at_each(round: Round, moments: Collection[datetime]) -> dict[datetime, dict[str, tuple[str, ...]]]:
    """5.2: `control_at` for several moments, one at least, with one statement."""
    control: dict[datetime, dict[str, tuple[str, ...]]] = {when: {} for when in moments}
    still = Q(until__isnull=True) | Q(until__gt=min(control))
    rows = Control.objects.filter(still, round=round, since__lte=max(control)).order_by("player__name")
    fields = ("army__name", "army__former", "player__name", "since", "until")
    for army, former, player, since, until in rows.values_list(*fields):
        for when, controllers in control.items():
            if since <= when and (until is None or until > when):
                for name in (army, *former):
                    controllers[name] = (*controllers.get(name, ()), player)
    return control


def store_control(turn: Turn, before: Position, after: Position, ids: dict[str, int], now: datetime) -> None:
    """4.3, 4.5, R40: nobody controls a dead or captured army; a liberated one returns to its old controllers."""
    pairs = [(ids[army.name], army, after.called(army.name)) for army in before.armies]
    ended = [pk for pk, old, new in pairs if new is None or new.side is not old.side]
    if not ended:
        return
    until = Greatest("since", Value(now))
    Control.objects.filter(army_id__in=ended, until__isnull=True).update(until=until)
    freed = {
        pk: (new, old.captivity.controllers)
        for pk, old, new in pairs
        if new and old.captivity and new.side is old.captivity.side is not old.side
    }
    people = _people_called(turn.round_id, {name for _, controllers in freed.values() for name in controllers})
    Control.objects.bulk_create(
        Control(round_id=turn.round_id, army_id=pk, player_id=player, since=now)
        for pk, (army, controllers) in freed.items()
        for player in _who_may(army, controllers, people)
    )


def correct_control(
    turn: Turn, before: Position, old: Position, new: Position, ids: dict[str, int], now: datetime
) -> None:
    """3.3.3: the control of the armies that died or changed sides in one settlement and not in the other.

    Their current controllers lose them. Their controllers at the settlement get them back, where control would not have
    ended; a liberated army is its old controllers' (4.5), a captured or dead one nobody's.
    """
    differing = [army for army in before.armies if _belongs(old, army.name) != _belongs(new, army.name)]
    keys = [ids[army.name] for army in differing]
    ended = Control.objects.filter(army_id__in=keys, until=turn.settled_at)
    controlled = {pk: tuple(players) for pk, players in _grouped(ended.values_list("army_id", "player_id")).items()}
    Control.objects.filter(army_id__in=keys, until__isnull=True).update(until=now)
    names = {name for army in differing if army.captivity for name in army.captivity.controllers}
    people = _people_called(turn.round_id, names)
    for army in differing:
        after = new.called(army.name)
        if after is None:
            continue
        again: tuple[int, ...] = ()
        if after.side is army.side:
            again = controlled.get(ids[army.name], ())
        elif army.captivity and after.side is army.captivity.side:
            again = tuple(_who_may(after, army.captivity.controllers, people))
        Control.objects.bulk_create(
            Control(round_id=turn.round_id, army_id=ids[army.name], player_id=player, since=now) for player in again
        )


def _people_called(round_id: int, names: set[str]) -> dict[str, tuple[int, str]]:
    """1.6: key and rank of the players with this current or former name. Those who have left the team are not
    included."""
    here = Player.objects.filter(round_id=round_id, left_at__isnull=True)
    rows = here.filter(name__in=names).values_list("name", "pk", "rank")
    people = {name: (pk, rank) for name, pk, rank in rows}
    if names - people.keys():
        renamed = here.exclude(former_names=[]).values_list("pk", "rank", "former_names")
        people |= {old: (pk, rank) for pk, rank, former in renamed for old, _ in former if old in names}
    return people


def _who_may(army: Army, controllers: Iterable[str], people: Mapping[str, tuple[int, str]]) -> list[int]:
    """4.5, 5.3.1: the keys of the players to whom a liberated army returns: none who left or is now of a lower rank."""
    pairs = [people[name] for name in controllers if name in people]
    return [pk for pk, rank in pairs if army.rank and may_control(Rank(rank) if rank else None, army.rank)]


def _belongs(position: Position, name: str) -> Side | None:
    """1.1: the side of an army; None if it is dead."""
    army = position.called(name)
    return army.side if army else None


def _grouped(pairs: Iterable[tuple[int, int]]) -> dict[int, list[int]]:
    groups: dict[int, list[int]] = {}
    for key, value in pairs:
        groups.setdefault(key, []).append(value)
    return groups
