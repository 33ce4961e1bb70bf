"""Control cases (CASES.md): a control request, a rank that is given, or a contingency, and which rules it breaks.

The key is `command`. It has a `team`, its `players` and `armies`, and who `may_ask` for changes (5.2.2.1). A player has
a `name`, a `rank` (none for a Drudge or a Cadet), and may have `posted` and `declared` (how long ago, like `2d`; he
posted a day ago unless it says otherwise, or `never`), `away`, `permits` (5.3.2), `made_excess` (5.3.4) and `factions`.
An army has `name`, `rank`, `controllers` (a name, several, or `nobody`; its namesake without the key: 5.2.1) and a
`namesake` where that is not the player of its name. `run_out` are exceptions that ran out (5.2.2.2): `army`, `player`,
`turn`.

One of these is judged: `request: {by, changes: {army: player or nobody}}`, `rank: {by, player, to}` (`by: judge` is
the battle judge), `factions: {player, to}`, or `contingency: {player, to}`. Without one only `active` is asked for.

`expect` may name `rules` (all that are broken), `advice`, `excepted` (whether a judge could accept it: 5.2.2.2),
`freed` armies, `needs_army` (whether one must be found for who was demoted), `without_army` (all players for whom one
must be found), `active` players and who has `control` afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from wargame.cases.armies import CaseError, mapping, names, one_of, sequence, text, whole
from wargame.cases.errors import keys_of
from wargame.rules.command.control import RunOut, change_rank, contingency_breaches, judge_request
from wargame.rules.command.control_list import ControlList, Listed, Person, Wish, by_default, is_active
from wargame.rules.command.faults import EXCEPTABLE, CommandFault
from wargame.rules.command.last_armies import without_army
from wargame.rules.command.ranks import faction_breaches, rank_breaches
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Rank, Side

NOW = datetime(2000, 1, 8, tzinfo=UTC)
NOBODY, NEVER, JUDGE = "nobody", "never", "judge"
RANKLESS = ("drudge", "cadet")
ACTS = ("request", "rank", "factions", "contingency")
COMMAND_KEYS = ("team", "players", "may_ask", "armies", "run_out", *ACTS)
PLAYER_KEYS = ("name", "rank", "posted", "declared", "away", "permits", "made_excess", "factions")
ARMY_KEYS = ("name", "rank", "controllers", "namesake")
EXPECT_KEYS = ("rules", "advice", "excepted", "freed", "needs_army", "without_army", "active", "control")

_AGE = re.compile(r"(\d{1,4})([dh])")


@dataclass(frozen=True)
class JudgedControl:
    """What comes of a control case: what is wrong and advised, and the list afterwards (as before, if illegal)."""

    listed: ControlList
    breaches: tuple[Finding, ...] = ()
    advice: tuple[Finding, ...] = ()
    freed: tuple[str, ...] = ()
    needs_army: bool = False


def check_control_case(document: dict[str, Any]) -> list[str]:
    """CASES.md: what differs from the case's `expect`, in words. CaseError where the case can't be read."""
    judged = judge_control_case(document)
    where = f"“{document['case']}”, expect"
    expect = keys_of(document["expect"], where, EXPECT_KEYS)
    told = "; ".join(breach.sentence for breach in judged.breaches) or "nothing is wrong"
    differences = []
    for key, came in _outcome(judged).items():
        if key in expect and _plain(expect[key]) != _plain(came):
            differences.append(f"{key}: expected {expect[key]}, came {came} ({told})")
    if "control" in expect:
        for army, wanted in mapping(expect["control"], f"{where}: control").items():
            came = judged.listed.army[army].controllers
            if _plain(_controllers(wanted, where)) != _plain(came):
                differences.append(f"control: {army}: expected {wanted}, came {', '.join(came) or NOBODY} ({told})")
    return differences


def show_control_case(document: dict[str, Any]) -> list[dict[str, Any]]:
    """How the request of a case is judged."""
    judged = judge_control_case(document)
    told = [f"{breach.sentence} ({breach.cites})" for breach in judged.breaches] or ["Legal."]
    told += [f"{army} is free: nobody controls it. (5.3.1)" for army in judged.freed]
    told += [f"Advice: {breach.sentence} ({breach.cites})" for breach in judged.advice]
    return [{"title": "Control", "told": told, "outcome": _outcome(judged)}]


def judge_control_case(document: dict[str, Any]) -> JudgedControl:
    """CASES.md: a control case, carried out. Nothing is guessed: CaseError names the key that can't be read."""
    where = f"“{text(document.get('case'), 'case')}”"
    keys_of(document, where, ("case", "about", "command", "expect"), ("case", "command", "expect"))
    data = keys_of(document["command"], f"{where}, command", COMMAND_KEYS, ("team", "players"))
    listed = _listed(data, f"{where}, command")
    acts = [key for key in ACTS if key in data]
    if len(acts) > 1:
        raise CaseError(f"{where}: one of {', '.join(ACTS)} belongs here, not {' and '.join(acts)}")
    if not acts:
        return JudgedControl(listed)
    act = mapping(data[acts[0]], f"{where}: {acts[0]}")
    return _JUDGES[acts[0]](listed, act, data, f"{where}: {acts[0]}")


def _judge_request(listed: ControlList, act: Mapping[str, Any], data: Mapping[str, Any], where: str) -> JudgedControl:
    keys_of(act, where, ("by", "changes"), ("by", "changes"))
    changes = mapping(act["changes"], f"{where}: changes")
    wishes = [Wish(text(army, where), _controllers(to, f"{where}: {army}")) for army, to in changes.items()]
    run_out = [_run_out(entry, f"{where}: run_out") for entry in data.get("run_out", [])]
    verdict = judge_request(listed, _by(act["by"]), wishes, NOW, run_out)
    after = listed.after(wishes) if verdict.is_legal else listed
    return JudgedControl(after, verdict.breaches, verdict.advice)


def _judge_rank(listed: ControlList, act: Mapping[str, Any], data: Mapping[str, Any], where: str) -> JudgedControl:
    keys_of(act, where, ("by", "player", "to"), ("by", "player", "to"))
    name, rank = _known(listed, act["player"], where), _rank(act["to"], where)
    breaches = rank_breaches(listed, _by(act["by"]), name, rank)
    if breaches:
        return JudgedControl(listed, breaches)
    changed = change_rank(listed, name, rank, NOW)
    return JudgedControl(changed.listed, freed=changed.freed, needs_army=changed.needs_army)


def _judge_factions(listed: ControlList, act: Mapping[str, Any], data: Mapping[str, Any], where: str) -> JudgedControl:
    keys_of(act, where, ("player", "to"), ("player", "to"))
    person = listed.person[_known(listed, act["player"], where)]
    claimed = person._replace(factions=names(sequence(act["to"], where), where))
    return JudgedControl(listed, faction_breaches(listed, claimed))


def _judge_contingency(
    listed: ControlList, act: Mapping[str, Any], data: Mapping[str, Any], where: str
) -> JudgedControl:
    keys_of(act, where, ("player", "to"), ("player", "to"))
    return JudgedControl(listed, contingency_breaches(listed, text(act["player"], where), text(act["to"], where)))


_Judge = Callable[[ControlList, Mapping[str, Any], Mapping[str, Any], str], JudgedControl]
_JUDGES: dict[str, _Judge] = {
    "request": _judge_request,
    "rank": _judge_rank,
    "factions": _judge_factions,
    "contingency": _judge_contingency,
}


def _outcome(judged: JudgedControl) -> dict[str, Any]:
    people = judged.listed.people
    return {
        "rules": list(dict.fromkeys(breach.cites for breach in judged.breaches)),
        "advice": list(dict.fromkeys(breach.cites for breach in judged.advice)),
        "excepted": bool(judged.breaches) and all(breach.fault in EXCEPTABLE for breach in judged.breaches),
        "freed": list(judged.freed),
        "needs_army": judged.needs_army,
        "without_army": list(without_army(judged.listed, NOW)),
        "active": [person.name for person in people if is_active(judged.listed, person.name, NOW)],
    }


def _listed(data: Mapping[str, Any], where: str) -> ControlList:
    side = one_of(Side, data["team"], f"{where}: team")
    people = tuple(_person(entry, side, f"{where}: players") for entry in sequence(data["players"], where))
    armies = [_army(entry, people, f"{where}: armies") for entry in data.get("armies", [])]
    return ControlList(side, people, tuple(armies), names(data.get("may_ask", []), f"{where}: may_ask"))


def _person(data: Any, side: Side, where: str) -> Person:
    entry = keys_of(data, where, PLAYER_KEYS, ("name",))
    name = text(entry["name"], f"{where}: name")
    where = f"{where}: {name}"
    return Person(
        name=name,
        rank=_own_rank(side, entry["rank"], f"{where}: rank") if "rank" in entry else None,
        posted_at=_ago(entry.get("posted", "1d"), f"{where}: posted"),
        is_away=bool(entry.get("away", False)),
        declared_at=_ago(entry.get("declared", NEVER), f"{where}: declared"),
        permits=bool(entry.get("permits", False)),
        made_excess=bool(entry.get("made_excess", False)),
        factions=names(entry.get("factions", []), f"{where}: factions"),
    )


def _army(data: Any, people: Sequence[Person], where: str) -> Listed:
    """5.2.1, 4.5: an army of the list; one that was captured keeps the rank that it had on the other side."""
    entry = keys_of(data, where, ARMY_KEYS, ("name", "rank"))
    name = text(entry["name"], f"{where}: name")
    where = f"{where}: {name}"
    known = [person.name for person in people]
    namesake = text(entry["namesake"], f"{where}: namesake") if "namesake" in entry else name
    army = Listed(name, one_of(Rank, entry["rank"], f"{where}: rank"), (), namesake if namesake in known else "")
    if "controllers" not in entry:
        return by_default(army, people)
    return army._replace(controllers=_controllers(entry["controllers"], where))


def _run_out(data: Any, where: str) -> RunOut:
    entry = keys_of(data, where, ("army", "player", "turn"), ("army", "player", "turn"))
    facts = {"army": text(entry["army"], where), "player": text(entry["player"], where), "army_rank": "", "rank": ""}
    return RunOut(Finding(CommandFault.TOO_HIGH, facts), whole(entry["turn"], where))


def _known(listed: ControlList, value: Any, where: str) -> str:
    name = text(value, where)
    if name not in listed.person:
        raise CaseError(f"{where}: there is no player “{name}”")
    return name


def _by(value: Any) -> str:
    return "" if value == JUDGE else str(value)


def _controllers(value: Any, where: str) -> tuple[str, ...]:
    return () if value == NOBODY else names(value, where)


def _rank(value: Any, where: str) -> Rank | None:
    return None if value in RANKLESS else one_of(Rank, value, where)


def _own_rank(side: Side, value: Any, where: str) -> Rank:
    rank = one_of(Rank, value, where)
    if rank.side is not side:
        raise CaseError(f"{where}: {rank} is not a rank of {side.title}")
    return rank


def _ago(value: Any, where: str) -> datetime | None:
    if value == NEVER:
        return None
    match = _AGE.fullmatch(str(value))
    if match is None:
        raise CaseError(f"{where}: how long ago belongs here, like 2d or 30h, not {value!r}")
    hours = int(match[1]) * (24 if match[2] == "d" else 1)
    return NOW - timedelta(hours=hours)


def _plain(value: Any) -> Any:
    """The order of the names in a list means nothing."""
    return sorted(value) if isinstance(value, list | tuple) else value
