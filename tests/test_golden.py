"""The demo round, to the letter: what follows from the same seeds and inputs doesn't change by accident.

If you change an outcome, a sentence of an update or a proof on purpose, update the digests and say why in the commit.
"""

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
import time_machine
from django.db import transaction
from django.test import Client
from pytest_django import DjangoDbBlocker

from judging.demo.making import make
from wargame.models import Round, Turn

NOW = datetime(2026, 3, 4, 15, 30, 12, 345678, tzinfo=UTC)

POSITIONS = "c67d7de5b851ebd7fe394fedad65e8cfbc190e8609fee4ea791c5536fb7850dd"
UPDATES = "1f3e60b8ce4f1f85d0df501461e30df9120963532fbf11f30e6cb283962280e0"
PROOFS = "805af40e30101e551fed3b3d07e690bf5485d31a98709928b0e06e8afe686bee"


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Round]:
    """The demo round, made once."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make(turn_length=None, fresh=False, now=NOW, say=lambda line: None)
        transaction.set_rollback(True)


@pytest.fixture(autouse=True)
def _then(db: None) -> Iterator[None]:
    with time_machine.travel(NOW, tick=False):
        yield


def digest(parts: list[str]) -> str:
    assert parts
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def turns(demo: Round) -> list[Turn]:
    return list(Turn.objects.filter(round=demo).order_by("number"))


def read(address: str) -> str:
    answer = Client().get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def test_the_positions_of_the_demo_are_what_they_were(demo: Round) -> None:
    assert digest([turn.position_hash for turn in turns(demo)]) == POSITIONS


def test_the_updates_of_the_demo_are_what_they_were(demo: Round) -> None:
    settled = [turn.number for turn in turns(demo) if turn.next_hash]
    assert digest([read(f"/rounds/{demo.slug}/turns/{number}/update.txt") for number in settled]) == UPDATES


def test_the_proofs_of_the_demo_are_what_they_were(demo: Round) -> None:
    keys = [battle.pk for turn in turns(demo) for battle in turn.battles.order_by("number")]
    proofs = [read(f"/api/v1/rounds/{demo.slug}/battles/{key}/proof/") for key in keys]
    assert digest(proofs) == PROOFS
