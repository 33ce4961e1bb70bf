"""T12.1: what a table plays by, as data for one page: choices with their defaults, agreements, rulings by number.

A game says it in its `options.py`. `played_by` joins it with what one table has chosen; nothing here decides anything.
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
    """One answer to a choice: the word that is kept, and what it means in a sentence, over `fields`."""

    word: str
    told: str
    fields: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class OpeningChoice:
    """Something that a table chooses before it starts. `default` holds where it says nothing; empty: it is open.

    `house`: where the wordings are suggestions of ours and not the document's, the sentence that says so. `enforced`:
    whether the service carries the values out by itself; `also` is a pattern of further answers that it carries out.
    Whatever else is agreed on the players see to.
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
    """One ruling of ours on a document: its number, the places that leave it open, the trouble, what holds."""

    number: str
    where: str
    trouble: str
    told: str


@dataclass(frozen=True, slots=True)
class GameOptions:
    """All that a game lets its tables choose, and all rulings that hold where they choose nothing."""

    game: str
    choices: tuple[OpeningChoice, ...]
    rulings: tuple[Ruling, ...]


@dataclass(frozen=True, slots=True)
class ChosenLine:
    """One line of the page: what it is about, what holds at this table, and whether that is the default.

    `holds` is the word or wording, `told` the sentence for it. `open`: nothing holds yet. `values` are the answers
    that are offered; none for a ruling, which is changed in words.
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
    """T12.5: which of a game's formats a table plays, as `lists.formats` has them."""
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
    """Rulings from a text: each begins with `K1 | where | trouble | what holds`; further lines of it are joined.

    Raises ValueError for one that has not four parts, or a number that stands twice.
    """
    rows: list[str] = []
    for line in text.strip().splitlines():
        if _STARTS.match(line):
            rows.append(line)
        elif rows:
            rows[-1] += " " + line.strip()
    found = []
    for row in rows:
        parts = [part.strip() for part in row.split(" | ")]
        if len(parts) != 4:
            raise ValueError(f"a ruling has four parts: {row}")
        found.append(Ruling(*parts))
    if len({ruling.number for ruling in found}) != len(found):
        raise ValueError("two rulings have one number")
    return tuple(found)


def played_by(game: GameOptions, options: Options) -> tuple[ChosenLine, ...]:
    """T12.1: what a table plays by: its choices and agreements, then every ruling, as it stands or differs."""
    chosen = dict(options.rulings)
    agreed = {str(number): wording for number, wording in options.agreed}
    held = {"format": options.format, "starter": options.starter, **chosen}
    lines = [_choice(choice, (agreed if choice.section == "agreement" else held).get(choice.key, ""))
             for choice in game.choices]  # fmt: skip
    return (*lines, *(_ruling(ruling, chosen.get(ruling.number, "")) for ruling in game.rulings))


def _choice(choice: OpeningChoice, held: str) -> ChosenLine:
    holds = held or choice.default
    values = tuple(Value(value.word, said(value.told, **value.fields)) for value in choice.values)
    told = next((value.told for value in values if value.word == holds), holds)
    known = not holds or any(value.word == holds for value in values)
    enforced = choice.enforced and (known or bool(re.fullmatch(choice.also, holds)))
    return ChosenLine(
        choice.section, choice.key, said(choice.title), said(choice.asks), choice.rests_on, holds, told,
        not held or held == choice.default, open=not holds, needed=choice.needed, enforced=enforced,
        house=said(choice.house), values=values, suggested=choice.suggested,
    )  # fmt: skip


def _ruling(ruling: Ruling, held: str) -> ChosenLine:
    where = tuple(part.strip() for part in ruling.where.split(",") if part.strip())
    return ChosenLine(
        "ruling", ruling.number, ruling.trouble, "", where, held or ruling.told, held or ruling.told, not held,
        enforced=not held,
    )  # fmt: skip


def still_open(lines: Sequence[ChosenLine]) -> tuple[ChosenLine, ...]:
    """A12: what must be answered before a table can start, and isn't."""
    return tuple(line for line in lines if line.open and line.needed)
