"""Appeal cases (docs/develop/cases.md): whether a player may appeal, who answers, and whether a battle is judged again.

The key `appeal` has the hours `at` which a player appeals and `within` which they may (72), both since the decision;
whether it `concerns` them, whether they appealed `before`, and how many are `open` of the `most` (2). `able` are the
judges who may answer, `head` the head battle judge, `silent` how many of those drawn did not answer, `later` the judges
who may answer once all that is done; `number` is that of the appeal, and `seed` and `turn` are of the turn of the
appeal. `expect` may name `rules` (why there is none), `until` (the last hour), `among` (the judges of the last draw),
`answers` (the judge who answers) and `drawn` (all, one after the other).

The key `anew` has the `turn` of a battle, the `present` one, and whether they are `settled` and `open`; whether the
judge who orders it `answers` an appeal against its result, and had a part in that (`decided`). `expect` may name
`rules`, and `judges`: how many battle judges it takes.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated, NamedTuple

from wargame.cases.kinds import Kind, Part
from wargame.cases.reading import Free, built, differences
from wargame.rules.command.appeals import (
    AppealStanding,
    drawn_judge,
    last_minute,
    may_change_alone,
    newly_able,
    next_candidates,
    why_no_appeal,
    why_not_anew,
)
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.faults import Finding

DECIDED = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)


class AppealTable(NamedTuple):
    able: tuple[str, ...] = ()
    head: Free = ""
    at: int = 1
    within: int = 72
    concerns: bool = True
    before: bool = False
    open: int = 0
    most: int = 2
    silent: int = 0
    later: tuple[str, ...] = ()
    number: int = 1
    seed: int = 0
    turn: int = 1


class ExpectedAppeal(NamedTuple):
    rules: list[str] | None = None
    until: int | None = None
    among: list[str] | None = None
    answers: Free | None = None
    drawn: list[str] | None = None


@dataclass(frozen=True)
class JudgedAppeal:
    """The outcome of an appeal: why there is none, its deadline, the judges drawn, and the candidates of the last
    draw."""

    wrong: tuple[Finding, ...]
    until: int
    among: tuple[str, ...]
    drawn: tuple[str, ...]


def _lodge(table: AppealTable) -> JudgedAppeal:
    within = table.within * HOUR
    appeal = AppealStanding(table.concerns, table.before, DECIDED, table.open)
    finding = why_no_appeal(appeal, within=within, most=table.most, now=DECIDED + table.at * HOUR)
    until = int((last_minute(DECIDED, within) - DECIDED) / HOUR)
    if finding:
        return JudgedAppeal((finding,), until, (), ())
    dice = turn_dice(table.seed.to_bytes(32, "big"), "case", table.turn)
    judges: list[str] = []
    among: list[str] = []
    for number in range(1, table.silent + 2):
        among = next_candidates(table.able, judges, table.head)
        if among:
            judges.append(drawn_judge(among, dice, table.number, number))
    if table.later and judges and judges[-1] not in table.able:
        among = newly_able((*table.able, *table.later), judges)
        judges.append(drawn_judge(among, dice, table.number, len(judges) + 1))
    return JudgedAppeal((), until, tuple(sorted(among)), tuple(judges))


class AppealCase(NamedTuple):
    case: str
    appeal: Annotated[JudgedAppeal, built(AppealTable, _lodge)]
    expect: ExpectedAppeal
    about: Free = ""


def _appeal_differences(case: AppealCase, judged: JudgedAppeal) -> list[str]:
    return differences(case.expect, _came(judged), _sentences_of(judged.wrong))


def _appeal_parts(case: AppealCase, judged: JudgedAppeal) -> list[Part]:
    lines = [f"{each.sentence} ({each.cites})" for each in judged.wrong]
    lines += [f"{name} was drawn to answer it." for name in judged.drawn]
    return [Part("Appeal", lines, {"outcome": _came(judged)})]


def _came(judged: JudgedAppeal) -> dict[str, object]:
    return {
        "rules": _cited(judged.wrong),
        "until": judged.until,
        "among": list(judged.among),
        "answers": judged.drawn[-1] if judged.drawn else "",
        "drawn": list(judged.drawn),
    }


APPEALS = Kind(AppealCase, lambda case: case.appeal, _appeal_differences, _appeal_parts)


class AnewTable(NamedTuple):
    """A published battle of a turn, and the current turn."""

    turn: int
    present: int
    settled: bool = True
    open: bool = True
    answers: bool = False
    decided: bool = False


class ExpectedAnew(NamedTuple):
    """Expectations of judging again; a key that is None is not checked."""

    rules: list[str] | None = None
    judges: int | None = None


class JudgedAnew(NamedTuple):
    """Why a battle is not judged again, and how many judges it takes."""

    wrong: tuple[Finding, ...]
    judges: int


def _judge_anew(table: AnewTable) -> JudgedAnew:
    fault = why_not_anew(turn=table.turn, present=table.present, is_settled=table.settled, is_present_open=table.open)
    alone = may_change_alone(answers=table.answers, decided=table.decided)
    return JudgedAnew((fault,) if fault else (), 1 if alone else 2)


class AnewCase(NamedTuple):
    case: str
    anew: Annotated[JudgedAnew, built(AnewTable, _judge_anew)]
    expect: ExpectedAnew
    about: Free = ""


def _anew_differences(case: AnewCase, judged: JudgedAnew) -> list[str]:
    return differences(case.expect, _came_anew(judged), _sentences_of(judged.wrong))


def _anew_parts(case: AnewCase, judged: JudgedAnew) -> list[Part]:
    judges = "one judge" if judged.judges == 1 else "two judges"
    lines = [f"{each.sentence} ({each.cites})" for each in judged.wrong] or [f"It can be rejudged, by {judges}."]
    return [Part("Judging anew", lines, _came_anew(judged))]


def _came_anew(judged: JudgedAnew) -> dict[str, object]:
    return {"rules": _cited(judged.wrong), "judges": judged.judges}


ANEW = Kind(AnewCase, lambda case: case.anew, _anew_differences, _anew_parts)


def _cited(findings: Iterable[Finding]) -> list[str]:
    return list(dict.fromkeys(each.cites for each in findings))


def _sentences_of(findings: Iterable[Finding]) -> str:
    return "; ".join(each.sentence for each in findings) or "nothing is wrong"
