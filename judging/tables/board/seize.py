"""T9, T10: Seize on the board, and a whole turn planned as one post."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext, gettext_lazy, gettext_noop, pgettext, pgettext_lazy

from judging.tables.board import battlefield, faces
from judging.tables.board.actions import LineNames
from judging.tables.board.faces import Plain
from judging.tables.board.shapes import Act, Bit, Choice, Count, Grid, Mark, Row, Stat, Step, Stone, Tile, TurnPlan
from tables.core.lines.forms import STEPS
from tables.core.lists.cards import Card, Reach

WINDOWS: Mapping[str, int] = {"beginning": 2, "draw": 1, "acquire": 0, "rally": 0, "move1": 0}
"""11.1 to 11.5: the phases from which a turn can be planned, and how many windows are passed before acquiring."""
MOST_ACQUIRED = 4
MOST_STANDING = 3
BACK = 2
FIRST, ATTACK = STEPS["seize"]["move1"][0], STEPS["seize"]["attack"][0]


def plan_of(
    view: Plain, cards: Mapping[str, Card], called: Mapping[int, str], legal: frozenset[str]
) -> TurnPlan | None:
    """T9: the possible plan of the viewer's turn; None if it is not theirs, or its moves are over. In the Rally
    Phase it offers only what is `legal` then."""
    waits, viewer, at = view["waits"], view["viewer"], view["turn"]["at"]
    if waits is None or viewer not in waits["for"] or view["turn"]["of"] != viewer or at not in WINDOWS:
        return None
    if waits["kind"] not in ("priority", "acquire") or view["pile"]:
        return None
    choices = [Choice("", hidden="pass")] * WINDOWS[at]
    vault = dict(next(seat["numbers"] for seat in view["seats"] if seat["letter"] == viewer)).get("vault", 0)
    if at in ("beginning", "draw", "acquire") and vault:
        most = min(MOST_ACQUIRED, vault - 1, len(view["zones"][f"{viewer}.deck"]))
        pattern = gettext("%(number)s for %(number)s Loot")
        more = tuple(
            (f"acquire {n}" if n == MOST_ACQUIRED else f"acquire {n}\nenough", pattern % {"number": n})
            for n in range(1, most + 1)
        )
        choices.append(Choice(gettext("Acquire"), (("enough", gettext("no more")), *more)))
    if at != "move1":
        played = _from_hand(view, viewer, cards)
        choices += [*(_legal(played, legal) if at == "rally" else played), Choice("", hidden=f"pass to {FIRST}")]
    choices += _moves(view, viewer, called)
    then = (
        ("", gettext("ask me")),
        (f"pass to {ATTACK}", gettext("go to the Attack Phase")),
        ("pass turn", gettext("pass for the rest of the turn")),
    )
    choices.append(Choice(gettext("Then"), then))
    return TurnPlan(tuple(choices))


def _from_hand(view: Plain, viewer: str, cards: Mapping[str, Card]) -> list[Choice]:
    """11.4: one treasure, and mercenaries to free tiles among the back eight of one's side, at most three there."""
    hand = sorted({one["card"] for one in view["zones"][f"{viewer}.hand"] if one})
    treasures = [name for name in hand if cards[name].type == "treasure"]
    mercenaries = [name for name in hand if cards[name].type == "mercenary"]
    down = [(f"treasure face down {name}", gettext("%(name)s, face down") % {"name": name}) for name in mercenaries]
    open_ = [(f"treasure {name}", name) for name in treasures]
    choices = [Choice(gettext("Treasure"), (("", pgettext("nothing chosen", "none")), *open_, *down))] if hand else []
    tiles = _free_tiles(view, viewer)
    standing_count = len([one for one in view["zones"][f"{viewer}.battlefield"] if one and one.get("at")])
    played = tuple(
        (f"play {name} to {tile}", gettext("%(name)s to %(tile)s") % {"name": name, "tile": tile})
        for name in mercenaries
        for tile in tiles
    )
    if "vault" not in dict(next(seat["numbers"] for seat in view["seats"] if seat["letter"] == viewer)):
        return choices  # 5.3: nobody enters in the Arena, where there is no Vault
    for _ in range(min(MOST_STANDING - standing_count, len(mercenaries)) if played else 0):
        choices.append(Choice(gettext("Mercenary"), (("", pgettext("nothing chosen", "none")), *played)))
    return choices


def _legal(choices: list[Choice], legal: frozenset[str]) -> list[Choice]:
    """11.4: the choices without those that can't be played any more this turn."""
    remaining = [
        Choice(one.label, tuple((line, label) for line, label in one.options if not line or line in legal))
        for one in choices
    ]
    return [one for one in remaining if len(one.options) > 1]


def _free_tiles(view: Plain, viewer: str) -> list[str]:
    letters = [seat["letter"] for seat in view["seats"]]
    quarters = battlefield.quarters_of(letters)
    first, is_near = quarters[viewer]
    used = {one["at"] for letter in letters for one in view["zones"][f"{letter}.battlefield"] if one and one.get("at")}
    ranks = range(1, BACK + 1) if is_near else range(battlefield.RANKS, battlefield.RANKS - BACK, -1)
    tiles = [f"{chr(ord('a') + first + column)}{rank}" for rank in ranks for column in range(battlefield.WIDE)]
    pillars = {tile for tile, marks in view.get("tiles", {}).items() if marks.get("pillar")}
    return [tile for tile in tiles if tile not in used | pillars]


def _moves(view: Plain, viewer: str, names: Mapping[int, str]) -> list[Choice]:
    """11.5: the possible moves of each of one's mercenaries."""
    moves = []
    for one in view["zones"][f"{viewer}.battlefield"]:
        reach = view.get("reach", {}).get(one.get("number")) if one else None
        if reach and reach["ways"]:
            number = one["number"]
            ways = tuple(
                (f"move #{number}: {path}", gettext("to %(tile)s") % {"tile": tile})
                for tile, path in reach["ways"].items()
            )
            moves.append(Choice(gettext("Move %(thing)s") % {"thing": names[number]}, (("", gettext("stays")), *ways)))
    return moves


TURN = "turn"
STRIP = (
    (
        "beginning",
        pgettext_lazy("step of a turn", "Beginning"),
        pgettext_lazy("step of a turn", "Begin"),
        "11.1",
        gettext_lazy("Treasures are ready again. Instants."),
    ),
    (
        "draw",
        pgettext_lazy("step of a turn", "Draw"),
        pgettext_lazy("step of a turn", "Draw"),
        "11.2",
        gettext_lazy("One card. Instants."),
    ),
    (
        "acquire",
        pgettext_lazy("step of a turn", "Acquire"),
        pgettext_lazy("step of a turn", "Acq."),
        "11.3",
        gettext_lazy("Up to four more cards, each for one Loot. No abilities."),
    ),
    (
        "rally",
        pgettext_lazy("step of a turn", "Rally"),
        pgettext_lazy("step of a turn", "Rally"),
        "11.4",
        gettext_lazy("Mercenaries, one treasure, events; equip, unequip, exit."),
    ),
    (
        "move1",
        pgettext_lazy("step of a turn", "1st movement"),
        pgettext_lazy("step of a turn", "Move"),
        "11.5",
        gettext_lazy("Mercenaries move; events, instants."),
    ),
    (
        "attack",
        pgettext_lazy("step of a turn", "Attack"),
        pgettext_lazy("step of a turn", "Attack"),
        "11.6",
        gettext_lazy("Each mercenary attacks or plunders once; attack abilities, instants."),
    ),
    (
        "move2",
        pgettext_lazy("step of a turn", "2nd movement"),
        pgettext_lazy("step of a turn", "Move"),
        "11.7",
        gettext_lazy("Remaining moves; events, instants."),
    ),
    (
        "end",
        pgettext_lazy("step of a turn", "End"),
        pgettext_lazy("step of a turn", "End"),
        "11.8",
        gettext_lazy("Bleeding. Statuses end. Discard down to nine cards. Instants."),
    ),
)
ARROWS = {"F": "↑", "FL": "↖", "FR": "↗", "L": "←", "R": "→", "B": "↓", "BL": "↙", "BR": "↘"}
COUNTS = ("bleed", "poison", "frost", "burn", "regen", "fortify", "armor", "magic armor")
FLAGS = ("blind", "silence", "stealth", "leech")
FACES = {"up": gettext_noop("%(name)s’s, facing up"), "down": gettext_noop("%(name)s’s, facing down")}
WHAT = {
    "card": gettext_noop("card"),
    "attack": gettext_noop("attack"),
    "plunder": gettext_noop("plunder"),
    "ability": gettext_noop("ability"),
    "trigger": gettext_noop("trigger"),
    "step": gettext_noop("step"),
    "unveil": gettext_noop("unveil"),
    "melee": gettext_noop("melee"),
    "ranged": gettext_noop("ranged"),
}
"""12: the kinds of items on the stack, by the code of the item or of its detail; a tile or a seat needs no word."""
LOW_VAULT = 5
PALETTE = 5


def strip(at: str) -> tuple[Step, ...]:
    """11, S51: the eight phases, with what each allows."""
    names = [name for name, *_ in STRIP]
    now = names.index(at) if at in names else -1
    return tuple(
        Step(
            str(title),
            str(short),
            "now" if place == now else "past" if place < now else "next",
            cites,
            str(allows),
            "" if name == "acquire" else STEPS["seize"][name][0],
        )
        for place, (name, title, short, cites, allows) in enumerate(STRIP)
    )


def tile(shown: Plain, cards: Mapping[str, Card], acts: tuple[Act, ...] = ()) -> Tile:
    """A card that the viewer knows, or a face-down one in a public place."""
    number, turned = shown.get("number"), bool(shown.get("engaged"))
    card = cards.get(shown.get("card", ""))
    marks = _marks(shown)
    if card is None:
        name = shown.get("card", "")
        spoken = faces.spoken(name or gettext("a face-down mercenary"), "", (), *(mark.word for mark in marks))
        return Tile(name, number, marks=marks, acts=acts, turned=turned, spoken=spoken)
    stats = _stats(card, shown) if card.type == "mercenary" else ()
    keywords = tuple(keyword for keyword in card.keywords if keyword not in shown)
    extra = (*_reaches(card), *_worn(shown))
    return Tile(
        name=card.name,
        number=number,
        type=" · ".join(part for part in (faces.type_line(card), "★" * card.stars) if part),
        colours=(_class(card, cards),) if card.class_ and card.class_ != "generic" else (),
        cost=faces.stones(card.cost),
        text=faces.bits(card.text),
        extra=extra,
        stats=stats,
        marks=marks,
        keywords=keywords,
        acts=acts,
        turned=turned or bool(shown.get("exhaust")),
        at=shown.get("at", ""),
        spoken=faces.spoken(card.name, card.class_ or card.type, stats, *(mark.word for mark in marks),
                            *(gettext("wears %(card)s") % {"card": worn} for worn in shown.get("equipped", ()))),
    )  # fmt: skip


def _class(card: Card, cards: Mapping[str, Card]) -> Stone:
    """6.A: a class by its first letter, in its own colour as far as there are enough colours."""
    classes = sorted({one.class_ for one in cards.values() if one.class_})
    return Stone(f"c{classes.index(card.class_) % PALETTE}", card.class_[:2], card.class_)


def _stats(card: Card, state: Plain) -> tuple[Stat, ...]:
    """6.C to 6.J: the current abilities of a mercenary."""
    health = state.get("health")
    stats = [Stat("health", gettext("health"), str(card.health))]
    if health is not None:
        most = state.get("maximum", card.health)
        stats = [Stat("health", gettext("health"), str(health), "", "down" if health < most else "", str(most))]
    if card.melee:
        stats.append(faces.stat("attack", gettext("melee"), state.get("melee"), card.melee.n))
    if card.ranged:
        stats.append(faces.stat("ranged", gettext("ranged"), state.get("ranged"), card.ranged.n))
    if card.defense or state.get("defense"):
        stats.append(faces.stat("defense", gettext("Defense"), state.get("defense"), card.defense))
    if card.move:
        stats.append(faces.stat("move", pgettext("number of a card", "move"), state.get("move"), card.move.n))
    return tuple(stats)


def _marks(state: Plain) -> tuple[Mark, ...]:
    marks = []
    if state.get("face_down") and state.get("card"):
        marks.append(Mark("down", gettext("face down")))
    if state.get("guild_master"):
        marks.append(Mark("control", gettext("Guild Master")))
    if state.get("engaged") or state.get("exhaust"):
        number = state.get("exhaust") or 0
        marks.append(Mark("engaged", gettext("exhausted") + (f" {number}" if number > 1 else "")))
    marks += [Mark("counter", f"{kind} {state[kind]}") for kind in COUNTS if state.get(kind)]
    marks += [Mark("weary", flag) for flag in FLAGS if state.get(flag)]
    if state.get("blinded") and not state.get("blind"):
        marks.append(Mark("weary", gettext("in fog")))
    return tuple(marks)


def _reaches(card: Card) -> tuple[tuple[str, tuple[Bit, ...]], ...]:
    reaches = (
        (gettext("Melee"), card.melee),
        (gettext("Ranged"), card.ranged),
        (pgettext("number of a card", "Move"), card.move),
    )
    extras = []
    for title, reach in reaches:
        if reach is not None:
            extras.append((title, (Bit(_reach(reach)),)))
    if card.bounty:
        extras.append((gettext("Bounty"), (Bit(gettext("%(number)s Loot") % {"number": card.bounty}),)))
    return tuple(extras)


def _reach(reach: Reach) -> str:
    """6.G to 6.J, S2: a number with its directions, seen from the owner."""
    arrows = " ".join(ARROWS[d] for d in reach.directions)
    if len(reach.directions) == len(ARROWS):
        arrows = gettext("all directions")
    kind = f", {reach.kind}" if reach.kind else ""
    distance = ""
    if reach.kind and reach.distance > 1:
        distance = ", " + gettext("Distance 1 to %(most)s") % {"most": reach.distance}
    return f"{reach.n} {arrows}{kind}{distance}"


def _worn(state: Plain) -> tuple[tuple[str, tuple[Bit, ...]], ...]:
    worn = state.get("equipped", ())
    return ((gettext("Wears"), (Bit(", ".join(worn)),)),) if worn else ()


def counts(zones: Plain, letter: str) -> tuple[Count, ...]:
    """The numbers shown for a player; the Vault comes with `numbers`."""
    chest = [one for one in zones[f"{letter}.warchest"] if one]
    ready = sum(1 for one in chest if not one.get("engaged"))
    return (
        Count("chest", gettext("Ready treasures"), ready),
        Count("hand", gettext("Hand"), len(zones[f"{letter}.hand"])),
        Count("deck", gettext("Deck"), len(zones[f"{letter}.deck"])),
    )


def numbers(seat: Plain) -> tuple[Count, ...]:
    """1: the Vault, which is a player's life."""
    data = seat.get("numbers", {})
    return (Count("vault", gettext("Vault"), data["vault"], data["vault"] <= LOW_VAULT),) if "vault" in data else ()


def energy(seat: Plain) -> tuple[tuple[Stone, int], ...]:
    """Empty: payments from treasures are not kept."""
    return ()


def rows(zones: Plain, letter: str, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]]) -> tuple[Row, ...]:
    """2: Warchest, events, quarters; mercenaries are on the battlefield."""

    def known(kind: str) -> tuple[Tile, ...]:
        return tuple(tile(one, cards, acts.get(f"#{one.get('number')}", ()))
                     for one in zones.get(f"{letter}.{kind}", ()) if one)  # fmt: skip

    chest = _chest([one for one in zones.get(f"{letter}.warchest", ()) if one])
    result = [
        Row(f"{letter}.warchest", gettext("Warchest"), "chips", known("warchest"), gettext("No treasures yet."), chest)
    ]
    for kind, title in (("events", gettext("Events")), ("quarters", gettext("Guild Quarters"))):
        if tiles := known(kind):
            result.append(Row(f"{letter}.{kind}", title, "chips", tiles))
    return tuple(result)


def _chest(things: list[Plain]) -> str:
    """8: a Warchest in numbers: treasures that can pay, that have paid, and that are face down."""
    spent = sum(1 for one in things if one.get("engaged"))
    down = sum(1 for one in things if one.get("face_down"))
    parts = [
        gettext("%(number)s ready") % {"number": len(things) - spent},
        gettext("%(number)s exhausted") % {"number": spent},
    ]
    if down:
        parts.append(gettext("%(number)s face down") % {"number": down})
    return " · ".join(parts) if things else ""


def piles(zones: Plain, letter: str, cards: Mapping[str, Card]) -> tuple[Row, ...]:
    """2: the discard pile, the newest first."""
    pile_rows = []
    for kind, title in (("discard", pgettext("zone", "Discard")), ("left", gettext("Left the table"))):
        tiles = tuple(tile(one, cards) for one in reversed(zones.get(f"{letter}.{kind}", [])) if one)
        if tiles or kind == "discard":
            top = tiles[0].name if tiles else ""
            pile_rows.append(Row(f"{letter}.{kind}", title, "chips", tiles, gettext("Empty."), top))
    return tuple(pile_rows)


def what(item: Plain, names: LineNames) -> str:
    """12: an item of the stack in words."""
    by, kind = names.seats.get(item["by"], item["by"]), item.get("detail") or item["what"]
    return gettext("%(name)s’s %(what)s") % {"what": gettext(WHAT[kind]) if kind in WHAT else kind, "name": by}


def more(
    view: Plain, cards: Mapping[str, Card], acts: Mapping[str, tuple[Act, ...]], names: LineNames
) -> dict[str, Any]:
    """2: the battlefield with its mercenaries, lit for the chosen one. `reach` and `mover` of the view come with the
    page and not with the state: the reach of each, and the chosen one."""
    letters = [seat["letter"] for seat in view["seats"]]
    reach, card_names = view.get("reach", {}), {number: names.thing(number) for number in names.things}
    tiles = {}
    for letter in letters:
        for state in view["zones"].get(f"{letter}.battlefield", ()):
            if state and state.get("at"):
                one = tile(state, cards, acts.get(f"#{state['number']}", ()))
                one = battlefield.with_reach(one, reach.get(state["number"]), card_names)
                side = "mine" if battlefield.ally(state["controller"], view["viewer"]) else "theirs"
                direction = battlefield.facing(state["controller"], letters, view["viewer"])
                label = gettext(FACES[direction]) % {"name": names.seats.get(state["controller"], "")}
                tiles[state["at"]] = replace(
                    one,
                    facing=direction,
                    side=side,
                    spoken=f"{state['at']}: {one.spoken}, {label}",
                )
    grid: Grid = battlefield.grid_of(letters, view["viewer"], view.get("tiles", {}), tiles, names.seats)
    mover = view.get("mover", 0)
    picked = next((one for one in tiles.values() if mover and one.number == mover), None)
    legal = frozenset(act.line for some in acts.values() for act in some)
    lit = battlefield.lit_for(grid, picked, reach.get(mover), card_names)
    return {
        "grid": lit,
        "pile_title": gettext("The stack"),
        "middle": gettext("Battlefield and stack"),
        "plan": plan_of(view, cards, card_names, legal),
    }


def badges(view: Plain, letter: str) -> tuple[str, ...]:
    """Empty: nothing is shown of a player but whose turn it is."""
    return ()


def note(view: Plain, zone: str) -> str:
    """Empty: its rows have their notes already."""
    return ""
