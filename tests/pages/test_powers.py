"""5.2.2.1, 5.2.3: the pages of the contingencies, and of the power to ask for changes."""

import pytest
from django.http import HttpResponse

from tests.pages.commanding import GIANT, NUL, game, newcomer, other_round, redirects, refuses, sends_to_log_in, told
from tests.pages.playing import Game
from tests.services.teams import player

__all__ = ["game"]


def assign(game: Game, by: str, wanted: dict[str, object]) -> HttpResponse:
    data = {f"for-{player(game.world, name).pk}": to for name, to in wanted.items()}
    return game.client(by).post(game.url("contingencies"), data)


def transfer(game: Game, by: str, giver: str, to: str) -> HttpResponse:
    return game.client(by).post(game.url("control-power"), {"giver": giver, "to": to})


def test_who_may_change_the_list_sets_contingencies_and_the_others_read_them(game: Game) -> None:
    """5.2.3."""
    redirects(assign(game, "Bo", {"Dot": player(game.world, "Cem").pk}), game.url("contingencies"))
    assert player(game.world, "Dot").contingency == player(game.world, "Cem")
    assert "<select" not in game.page("contingencies", who="Dot")
    assert "Dot Cem" in told(game.client("Dot").get(game.url("contingencies")))
    assert "Only players have contingencies." in game.page("contingencies", who="battle")
    assert "Ana" not in told(game.client("Vorn").get(game.url("contingencies")))
    redirects(assign(game, "Bo", {"Dot": ""}), game.url("contingencies"))
    assert player(game.world, "Dot").contingency is None


@pytest.mark.parametrize("to", ["himself", "Skar", "other round", "x", NUL, GIANT])
def test_a_contingency_is_another_player_of_the_side(game: Game, to: str) -> None:
    oda, _, _ = other_round()
    keys = {"himself": player(game.world, "Dot").pk, "Skar": player(game.world, "Skar").pk, "other round": oda.pk}
    refuses(
        assign(game, "Ana", {"Dot": keys.get(to, to)}),
        "Nothing was changed.",
        "Dot can't be their own. 5.2.3"
        if to == "himself"
        else "The player chosen for Dot no longer plays for this side.",
    )
    assert player(game.world, "Dot").contingency is None


def test_nobody_else_sets_contingencies(game: Game) -> None:
    cem = player(game.world, "Cem").pk
    for viewer in ("Dot", "battle", "Vorn"):
        assign(game, viewer, {"Dot": cem})
    assert sends_to_log_in(assign(game, "", {"Dot": cem}))
    refuses(assign(game, "Dot", {"Dot": cem}), "Only players who can change it can set them. 5.2.2.1")
    assert player(game.world, "Dot").contingency is None


def test_the_general_transfers_the_power_and_its_holder_his_own(game: Game) -> None:
    """5.2.2.1."""
    redirects(transfer(game, "Bo", "Bo", "Cem"), game.url("control-power"))
    assert "At the moment: Ana and Cem." in told(game.client("Dot").get(game.url("control-power")))
    redirects(transfer(game, "Ana", "Cem", "Dot"), game.url("control-power"))
    assert [player(game.world, name).may_change_control for name in ("Ana", "Bo", "Cem", "Dot")] == [
        True, False, False, True,
    ]  # fmt: skip
    assert "Transfer" not in told(game.client("Cem").get(game.url("control-power")))
    page = told(newcomer().get(game.url("control-power")))
    assert "You don't play in this round." in page


@pytest.mark.parametrize(
    ("by", "giver", "to", "what"),
    [
        (
            "Bo",
            "Ana",
            "Cem",
            (
                "Only the General can transfer other players' power. If you have this power, you can transfer "
                "your own. 5.2.2.1"
            ),
        ),
        (
            "Dot",
            "Bo",
            "Dot",
            (
                "Only the General can transfer other players' power. If you have this power, you can transfer "
                "your own. 5.2.2.1"
            ),
        ),
        ("Ana", "Cem", "Dot", "Cem doesn't have this power. 5.2.2.1"),
        ("Ana", "", "Dot", "Ana and Bo have this power. Choose who should lose it. 5.2.2.1"),
        ("Ana", "Bo", "Vorn", "“Vorn” doesn't play for the Coalition. 1.1"),
        ("Ana", "Bo", GIANT, "doesn't play for the Coalition. 1.1"),
        ("Ana", "Bo", NUL, "doesn't play for the Coalition. 1.1"),
        ("Ana", "Bo", "", "doesn't play for the Coalition. 1.1"),
        ("Ana", "Bo", "Ana", "Ana already has this power. 5.2.2.1"),
        ("battle", "Bo", "Cem", "Only players in this round can transfer that power. 1.6"),
    ],
)
def test_a_transfer_that_cannot_be_is_refused_with_the_rule(
    game: Game, by: str, giver: str, to: str, what: str
) -> None:
    refuses(transfer(game, by, giver, to), "Nothing was changed.", what)
    assert [player(game.world, name).may_change_control for name in ("Ana", "Bo", "Cem")] == [True, True, False]


def test_a_refused_transfer_keeps_what_was_chosen(game: Game) -> None:
    game.world.players["Cem"].delete()
    page = refuses(transfer(game, "Ana", "Bo", "Cem"))
    assert "<option selected>Bo</option>" in page


def test_a_transfer_sent_twice_is_refused_the_second_time(game: Game) -> None:
    redirects(transfer(game, "Ana", "Bo", "Cem"), game.url("control-power"))
    refuses(transfer(game, "Ana", "Bo", "Cem"), "Bo doesn't have this power. 5.2.2.1")
