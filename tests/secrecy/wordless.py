"""DESIGN, who sees what: secrets without a text of their own. Whatever they are, other people's pages stay the same."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator

from django.http import HttpResponseBase
from django.urls import reverse
from django.utils import timezone

from judging.accounts.sessions.models import BrowserSession
from judging.battles.assignments.models import BattleSeat
from judging.battles.assignments.seats import pass_on
from judging.battles.models import Opinion, Proposal, Score, Strat, StratDraft
from judging.formula_books.models import BookVersion
from judging.setup.models import PlannedSite
from judging.turns.models import Manifest, PostVersion
from tests.secrecy.routes import every_route
from tests.secrecy.scene import Scene
from tests.secrecy.viewers import client_of
from tests.secrecy.walking import answers_to, body_of, every_address, visit

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


def change_the_turn() -> None:
    """All of it at once."""
    for change in (change_scores, take_battles, change_orders, change_strats, change_book):
        change()


def place(scene: Scene, squares: dict[str, str], without: str) -> None:
    """2.5.1.1, 2.5.1.3: bases and portals get their squares; one of these bases and the 5-Color Base are no wins."""
    PlannedSite.objects.filter(round=scene.round).update(at="")
    for name, at in squares.items():
        is_win = name not in (without, "5-Color Base")
        PlannedSite.objects.filter(round=scene.round, name=name).update(at=at, is_win=is_win)


class Pages:
    """What the pages say to some viewers while a walk goes there, to be read again when a secret is another one."""

    def __init__(self, scene: Scene, viewers: Iterable[str]) -> None:
        self.scene = scene
        self.places = list(every_address(scene))
        self.seen: dict[str, dict[str, list[str]]] = {viewer: defaultdict(list) for viewer in viewers}
        recompute(scene)

    def look(self, viewer: str, address: str, response: HttpResponseBase) -> None:
        """A walk's answer is one of those that are to stay the same, except the file that lists visits."""
        if viewer in self.seen and address != reverse("account-data"):
            self.seen[viewer][address].append(_without_what_is_drawn(response))

    def changed(self) -> list[str]:
        """The pages that are not the same now, each with what it says from there on."""
        assert all(self.seen.values())
        BrowserSession.objects.all().delete()  # where he was logged in before, he sees on his account page
        return [told for viewer in self.seen for told in self._changed_for(viewer)]

    def _changed_for(self, viewer: str) -> Iterator[str]:
        before = self.seen[viewer]
        after = defaultdict[str, list[str]](list)
        for address, response in answers_to(viewer, self.scene, [each for each in self.places if each[0] in before]):
            after[address].append(_without_what_is_drawn(response))
        for address, pages in before.items():
            for old, new in zip(pages, after[address], strict=True):
                if new != old:
                    yield f"{viewer} at {address}: …{new[_parting(old, new) - 40 :][:160]}…"


def recompute(scene: Scene) -> None:
    """Whoever comes first has a turn recomputed, and reads another page of it than those who come later."""
    client = client_of("anonymous", scene)
    for address, is_fragment in every_address(scene, [route for route in every_route() if route.name == "verify-turn"]):
        visit(client, address, is_fragment)


def _without_what_is_drawn(response: HttpResponseBase) -> str:
    return DRAWN.sub("", body_of(response))


def _parting(old: str, new: str) -> int:
    pairs = zip(old, new, strict=False)
    return next((place for place, (one, other) in enumerate(pairs) if one != other), min(len(old), len(new)))
