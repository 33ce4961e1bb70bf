"""Altered on the board: the adventure as a line of regions, expeditions with their sums, Mana Orbs, Reserve."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext, pgettext_lazy

from judging.tables.board import faces
from judging.tables.board.actions import LineNames, is_from
from judging.tables.board.faces import Plain
from judging.tables.board.shapes import (
    Act,
    Adventure,
    Bit,
    Count,
    Item,
    Mark,
    Marker,
    Region,
    Row,
    Step,
    Stone,
    Tile,
)
from tables.core.lists.cards import Card

TURN = "day"
STRIP = (
    (
        "morning",
        pgettext_lazy("step of a turn", "Morning"),
        pgettext_lazy("step of a turn", "Morn."),
        "1.3.2.b",
        gettext_lazy("Ready your cards and draw two."),
    ),
    (
        "expand",
        pgettext_lazy("step of a turn", "Expand"),
        pgettext_lazy("step of a turn", "Exp."),
        "1.3.2.b",
        gettext_lazy("You can put one card into the Mana zone."),
    ),
    (
        "noon",
        pgettext_lazy("step of a turn", "Noon"),
        pgettext_lazy("step of a turn", "Noon"),
        "1.3.2.c",
        gettext_lazy("Reactions “At Noon”."),
    ),
    (
        "afternoon",
        pgettext_lazy("step of a turn", "Afternoon"),
        pgettext_lazy("step of a turn", "Aft."),
        "1.3.2.d",
        gettext_lazy("Players alternate: quick actions, then play a card or pass."),
    ),
    (
        "dusk",
        pgettext_lazy("step of a turn", "Dusk"),
        pgettext_lazy("step of a turn", "Dusk"),
        "1.3.2.e",
        gettext_lazy("Compare sums. Expeditions move as agreed."),
    ),
    (
        "night",
        pgettext_lazy("step of a turn", "Night"),
        pgettext_lazy("step of a turn", "Night"),
        "4.2.5",
        gettext_lazy("Characters rest. Reserve and landmarks drop to their limits."),
    ),
)
STATISTICS = (gettext_noop("forest"), gettext_noop("mountain"), gettext_noop("water"))
EXPEDITIONS = (("hero", gettext_noop("Hero expedition")), ("companion", gettext_noop("Companion expedition")))
PLANS = {
    "hero": gettext_noop("%(name)s to the hero expedition"),
    "companion": gettext_noop("%(name)s to the companion expedition"),
}
REGIONS = 8
LIMITS = {"reserve": gettext_noop("Reserve limit"), "landmark": gettext_noop("Landmark limit")}
"""A25: the zones with a limit, and the heading of the question above it."""
WHAT = {"card": gettext_noop("%(name)s’s card"), "ability": gettext_noop("%(name)s’s ability")}
"""A8: the item that is being played, and its player."""
IN_ORDER = ("mana", "keep", "sacrifice", "resupply", "discard", "choose", "react", "may", "pay")
"""1.4.5: the decisions that both players may have to make, one after the other."""
LOW_DECK = 3


def strip(at: str) -> tuple[Step, ...]:
    """1.3.2: the phases of the day, with the current one marked."""
    names = [name for name, *_ in STRIP]
    now = names.index(at) if at in names else -1
    return tuple(
        Step(
            str(title),
            str(short),
            "now" if place == now else "past" if place < now else "next",
            cites,
            str(allows),
        )
        for place, (_, title, short, cites, allows) in enumerate(STRIP)
    )


def statistic(place: int) -> str:
    """A21: a statistic by its place from 1."""
    if 1 <= place <= len(STATISTICS):
        return gettext(STATISTICS[place - 1])
    return gettext("statistic %(number)s") % {"number": place}


def tile(shown: Plain, cards: Mapping[str, Card], acts: tuple[Act, ...] = ()) -> Tile:
    """A card that the viewer knows, or a face-down Orb or Tumult."""
    card, number = cards.get(shown.get("card", "")), shown.get("number")
    marks = _marks(shown)
    turned = "exhausted" in shown.get("statuses", ())
    if card is None:
        name = shown.get("card", "")
        text = faces.spoken(name or gettext("face down"), "", (), *(mark.word for mark in marks))
        return Tile(name, number, marks=marks, acts=acts, turned=turned, spoken=text)
    now: Sequence[int] = shown.get("stats", card.stats)
    stats = tuple(
        faces.stat(f"s{place}", statistic(place), now[place - 1] if place <= len(now) else printed, printed)
        for place, printed in enumerate(card.stats, 1)
    )
    return Tile(
        name=card.name,
        number=number,
        type=faces.type_line(card),
        colours=_faction(card, cards),
        cost=_cost(card),
        text=faces.bits(card.text),
        extra=_costs(card),
        stats=stats,
        marks=marks,
        keywords=card.keywords,
        acts=acts,
        turned=turned,
        spoken=faces.spoken(card.name, card.type, stats, *(mark.word for mark in marks)),
    )


def _faction(card: Card, cards: Mapping[str, Card]) -> tuple[Stone, ...]:
    factions = sorted({one.faction for one in cards.values() if one.faction})
    if card.faction not in factions:
        return ()
    return (Stone(f"c{factions.index(card.faction) % 5}", card.faction[:2], card.faction),)


def _cost(card: Card) -> tuple[Stone, ...]:
    if card.type in ("hero", "tumult"):
        return ()
    return (Stone("any", str(card.hand_cost), gettext("%(number)s mana from the hand") % {"number": card.hand_cost}),)


def _costs(card: Card) -> tuple[tuple[str, tuple[Bit, ...]], ...]:
    if card.type in ("hero", "tumult"):
        return tuple((gettext(LIMITS[kind]), (Bit(str(number)),)) for kind, number in card.limits)
    reserve = gettext("can't be played from there") if card.reserve_cost is None else _mana(card.reserve_cost)
    return (
        (gettext("From the hand"), (Bit(_mana(card.hand_cost)),)),
        (gettext("From the Reserve"), (Bit(reserve),)),
    )


def _mana(number: int) -> str:
    return gettext("%(number)s mana") % {"number": number}


def _marks(card: Plain) -> tuple[Mark, ...]:
    looks = {"exhausted": "engaged", "boosted": "", "turned": ""}
    marks = [
        Mark(looks.get(status, "weary"), status) for status in card.get("statuses", ()) if looks.get(status, "weary")
    ]
    marks += [Mark("counter", f"{number} {kind}") for kind, number in card.get("counters", {}).items() if number]
    return tuple(marks)


def counts(zones: Plain, letter: str) -> tuple[Count, ...]:
    orbs = [one for one in zones[f"{letter}.mana"] if one]
    ready = sum(1 for one in orbs if "exhausted" not in one.get("statuses", ()))
    deck = len(zones[f"{letter}.deck"])
    return (
        Count("orbs", gettext("Ready Orbs (of %(number)s)") % {"number": len(orbs)}, ready),
        Count("hand", gettext("Hand"), len(zones[f"{letter}.hand"])),
        Count("deck", gettext("Deck"), deck, deck <= LOW_DECK),
    )


def numbers(seat: Plain) -> tuple[Count, ...]:
    """Empty: regions are shown on the line."""
    return ()


def energy(seat: Plain) -> tuple[tuple[Stone, int], ...]:
    """Empty: mana is not kept."""
    return ()


def badges(view: Plain, letter: str) -> tuple[str, ...]:
    """1.3.2.b, 1.3.2.d: the first player, and who has passed today."""
    first = (gettext("First player"),) if view.get("first") == letter else ()
    return (*first, *((gettext("Passed"),) if letter in view.get("passed", ()) else ()))


def rows(zones: Plain, letter: str, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]]) -> tuple[Row, ...]:
    """3.2: both expeditions, then Hero, landmarks, Reserve and Mana Orbs."""

    def known(kind: str) -> tuple[Tile, ...]:
        return tuple(tile(one, cards, acts.get(f"#{one.get('number')}", ()))
                     for one in zones.get(f"{letter}.{kind}", ()) if one)  # fmt: skip

    result = [
        Row(f"{letter}.{kind}", gettext(title), "tiles", known(kind), gettext("No one is here."))
        for kind, title in EXPEDITIONS
    ]
    result.append(Row(f"{letter}.herozone", gettext("Hero"), "chips", known("herozone"), gettext("No Hero.")))
    result.append(Row(f"{letter}.landmark", gettext("Landmarks"), "chips", known("landmark"), gettext("None.")))
    reserve = tuple(
        tile(one, cards, tuple(act for act in acts.get(one["card"], ()) if is_from(act, "reserve")))
        for one in zones[f"{letter}.reserve"] if one
    )  # fmt: skip
    result.append(Row(f"{letter}.reserve", gettext("Reserve"), "chips", reserve, gettext("Empty.")))
    orbs = known("mana")
    look = "chips" if any(orb.known for orb in orbs) else "orbs"
    result.append(Row(f"{letter}.mana", gettext("Mana Orbs"), look, orbs, gettext("No Orbs yet.")))
    return tuple(result)


def piles(zones: Plain, letter: str, cards: Mapping[str, Card]) -> tuple[Row, ...]:
    """3.2: the discard pile, the newest first."""
    tiles = tuple(tile(one, cards) for one in reversed(zones.get(f"{letter}.discard", [])) if one)
    return (Row(f"{letter}.discard", pgettext("zone", "Discard"), "chips", tiles, gettext("Empty.")),)


def what(item: Plain, names: LineNames) -> str:
    """A8: the item that is being played."""
    pattern = WHAT.get(item["what"], "")
    return gettext(pattern) % {"name": names.seats.get(item["by"], item["by"])} if pattern else ""


def more(
    view: Plain, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]], names: LineNames
) -> dict[str, Any]:
    """3.1: the line of regions; reactions in place of a pile; the agreements."""
    reactions = tuple(
        Item(one["card"], _reaction(one, names), names.seats.get(one["by"], ""),
             faces.bits(cards[one["card"]].text if one["card"] in cards else ""), at == 0)
        for at, one in enumerate(view.get("reactions", ()))
    )  # fmt: skip
    fields: dict[str, Any] = {
        "order": order(view, names),
        "plans": plans(view, cards),
        "adventure": adventure(view, cards, names),
        "pile_title": gettext("Waiting reactions") if reactions else gettext("Being played"),
        "middle": gettext("Adventure and reactions"),
        "agreed": tuple((f"agreed {number}", value) for number, value in view.get("agreed", {}).items() if value),
    }
    if reactions:
        fields["pile"] = reactions
    return fields


def order(view: Plain, names: LineNames) -> str:
    """1.4.5: the order of decisions: in the Afternoon from the player whose turn it is, else from the first player."""
    waits, turn = view["waits"], view["turn"]
    if waits is None or waits["kind"] not in IN_ORDER or turn["at"] == "setup":
        return ""
    first = turn["of"] if turn["at"] == "afternoon" else view.get("first", "")
    rest = [letter for letter in names.seats if letter != first]
    return gettext(", then ").join(names.seats.get(letter, letter) for letter in (first, *rest)) if first else ""


def plans(view: Plain, cards: Mapping[str, Card]) -> tuple[tuple[str, str], ...]:
    """T10: cards that a player may plan to play in their next turns: from their hand, and from their Reserve where
    the cards have a cost there. Lines with targets they write themselves."""
    viewer, zones = view["viewer"], view["zones"]
    options: dict[str, str] = {}
    for kind, source, label in (("hand", "", "%(act)s"), ("reserve", " from reserve", gettext("%(act)s from reserve"))):
        for one in zones.get(f"{viewer}.{kind}", ()):
            card = cards.get((one or {}).get("card", ""))
            if card is None or card.type in ("hero", "tumult") or (source and card.reserve_cost is None):
                continue
            if card.type == "character":
                for to, _ in EXPEDITIONS:
                    act = gettext(PLANS[to]) % {"name": card.name}
                    options[f"play {card.name} to {to}{source}"] = label % {"act": act}
            elif card.type == "landmark" or not any(ability.targets for ability in card.abilities):
                options[f"play {card.name}{source}"] = label % {"act": card.name}
    return tuple(options.items())


def _reaction(one: Plain, names: LineNames) -> str:
    fields = {"name": names.seats.get(one["by"], one["by"]), "giver": one.get("from")}
    if one.get("from"):
        return gettext("%(name)s’s reaction, given by %(giver)s") % fields
    return gettext("%(name)s’s reaction") % fields


def note(view: Plain, zone: str) -> str:
    """1.3.2.e, 4.2.5: an expedition's sums and what it lacks to move; the limits of Reserve and landmarks."""
    letter, _, kind = zone.rpartition(".")
    limit = view.get("limits", {}).get(letter, {}).get(kind)
    if limit is not None:
        return gettext("limit %(number)s") % {"number": limit}
    expedition = view.get("expeditions", {}).get(letter, {}).get(kind)
    if expedition is None:
        return ""
    sums = ", ".join(f"{statistic(place)} {number}" for place, number in enumerate(expedition["sums"], 1))
    lacks = [f"{number} {statistic(int(place))}" for place, number in expedition["lacks"].items() if number]
    moves = any(not number for number in expedition["lacks"].values())
    if moves:
        ahead = gettext("ahead")
    elif lacks:
        ahead = gettext("lacks %(what)s") % {"what": gettext(" or ").join(lacks)}
    else:
        ahead = gettext("the next region shows nothing")
    region = gettext("region %(number)s") % {"number": expedition["region"]}
    return f"{region} · {sums} · {ahead}"


def adventure(view: Plain, cards: Mapping[str, Card], names: LineNames) -> Adventure:
    """3.1, 4.1: eight regions: the Hero Region, the halves of three Tumults, the Companion Region."""
    tumults = view["zones"].get("adventure", ())
    regions = []
    for place in range(1, REGIONS + 1):
        markers = tuple(
            Marker(letter, names.seats.get(letter, letter), kind, letter == view["viewer"])
            for letter, both in view.get("expeditions", {}).items()
            for kind, one in both.items() if one["region"] == place
        )  # fmt: skip
        if place in (1, REGIONS):
            regions.append(
                Region(place, gettext("Hero Region") if place == 1 else gettext("Companion Region"), (), False, markers)
            )
            continue
        at, side = divmod(place - 2, 2)
        one = tumults[at] if at < len(tumults) else None
        card = cards.get(one.get("card", "")) if one else None
        half = 1 - side if one and "turned" in one.get("statuses", ()) else side
        shows = card.halves[half] if card is not None and half < len(card.halves) else ()
        statistics = tuple((statistic(number), number) for number in shows)
        regions.append(
            Region(
                place,
                card.name if card else gettext("Tumult %(number)s") % {"number": at + 1},
                statistics,
                card is None,
                markers,
            )
        )
    return Adventure(tuple(regions))
