"""T11.3, A12: the rules one table plays by: its choices, its players' agreements, the rulings by number, their
outcomes, and the sets of agreements on offer to the players."""

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.utils.translation import gettext

from judging.tables.models import Table, TableAgreements, TableEvents, TableRuling, TableState
from judging.tables.queries import TableView
from judging.tables.sentences import sentences
from tables.core.options import ChosenLine, played_by
from tables.core.state import Options
from tables.core.views import SPECTATOR
from tables.games.altered.agreements import OPEN, SUGGESTED, AgreementSet, NotAnAnswer, checked, commonest, read_set
from tables.games.options import OPTIONS

User = AbstractBaseUser | AnonymousUser
LOOKED_AT = 400
"""The number of a table's last entries that are searched for outcomes of an agreement or a ruling."""
OUTCOMES = 5
"""The most outcomes shown."""
SETS = 200
"""The number of latest sets of agreements that are counted for the most common one."""
OFFERED = 30
"""The most sets of agreements that are offered by name."""
_NUMBERED = re.compile(r"agreed \d+|[KSA]\d+")


@dataclass(frozen=True)
class AgreementOutcome:
    """T6: an event at a table that follows from an agreement or a ruling, and its entry."""

    n: int
    text: str


@dataclass(frozen=True)
class HeldAnswer:
    """T11: a line of the page. `outcomes` follow from it, the newest first; `most`: what most tables agreed on,
    where that differs; `waits`: the proposal without an answer yet, with its author and words; `agreed`: its players
    have agreed on it, and no default applies."""

    line: ChosenLine
    anchor: str
    outcomes: tuple[AgreementOutcome, ...] = ()
    most: str = ""
    waits: tuple[tuple[str, str], ...] = ()
    agreed: bool = False


@dataclass(frozen=True)
class PlaysBy:
    """T11.3: the rules a table plays by. `ruled` are the rulings of its judges, the newest first."""

    choices: tuple[HeldAnswer, ...]
    agreements: tuple[HeldAnswer, ...]
    rulings: tuple[HeldAnswer, ...]
    ruled: tuple[TableRuling, ...]
    kept: TableAgreements | None

    @property
    def differ(self) -> tuple[HeldAnswer, ...]:
        """T11.3: rulings that the table replaces by something else."""
        return tuple(answer for answer in self.rulings if not answer.line.default)

    @property
    def house(self) -> str:
        """A12: the note beside every suggested wording."""
        return next((answer.line.house for answer in self.agreements if answer.line.house), "")


def plays_by(seen: TableView) -> PlaysBy:
    """T11: the rules a table plays by, for everybody who may see it."""
    table = seen.table
    agreeing: Mapping[str, Any] = seen.view.get("agreeing", {})
    lines = lines_of(table, agreeing)
    rests = _outcomes(table, seen.names)
    agreements = TableAgreements.objects.filter(table=table).select_related("offered_by").first()
    most = dict(commonest_set(table).agreed) if any(line.section == "agreement" for line in lines) else {}
    entries = _what_was_said(agreeing, seen.names)
    holds = agreeing.get("holds", {})

    def held(line: ChosenLine) -> HeldAnswer:
        anchor = anchor_of(line)
        if line.key == "starter" and line.holds in seen.names:
            line = replace(line, told=f"{seen.names[line.holds]} ({line.holds}).")
        answer = HeldAnswer(line, anchor, rests.get(anchor.replace("-", " "), ()))
        if line.section != "agreement":
            return answer
        number = int(line.key)
        usual = most.get(number, "")
        return replace(
            answer, most=usual if usual != line.holds else "", waits=entries.get(number, ()), agreed=line.key in holds
        )

    def section(name: str) -> tuple[HeldAnswer, ...]:
        return tuple(held(line) for line in lines if line.section == name)

    ruled = TableRuling.objects.filter(entry__table=table).select_related("entry")
    return PlaysBy(section("choice"), section("agreement"), section("ruling"), tuple(ruled[:LOOKED_AT]), agreements)


def lines_of(table: Table, agreeing: Mapping[str, Any]) -> tuple[ChosenLine, ...]:
    """T11.3: the choices, agreements and rulings of a table's game, as they apply there."""
    holds = agreeing.get("holds", {})
    agreed = tuple((int(key), str(value)) for key, value in holds.items()) if isinstance(holds, Mapping) else ()
    choices = tuple((key, str(value)) for key, value in sorted(table.options.items()) if key != "starter")
    starter = str(table.options.get("starter", ""))
    return played_by(OPTIONS[table.game], Options(table.format, starter, choices, agreed=agreed))


def anchor_of(line: ChosenLine) -> str:
    """The anchor of a line on its page: `agreed-3`, `A34`, `option-format`."""
    return {"agreement": f"agreed-{line.key}", "ruling": line.key}.get(line.section, f"option-{line.key}")


def _what_was_said(agreeing: Mapping[str, Any], names: Mapping[str, str]) -> dict[int, tuple[tuple[str, str], ...]]:
    statements: dict[int, tuple[tuple[str, str], ...]] = {}
    entries = agreeing.get("said", ())
    for one in entries if isinstance(entries, list | tuple) else ():
        number = int(one["number"])
        statements[number] = (*statements.get(number, ()), (names.get(one["by"], one["by"]), str(one["wording"])))
    return statements


def _outcomes(table: Table, names: Mapping[str, str]) -> dict[str, tuple[AgreementOutcome, ...]]:
    """T6: by `agreed 3` or `A34`: the public events that cite it."""
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return {}
    rows = TableEvents.objects.filter(entry__table=table).order_by("-entry__n").values_list("entry__n", "told")
    outcomes: dict[str, tuple[AgreementOutcome, ...]] = {}
    for n, by_letter in rows[:LOOKED_AT]:
        events = [event for event in by_letter.get(SPECTATOR, []) if any(map(_NUMBERED.fullmatch, event["cites"]))]
        for one in sentences(events, names, table.game):
            for cite in one.cites:
                if _NUMBERED.fullmatch(cite) and len(outcomes.get(cite, ())) < OUTCOMES and one.kind != "agreed":
                    outcomes[cite] = (*outcomes.get(cite, ()), AgreementOutcome(n, one.text))
    return outcomes


# ------------------------------------------------------------------------------------------ sets of agreements


@dataclass(frozen=True)
class Offered:
    """A12: a set of agreements on offer: its key in the form, its name, its content."""

    key: str
    told: str
    set: AgreementSet = field(repr=False)


def offered_to(table: Table, user: User) -> tuple[Offered, ...]:
    """A12: the sets to start from: all suggestions, the most common set, sets that are offered by name, and those of
    the user's own tables."""
    offers = [Offered("suggested", gettext("all suggestions"), SUGGESTED)]
    rows = _kept_agreements(table)
    if common := _commonest(rows):
        offers.append(
            Offered("common", gettext("the most common answers at %(number)s tables") % {"number": len(rows)}, common)
        )
    own_ids = set(table_ids_of(user)) if user.is_authenticated else set()
    candidates = [row for row in rows if row.title or row.table_id in own_ids]
    for row in candidates[:OFFERED]:
        if (one := _read(row)) is not None:
            title = f"{row.title}: " if row.title else gettext("your own: ")
            offers.append(Offered(str(row.pk), f"{title}{one.told}", one))
    return tuple(offers)


def table_ids_of(user: User) -> Sequence[int]:
    """T12: the tables at which a user has or had a seat."""
    return list(Table.objects.filter(seats__user_id=user.pk or 0).values_list("pk", flat=True))


def commonest_set(table: Table) -> AgreementSet:
    """A12: the most common set at other tables; empty while there are none."""
    return _commonest(_kept_agreements(table)) or AgreementSet("", ())


def _kept_agreements(table: Table) -> list[TableAgreements]:
    rows = TableAgreements.objects.filter(game=table.game).exclude(table=table)
    return list(rows.select_related("table").only("agreed", "title", "game", "agreed_at", "table__name")[:SETS])


def _commonest(rows: Sequence[TableAgreements]) -> AgreementSet | None:
    sets = [one for row in rows if (one := _read(row)) is not None]
    return commonest(sets, gettext("most tables")) if sets else None


def _read(row: TableAgreements) -> AgreementSet | None:
    try:
        return read_set({"name": row.table.name, "agreed": row.agreed})
    except NotAnAnswer:
        return None


# ------------------------------------------------------------------------------------------ the form


@dataclass(frozen=True)
class AskedQuestion:
    """A12: a question of the form: what applies, what was said on it, and what is filled in: an option's word,
    `leave open`, or `own` with `words`. `by` has said `theirs`; `is_mine_last`: the viewer had the last word."""

    line: ChosenLine
    number: int
    held: str
    mine: str
    theirs: str
    by: str
    is_mine_last: bool
    choice: str
    words: str


def asked(
    seen: TableView, typed: Mapping[int, str] | None = None, chosen: AgreementSet | None = None
) -> tuple[AskedQuestion, ...]:
    """A12: the form for a player: as it was `typed`; else from the `chosen` set; else what was said last, or what
    applies; before anybody has said anything, what is suggested."""
    agreeing = seen.view.get("agreeing", {})
    statements = agreeing.get("said", [])
    fresh = not statements and not agreeing.get("holds")
    defaults = dict(chosen.agreed) if chosen is not None else {}
    questions = []
    for line in lines_of(seen.table, agreeing):
        if line.section != "agreement":
            continue
        number = int(line.key)
        on_it = [one for one in statements if one["number"] == number]
        last = on_it[-1] if on_it else None
        current = agreeing.get("holds", {}).get(line.key, "")
        filled = defaults.get(number) or (last["wording"] if last else current) or (line.suggested if fresh else OPEN)
        filled = filled if typed is None else typed.get(number, OPEN)
        is_option = filled == OPEN or any(value.word == filled for value in line.values)
        other = next((one for one in on_it if one["by"] != seen.letter), None)
        questions.append(AskedQuestion(
            line, number, current or OPEN, next((one["wording"] for one in on_it if one["by"] == seen.letter), ""),
            other["wording"] if other else "", seen.names.get(other["by"], "") if other else "",
            last is not None and last["by"] == seen.letter, filled if is_option else "own",
            "" if is_option else filled,
        ))  # fmt: skip
    return tuple(questions)


def news_of(questions: Sequence[AskedQuestion], typed: Mapping[int, str]) -> dict[int, str]:
    """A12: the filled-in answers that are new. Those that can't be agreed on stay, to be refused."""
    answers = {}
    for one in questions:
        wording = typed.get(one.number, OPEN)
        with suppress(NotAnAnswer):
            wording = checked(one.number, wording)
        repeats = one.is_mine_last and wording == one.mine
        holds = not one.mine and not one.theirs and wording == one.held
        if not repeats and not holds and not (one.line.needed and wording == OPEN):
            answers[one.number] = wording
    return answers
