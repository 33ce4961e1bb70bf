"""R38: the rolls of an outcome under the names by which anybody draws them again, and the odds by public dice."""

from tests.rules.test_kills_and_captures import ANN, YAK, ZED
from wargame.rules.battle.battle import BattleSide, Fighter, fight
from wargame.rules.battle.kills_and_captures import work_out
from wargame.rules.battle.odds import odds
from wargame.rules.battle.told_rolls import told_rolls
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.risked_troops import Risk
from wargame.rules.core.dice import Dice, Roll


def test_every_roll_of_an_outcome_is_told_with_its_name_sides_and_number():
    outcome = {
        "rolls": [[[1, 2, 3, 4], [5, 6, 7, 8]], [[9, 10, 11, 12], [13, 14, 15, 16]]],
        "why": "COIN",
        "winner": 1,
        "attempts": [
            {"army": "Ann", "risk": "kill", "rolls": [17, 18], "fate": 77},
            {"army": "Bea", "risk": "capture", "rolls": [19, 20], "fate": 0},
            {"army": "Zed", "risk": "kill", "rolls": [], "fate": 5},
        ],
    }
    first, second = "d20 side 1", "d20 side 2"
    assert told_rolls(outcome) == (
        *[Roll(first, 20, face, number) for number, face in enumerate((1, 2, 3, 4), 1)],
        *[Roll(second, 20, face, number) for number, face in enumerate((5, 6, 7, 8), 1)],
        *[Roll(first, 20, face, number) for number, face in enumerate((9, 10, 11, 12), 5)],
        *[Roll(second, 20, face, number) for number, face in enumerate((13, 14, 15, 16), 5)],
        *[Roll("coin", 2, 2), Roll("kill by Ann", 20, 17, 1), Roll("kill by Ann", 20, 18, 2)],
        *[Roll("risked by Ann", 100, 77), Roll("capture by Bea", 20, 19, 1), Roll("capture by Bea", 20, 20, 2)],
        Roll("risked by Zed", 100, 5),
    )


def test_the_odds_are_those_of_as_many_battles_with_the_public_dice():
    """R38: anybody can work them out; none of a battle's own dice is used."""
    sides = BattleSide((Fighter(ANN, risk=Risk.KILL),), 3), BattleSide((Fighter(ZED, risk=Risk.CAPTURE), Fighter(YAK)))
    won, lost, killed, captured = 0, {"Ann": [0] * 4, "Zed": [0] * 4, "Yak": [0] * 4}, {}, {}
    for number in range(40):
        dice = Dice(b"wargame-odds-1", f"wargame-odds-1\n{number}")
        outcome = fight(sides, 1, DEFAULT, dice, severity=2)
        conquest = work_out(sides, outcome, DEFAULT, dice)
        won += outcome.winner == 0
        for name, losses in outcome.losses.items():
            lost[name] = [before + more for before, more in zip(lost[name], losses, strict=True)]
        for name in conquest.killed:
            killed[name] = killed.get(name, 0) + 1
        for name in conquest.captured:
            captured[name] = captured.get(name, 0) + 1
    told = odds(sides, 1, DEFAULT, severity=2, trials=40)
    assert told.trials == 40
    assert told.wins == (round(1000 * won / 40), 1000 - round(1000 * won / 40))
    assert told.losses == {name: tuple(number // 40 for number in numbers) for name, numbers in lost.items()}
    assert told.killed == {name: round(1000 * times / 40) for name, times in killed.items()}
    assert told.captured == {name: round(1000 * times / 40) for name, times in captured.items()}
    assert 0 < won < 40
    assert killed
    assert odds(sides, 1, DEFAULT).trials == 200
    dice = Dice(b"wargame-odds-1", "wargame-odds-1\n0")
    first = fight(sides, 1, DEFAULT, dice)
    once = odds(sides, 1, DEFAULT, trials=1)
    assert (once.wins[first.winner], once.losses) == (1000, first.losses)
    assert set(once.killed.values()) | set(once.captured.values()) <= {1000}
