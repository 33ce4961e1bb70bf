"""R37: the numbers that the formulas of a book may use, by name."""

from __future__ import annotations

MOST_RATIO = 10_000
"""4.2.2: percent; a side that is a hundred times larger counts no larger."""

NAMES: dict[str, str] = {
    "creature": "power and toughness of the slot's creatures: 1 for 1/1 to 9 for 9/9",
    "slot": "the slot: 1, the lowest, to 4, the top one",
    "tier": "the army's rank: 1 for General and Chief Praetor to 6 for Lieutenant and Centurion",
    "larger": "the larger of the two sizes",
    "smaller": "the smaller of the two sizes",
    "ratio": f"the larger side's size in percent of the smaller one's: 100 to {MOST_RATIO:,}, rounded down",
    "pairs": "1 if two armies fight together on a side, else 0",
    "die": "the side's die, with its bonuses",
    "enemy_die": "the enemy's die, with its bonuses",
    "ahead": "by how much the side is ahead with bonuses, below 0 if it is behind: on the die, or on all four together",
    "defends": "1 if the side defends, else 0; both 0 in a no-attacker battle",
    "sum": "the sum of the side's four dice, with bonuses",
    "enemy_sum": "the sum of the enemy's four dice, with bonuses",
    "size": "the side's size",
    "enemy_size": "the enemy's size",
    "strategy": "the side's strategy bonus, 0 to 10",
    "enemy_strategy": "the enemy's strategy bonus, 0 to 10",
    "won": "1 if the side won the battle, else 0",
    "dice_won": "what the side's dice won, by the formula for a pair of dice",
    "enemy_dice_won": "what the enemy's dice won",
    "dice": "permille that the side loses by its four dice together",
    "loss": "permille of its troops that the side loses, as worked out so far",
    "troops": "how many troops of the slot fight",
    "severity": "how foul the weather is: 0, fair, to 10",
    "top": "living troops in the winner's top slot after the battle, with those that are risked",
    "enemy_top": "living troops in the beaten army's top slot after the battle",
    "enemy_lost": "percent of its troops that the beaten army lost in the battle, rounded down",
    "kill": "the edge that a kill would have here",
}
"""R37: every number that a formula may use, and what it is."""
