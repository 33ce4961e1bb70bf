"""2.1: armies."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Missing
from judging.api.examples import ARMY, ARMY_DETAIL
from judging.api.schema import describe
from judging.api.shapes.armies import ArmyDetailOut, ArmyOut, ArmyQuery
from judging.selectors.armies import ArmyCard, ArmyLine, army_card, army_list, names_like, now_called
from wargame.rules.core.board import read_square

KEYS: dict[str, Callable[[ArmyLine], Any]] = {
    "name": lambda line: line.name.casefold(),
    "rank": lambda line: line.tier,
    "at": lambda line: read_square(line.at) if line.at else (99, 99),
    "alive": lambda line: line.alive,
}


class Armies(ListView):
    """2.1: the armies of a round as they stand now."""

    @describe(
        "armies_list",
        "armies",
        "The armies as they stand now",
        out=ArmyOut(many=True),
        example=ARMY,
        asks=ArmyQuery,
        problems=(400, 404),
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = self.read(ArmyQuery, request.query_params)
        armies = army_list(self.round(slug), timezone.now())
        return self.page(_sorted([line for line in armies if _fits(line, asked)], asked["ordering"]), ArmyOut)


class OneArmy(ApiView):
    """2.1: one army with its troops."""

    @describe("armies_read", "armies", "One army, by its exact name", out=ArmyDetailOut, example=ARMY_DETAIL)
    def get(self, request: Request, slug: str, name: str) -> Response:
        viewer = self.viewer(slug)
        card = army_card(viewer.round, name, viewer, timezone.now()) if "\0" not in name else None
        if card is None:
            if renamed := now_called(viewer.round, name):
                raise Missing(f"{name[:40]} is called “{renamed}” now.", "2.6")
            near = names_like(viewer.round, name[:40])
            meant = f" Did you mean {' or '.join(near)}?" if near else ""
            raise Missing(f"There is no army “{name[:40]}” in this round.{meant}", "3.2.2.5")
        return Response(ArmyDetailOut(_card_data(card)).data)


def _fits(line: ArmyLine, asked: dict[str, Any]) -> bool:
    search = asked.get("search", "").casefold()
    exact = all(getattr(line, name) == asked[name] for name in ("side", "rank", "faction", "at") if name in asked)
    is_found = any(search in name.casefold() for name in (line.name, *line.controllers))
    return exact and is_found and (asked["dead"] or line.died_in is None)


def _sorted(lines: list[ArmyLine], ordering: str) -> list[ArmyLine]:
    """By what was asked for; equal ones by name."""
    by_name = sorted(lines, key=KEYS["name"])
    return sorted(by_name, key=KEYS[ordering.removeprefix("-")], reverse=ordering.startswith("-"))


def _card_data(card: ArmyCard) -> dict[str, Any]:
    army = card.army
    row = ("name", "side", "rank", "faction", "at", "colors", "legend", "days", "died_in")
    own = ("title", "place", "battle", "captive_of", "controllers", "plan")
    troops = [
        {"slot": slot.number, "creature": name, "size": size, "colors": colors, "alive": alive, "of": of}
        for slot in card.troops.slots
        for name, size, colors, alive, of in slot.creatures
    ]
    turns = [{"turn": t.number, "settled_at": t.settled_at, "events": t.events} for t in card.history]
    return {
        **{name: getattr(army, name) for name in row},
        **{name: getattr(card, name) for name in own},
        "alive": card.troops.alive,
        "of": card.troops.of,
        "troops": troops,
        "history": turns,
    }
