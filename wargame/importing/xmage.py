"""2.2.1: the card list of the XMage project: `name|set|number|rarity|{cost}|types|power|toughness|text|`."""

import re

from wargame.importing.cards import (
    LETTERS,
    Card,
    Entry,
    Skipped,
    WhyNot,
    checked,
    in_order,
    is_creature,
    one_line,
    split_type_line,
)
from wargame.importing.cards import type_words as words_of_types

PARTS = 8
"""The minimum number of parts of a line; everything behind them is the text."""

SEPARATOR = "|"

_MANA = re.compile(r"\{([^{}]*)\}")
_BY_WORD = {word: letter for letter, word in LETTERS.items()}
_IS_COLORED = re.compile(
    r"(?:^|<br>|\n|\. )(?:{this}|this creature|~|NAME) is (all colors|(?:white|blue|black|red|green)"
    r"(?:(?:, and |, | and )(?:white|blue|black|red|green))*)(?: *[.<\n]|$)"
)


def read_line(line: str) -> Entry:
    """One line of the list. A card without a cost has the colours that its text names."""
    parts = line.rstrip("\r\n").split(SEPARATOR)
    name = one_line(parts[0])
    if len(parts) < PARTS or not name:
        return Skipped(name or line.strip()[:40], WhyNot.BAD_LINE)
    _, printed_in, _, _, cost, type_line, power, toughness, *rest = (part.strip() for part in parts)
    type_names, subtypes = split_type_line(type_line.split(" // ")[0])
    text = SEPARATOR.join(rest).removesuffix(SEPARATOR).replace("<br>", "\n").strip()
    if "Token" in type_names:
        return Skipped(name, WhyNot.TOKEN)
    if not is_creature(type_names):
        return Skipped(name, WhyNot.NO_CREATURE)
    front = name.split(" // ")[0]
    colors = colors_of(cost.split(" // ")[0], text, front, is_artifact="Artifact" in type_names)
    if colors is None:
        return Skipped(front, WhyNot.NO_COLOR if "Land" in type_names else WhyNot.BACK)
    return checked(
        Card(
            name=front,
            colors=colors,
            power=power.split(" // ")[0],
            toughness=toughness.split(" // ")[0],
            types=words_of_types(type_names),
            subtypes=subtypes,
            printed_in=printed_in,
            text=text,
            is_front=" // " in name,
        )
    )


def colors_of(cost: str, text: str, name: str, *, is_artifact: bool) -> str | None:
    """2.2.1: the letters of a card's colours; None if they are unknown.

    `{W/U}`, `{2/W}`, `{W/P}` and `{G/U/P}` have each of their colours. Devoid cards have none.
    """
    if re.search(r"(?:^|\n)Devoid\b", text, re.IGNORECASE):
        return ""
    pattern = _IS_COLORED.pattern.replace("NAME", re.escape(name)).replace("{this}", r"\{this\}")
    if color_match := re.search(pattern, text, re.IGNORECASE):
        phrase = color_match[1].casefold()
        return "".join(LETTERS) if phrase == "all colors" else in_order(_BY_WORD[w] for w in _color_words(phrase))
    symbols = _MANA.findall(cost)
    if not symbols:
        return "" if is_artifact else None
    return in_order(letter for symbol in symbols for letter in symbol.upper().split("/"))


def _color_words(phrase: str) -> list[str]:
    return re.findall("|".join(_BY_WORD), phrase)
