"""CASES.md: the `armies` of a case as the rules know them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

from wargame.rules.core.board import COLORS, Square, read_square
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop

ARMY_KEYS = ("name", "team", "rank", "faction", "at", "colors", "troops", "strength", "days", "fighting")
TROOP_KEYS = ("slot", "creature", "color", "alive", "of", "size", "types")
Word = TypeVar("Word", Side, Rank, Faction)

CREATURE_COLORS = COLORS[:5]
COLORLESS = "colorless"


class CaseError(ValueError):
    """A case that can't be read; the text names the key and says what would do."""


def army_from_case(data: Any) -> tuple[Army, tuple[str, ...]]:
    """CASES.md: one entry of `armies`: the army, and the names under `fighting`. CaseError names the key.

    A mercenary's home (6.1 to 6.3) is where it stands.
    """
    entry = mapping(data, "armies")
    name = text(entry.get("name"), "armies: name")
    where = f"army {name}"
    known_keys(entry, ARMY_KEYS, where)
    side = one_of(Side, entry.get("team"), f"{where}: team")
    rank, faction = _title(entry, side, where)
    days = whole(entry.get("days", 0), f"{where}: days")
    at = square(entry.get("at"), f"{where}: at")
    army = Army(
        name=name,
        side=side,
        at=at,
        rank=rank,
        faction=faction,
        colors=_known(entry.get("colors", []), COLORS, f"{where}: colors"),
        troops=_troops(entry, days, where),
        days=days,
        home=None if side.is_team else at,
    )
    return army, names(entry.get("fighting", []), f"{where}: fighting")


def known_keys(entry: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """CASES.md: nothing is guessed: a key that is not known is refused."""
    known = tuple(known)
    for key in entry:
        if key not in known:
            raise CaseError(f"{where}: “{key}” is not a key here; known are {', '.join(known)}")


def mapping(value: Any, where: str) -> Mapping[str, Any]:
    """A block of keys with values."""
    if not isinstance(value, Mapping):
        raise CaseError(f"{where}: keys with values belong here, not {value!r}")
    return value


def sequence(value: Any, where: str) -> list[Any]:
    """A list."""
    if not isinstance(value, list):
        raise CaseError(f"{where}: a list belongs here, not {value!r}")
    return value


def text(value: Any, where: str) -> str:
    """A name or a word. YAML reads a bare number, yes or no as something else: those are quoted."""
    if not isinstance(value, str) or not value.strip():
        raise CaseError(f"{where}: a name belongs here (in quotes if it reads like a number), not {value!r}")
    return value


def names(value: Any, where: str) -> tuple[str, ...]:
    """One name, or a list of names."""
    return tuple(text(entry, where) for entry in (value if isinstance(value, list) else [value]))


def whole(value: Any, where: str) -> int:
    """A whole number from 0."""
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise CaseError(f"{where}: a whole number from 0 belongs here, not {value!r}")
    return value


def four(value: Any, where: str) -> tuple[int, int, int, int]:
    """Four whole numbers, for the slots 1 to 4 or for four dice."""
    numbers = [whole(entry, where) for entry in sequence(value, where)]
    if len(numbers) != len(SLOTS):
        raise CaseError(f"{where}: four numbers belong here, not {len(numbers)}")
    return numbers[0], numbers[1], numbers[2], numbers[3]


def square(value: Any, where: str) -> Square:
    """1.2: a square of the map."""
    try:
        read = read_square(text(value, where))
    except CaseError:
        raise
    except ValueError as error:
        raise CaseError(f"{where}: {error}") from None
    if not read.on_map:
        raise CaseError(f"{where}: {read} is not on the map, which ends at 38 and at N")
    return read


def one_of(kind: type[Word], value: Any, where: str) -> Word:
    """A word out of a closed list."""
    try:
        return kind(value)
    except ValueError:
        raise CaseError(f"{where}: {value!r} is none of {', '.join(kind)}") from None


def _title(entry: Mapping[str, Any], side: Side, where: str) -> tuple[Rank | None, Faction | None]:
    """1.1, 6: a team's army has a rank of that team, a mercenary a faction."""
    key, other = ("rank", "faction") if side.is_team else ("faction", "rank")
    if other in entry or key not in entry:
        raise CaseError(f"{where}: an army of {side.title} has a {key} and no {other}")
    if not side.is_team:
        return None, one_of(Faction, entry[key], f"{where}: {key}")
    rank = one_of(Rank, entry[key], f"{where}: {key}")
    if rank.side is not side:
        raise CaseError(f"{where}: rank: {rank} is not a rank of {side.title}")
    return rank, None


def _troops(entry: Mapping[str, Any], days: int, where: str) -> tuple[Troop, ...]:
    """2.1: troops as four numbers or in full; `strength` is what each slot holds at most."""
    strength = four(entry.get("strength", list(SLOT_MAXIMUM)), f"{where}: strength")
    listed = sequence(entry.get("troops"), f"{where}: troops")
    if listed and isinstance(listed[0], Mapping):
        alone = [troop.get("slot") for troop in listed if isinstance(troop, Mapping)]
        return tuple(_troop(troop, strength, alone, days, f"{where}: troops") for troop in listed)
    alive = four(listed, f"{where}: troops")
    return tuple(
        Troop(
            slot,
            "",
            _alive(alive[slot - 1], strength[slot - 1], f"{where}: troops"),
            strength[slot - 1],
            rested=_rested(alive[slot - 1], strength[slot - 1], days),
            anonymous=True,
        )
        for slot in SLOTS
    )


def _troop(data: Any, strength: tuple[int, ...], slots: list[Any], days: int, where: str) -> Troop:
    """2.1: one creature in full. Without `of`, one that is alone in its slot has the slot's strength."""
    entry = mapping(data, where)
    known_keys(entry, TROOP_KEYS, where)
    slot = whole(entry.get("slot"), f"{where}: slot")
    if slot not in SLOTS:
        raise CaseError(f"{where}: slot: an army has the slots 1 to 4, not {slot}")
    creature = text(entry.get("creature"), f"{where}: creature")
    where = f"{where}: {creature}"
    if "of" not in entry and slots.count(slot) > 1:
        raise CaseError(f"{where}: of: creatures that share slot {slot} say how many they were")
    of = whole(entry.get("of", strength[slot - 1]), f"{where}: of")
    alive = _alive(whole(entry.get("alive"), f"{where}: alive"), of, where)
    colors = entry.get("color", [])
    return Troop(
        slot=slot,
        creature=creature,
        alive=alive,
        of=of,
        colors=() if colors == [COLORLESS] else _known(colors, CREATURE_COLORS, f"{where}: color"),
        size=text(entry["size"], f"{where}: size") if "size" in entry else "",
        types=names(entry.get("types", ["Creature"]), f"{where}: types"),
        rested=_rested(alive, of, days),
    )


def _alive(alive: int, of: int, where: str) -> int:
    if alive > of:
        raise CaseError(f"{where}: {alive} can't be alive of {of}")
    return alive


def _rested(alive: int, of: int, days: int) -> int:
    """R32: what is missing was lost before the first of the army's days, so it has waited one already."""
    return of - alive if days else 0


def _known(value: Any, known: tuple[str, ...], where: str) -> tuple[str, ...]:
    """Colours out of a closed list."""
    for color in names(value, where):
        if color not in known:
            raise CaseError(f"{where}: {color} is none of {', '.join(known)}")
    return names(value, where)
