from random import Random

from scripts.bench import floor
from scripts.bench.measuring import Row, timed
from scripts.bench.turns import SEED, war
from wargame.rules.battle.battle import BattleSide, Fighter, fight
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.core.dice import battle_dice
from wargame.rules.core.troops import alive_by_slot

BATTLES = 200


def a_battle_against_a_floor() -> Row:
    """From strats and bonuses to losses, against eight dice and a percentage."""
    first, second, *_ = war().position.armies
    sides = BattleSide((Fighter(first),), 3), BattleSide((Fighter(second),))
    alive = list(alive_by_slot(first.troops)), list(alive_by_slot(second.troops))

    def ours() -> None:
        for number in range(BATTLES):
            fight(sides, 0, DEFAULT, battle_dice(SEED, "bench", 1, number, ()))

    def toy() -> None:
        random = Random(1)
        for _ in range(BATTLES):
            floor.fight(alive, (3, 0), random)

    return Row("fight", "a battle", lambda: timed(ours, BATTLES), "a toy", lambda: timed(toy, BATTLES), 10)


ROWS = (a_battle_against_a_floor,)
