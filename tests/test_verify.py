"""R18, R38: any turn that was played can be recomputed, and what was changed afterwards is found."""

from collections.abc import Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from judging.battles.models import Battle, Result, Score, Strat
from judging.demo.making import make
from judging.turns.models import PostVersion
from judging.verification.checks import verify_round
from wargame.models import Round, Turn
from wargame.rules.core.codec import digest
from wargame.version import RULES


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Round]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield make(turn_length=None, fresh=False, now=timezone.now(), say=lambda line: None)
        transaction.set_rollback(True)


@pytest.fixture
def demo(made: Round, db: None) -> Round:
    return Round.objects.get(pk=made.pk)


def differences(demo: Round) -> dict[int, tuple[str, ...]]:
    return {verdict.turn: verdict.differences for verdict in verify_round(demo) if verdict.differences}


def test_every_turn_of_the_demo_round_is_recomputed_to_the_same_bytes(demo):
    said = StringIO()

    call_command("verify", demo.slug, stdout=said)

    assert f"{demo}: 3 turns recomputed, 0 differ" in said.getvalue()


def test_a_turn_that_other_rules_settled_says_so_where_it_differs(demo):
    Turn.objects.filter(round=demo, number=1).update(rules="0.9")
    for version in PostVersion.objects.filter(post__turn__number=1):
        PostVersion.objects.filter(pk=version.pk).update(text="\n" * version.text.count("\n"))
    said = StringIO()

    with pytest.raises(SystemExit):
        call_command("verify", stdout=said)

    assert f"version 0.9 of the rules settled it; this is {RULES}" in said.getvalue()
    assert Turn.objects.get(round=demo, number=2).rules == RULES


def test_changed_orders_are_found(demo):
    for version in PostVersion.objects.filter(post__turn__number=1):
        PostVersion.objects.filter(pk=version.pk).update(text="\n" * version.text.count("\n"))

    assert "its events" in differences(demo)[1]


def test_a_changed_score_is_found(demo):
    score = Score.objects.filter(battle__turn__round=demo, bonus__gt=0)[0]
    Score.objects.filter(pk=score.pk).update(bonus=0, favours=None)

    assert f"the battle on {score.battle.at}: its outcome" in differences(demo)[score.battle.turn.number]


def test_a_changed_strat_is_found(demo):
    result = Result.objects.filter(battle__turn__round=demo)[0]
    Strat.objects.filter(entry__battle=result.battle).update(text="Something else.")

    found = differences(demo)[result.battle.turn.number]
    assert f"the battle on {result.battle.at}: a strat that doesn't match its receipt" in found


def test_another_seed_is_found(demo):
    battle = Battle.objects.filter(turn__round=demo, state=Battle.State.PUBLISHED)[0]
    Battle.objects.filter(pk=battle.pk).update(seed="00" * 32)

    assert f"the battle on {battle.at}: the commitment to its seed" in differences(demo)[battle.turn.number]


def test_a_changed_position_is_found(demo):
    turn = Turn.objects.get(round=demo, number=2)
    turn.position["armies"][0]["days"] += 1
    turn.save(update_fields=["position"])

    assert "its starting position" in differences(demo)[2]


def test_a_turn_that_was_settled_before_positions_kept_what_armies_sent_is_verified_as_it_was_written(demo):
    """R65: the rows of earlier versions."""
    turn, after = next(
        (turn, after)
        for turn in Turn.objects.filter(round=demo).exclude(next_hash="")
        for after in Turn.objects.filter(round=demo, number=turn.number + 1)
        if any("sent" in army for army in after.position["armies"])
    )
    for army in after.position["armies"]:
        army.pop("sent", None)
    Turn.objects.filter(pk=turn.pk).update(next_hash=digest(after.position), rules="")

    assert turn.number not in differences(demo)


def test_the_command_fails_where_a_turn_differs(demo):
    Turn.objects.filter(round=demo, number=3).update(next_hash="00" * 32)

    with pytest.raises(SystemExit):
        call_command("verify", demo.slug, stdout=StringIO())


def test_the_command_says_that_there_is_no_such_round(db):
    with pytest.raises(CommandError, match="no round “nowhere”"):
        call_command("verify", "nowhere")
