"""R48, 6.3.2: the mercenary judge's page: what it shows, what its forms do, and who may see it."""

import re
from collections.abc import Iterator

import pytest
import time_machine
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from judging.mercenaries.models import MercenaryOrder
from judging.turns.stages import advance
from tests.keeping import kept
from tests.pages.playing import Game, said
from tests.services.conftest import FOUR
from tests.services.mercenaries_of_tests import add_mercenary
from tests.services.world_of_tests import HOUR, LOCK, LOCKED, UNLOCK, World, begin, make_round
from wargame.models import Town, Troop, Turn

LONG = "The Very Long Name of a Band of Raiders"


@pytest.fixture
def game(db: None) -> Iterator[Game]:
    world = make_band()
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False) as clock:
        yield Game(world, clock)


@kept
def make_band() -> World:
    """Wolfpack near Gaz and a town, a raider with a long name far from everybody, and a theme army."""
    world = make_round(FOUR)
    Town.objects.create(round=world.round, name="Oakvale", at="8H")
    add_mercenary(world.round, "Wolfpack", "raider", "5G")
    add_mercenary(world.round, LONG, "raider", "36N")
    add_mercenary(world.round, "Herd", "theme", "30G")
    Troop.objects.filter(army__name="Gaz").update(alive=10)
    return begin(world)


def address(game: Game) -> str:
    return reverse("judge:mercenaries", args=[game.world.turn.pk])


def page(game: Game) -> str:
    answer = game.client("mercenary").get(address(game))
    assert answer.status_code == 200
    return answer.content.decode()


def send(game: Game, act: str, who: str = "mercenary", **typed: str) -> HttpResponse:
    token = typed.pop("token", f"form {act} {sorted(typed.items())}"[:40])
    return game.client(who).post(address(game), {"act": act, "token": token, **typed}, follow=True)


def test_it_proposes_an_order_for_each_mercenary_with_its_guideline(game: Game) -> None:
    shown = said(game.client("mercenary").get(address(game)))
    assert "Wolfpack set out to attack Gaz, the weakest army in range: 220 to 18,500. 6.3.1 R52" in shown
    assert "Herd set out to patrol their territory, the squares within 3 of 30G. 6.2.1 R51" in shown
    assert shown.count("by the guideline") == 3
    assert "Drawn (patrol of Herd)" in shown
    assert 'href="#' in page(game)


@pytest.mark.parametrize("who", ["movement", "battle", "Ana", ""])
def test_it_is_for_mercenary_judges_alone(game: Game, who: str) -> None:
    answer = game.client(who).get(address(game))
    assert answer.status_code in (302, 403, 404)
    assert "Wolfpack" not in answer.content.decode()
    refused = send(game, "order", who, army="Wolfpack", order="hold")
    assert "a new order" not in said(refused)
    assert not MercenaryOrder.objects.exists()


def test_not_even_an_administrator_sees_it(game: Game) -> None:
    """R48."""
    admin = Client()
    admin.force_login(User.objects.create_superuser("root"), backend="django.contrib.auth.backends.ModelBackend")
    assert admin.get(address(game)).status_code == 404
    assert "judging_mercenaryorder" not in admin.get(reverse("judge:index")).content.decode()


def test_the_desk_leads_there(game: Game) -> None:
    assert address(game) in game.client("mercenary").get(reverse("judge:index")).content.decode()
    assert address(game) not in game.client("battle").get(reverse("judge:index")).content.decode()


def test_an_order_is_given_and_taken_back(game: Game) -> None:
    assert "You gave Wolfpack a new order." in said(send(game, "order", army="Wolfpack", order="5G > 6H"))
    shown = said(game.client("mercenary").get(address(game)))
    assert "5G &gt; 6H ordered by Judge mercenary Following the guideline: 5G &gt; 3F; engage Gaz" in shown
    assert "will follow the guideline again" in said(send(game, "guideline", army="Wolfpack"))
    assert "ordered by" not in page(game)


def test_what_is_wrong_is_said_and_what_was_typed_stays(game: Game) -> None:
    answer = send(game, "order", army="Wolfpack", order="5G > 9G <b>")
    assert answer.status_code == 422
    assert 'value="5G &gt; 9G &lt;b&gt;"' in answer.content.decode()
    answer = send(game, "order", army="Wolfpack", order="5G > 3F")
    assert "Try 5G &gt; 3F; engage Gaz" in answer.content.decode()
    assert "3.2.2.2" in said(answer)
    assert 'aria-invalid="true"' in answer.content.decode()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"act": "order", "army": "Wolfpack", "order": "5G > 9G"}, 'value="5G &gt; 9G"'),
        ({"act": "disband", "army": LONG, "reason": " "}, 'name="army" value="' + LONG),
        ({"act": "spawn", "square": "7G", "rank": "1/1", "reason": "Why"}, 'value="7G"'),
    ],
)
def test_what_is_wrong_stands_beside_its_form(game: Game, typed: dict[str, str], field: str) -> None:
    """R48: on a long page it is said where it was typed, and the focus is there."""
    shown = send(game, **typed).content.decode()
    assert shown.count('id="wrong"') == shown.count("autofocus") == 1
    form = shown.split('id="wrong"')[1].split("Your text is still below.")[1]
    assert field in form[: form.index("autofocus") + 20]


def test_what_is_typed_too_late_is_shown_where_its_form_is_gone(game: Game) -> None:
    shown = page(game)
    assert "Give another order" in shown
    game.go_to(LOCKED)
    answer = send(game, "order", army="Wolfpack", order="5G > 6G")
    assert answer.status_code == 422
    assert "Turn 1 locked at" in said(answer)
    assert "You typed: 5G &gt; 6G" in answer.content.decode()


def test_an_order_against_the_guidelines_is_remarked(game: Game) -> None:
    """6.3.1: it is legal all the same."""
    assert "You gave Wolfpack a new order" in said(send(game, "order", army="Wolfpack", order="5G > 7G"))
    assert "7G is next to a base, portal or town; by the guidelines, raiders never move there (6.3.1)" in page(game)


@pytest.mark.parametrize(
    ("act", "typed", "sentence"),
    [
        ("", {}, "Use one of the buttons to choose what to do"),
        ("dance", {"army": "Wolfpack"}, "Use one of the buttons to choose what to do"),
        ("order", {}, "no mercenary “”"),
        ("order", {"army": "Wolfpack"}, "Write one order"),
        ("disband", {"army": "Wolfpack"}, "reason is empty"),
        ("disband", {"army": "Herd", "reason": "Old."}, "Only raiders can disband"),
        ("spawn", {"square": "99Z", "rank": "1/1", "reason": "x"}, "isn&#x27;t on the map"),
        ("order", {"army": "Wolfpack", "order": "hold\x00"}, "has a character in line 1 that isn&#x27;t text"),
        ("order", {"army": "Wolfpack", "order": "hold", "token": "é"}, "Something went wrong with this form"),
    ],
)
def test_nothing_that_is_sent_is_an_error_of_the_service(
    game: Game, act: str, typed: dict[str, str], sentence: str
) -> None:
    answer = send(game, act, **typed)
    assert answer.status_code == 422
    assert sentence in said(answer)


def test_a_raider_is_called_up_and_off(game: Game) -> None:
    assert "You called up a raider to" in said(
        send(game, "spawn", square="a30", rank="2/2", reason="The north is quiet.")
    )
    shown = said(game.client("mercenary").get(address(game)))
    assert "Judge mercenary called up a raider of 2/2 rank on 30A: The north is quiet." in shown
    assert "You cancelled the call-up of a raider to 30A." in said(send(game, "unspawn", square="30A"))


def test_a_raider_disbands_for_a_reason(game: Game) -> None:
    send(game, "disband", army=LONG, reason="Nobody fears <them>.")
    shown = page(game)
    assert "<code>disband</code>" in shown
    assert "Nobody fears &lt;them&gt;." in shown


def test_a_double_click_does_it_once(game: Game) -> None:
    for _ in range(2):
        send(game, "order", army="Wolfpack", order="hold", token="one")
    assert MercenaryOrder.objects.count() == 1


def test_the_forms_of_the_page_have_tokens_of_their_own(game: Game) -> None:
    tokens = re.findall(r'name="token" value="([^"]+)"', page(game))
    assert len(tokens) == len(set(tokens)) > 4
    assert all(len(token) <= 40 for token in tokens)


# After the lock


def lock(game: Game) -> None:
    game.go_to(LOCKED)
    assert advance(game.world.turn.pk, LOCKED) == "locked"


def test_after_the_lock_one_raider_is_sent_off(game: Game) -> None:
    assert "From the lock until" in said(game.client("mercenary").get(address(game)))
    lock(game)
    shown = page(game)
    assert "<option>Wolfpack</option>" in shown
    assert LONG not in re.findall(r"<option[^>]*>([^<]*)</option>", shown)
    assert 'name="act" value="order"' not in shown
    answer = send(game, "after", army="Wolfpack", order="5G > 6G")
    assert answer.status_code == 422
    assert "After the lock" in said(answer)
    assert 'id="wrong"' in answer.content.decode().split('id="after-lock"')[1].split('id="after-order"')[0]
    answer = send(game, "after", army="Wolfpack", order="5G > 3F (5G - 5F - 4F - 3F); engage Gaz")
    assert "You sent Wolfpack on the way." in said(answer)
    assert "changed one raider&#x27;s movement" in said(answer) or "changed one raider's movement" in said(answer)
    assert advance(game.world.turn.pk, LOCKED) == "settled"


def test_he_ends_the_window(game: Game) -> None:
    assert "Keep the window" in said(send(game, "done"))
    assert "Change nothing after the lock" in said(send(game, "wait"))
    lock(game)
    assert "The turn won&#x27;t wait for an order after the lock" in said(send(game, "done"))
    assert advance(game.world.turn.pk, LOCKED) == "settled"


def test_the_queue_says_what_a_locked_turn_waits_for(game: Game) -> None:
    lock(game)
    shown = said(game.client("movement").get(reverse("judge:index")))
    assert "worked out after Mon 9 Mar 2026, 07:00 UTC, or as soon as the mercenary judge is done" in shown


def test_the_page_of_a_settled_turn_leads_to_its_ledger(game: Game) -> None:
    old = address(game)
    game.go_to(LOCK + 3 * HOUR)
    assert advance(game.world.turn.pk, LOCK + 3 * HOUR) == "settled"
    answer = game.client("mercenary").get(old, follow=True)
    assert answer.redirect_chain[-1][0] == game.url("neutrals-turn", 1)
    assert "Turn 1 is settled. Here is what its mercenaries did." in said(answer)
    late = game.client("mercenary").post(old, {"act": "order", "army": "Wolfpack", "order": "hold"}, follow=True)
    assert "Nothing was changed." in said(late)
    assert game.client("battle").get(old).status_code == 404
    assert Turn.objects.count() == 2
    page(game)


def test_a_fighting_mercenary_is_not_ordered_but_has_a_strat(game: Game) -> None:
    """3.2.1, R49."""
    game.go_to(LOCK + 3 * HOUR)
    assert advance(game.world.turn.pk, LOCK + 3 * HOUR) == "settled"
    battle = game.world.turn.battles.get()
    shown = page(game)
    strat = reverse("judge:mercenary-strat", args=[battle.pk, "Wolfpack"])
    assert strat in shown
    assert "Its strat, not sent yet" in said(game.client("mercenary").get(address(game)))
    game.client("mercenary").post(strat, {"token": "the strat", "text": "Bite.", "risk": ""})
    assert "Its strat, sent Mon" in said(game.client("mercenary").get(address(game)))
    assert 'name="army" value="Wolfpack"' not in shown
    assert "Wolfpack stayed to fight on 3F." in said(game.client("mercenary").get(address(game)))
