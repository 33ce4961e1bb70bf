"""2.5: the start: everything is checked once more, the armies come onto the map, and it happens once."""

from datetime import timedelta

import time_machine

from judging.announcements.models import Notice
from judging.armies.models import HandedIn, Muster
from judging.common.models import LogEntry
from judging.formula_books.models import BookVersion
from judging.setup.steps.start import start_round
from judging.turns.stages import advance
from judging.verification.checks import verify_round
from tests.pages.raising import Camp, camp
from tests.pages.setting_up import MONDAY, said
from wargame.models import Army, Control, Creature, Troop, Turn
from wargame.rules.core.dice import commitment

__all__ = ["camp"]


def start(camp: Camp, **more: object) -> object:
    return camp.post("Judy", "setup-start", act="start", **more)


def test_a_round_starts_with_all_its_armies_and_turn_1_is_open(camp: Camp) -> None:
    camp.ready()
    assert "Ready to start." in camp.page("Judy", "setup-start")
    response = start(camp)

    assert response.url == camp.url("map")
    turn = Turn.objects.get(round=camp.round)
    assert (turn.number, turn.state) == (1, "open")
    armies = Army.objects.filter(round=camp.round)
    assert [armies.filter(side=side).count() for side in ("coalition", "phyrexia", "mercenary")] == [6, 6, 10]
    assert len({army.at for army in armies}) == 22
    assert Troop.objects.filter(round=camp.round, alive__lt=1).count() == 0
    rio = armies.get(name="Rio")
    assert (rio.namesake, rio.colors, rio.rank) == (camp.player("Rio"), ["red"], "lieutenant")
    assert rio.at == camp.named("Rio").at
    camp.round.refresh_from_db()
    assert camp.round.state == "running"
    assert turn.position["battles"] == []
    assert "Rio" in camp.page("", "map")


def test_the_first_lock_follows_the_calendar(camp: Camp) -> None:
    """R5: deadlines are on Fridays at 5:00, as a new round has them."""
    camp.ready()
    start(camp)
    turn = Turn.objects.get(round=camp.round)

    assert turn.deadline > MONDAY
    assert (turn.deadline.weekday(), turn.deadline.hour) == (4, 5)
    assert turn.lock_at - turn.deadline == camp.round.deadline_before_lock


def test_mercenaries_begin_with_their_factions_tiers_and_homes(camp: Camp) -> None:
    """6.1 to 6.3."""
    camp.ready()
    start(camp)
    hired = Army.objects.filter(round=camp.round, side="mercenary").order_by("pk")

    assert [(army.faction, army.mercenary_tier) for army in hired] == [
        *[("town_defender", 5)] * 3, *[("theme", 4)] * 3, ("ocean_theme", 4),
        ("raider", 6), ("raider", 6), ("raider", 5),
    ]  # fmt: skip
    assert all(army.home == ("" if army.faction == "raider" else army.at) for army in hired)
    assert all(sum(troop.alive for troop in army.troops.all()) == 10_000 for army in hired)


def test_the_control_list_begins_with_namesakes_and_the_leaders_choices(camp: Camp) -> None:
    """5.2.1."""
    camp.fill_all()
    proxy = Muster.objects.get(namesake=None, rank="lieutenant")
    proxy.controller = camp.player("Rio")
    proxy.save()
    camp.ready()
    start(camp)

    listed = {control.army.name: control.player.name for control in Control.objects.filter(round=camp.round)}
    assert listed == {**{name: name for name in ("Una", "Adam", "Rio", "Gaz", "Hex")}, proxy.name: "Rio"}


def test_the_book_that_the_judge_saw_is_the_one_that_is_announced(camp: Camp) -> None:
    """R38."""
    camp.ready()
    book = BookVersion.objects.get(round=camp.round)
    assert book.commitment in camp.page("Judy", "setup-book")
    start(camp)

    assert BookVersion.objects.get(round=camp.round) == book
    assert book.commitment in Notice.objects.get(turn__round=camp.round, kind="book").text


def test_the_seed_of_the_set_up_is_public_from_the_start_and_fits_its_commitment(camp: Camp) -> None:
    """R38."""
    camp.ready()
    seed, promised = camp.draws.seed, camp.draws.commitment
    assert seed not in camp.page("Judy", "setup-placement")
    start(camp)

    assert commitment(bytes.fromhex(seed)) == promised
    page = camp.page("", "battles")
    assert seed in page
    assert promised in page
    assert LogEntry.objects.filter(round=camp.round, action="setup.seed_revealed", data__seed=seed).count() == 1


def test_started_twice_it_starts_once(camp: Camp) -> None:
    camp.ready()
    first = start(camp)
    second = start(camp)

    assert first.status_code == second.status_code == 302
    assert second.url == camp.url("map")
    assert Turn.objects.filter(round=camp.round).count() == 1
    assert Army.objects.filter(round=camp.round).count() == 22
    again = start_round(round=camp.round, judge=camp.judge, now=MONDAY)
    assert again.number == 1
    assert Army.objects.filter(round=camp.round).count() == 22


def test_what_is_missing_is_told_in_one_list_and_nothing_is_begun(camp: Camp) -> None:
    camp.fill_all()
    response = start(camp)

    assert response.status_code == 409
    text = said(response)
    assert "The round wasn't started: there are 3 problems." in text
    for step in ("setup-placement", "setup-mercenaries", "setup-book"):
        assert f'href="{camp.url(step)}"' in response.content.decode()
    assert not Turn.objects.filter(round=camp.round).exists()
    assert not Army.objects.filter(round=camp.round).exists()
    assert not Control.objects.filter(round=camp.round).exists()


def test_an_army_that_is_illegal_by_now_stands_in_the_way(camp: Camp) -> None:
    """2.2.1: a creature was banned after the acceptance."""
    camp.ready()
    banned = Muster.objects.get(namesake__name="Rio").troops[0]["creature"]
    Creature.objects.filter(name=banned).update(banned="2.2.1")
    response = start(camp)

    assert response.status_code == 409
    assert f"Rio: {banned} is banned." in said(response)
    assert not Army.objects.filter(round=camp.round).exists()


def test_a_muster_that_is_refused_after_its_acceptance_stands_in_the_way(camp: Camp) -> None:
    camp.ready()
    rio = camp.named("Rio")
    camp.client("Judy").post(f"/judge/musters/{rio.pk}/", {"act": "refuse", "reason": "I was wrong."})

    assert Muster.objects.get(pk=rio.pk).state == HandedIn.REFUSED
    assert start(camp).status_code == 409


def test_a_square_that_was_changed_in_the_database_stands_in_the_way(camp: Camp) -> None:
    camp.ready()
    Muster.objects.filter(name="Rio").update(at="26F")
    response = start(camp)

    assert response.status_code == 409
    assert "Rio would start on Portal 1, an enemy base." in said(response)


def test_a_started_round_can_not_be_edited_by_the_set_up(camp: Camp) -> None:
    camp.ready()
    squares, plans = camp.squares(Rio="3D"), camp.plans("raider 1", at="3D")
    player = camp.player("Rio").pk
    start(camp)
    before = list(Army.objects.filter(round=camp.round).values_list("name", "at"))

    for page, data in (
        ("setup-placement", {"act": "save", "version": 99, **squares}),
        ("setup-mercenaries", {"act": "draw", "version": 99, **plans}),
        ("setup-proxies", {"act": "make-up"}),
        ("setup-armies", {"act": f"make-up:{player}"}),
        ("setup-book", {"act": "draw"}),
    ):
        assert camp.post("Judy", page, **data).status_code == 404
    assert camp.post("Una", "setup-starts").status_code == 404
    assert list(Army.objects.filter(round=camp.round).values_list("name", "at")) == before
    assert BookVersion.objects.filter(round=camp.round).count() == 1


def test_only_the_battle_judge_starts_a_round(camp: Camp) -> None:
    camp.ready()
    for who in ("Una", "Rio", "Mo", "Merle", "Olga"):
        assert camp.post(who, "setup-start", act="start").status_code == 403

    assert not Turn.objects.filter(round=camp.round).exists()


def test_the_first_turn_settles_and_recomputes(camp: Camp) -> None:
    """R18: a started round is a round like any other."""
    camp.ready()
    start(camp)
    turn = Turn.objects.get(round=camp.round)
    later = turn.lock_at + timedelta(hours=30)
    camp.round.refresh_from_db()
    with time_machine.travel(later, tick=False):
        assert advance(turn.pk, later) == "settled"

    assert Turn.objects.filter(round=camp.round).count() == 2
    assert [check.differences for check in verify_round(camp.round)] == [()]
