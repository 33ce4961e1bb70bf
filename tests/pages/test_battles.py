"""4.1.1: announcements, battle pages and results: what is public, and what is not before its time."""

import pytest

from judging.battles.models import Battle
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import HOUR, REASONS
from wargame.models import Base
from wargame.models.choices import RoundState

__all__ = ["game"]

SECRET = "We hide behind the ridge."
EVERYBODY = ("", "Ana", "Gaz", "Cay", "movement", "battle", "mercenary")


def all_pages(game: Game, battle: Battle, who: str) -> str:
    """Everything that shows battles, as somebody sees it."""
    pages = [("battles",), ("battles-turn", 2), ("battle", battle.pk), ("results",), ("turn", 2), ("movement",)]
    return "".join(game.page(*page, who=who) for page in pages)


@pytest.mark.parametrize("who", EVERYBODY)
def test_an_announcement_names_armies_square_terrain_and_who_attacks(game: Game, who: str) -> None:
    battle = game.battle()

    text = said(game.client(who).get(game.url("battles")))

    assert "Ana against Gaz" in text
    assert "At 3F, plains" in text
    assert "Gaz Evincar, defending" in text
    assert battle.commitment in game.page("battles", who=who)


def test_a_battle_on_a_base_shows_the_sites_description(game: Game) -> None:
    """2.5.1.2."""
    Base.objects.create(
        round=game.world.round, name="Portal 1", at="3F", side="phyrexia", description="Walls of *teeth*."
    )
    battle = game.battle()

    assert "Walls of <em>teeth</em>." in game.page("battle", battle.pk)


def test_that_a_strat_was_sent_is_announced_with_its_time_and_hash(game: Game) -> None:
    battle = game.battle()
    strat = game.world.strat(battle, "Ana", "Ana", SECRET)

    html = game.page("battles")

    assert strat.sha256 in html
    assert "strat sent" in html
    assert "no strat yet" in html


@pytest.mark.parametrize("who", EVERYBODY)
def test_only_its_author_and_the_battle_judge_read_a_strat(game: Game, who: str) -> None:
    """R35: also after the result is published."""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", SECRET)
    before = all_pages(game, battle, who)
    game.world.score(battle)
    game.go_to(battle.deadline + 2 * HOUR)
    after = all_pages(game, battle, who)

    assert (SECRET in before) is (who in ("Ana", "battle"))
    assert (SECRET in after) is (who in ("Ana", "battle"))


def test_the_contingency_reads_the_strat_of_his_player(game: Game) -> None:
    """R35."""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", SECRET)
    ana = game.world.players["Ana"]
    ana.contingency = game.world.players["Cay"]
    ana.save()

    assert SECRET in game.page("battle", battle.pk, who="Cay")
    assert SECRET not in game.page("battle", battle.pk, who="Ben")


def test_when_the_round_is_over_everybody_reads_the_strats(game: Game) -> None:
    """R35."""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", SECRET)
    game.world.round.state = RoundState.OVER
    game.world.round.save()

    assert SECRET in game.page("battle", battle.pk)


@pytest.mark.parametrize("who", EVERYBODY)
def test_seeds_are_on_no_page_before_the_result(game: Game, who: str) -> None:
    """R38."""
    battle = game.battle()

    html = all_pages(game, battle, who)

    assert battle.seed not in html
    assert game.world.turn.seed not in html


def test_a_locked_score_is_on_no_page_before_the_result(game: Game) -> None:
    from judging.battles.desk.scoring import lock_score

    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana")
    game.world.strat(battle, "Gaz", "Gaz")
    before = all_pages(game, battle, "Ana")
    judge = game.world.judges["battle"]
    lock_score(battle=battle, judge=judge, favours=1, bonus=7, reasons=REASONS, now=battle.announced_at + 2 * HOUR)

    strip = str.maketrans("", "", "\n")
    assert "+7" not in all_pages(game, battle, "Ana").translate(strip)
    assert "waiting for its result" in before


def test_a_result_shows_dice_bonuses_losses_winner_and_the_seed(game: Game) -> None:
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana")
    result = game.world.score(battle)
    winner = ("Ana", "Gaz")[result.winner]
    game.go_to(battle.deadline + 2 * HOUR)

    text = said(game.client().get(game.url("results")))

    assert f"{winner} won" in text
    numbers = game.url("battle-numbers", battle.pk)
    text += said(game.client().get(numbers))
    assert battle.seed in text
    for page in (game.page("battle", battle.pk), game.page("results")):
        assert f'href="{numbers}' in page, "what few open has a page of its own"
        assert f'hx-get="{numbers}"' in page
    part = game.client().get(numbers, HTTP_HX_REQUEST="true").content.decode()
    assert battle.seed in part
    assert "<html" not in part
    assert "It was a long day." in text
    assert "Strategy §" in text or "Strategy" in text
    for first, second in zip(*result.outcome["rolls"][0], strict=True):
        assert f"{first} + {result.outcome['bonus'][0]['total']}" in text
        assert f"{second} + {result.outcome['bonus'][1]['total']}" in text


def test_after_the_settlement_a_result_tells_who_went_where(game: Game) -> None:
    """4.2.5, R27."""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana")
    result = game.world.score(battle)
    loser = ("Gaz", "Ana")[result.winner]
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)

    text = said(game.client().get(game.url("battle", battle.pk)))

    assert f"{loser} retreated" in text or f"killed {loser}" in text or f"captured {loser}" in text


def test_a_narrative_is_shown_as_safe_markdown(game: Game) -> None:
    from judging.battles.desk.publishing import publish_result
    from judging.battles.desk.scoring import lock_score

    battle = game.battle()
    judge, now = game.world.judges["battle"], battle.deadline + HOUR
    lock_score(battle=battle, judge=judge, favours=None, bonus=0, reasons=REASONS, now=now)
    narrative = "A **hard** day. <script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>"
    publish_result(battle=battle, judge=judge, narrative=narrative, now=now)
    game.go_to(now + HOUR)

    html = game.page("results")

    assert "<strong>hard</strong>" in html
    assert "<script>alert" not in html
    assert 'href="javascript:' not in html
    assert "&lt;img src=x onerror=alert(1)&gt;" in html, "as it was typed"
    assert "<img src=x" not in html


def test_results_of_many_turns_come_a_few_at_a_time(game: Game) -> None:
    for _ in range(7):
        game.world.post("Ana", "Ana: 3D > 3F; engage Gaz", at=game.world.turn.opened_at)
        for battle in Battle.objects.filter(turn=game.world.turn):
            game.world.score(battle)
        game.world.settle()
    fought = Battle.objects.filter(result__isnull=False).count()

    shown = game.page("results").count('class="result"')

    assert shown == min(fought, 5)
    assert game.client().get(f"{game.url('results')}?before=x").status_code == 200


def test_a_battle_of_another_round_is_a_404(game: Game) -> None:
    assert game.client().get(game.url("battle", 999)).status_code == 404
