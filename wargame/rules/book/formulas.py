"""4.2 to 4.5, R36 to R42: the formulas of a book: the use of each, its names, and its valid results."""

from dataclasses import dataclass

from wargame.rules.core.saying import marked, said

MOST_BONUS = 10
"""4.2.1, 4.2.2: a strategy or size bonus is +0 to +10."""

PERMILLE = 1000
PERCENT = 100
MOST_EDGE = 20
"""4.3.3: with an edge of 20 a d20 always beats the other, with one of -20 never."""

LARGE = 10**12


@dataclass(frozen=True, slots=True)
class Formula:
    """R37, R38: a formula of a book. `given` is the meaning of its number; it is between `least` and `most`, and is
    rounded down where it is `whole`. `names` are the numbers that it may use, described in `NAMES`."""

    name: str
    part: str
    titled: str
    cites: str
    given: str
    least: int
    most: int
    names: tuple[str, ...] = ()
    whole: bool = False
    demanded: str = ""

    @property
    def title(self) -> str:
        """The purpose of the formula, in the reader's language."""
        return said(self.titled)

    @property
    def gives(self) -> str:
        """The meaning of its number, in the reader's language."""
        return said(self.given)

    @property
    def demand(self) -> str:
        """The condition on its number, in the reader's language; empty if the bounds say all."""
        return said(self.demanded) if self.demanded else ""


SIDES = ("size", "enemy_size", "strategy", "enemy_strategy", "defends")
TIED = ("sum", "enemy_sum", *SIDES)
BATTLE = ("ahead", "won", "dice_won", "enemy_dice_won", *SIDES)
AFTER = ("top", "enemy_top", "enemy_lost")

SIZE, DICE, LOSSES, RISKS = marked("Size"), marked("Dice"), marked("Losses"), marked("Kill and capture")
PARTS = (SIZE, DICE, LOSSES, RISKS)

NOT_NEGATIVE = marked("A side's losses can't be negative.")
NOT_ALL = marked("A slot's losses can't be negative or more than its 1000 permille.")

FORMULAS: tuple[Formula, ...] = (
    Formula(
        "creature_worth",
        SIZE,
        marked("Creature value"),
        "4.2.2",
        marked("how much one creature adds to its army's size"),
        least=1,
        most=100_000,
        names=("creature", "slot", "tier"),
        whole=True,
        demanded=marked("Every creature must add something."),
    ),
    Formula(
        "pair_size",
        SIZE,
        marked("Size of a pair"),
        "4.4",
        marked("the size of a side with two armies"),
        least=0,
        most=LARGE,
        names=("larger", "smaller"),
        whole=True,
        demanded=marked("A size can't be below 0."),
    ),
    Formula(
        "size_bonus",
        SIZE,
        marked("Size bonus"),
        "4.2.2",
        marked("the bonus of the larger side, 0 to 10"),
        least=0,
        most=MOST_BONUS,
        names=("ratio", "larger", "smaller", "pairs"),
        whole=True,
        demanded=marked("A size bonus must be 0 to 10 (4.2.2)."),
    ),
    Formula(
        "die_points",
        DICE,
        marked("A pair of dice"),
        "R37",
        marked("what a side wins with one of its four dice; calculated for each side"),
        least=0,
        most=10,
        names=("die", "enemy_die", "defends"),
        whole=True,
    ),
    Formula(
        "equal_counts",
        DICE,
        marked("Both sides won the same number of dice"),
        "R37",
        marked("calculated for each side: the higher one wins"),
        least=-LARGE,
        most=LARGE,
        names=TIED,
    ),
    Formula(
        "equal_sums",
        DICE,
        marked("Still tied"),
        "R37",
        marked("the same, used if that is tied too; if this is also tied, the dice are rolled again"),
        least=-LARGE,
        most=LARGE,
        names=TIED,
    ),
    Formula(
        "most_rounds",
        DICE,
        marked("Maximum dice rounds"),
        "R37",
        marked("how often the four dice are rolled before a coin is tossed"),
        least=1,
        most=100,
        whole=True,
    ),
    Formula(
        "stratless_loses",
        DICE,
        marked("A stratless side loses"),
        "4.2.4",
        marked("1 if it always loses, 0 if the dice decide"),
        least=0,
        most=1,
        whole=True,
        demanded=marked("1 is yes, 0 is no."),
    ),
    Formula(
        "die_loss",
        LOSSES,
        marked("Losses per die"),
        "4.2.5",
        marked("permille of its troops that a side loses from one of its four dice"),
        least=0,
        most=PERMILLE,
        names=("die", "enemy_die", "ahead"),
        demanded=NOT_NEGATIVE,
    ),
    Formula(
        "side_loss",
        LOSSES,
        marked("Losses of a side"),
        "4.2.5",
        marked("permille of its troops that a side loses, from its dice"),
        least=0,
        most=LARGE,
        names=("dice", *BATTLE),
        demanded=NOT_NEGATIVE,
    ),
    Formula(
        "stratless_loss",
        LOSSES,
        marked("Without a strat"),
        "4.2.4",
        marked("the loss of a side that sent no strat, against one that did"),
        least=0,
        most=LARGE,
        names=("loss", *BATTLE),
        demanded=NOT_NEGATIVE,
    ),
    Formula(
        "running_loss",
        LOSSES,
        marked("Running away"),
        "4.2.6",
        marked("the loss of a side that runs away; the enemy loses nothing, and a runner always loses something"),
        least=0,
        most=LARGE,
        names=("loss", *BATTLE),
        demanded=NOT_NEGATIVE,
    ),
    Formula(
        "covering_loss",
        LOSSES,
        marked("Running while a partner has no strat"),
        "4.4",
        marked("the loss of a runner that must cover its stratless partner, calculated after running away"),
        least=0,
        most=LARGE,
        names=("loss", *BATTLE),
        demanded=NOT_NEGATIVE,
    ),
    Formula(
        "pair_loss",
        LOSSES,
        marked("When a pair fights"),
        "4.4",
        marked("each side's loss when two armies fight together on one side"),
        least=0,
        most=LARGE,
        names=("loss", *BATTLE),
        demanded=NOT_NEGATIVE,
    ),
    Formula(
        "weather_loss",
        LOSSES,
        marked("In foul weather"),
        "4.1.2.5",
        marked("each side's loss in weather that isn't fair"),
        least=0,
        most=LARGE,
        names=("loss", "severity", *BATTLE),
        demanded=NOT_NEGATIVE,
    ),
    Formula(
        "most_lost",
        LOSSES,
        marked("Maximum loss per side"),
        "4.2.5",
        marked("permille: the loss calculated so far is capped at this"),
        least=1,
        most=PERMILLE,
        names=BATTLE,
        demanded=marked("A side has only 1000 permille to lose."),
    ),
    Formula(
        "slot_loss",
        LOSSES,
        marked("Losses of a slot"),
        "4.2.5",
        marked("permille of a slot's troops that are lost, rounded up to whole troops"),
        least=0,
        most=PERMILLE,
        names=("loss", "slot", "troops", "won"),
        demanded=NOT_ALL,
    ),
    Formula(
        "kill_edge",
        RISKS,
        marked("Kill"),
        "4.3.3",
        marked("what the winner adds to a d20; the kill succeeds if the total is higher than the beaten army's d20"),
        least=-MOST_EDGE,
        most=MOST_EDGE,
        names=AFTER,
        whole=True,
        demanded=marked("An edge of -20 never wins, and one of 20 always does."),
    ),
    Formula(
        "capture_edge",
        RISKS,
        marked("Capture"),
        "4.5",
        marked("the same for a capture"),
        least=-MOST_EDGE - 1,
        most=MOST_EDGE,
        names=("kill", *AFTER),
        whole=True,
        demanded=marked("An edge of -20 never wins, and one of 20 always does."),
    ),
    Formula(
        "risked_kept",
        RISKS,
        marked("Failing without loss"),
        "4.3.3",
        marked("percent: the chance that risked troops survive a failed kill, a failed capture or a lost battle"),
        least=0,
        most=50,
        names=("won",),
        whole=True,
        demanded=marked("That chance must be small (4.3.3)."),
    ),
)
"""R37, R38: the formulas of every book, in the order in which they are read."""

BY_NAME: dict[str, Formula] = {formula.name: formula for formula in FORMULAS}


MOST_RATIO = 10_000
"""4.2.2: percent; a side that is a hundred times larger counts no larger."""

NAMES: dict[str, str] = {
    "creature": marked("power and toughness of the slot's creatures: 1 for 1/1 to 9 for 9/9"),
    "slot": marked("the slot: 1 (lowest) to 4 (top)"),
    "tier": marked("the army's rank: 1 for General and Chief Praetor to 6 for Lieutenant and Centurion"),
    "larger": marked("the larger of the two sizes"),
    "smaller": marked("the smaller of the two sizes"),
    "ratio": marked("the larger side's size in percent of the smaller one's: 100 to 10,000, rounded down"),
    "pairs": marked("1 if two armies fight together on a side, else 0"),
    "die": marked("the side's die, with its bonuses"),
    "enemy_die": marked("the enemy's die, with its bonuses"),
    "ahead": marked("how far the side is ahead with bonuses (below 0 if behind): on the die, or on all four together"),
    "defends": marked("1 if the side defends, else 0; both 0 in a no-attacker battle"),
    "sum": marked("the sum of the side's four dice, with bonuses"),
    "enemy_sum": marked("the sum of the enemy's four dice, with bonuses"),
    "size": marked("the side's size"),
    "enemy_size": marked("the enemy's size"),
    "strategy": marked("the side's strategy bonus, 0 to 10"),
    "enemy_strategy": marked("the enemy's strategy bonus, 0 to 10"),
    "won": marked("1 if the side won the battle, else 0"),
    "dice_won": marked("what the side's dice won, by the formula for a pair of dice"),
    "enemy_dice_won": marked("what the enemy's dice won"),
    "dice": marked("permille that the side loses from its four dice together"),
    "loss": marked("permille of its troops that the side loses, as calculated so far"),
    "troops": marked("how many troops of the slot fight"),
    "severity": marked("how foul the weather is: 0 (fair) to 10"),
    "top": marked("living troops in the winner's top slot after the battle, including risked ones"),
    "enemy_top": marked("living troops in the beaten army's top slot after the battle"),
    "enemy_lost": marked("percent of its troops that the beaten army lost in the battle, rounded down"),
    "kill": marked("the edge that a kill would have here"),
}
"""R37: every number that a formula may use, and its meaning."""
