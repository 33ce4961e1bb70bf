"""2.3.2, 2.6: armies that change their troops, and new players who make one their own."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse
from django.urls import reverse

from judging.armies.changes import services
from judging.armies.models import ChangeRequest, HandedIn, PersonalOffer
from judging.turns.turn_input import InputOfTurn
from tests.keeping import kept
from tests.pages.catalogue import fill_catalogue
from tests.pages.mustering import RED_ARMY, Camp, camp, said
from tests.services.world_of_tests import HOUR, UNLOCK, World, add_player, begin, make_round
from wargame.models import Army, Base, Player, Troop
from wargame.rules.core.troops import alive_by_slot

__all__ = ["camp"]


@dataclass
class War(Camp):
    """A round in its first turn. Ana stands in Red Base with two days counted; Ben is somewhere; New joined later."""

    def change(self, who: str, act: str = "send", army: str = "Ana", how: str = "change", **more: Any) -> HttpResponse:
        row = ChangeRequest.objects.filter(army__name=army, state__in=["draft", "sent"]).first()
        given = {f"slot{slot}": text for slot, text in enumerate(NEW_TROOPS, 1)}
        data = {**given, "version": row.version if row else 0, "act": act, **more}
        return self.client(who).post(self.url("army-change", how, army), data)


NEW_TROOPS = ("5000 Lightning Dragon", "2500 Shivan Dragon", "1500 Orgg", "1000 Scoria Wurm")


@pytest.fixture
def war(db: None) -> Iterator[War]:
    world = make_war()
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False) as clock:
        yield War(world, clock)


@kept
def make_war() -> World:
    fill_catalogue()
    armies = {
        "Ana": ("coalition", "3D", "captain"),
        "Ben": ("coalition", "10D", "lieutenant"),
        "Lea": ("coalition", "11D", "general"),
        "Gaz": ("phyrexia", "20F", "evincar"),
    }
    world = make_round(armies)
    Base.objects.create(round=world.round, name="Red Base", at="3D", side="coalition", color="red")
    Base.objects.create(round=world.round, name="Fallen", at="5D", side="coalition", color="green", destroyed_in=1)
    Army.objects.filter(name="Ana").update(days=2, colors=["red", "green"])
    Troop.objects.filter(army__name="Ana", slot=1).update(alive=3200)
    return begin(world)


def join(war: War, name: str, when: datetime) -> Player:
    player = add_player(war.world.round, name, "coalition", "lieutenant")
    player.joined_at = when
    player.save()
    war.world.players[name] = player
    return player


def test_troops_are_changed_at_the_judges_word_and_nobody_is_raised_from_the_dead(war: War) -> None:
    """2.3.2."""
    assert war.change("Ana").status_code == 302
    request = ChangeRequest.objects.get()
    address = reverse("judge:change", args=[request.pk])
    assert "3,200 of 5,000 Lightning Dragon" in said(war.client("battle").get(address))
    war.client("battle").post(address, {"act": "accept"})

    (accepted,) = InputOfTurn(war.world.turn).changes()
    assert (accepted.army, accepted.by, accepted.name, accepted.newcomer) == ("Ana", "Ana", "", None)
    assert alive_by_slot(accepted.makeup) == (5000, 2500, 1500, 1000)
    assert Troop.objects.get(army__name="Ana", slot=1).creature == "Ana 1/1"


def test_creatures_of_a_fallen_bases_color_are_refused_unless_the_army_had_them(war: War) -> None:
    Troop.objects.filter(army__name="Ana", slot=2).update(creature="Spined Wurm", colors=["green"], size="5/4")
    turn = war.world.turn
    turn.position["armies"][0]["troops"][1] |= {"creature": "Spined Wurm", "colors": ["green"], "size": "5/4"}
    turn.position_hash = "0" * 64
    turn.save()
    new = said(war.change("Ana", slot1="5000 Durkwood Boars"))
    old = war.change("Ana", slot2="2500 Spined Wurm")

    assert "Durkwood Boars is green, and the base of that colour is destroyed" in new
    assert old.status_code == 302


@pytest.mark.parametrize(
    ("who", "army", "named"),
    [
        ("Ben", "Ben", "it is on 10D"),
        ("Ben", "Ana", "You don't control Ana"),
        ("Gaz", "Ana", "You don't control Ana"),
        ("battle", "Ana", "You don't control Ana"),
    ],
)
def test_others_and_elsewhere_no_troops_are_changed(war: War, who: str, army: str, named: str) -> None:
    response = war.change(who, army=army)

    assert response.status_code == 422
    assert named in said(response)


def test_what_was_sent_away_does_not_come_back_by_a_change(war: War) -> None:
    """R65."""
    turn = war.world.turn
    turn.position["armies"][0] |= {"sent": [1000, 0, 0, 0]}
    turn.position["armies"][0]["troops"][0] |= {"alive": 4000, "of": 4000}
    turn.position_hash = "1" * 64
    turn.save()

    told = "Slot 1 would have 5,000 troops; 1,000 were sent away from it, so the limit is 4,000 (R65)."
    assert told in said(war.change("Ana"))


def test_after_the_lock_nothing_is_asked_of_the_judge(war: War) -> None:
    war.clock.move_to(war.world.turn.lock_at + timedelta(minutes=2))

    assert "is locked; ask again when the next one opens" in said(war.change("Ana"))


def test_a_refused_request_can_be_made_anew(war: War) -> None:
    war.change("Ana")
    first = ChangeRequest.objects.get()
    war.client("battle").post(
        reverse("judge:change", args=[first.pk]), {"act": "refuse", "reason": "Not that many dragons."}
    )
    page = war.page("Ana", "army-change", "change", "Ana")
    assert "Not that many dragons." in page
    assert war.change("Ana", slot1="5000 Volcanic Dragon").status_code == 302
    assert [row.state for row in ChangeRequest.objects.order_by("pk")] == ["refused", "sent"]


def test_a_request_is_secret_from_the_other_side_and_from_the_movement_judge(war: War) -> None:
    war.change("Ana")
    request = ChangeRequest.objects.get()

    assert war.client("movement").get(reverse("judge:change", args=[request.pk])).status_code == 404
    for who in ("Gaz", "Ben"):
        assert "Lightning Dragon" not in war.page(who, "army-change", "change", "Ana")


def test_leaders_choose_an_army_for_a_new_player_who_has_fought_twice(war: War) -> None:
    """2.6."""
    new = join(war, "New", UNLOCK + HOUR)
    early = war.client("Lea").post(war.url("newcomers"), {"player": "New", "army": "Ben"}, follow=True)
    assert "has fought 0 of the 2 battles" in said(early)
    assert not PersonalOffer.objects.exists()

    PersonalOffer.objects.create(
        round=war.world.round, player=new, army=war.world.army("Ben"), offered_in=1, offered_at=UNLOCK
    )
    page = war.page("New", "army-change", "personalise", "Ben")
    assert "Make Ben your own" in page
    assert "has fought 0 of the 2 battles" in page


@pytest.mark.parametrize(
    ("who", "army", "named"),
    [
        ("Ana", "Ben", "Only a side's leaders"),
        ("Lea", "Ana", "only Lt. Commander / CPL or lower"),
        ("Lea", "Nobody", "Choose a player and an army"),
        ("Gaz", "Ben", "Only a side's leaders"),
    ],
)
def test_offers_that_the_rule_does_not_know_are_refused(war: War, who: str, army: str, named: str) -> None:
    join(war, "New", UNLOCK + HOUR)
    response = war.client(who).post(war.url("newcomers"), {"player": "New", "army": army}, follow=True)

    assert named in said(response) or "has fought 0 of the 2" in said(response)
    assert not PersonalOffer.objects.exists()


def test_a_personalised_army_gets_name_legend_and_troops_and_keeps_its_colors(war: War, monkeypatch: Any) -> None:
    new = join(war, "New", UNLOCK + HOUR)
    PersonalOffer.objects.create(
        round=war.world.round, player=new, army=war.world.army("Ben"), offered_in=1, offered_at=UNLOCK
    )
    seasoned = services.new_player
    monkeypatch.setattr(services, "new_player", lambda *args: seasoned(*args).__class__("New", True, 2, 1, 1))
    lists = dict(zip(("slot1", "slot2", "slot3", "slot4"), RED_ARMY, strict=True))
    taken = said(war.change("New", army="Ben", how="personalise", name="ana", **lists))
    good = war.change(
        "New", army="Ben", how="personalise", name="New Dawn", legend="Nicol Bolas", colors=["blue"], **lists
    )

    assert "Another army is called “Ana”" in taken
    assert good.status_code == 302, said(good)
    request = ChangeRequest.objects.get()
    assert (request.name, request.legend, request.kind) == ("New Dawn", "Nicol Bolas", "personal")
    assert request.state == HandedIn.SENT


def test_an_army_that_is_not_on_the_map_and_a_way_that_does_not_exist_are_404(war: War) -> None:
    for how, army in (("change", "Nobody"), ("enlarge", "Ana"), ("change", "x\0y")):
        assert war.client("Ana").get(war.url("army-change", how, army)).status_code == 404
