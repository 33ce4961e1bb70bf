"""R38: what anybody needs to recompute a battle's dice or a turn's draws stands on its page."""

from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import HOUR

__all__ = ["game"]


def test_a_battle_shows_its_number_and_whole_hashes_and_where_the_method_is_told(game: Game) -> None:
    battle = game.battle()
    strat = game.world.strat(battle, "Ana", "Ana")
    html = game.page("battle", battle.pk)

    assert "Battle 1 of turn 2" in said(game.client().get(game.url("battle", battle.pk)))
    assert f">{battle.commitment}</code>" in html
    assert f">{strat.sha256}</code>" in html
    assert 'href="/dice/"' in html


def test_a_turn_shows_its_number_commitment_and_seed(game: Game) -> None:
    game.battle()
    first = game.world.round.turns.get(number=1)
    html = game.page("turn", 1)

    assert "<dt>Turn</dt><dd>1 in round <code>trial</code></dd>" in html
    assert f">{first.commitment}</code>" in html
    assert f">{first.seed}</code>" in html
    assert "secret until the turn is settled" in game.page("turn", 2)


def test_who_leaves_the_square_is_announced_until_it_is_settled(game: Game) -> None:
    """4.2.5"""
    battle = game.battle()
    game.world.score(battle)
    game.go_to(battle.deadline + 2 * HOUR)
    assert "Departures from the square are settled after the lock, when every battle of the turn has a result" in said(
        game.client().get(game.url("battle", battle.pk))
    )
    game.world.settle()
    assert (
        "Departures from the square are settled after the lock, when every battle of the turn has a result"
        not in said(game.client().get(game.url("battle", battle.pk)))
    )
