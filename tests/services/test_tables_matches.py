"""5.3, DESIGN 12: matches of several games, each at its own table; and two against two."""

import pytest

from judging.common.errors import Refused
from judging.tables.away.models import Substitution
from judging.tables.matches.models import MatchGame
from judging.tables.matches.services import MatchView, match_of
from judging.tables.models import Seat, Table
from judging.tables.services import opening
from tests.services.tables_of_tests import OPENED, Game, deck, opened, person, sit

pytestmark = pytest.mark.django_db
ARENA = {"Ana": "Mages in the Arena", "Bo": "Warriors in the Arena"}


def arena(**changes: object) -> Game:
    """The first game of an Arena match between Ana and Bo."""
    table = opened(game="seize", format="arena", best_of=3, **changes)
    for name, called in ARENA.items():
        sit(table, name, called)
    return Game(Table.objects.get(pk=table.pk), OPENED)


def following(game: Game) -> Game:
    """The next game of the match, for which both hand in their cuts."""
    row = MatchGame.objects.select_related("table").order_by("-number")[0]
    for name in ARENA:
        opening.hand_in_cut(table=row.table, user=person(name), word="", now=game.now)
    return Game(Table.objects.get(pk=row.table_id), game.now)


def standing(game: Game) -> MatchView:
    seats = [(seat.letter, seat.name) for seat in Seat.objects.filter(table=game.table)]
    found = match_of(game.table, seats)
    assert found is not None
    return found


def test_when_a_game_is_over_the_next_is_laid_out_for_the_same_people_and_decks_with_another_seed() -> None:
    first = arena()
    first.post("Bo", "concede!")
    row = MatchGame.objects.get(number=2).table

    assert (row.state, row.name) == ("cutting", "At the harbour, game 2")
    assert row.commitment != first.table.commitment
    assert [(seat.letter, seat.name, seat.deck.deck.name) for seat in row.seats.order_by("letter")] == [
        ("A", "Ana", "Mages in the Arena"), ("B", "Bo", "Warriors in the Arena"),
    ]  # fmt: skip
    assert standing(first).score == (("Ana", 1), ("Bo", 0))
    assert standing(first).next_game == row


def test_who_has_won_two_of_three_has_won_the_match_and_no_third_game_follows() -> None:
    first = arena()
    first.post("Bo", "concede!")
    second = following(first)
    assert second.row().state == "running"
    second.post("Bo", "concede!")

    assert MatchGame.objects.count() == 2
    assert standing(second).winner == "Ana"


def test_one_game_each_makes_a_third() -> None:
    first = arena()
    first.post("Bo", "concede!")
    second = following(first)
    second.post("Ana", "concede!")

    assert [row.number for row in MatchGame.objects.all()] == [1, 2, 3]
    assert standing(second).winner == ""


def test_who_took_a_seat_over_plays_the_next_game_there_under_his_own_name() -> None:
    first = arena()
    seat = first.seat("Bo")
    Substitution.objects.create(
        seat=seat, before=seat.user, sought_by="Ana", sought_at=OPENED, user=person("Cy"), name="Cy", closed_at=OPENED
    )
    Seat.objects.filter(pk=seat.pk).update(user=person("Cy"))
    first.post("Ana", "concede!")
    after = MatchGame.objects.get(number=2).table
    assert [(each.name, each.user) for each in after.seats.order_by("letter")] == [
        ("Ana", person("Ana")), ("Cy", person("Cy")),
    ]  # fmt: skip
    assert standing(first).score == (("Ana", 0), ("Bo", 1))


def test_sealed_cuts_of_a_later_game_are_committed_to_before_any_word_is_shown() -> None:
    from tables.core.proof.draws import cut_commitment, cut_value

    words = {"Ana": "seven bells over the bay", "Bo": "an otter under the ice"}
    table = opened(game="seize", format="arena", best_of=3, cuts="sealed")
    for name, called in ARENA.items():
        sit(table, name, called, cut_hash=cut_commitment(cut_value(words[name])))
    for name in ARENA:
        opening.hand_in_cut(table=table, user=person(name), word=words[name], now=OPENED)
    Game(Table.objects.get(pk=table.pk), OPENED).post("Bo", "concede!")
    row = MatchGame.objects.get(number=2).table

    def hand_in(name: str, word: str) -> None:
        opening.hand_in_cut(table=row, user=person(name), word=word, now=OPENED)

    hand_in("Ana", cut_commitment(cut_value("another word of twenty signs")))
    with pytest.raises(Refused, match="You can submit your word once everyone has sealed theirs"):
        hand_in("Ana", "another word of twenty signs")
    hand_in("Bo", cut_commitment(cut_value("a third word of twenty signs")))
    hand_in("Ana", "another word of twenty signs")
    hand_in("Bo", "a third word of twenty signs")
    assert Table.objects.get(pk=row.pk).state == "running"


def test_a_match_is_the_best_of_an_odd_number() -> None:
    with pytest.raises(Refused, match="best of 1, 3"):
        opened(game="seize", format="arena", best_of=2)


def test_two_against_two_sit_as_partners_in_turn_order_and_share_turns_in_the_arena() -> None:
    table = opened(game="seize", format="arena", places=4)
    sit(table, "Ana", "Mages in the Arena", letter="A1")
    sit(table, "Bo", "Warriors in the Arena", letter="B1")
    for name, letter, called in (("Cy", "A2", "Mages in the Arena"), ("Di", "", "Warriors in the Arena")):
        coming = opening.Coming(name, deck(called), letter=letter)
        opening.sit_down(table=table, user=person(name), coming=coming, now=OPENED)
    game = Game(Table.objects.get(pk=table.pk), OPENED)

    assert {seat.name: seat.letter for seat in game.table.seats.all()} == {
        "Ana": "A1", "Bo": "B1", "Cy": "A2", "Di": "B2"
    }  # fmt: skip
    assert [seat.letter for seat in game.state().seats] == ["A1", "B1", "A2", "B2"]
    game.post("Ana", "concede!")
    game.post("Cy", "concede!")
    assert (game.row().state, game.row().winner) == ("over", "B")


def test_three_cannot_play_a_format_for_two_or_four() -> None:
    with pytest.raises(Refused, match="This format needs 2 or 4 players"):
        opened(game="seize", format="arena", places=3)
