"""T12.6: the board of a table: the viewer's knowledge as shapes for the templates. Nothing here decides a rule."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType, ModuleType
from typing import Any

from django.utils.translation import gettext, gettext_noop, ngettext, pgettext

from judging.tables.board import altered, battlefield, faces, free, kryptik, seize
from judging.tables.board.actions import (
    ELEVEN,
    ELSEWHERE,
    LineNames,
    acts_of,
    arranged,
    hides,
    is_from,
    pickings,
    stands_for,
)
from judging.tables.board.faces import Plain
from judging.tables.board.manual_actions import hands_of, own_acts
from judging.tables.board.shapes import Act, Actor, Board, Fight, Group, Item, Mark, Proposal, Row, Side, Tile, Waits
from judging.tables.board.words import ASKED, GROUPS, KEYS, TO_DECIDE, WAITED
from judging.tables.sentences import pile_of
from tables.core.blanks import OpenLine
from tables.core.lines.actions import Action
from tables.core.lines.forms import STEPS
from tables.core.lines.writing import write
from tables.core.lists.cards import Card

DRAWERS: Mapping[str, ModuleType] = {"kryptik": kryptik, "seize": seize, "altered": altered, "free": free}
IN_TURN = ("priority", "turn", "attack", "eleven")
"""Kinds of questions where a form is one option among others."""


def board_of(
    view: Plain, offers: Sequence[Action], cards: Mapping[str, Card], open_lines: Sequence[OpenLine] = (), *,
    is_now: bool = True,
) -> Board:  # fmt: skip
    """T12.6: everything that the page draws of a table, from `views.view` and what the viewer may do now.
    Of what was (not `is_now`) nothing can be done by hand."""
    drawer = DRAWERS[view["game"]]
    zones, viewer = view["zones"], view["viewer"]
    names = LineNames(_numbered(zones), {seat["letter"]: seat["name"] or seat["letter"] for seat in view["seats"]})
    forms = pickings(open_lines, view["game"], names)
    if len(forms) == 1 and view["waits"] and view["waits"]["kind"] not in IN_TURN:
        forms = (replace(forms[0], is_open=True),)
    acts = tuple(act for act in acts_of(offers, view["game"], names) if not hides(forms, act))
    ready, groups = arranged(acts)
    groups = (*(group for group in groups if not stands_for(forms, group)), *_until(drawer, view))
    by = _by_actor((*acts, *(act for some in own_acts(view).values() for act in some)) if is_now else acts)
    sides = [_side(drawer, view, seat, names, cards, by) for seat in view["seats"]]
    seated = viewer in names.seats
    own_side = next((side for side in sides if side.letter == viewer), None if seated else sides[0])
    partners, opponents = _around(sides, own_side)
    fight = _fight(view, names, sides)
    extra = drawer.more(view, cards, by, names)
    return Board(
        game=view["game"],
        viewer=viewer,
        turn=view["turn"]["number"],
        whose=names.seats.get(view["turn"]["of"], ""),
        headline=_headline(view, names, drawer.TURN),
        strip=drawer.strip(view["turn"]["at"]),
        waits=_waits(view, names, cards),
        ready=ready,
        groups=groups,
        opponents=opponents,
        own=own_side,
        partners=partners,
        mirrored=any(
            _column(side, sides, own_side) < _column(own_side, sides, own_side) for side in partners if own_side
        ),
        hand=_hand(drawer, zones, viewer, cards, by) if seated else None,
        pile=extra.pop("pile", None) or _pile(drawer, view, names, cards),
        pile_title=extra.pop("pile_title", gettext("The effect pile")),
        middle=extra.pop("middle", gettext("Fight and pile")),
        nothing=extra.pop("nothing", gettext("The pile is empty.")),
        revealed=_revealed(drawer, zones, cards),
        fight=fight,
        proposals=_proposals(view, names),
        result=_result(view, names),
        result_cites=(view["result"] or {}).get("cites", ""),
        seated=seated,
        keys=tuple((key, gettext(does)) for key, does in KEYS),
        hands=hands_of(view, names) if is_now else None,
        by=by_which(view["game"], ready, groups),
        pickings=forms,
        **extra,
    )


def _until(drawer: Any, view: Plain) -> tuple[Group, ...]:
    """T9, T10: the player with priority may pass until a later step; a stop, a trigger or a decision ends it sooner."""
    waits = view["waits"]
    if waits is None or waits["kind"] != "priority" or view["viewer"] not in waits["for"]:
        return ()
    later = [step for step in drawer.strip(view["turn"]["at"]) if step.state == "next" and step.name]
    until = gettext("Pass until: %(step)s")
    acts = [_pass_to(view, step.name, until % {"step": step.title}, step.title) for step in later]
    if view["game"] in STEPS:
        acts.append(_pass_to(view, "turn", gettext("Pass until the next turn"), gettext("The next turn")))
    return (Group("pass to", gettext("Pass until"), (Actor("", tuple(acts)),), len(acts)),) if acts else ()


def _pass_to(view: Plain, step: str, label: str, short: str) -> Act:
    action = Action("pass", to=step)
    return Act(write(action, view["game"]), action, label, "pass to", "", short)


def _numbered(zones: Plain) -> dict[int, str]:
    """Every public number with its card's name."""
    names: dict[int, str] = {}
    for things in zones.values():
        for thing in things:
            for one in [thing, *(thing or {}).get("beneath", ())]:
                if one and one.get("number"):
                    names[one["number"]] = one.get("card", "")
    return names


def _by_actor(acts: Iterable[Act]) -> dict[str, tuple[Act, ...]]:
    """Acts by their actor: a card of the hand by its name, a thing by `#4`, a place by its name."""
    by_actor: dict[str, tuple[Act, ...]] = {}
    for act in acts:
        head = act.line.partition(" > ")[0]
        keys = {act.actor, *(f"#{number}" for number in act.things[:1] if f"#{number}" in head)}
        if act.kind in ("block", "choose", "target", "discard", "sacrifice", "abolish"):
            keys |= {f"#{number}" for number in act.things}
        for key in keys - {""}:
            by_actor[key] = (*by_actor.get(key, ()), act)
    return by_actor


def _after(sides: list[Side], own: Side | None) -> list[Side]:
    """All but the bottom side, clockwise from it."""
    if own is None:
        return sides
    at = sides.index(own)
    return sides[at + 1 :] + sides[:at]


def _around(sides: list[Side], own: Side | None) -> tuple[tuple[Side, ...], tuple[Side, ...]]:
    """5.1, S1: the partners of the bottom side, and the others: clockwise, or with partners from left to right as
    seen from that side."""
    other_sides = _after(sides, own)
    partners = tuple(side for side in other_sides if own and battlefield.ally(side.letter, own.letter))
    opponents = [side for side in other_sides if side not in partners]
    if partners:
        opponents.sort(key=lambda side: _column(side, sides, own))
    return partners, tuple(opponents)


def _column(side: Side, sides: list[Side], own: Side | None) -> int:
    """S1: the column of a seat's quarter, from the left as the bottom side sees it."""
    letters = [each.letter for each in sides]
    return battlefield.left_to_right(letters, own.letter if own else "").index(side.letter)


def _side(
    drawer: Any,
    view: Plain,
    seat: Plain,
    names: LineNames,
    cards: Mapping[str, Card],
    by: Mapping[str, tuple[Act, ...]],
) -> Side:
    letter, zones = seat["letter"], view["zones"]
    return Side(
        letter=letter,
        name=names.seats[letter],
        mine=letter == view["viewer"],
        turn=view["turn"]["of"] == letter,
        waited=letter in (view["waits"] or {}).get("for", ()),
        out=seat["out"],
        counts=(*drawer.numbers(seat), *drawer.counts(zones, letter)),
        energy=drawer.energy(seat),
        rows=tuple(_marked(_noted(row, drawer, view), view) for row in drawer.rows(zones, letter, cards, by)),
        piles=tuple(
            _acting(row, by)
            for row in (*drawer.piles(zones, letter, cards), *_rows_of_known(drawer, view, letter, cards))
        ),
        badges=drawer.badges(view, letter),
    )


def _rows_of_known(drawer: Any, view: Plain, letter: str, cards: Mapping[str, Card]) -> tuple[Row, ...]:
    """T5.2: cards of a deck or another's hand that the viewer knows, as long as they stay there; T12.7: all, once
    the table is over."""
    kinds = [("deck", gettext("Known deck cards"))]
    if letter != view["viewer"]:
        kinds.insert(0, ("hand", gettext("Revealed hand cards")))
    rows = []
    for kind, title in kinds:
        if tiles := tuple(drawer.tile(one, cards) for one in view["zones"][f"{letter}.{kind}"] if one):
            rows.append(Row(f"{letter}.{kind}", title, "chips", tiles))
    return tuple(rows)


def _acting(row: Row, by: Mapping[str, tuple[Act, ...]]) -> Row:
    """The acts of cards that are on a pile."""
    tiles = (replace(tile, acts=tile.acts or by.get(f"#{tile.number}", ())) for tile in row.tiles)
    return replace(row, tiles=tuple(tiles))


def _noted(row: Row, drawer: Any, view: Plain) -> Row:
    return replace(row, note=drawer.note(view, row.zone) or row.note)


def _marked(row: Row, view: Plain) -> Row:
    """4.4: attackers, blockers and targets of the attack, marked on the cards."""
    fight = view["fight"]
    if fight is None:
        return row
    tiles = []
    for tile in row.tiles:
        state = ""
        if tile.number and tile.number == fight["attacker"]:
            state = "attacking"
        elif tile.number and tile.number in fight["blockers"]:
            state = "blocking"
        elif row.zone == f"{fight['of']}.eleven" and tile.place in fight["places"]:
            state = "attacked"
        tiles.append(_with(tile, Mark("fight", state)) if state else tile)
    return replace(row, tiles=tuple(tiles))


def _with(tile: Tile, mark: Mark) -> Tile:
    return replace(tile, marks=(mark, *tile.marks), spoken=f"{tile.spoken}, {mark.word}")


def _hand(drawer: Any, zones: Plain, viewer: str, cards: Mapping[str, Card], by: Mapping[str, tuple[Act, ...]]) -> Row:
    tiles = tuple(
        drawer.tile(one, cards, tuple(act for act in by.get(one["card"], ()) if not is_from(act, *ELSEWHERE)))
        for one in zones[f"{viewer}.hand"] if one
    )  # fmt: skip
    return Row(f"{viewer}.hand", gettext("Your hand"), "tiles", tiles, gettext("Your hand is empty."))


def _pile(drawer: Any, view: Plain, names: LineNames, cards: Mapping[str, Card]) -> tuple[Item, ...]:
    return tuple(
        Item(item["card"], drawer.what(item, names), names.seats.get(item["by"], ""),
             faces.bits(cards[item["card"]].text if item["card"] in cards else ""), at == 0)
        for at, item in enumerate(view["pile"])
    )  # fmt: skip


def _revealed(drawer: Any, zones: Plain, cards: Mapping[str, Card]) -> tuple[Tile, ...]:
    return tuple(
        drawer.tile(one, cards) for name, things in zones.items() if name.endswith(".revealed") for one in things if one
    )


def _fight(view: Plain, names: LineNames, sides: list[Side]) -> Fight | None:
    fight = view["fight"]
    if fight is None:
        return None
    tiles = {tile.number: tile for side in sides for row in side.rows for tile in row.tiles if tile.number}
    defender = names.seats[fight["of"]]
    card = gettext("%(name)s’s 11 year card %(number)s")
    aims = tuple(card % {"number": place, "name": defender} for place in fight["places"]) or (defender,)
    blockers = tuple(tiles[number] for number in fight["blockers"] if number in tiles)
    attacker = names.thing(fight["attacker"])
    fields = {
        "thing": attacker,
        "name": names.seats[fight["by"]],
        "aims": gettext(" and ").join(aims),
        "blockers": gettext(" and ").join(names.thing(number) for number in fight["blockers"]),
    }
    sentence = gettext("%(name)s’s %(thing)s attacks %(aims)s") % fields
    if blockers:
        sentence = gettext("%(name)s’s %(thing)s attacks %(aims)s, blocked by %(blockers)s") % fields
    return Fight(tiles.get(fight["attacker"]), names.seats[fight["by"]], defender, aims, blockers, sentence)


def _headline(view: Plain, names: LineNames, unit: str) -> str:
    turn = view["turn"]
    if turn["at"] == "setup" or not turn["of"]:
        return gettext("Before the first turn")
    units = {"turn": pgettext("at a card table", "turn"), "day": pgettext("at a card table", "day")}
    fields = {"word": units[unit], "number": turn["number"]}
    if turn["of"] == view["viewer"]:
        return gettext("Your turn, %(word)s %(number)s") % fields
    return gettext("%(seat)s’s turn, %(word)s %(number)s") % {"seat": names.seats[turn["of"]], **fields}


def _waits(view: Plain, names: LineNames, cards: Mapping[str, Card]) -> Waits | None:
    waits = view["waits"]
    if waits is None:
        return None
    kind, viewer = waits["kind"], view["viewer"]
    if viewer in waits["for"]:
        line, hint = ASKED.get(kind, ("", ""))
        line = gettext(line) if line else gettext("Your decision: %(kind)s") % {"kind": kind}
        hint = gettext(hint).replace("{pile}", pile_of(view["game"])) if hint else ""
        card = waits.get("card", "")
        text = cards[card].text if card in cards else ""
        if kind == "may" and card:
            line, hint = gettext("Use %(card)s’s ability?") % {"card": card}, text
        elif kind == "mana" and view["turn"]["at"] == "setup":
            line, hint = (
                gettext("Choose your first Mana Orbs"),
                gettext("Others can see how many you choose, but not which."),
            )
        elif kind == "eleven":
            hint = gettext(" or ").join(gettext(label) for do, label in ELEVEN.items() if _offers(waits, f"11y: {do}"))
        elif card:
            is_question = line.endswith("?")
            line = f"{card}: {line}" if is_question else gettext("%(says)s: %(card)s") % {"says": line, "card": card}
            hint = " ".join(filter(None, ("" if waits.get("told") else text, hint)))
        return Waits(True, kind, line, hint, waits.get("cites", ""), tuple(waits.get("told", ())))
    people = gettext(" and ").join(names.seats.get(letter, letter) for letter in waits["for"])
    # Translators: “what” is one of the things that others wait for, like “to act or pass”.
    line = gettext("Waiting for %(who)s %(what)s") % {"who": people, "what": gettext(WAITED.get(kind, TO_DECIDE))}
    line = line if people else gettext("Waiting for no one")
    return Waits(False, kind, line, "", waits.get("cites", ""))


def _offers(waits: Plain, head: str) -> bool:
    return any(line.split(";")[0] == head for line in waits.get("options", ()))


def _proposals(view: Plain, names: LineNames) -> tuple[Proposal, ...]:
    return tuple(
        Proposal(one["number"], names.seats.get(one["by"], one["by"]), one["by"] == view["viewer"],
                 names.words(one.get("says", "")), tuple(names.seats.get(letter, letter) for letter in one["accepted"]))
        for one in view["proposals"]
    )  # fmt: skip


def _result(view: Plain, names: LineNames) -> str:
    result = view["result"]
    if result is None:
        return ""
    if result["draw"] or not result["won"]:
        return gettext("The game is a draw.")
    side = [letter for letter in names.seats if result["won"] in (letter, letter[:1])]
    if view["viewer"] in side:
        return gettext("You have won.")
    won = gettext(" and ").join(names.seats[letter] for letter in side) or result["won"]
    return ngettext("%(name)s won.", "%(name)s won.", max(len(side), 1)) % {"name": won}


BY_GAME: Mapping[str, Mapping[str, str]] = MappingProxyType({
    "kryptik": {
        "cast": "8.1", "soul": "5.5", "energy": "8.2.1", "use": "9.1", "attack": "4.4.2", "block": "4.4.3",
        "order": "4.4.4.1", "eleven": "6.1", "recursion": "2.3.1", "triggers": "8.4", "discard": "G: Discard",
        "sacrifice": "G: Sacrifice", "abolish": "7.1.2", "target": "8.5", "choose": "10.4", "yes": "9.3", "no": "9.3",
        "pass": "8.3.2",
    },
    "seize": {
        "treasure": "8", "play": "11.4", "equip": "11.4.3", "unequip": "11.4.4", "exit": "11.4.2", "acquire": "11.3",
        "enough": "11.3", "move": "7.2", "attack": "7.1", "attack card": "9.2", "plunder": "7.3", "event": "9.3",
        "use": "6.F.1", "discard": "11.8", "mulligan": "3", "starter": "3", "pillar": "5.3", "champion": "5.3",
        "triggers": "12", "target": "12", "pass": "10",
    },
    "altered": {
        "mana": "1.3.2.b", "play": "1.3.2.d", "orb": "3.2.9.e", "quick": "5.3.a", "react": "5.5.a", "pay": "5.5.d",
        "keep": "4.2.5.c", "pass": "1.3.2.d",
    },
    "free": {"discard": "T11.7", "pass": "T11.7"},
})  # fmt: skip
"""By game and kind of a line: the rule. Missing ones are explained by the card or by the question."""

ALONE: Mapping[str, str] = MappingProxyType({
    "yes": gettext_noop("Yes or no"), "no": gettext_noop("Yes or no"),
    "pass to": gettext_noop("Pass until"), "enough": gettext_noop("Acquire"),
    "mulligan": gettext_noop("First hand"),
    "starter": gettext_noop("Who begins"), "pay": gettext_noop("Pay"),
})  # fmt: skip


def by_which(game: str, ready: Sequence[Act], groups: Sequence[Group]) -> tuple[tuple[str, str], ...]:
    """T12.6: the names and rule numbers of the offered acts, in their order, each once."""
    cites: dict[str, str] = {}
    for kind in (*(act.kind for act in ready), *(group.kind for group in groups)):
        cite = "T9.2" if kind == "pass to" else BY_GAME[game].get(kind, "")
        if cite:
            label = ALONE.get(kind) or GROUPS.get(kind)
            cites.setdefault(gettext(label) if label else kind.capitalize(), cite)
    return tuple(cites.items())
