"""R49: the mercenary judge writes his armies' strats at the desk, and nobody reads them before the result."""

import re
from collections.abc import Iterator

import pytest
import time_machine
from django.urls import reverse

from judging.battles.models import Battle, Strat
from judging.mercenaries.services import replace_order, set_window
from tests.pages.judge_desk import Desk
from tests.pages.playing import said
from tests.services.test_extensions import raid
from tests.services.world_of_tests import HOUR, World

__all__ = ["raid"]

TEXT = "MARKER-MERCENARY-STRAT"


@pytest.fixture
def desk(raid: World) -> Iterator[Desk]:
    battle = Battle.objects.get()
    with time_machine.travel(battle.announced_at + 2 * HOUR, tick=False) as clock:
        yield Desk(raid, battle, clock)


def address(desk: Desk, army: str = "Rats") -> str:
    return reverse("judge:mercenary-strat", args=[desk.battle.pk, army])


def test_a_strat_is_sent_and_read_by_him_and_the_battle_judge_alone(desk: Desk) -> None:
    client = desk.client("mercenary")
    answer = client.post(address(desk), {"text": TEXT, "risk": "kill", "token": "one"}, follow=True)
    assert "Sent. SHA-256" in said(answer)
    assert TEXT in said(answer)
    assert Strat.objects.get().player is None
    assert TEXT in desk.client("battle").get(desk.address).content.decode()
    for who in ("movement", "superuser"):
        assert TEXT not in desk.client(who).get(desk.address).content.decode()
    for who in ("Ana", "anonymous"):
        page = desk.client(who).get(reverse("battle", args=["trial", desk.battle.pk])).content.decode()
        assert TEXT not in page
        assert "strat sent" in page


@pytest.mark.parametrize("who", ["battle", "movement", "superuser"])
def test_nobody_else_has_the_form(desk: Desk, who: str) -> None:
    assert desk.client(who).get(address(desk)).status_code == 404
    assert desk.client(who).post(address(desk), {"text": TEXT}).status_code == 404
    assert not Strat.objects.exists()


def test_a_teams_army_is_not_his(desk: Desk) -> None:
    assert desk.client("mercenary").get(address(desk, "Ana")).status_code == 404


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"text": ""}, "Write what the troops should do"),
        ({"text": "x" * 50_001}, "50,001 characters"),
        ({"text": "Bite.", "risk": "capture"}, "That is not one of the choices"),
    ],
)
def test_what_is_wrong_comes_back_with_what_was_typed(desk: Desk, typed: dict[str, str], sentence: str) -> None:
    answer = desk.client("mercenary").post(address(desk), typed)
    assert answer.status_code == 422
    assert sentence in said(answer)
    assert typed["text"] in answer.content.decode()


def test_the_strat_of_the_last_battle_is_at_hand(desk: Desk) -> None:
    """R49: to begin with; the first battle has none."""
    client, world = desk.client("mercenary"), desk.world
    assert "Its last strat" not in client.get(address(desk)).content.decode()
    client.post(address(desk), {"text": TEXT, "risk": "", "runs": "on", "token": "one"})
    again = second_battle(desk)
    page = client.get(reverse("judge:mercenary-strat", args=[again.pk, "Rats"])).content.decode()
    assert f"Its last strat, turn {desk.battle.turn.number}, 3F" in page
    assert page.count(TEXT) == 1
    begun = client.get(reverse("judge:mercenary-strat", args=[again.pk, "Rats"]) + "?again=1").content.decode()
    assert begun.count(TEXT) == 2
    assert re.search(r'name="runs"[^>]* checked', begun)
    for who in ("battle", "movement"):
        assert TEXT not in desk.client(who).get(reverse("judge:battle", args=[again.pk])).content.decode()
    assert world.turn.number == 4


def second_battle(desk: Desk) -> Battle:
    """Ana attacks the raiders once more when the first battle is over."""
    world, judge = desk.world, desk.world.judges["mercenary"]
    world.score(desk.battle)
    set_window(turn=world.turn, judge=judge, done=True, now=world.turn.opened_at)
    assert world.settle() == "settled"
    opened = world.turn.opened_at
    replace_order(turn=world.turn, judge=judge, army="Rats", order="hold", token="hold", now=opened)
    set_window(turn=world.turn, judge=judge, done=True, now=opened)
    order = f"{world.army('Ana').at} > {world.army('Rats').at}; engage Rats"
    world.post("Ana", order, at=opened)
    assert world.settle() == "settled"
    battle = Battle.objects.get(turn=world.turn)
    desk.go_to(battle.announced_at + HOUR)
    return battle
