"""1.3, 5.2: whom news are for: the people of a round by what they are in it, and those whom an act of its log concerns.

The entries of `kinds` name these functions. What is secret for a time goes only to people who know it anyway: those who
asked, whose it is, the judges of it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from functools import cached_property
from typing import NamedTuple

from judging.appeals.queries import concerned_by_appeal, drawn_for_appeal, told_of_anew
from judging.armies.models import Muster
from judging.battles.assignments.models import BattleSeat
from judging.battles.models import Battle, BattleArmy, Opinion, Result
from judging.command.models import Admission, ControlRequest
from judging.common.control import held_in, is_leader, last_moment
from judging.common.models import LogEntry
from wargame.models import Control, Judge, Player, Round, Turn
from wargame.models.choices import Role
from wargame.rules.core.codec import Json


class Cast:
    """The people of a round by role, queried once a run of the job."""

    def __init__(self, round_: Round) -> None:
        self.round = round_

    @cached_property
    def players(self) -> list[Player]:
        return list(Player.objects.filter(round=self.round, left_at__isnull=True))

    @cached_property
    def _judges(self) -> list[Judge]:
        return list(Judge.objects.filter(round=self.round))

    @cached_property
    def _by_name(self) -> dict[str, Player]:
        """1.6: by present names, and by former ones that nobody has now."""
        everybody = list(Player.objects.filter(round=self.round))
        former = {old: player for player in everybody for old, _ in player.former_names}
        return former | {player.name: player for player in everybody}

    def named(self, name: object) -> list[int]:
        player = self._by_name.get(str(name))
        return [player.user_id] if player else []

    def everybody(self) -> list[int]:
        return [player.user_id for player in self.players]

    def leaders(self, side: object) -> list[int]:
        """1.1: the three leaders of a side."""
        return [player.user_id for player in self.players if player.side == side and is_leader(player)]

    def judges(self, *roles: str, name: str = "", head: bool = False) -> list[int]:
        """1.3: the judges of these roles, or the one of that name, or their heads."""
        rows = [judge for judge in self._judges if judge.role in roles and (judge.is_head or not head)]
        return [judge.user_id for judge in rows if not name or judge.name == name]

    def turn(self, number: object) -> Turn | None:
        if not isinstance(number, int):
            return None
        turns = Turn.objects.filter(round=self.round, number=number).select_related("round")
        return turns.defer("position", "sky").first()

    def battle(self, data: Json) -> Battle | None:
        """4.1: the battle of a log entry."""
        where = {"turn__number": data.get("turn", 0), "number": data.get("battle", 0)}
        rows = Battle.objects.filter(turn__round=self.round, **where)
        return rows.select_related("turn").defer("turn__position", "turn__events", "turn__sky").first()

    def controllers(self, turn: Turn) -> dict[str, set[int]]:
        """5.2: the controllers of each army at a turn's lock, by all its names."""
        lock, users = last_moment(turn.lock_at), {player.pk: player.user_id for player in self._by_name.values()}
        by_army: dict[str, set[int]] = {}
        for control in held_in(turn):
            if control.since <= lock and (control.until is None or control.until > lock):
                for name in (control.army, *control.former):
                    by_army.setdefault(name, set()).add(users[control.player_id])
        return by_army


def present_controllers(army_ids: Iterable[int]) -> dict[int, list[int]]:
    """5.2: the users who control these armies now, by the army's key."""
    rows = Control.objects.filter(army__in=set(army_ids), until__isnull=True, player__left_at__isnull=True)
    by_army: dict[int, list[int]] = {}
    for army, user in rows.values_list("army_id", "player__user_id"):
        by_army.setdefault(army, []).append(user)
    return by_army


def of_battle(battle: Battle) -> dict[str, object]:
    """4.1: the data of a battle for sentences and links."""
    return {"battle": battle.pk, "number": battle.number, "turn": battle.turn.number, "at": battle.at}


class To(NamedTuple):
    """Whom an act is told, and what the sentence names besides the turn. `about` tells several of one act apart; with a
    `key` it is told once, whatever act tells it."""

    users: Iterable[int]
    data: Mapping[str, object] = {}
    about: str = ""
    due_at: datetime | None = None
    key: str = ""


Recipients = Callable[[LogEntry, Cast], Iterable[To]]


def _fields(entry: LogEntry, names: Iterable[str]) -> dict[str, object]:
    return {name: entry.data[name] for name in names if name in entry.data}


def everybody(*fields: str) -> Recipients:
    return lambda entry, cast: [To(cast.everybody(), _fields(entry, fields))]


def player(name: str = "player", *fields: str) -> Recipients:
    """The player whom an entry names there."""
    return lambda entry, cast: [To(cast.named(entry.data.get(name)), _fields(entry, fields))]


def judges(*roles: str, fields: Iterable[str] = ()) -> Recipients:
    """1.3: the judges of these roles, or all."""
    return lambda entry, cast: [To(cast.judges(*(roles or Role.values)), _fields(entry, fields))]


def judge_of_place(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """1.3: the judge who has the place that an entry names, or had it."""
    rows = Judge.everybody.filter(round=cast.round, name=entry.data.get("name"), role=entry.data.get("role"))
    yield To(rows.values_list("user_id", flat=True))


def battle_judges(name: str = "", holds: Callable[[Mapping[str, object]], object] | None = None) -> Recipients:
    """The battle judges, or the one whom the entry names there, if it `holds` of what the entry says."""

    def found(entry: LogEntry, cast: Cast) -> Iterator[To]:
        battle = cast.battle(entry.data)
        if battle is None or (holds and not holds(entry.data)) or (name and not entry.data.get(name)):
            return
        yield To(cast.judges(Role.BATTLE, name=str(entry.data[name]) if name else ""), of_battle(battle))

    return found


def seat_taker(kind: str) -> Recipients:
    """R55, R59: the judge whose a battle is now: as the third one, or not."""
    return battle_judges("name", lambda data: (data.get("kind") == "third") == (kind == "third"))


def head_of_battles(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """4.2.1: where both scores are locked and there is none of the battle, they are far apart: its head decides."""
    battle = cast.battle(entry.data)
    if battle is None or battle.state != Battle.State.WAITING:
        return
    has_third = BattleSeat.objects.filter(battle=battle, kind=BattleSeat.Kind.THIRD, until__isnull=True).exists()
    if Opinion.objects.filter(battle=battle).count() > 1 and not has_third:
        yield To(cast.judges(Role.BATTLE, head=True), of_battle(battle), key=f"battle-{battle.pk}")


def everybody_of_lock(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """R60: everybody, when the lock was brought forward, or is back."""
    lock_at, is_early = str(entry.data["lock_at"]), entry.action == "turn.early_lock"
    data = {"lock_at": lock_at, "is_early": is_early}
    yield To(cast.everybody(), data, due_at=datetime.fromisoformat(lock_at))


def _fighters(entry: LogEntry, cast: Cast) -> Iterator[tuple[Battle, BattleArmy, list[int]]]:
    """The armies of the battle that an entry is about, or the one that it names, with those who control them now."""
    battle, army = cast.battle(entry.data), entry.data.get("army")
    if battle is None:
        return
    rows = list(
        battle.entries.filter(name=army) | battle.entries.filter(army__name=army) if army else battle.entries.all()
    )
    control = present_controllers(row.army_id for row in rows)
    for row in rows:
        yield battle, row, control.get(row.army_id, [])


def strat_senders(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """R5: those whose strats have another deadline."""
    until = str(entry.data["until"])
    for battle, row, users in _fighters(entry, cast):
        data = of_battle(battle) | {"army": row.name, "until": until}
        yield To(users, data, str(row.pk), datetime.fromisoformat(until))


def late_strat_senders(entry: LogEntry, cast: Cast) -> Iterator[To]:
    for battle, row, users in _fighters(entry, cast):
        yield To(users, of_battle(battle) | {"army": row.name})


def fighters_of_result(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """4.2.5: those who fought a battle whose result is published."""
    battle = cast.battle(entry.data)
    result = Result.objects.filter(battle=battle).first() if battle else None
    if battle is None or result is None:
        return
    control = cast.controllers(battle.turn)
    for row in battle.entries.all():
        data = of_battle(battle) | {"army": row.name, "won": row.side == result.winner}
        yield To(sorted(control.get(row.name, ())), data, str(row.pk))


def fighters_judged_anew(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """R58."""
    battle = cast.battle(entry.data)
    found = told_of_anew(battle, cast.controllers(battle.turn)) if battle else None
    if battle is not None and found is not None:
        users, data = found
        yield To(users, of_battle(battle) | data)


def leaders_asked(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """1.1: the leaders of the team, and the battle judges where it has none."""
    side = entry.data.get("side")
    yield To(cast.leaders(side) or cast.judges(Role.BATTLE), {"side": side, "name": entry.data.get("name")})


def leaders(entry: LogEntry, cast: Cast) -> Iterator[To]:
    side = entry.data.get("side")
    yield To(cast.leaders(side), {"side": side, "player": entry.data.get("player")})


def refused_candidate(entry: LogEntry, cast: Cast) -> Iterator[To]:
    refused = Admission.objects.filter(round=cast.round, name=entry.data.get("name"), state=Admission.State.REFUSED)
    users = refused.filter(decided_at=entry.at).values_list("user_id", flat=True)
    yield To(users, {"side": entry.data.get("side")})


def ranked_player(entry: LogEntry, cast: Cast) -> Iterator[To]:
    by = next((player.name for player in cast.players if player.user_id == entry.actor_id), "")
    yield To(cast.named(entry.data.get("player")), {"after": entry.data.get("after"), "by": by})


def leaders_of_barred(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """1.6, 5.1: the leaders of a barred player, who may give their armies to others."""
    name = entry.data.get("player")
    users = cast.named(name)
    for side in {player.side for player in cast.players if player.user_id in users}:
        yield To(cast.leaders(side), {"player": name, "until": entry.data.get("until", ""), "side": side})


def judges_with_barred(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """1.6: all who judge with a barred judge."""
    name = entry.data.get("player")
    if cast.judges(*Role.values, name=str(name)):
        yield To(cast.judges(*Role.values), {"player": name, "until": entry.data.get("until", "")}, "judge")


def power_holders(entry: LogEntry, cast: Cast) -> Iterator[To]:
    to = entry.data.get("to")
    names = [to] if to else entry.data.get("holders") or ()
    yield To([user for name in names for user in cast.named(name)])


def deputies(entry: LogEntry, cast: Cast) -> Iterator[To]:
    for name, to in (entry.data.get("contingencies") or {}).items():
        yield To(cast.named(to), {"player": name, "side": entry.data.get("side")}, name)


def former_controllers(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """5.2.1: those who control an army no more; who got it is told when the control is."""
    for change in entry.data.get("changes") or ():
        lost = [name for name in change.get("before") or () if name not in change["to"]]
        yield To([user for name in lost for user in cast.named(name)], {"army": change["army"]}, change["army"])


def freed_player(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """R45: who may no longer control their armies."""
    for army in entry.data.get("armies") or entry.data.get("freed") or ():
        yield To(cast.named(entry.data.get("player")), {"army": army}, army)


def _request_of(entry: LogEntry) -> ControlRequest | None:
    rows = ControlRequest.objects.filter(pk=entry.data.get("request"), player__isnull=False)
    return rows.select_related("player").first()


def control_requester(how: str) -> Recipients:
    def found(entry: LogEntry, cast: Cast) -> Iterator[To]:
        row = _request_of(entry)
        if row is not None and row.player is not None:
            yield To([row.player.user_id], {"how": how, "armies": [change["army"] for change in row.changes]})

    return found


def controllers_since(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """R44: who got an army by an exception that reaches back; `gathering` takes old control for history."""
    request = _request_of(entry)
    armies = [change["army_id"] for change in request.changes] if request else []
    for row in Control.objects.filter(army__in=armies, until__isnull=True).select_related("player", "army"):
        yield To([row.player.user_id], {"army": row.army.name}, key=f"control-{row.pk}")


def muster_author(entry: LogEntry, cast: Cast) -> Iterator[To]:
    row = Muster.objects.filter(pk=entry.data.get("muster")).select_related("author").first()
    if row is not None and row.author is not None:
        yield To([row.author.user_id], {"army": row.name})


def army_controllers(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """2.3.2."""
    rows = Control.objects.filter(round=cast.round, army__name=entry.data.get("army"), until__isnull=True)
    data = {"army": entry.data.get("army"), "side": entry.data.get("side")}
    yield To(rows.values_list("player__user_id", flat=True), data)


def author_of_hidden(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """1.3."""
    data = {"number": entry.data.get("message"), "board_title": entry.data.get("board")}
    yield To(cast.named(entry.data.get("by")), data)


def judge_of_appeal(entry: LogEntry, cast: Cast) -> Iterator[To]:
    """R57: the judge who was drawn to answer."""
    for users, data, due in drawn_for_appeal(entry):
        yield To(users, data, "judge", due)


def both_sides_of_appeal(entry: LogEntry, cast: Cast) -> Iterator[To]:
    for users, data in concerned_by_appeal(entry):
        yield To(users, data)
