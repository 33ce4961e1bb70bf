"""1.1, 1.3, 1.6, 5.2.2.2: the judges' desk of control, ranks, names and admission."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from judging.command.models import Admission, ControlRequest, NameChange
from judging.command.people.absence import declare_inactive
from judging.command.people.admission import ask_admission, leave_team
from judging.command.people.screen_names import ask_name
from judging.common.models import LogEntry
from tests.pages.commanding import GIANT, NUL, game, other_round, redirects, refuses, told
from tests.pages.playing import Game
from tests.services.teams import NOW, ask, player, stranger, who
from wargame.models import Player

__all__ = ["game"]

WHY = "The team has agreed on it."


def desk(game: Game) -> str:
    return reverse("judge:command", args=[game.world.round.pk])


def act(game: Game, by: str, what: str, **typed: object) -> HttpResponse:
    return game.client(by).post(desk(game), {"act": what, "reason": WHY, "token": f"{what} form", **typed})


def does(game: Game, by: str, what: str, said: str, **typed: object) -> None:
    """The act is done, and the desk says so."""
    client = game.client(by)
    redirects(client.post(desk(game), {"act": what, "reason": WHY, "token": f"{what} form", **typed}), desk(game))
    assert said in told(client.get(desk(game)))


def key(game: Game, name: str) -> int:
    return player(game.world, name).pk


def asks(game: Game, side: str = "coalition", name: str = "Nell") -> Admission:
    return ask_admission(
        round=game.world.round,
        user=stranger(name),
        side=side,
        name=name,
        text="Hello.",
        factions=(),
        token="t",
        now=NOW,
    )


def test_the_desk_is_of_the_movement_and_battle_judges(game: Game) -> None:
    asks(game)
    assert "Nell is asking to join" in told(game.client("battle").get(desk(game)))
    shown = game.client("movement").get(desk(game))
    assert "Nell is asking to join" not in told(shown)
    assert "Give a rank" not in told(shown)
    for viewer in ("mercenary", "Ana", "Dot"):
        assert game.client(viewer).get(desk(game)).status_code in (302, 403, 404), viewer
    assert game.client().get(desk(game)).status_code == 302
    _, _, other = other_round()
    assert game.client("battle").get(reverse("judge:command", args=[other.round_id])).status_code == 404


def test_an_exception_is_granted_or_declined_with_a_reason(game: Game) -> None:
    """5.2.2.2."""
    first = ask(game.world, "Ana", {"Fir": ("Cem",)}, as_exception=True, why="Ana is at sea.")
    refuses(act(game, "movement", "request", request=first.pk, answer="yes", reason=" "), "reason is empty", status=409)
    does(game, "movement", "request", "You granted the exception.", request=first.pk, answer="yes")
    assert who(game.world, "Fir") == ["Cem"]
    assert "granted by Judge movement" in told(game.client().get(game.url("command")))
    refuses(
        act(game, "battle", "request", request=first.pk, answer="no"), "already been decided or withdrawn", status=409
    )
    second = ask(game.world, "Ana", {"Bo": ("Cem",)}, as_exception=True, why="Bo is at sea.")
    does(game, "battle", "request", "You declined the request.", request=second.pk, answer="no")
    assert ControlRequest.objects.get(pk=second.pk).reason == WHY
    assert who(game.world, "Bo") == ["Bo"]


def test_a_judge_changes_a_list_and_what_5_3_forbids_is_his_exception(game: Game) -> None:
    fir = {"side": "coalition", "army": game.world.army("Fir").pk}
    does(game, "movement", "list", "Cem now controls Fir as an exception", to=key(game, "Cem"), **fir)
    does(game, "battle", "list", "No one controls Fir now.", to="nobody", **fir)
    assert who(game.world, "Fir") == []


def test_the_judge_says_who_asks_for_changes(game: Game) -> None:
    typed = {"side": "coalition", "first": key(game, "Cem"), "second": key(game, "Dot")}
    page = refuses(act(game, "movement", "power", **{**typed, "reason": ""}), "reason is empty", status=409)
    assert page.count(f'<option value="{typed["first"]}" selected>Cem</option>') == 1
    does(game, "movement", "power", "Now allowed to ask for changes: Cem and Dot.", **typed)
    assert [player(game.world, name).may_change_control for name in ("Ana", "Cem")] == [False, True]


def test_the_battle_judge_gives_ranks_and_a_form_without_one_gives_none(game: Game) -> None:
    """2.5.2.1, R45."""
    typed = {"side": "coalition", "player": key(game, "Cem")}
    refuses(act(game, "battle", "rank", **typed), "Choose a rank. 1.1", status=409)
    refuses(
        act(game, "battle", "rank", rank="general", **typed),
        "the count is already 1, and the limit is 1. 2.5.2.1",
        status=409,
    )
    refuses(act(game, "movement", "rank", rank="cadet", **typed), "not a rank of the Coalition", status=409)
    refuses(act(game, "movement", "rank", rank="lieutenant", **typed), status=409)
    does(game, "battle", "rank", "Cem is now Lieutenant. No one controls Cem now", rank="lieutenant", **typed)
    entry = LogEntry.objects.get(action="player.rank")
    assert (entry.actor, entry.data["reason"]) == (game.world.judges["battle"].user, WHY)


def test_names_and_declarations_are_decided_by_the_battle_judge(game: Game) -> None:
    """1.6, 5.1."""
    change = ask_name(player=player(game.world, "Dot"), name="Dorothea", now=NOW)
    refuses(
        act(game, "movement", "name", change=change.pk, answer="yes"),
        "This request has already been decided or withdrawn",
        status=409,
    )
    does(game, "battle", "name", "Dot is now called Dorothea.", change=change.pk, answer="yes")
    again = ask_name(player=player(game.world, "Dorothea"), name="Dora", now=NOW)
    does(game, "battle", "name", "Dorothea will keep their current name.", change=again.pk, answer="no")
    assert NameChange.objects.get(pk=again.pk).reason == WHY
    made = declare_inactive(player=player(game.world, "Cem"), by=player(game.world, "Ana"), reason="Ill.", now=NOW)
    assert "Armies taken from this player in the meantime aren't returned unless you change the control list" in told(
        game.client("battle").get(desk(game))
    )
    does(game, "battle", "declaration", "Cem no longer counts as inactive.", declaration=made.pk)


def test_the_battle_judge_takes_in_the_first_leader_of_a_team_and_is_told_so(game: Game) -> None:
    """1.1: the lowest rank is chosen until he chooses another one."""
    leave_team(player=player(game.world, "Vorn"), now=NOW)
    asked = asks(game, "phyrexia")
    page = game.client("battle").get(desk(game)).content.decode()
    assert "The team has no leader, so you decide." in page
    assert '<option value="centurion" selected>Centurion</option>' in page
    assert '<option value="chief_praetor" selected>' not in page
    does(
        game,
        "battle",
        "admission",
        "Nell now plays for Phyrexia.",
        admission=asked.pk,
        answer="yes",
        rank="chief_praetor",
    )
    assert Player.objects.get(name="Nell").may_change_control
    other = asks(game, "phyrexia", "Otto")
    does(game, "battle", "admission", "You refused to admit Otto.", admission=other.pk, answer="no")


def test_what_was_typed_stays_in_its_own_form(game: Game) -> None:
    first, second = asks(game), asks(game, name="Otto")
    typed = {"admission": second.pk, "answer": "yes", "rank": "general", "reason": "He asked nicely."}
    page = refuses(act(game, "battle", "admission", **typed), "2.5.2.1", status=409)
    assert page.count("He asked nicely.") == 1
    assert page.index(f'value="{first.pk}"') < page.index(f'value="{second.pk}"') < page.index("He asked nicely.")
    assert page.count('<option value="general" selected>') == 1


@pytest.mark.parametrize("wrong", ["", "x", NUL, GIANT, "other round"])
@pytest.mark.parametrize("what", ["request", "list", "rank", "name", "declaration", "admission", "dance"])
def test_no_other_key_is_anything_to_decide(game: Game, what: str, wrong: str) -> None:
    oda, army, _ = other_round()
    keys = ("request", "change", "declaration", "admission", "player", "army", "to")
    strange = {"army": army.pk, "player": oda.pk, "to": oda.pk} if wrong == "other round" else {}
    typed = {**dict.fromkeys(keys, wrong), "side": "coalition", "answer": "yes", "rank": "captain", **strange}
    refuses(act(game, "battle", what, **typed), "Nothing was changed.", status=409)
    oda.refresh_from_db()
    assert oda.rank == "general"
    refuses(act(game, "battle", "list", side="nowhere"), "Choose one of the two teams. 1.1", status=409)
