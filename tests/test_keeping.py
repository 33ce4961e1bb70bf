"""The worlds that are kept for many tests: they are those that the services would build."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from random import Random

import pytest
import time_machine
from django.contrib.auth.models import User
from django.core import mail
from django.core.mail import send_mail
from django.db import connection, transaction

from tests import keeping
from tests.keeping import Keeper, kept
from tests.kept_rows import rows
from tests.services.conftest import FOUR
from tests.services.world_of_tests import UNLOCK, World, begin, make_round
from wargame.models import Army, Player, Round, Turn

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def keeper(monkeypatch: pytest.MonkeyPatch, _draw: Random) -> Keeper:
    """One that knows nothing yet."""
    keeper = Keeper()
    keeper.begin("", _draw)
    monkeypatch.setattr(keeping, "keeper", keeper)
    return keeper


@contextmanager
def new_test(keeper: Keeper) -> Iterator[None]:
    assert keeper.draw is not None
    keeper.begin("some test", keeper.draw)
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def settled() -> World:
    world = begin(make_round(FOUR))
    world.post("Ana", "3D > 3F; engage Gaz")
    assert world.settle() == "settled"
    return world


def test_each_test_finds_the_same_rows_whether_they_were_built_or_written_again(
    keeper: Keeper, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for what is drawn or counted anew in any world: passwords that nobody knows, names of forms, the chain."""
    monkeypatch.setattr("django.contrib.auth.hashers.get_random_string", lambda length: "x" * length)
    monkeypatch.setattr("tests.services.world_of_tests.token", lambda: "a form")
    monkeypatch.setattr("judging.chain.services.drawn_secret", lambda: "0" * 64)
    found, names = [], []
    for _ in range(12):
        with new_test(keeper), time_machine.travel(UNLOCK, tick=False):
            world = settled()
            found.append(rows().state())
            names.append((world.round, sorted(world.players), world.turn.number, world.army("Ana").at))
    assert len(keeper.steps) == 4
    assert [keeping._difference(state, found[0]) for state in found] == [{}] * len(found)
    assert all(name == names[0] for name in names)


def test_a_world_that_was_written_again_is_played_on(keeper: Keeper) -> None:
    for _ in range(9):
        with new_test(keeper):
            world = settled()
            world.post("Ben", "10D > 11D", at=world.turn.opened_at + timedelta(hours=1))
            assert world.settle() == "moved"
            assert Army.objects.get(name="Ben").round == world.round


def test_what_a_test_writes_itself_ends_the_way(keeper: Keeper) -> None:
    for _ in range(6):
        with new_test(keeper):
            world = begin(make_round(FOUR))
    known = len(keeper.steps)
    for _ in range(3):
        with new_test(keeper):
            world = make_round(FOUR)
            Player.objects.filter(name="Ana").update(rank="general")
            begin(world)
            assert Player.objects.get(name="Ana").rank == "general"
    assert len(keeper.steps) == known


def test_what_was_undone_is_no_part_of_the_way(keeper: Keeper) -> None:
    for _ in range(6):
        with new_test(keeper):
            world = make_round(FOUR)
            with transaction.atomic():
                begin(world)
                assert Turn.objects.count() == 1
                transaction.set_rollback(True)
            assert Turn.objects.count() == 0
            begin(world)
            assert Turn.objects.count() == 1


def test_other_arguments_and_other_moments_are_other_steps(keeper: Keeper) -> None:
    for _ in range(4):
        for name in ("One", "Two"):
            for moment in (UNLOCK, UNLOCK + timedelta(days=1)):
                with new_test(keeper), time_machine.travel(moment, tick=False):
                    world = make_round(FOUR, name=name)
                    assert Round.objects.get() == world.round
                    assert world.round.name == name
                    assert world.players["Ana"].user.date_joined == moment


def test_mails_are_in_the_box_again(keeper: Keeper) -> None:
    @kept
    def told() -> None:
        send_mail("Good morning", "", None, ["ana@example.org"])
        make_round(FOUR)

    for number in range(1, 5):
        with new_test(keeper):
            told()
            assert len(mail.outbox) == number


def test_a_test_draws_the_same_whether_its_world_was_built_or_written_again(keeper: Keeper) -> None:
    drawn = set()
    for _ in range(4):
        with new_test(keeper):
            make_round(FOUR)
            drawn.add(secrets.token_hex())
    assert len(drawn) == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("run", ["first", "second"])
def test_what_a_server_wrote_goes_though_the_connection_has_gone(run: str) -> None:
    """A server's last thread may have closed it: the second run finds nothing of the first."""
    assert not User.objects.exists()
    User.objects.create_user(run)
    if connection.vendor == "sqlite":
        connection.connection = None  # `close` does nothing where the database is in memory
    else:
        connection.close()
