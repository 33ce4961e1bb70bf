"""DESIGN, who sees what: secrets without a text of their own. Whatever they are, other people's pages stay the same."""

from __future__ import annotations

import re
from collections.abc import Iterable

import time_machine
from django.utils import timezone

from judging.accounts.sessions.models import BrowserSession
from judging.battles.bench.models import BattleSeat
from judging.battles.bench.seats import pass_on
from judging.battles.models import Opinion, Proposal, Score, Strat, StratDraft
from judging.books.models import BookVersion
from judging.setup.models import PlannedSite
from judging.turns.models import Manifest, PostVersion
from tests.pages.setting_up import SQUARES
from tests.secrecy import plant, plant_setup
from tests.secrecy.routes import every_route
from tests.secrecy.scene import Scene
from tests.secrecy.viewers import client_of
from tests.secrecy.walking import body_of, every_address, one_look, visit

DRAWN = re.compile(r'name="token" value="[^"]*"|[A-Za-z0-9]{64}')
"""What is drawn anew for each answer: the names of forms, and what guards them."""


def change_scores() -> None:
    """4.2.1, R38: one judge's opinion, and what is scored and rolled but not published."""
    Opinion.objects.update(favours=1, bonus=2)
    Score.objects.filter(battle__state="rolled").update(favours=1, bonus=3)
    for proposal in Proposal.objects.filter(battle__state="rolled"):
        proposal.outcome |= {"winner": 1 - proposal.outcome["winner"]}
        proposal.save()


def take_battles() -> None:
    """R55, R59: whose a battle is to judge, which says that all strats are in."""
    seats = BattleSeat.objects.filter(battle__state="waiting", until=None)
    assert {seat.kind for seat in seats} == {"first", "second"}
    for seat in seats:
        pass_on(seat=seat, cause=BattleSeat.Cause.CONFLICT, now=timezone.now())
    assert not seats.all().exists()


def change_orders() -> None:
    """R6, 3.2.4.2: sealed orders and a manifest."""
    for version in PostVersion.objects.filter(post__sealed=True):
        version.text = version.text.replace("31D", "29D").replace("31K", "29K")
        version.save()
    Manifest.objects.update(receiver="Dot")


def change_strats() -> None:
    """R35: what strats ask for."""
    Strat.objects.filter(entry__battle__result=None).update(risk="capture", runs=True, leaves="Ana", leaves_to="4D")
    StratDraft.objects.update(risk="capture", runs=True)


def change_book() -> None:
    """R38."""
    for book in BookVersion.objects.all():
        book.formulas = {name: f"2 * ({text})" for name, text in book.formulas.items()}
        book.save()


def test_what_is_secret_of_a_turn_shows_on_no_other_page(clock: time_machine.Traveller) -> None:
    scene = plant.at_phase("open", clock)
    viewers = ("anonymous", "administrator")
    places = list(every_address(scene))
    before = {viewer: pages_of(viewer, scene, places) for viewer in viewers}
    for change in (change_scores, take_battles, change_orders, change_strats, change_book):
        change()
    for viewer, pages in before.items():
        assert changed(pages, pages_of(viewer, scene, places)) == []


def test_squares_and_choices_of_a_set_up_show_on_no_other_page(clock: time_machine.Traveller) -> None:
    """2.5.1.3: where the bases are planned, and which are win conditions."""
    scene = plant_setup.planned(clock)
    viewers = ("anonymous", "author", "enemy leader", "movement", "mercenary", "administrator")
    place(scene, SQUARES, without="Colorless Base")
    places = list(every_address(scene))
    before = {viewer: pages_of(viewer, scene, places) for viewer in viewers}
    swapped = {"Red Base": SQUARES["Green Base"], "Green Base": SQUARES["Red Base"]}
    place(scene, SQUARES | swapped, without="Blue Base")
    for viewer, pages in before.items():
        assert changed(pages, pages_of(viewer, scene, places)) == []


def place(scene: Scene, squares: dict[str, str], without: str) -> None:
    """2.5.1.1, 2.5.1.3: bases and portals get their squares; one of these bases and the 5-Color Base are no wins."""
    PlannedSite.objects.filter(round=scene.round).update(at="")
    for name, at in squares.items():
        is_win = name not in (without, "5-Color Base")
        PlannedSite.objects.filter(round=scene.round, name=name).update(at=at, is_win=is_win)


def pages_of(viewer: str, scene: Scene, places: Iterable[tuple[str, bool]]) -> dict[str, str]:
    """What a viewer reads at these places, without what is drawn anew each time; turns are recomputed before."""
    BrowserSession.objects.all().delete()  # where he was logged in before, he sees on his account page
    client = client_of(viewer, scene)
    with one_look():
        for address, is_fragment in every_address(scene, [r for r in every_route() if r.name == "verify-turn"]):
            visit(client, address, is_fragment)
        return {address: DRAWN.sub("", body_of(visit(client, address, is_fragment))) for address, is_fragment in places}


def changed(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """The pages that are not the same, each with what it says now from there on."""
    return [
        f"{address}: …{after[address][_parting(page, after[address]) - 40 :][:160]}…"
        for address, page in before.items()
        if after[address] != page
    ]


def _parting(old: str, new: str) -> int:
    pairs = zip(old, new, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))
