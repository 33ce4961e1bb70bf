"""Mercenaries for the tests of services and pages."""

from tests.keeping import kept
from tests.services.world_of_tests import TROOPS
from wargame.models import Army, Round, Troop

TIERS = {"town_defender": 5, "theme": 4, "ocean_theme": 4, "raider": 6}


@kept
def add_mercenary(round_: Round, name: str, faction: str, at: str) -> Army:
    """A mercenary at full strength, at home where it stands; the round must not have begun."""
    tier = TIERS[faction]
    army = Army.objects.create(
        round=round_, name=name, side="mercenary", faction=faction, mercenary_tier=tier, at=at, home=at
    )
    Troop.objects.bulk_create(
        Troop(
            round=round_, army=army, place=place, slot=place + 1, creature=f"{name} {place}", size="1/1",
            types=["Creature"], alive=number, of=number,
        )
        for place, number in enumerate(TROOPS)
    )  # fmt: skip
    return army
