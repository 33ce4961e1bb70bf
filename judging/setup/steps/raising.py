"""2.5.2.2, 2.5.3: accepted musters and mercenaries become armies on the map."""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError, transaction

from judging.armies.models import HandedIn, Muster
from judging.armies.musters.judged import snapshot
from judging.game.errors import Refused
from judging.setup.models import MercenaryPlan
from wargame.models import Army, Troop
from wargame.rules.armies import muster as rules
from wargame.rules.core.board import read_square
from wargame.rules.core.sides import Faction, Side
from wargame.rules.mercenaries.muster import POST_OF


@transaction.atomic
def raise_army(*, muster: Muster, at: str) -> Army:
    """2.5.2.2, 2.5.2.3: the army with all its troops alive, on that square.

    Refused if the judge has not accepted the muster, if the square is not on the map, or if the name is taken.
    """
    if muster.state != HandedIn.ACCEPTED:
        raise Refused(f"{muster} is not accepted, so it can't be raised.", "2.5.2.2")
    try:
        square = read_square(at)
    except ValueError as error:
        raise Refused(str(error), "1.2") from None
    if not square.on_map:
        raise Refused(f"{square} is not on the map, which ends at 38 and at N.", "1.2")
    try:
        with transaction.atomic():
            army = Army.objects.create(
                round_id=muster.round_id,
                name=muster.name,
                side=muster.side,
                rank=muster.rank,
                at=str(square),
                colors=muster.colors,
                legend=muster.legend,
                namesake=muster.namesake,
            )
    except IntegrityError:
        raise Refused(f"Another army is called {muster.name}.", "2.5.2.2") from None
    Troop.objects.bulk_create(_troop(army, place, troop) for place, troop in enumerate(muster.troops))
    return army


def raise_mercenary(plan: MercenaryPlan, muster: rules.Muster) -> Army:
    """2.5.3, 6.1 to 6.3: a mercenary army as it is planned, with what its list was read as. All but raiders have a
    home: the square where they start."""
    post = POST_OF[plan.lot]
    army = Army.objects.create(
        round_id=plan.round_id,
        name=muster.name,
        side=Side.MERCENARY,
        faction=post.faction,
        mercenary_tier=post.tier,
        at=plan.at,
        home="" if post.faction is Faction.RAIDER else plan.at,
        legend=muster.legend.name if muster.legend else "",
    )
    Troop.objects.bulk_create(_troop(army, place, troop) for place, troop in enumerate(snapshot(muster)))
    return army


def _troop(army: Army, place: int, troop: dict[str, Any]) -> Troop:
    return Troop(
        round_id=army.round_id,
        army=army,
        place=place,
        slot=troop["slot"],
        creature=troop["creature"],
        colors=troop["colors"],
        size=troop["size"],
        types=troop["types"],
        alive=troop["number"],
        of=troop["number"],
    )
