"""R48: the public ledger of the neutrals, and that nothing of it is known before the settlement."""

from collections.abc import Iterator

import pytest
import time_machine
from django.http import HttpResponse
from django.urls import reverse

from judging.mercenaries.services import replace_order
from judging.turns.stages import advance
from tests.keeping import kept
from tests.pages.playing import Game, said
from tests.services.conftest import FOUR
from tests.services.mercenaries_of_tests import add_mercenary
from tests.services.world_of_tests import HOUR, LOCK, LOCKED, UNLOCK, World, begin, make_round, token
from wargame.models import Troop

SECRET = "5G > 4H"
"""The order of the mercenary judge, which nobody else knows before the settlement."""

PEOPLE = ("", "Ana", "Gaz", "movement", "battle")


@pytest.fixture
def game(db: None) -> Iterator[Game]:
    world = make_band()
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False) as clock:
        yield Game(world, clock)


@kept
def make_band() -> World:
    """Two raiders and a theme army among five armies; Wolfpack is ordered elsewhere."""
    world = make_round({**FOUR, "Ike": ("phyrexia", "7G", "evincar")})
    add_mercenary(world.round, "Wolfpack", "raider", "5G")
    add_mercenary(world.round, "Howlers", "raider", "36N")
    add_mercenary(world.round, "Herd", "theme", "30G")
    Troop.objects.filter(army__name="Gaz").update(alive=10)
    begin(world)
    order(world, "Wolfpack", SECRET)
    return world


def order(world: World, army: str, text: str) -> None:
    judge = world.judges["mercenary"]
    replace_order(turn=world.turn, judge=judge, army=army, order=text, token=token(), now=UNLOCK + HOUR)


def settle(game: Game) -> None:
    game.go_to(LOCK + 3 * HOUR)
    assert advance(game.world.turn.pk, LOCK + 3 * HOUR) == "settled"


def addresses(game: Game) -> list[str]:
    """Every address that tells of the mercenaries or of the turn."""
    slug, turn = game.world.round.slug, 1
    pages = [game.url(name) for name in ("neutrals", "map", "movement", "turns", "armies", "rulings", "api-neutrals")]
    pages += [game.url(name, turn) for name in ("neutrals-turn", "turn", "map-turn", "api-turn", "api-neutrals-turn")]
    pages += [reverse("army", args=[slug, "Wolfpack"]), reverse("api-army", args=[slug, "Wolfpack"])]
    return [*pages, game.url("turn-text", turn), game.url("api-map"), game.url("api-armies")]


@pytest.mark.parametrize("who", PEOPLE)
@pytest.mark.parametrize("when", ["open", "locked"])
def test_nobody_but_the_mercenary_judges_knows_an_order_before_it_is_carried_out(
    game: Game, who: str, when: str
) -> None:
    if when == "locked":
        game.go_to(LOCKED)
        assert advance(game.world.turn.pk, LOCKED) == "locked"
    client = game.client(who)
    for address in addresses(game):
        answer = client.get(address, follow=True)
        assert answer.status_code in (200, 404), address
        for told in (SECRET, "5G &gt; 4H", "mercenary_decided", "attack Gaz", "patrol their territory"):
            assert told not in answer.content.decode(), address


def test_the_ledger_tells_every_decision_with_its_guideline_after_the_settlement(game: Game) -> None:
    settle(game)
    page = ledger(game)
    assert "Wolfpack set out to attack Gaz, the weakest army in range: 220 to 18,500. 6.3.1 R52" in page
    assert "ordered by Judge mercenary" in page
    assert "By the guideline, the order would have been 5G > 3F; engage Gaz." in page
    assert "engage Ike: it was not weaker: 48,500 to 18,500" in page
    assert "Herd set out to patrol their territory, the squares within 3 of 30G. 6.2.1 R51" in page
    assert "patrol of Herd: " in page
    assert "Howlers " in page
    assert "The d20 for a new raider showed" in page


def ledger(game: Game, *number: int) -> str:
    answer = game.client().get(game.url("neutrals-turn" if number else "neutrals", *number))
    assert answer.status_code == 200
    return said(answer).replace("&gt;", ">").replace("&#x27;", "'")


def test_the_ledger_has_a_page_for_each_turn(game: Game) -> None:
    settle(game)
    second = game.world.turn
    assert "What the mercenaries do in turn 2 will appear here once the turn is settled" in ledger(game, 2)
    assert advance(second.pk, second.lock_at + 3 * HOUR) in ("settled", "moved")
    page = game.client().get(game.url("neutrals-turn", 1)).content.decode()
    assert game.url("turn", 1) in page
    assert game.client().get(game.url("neutrals-turn", 99)).status_code == 404
    assert game.url("neutrals-turn", 1) in game.page("turn", 1)


def test_moves_that_wait_for_a_battle_are_in_the_update_and_the_ledger_says_so(game: Game) -> None:
    """R18, R48: a published draft has the mercenaries' moves, too."""
    order(game.world, "Wolfpack", "5G > 3F; engage Gaz")
    settle(game)
    second = game.world.turn
    assert "Until the moves are worked out, only the mercenary judge knows." in ledger(game, 2)
    game.go_to(second.lock_at + 3 * HOUR)
    assert advance(second.pk, second.lock_at + 3 * HOUR) == "moved"
    assert "The moves have been worked out. You can see the public part in the turn's update." in ledger(game, 2)
    assert "Herd set out to patrol their territory" in game.page("turn", 2)


def test_before_the_first_settlement_it_says_so(game: Game) -> None:
    assert "The first decisions will appear here once turn 1 is settled" in ledger(game)


def test_a_round_without_mercenaries_says_so(db: None) -> None:
    world = begin(make_round(FOUR))
    with time_machine.travel(UNLOCK + HOUR, tick=False) as clock:
        quiet = Game(world, clock)
        assert "This round has no mercenaries" in ledger(quiet)


def test_programs_read_the_same_ledger(game: Game) -> None:
    assert json(game, "api-neutrals", status=404)["detail"] == "No turn has been settled yet."
    settle(game)
    told = json(game, "api-neutrals")
    assert told == json(game, "api-neutrals-turn", 1)
    wolfpack = next(one for one in told["decisions"] if one["army"] == "Wolfpack")
    assert (wolfpack["guideline"], wolfpack["ruling"], wolfpack["course"]) == ("6.3.1", "R52", "engages")
    assert (wolfpack["proposal"], wolfpack["order"], wolfpack["judge"]) == (
        "5G > 3F; engage Gaz", SECRET, "Judge mercenary",
    )  # fmt: skip
    assert {"what": "engage Ike", "why_not": "it was not weaker: 48,500 to 18,500"} in wolfpack["considered"]
    assert [event["kind"] for event in told["events"]][0] == "spawning_rolled"
    assert "once it is settled" in json(game, "api-neutrals-turn", 2, status=404)["detail"]


def json(game: Game, name: str, *number: int, status: int = 200) -> dict[str, object]:
    answer: HttpResponse = game.client().get(game.url(name, *number))
    assert answer.status_code == status
    return answer.json()  # type: ignore[attr-defined]


def test_the_update_has_the_decisions_too(game: Game) -> None:
    settle(game)
    page = game.page("turn", 1)
    assert "Mercenaries" in page
    assert "Herd set out to patrol their territory" in game.client().get(game.url("turn-text", 1)).content.decode()
