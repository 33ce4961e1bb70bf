"""A player's own page: armies, orders as they stand, strats that are missing."""

from judging.command.control.services import assign
from tests.pages.playing import SEALED_TIME, Game, game, said
from tests.services.world_of_tests import HOUR

__all__ = ["game"]


def mine(game: Game, who: str) -> str:
    return said(game.client(who).get(game.url("mine")))


def test_it_shows_ones_armies_and_which_have_no_order(game: Game) -> None:
    text = mine(game, "Ana")

    assert "1 army without an order" in text
    assert "3D" in text
    assert "10,000 of 10,000 troops" in text
    assert "Gaz" not in text


def test_it_shows_the_order_that_counts_and_whether_it_is_legal(game: Game) -> None:
    game.world.post("Ana", "Ana: 3D > 4D\nAna: 3D > 9D")

    text = mine(game, "Ana").rpartition("Armies")[2]

    assert "Ana: 3D &gt; 9D" in text
    assert "an army can move 3" in text
    assert "Ana: 3D &gt; 4D" not in text


def test_a_line_of_somebody_who_does_not_control_the_army_is_not_its_order(game: Game) -> None:
    """R13."""
    game.world.post("Gaz", "Ana: 3D > 4D\nBen: hold")

    assert "no order" in mine(game, "Ana")
    assert "1 army without an order" in mine(game, "Ben")
    assert "Gaz doesn&#x27;t control Ben now, so this line isn&#x27;t an order." in said(
        game.client("Gaz").get(game.url("movement"))
    )


def test_what_who_had_an_army_before_posted_is_not_its_order_though_he_let_it_stay(game: Game) -> None:
    """5.4.2: a newcomer who was given it is asked for one."""
    game.world.post("Ben", "Ben: hold")
    assert "Every army that can move has an order" in mine(game, "Ben")
    assign(
        round=game.world.round, army=game.world.army("Ben"), player=game.world.players["Cay"],
        now=game.world.turn.opened_at + HOUR,
    )  # fmt: skip
    game.go_to(game.world.turn.opened_at + 2 * HOUR)
    assert "1 army without an order" in mine(game, "Cay")


def test_ones_own_sealed_order_is_there(game: Game) -> None:
    game.world.post("Ana", "Ana: 3D > 4D", at=SEALED_TIME, sealed=True)
    game.go_to(SEALED_TIME + HOUR)

    assert "Sealed, by Ana" in mine(game, "Ana")


def test_a_long_move_goes_on_without_a_new_order(game: Game) -> None:
    """3.2.2.3."""
    game.world.post("Ben", "Ben: 10D > 12D > 14D > 16D")
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)

    assert "Continues its long move to 14D, then 16D" in mine(game, "Ben")


def test_a_missing_strat_is_named_until_it_is_sent(game: Game) -> None:
    battle = game.battle()
    before = mine(game, "Ana")
    game.world.strat(battle, "Ana", "Ana")
    after = mine(game, "Ana")

    assert "Strat to write: Ana in" in before
    assert "Deadline: in 5 days" in before
    assert "You have sent all your strats." in after


def test_who_gets_an_army_in_battle_writes_a_strat_though_its_controller_before_sent_one(game: Game) -> None:
    """5.4.2: what somebody sent who does not control the army any more is void."""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana")
    assign(
        round=game.world.round, army=game.world.army("Ana"), player=game.world.players["Ben"],
        now=battle.announced_at + 2 * HOUR,
    )  # fmt: skip
    assert "Strat to write: Ana" in mine(game, "Ben")
    game.world.strat(battle, "Ana", "Ben", now=battle.announced_at + 2 * HOUR)
    assert "You have sent all your strats." in mine(game, "Ben")


def test_a_strat_that_was_not_sent_in_time_is_told_so(game: Game) -> None:
    """3.1: what is sent later is kept, and late."""
    battle = game.battle()
    game.go_to(battle.deadline + HOUR)
    text = mine(game, "Ana")

    assert "Missing strat: Ana" in text
    assert "The deadline has passed. You can still send a strat, but it will be marked late." in text
    assert "no strat Deadline: passed" in text
    assert "Send a late strat" in text
    assert "to write" not in text


def test_who_plays_nothing_is_told_so_and_the_public_logs_in_first(game: Game) -> None:
    assert "You have no army in this round" in mine(game, "battle")
    assert "control an army at the moment" in mine(game, "Cay")
    assert game.client().get(game.url("mine")).status_code == 302
