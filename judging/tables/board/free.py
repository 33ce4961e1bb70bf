"""The free table on the board: zones and cards of any game."""

from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext, gettext_noop, pgettext

from judging.tables.board import faces
from judging.tables.board.actions import LineNames
from judging.tables.board.faces import Plain
from judging.tables.board.shapes import Act, Count, Mark, Row, Step, Stone, Tile
from tables.core.lists.cards import Card

TURN = "turn"
STATES = {"engaged": gettext_noop("engaged"), "weary": gettext_noop("weary")}


def strip(at: str) -> tuple[Step, ...]:
    """Empty: a free table has no phases."""
    return ()


def tile(shown: Plain, cards: Mapping[str, Card], acts: tuple[Act, ...] = ()) -> Tile:
    card = cards.get(shown["card"])
    mark_list = [Mark(code, gettext(label)) for code, label in STATES.items() if shown.get(code)]
    if shown.get("damage"):
        mark_list.append(Mark("damage", gettext("%(number)s damage") % {"number": shown["damage"]}))
    mark_list += [Mark("counter", f"{number} {kind}") for kind, number in shown.get("counters", {}).items()]
    marks = tuple(mark_list)
    return Tile(
        name=shown["card"],
        number=shown.get("number"),
        type=faces.type_line(card) if card is not None else "",
        text=faces.bits(card.text if card is not None else ""),
        marks=marks,
        acts=acts,
        turned=bool(shown.get("engaged")),
        spoken=faces.spoken(shown["card"], "", (), *(mark.word for mark in marks)),
    )


def counts(zones: Plain, letter: str) -> tuple[Count, ...]:
    return (
        Count("hand", gettext("Hand"), len(zones[f"{letter}.hand"])),
        Count("deck", gettext("Deck"), len(zones[f"{letter}.deck"])),
    )


def numbers(seat: Plain) -> tuple[Count, ...]:
    """1: further numbers that the players agreed on."""
    return tuple(Count(name, name.capitalize(), number) for name, number in seat.get("numbers", {}).items())


def energy(seat: Plain) -> tuple[tuple[Stone, int], ...]:
    """Empty: nothing is paid here."""
    return ()


def badges(view: Plain, letter: str) -> tuple[str, ...]:
    """Empty: nothing is shown of a player but whose turn it is."""
    return ()


def note(view: Plain, zone: str) -> str:
    """Empty: its rows have no notes."""
    return ""


def rows(zones: Plain, letter: str, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]]) -> tuple[Row, ...]:
    """T5: the cards on the table."""
    tiles = tuple(tile(one, cards, acts.get(f"#{one['number']}", ())) for one in zones[f"{letter}.table"] if one)
    return (Row(f"{letter}.table", gettext("On the table"), "tiles", tiles, gettext("No cards here yet.")),)


def piles(zones: Plain, letter: str, cards: Mapping[str, Card]) -> tuple[Row, ...]:
    """T5: the discard pile, the newest first."""
    tiles = tuple(tile(one, cards) for one in reversed(zones[f"{letter}.discard"]) if one)
    return (Row(f"{letter}.discard", pgettext("zone", "Discard"), "chips", tiles, gettext("Empty.")),)


def what(item: Plain, names: LineNames) -> str:
    """The item as it was put there."""
    return gettext("%(name)s’s %(what)s") % {"what": item["what"], "name": names.seats.get(item["by"], item["by"])}


def more(
    view: Plain, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]], names: LineNames
) -> dict[str, Any]:
    """Nothing beside the sides."""
    middle = gettext("The middle of the table")
    return {"pile_title": middle, "middle": middle, "nothing": gettext("The middle is empty.")}
