"""2, 13: the public data of a thing, and its form in a case's position."""

from collections.abc import Mapping

from tables.core import query, traits
from tables.core.lists.cards import Card
from tables.core.play import Play, ThingChange
from tables.core.reasons import Refused
from tables.core.state import State, Thing
from tables.core.zones import kind_of
from tables.games.seize import stats, statuses
from wargame.rules.core.saying import said

COUNTS = ("exhaust", "bleed", "poison", "frost", "burn", "regen", "fortify")
"""13: the counters on a mercenary."""
FLAGS = ("blind", "silence", "stealth", "leech")
"""13: the statuses without a number."""
ARMOR = ("armor", "magic armor")
"""13.4: what lasts on a mercenary besides its equipment and events."""


def shows(state: State, thing: Thing | None) -> Mapping[str, object]:
    """5: the public data of a thing in the open: a treasure's state, or all of a mercenary's numbers."""
    if thing is None:
        return {}
    data: dict[str, object] = {"exhausted": thing.engaged, "face_down": thing.face_down}
    if kind_of(thing.zone) != "battlefield" or thing.under:
        return data
    card = state.cards[thing.card]
    data |= {kind: stats.count(thing, kind) for kind in (*COUNTS, *ARMOR, "defense")}
    data |= {kind: stats.count(thing, kind) > 0 for kind in FLAGS}
    data |= {
        "at": thing.at,
        "health": stats.health(state, thing),
        "maximum": stats.maximum(state, thing),
        "melee": query.statistic(state, thing, "melee"),
        "ranged": query.statistic(state, thing, "ranged"),
        "move": query.statistic(state, thing, "move"),
        "bounty": query.statistic(state, thing, "bounty"),
        "all armor": query.statistic(state, thing, "armor"),
        "all magic armor": query.statistic(state, thing, "magic armor"),
        "class": card.class_,
        "blinded": stats.blinded(state, thing),
        "guild_master": stats.count(thing, "guild master") > 0,
        "equipped": [one.card for one in state.beneath(thing.key)],
    }
    return data


def lay(card: Card, given: Mapping[str, object]) -> ThingChange:
    """13: the properties of a thing in a position, in Seize's words. ValueError names what can't be read."""
    zone, fields = str(given.get("zone")), {key: value for key, value in given.items() if key != "zone"}
    counters: dict[str, int] = {}
    changes: ThingChange = {
        "at": str(fields.pop("at", "")),
        "engaged": fields.pop("exhausted", False) is True,
        "face_down": fields.pop("face_down", False) is True,
    }
    if zone == "battlefield" and card.type == "mercenary":
        counters["defense"] = card.defense
        counters |= {keyword: 1 for keyword in card.keywords if keyword in FLAGS}
    if fields.pop("guild_master", False) is True:
        counters["guild master"] = 1
    for name in (*COUNTS, *FLAGS, *ARMOR, "defense"):
        if name in fields:
            counters[name] = _whole(name, fields.pop(name))
    health = fields.pop("health", None)
    if health is not None:
        most = card.health + _fortified(counters)
        changes["damage"] = most - _whole("health", health)
        if changes["damage"] < 0:
            raise ValueError(f"it has {most} health at most")
    if fields:
        raise ValueError(f"unknown keys of a card: {', '.join(sorted(fields))}")
    changes["counters"] = tuple((name, count) for name, count in counters.items() if count)
    return changes


def _fortified(counters: Mapping[str, int]) -> int:
    """13.9.2: the amount that Fortify adds to the maximum."""
    steps = traits.BY_COUNTERS["health"][1] or (0,)
    return steps[min(counters.get("fortify", 0), len(steps) - 1)]


def _whole(name: str, value: object) -> int:
    if not isinstance(value, int):
        raise ValueError(f"{name} is a number, or true")
    return int(value)


def set_number(play: Play, thing: Thing, name: str, number: int) -> None:
    """11: set a number of a mercenary by agreement or ruling: its health, or counters of a kind."""
    if name == "health":
        play.change(thing.key, damage=max(0, stats.maximum(play.state, thing) - number))
    elif name in (*COUNTS, *ARMOR, "defense"):
        statuses.see_top(play, statuses.put(play, thing, name, number))
    else:
        raise Refused("K42", said("you can't set %(name)s for a mercenary", name=name))
