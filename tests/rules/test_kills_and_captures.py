"""4.3.2 to 4.3.4, 4.5, 6.3.2, R39, R40: kills and captures after a battle, and the odds of a battle."""

import pytest

from wargame.rules.battle import kills_and_captures
from wargame.rules.battle.adjusting import Adjustment, Special, adjusted_losses, adjusted_sides
from wargame.rules.battle.battle import BattleSide, Fighter, Outcome, fight
from wargame.rules.battle.kills_and_captures import Attempt, Strength, conquest_to_json, work_out
from wargame.rules.battle.odds import odds
from wargame.rules.book.book import Book, book_of
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.risked_troops import NO_TROOPS, RISKED, Risk
from wargame.rules.core.board import read_square
from wargame.rules.core.dice import Dice, battle_dice
from wargame.rules.core.position import Army, Captivity
from wargame.rules.core.sides import Faction, Rank, Side
from wargame.rules.core.troops import Troop

FULL = (5000, 2500, 1500, 1000)


def army(
    name: str, side: Side = Side.COALITION, rank: Rank | None = Rank.LIEUTENANT, troops: tuple[int, ...] = FULL
) -> Army:
    kinds = tuple(Troop(slot, f"{name} {slot}", number, number) for slot, number in enumerate(troops, 1))
    faction = None if rank else Faction.RAIDER
    return Army(name, side, read_square("5E"), rank, faction, troops=kinds)


ANN, BEA = army("Ann"), army("Bea")
ZED = army("Zed", Side.PHYREXIA, Rank.CENTURION)
YAK = army("Yak", Side.PHYREXIA, Rank.CENTURION)
RAIDER = army("Rats", Side.MERCENARY, None)


def beaten(winners: tuple[Fighter, ...], losers: tuple[Fighter, ...]) -> tuple[tuple[BattleSide, BattleSide], Outcome]:
    """A battle that the first side has won, with the casualties that its dice gave."""
    sides = BattleSide(winners, 10), BattleSide(losers)
    outcome = fight(sides, 0, DEFAULT, battle_dice(b"x", "trial", 1, 1, ()), ((20,) * 4, (1,) * 4))
    assert outcome.winner == 0
    return sides, outcome


@pytest.fixture
def always(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every attempt succeeds."""
    monkeypatch.setattr(kills_and_captures, "kill_succeeds", lambda *_: True)
    monkeypatch.setattr(kills_and_captures, "capture_succeeds", lambda *_: True)


@pytest.fixture
def never(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every attempt fails, and the risked troops die."""
    monkeypatch.setattr(kills_and_captures, "kill_succeeds", lambda *_: False)
    monkeypatch.setattr(kills_and_captures, "capture_succeeds", lambda *_: False)
    monkeypatch.setattr(kills_and_captures, "risked_lost", lambda *_: True)


def dice(seed: int = 0) -> Dice:
    return battle_dice(bytes([seed]), "trial", 1, 1, ())


@pytest.mark.usefixtures("always")
def test_a_kill_that_succeeds_takes_its_target_and_costs_no_risked_troops():
    done = work_out(*beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED),)), DEFAULT, dice())
    assert (done.killed, done.captured) == (("Zed",), ())
    assert done.attempts[0].lost == NO_TROOPS


@pytest.mark.usefixtures("always")
@pytest.mark.parametrize("risk", list(Risk))
@pytest.mark.parametrize("target", ["Zed", "Yak"])
def test_of_two_enemies_the_one_that_a_judge_named_is_taken(risk, target):
    """4.3.3, 4.5."""
    ann = Fighter(ANN, risk=risk, target=target)
    done = work_out(*beaten((ann,), (Fighter(ZED), Fighter(YAK))), DEFAULT, dice())
    assert [attempt.target for attempt in done.attempts] == [target]


@pytest.mark.usefixtures("always")
def test_an_enemy_that_was_named_and_is_gone_leaves_nobody_to_be_taken():
    """4.4: its partner's kill came first."""
    both = Fighter(ANN, risk=Risk.KILL, target="Zed"), Fighter(BEA, risk=Risk.KILL, target="Zed")
    done = work_out(*beaten(both, (Fighter(ZED), Fighter(YAK))), DEFAULT, dice())
    assert done.killed == ("Zed",)
    assert (done.attempts[1].target, done.attempts[1].lost) == (None, NO_TROOPS)


def test_a_capture_that_is_aimed_at_an_army_of_high_rank_risks_nobody():
    """4.5."""
    high = YAK._replace(rank=Rank.EVINCAR)
    ann = Fighter(ANN, risk=Risk.CAPTURE, target="Yak")
    _, outcome = beaten((ann,), (Fighter(ZED), Fighter(high)))
    assert outcome.risked == {}


@pytest.mark.usefixtures("always")
def test_a_capture_takes_an_army_of_the_lowest_ranks_only():
    done = work_out(*beaten((Fighter(ANN, risk=Risk.CAPTURE),), (Fighter(ZED),)), DEFAULT, dice())
    assert done.captured == ("Zed",)
    high = ZED._replace(rank=Rank.PLAGUELORD)
    assert work_out(*beaten((Fighter(ANN, risk=Risk.CAPTURE),), (Fighter(high),)), DEFAULT, dice()).attempts == ()


@pytest.mark.usefixtures("always")
def test_a_partially_converted_army_is_not_captured_anew():
    captive = ZED._replace(captivity=Captivity(Side.COALITION, (), ()))
    done = work_out(*beaten((Fighter(ANN, risk=Risk.CAPTURE),), (Fighter(captive),)), DEFAULT, dice())
    assert done.captured == ()
    assert done.attempts[0].target is None
    assert done.attempts[0].lost == NO_TROOPS


@pytest.mark.usefixtures("never")
def test_a_kill_that_fails_costs_the_risked_troops():
    done = work_out(*beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED),)), DEFAULT, dice())
    assert done.killed == ()
    assert done.attempts[0].lost == RISKED[Risk.KILL]


@pytest.mark.usefixtures("never")
def test_raiders_never_lose_their_kill_squads_for_a_failed_kill():
    """6.3.2, Hellbent."""
    done = work_out(*beaten((Fighter(RAIDER, risk=Risk.KILL),), (Fighter(ZED),)), DEFAULT, dice())
    assert (done.attempts[0].fate, done.attempts[0].lost) == (None, NO_TROOPS)


@pytest.mark.usefixtures("never")
def test_raiders_lose_their_kill_squads_with_a_battle_that_is_lost():
    """R62: Hellbent is for the kill that failed."""
    done = work_out(*beaten((Fighter(ANN),), (Fighter(RAIDER, risk=Risk.KILL),)), DEFAULT, dice())
    assert done.attempts[0].lost == RISKED[Risk.KILL]


@pytest.mark.usefixtures("never")
def test_whoever_loses_the_battle_tries_nothing_and_loses_what_it_risked():
    done = work_out(*beaten((Fighter(ANN),), (Fighter(ZED, risk=Risk.KILL),)), DEFAULT, dice())
    attempt = done.attempts[0]
    assert (attempt.target, attempt.rolls, attempt.lost) == (None, None, RISKED[Risk.KILL])
    assert done.killed == ()


@pytest.mark.usefixtures("always")
def test_two_killers_take_two_enemies_and_the_weakest_top_slot_first():
    weak = YAK._replace(troops=army("Yak", Side.PHYREXIA, Rank.CENTURION, (5000, 2500, 1500, 200)).troops)
    winners = Fighter(ANN, risk=Risk.KILL), Fighter(BEA, risk=Risk.KILL)
    done = work_out(*beaten(winners, (Fighter(ZED), Fighter(weak))), DEFAULT, dice())
    assert [one.target for one in done.attempts] == ["Yak", "Zed"]
    assert {one.army for one in done.attempts} == {"Ann", "Bea"}


@pytest.mark.usefixtures("always")
def test_nobody_is_killed_twice_and_the_second_killer_risks_in_vain():
    winners = Fighter(ANN, risk=Risk.KILL), Fighter(BEA, risk=Risk.KILL)
    done = work_out(*beaten(winners, (Fighter(ZED),)), DEFAULT, dice())
    assert done.killed == ("Zed",)
    assert (done.attempts[1].target, done.attempts[1].lost) == (None, NO_TROOPS)


@pytest.mark.usefixtures("always")
def test_who_took_an_army_is_who_risked_its_troops_for_it():
    """4.3, 4.5."""
    done = work_out(
        *beaten((Fighter(ANN, risk=Risk.KILL), Fighter(BEA, risk=Risk.CAPTURE)), (Fighter(ZED), Fighter(YAK))),
        DEFAULT,
        dice(),
    )
    (killed,), (captured,) = done.killed, done.captured
    assert done.taken_by == {killed: "Ann", captured: "Bea"}


@pytest.mark.usefixtures("always")
def test_chance_says_which_of_two_equal_enemies_is_killed_and_which_of_two_killers_tries_first():
    """R70, 4.3: not their names."""
    sides, outcome = beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED), Fighter(YAK)))
    outcome = outcome._replace(losses={**outcome.losses, "Zed": outcome.losses["Yak"]})
    targets = {work_out(sides, outcome, DEFAULT, dice(seed)).attempts[0].target for seed in range(20)}
    sides, outcome = beaten((Fighter(ANN, risk=Risk.KILL), Fighter(BEA, risk=Risk.KILL)), (Fighter(ZED),))
    killers = {work_out(sides, outcome, DEFAULT, dice(seed)).taken_by["Zed"] for seed in range(20)}

    assert (targets, killers) == ({"Zed", "Yak"}, {"Ann", "Bea"})


def test_a_stratless_partner_is_not_there_to_be_killed():
    """4.4: as if the joint engagement had never happened."""
    done = work_out(
        *beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED, has_strat=False), Fighter(YAK))), DEFAULT, dice()
    )
    assert done.attempts[0].target == "Yak"


def test_the_dice_of_an_attempt_are_its_own():
    """R38: what else was rolled before changes none of them, so an adjustment never rolls anew."""
    sides, outcome = beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED),))
    fresh, used = dice(), dice()
    used.roll("d20 side 1", 20)
    first = work_out(sides, outcome, DEFAULT, fresh).attempts[0]
    assert work_out(sides, outcome, DEFAULT, used).attempts[0] == first
    assert [roll.name for roll in fresh.rolls][:2] == ["kill by Ann", "kill by Ann"]


def test_more_top_troops_left_never_make_a_kill_less_likely():
    """4.3.4."""

    def chance(troops: tuple[int, ...]) -> int:
        killer = ANN._replace(troops=army("Ann", troops=troops).troops)
        sides, outcome = beaten((Fighter(killer, risk=Risk.KILL),), (Fighter(ZED),))
        each = (battle_dice(bytes([seed]), "trial", 1, 1, ()) for seed in range(200))
        return sum(bool(work_out(sides, outcome, DEFAULT, one).killed) for one in each)

    assert chance((5000, 2500, 1500, 500)) <= chance((5000, 2500, 1500, 800)) <= chance(FULL)


def test_a_capture_is_never_likelier_than_a_kill():
    """4.5, R40: with the same dice, whoever would capture would have killed."""
    kills, captures = 0, 0
    for seed in range(200):
        for risk in Risk:
            sides, outcome = beaten((Fighter(ANN, risk=risk),), (Fighter(ZED),))
            done = work_out(sides, outcome, DEFAULT, battle_dice(bytes([seed]), "trial", 1, 1, ()))
            kills, captures = kills + len(done.killed), captures + len(done.captured)
    assert 0 < captures <= kills


def test_the_conquest_is_plain_json():
    done = work_out(*beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED),)), DEFAULT, dice())
    attempt = conquest_to_json(done)["attempts"][0]
    assert (attempt["army"], attempt["risk"], attempt["target"], len(attempt["rolls"])) == ("Ann", "kill", "Zed", 2)


def test_losses_are_adjusted_within_what_fights():
    """4.2.6."""
    sides, outcome = beaten((Fighter(ANN),), (Fighter(ZED),))
    more = adjusted_losses(sides, outcome, [Adjustment(Special.LOSSES, "Zed", 300)])
    assert more.losses["Ann"] == outcome.losses["Ann"]
    assert all(a <= b <= full for a, b, full in zip(outcome.losses["Zed"], more.losses["Zed"], FULL, strict=True))
    assert sum(adjusted_losses(sides, outcome, [Adjustment(Special.LOSSES, "Zed", 0)]).losses["Zed"]) == 0


def test_whoever_runs_never_loses_nothing():
    """4.2.6, R41: at least some damage is always done."""
    sides, outcome = beaten((Fighter(ANN),), (Fighter(ZED, runs=True),))
    none = adjusted_losses(sides, outcome, [Adjustment(Special.LOSSES, "Zed", 0)])
    assert sum(none.losses["Zed"]) == 1


def test_the_more_involved_of_a_pair_loses_more():
    """R42."""
    sides, outcome = beaten((Fighter(ANN),), (Fighter(ZED), Fighter(YAK)))
    changed = adjusted_sides(sides, [Adjustment(Special.INVOLVED, "Zed", 300)])
    again = fight(changed, 0, DEFAULT, battle_dice(b"x", "trial", 1, 1, ()), outcome.rolls[0])
    assert sum(again.losses["Zed"]) > sum(outcome.losses["Zed"])
    total = sum(map(sum, outcome.losses.values()))
    assert abs(sum(map(sum, again.losses.values())) - total) <= 4


def test_odds_are_the_same_each_time_and_add_up():
    sides = BattleSide((Fighter(ANN, risk=Risk.KILL),), 4), BattleSide((Fighter(ZED),))
    first = odds(sides, 1, DEFAULT, trials=60)
    assert first == odds(sides, 1, DEFAULT, trials=60)
    assert sum(first.wins) == 1000
    assert first.wins[0] > odds((BattleSide((Fighter(ANN),)), sides[1]), 1, DEFAULT, trials=60).wins[0]


def book_with(**formulas: str) -> Book:
    return book_of({**DEFAULT.to_json(), **formulas})


def test_the_edge_of_a_kill_hangs_on_both_top_slots_and_on_what_the_target_lost():
    """4.3.4."""
    book = book_with(kill_edge="top - 10 * enemy_top + 3 * enemy_lost")
    assert kills_and_captures.kill_edge(book, 5, 1) == -5
    assert kills_and_captures.kill_edge(book, 5, 1, 2) == 1


def test_the_edge_of_a_capture_is_the_books_and_below_that_of_a_kill():
    """4.5, R40."""
    book = book_with(kill_edge="top - enemy_top + enemy_lost", capture_edge="kill - 10 * top + 3 * enemy_top")
    assert kills_and_captures.capture_edge(book, 1, 2, 4) == 3 - 10 + 6
    tempting = book_with(kill_edge="top - enemy_top + enemy_lost", capture_edge="kill + top + enemy_top + enemy_lost")
    assert kills_and_captures.capture_edge(tempting, 1, 2, 4) == 2
    own = book_with(kill_edge="20", capture_edge="2 * enemy_lost - top")
    assert kills_and_captures.capture_edge(own, 1, 2, 4) == 7


@pytest.mark.parametrize(
    ("roll", "against", "kills", "captures"), [(10, 12, False, False), (10, 11, True, False), (10, 10, True, True)]
)
def test_a_roll_with_its_edge_must_be_higher_than_its_targets(roll, against, kills, captures):
    """4.3.3, R39, R40: the same is not enough."""
    book = book_with(kill_edge="2", capture_edge="1")
    assert kills_and_captures.kill_succeeds(book, 1, 1, roll, against) is kills
    assert kills_and_captures.capture_succeeds(book, 1, 1, roll, against) is captures


def test_a_kill_and_a_capture_hear_of_the_targets_losses():
    """4.3.4."""
    book = book_with(kill_edge="enemy_lost", capture_edge="enemy_lost - 5")
    assert not kills_and_captures.kill_succeeds(book, 9, 9, 12, 12), "nothing, unless it is said"
    assert not kills_and_captures.capture_succeeds(book, 9, 9, 17, 12)
    assert kills_and_captures.capture_edge(book, 9, 9) == -5
    assert kills_and_captures.kill_succeeds(book, 9, 9, 10, 12, 3)
    assert not kills_and_captures.capture_succeeds(book, 9, 9, 10, 12, 7)
    assert kills_and_captures.capture_succeeds(book, 9, 9, 10, 12, 8)


def test_risked_troops_live_by_a_small_chance_that_hangs_on_the_battle():
    """R39."""
    book = book_with(risked_kept="if(won, 20, 5)")
    fates = [(6, False), (5, False), (21, True), (20, True)]
    assert [kills_and_captures.risked_lost(book, fate, won) for fate, won in fates] == [True, False, True, False]
    assert not kills_and_captures.risked_lost(book, 20), "a battle that was won, unless it is said otherwise"


@pytest.mark.parametrize("risk", list(Risk))
def test_an_attempt_is_told_with_its_own_dice_and_its_troops(risk):
    """R38, R39: who tried what against whom, with how many top troops each, and by which dice."""
    book = book_with(kill_edge="-20", capture_edge="-21", risked_kept="0")
    sides, outcome = beaten((Fighter(ANN, risk=risk),), (Fighter(ZED),))
    attempt = work_out(sides, outcome, book, dice()).attempts[0]
    top = Strength(1000 - outcome.losses["Ann"][3], 1000 - outcome.losses["Zed"][3])
    drawn, name = dice(), f"{risk.value} by Ann"
    rolls = drawn.roll(name, 20, 1), drawn.roll(name, 20, 2)
    fate = drawn.roll("risked by Ann", 100)
    assert attempt == Attempt("Ann", risk, "Zed", top, rolls, False, fate, RISKED[risk])
    sure = work_out(sides, outcome, book_with(kill_edge="20", capture_edge="20"), dice()).attempts[0]
    assert sure == Attempt("Ann", risk, "Zed", top, rolls, True, None, NO_TROOPS)


@pytest.mark.usefixtures("never")
def test_an_attempt_that_failed_leaves_its_target_to_the_partner():
    """4.4."""
    both = Fighter(ANN, risk=Risk.KILL), Fighter(BEA, risk=Risk.KILL)
    done = work_out(*beaten(both, (Fighter(ZED),)), DEFAULT, dice())
    assert [attempt.target for attempt in done.attempts] == ["Zed", "Zed"]


@pytest.mark.usefixtures("always")
def test_the_weakest_top_slot_comes_before_the_alphabet():
    """4.4."""
    weak = ZED._replace(troops=army("Zed", Side.PHYREXIA, Rank.CENTURION, (5000, 2500, 1500, 200)).troops)
    done = work_out(*beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(YAK), Fighter(weak))), DEFAULT, dice())
    assert done.killed == ("Zed",)


def test_risked_troops_that_live_are_not_lost():
    """R39: half of them, in a book that allows so much, and fewer where the battle was lost."""
    book = book_with(kill_edge="-20", risked_kept="if(won, 50, 1)")

    def kept(sides: tuple[BattleSide, BattleSide], outcome: Outcome) -> int:
        each = (battle_dice(bytes([seed]), "trial", 1, 1, ()) for seed in range(60))
        return sum(work_out(sides, outcome, book, one).attempts[0].lost == NO_TROOPS for one in each)

    assert 15 < kept(*beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED),))) < 45
    assert kept(*beaten((Fighter(ANN),), (Fighter(ZED, risk=Risk.KILL),))) < 5


def test_who_lost_the_battle_or_finds_nobody_is_told_by_name():
    """R39."""
    book = book_with(risked_kept="0")
    lost = work_out(*beaten((Fighter(ANN),), (Fighter(ZED, risk=Risk.KILL),)), book, dice()).attempts[0]
    fate = dice().roll("risked by Zed", 100)
    assert lost == Attempt("Zed", Risk.KILL, None, None, None, False, fate, RISKED[Risk.KILL])
    captive = ZED._replace(captivity=Captivity(Side.COALITION, (), ()))
    sides, outcome = beaten((Fighter(ANN, risk=Risk.CAPTURE),), (Fighter(captive),))
    vain = work_out(sides, outcome, DEFAULT, dice()).attempts[0]
    assert vain == Attempt("Ann", Risk.CAPTURE, None, None, None, False, None, NO_TROOPS)


def test_a_target_counts_what_it_lost_and_what_of_its_risked_troops_fell():
    """4.3.4: in percent of its troops, rounded down; risked troops that fell are not there any more."""
    heard = book_with(kill_edge="enemy_lost - 20", risked_kept="0")
    sides, outcome = beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED, risk=Risk.KILL),))
    percent = sum(outcome.losses["Zed"]) * 100 // sum(FULL)
    fell, tried = work_out(sides, outcome, heard, dice()).attempts
    assert fell.lost == RISKED[Risk.KILL]
    assert tried.top == Strength(1000 - outcome.losses["Ann"][3], 500 - outcome.losses["Zed"][3])
    own, others = tried.rolls
    assert tried.succeeded is (own + percent - 20 > others)
    assert kills_and_captures._percent_lost(ZED, outcome._replace(losses={"Zed": (0, 0, 0, 199)})) == 1
    nobody = ZED._replace(troops=())
    assert kills_and_captures._percent_lost(nobody, outcome) == 100


def test_a_conquest_as_json_has_every_attempt_in_full():
    sides, outcome = beaten((Fighter(ANN, risk=Risk.KILL),), (Fighter(ZED, risk=Risk.KILL),))
    done = work_out(sides, outcome, book_with(kill_edge="20", risked_kept="0"), dice())
    lost, tried = conquest_to_json(done)["attempts"]
    assert lost == {
        "army": "Zed",
        "risk": "kill",
        "target": "",
        "top": [],
        "rolls": [],
        "succeeded": False,
        "fate": done.attempts[0].fate,
        "lost": [0, 0, 0, 500],
    }
    assert tried == {
        "army": "Ann",
        "risk": "kill",
        "target": "Zed",
        "top": list(done.attempts[1].top),
        "rolls": list(done.attempts[1].rolls),
        "succeeded": True,
        "fate": 0,
        "lost": [0, 0, 0, 0],
    }
    assert (conquest_to_json(done)["killed"], conquest_to_json(done)["captured"]) == (["Zed"], [])
