"""T11.1, T11.7: what people do with cards by hand, as choices of forms: cards, zones, dice, counters."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from judging.tables.board.acts import Names
from judging.tables.board.faces import Plain
from judging.tables.board.shapes import Act, Choices, Field, Groups, HandForm, Hands

ZONES: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType({
    "kryptik": (
        ("island", "the island"), ("hand", "its owner’s hand"), ("deck", "the top of the deck"),
        ("bottom", "the bottom of the deck"), ("limbo", "the limbo pile"), ("abolished", "the abolished zone"),
        ("soul", "the soul row"),
    ),
    "seize": (
        ("warchest", "the Warchest"), ("hand", "its owner’s hand"), ("deck", "the top of the deck"),
        ("bottom", "the bottom of the deck"), ("discard", "the discard pile"),
    ),
    "altered": (
        ("hand", "its owner’s hand"), ("reserve", "the Reserve"), ("mana", "the Mana zone"),
        ("deck", "the top of the deck"), ("bottom", "the bottom of the deck"), ("discard", "the discard pile"),
        ("landmark", "the landmarks"),
    ),
    "free": (
        ("table", "the table"), ("hand", "the hand"), ("discard", "the discard pile"), ("deck", "the top of the deck"),
        ("bottom", "the bottom of the deck"),
    ),
})  # fmt: skip
"""Where a card may go by agreement, by game: the word of a line, and what it is called."""
SHUFFLED: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "free": (("deck", "the deck"), ("discard", "the discard pile"), ("hand", "the hand")),
    }
)
DICE = (("6", "of 6 sides"), ("2", "of 2 sides: a coin")) + tuple(
    (str(sides), f"of {sides} sides") for sides in (4, 8, 10, 12, 20, 100)
)
ENGAGING = (("turn", "Turn it (engage)"), ("back", "Turn it back (disengage)"))
MANY = Field("n", "How many", "number")
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "hand": "hand",
        "table": "on the table",
        "eleven": "11 year row",
        "warchest": "Warchest",
        "herozone": "Hero",
    }
)


def hands_of(view: Plain, names: Names) -> Hands | None:
    """T11.7: what the forms of a table have to choose from, for one who sits at it while it is played."""
    me, zones, game = view["viewer"], view["zones"], view["game"]
    if me not in names.seats or view["result"] is not None:
        return None
    mine: list[tuple[str, str]] = [(f"={name}", name) for name in _held(zones, me)]
    groups: list[tuple[str, Choices]] = [("Your hand", tuple(mine))] if mine else []
    if game == "free":
        groups.append(("Your deck", (("top", "the top card, unseen"),)))
    things = _numbered(view, names)
    free = game == "free"
    seats = tuple((letter, "Yourself" if letter == me else names.seats[letter]) for letter in _after(me, names))
    who = Field("who", "Who", choices=seats)
    held = (("", "All of the hand"), *mine)
    word = Field("word", "Of which kind", "text", hint="life")
    said = Field("sentences", "Sentences, with a semicolon between them", "text", hint="A draws 1; B discards 1")
    shuffled = SHUFFLED.get(game, (("deck", "the deck"),))
    forms = (
        HandForm("draw", "Draw", (MANY, who), free),
        HandForm("move", "Move a card", (
            Field("card", "Which card", groups=(*groups, *things)), Field("to", "Where to", choices=ZONES[game]),
        ), free),
        HandForm("turn", "Turn a card", (
            Field("card", "Which card", groups=things), Field("turn", "How", choices=ENGAGING),
        ), free),
        HandForm("count", "Counters and numbers", (
            Field("card", "On what", choices=seats if free else (), groups=things), word, MANY,
        ), free),
        HandForm("shuffle", "Shuffle", (Field("zone", "What", choices=shuffled), who), free),
        HandForm("roll", "Roll a die", (Field("sides", "Which die", choices=DICE), who), free),
        HandForm("show", "Show cards", (Field("card", "Which", choices=held),), free),
        HandForm("look", "Look at the top of the deck", (MANY, who), free),
        HandForm("discard", "Somebody discards", (MANY, who), at_once=False),
        HandForm("win", "Somebody has won", (who,), at_once=False),
        HandForm("said", "Several things at once", (said,), free),
    )  # fmt: skip
    return Hands(forms, free)


def _after(me: str, names: Names) -> list[str]:
    return [me, *(letter for letter in names.seats if letter != me)]


def _held(zones: Plain, me: str) -> list[str]:
    known = [one["card"] for name in ("hand", "deck") for one in zones.get(f"{me}.{name}", ()) if one]
    return sorted(dict.fromkeys(known))


def _numbered(view: Plain, names: Names) -> Groups:
    """Cards that everybody may name, by their zone, the viewer's own first."""
    found: dict[str, Choices] = {}
    me = view["viewer"]
    for zone in sorted(view["zones"], key=lambda zone: not zone.startswith(f"{me}.")):
        letter, _, kind = zone.rpartition(".")
        whose = "Your" if letter == me else f"{names.seats[letter]}’s" if letter in names.seats else "All"
        listed = tuple(
            (f"#{one['number']}", names.thing(one["number"]))
            for one in view["zones"][zone] if one and one.get("number")
        )  # fmt: skip
        if listed:
            found[f"{whose}: {WORDS.get(kind, kind)}"] = listed
    return tuple(found.items())


def own_acts(view: Plain) -> dict[str, tuple[Act, ...]]:
    """T11.7: at a free table, what a player may do with each of his own cards, by its number or its name."""
    me, zones = view["viewer"], view["zones"]
    if view["game"] != "free" or view["result"] is not None or f"{me}.hand" not in zones:
        return {}
    found: dict[str, tuple[Act, ...]] = {}
    for name in _held({f"{me}.hand": zones[f"{me}.hand"]}, me):
        ways = (("To the table", f"puts {name} to table"), ("Discard it", f"puts {name} to discard"),
                ("Under the deck", f"puts {name} to bottom"), ("Show it", f"reveals {name}"))  # fmt: skip
        found[name] = tuple(_act(f"{me} {line}", label, name) for label, line in ways)
    for zone in ("table", "discard"):
        for one in zones[f"{me}.{zone}"]:
            if one and one["owner"] == me:
                found[f"#{one['number']}"] = _of_thing(one, zone)
    return found


def _of_thing(one: Plain, zone: str) -> tuple[Act, ...]:
    thing, turned = f"#{one['number']}", one.get("engaged")
    ways = [("To the hand", f"{thing} to hand"), ("Under the deck", f"{thing} to bottom")]
    if zone == "table":
        turn = ("Turn it back", f"{thing} disengages") if turned else ("Turn it", f"{thing} engages")
        ways = [turn, ("To the discard pile", f"{thing} to discard"), *ways]
    else:
        ways = [("To the table", f"{thing} to table"), *ways]
    return tuple(_act(line, label, thing) for label, line in ways)


def _act(sentence: str, label: str, actor: str) -> Act:
    return Act(f"do: {sentence}", label, "do", actor, label)
