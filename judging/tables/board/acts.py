"""T9: legal lines as buttons: in words, beneath who acts, in groups where there are many."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from django.utils.translation import gettext

from judging.tables.board.shapes import Act, Actor, Group
from judging.tables.board.words import COLOURS, GROUPS
from tables.core.lines.actions import Action
from tables.core.lines.notation import read_line
from tables.core.lists.cards import Game

FEW = 6
"""So many acts stand side by side; more are put into groups."""
FOR_THE_HEAD = ("pass", "no", "yes", "done", "enough", "accept", "refuse", "resupply", "pay", "concede")
"""Kinds of lines that nothing on the table carries out: they always stand as buttons of their own."""
ALONE = ("no attack", "no block", "no mana", "keep hand", "keep nothing", "choose none", "target none", "mulligan")
LAST_LOOT = "Acquiring your last Loot loses the game (S7). Acquire all the same?"

_NUMBER = re.compile(r"#(\d+)")
_SQUARE = re.compile(r"\b([a-h][1-8])\b")


@dataclass(frozen=True, slots=True)
class Names:
    """What lines call things: cards by their public numbers, players by their letters."""

    things: Mapping[int, str]
    seats: Mapping[str, str]

    def words(self, text: str) -> str:
        """A line's part as people say it: `#4` as `Slag Bull #4`, `11y 3 of B` with the player's name."""
        named = _NUMBER.sub(lambda found: self.thing(int(found[1])), text)
        if named in self.seats:
            return self.seats[named]
        before, of, seat = named.rpartition(" of ")
        return f"{before}{of}{self.seats[seat]}" if before and seat in self.seats else named

    def thing(self, number: int) -> str:
        """A numbered thing with its name."""
        name = self.things.get(number)
        return f"{name} #{number}" if name else f"#{number}"


def acts_of(lines: Iterable[str], game: str, names: Names, cards: tuple[str, ...]) -> tuple[Act, ...]:
    """T9: each line as an act, in their order."""
    return tuple(_act(line, game, names, cards) for line in lines)


@lru_cache(maxsize=4096)
def _read(line: str, game: str, cards: tuple[str, ...]) -> Action | None:
    found = read_line(line, cast("Game", game), cards)
    return found if isinstance(found, Action) else None


def _act(line: str, game: str, names: Names, cards: tuple[str, ...]) -> Act:
    action = _read(line, game, cards)
    things = tuple(int(number) for number in _NUMBER.findall(line))
    squares = _squares(line, game)
    if action is None:
        return Act(line, _capital(names.words(line)), "", things=things, tiles=squares)
    actor, label, short = _said(line, action, names)
    asks = "Concede the game? It can't be taken back." if action.kind == "concede" else ""
    if action.kind == "acquire" and action.confirmed:
        asks = LAST_LOOT
    return Act(line, label, action.kind, actor, short, things, squares, asks)


def _squares(line: str, game: str) -> tuple[str, ...]:
    """Where a line leads on the battlefield: of a path its last tile."""
    if game != "seize":
        return ()
    _, is_path, path = line.partition(": ")
    found = tuple(_SQUARE.findall(line))
    return found[-1:] if is_path and "-" in path else found


def _said(line: str, action: Action, names: Names) -> tuple[str, str, str]:
    """Who acts, the whole act, and what is left of it when who acts is said already."""
    aims = _aims(line, names)
    match action.kind:
        case "cast" | "soul" | "play" | "treasure" | "event" | "discard" | "mana" if action.card:
            verb = {"soul": "Soul row:", "event": "Play", "treasure": "Treasure:"}.get(
                action.kind, action.kind.capitalize()
            )
            rest = _rest(line, action.card, names)
            return action.card, f"{verb} {action.card}{rest}", rest.strip(" ,;") or verb.strip(":")
        case "energy":
            colour = COLOURS.get(line.split()[1], line.split()[1])
            actor = names.words(_number(action.thing))
            return actor, f"{_capital(colour)} energy from {actor}", _capital(colour)
        case "use" | "quick" | "attack" | "move" | "plunder" | "equip" | "unequip" | "exit" if action.thing not in (
            0,
            "none",
        ):
            actor = names.words(_number(action.thing))
            verb = {"attack": "Attack with", "plunder": "Plunder with"}.get(action.kind, action.kind.capitalize())
            nth = f", {_ordinal(action.ability)} ability" if action.ability else ""
            rest = names.words(" > ".join(line.split(" > ")[1:])) if " > " in line else aims
            if action.path:
                by = f" by {'-'.join(action.path)}" if len(action.path) > 2 else ""
                return actor, f"Move {actor} to {action.path[-1]}{by}", f"To {action.path[-1]}"
            x = f", X = {action.x}" if action.x is not None else ""
            shown = f"{nth}{' at ' + rest if rest else ''}{x}"
            return actor, f"{verb} {actor}{shown}", _capital(shown.strip(", ")) or verb
        case "block" if action.things:
            listed = ", ".join(names.words(_number(thing)) for thing in action.things)
            return "", f"Block with {listed}", listed
        case "pass":
            return "", "Pass" + (line[4:] if len(line) > 4 else ""), "Pass"
        case "eleven":
            return (
                "",
                {
                    "hand": "Into my hand",
                    "ability": "Use its 11 year ability",
                    "cast": "Cast it for its 11 year cost",
                }.get(action.do, line),
                "",
            )
        case "agree":
            said = "Propose all suggestions" if action.do else f"Agree to {line.removeprefix('agree ')}"
            return "", said, said
        case "starter" if line.split()[-1] in names.seats:
            letter = line.split()[-1]
            said = f"{names.seats[letter]} ({letter}) begins"
            return "", said, said
        case "yes" | "no":
            return "", action.kind.capitalize(), action.kind.capitalize()
        case "concede":
            return "", "Concede", "Concede"
    said = _capital(", ".join(_named(part, names) for part in line.rstrip("!").split(", ")))
    return "", said, said


def _named(part: str, names: Names) -> str:
    """A part of a line with names for numbers and letters: `choose B` names who is chosen."""
    verb, _, what = part.rpartition(" ")
    return f"{verb} {names.seats[what]}".strip() if what in names.seats else names.words(part)


def _rest(line: str, card: str, names: Names) -> str:
    """What a line says after the card's name: its targets, the tile, X."""
    after = line.partition(card)[2]
    parts = [part.strip() for part in after.split(";") if part.strip()]
    said = []
    for part in parts:
        word, _, what = part.partition(" ")
        at = word in ("target", "targets")
        listed = ", ".join(names.words(one) for one in (what if at else part).split(", "))
        said.append(f" at {listed}" if at else f" {listed}")
    return ",".join(said)


def _aims(line: str, names: Names) -> str:
    _, found, after = line.partition("; target ")
    return ", ".join(names.words(part) for part in after.partition(";")[0].split(", ")) if found else ""


def _number(thing: int | str) -> str:
    return f"#{thing}" if isinstance(thing, int) else thing


def _ordinal(number: int) -> str:
    return ("first", "second", "third", "fourth", "fifth", "sixth")[min(number, 6) - 1]


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def arranged(acts: Sequence[Act]) -> tuple[tuple[Act, ...], tuple[Group, ...]]:
    """T9, T12.6: a few stand side by side; of many those that stand alone do, and the rest are groups by kind and
    actor."""
    if len(acts) <= FEW:
        return tuple(acts), ()
    ready = [act for act in acts if act.kind in FOR_THE_HEAD or act.line in ALONE]
    kinds: dict[str, list[Act]] = {}
    for act in acts:
        if act not in ready:
            kinds.setdefault(act.kind, []).append(act)
    groups = []
    for kind, found in kinds.items():
        if len(found) == 1:
            ready.append(found[0])
            continue
        actors: dict[str, list[Act]] = {}
        for act in found:
            actors.setdefault(act.actor, []).append(act)
        together = tuple(Actor(name, tuple(one)) for name, one in actors.items())
        groups.append(
            Group(
                kind,
                gettext(GROUPS[kind]) if kind in GROUPS else _capital(kind) or gettext("Others"),
                together,
                len(found),
            )
        )
    return tuple(ready), tuple(groups)
