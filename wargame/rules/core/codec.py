"""DESIGN: positions as plain JSON and back, and the hash that names a position."""

import hashlib
import json
from typing import Any

from wargame.rules.core.board import Base, Board, Town, read_square
from wargame.rules.core.orders import Step
from wargame.rules.core.position import Army, Battle, Campaign, Captivity, Plan, PlannedStep, Position, Transit
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import Troop

Json = dict[str, Any]

_ENCODER = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False)


class Written(dict[str, Any]):
    """Encoded JSON: `text` is its canonical form; both must not change."""

    __slots__ = ("text",)

    def __init__(self, data: Json) -> None:
        """`data` has the keys of all its objects in sorted order."""
        super().__init__(data)
        self.text = _ENCODER.encode(data)


def written_position(position: Position) -> Written:
    """A position as JSON and as the text under its hash."""
    return Written(position_to_json(position))


def position_to_json(position: Position) -> Json:
    """A position as JSON: squares as `3D`, everything in a stable order, the keys in canonical order."""
    return {
        "armies": [army_to_json(army) for army in position.armies],
        "bases": [_base_to_json(base) for base in position.board.bases],
        "battles": [battle_to_json(battle) for battle in position.battles],
        "fallen": [side.value for side in position.fallen],
        "terrain": list(position.board.terrain),
        "towns": [{"at": str(town.at), "name": town.name} for town in position.board.towns],
        "transits": [_transit_to_json(transit) for transit in position.transits],
        "won_by": [side.value for side in position.won_by],
    }


def position_from_json(data: Json) -> Position:
    bases = tuple(_base_from_json(base) for base in data["bases"])
    towns = tuple(Town(town["name"], read_square(town["at"])) for town in data["towns"])
    return Position(
        board=Board(tuple(data["terrain"]), bases, towns),
        armies=tuple(army_from_json(army) for army in data["armies"]),
        battles=tuple(battle_from_json(battle) for battle in data["battles"]),
        transits=tuple(_transit_from_json(transit) for transit in data["transits"]),
        fallen=tuple(Side(side) for side in data["fallen"]),
        won_by=tuple(Side(side) for side in data["won_by"]),
    )


def canonical(data: Json) -> str:
    """JSON in canonical form: sorted keys, no whitespace."""
    if isinstance(data, Written):
        return data.text
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(data: Json) -> str:
    """The SHA-256 of JSON in canonical form, in UTF-8."""
    return hashlib.sha256(canonical(data).encode()).hexdigest()


def army_to_json(army: Army) -> Json:
    """An army as JSON; `rank` and `faction` are empty if it has none, and `sent` is left out if it sent nothing."""
    return {
        "at": str(army.at),
        "campaign": campaign_to_json(army.campaign),
        "captivity": captivity_to_json(army.captivity),
        "colors": list(army.colors),
        "days": army.days,
        "faction": army.faction.value if army.faction else "",
        "former": list(army.former),
        "home": str(army.home) if army.home else "",
        "mercenary_tier": army.mercenary_tier,
        "name": army.name,
        "plan": plan_to_json(army.plan),
        "rank": army.rank.value if army.rank else "",
        **({"sent": list(army.sent)} if army.sent else {}),
        "side": army.side.value,
        "troops": [troop_to_json(troop) for troop in army.troops],
        "winning_days": army.winning_days,
    }


def army_from_json(data: Json) -> Army:
    return Army(
        name=data["name"],
        side=Side(data["side"]),
        at=read_square(data["at"]),
        rank=Rank(data["rank"]) if data["rank"] else None,
        faction=Faction(data["faction"]) if data["faction"] else None,
        mercenary_tier=data["mercenary_tier"],
        colors=tuple(data["colors"]),
        troops=tuple(troop_from_json(troop) for troop in data["troops"]),
        days=data["days"],
        winning_days=data["winning_days"],
        plan=plan_from_json(data["plan"]),
        captivity=captivity_from_json(data["captivity"]),
        home=read_square(data["home"]) if data["home"] else None,
        former=tuple(data["former"]),
        campaign=campaign_from_json(data["campaign"]),
        sent=tuple(data.get("sent", ())),
    )


def troop_to_json(troop: Troop) -> Json:
    """A troop as JSON, one key a field; `lost_in_day` is left out if it lost none."""
    return {
        "alive": troop.alive,
        "anonymous": troop.anonymous,
        "colors": list(troop.colors),
        "creature": troop.creature,
        **({"lost_in_day": troop.lost_in_day} if troop.lost_in_day else {}),
        "of": troop.of,
        "rested": troop.rested,
        "size": troop.size,
        "slot": troop.slot,
        "types": list(troop.types),
    }


def troop_from_json(data: Json) -> Troop:
    return Troop(**{**data, "colors": tuple(data["colors"]), "types": tuple(data["types"])})


def plan_to_json(plan: Plan | None) -> Json | None:
    if plan is None:
        return None
    steps = [
        dict(sorted({**step_to_json(planned.step), "stood": [list(pair) for pair in planned.stood]}.items()))
        for planned in plan.steps
    ]
    return {"at": plan.at, "by": plan.by, "place": list(plan.place), "steps": steps}


def plan_from_json(data: Json | None) -> Plan | None:
    if data is None:
        return None
    steps = tuple(
        PlannedStep(step_from_json(step), tuple((name, Side(side)) for name, side in step["stood"]))
        for step in data["steps"]
    )
    post, line = data["place"]
    return Plan(data["by"], steps, data["at"], (post, line))


def step_to_json(step: Step) -> Json:
    return {
        "from": str(step.start),
        "route": [str(square) for square in step.route] if step.route else None,
        "suffix": step.suffix,
        "target": step.target,
        "to": str(step.to),
    }


def step_from_json(data: Json) -> Step:
    route = tuple(read_square(square) for square in data["route"]) if data["route"] else None
    return Step(read_square(data["from"]), read_square(data["to"]), route, data["suffix"], data["target"])


def captivity_to_json(captivity: Captivity | None) -> Json | None:
    """4.5: a captured army's past as JSON."""
    if captivity is None:
        return None
    return {
        "colors": list(captivity.colors),
        "controllers": list(captivity.controllers),
        "converted": captivity.converted,
        "native": list(captivity.native),
        "side": captivity.side.value,
    }


def captivity_from_json(data: Json | None) -> Captivity | None:
    if data is None:
        return None
    return Captivity(
        side=Side(data["side"]),
        colors=tuple(data["colors"]),
        native=tuple(data["native"]),
        controllers=tuple(data["controllers"]),
        converted=data["converted"],
    )


def campaign_to_json(campaign: Campaign | None) -> Json | None:
    """6.2: the state that a theme army keeps from turn to turn, as JSON."""
    if campaign is None:
        return None
    return {
        "area": str(campaign.area) if campaign.area else "",
        "at_war": [side.value for side in campaign.at_war],
        "battles": campaign.battles,
        "fought": list(campaign.fought),
        "has_healed": campaign.has_healed,
    }


def campaign_from_json(data: Json | None) -> Campaign | None:
    if data is None:
        return None
    return Campaign(
        at_war=tuple(Side(side) for side in data["at_war"]),
        has_healed=data["has_healed"],
        fought=tuple(data["fought"]),
        area=read_square(data["area"]) if data["area"] else None,
        battles=data["battles"],
    )


def battle_to_json(battle: Battle) -> Json:
    """A battle of a position as JSON: its square, its defender, and the armies of its sides."""
    return {"at": str(battle.at), "defends": battle.defends, "sides": [list(side) for side in battle.sides]}


def battle_from_json(data: Json) -> Battle:
    first, second = data["sides"]
    return Battle(read_square(data["at"]), (tuple(first), tuple(second)), data["defends"])


def _base_to_json(base: Base) -> Json:
    return {
        "at": str(base.at),
        "color": base.color,
        "destroyed": base.destroyed,
        "name": base.name,
        "side": base.side.value,
        "win": base.win,
    }


def _base_from_json(data: Json) -> Base:
    at, side = read_square(data["at"]), Side(data["side"])
    return Base(data["name"], at, side, data["color"], data["win"], data["destroyed"])


def _transit_to_json(transit: Transit) -> Json:
    return {
        "receiver": transit.receiver,
        "sender": transit.sender,
        "troops": [troop_to_json(troop) for troop in transit.troops],
    }


def _transit_from_json(data: Json) -> Transit:
    troops = tuple(troop_from_json(troop) for troop in data["troops"])
    return Transit(data["sender"], data["receiver"], troops)
