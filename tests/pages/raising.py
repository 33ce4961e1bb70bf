"""What the tests of a set-up's armies share: a round whose bases are public, and the forms of judge and leaders."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.http import HttpResponse

from judging.armies.models import HandedIn, MercenaryPlan, Muster
from judging.setup.models import ArmySetup, PlannedSite, RoundSetup
from judging.setup.steps.bases_and_towns import reveal
from tests.keeping import kept
from tests.pages.catalogue import fill_catalogue
from tests.pages.setting_up import MONDAY, SQUARES, TOWNS, Foundation, found_round
from wargame.models import Judge
from wargame.rules.mercenaries.muster import POSTS

DEMO_MAP = Path(__file__).parents[2] / "fixtures" / "demo" / "terrain.txt"
ARMIES = [1, 1, 1, 0, 1, 2]
"""Six armies a side. Una is General, Adam Admiral, Rio Lieutenant; Gaz Chief Praetor, Hex Centurion."""

RED = ("5000 Kris Mage", "2500 Gray Ogre", "1500 Hill Giant", "1000 Volcanic Dragon")


class Camp(Foundation):
    """A round whose bases and towns are public, with few armies a rank."""

    def muster(self, who: str, rank: str = "", act: str = "send", **typed: Any) -> Muster:
        """A muster that a player begins and sends (or saves) in the browser."""
        begun = self.post(who, "muster-new", rank=rank, token=f"{who} {rank} {Muster.objects.count()}")
        assert begun.status_code == 302
        muster = Muster.objects.get(pk=int(begun.url.rstrip("/").split("/")[-1]))
        given = {"name": muster.name, "colors": muster.colors, "version": muster.version, "rank": muster.rank}
        response = self.post(who, "muster", muster.pk, act=act, **{**given, **typed})
        assert response.status_code == 302, response.content.decode()
        return Muster.objects.get(pk=muster.pk)

    def sent(self, who: str = "Rio", lists: tuple[str, ...] = RED, **typed: Any) -> Muster:
        return self.muster(who, **{f"slot{slot}": text for slot, text in enumerate(lists, 1)}, **typed)

    def do(self, page: str, act: str, **data: Any) -> HttpResponse:
        """A button of a step, pressed by the judge on the page as it is now."""
        step = page.removeprefix("setup-")
        return self.post("Judy", page, act=act, version=self.setup.version(step), **data)

    @kept
    def fill_all(self) -> None:
        """Every place of both sides filled by proposals, which are accepted."""
        for name in ("Una", "Adam", "Rio", "Gaz", "Hex"):
            if not Muster.objects.filter(namesake__name=name).exists():
                self.do("setup-armies", f"make-up:{self.player(name).pk}")
        self.do("setup-proxies", "make-up")
        response = self.do("setup-proxies", "accept-all")
        assert response.status_code == 302
        assert Muster.objects.filter(state=HandedIn.ACCEPTED).count() == 12

    @kept
    def ready(self) -> None:
        """Everything is done but the start."""
        self.fill_all()
        assert self.do("setup-placement", "fill").status_code == 302
        assert self.do("setup-placement", "accept", **self.squares()).status_code == 302
        assert self.do("setup-mercenaries", "draw").status_code == 302
        assert self.do("setup-mercenaries", "accept", **self.plans()).status_code == 302
        assert self.do("setup-book", "draw").status_code == 302

    def squares(self, **other: str) -> dict[str, str]:
        """The form of the placement as it is saved, but for some armies: `squares(Una="3D")`."""
        rows = Muster.objects.filter(round=self.round, state=HandedIn.ACCEPTED)
        return {f"at-{row.pk}": other.get(row.name.replace(" ", "_"), row.at) for row in rows}

    def plans(self, lot: str = "", **other: str) -> dict[str, str]:
        """The form of the mercenaries as it is saved, but for the fields of one: `plans("raider 1", at="3D")`."""
        form: dict[str, str] = {}
        for place, post in enumerate(POSTS):
            plan = MercenaryPlan.objects.get(round=self.round, lot=post.lot)
            given = {"name": plan.name, "legend": plan.legend, "at": plan.at}
            given |= {f"slot{slot}": text for slot, text in enumerate(plan.lists, 1)}
            given |= other if post.lot == lot else {}
            form |= {f"{key}-{place}": value for key, value in given.items()}
        return form

    @property
    def draws(self) -> ArmySetup:
        return ArmySetup.objects.get(round=self.round)

    def named(self, name: str) -> Muster:
        return Muster.objects.get(round=self.round, name=name)


@kept
def camp_round() -> Camp:
    """The round of `found_round`, its map the demo's, its bases and towns revealed."""
    fill_catalogue()
    founded = found_round()
    camp = Camp(founded.round, founded.users)
    camp.round.terrain = "\n".join(DEMO_MAP.read_text(encoding="utf-8").split())
    camp.round.save()
    for name, at in {**SQUARES, **TOWNS}.items():
        wins = name in tuple(SQUARES)[:5]
        PlannedSite.objects.filter(round=camp.round, name=name).update(
            at=at, is_win=wins, description=f"{name} has walls.", state=HandedIn.ACCEPTED, version=1
        )
    saved = dict.fromkeys(("name", "calendar", "terrain", "bases", "towns"), 1)
    RoundSetup.objects.filter(round=camp.round).update(armies=ARMIES, versions=saved, chosen_at=MONDAY)
    for role, who in (("movement", "Mo"), ("mercenary", "Merle")):
        Judge.objects.create(round=camp.round, user=camp.users[who], name=who, role=role)
    reveal(round=camp.round, judge=camp.judge, now=MONDAY)
    return camp


@pytest.fixture
def camp(db: None) -> Iterator[Camp]:
    with time_machine.travel(MONDAY, tick=False):
        yield camp_round()


def version_on(html: str, muster: Muster) -> str:
    """The version of a proposal that a page carries."""
    found = re.search(rf'name="version-{muster.pk}" value="(\d+)"', html)
    assert found
    return found[1]
