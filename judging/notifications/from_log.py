"""1.3: what the log says, as news for those whom it concerns: each act by its name, in TOLD."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import groupby

from django.db.models import QuerySet

from judging.appeals.queries import ACTS, told_of_anew, told_of_appeal
from judging.armies.models import Muster
from judging.battles.assignments.models import BattleSeat
from judging.battles.models import Battle, BattleArmy, Opinion, Result
from judging.battles.strats.queries import deadline_of
from judging.command.models import Admission, ControlRequest
from judging.common.models import LogEntry
from judging.common.notify import News, NewsKind
from judging.notifications.kinds import ARMY_KINDS
from judging.notifications.recipients import Cast, of_battle, present_controllers
from judging.turns.models import Correction
from judging.turns.posts.queries import Offence, report_offences
from judging.turns.turn_input import counting_rulings
from wargame.models import Control, Judge, Turn
from wargame.models.choices import Role, TurnState
from wargame.rules.core.codec import Json
from wargame.rules.telling.telling import armies_of


def news_of_log(entries: Sequence[LogEntry], now: datetime) -> Iterator[News]:
    """1.3: of entries that are in the log. Nobody is told of his own acts."""
    for _, group in groupby(sorted(entries, key=lambda each: (each.round_id, each.pk)), lambda each: each.round_id):
        cast = None
        for entry in group:
            cast = cast or Cast(entry.round)
            for news in TOLD[entry.action](entry, cast):
                if news.user_id != entry.actor_id:
                    yield news


def _each(
    entry: LogEntry,
    users: Iterable[int],
    kind: NewsKind,
    data: Mapping[str, object] | None = None,
    about: str = "",
    due_at: datetime | None = None,
) -> Iterator[News]:
    """The same for several people. The entry of the log names what it is about, with `about` where it is several."""
    key, turn = f"log-{entry.pk}{about and '-'}{about}"[:120], entry.data.get("turn")
    number = turn if isinstance(turn, int) else None
    told = {**({"turn": turn} if turn else {}), **(data or {})}
    for user in dict.fromkeys(users):
        yield News(user, kind, key, entry.at, entry.round_id, number, told, due_at)


def _settled(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R18: what a settlement did to everybody's armies, its rulings, and the turn that it opened."""
    turn = cast.turn(entry.data.get("turn"))
    if turn is None or turn.state != TurnState.SETTLED:
        return
    control = cast.controllers(turn)
    for place, event in enumerate(turn.events or ()):
        if event["kind"] not in ARMY_KINDS or not event.get("counts", True):
            continue
        kind, fields = ARMY_KINDS[event["kind"]]
        users = {user for name in _armies_in(event, fields) for user in control.get(name, ())}
        yield from _each(entry, sorted(users), kind, {"event": event}, f"event-{place}")
    for ruling in counting_rulings(turn):
        users = control.get(ruling.army, set())
        told = {"ruling": ruling.number, "army": ruling.army}
        yield from _each(entry, sorted(users), NewsKind.RULING_MADE, told, f"ruling-{ruling.pk}")
    yield from of_offences(turn, report_offences(turn), cast)
    following = cast.turn(turn.number + 1)
    if following is not None:
        yield from _turn_opened(following, cast, entry.at)


def of_offences(turn: Turn, offences: Iterable[Offence], cast: Cast) -> Iterator[News]:
    """R13, 5.4.1: orders for somebody else's army that wait for a penalty, to the judges who give it; each player's
    for each army once a turn."""
    judges = set(cast.judges(Role.MOVEMENT, Role.BATTLE))
    for one in offences:
        if one.is_penalised:
            continue
        key = f"offence-{turn.pk}-{one.player}-{one.army}"[:120]
        data = {"player": one.player, "army": one.army, "round": turn.round_id}
        for user in sorted(judges.difference(cast.named(one.player))):
            yield News(user, NewsKind.JUDGE_PENALTY, key, one.at or turn.lock_at, turn.round_id, turn.number, data)


def _armies_in(event: Json, fields: Iterable[str]) -> Iterator[str]:
    for name in fields:
        value = event.get(name)
        yield from value if isinstance(value, list) else [str(value)]


def _round_opened(entry: LogEntry, cast: Cast) -> Iterator[News]:
    turn = cast.turn(1)
    if turn is not None:
        yield from _turn_opened(turn, cast, entry.at)


def _turn_opened(turn: Turn, cast: Cast, at: datetime) -> Iterator[News]:
    """3.1: the turn is open; and each of its battles, to those who fight in it."""
    yield from _announced(Battle.objects.filter(turn=turn), at)
    data = {"turn": turn.number, "lock_at": turn.lock_at.isoformat()}
    for user in cast.everybody():
        yield News(user, NewsKind.TURN_OPENED, f"turn-{turn.pk}", at, turn.round_id, turn.number, data, turn.lock_at)


def _announced(battles: QuerySet[Battle], at: datetime) -> Iterator[News]:
    """4.1: battles that are to be fought, to those who control their armies now."""
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
                yield News(
                    user, NewsKind.BATTLE_ANNOUNCED, key, at, battle.turn.round_id, battle.turn.number, data, due
                )


def _won(entry: LogEntry, cast: Cast) -> Iterator[News]:
    yield from _each(entry, cast.everybody(), NewsKind.ROUND_WON, {"winner": entry.data.get("winner")})


def _lock_moved(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R60: the lock was brought forward, or is back."""
    lock_at, is_early = str(entry.data["lock_at"]), entry.action == "turn.early_lock"
    due = datetime.fromisoformat(lock_at)
    yield from _each(entry, cast.everybody(), NewsKind.LOCK_MOVED, {"lock_at": lock_at, "is_early": is_early}, "", due)


def _fighters(entry: LogEntry, cast: Cast, army: object = None) -> Iterator[tuple[Battle, BattleArmy, list[int]]]:
    """The armies of the battle that an entry is about, or that one, with those who control them now."""
    battle = cast.battle(entry.data)
    if battle is None:
        return
    rows = list(
        battle.entries.filter(name=army) | battle.entries.filter(army__name=army) if army else battle.entries.all()
    )
    control = present_controllers(row.army_id for row in rows)
    for row in rows:
        yield battle, row, control.get(row.army_id, [])


def _deadline_moved(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R5: a strat has another deadline."""
    until = str(entry.data["until"])
    due = datetime.fromisoformat(until)
    for battle, row, users in _fighters(entry, cast, entry.data.get("army")):
        data = of_battle(battle) | {"army": row.name, "until": until}
        yield from _each(entry, users, NewsKind.DEADLINE_MOVED, data, str(row.pk), due)


def _late_strat(kind: NewsKind) -> Teller:
    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        for battle, row, users in _fighters(entry, cast, entry.data.get("army")):
            yield from _each(entry, users, kind, {**of_battle(battle), "army": row.name})

    return news


def _result(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """4.2.5: how a battle ended, to those who fought it."""
    battle = cast.battle(entry.data)
    result = Result.objects.filter(battle=battle).first() if battle else None
    if battle is None or result is None:
        return
    control = cast.controllers(battle.turn)
    for row in battle.entries.all():
        users = sorted(control.get(row.name, ()))
        won = row.side == result.winner
        told = {**of_battle(battle), "army": row.name, "won": won}
        yield from _each(entry, users, NewsKind.BATTLE_RESULT, told, str(row.pk))


def _corrected(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """3.3.3: to those whose armies it changes, and to those who fight by it now."""
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
        yield from _each(entry, [user], NewsKind.TURN_CORRECTED, {"armies": armies})
    following = cast.turn(turn.number + 1)
    if following is not None:
        yield from _announced(Battle.objects.filter(turn=following, announced_at__gte=entry.at), entry.at)


def _differing(old: Sequence[Json], new: Sequence[Json]) -> Iterator[str]:
    """The armies in events of one report that are not in the other."""
    for these, those in ((old, new), (new, old)):
        for event in these:
            if event not in those:
                yield from armies_of(event)


def _penalty(entry: LogEntry, cast: Cast) -> Iterator[News]:
    kind = NewsKind.PENALTY_LIFTED if entry.action == "penalty.lifted" else NewsKind.PENALTY_GIVEN
    yield from _each(entry, cast.named(entry.data.get("player")), kind, {"penalty": entry.data.get("penalty")})


def _asked_in(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """1.1: to the leaders of the team, and to the battle judges where it has none."""
    side = entry.data.get("side")
    users = cast.leaders(side) or cast.judges(Role.BATTLE)
    yield from _each(entry, users, NewsKind.ADMISSION_ASKED, {"side": side, "name": entry.data.get("name")})


def _taken_in(entry: LogEntry, cast: Cast) -> Iterator[News]:
    data = {"side": entry.data.get("side"), "rank": entry.data.get("rank")}
    yield from _each(entry, cast.named(entry.data.get("player")), NewsKind.ADMISSION_ACCEPTED, data)


def _not_taken_in(entry: LogEntry, cast: Cast) -> Iterator[News]:
    refused = Admission.objects.filter(round=cast.round, name=entry.data.get("name"), state=Admission.State.REFUSED)
    users = refused.filter(decided_at=entry.at).values_list("user_id", flat=True)
    yield from _each(entry, users, NewsKind.ADMISSION_REFUSED, {"side": entry.data.get("side")})


def _about_player(kind: NewsKind, key: str = "player", *fields: str) -> Teller:
    """To the player whom an entry names under `key`, with these fields of it."""

    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        data = {name: entry.data.get(name) for name in fields}
        yield from _each(entry, cast.named(entry.data.get(key)), kind, data)

    return news


def _rank(entry: LogEntry, cast: Cast) -> Iterator[News]:
    by = next((player.name for player in cast.players if player.user_id == entry.actor_id), "")
    users = cast.named(entry.data.get("player"))
    yield from _each(entry, users, NewsKind.RANK_CHANGED, {"after": entry.data.get("after"), "by": by})


def _player_left(entry: LogEntry, cast: Cast) -> Iterator[News]:
    side = entry.data.get("side")
    yield from _each(
        entry, cast.leaders(side), NewsKind.PLAYER_LEFT, {"side": side, "player": entry.data.get("player")}
    )


def _barred(how: str) -> Teller:
    """1.6, 5.1: to the leaders of a barred player, who may give his armies to others, and to all who judge with him."""

    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        name = entry.data.get("player")
        data = {"player": name, "until": entry.data.get("until", "")}
        users = cast.named(name)
        for side in {player.side for player in cast.players if player.user_id in users}:
            yield from _each(entry, cast.leaders(side), NewsKind(f"player.{how}"), {**data, "side": side})
        if cast.judges(*Role.values, name=str(name)):
            yield from _each(entry, cast.judges(*Role.values), NewsKind(f"judge.{how}"), data, "judge")

    return news


def _power(entry: LogEntry, cast: Cast) -> Iterator[News]:
    to = entry.data.get("to")
    names = [to] if to else entry.data.get("holders") or ()
    yield from _each(entry, [user for name in names for user in cast.named(name)], NewsKind.POWER_GIVEN)


def _contingency(entry: LogEntry, cast: Cast) -> Iterator[News]:
    for player, to in (entry.data.get("contingencies") or {}).items():
        data = {"player": player, "side": entry.data.get("side")}
        yield from _each(entry, cast.named(to), NewsKind.CONTINGENCY_SET, data, player)


def _changed_hands(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """5.2.1: to those who control an army no more; who got it is told by `_news_of_control`."""
    for change in entry.data.get("changes") or ():
        lost = [name for name in change.get("before") or () if name not in change["to"]]
        users = [user for name in lost for user in cast.named(name)]
        yield from _each(entry, users, NewsKind.ARMY_TAKEN, {"army": change["army"]}, change["army"])


def _freed(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R45: to who may control his armies no more."""
    for army in entry.data.get("armies") or entry.data.get("freed") or ():
        yield from _each(entry, cast.named(entry.data.get("player")), NewsKind.ARMY_TAKEN, {"army": army}, army)


def _request(how: str) -> Teller:
    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        if how == "granted":
            yield from _changed_hands(entry, cast)
        row = ControlRequest.objects.filter(pk=entry.data.get("request")).select_related("player").first()
        if row is not None and row.player is not None:
            armies = [change["army"] for change in row.changes]
            yield from _given_since(entry, row)
            yield from _each(entry, [row.player.user_id], NewsKind.REQUEST_DECIDED, {"how": how, "armies": armies})

    return news


def _given_since(entry: LogEntry, request: ControlRequest) -> Iterator[News]:
    """R44: to who got an army by an exception that reaches back; `_news_of_control` takes old control for history."""
    armies = [change["army_id"] for change in request.changes]
    for row in Control.objects.filter(army__in=armies, until__isnull=True).select_related("player", "army"):
        data, key = {"army": row.army.name}, f"control-{row.pk}"
        yield News(row.player.user_id, NewsKind.ARMY_GIVEN, key, entry.at, entry.round_id, None, data)


def _judge_is(kind: NewsKind) -> Teller:
    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        rows = Judge.everybody.filter(round=cast.round, name=entry.data.get("name"), role=entry.data.get("role"))
        yield from _each(entry, rows.values_list("user_id", flat=True), kind)

    return news


def _muster(kind: NewsKind) -> Teller:
    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        row = Muster.objects.filter(pk=entry.data.get("muster")).select_related("author").first()
        if row is not None and row.author is not None:
            yield from _each(entry, [row.author.user_id], kind, {"army": row.name})

    return news


def _change(kind: NewsKind) -> Teller:
    """2.3.2: to those who control the army."""

    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        rows = Control.objects.filter(round=cast.round, army__name=entry.data.get("army"), until__isnull=True)
        users = rows.values_list("player__user_id", flat=True)
        yield from _each(entry, users, kind, {"army": entry.data.get("army"), "side": entry.data.get("side")})

    return news


def _second(entry: LogEntry, cast: Cast) -> Iterator[News]:
    battle, name = cast.battle(entry.data), entry.data.get("second")
    if battle is not None and name:
        yield from _each(entry, cast.judges(Role.BATTLE, name=str(name)), NewsKind.JUDGE_SECOND, of_battle(battle))


def _consent(kind: NewsKind) -> Teller:
    """R53: to the other battle judges."""

    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        battle = cast.battle(entry.data)
        if battle is not None:
            yield from _each(entry, cast.judges(Role.BATTLE), kind, of_battle(battle))

    return news


def _anew_asked(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R53: to the other battle judges, where one of them has to agree."""
    battle = cast.battle(entry.data)
    if battle is not None and entry.data.get("needs_second"):
        yield from _each(entry, cast.judges(Role.BATTLE), NewsKind.JUDGE_AGREE, of_battle(battle))


def _anew_decided(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R53: to the judge who worked it out, where another one decided."""
    battle, name = cast.battle(entry.data), entry.data.get("of")
    if battle is not None and name:
        yield from _each(entry, cast.judges(Role.BATTLE, name=str(name)), NewsKind.JUDGE_AGREED, of_battle(battle))


def _opinion(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """4.2.1: where both scores are locked and there is none of the battle, they are far apart: its head decides."""
    battle = cast.battle(entry.data)
    if battle is None or battle.state != Battle.State.WAITING:
        return
    has_third = BattleSeat.objects.filter(battle=battle, kind=BattleSeat.Kind.THIRD, until__isnull=True).exists()
    if Opinion.objects.filter(battle=battle).count() > 1 and not has_third:
        heads = cast.judges(Role.BATTLE, head=True)
        for user in heads:
            key = f"battle-{battle.pk}"
            data = of_battle(battle)
            yield News(user, NewsKind.JUDGE_DIFFER, key, entry.at, entry.round_id, battle.turn.number, data)


def _seat(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R55, R59: to whose a battle is now, and to who had it."""
    battle = cast.battle(entry.data)
    if battle is None:
        return
    kind = NewsKind.JUDGE_THIRD if entry.data.get("kind") == "third" else NewsKind.JUDGE_YOURS
    for name, told in ((entry.data.get("name"), kind), (entry.data.get("of"), NewsKind.JUDGE_LOST)):
        if name:
            yield from _each(entry, cast.judges(Role.BATTLE, name=str(name)), told, of_battle(battle))


def _handover(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """1.3: an offer of a head's place, and what came of it, to all judges of the round."""
    data = {name: entry.data.get(name) for name in ("name", "of", "role", "until")}
    yield from _each(entry, cast.judges(*Role.values), NewsKind(entry.action), data)


def _head(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R59: to the battle judges."""
    data = {name: entry.data.get(name) for name in ("name", "of")}
    yield from _each(entry, cast.judges(Role.BATTLE), NewsKind.JUDGE_HEAD, data)


def _away(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """R59: a leave is stated, to all who judge the round."""
    yield from _each(entry, cast.judges(*Role.values), NewsKind.JUDGE_AWAY, {"name": entry.data.get("name")})


def _hidden(entry: LogEntry, cast: Cast) -> Iterator[News]:
    """1.3: to who wrote a message that a moderator has hidden."""
    data = {"number": entry.data.get("message"), "board_title": entry.data.get("board")}
    yield from _each(entry, cast.named(entry.data.get("by")), NewsKind.TALK_HIDDEN, data)


def _overdue(entry: LogEntry, cast: Cast) -> Iterator[News]:
    battle = cast.battle(entry.data)
    if battle is not None:
        yield from _each(entry, cast.judges(Role.BATTLE), NewsKind.JUDGE_OVERDUE, of_battle(battle))


def _to_judges(kind: NewsKind, *roles: str) -> Teller:
    """1.3: what waits on the desk of these roles."""

    def news(entry: LogEntry, cast: Cast) -> Iterator[News]:
        data = {name: entry.data[name] for name in ("old", "new", "army", "side") if name in entry.data}
        yield from _each(entry, cast.judges(*roles), kind, data)

    return news


def _judged_anew(entry: LogEntry, cast: Cast) -> Iterator[News]:
    battle = cast.battle(entry.data)
    if battle is not None:
        for each in told_of_anew(battle, cast.controllers(battle.turn)):
            yield from _each(entry, each.users, each.kind, {**of_battle(battle), **each.data})
    yield from _anew_decided(entry, cast)


def _appeal(entry: LogEntry, cast: Cast) -> Iterator[News]:
    for each in told_of_appeal(entry):
        yield from _each(entry, *each)


Teller = Callable[[LogEntry, Cast], Iterator[News]]

TOLD: dict[str, Teller] = {
    "round.opened": _round_opened,
    "round.won": _won,
    "turn.settled": _settled,
    "turn.early_lock": _lock_moved,
    "turn.lock_restored": _lock_moved,
    "battle.extended": _deadline_moved,
    "battle.extension_overruled": _deadline_moved,
    "battle.published": _result,
    "strat.accepted": _late_strat(NewsKind.STRAT_ACCEPTED),
    "strat.overruled": _late_strat(NewsKind.STRAT_OVERRULED),
    "correction.applied": _corrected,
    "battle.judged_anew": _judged_anew,
    **{f"appeal.{kind}{what}": _appeal for kind in ("", "hidden_") for what in ACTS},
    "penalty.handed_down": _penalty,
    "penalty.lifted": _penalty,
    "player.asked": _asked_in,
    "player.accepted": _taken_in,
    "player.refused": _not_taken_in,
    "player.overruled": _about_player(NewsKind.ADMISSION_OVERRULED, "player", "side"),
    "player.rank": _rank,
    "player.inactive": _about_player(NewsKind.PLAYER_INACTIVE),
    "player.active": _about_player(NewsKind.PLAYER_ACTIVE),
    "player.left": _player_left,
    "person.barred": _barred("barred"),
    "person.let_in": _barred("let_in"),
    "person.bar_over": _barred("let_in"),
    "control.power": _power,
    "control.contingency": _contingency,
    "control.changed": _changed_hands,
    "control.freed": _freed,
    "control.granted": _request("granted"),
    "control.declined": _request("declined"),
    "personal.offered": _about_player(NewsKind.ARMY_OFFERED, "player", "army"),
    "name.granted": _about_player(NewsKind.NAME_GRANTED, "new", "new"),
    "name.refused": _about_player(NewsKind.NAME_REFUSED, "old", "new"),
    "muster.accepted": _muster(NewsKind.MUSTER_ACCEPTED),
    "muster.refused": _muster(NewsKind.MUSTER_REFUSED),
    "change.accepted": _change(NewsKind.CHANGE_ACCEPTED),
    "change.refused": _change(NewsKind.CHANGE_REFUSED),
    "judge.named": _judge_is(NewsKind.JUDGE_NAMED),
    "judge.dismissed": _judge_is(NewsKind.JUDGE_DISMISSED),
    "battle.second_judge": _second,
    "battle.opinion": _opinion,
    "battle.adjust_asked": _consent(NewsKind.JUDGE_CONSENT),
    "battle.adjust_agreed": _consent(NewsKind.JUDGE_CONSENTED),
    "battle.adjust_refused": _consent(NewsKind.JUDGE_CONSENTED),
    "battle.anew_proposed": _anew_asked,
    "battle.anew_dropped": _anew_decided,
    "battle.overdue": _overdue,
    "battle.seat": _seat,
    "battle.judge_decided": _seat,
    **{f"judge.head_{what}": _handover for what in ("offered", "accepted", "declined", "withdrawn", "lapsed")},
    "judge.outsider": _judge_is(NewsKind.JUDGE_NAMED),
    "judge.stands_in": _head,
    "judge.head_back": _head,
    "judge.leave": _away,
    "board.hidden": _hidden,
    "control.exception_asked": _to_judges(NewsKind.JUDGE_EXCEPTION, Role.MOVEMENT, Role.BATTLE),
    "control.exception_over": _to_judges(NewsKind.JUDGE_EXCEPTION_OVER, Role.MOVEMENT, Role.BATTLE),
    "name.asked": _to_judges(NewsKind.JUDGE_NAME, Role.BATTLE),
    "muster.sent": _to_judges(NewsKind.JUDGE_MUSTER, Role.BATTLE),
    "change.sent": _to_judges(NewsKind.JUDGE_CHANGE, Role.BATTLE),
}
"""1.3: the acts that somebody is told of, and what makes the news of each. What is secret for a time is told only to
those who know it anyway: who asked, whose it is, the judges of it."""
