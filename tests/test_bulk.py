"""Many rows in one statement: what comes back is what Django would give."""

from datetime import UTC, datetime

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.db.models import BigIntegerField, F
from django.test.utils import CaptureQueriesContext

from wargame.models import Army, Player, Round
from wargame.world.bulk import GivenLater, Together

NOW = datetime(2026, 3, 2, 6, 0, 30, 250_000, tzinfo=UTC)
ROUND = GivenLater("round", BigIntegerField())

pytestmark = pytest.mark.django_db


def a_round(slug: str, *names: str) -> Round:
    made = Round.objects.create(name=slug, slug=slug, terrain="", created_at=NOW)
    for name in names:
        Army.objects.create(round=made, name=name, side="coalition", at="3D", rank="captain", colors=["red", "“blue”"])
    return made


def reads() -> Together:
    return Together(
        lambda: {
            "rounds": Round.objects.filter(pk=ROUND).values_list("slug", "created_at"),
            "armies": Army.objects.filter(round=ROUND)
            .order_by("name")
            .values_list("name", "colors", "died_in", "plan"),
            "players": Player.objects.filter(round=ROUND).values_list("name", "joined_at"),
        }
    )


def test_several_reads_are_one_statement_and_give_what_each_would() -> None:
    made, other = a_round("one", "Zed", "Ana", "Joss O'Neil"), a_round("two")
    user = User.objects.create_user("ben")
    Player.objects.create(round=other, user=user, name="Ben", side="coalition", joined_at=NOW)
    together = reads()
    with CaptureQueriesContext(connection) as captured:
        first, second = together.read(round=made.pk), together.read(round=other.pk)
    assert len(captured) == 2
    assert first == {
        "rounds": [["one", NOW]],
        "armies": [[name, ["red", "“blue”"], None, None] for name in ("Ana", "Joss O'Neil", "Zed")],
        "players": [],
    }
    assert second == {"rounds": [["two", NOW]], "armies": [], "players": [["Ben", NOW]]}


def test_the_statement_is_put_together_once() -> None:
    made, calls = a_round("one"), []

    def rounds() -> dict[str, object]:
        calls.append(1)
        return {"rounds": Round.objects.filter(pk=ROUND).values_list("slug")}

    together = Together(rounds)  # type: ignore[arg-type]
    assert together.read(round=made.pk) == together.read(round=made.pk) == {"rounds": [["one"]]}
    assert len(calls) == 1


def test_a_column_that_would_not_survive_is_refused() -> None:
    lengths = Together(lambda: {"rounds": Round.objects.annotate(length=F("turn_length")).values_list("length")})
    with pytest.raises(TypeError, match="can't be read together"):
        lengths.read()
