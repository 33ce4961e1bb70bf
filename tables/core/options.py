"""T12.1: the rules that a table plays by, as data for one page: choices with their defaults, agreements, rulings by
number.

A game defines them in its `options.py`. `played_by` joins them with one table's choices; nothing here decides anything.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from tables.core.lists.cards import Game
from tables.core.lists.formats import FORMATS, Format, default_format
from tables.core.state import Options
from wargame.rules.core.saying import marked, said

Section = Literal["choice", "agreement", "ruling"]

_STARTS = re.compile(r"([KSA]\d{1,3}) \| ")


@dataclass(frozen=True, slots=True)
class Value:
    """One answer to a choice: the stored word, and its meaning in a sentence, over `fields`."""

    word: str
    told: str
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpeningChoice:
    """A choice that a table makes before it starts. `default` applies if it says nothing; empty: it is open.

    `house`: if the wordings are this service's suggestions and not the document's, the sentence that says so.
    `enforced`: whether the service itself carries out the values; `also` is a pattern of further answers that it
    carries out. The players take care of any other agreement.
    """

    key: str
    title: str
    asks: str
    rests_on: tuple[str, ...]
    values: tuple[Value, ...]
    default: str = ""
    suggested: str = ""
    house: str = ""
    needed: bool = False
    enforced: bool = True
    section: Section = "choice"
    also: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """One of the service's rulings on a document: its number, the places that leave it open, the problem, the rule."""

    number: str
    where: str
    trouble: str
    told: str


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All choices of a game's tables, and all rulings that apply where they choose nothing."""

    game: str
    choices: tuple[OpeningChoice, ...]
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class ChosenLine:
    """One line of the page: its subject, the answer that applies at this table, and whether that is the default.

    `holds` is the word or wording, `told` the sentence for it. `open`: nothing applies yet. `values` are the answers
    that are offered; empty for a ruling, which is changed in words.
    """

    section: Section
    key: str
    title: str
    asks: str
    rests_on: tuple[str, ...]
    holds: str
    told: str
    default: bool
    open: bool = False
    needed: bool = False
    enforced: bool = True
    house: str = ""
    values: tuple[Value, ...] = ()
    suggested: str = ""


def formats_of(game: Game) -> OpeningChoice:
    """T12.5: the choice among a game's formats, as in `lists.formats`."""
    formats = [each for each in FORMATS.values() if each.game == game]
    values = tuple(Value(each.key, _size(each), _fields(each)) for each in formats)
    return OpeningChoice(
        "format",
        marked("Format"),
        marked("Which format is played?"),
        tuple(dict.fromkeys(each.size_rule for each in formats)),
        values,
        default_format(game).key,
    )


def _size(format: Format) -> str:
    if format.least == format.most:
        return marked("%(name)s: %(least)s cards per deck (%(rule)s).")
    return marked("%(name)s: at least %(least)s cards per deck (%(rule)s).")


def _fields(format: Format) -> Mapping[str, object]:
    return {"name": format.name, "least": format.least, "rule": format.size_rule}


def read_rulings(text: str) -> tuple[Ruling, ...]:
    """Rulings from a text: each begins with `K1 | where | trouble | what holds`; its further lines are joined.

    Raises ValueError for one that does not have four parts, or for a duplicate number.
    """
    rows: list[str] = []
    for line in text.strip().splitlines():
        if _STARTS.match(line):
            rows.append(line)
        elif rows:
            rows[-1] += " " + line.strip()
    rulings = []
    for row in rows:
        parts = [part.strip() for part in row.split(" | ")]
        if len(parts) != 4:
            raise ValueError(f"a ruling has four parts: {row}")
        rulings.append(Ruling(*parts))
    if len({ruling.number for ruling in rulings}) != len(rulings):
        raise ValueError("two rulings have one number")
    return tuple(rulings)


def played_by(game: GameOptions, options: Options) -> tuple[ChosenLine, ...]:
    """T12.1: the rules of a table: its choices and agreements, then every ruling, whether default or changed."""
    rulings = dict(options.rulings)
    agreed = {str(number): wording for number, wording in options.agreed}
    values = {"format": options.format, "starter": options.starter, **rulings}
    lines = [_choice(choice, (agreed if choice.section == "agreement" else values).get(choice.key, ""))
             for choice in game.choices]  # fmt: skip
    return (*lines, *(_ruling(ruling, rulings.get(ruling.number, "")) for ruling in game.rulings))


def _choice(choice: OpeningChoice, answer: str) -> ChosenLine:
    holds = answer or choice.default
    values = tuple(Value(value.word, said(value.told, **value.fields)) for value in choice.values)
    text = next((value.told for value in values if value.word == holds), holds)
    is_known = not holds or any(value.word == holds for value in values)
    enforced = choice.enforced and (is_known or bool(re.fullmatch(choice.also, holds)))
    return ChosenLine(
        choice.section, choice.key, said(choice.title), said(choice.asks), choice.rests_on, holds, text,
        not answer or answer == choice.default, open=not holds, needed=choice.needed, enforced=enforced,
        house=said(choice.house), values=values, suggested=choice.suggested,
    )  # fmt: skip


def _ruling(ruling: Ruling, answer: str) -> ChosenLine:
    where = tuple(part.strip() for part in ruling.where.split(",") if part.strip())
    return ChosenLine(
        "ruling", ruling.number, ruling.trouble, "", where, answer or ruling.told, answer or ruling.told, not answer,
        enforced=not answer,
    )  # fmt: skip


def still_open(lines: Sequence[ChosenLine]) -> tuple[ChosenLine, ...]:
    """A12: the unanswered questions without which a table can't start."""
    return tuple(line for line in lines if line.open and line.needed)
