"""What the tests of the judges' desk share: a battle that waits, secrets that must not leak, people who log in."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import AbstractBaseUser, User
from django.test import Client
from django.urls import reverse

from judging.battles.desk.publishing import keep_narrative
from judging.battles.models import Battle
from judging.turns.models import Draft
from tests.services.conftest import FOUR
from tests.services.world_of_tests import HOUR, World, begin, make_round

PASSWORD = "a-word-for-tests"
STRAT = "MARKER-STRAT-TEXT"
SEALED = "MARKER-SEALED-ORDER"
NARRATIVE = "MARKER-NARRATIVE"
WHY = {f"number_{place}": "3" for place in range(4)} | {"why": "It was.", "departs": "So it is."}
"""R54: the marks on the four criteria of a round that says nothing else, and the reason."""


@dataclass
class Desk:
    """The second turn of a small round: Ana attacks Gaz on 3F."""

    world: World
    battle: Battle
    clock: time_machine.Traveller

    @property
    def address(self) -> str:
        return reverse("judge:battle", args=[self.battle.pk])

    def user(self, who: str) -> AbstractBaseUser | None:
        """By a role, a player's name, `superuser`; None for `anonymous`."""
        if who == "anonymous":
            return None
        if who == "superuser":
            found = User.objects.filter(username="root").first()
            return found or User.objects.create_superuser("root", password=PASSWORD)
        if who in self.world.judges:
            return self.world.judges[who].user
        return self.world.players[who].user

    def client(self, who: str) -> Client:
        client = Client()
        user = self.user(who)
        if user is not None:
            client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
        return client

    def go_to(self, when: datetime) -> None:
        self.clock.move_to(when)

    def send(self, who: str = "battle", client: Client | None = None, **typed: object) -> object:
        """A POST of the sheet's form."""
        return (client or self.client(who)).post(self.address, {"narrative_version": "0", **typed})

    def both_strats(self) -> None:
        now = self.battle.announced_at + HOUR
        self.world.strat(self.battle, "Ana", "Ana", f"{STRAT} of Ana", now=now)
        self.world.strat(self.battle, "Gaz", "Gaz", f"{STRAT} of Gaz", now=now)

    def plant(self) -> list[str]:
        """Secrets of every kind, and the texts by which a leak of them is seen."""
        self.both_strats()
        now = self.battle.announced_at + HOUR
        turn = self.world.turn
        near_the_lock = turn.lock_at - 2 * HOUR
        self.world.post("Ben", f"Ben: 10D > 11D\n{SEALED}", at=near_the_lock, sealed=True)
        keep_narrative(battle=self.battle, judge=self.world.judges["battle"], text=NARRATIVE, base_version=0, now=now)
        self.go_to(near_the_lock + timedelta(minutes=1))
        return [SEALED, turn.seed, self.battle.seed]


@pytest.fixture
def desk(db: None) -> Iterator[Desk]:
    """An hour after turn 2 opened, with a battle and no strats."""
    world = begin(make_round(FOUR))
    world.post("Ana", "3D > 3F; engage Gaz\n")
    world.settle()
    battle = Battle.objects.get(turn__round=world.round)
    with time_machine.travel(battle.announced_at + 2 * HOUR, tick=False) as clock:
        yield Desk(world, battle, clock)


def make_draft(desk: Desk) -> Draft:
    """The draft of turn 2's moves, which nobody has published."""
    world = desk.world
    world.round.publish_after = None
    world.round.save()
    world.post("Hex", "20F > 25F", at=desk.world.turn.opened_at + HOUR)
    world.settle()
    desk.go_to(world.turn.lock_at + HOUR)
    return Draft.objects.get(turn=world.turn)
