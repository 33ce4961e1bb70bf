"""Kryptik on the board: islands, soul rows and 11 year rows around the effect pile."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext, gettext_noop, pgettext, pgettext_lazy

from judging.tables.board import faces
from judging.tables.board.actions import LineNames
from judging.tables.board.faces import Plain
from judging.tables.board.shapes import Act, Bit, Count, Mark, Row, Stat, Step, Stone, Tile
from judging.tables.board.words import KEYWORDS
from tables.core.lines.forms import STEPS
from tables.core.lists.cards import Card
from tables.games.kryptik.flow import HAND_LIMIT

TURN = "turn"
STRIP = (
    ("disengage", pgettext_lazy("step of a turn", "Disengage"), "4.1"),
    ("draw", pgettext_lazy("step of a turn", "Draw"), "4.2"),
    ("first", pgettext_lazy("step of a turn", "1st phase"), "4.3"),
    ("combat.begin", pgettext_lazy("step of a turn", "Combat begins"), "4.4.1"),
    ("attack", pgettext_lazy("step of a turn", "Attackers"), "4.4.2"),
    ("block", pgettext_lazy("step of a turn", "Blockers"), "4.4.3"),
    ("damage", pgettext_lazy("step of a turn", "Damage"), "4.4.4"),
    ("combat.end", pgettext_lazy("step of a turn", "Combat ends"), "4.4.5"),
    ("second", pgettext_lazy("step of a turn", "2nd phase"), "4.5"),
    ("end", pgettext_lazy("step of a turn", "End of turn"), "4.6"),
)
SHORT = {
    "disengage": pgettext_lazy("step of a turn", "Dis."),
    "combat.begin": pgettext_lazy("step of a turn", "Combat"),
    "combat.end": pgettext_lazy("step of a turn", "Combat end"),
    "first": pgettext_lazy("step of a turn", "1st"),
    "second": pgettext_lazy("step of a turn", "2nd"),
    "end": pgettext_lazy("step of a turn", "End"),
}
STATES = {"engaged": gettext_noop("engaged"), "weary": gettext_noop("weary")}
QUIET = ("disengage", "draw")
"""8.3: nobody has priority there."""
WHAT = {
    "card": gettext_noop("cast by %(name)s"),
    "ability": gettext_noop("ability used by %(name)s"),
    "trigger": gettext_noop("%(name)s’s trigger"),
    "choice": gettext_noop("%(name)s’s 11 year choice"),
}
"""8.4: the kind of an item on the pile, and its owner."""
LAST_CARDS = 2
"""Up to this number, 11 year cards are shown with a warning."""


def strip(at: str) -> tuple[Step, ...]:
    """4: phases and steps, with the current one marked."""
    names = [name for name, _, _ in STRIP]
    now = names.index(at) if at in names else -1
    return tuple(
        Step(
            str(title),
            str(SHORT.get(name, title)),
            "now" if place == now else "past" if place < now else "next",
            cites,
            name="" if name in QUIET else STEPS["kryptik"][name][0],
        )
        for place, (name, title, cites) in enumerate(STRIP)
    )


def tile(shown: Plain, cards: Mapping[str, Card], acts: tuple[Act, ...] = ()) -> Tile:
    """A card that the viewer knows: as printed, and in play in its current state."""
    card = cards.get(shown["card"])
    if card is None:
        return Tile(shown["card"], shown.get("number"), acts=acts, spoken=shown["card"])
    in_play = "controller" in shown
    stats = _stats(card, shown) if card.type == "citizen" else ()
    marks = _marks(shown) if in_play else _still(shown)
    keywords = tuple(shown["keywords"]) if in_play else card.keywords
    beneath = tuple(tile(under, cards) for under in shown.get("beneath", ()) if under)
    if beneath:
        marks = (*marks, Mark("beneath", gettext("%(number)s beneath") % {"number": len(beneath)}))
    return Tile(
        name=card.name,
        number=shown.get("number"),
        type=faces.type_line(card),
        colours=tuple(faces.stone(colour) for colour in card.soul),
        cost=faces.stones(card.cost),
        text=faces.bits(card.text),
        extra=_eleven(card),
        stats=stats,
        marks=marks,
        keywords=keywords,
        reminders=tuple(
            (key.capitalize(), gettext(KEYWORDS[key][0]), KEYWORDS[key][1]) for key in keywords if key in KEYWORDS
        ),
        beneath=beneath,
        acts=acts,
        turned=bool(shown.get("engaged")),
        spoken=faces.spoken(card.name, card.type, stats, *(mark.word for mark in marks)),
    )


def _stats(card: Card, state: Plain) -> tuple[Stat, ...]:
    return (
        faces.stat("attack", gettext("attack"), state.get("attack"), card.attack),
        faces.stat("defense", gettext("defense"), state.get("defense"), card.defense),
    )


def _marks(state: Plain) -> tuple[Mark, ...]:
    marks = [Mark(code, gettext(label)) for code, label in STATES.items() if state[code]]
    if state["damage"]:
        marks.append(Mark("damage", gettext("%(number)s damage") % {"number": state["damage"]}))
    marks += [Mark("counter", f"{number} {kind}") for kind, number in state["counters"].items()]
    if state["controller"] != state["owner"]:
        marks.append(Mark("control", gettext("owned by %(seat)s") % {"seat": state["owner"]}))
    return tuple(marks)


def _still(state: Plain) -> tuple[Mark, ...]:
    return (Mark("engaged", gettext(STATES["engaged"])),) if state.get("engaged") else ()


def _eleven(card: Card) -> tuple[tuple[str, tuple[Bit, ...]], ...]:
    """6.1: the card's offer when it is destroyed in the 11 year row."""
    extras = []
    if card.eleven.cost is not None:
        extras.append((gettext("11 year cost"), faces.bits(f"{{{card.eleven.cost}}}")))
    if card.eleven.ability is not None:
        extras.append(
            (gettext("11 year ability"), faces.bits(card.eleven.ability.text or gettext("as in the card list")))
        )
    return tuple(extras)


def backs(
    zone: Sequence[Any], letter: str, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]]
) -> tuple[Tile, ...]:
    """5.4: a row of cards by their places; a player who has looked at one still knows it (K40)."""
    tiles = []
    for place, state in enumerate(zone, 1):
        place_acts = acts.get(f"11y {place} of {letter}", ())
        one = tile(state, cards, place_acts) if state else Tile(acts=place_acts)
        label = gettext("11 year card %(number)s") % {"number": place}
        tiles.append(replace(one, place=place, spoken=label + (f": {one.name}" if one.name else "")))
    return tuple(tiles)


def counts(zones: Plain, letter: str) -> tuple[Count, ...]:
    """The numbers shown for a player. A player without 11 year cards has yet to place them, or is out: neither needs
    a warning."""
    eleven = len(zones[f"{letter}.eleven"])
    hand = len(zones[f"{letter}.hand"])
    return (
        Count("eleven", gettext("11 year cards"), eleven, 0 < eleven <= LAST_CARDS),
        Count("hand", gettext("Hand"), hand, hand > HAND_LIMIT),
        Count("deck", gettext("Deck"), len(zones[f"{letter}.deck"])),
    )


def numbers(seat: Plain) -> tuple[Count, ...]:
    """Empty: all of a player's numbers follow from their zones."""
    return ()


def more(
    view: Plain, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]], names: LineNames
) -> dict[str, Any]:
    """Nothing beside the sides and the pile."""
    return {}


def energy(seat: Plain) -> tuple[tuple[Stone, int], ...]:
    """8.2.2: the soul pile by colour."""
    return tuple(
        (faces.stone(colour, "◇") if colour == "any" else faces.stone(colour), number)
        for colour, number in seat["energy"].items()
        if number
    )


def rows(zones: Plain, letter: str, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]]) -> tuple[Row, ...]:
    """5: the island first, then the soul row and the 11 year row."""

    def known(kind: str) -> tuple[Tile, ...]:
        return tuple(tile(one, cards, acts.get(f"#{one['number']}", ())) for one in zones[f"{letter}.{kind}"] if one)

    soul = known("soul")
    note = gettext("%(number)s ready") % {"number": sum(1 for one in soul if not one.turned)}
    return (
        Row(f"{letter}.island", gettext("Island"), "tiles", known("island"), gettext("No citizens yet.")),
        Row(f"{letter}.soul", gettext("Soul row"), "chips", soul, gettext("No soul cards yet."), note if soul else ""),
        Row(f"{letter}.eleven", gettext("11 year row"), "backs",
            backs(zones[f"{letter}.eleven"], letter, cards, acts), gettext("No 11 year cards.")),
    )  # fmt: skip


def piles(zones: Plain, letter: str, cards: Mapping[str, Card]) -> tuple[Row, ...]:
    """5.6, 5.7: the used cards, the newest first."""
    titles = (
        ("limbo", gettext("Limbo")),
        ("abolished", pgettext("zone", "Abolished")),
        ("left", gettext("Left the table")),
    )
    pile_rows = []
    for kind, title in titles:
        tiles = tuple(tile(one, cards) for one in reversed(zones.get(f"{letter}.{kind}", [])) if one)
        if tiles or kind == "limbo":
            pile_rows.append(Row(f"{letter}.{kind}", title, "chips", tiles, gettext("Empty.")))
    return tuple(pile_rows)


def what(item: Plain, names: LineNames) -> str:
    """8.4: an item of the pile in words."""
    pattern = WHAT.get(item["what"], "")
    return gettext(pattern) % {"name": names.seats.get(item["by"], item["by"])} if pattern else ""


def badges(view: Plain, letter: str) -> tuple[str, ...]:
    """Empty: nothing is shown of a player but whose turn it is."""
    return ()


def note(view: Plain, zone: str) -> str:
    """Empty: its rows have their notes already."""
    return ""
