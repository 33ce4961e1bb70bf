"""T11.1, T11.7: acts with cards by hand, as choices of forms: cards, zones, dice, counters."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from django.utils.translation import gettext, gettext_noop, pgettext

from judging.tables.board.actions import LineNames
from judging.tables.board.faces import Plain
from judging.tables.board.shapes import Act, Choices, Field, Groups, HandForm, Hands
from tables.core.lines.actions import Action
from tables.core.lines.writing import write

ZONES: Mapping[str, tuple[tuple[str, str], ...]] = MappingProxyType(
    {
        "kryptik": (
            ("island", gettext_noop("the island")),
            ("hand", gettext_noop("its owner’s hand")),
            ("deck", gettext_noop("the top of the deck")),
            ("bottom", gettext_noop("the bottom of the deck")),
            ("limbo", gettext_noop("the limbo pile")),
            ("abolished", gettext_noop("the abolished zone")),
            ("soul", gettext_noop("the soul row")),
        ),
        "seize": (
            ("warchest", gettext_noop("the Warchest")),
            ("hand", gettext_noop("its owner’s hand")),
            ("deck", gettext_noop("the top of the deck")),
            ("bottom", gettext_noop("the bottom of the deck")),
            ("discard", gettext_noop("the discard pile")),
        ),
        "altered": (
            ("hand", gettext_noop("its owner’s hand")),
            ("reserve", gettext_noop("the Reserve")),
            ("mana", gettext_noop("the Mana zone")),
            ("deck", gettext_noop("the top of the deck")),
            ("bottom", gettext_noop("the bottom of the deck")),
            ("discard", gettext_noop("the discard pile")),
            ("landmark", gettext_noop("the landmarks")),
        ),
        "free": (
            ("table", gettext_noop("the table")),
            ("hand", gettext_noop("the hand")),
            ("discard", gettext_noop("the discard pile")),
            ("deck", gettext_noop("the top of the deck")),
            ("bottom", gettext_noop("the bottom of the deck")),
        ),
    }
)
"""Target zones by agreement, by game: the word of a line, and its label."""
DECK = (("deck", gettext_noop("the deck")),)
SHUFFLED: Mapping[str, Choices] = MappingProxyType(
    {"free": (*DECK, ("discard", gettext_noop("the discard pile")), ("hand", gettext_noop("the hand")))}
)
DICE = (6, 2, 4, 8, 10, 12, 20, 100)
ENGAGING = (("turn", gettext_noop("Turn it (engage)")), ("back", gettext_noop("Turn it back (disengage)")))
WORDS: Mapping[str, str] = MappingProxyType(
    {
        "hand": gettext_noop("hand"),
        "table": gettext_noop("on the table"),
        "eleven": gettext_noop("11 year row"),
        "warchest": gettext_noop("Warchest"),
        "herozone": gettext_noop("Hero"),
    }
)


def hands_of(view: Plain, names: LineNames) -> Hands | None:
    """T11.7: the choices in a table's forms, for a player while the game is running."""
    me, zones, game = view["viewer"], view["zones"], view["game"]
    if me not in names.seats or view["result"] is not None:
        return None
    own_cards: list[tuple[str, str]] = [(f"={name}", name) for name in _cards_in_hand_and_deck(zones, me)]
    groups: list[tuple[str, Choices]] = [(gettext("Your hand"), tuple(own_cards))] if own_cards else []
    if game == "free":
        groups.append((gettext("Your deck"), (("top", gettext("the top card, unseen")),)))
    things = _numbered(view, names)
    free = game == "free"
    seats = tuple(
        (letter, gettext("Yourself") if letter == me else names.seats[letter]) for letter in _after(me, names)
    )
    player = Field("who", gettext("Who"), choices=seats)
    card_choices = (("", gettext("The whole hand")), *own_cards)
    kind = Field("word", gettext("Kind"), "text", hint="life")
    sentences = Field(
        "sentences",
        gettext("Sentences, separated by semicolons"),
        "text",
        hint="A draws 1; B discards 1",
    )
    shuffled = _worded(SHUFFLED.get(game, DECK))
    many = Field("n", gettext("How many"), "number")
    dice = tuple((str(sides), _die(sides)) for sides in DICE)
    forms = (
        HandForm("draw", pgettext("of cards", "Draw"), (many, player), free),
        HandForm("move", gettext("Move a card"), (
            Field("card", gettext("Which card"), groups=(*groups, *things)),
            Field("to", gettext("Where to"), choices=_worded(ZONES[game])),
        ), free),
        HandForm("turn", gettext("Turn a card"), (
            Field("card", gettext("Which card"), groups=things),
            Field("turn", gettext("How"), choices=_worded(ENGAGING)),
        ), free),
        HandForm("count", gettext("Counters and numbers"), (
            Field("card", gettext("On"), choices=seats if free else (), groups=things), kind, many,
        ), free),
        HandForm("shuffle", gettext("Shuffle"), (Field("zone", gettext("What"), choices=shuffled), player), free),
        HandForm("roll", gettext("Roll a die"), (Field("sides", gettext("Which die"), choices=dice), player), free),
        HandForm("show", gettext("Show cards"), (Field("card", gettext("Which"), choices=card_choices),), free),
        HandForm("look", gettext("Look at the top of the deck"), (many, player), free),
        HandForm("discard", gettext("A player discards"), (many, player), at_once=False),
        HandForm("win", gettext("A player has won"), (player,), at_once=False),
        HandForm("said", gettext("Several things at once"), (sentences,), free),
    )  # fmt: skip
    return Hands(forms, free)


def _worded(choices: Choices) -> Choices:
    return tuple((key, gettext(label)) for key, label in choices)


def _die(sides: int) -> str:
    return gettext("2 sides (a coin)") if sides == 2 else gettext("%(number)s sides") % {"number": sides}


def _after(me: str, names: LineNames) -> list[str]:
    return [me, *(letter for letter in names.seats if letter != me)]


def _cards_in_hand_and_deck(zones: Plain, me: str) -> list[str]:
    names = [one["card"] for name in ("hand", "deck") for one in zones.get(f"{me}.{name}", ()) if one]
    return sorted(dict.fromkeys(names))


def _numbered(view: Plain, names: LineNames) -> Groups:
    """Cards that everybody may name, by their zone, the viewer's own first."""
    groups: dict[str, Choices] = {}
    me = view["viewer"]
    for zone in sorted(view["zones"], key=lambda zone: not zone.startswith(f"{me}.")):
        letter, _, kind = zone.rpartition(".")
        owner = gettext("Yours") if letter == me else gettext("All")
        if letter != me and letter in names.seats:
            owner = gettext("%(name)s’s") % {"name": names.seats[letter]}
        choices = tuple(
            (f"#{one['number']}", names.thing(one["number"]))
            for one in view["zones"][zone] if one and one.get("number")
        )  # fmt: skip
        if choices:
            groups[f"{owner}: {gettext(WORDS[kind]) if kind in WORDS else kind}"] = choices
    return tuple(groups.items())


def own_acts(view: Plain) -> dict[str, tuple[Act, ...]]:
    """T11.7: at a free table, a player's possible acts with each of their own cards, by its number or its name."""
    me, zones = view["viewer"], view["zones"]
    if view["game"] != "free" or view["result"] is not None or f"{me}.hand" not in zones:
        return {}
    acts: dict[str, tuple[Act, ...]] = {}
    for name in _cards_in_hand_and_deck({f"{me}.hand": zones[f"{me}.hand"]}, me):
        puts = Action("puts", to=me, card=name)
        ways = (
            (gettext("To the table"), replace(puts, origin="table")),
            (gettext("Discard it"), replace(puts, origin="discard")),
            (gettext("Under the deck"), replace(puts, do="bottom")),
            (gettext("Show it"), Action("reveals", to=me, card=name)),
        )
        acts[name] = tuple(_act(change, label, name) for label, change in ways)
    for zone in ("table", "discard"):
        for one in zones[f"{me}.{zone}"]:
            if one and one["owner"] == me:
                acts[f"#{one['number']}"] = _of_thing(one, zone)
    return acts


def _of_thing(one: Plain, zone: str) -> tuple[Act, ...]:
    moves, turned = Action("moves", thing=one["number"]), one.get("engaged")
    ways = [
        (gettext("To the hand"), replace(moves, origin="hand")),
        (gettext("Under the deck"), replace(moves, kind="bottom")),
    ]
    if zone == "table":
        turn = gettext("Turn it back") if turned else gettext("Turn it")
        ways = [
            (turn, replace(moves, kind="disengages" if turned else "engages")),
            (gettext("To the discard pile"), replace(moves, origin="discard")),
            *ways,
        ]
    else:
        ways = [(gettext("To the table"), replace(moves, origin="table")), *ways]
    return tuple(_act(change, label, f"#{one['number']}") for label, change in ways)


def _act(change: Action, label: str, actor: str) -> Act:
    action = Action("do", changes=(change,))
    return Act(write(action, "free"), action, label, "do", actor, label)
