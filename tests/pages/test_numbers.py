"""A round in numbers: what is counted, what it agrees with, and what stays secret until the round is over."""

import re
from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from judging.battles.models import Battle
from judging.map.statistics import NOBODY, TurnNumbers, ground_around_bases, locks_of, numbers_of
from judging.svg.charts import Series, Tick, bar_chart, line_chart, words
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import HOUR, UNLOCK
from wargame.models import Round
from wargame.models.choices import RoundState
from wargame.rules.core.board import PLAINS, Base, Board, read_square
from wargame.rules.core.position import Army, Position, sorted_armies
from wargame.rules.core.sides import Rank, Side

__all__ = ["game"]


def fought(game: Game) -> Battle:
    return fight(game, game.battle())


def fight(game: Game, battle: Battle) -> Battle:
    game.world.strat(battle, "Ana", "Ana")
    game.world.strat(battle, "Gaz", "Gaz")
    game.world.score(battle)
    return Battle.objects.get(pk=battle.pk)


def turns_of(game: Game) -> list[TurnNumbers]:
    return numbers_of(Round.objects.get(pk=game.world.round.pk))


def test_a_battles_dice_and_losses_are_counted_once_its_result_is_published(game: Game) -> None:
    battle = game.battle()
    assert turns_of(game)[-1].fought == ()

    outcome = fight(game, battle).result.outcome

    counted = turns_of(game)[-1]
    assert counted.faces["coalition"].total() == counted.faces["phyrexia"].total() == 4 * len(outcome["rolls"])
    lost = {"coalition": sum(outcome["losses"]["Ana"]), "phyrexia": sum(outcome["losses"]["Gaz"])}
    assert {side: counts.total() for side, counts in counted.lost.items()} == lost


def test_troops_are_those_of_the_map_at_the_start_of_each_turn(game: Game) -> None:
    fought(game)
    first, second = turns_of(game)
    assert (first.number, second.number) == (1, 2)
    assert first.troops == {"coalition": 20_000, "phyrexia": 20_000, "mercenary": 0}
    assert first.of_army["Ana"] == 10_000


def test_a_counted_turn_is_not_read_again(game: Game) -> None:
    fought(game)
    turns_of(game)
    with CaptureQueriesContext(
        connection,
    ) as queries:
        numbers_of(game.world.round)
    assert len(queries) == 2


def test_a_lock_says_how_late_it_came_after_the_minute_whose_posts_it_still_takes(game: Game) -> None:
    """R4."""
    game.battle()
    assert [(lock.number, lock.late) for lock in locks_of(game.world.round)] == [(1, 0)]
    game.world.settle(game.world.turn.lock_at + timedelta(minutes=3))
    assert locks_of(game.world.round)[1].late == 120


def test_of_a_few_dice_no_chi_square_is_told(game: Game) -> None:
    battle = game.battle()
    game.world.score(battle)
    game.go_to(battle.deadline + 2 * HOUR)
    assert "too few dice" in said(game.client().get(game.url("numbers")))


@pytest.mark.parametrize("who", ["", "Ana", "movement"])
def test_the_odds_are_shown_when_the_round_is_over_and_not_before(game: Game, who: str) -> None:
    """R38."""
    battle = fought(game)
    battle.result.odds = [640, 360]
    battle.result.save()
    assert "64 : 36" not in game.page("numbers", who=who)

    Round.objects.filter(pk=game.world.round.pk).update(state=RoundState.OVER)

    assert "64 : 36" in game.page("numbers", who=who)


def test_an_army_is_followed_by_its_name_in_any_case_and_an_unknown_one_is_said(game: Game) -> None:
    client = game.client()
    address = game.url("numbers")
    assert "Living troops of Ana" in said(client.get(address, {"army": "ana "}))
    assert "There is no army called “Nobody” in this round" in said(client.get(address, {"army": "Nobody"}))


def test_a_round_that_has_not_begun_says_so(game: Game) -> None:
    Round.objects.create(name="Later", slug="later", terrain="\n".join(PLAINS), created_at=UNLOCK)
    assert "No numbers yet" in said(game.client().get("/rounds/later/numbers/"))


def test_the_ground_belongs_to_the_nearest_side_and_a_tie_to_nobody() -> None:
    base = Base("Rix", read_square("10D"), Side.PHYREXIA)
    near = Army("Near", Side.COALITION, read_square("10D"), Rank.CAPTAIN)
    far = Army("Far", Side.PHYREXIA, read_square("10F"), Rank.EVINCAR)
    held = ground_around_bases(Position(Board(PLAINS, (base,)), sorted_armies([near, far])))
    assert sum(held.values()) == 25
    assert (held["coalition"], held["phyrexia"], held[NOBODY]) == (16, 4, 5)


def test_ground_around_a_fallen_base_counts_for_nobody() -> None:
    base = Base("Rix", read_square("10D"), Side.PHYREXIA, destroyed=True)
    assert sum(ground_around_bases(Position(Board(PLAINS, (base,)))).values()) == 0


def test_a_chart_without_numbers_is_drawn_all_the_same() -> None:
    none = Series("a", "one", (None, None))
    assert line_chart("k", "t", "x", ["1", "2"], [none]).lines[0].d == ""
    assert bar_chart("k", "t", "x", ["1", "2"], [none]).bars == ()


def test_a_gap_in_a_line_stays_a_gap() -> None:
    line = line_chart("k", "t", "x", ["1", "2", "3"], [Series("a", "one", (1, None, 3))])
    assert line.lines[0].d.count("M") == 2
    assert line.rows == (("1", "1"), ("2", "–"), ("3", "3"))


@pytest.mark.parametrize("template", ["numbers/_chart.html", "judge/_plot.html"])
def test_a_picture_has_the_same_places_in_every_language(template: str) -> None:
    ticks = (Tick(12.5, "a"), Tick(20.0, "b"))
    drawn = SimpleNamespace(x_ticks=ticks, y_ticks=ticks, left=84, right=626, top=12, bottom=226, width=640, height=260)
    places = []
    for language in ("en-gb", "de"):
        with translation.override(language):
            page = render_to_string(template, {"chart": drawn, "plot": drawn})
        places.append(re.findall(r'\b(?:d|x|y)="([^"]*)"', page))
    assert places[0] == places[1] != []
    assert "12.5" in places[0]


def test_numbers_are_written_as_the_language_has_them() -> None:
    assert [words(number) for number in (None, 1234, 3.0, 1234.56)] == ["–", "1,234", "3", "1,234.6"]
    with translation.override("de"):
        assert [words(number) for number in (1234, 1234.56)] == ["1.234", "1.234,6"]
