"""1.3: what the log says, as news for those whom it concerns: by the entries of `kinds`, and of a turn by its rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from django.db.models import QuerySet

from judging.battles.models import Battle
from judging.battles.strats.queries import deadline_of
from judging.common.models import LogEntry
from judging.common.notify import News
from judging.notifications.kinds import ARMY_EVENTS, KINDS
from judging.notifications.recipients import Cast, Recipients, of_battle, present_controllers
from judging.turns.models import Correction
from judging.turns.posts.queries import Offence, report_offences
from judging.turns.turn_input import counting_rulings
from wargame.models import Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.core.codec import Json
from wargame.rules.telling.telling import armies_of


def news_of_log(entries: Sequence[LogEntry], now: datetime) -> Iterator[News]:
    """1.3: the news of log entries. Nobody is notified of their own acts."""
    for _, group in groupby(sorted(entries, key=lambda each: (each.round_id, each.pk)), lambda each: each.round_id):
        cast = None
        for entry in group:
            cast = cast or Cast(entry.round)
            for news in TURNS.get(entry.action, _news_of_act)(entry, cast):
                if news.user_id != entry.actor_id:
                    yield news


def _news_of_act(entry: LogEntry, cast: Cast) -> Iterator[News]:
    for code, recipients in ACTS[entry.action]:
        for to in recipients(entry, cast):
            yield from _each(entry, to.users, code, to.data, to.about, to.due_at, to.key)


def _each(
    entry: LogEntry,
    users: Iterable[int],
    kind: str,
    data: Mapping[str, object] | None = None,
    about: str = "",
    due_at: datetime | None = None,
    key: str = "",
) -> Iterator[News]:
    """The same news for several people. The key of the log entry makes it unique, with `about` if there are several."""
    key, turn = key or f"log-{entry.pk}{about and '-'}{about}"[:120], entry.data.get("turn")
    number = turn if isinstance(turn, int) else None
    payload = {**({"turn": turn} if turn else {}), **(data or {})}
    for user in dict.fromkeys(users):
        yield News(user, kind, key, entry.at, entry.round_id, number, payload, due_at)


def _settled(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R18: the results of a settlement for everybody's armies, its rulings, and the turn that it opened."""
    turn = cast.turn(entry.data.get("turn"))
    if turn is None or turn.state != TurnState.SETTLED:
        return
    control = cast.controllers(turn)
    for place, event in enumerate(turn.events or ()):
        if event["kind"] not in ARMY_EVENTS or not event.get("counts", True):
            continue
        kind, fields = ARMY_EVENTS[event["kind"]]
        users = {user for name in _armies_in(event, fields) for user in control.get(name, ())}
        yield from _each(entry, sorted(users), kind, {"event": event}, f"event-{place}")
    for ruling in counting_rulings(turn):
        users = control.get(ruling.army, set())
        data = {"ruling": ruling.number, "army": ruling.army}
        yield from _each(entry, sorted(users), "ruling.made", data, f"ruling-{ruling.pk}")
    yield from of_offences(turn, report_offences(turn), cast)
    following = cast.turn(turn.number + 1)
    if following is not None:
        yield from _turn_opened(following, cast, entry.at)


def of_offences(turn: Turn, offences: Iterable[Offence], cast: Cast) -> Iterator[News]:
    """R13, 5.4.1: orders for another player's army that wait for a penalty, to the judges who give it; each player's
    for each army once a turn."""
    judges = set(cast.judges(Role.MOVEMENT, Role.BATTLE))
    for one in offences:
        if one.is_penalised:
            continue
        key = f"offence-{turn.pk}-{one.player}-{one.army}"[:120]
        data = {"player": one.player, "army": one.army, "round": turn.round_id}
        for user in sorted(judges.difference(cast.named(one.player))):
            yield News(user, "judge.penalty", key, one.at or turn.lock_at, turn.round_id, turn.number, data)


def _armies_in(event: Json, fields: Iterable[str]) -> Iterator[str]:
    for name in fields:
        value = event.get(name)
        yield from value if isinstance(value, list) else [str(value)]


def _round_opened(entry: LogEntry, cast: Cast) -> Iterator[News]:
    turn = cast.turn(1)
    if turn is not None:
        yield from _turn_opened(turn, cast, entry.at)


def _turn_opened(turn: Turn, cast: Cast, at: datetime) -> Iterator[News]:
    """3.1: the turn is open; and each of its battles, to its fighters."""
    yield from _announced(Battle.objects.filter(turn=turn), at)
    data = {"turn": turn.number, "lock_at": turn.lock_at.isoformat()}
    for user in cast.everybody():
        yield News(user, "turn.opened", f"turn-{turn.pk}", at, turn.round_id, turn.number, data, turn.lock_at)


def _announced(battles: QuerySet[Battle], at: datetime) -> Iterator[News]:
    """4.1: announced battles, to the present controllers of their armies."""
    battles = battles.exclude(state=Battle.State.CANCELLED).select_related("turn").prefetch_related("entries")
    rows = list(battles.defer("turn__position", "turn__events", "turn__sky"))
    control = present_controllers(entry.army_id for battle in rows for entry in battle.entries.all())
    for battle in rows:
        entries = list(battle.entries.all())
        for entry in entries:
            part = "" if battle.defends is None else "defends" if battle.defends == entry.side else "attacks"
            due = deadline_of(entry, battle)
            data = of_battle(battle) | {"army": entry.name, "part": part, "deadline": due.isoformat()}
            data["foes"] = [other.name for other in entries if other.side != entry.side]
            for user in control.get(entry.army_id, ()):
                key = f"entry-{entry.pk}"
                yield News(user, "battle.announced", key, at, battle.turn.round_id, battle.turn.number, data, due)


def _corrected(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """3.3.3: to the players whose armies it changes, and to those who fight because of it now."""
    turn = cast.turn(entry.data.get("turn"))
    if turn is None:
        return
    applied = Correction.objects.filter(turn=turn, state=Correction.State.APPLIED, decided_at=entry.at)
    changed = {army for row in applied for army in _differing(row.old_events, row.events)}
    owners = cast.controllers(turn)
    by_user: dict[int, list[str]] = {}
    for army in sorted(changed):
        for user in sorted(owners.get(army, ())):
            by_user.setdefault(user, []).append(army)
    for user, armies in by_user.items():
        yield from _each(entry, [user], "turn.corrected", {"armies": armies})
    following = cast.turn(turn.number + 1)
    if following is not None:
        yield from _announced(Battle.objects.filter(turn=following, announced_at__gte=entry.at), entry.at)


def _differing(old: Sequence[Json], new: Sequence[Json]) -> Iterator[str]:
    for these, those in ((old, new), (new, old)):
        for event in these:
            if event not in those:
                yield from armies_of(event)


TURNS: dict[str, Callable[[LogEntry, Cast], Iterator[News]]] = {
    "round.opened": _round_opened,
    "turn.settled": _settled,
    "correction.applied": _corrected,
}
"""The acts that tell people what the turn's own rows say."""

ACTS: dict[str, list[tuple[str, Recipients]]] = {}
for code, kind in KINDS.items():
    for act, recipients in kind.acts.items():
        ACTS.setdefault(act, []).append((code, recipients))
"""1.3: what is told of the other acts, and to whom."""

TOLD = (*TURNS, *ACTS)
"""1.3: the acts that somebody is told of."""
