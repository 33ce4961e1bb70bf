"""R55, R56, R59: whom a battle falls to."""

from datetime import UTC, datetime, timedelta

import pytest

from wargame.rules.command.bench import (
    HEAD_SILENT,
    JUDGE_SILENT,
    ConcernedArmy,
    Conflict,
    Stated,
    conflict_with,
    is_silent,
    is_within,
    next_judge,
    order_of,
    stand_in,
)

DAY = datetime(2026, 3, 2, tzinfo=UTC)
ANA = ConcernedArmy("Ana", "coalition", frozenset({"Ana", "Ben"}), frozenset({"red"}))
GAZ = ConcernedArmy("Gaz", "phyrexia", frozenset({"Gaz"}), frozenset({"black"}))


def test_the_round_has_its_judges_in_the_order_of_their_service() -> None:
    """R59: of two who were named at once the first row is the first."""
    assert order_of([(7, DAY), (5, DAY), (9, DAY - timedelta(days=1))]) == (9, 5, 7)


@pytest.mark.parametrize(
    ("after", "barred", "expected"),
    [
        (1, (), 2),
        (3, (), 1),
        (1, (2,), 3),
        (2, (1, 3), 2),
        (None, (1,), 2),
        (8, (), 1),
        (1, (1, 2, 3), None),
    ],
)
def test_a_battle_falls_to_the_next_in_order_who_is_not_barred(
    after: int | None, barred: tuple[int, ...], expected: int | None
) -> None:
    """R56, R59: after the last comes the first; who lost it comes last himself."""
    assert next_judge((1, 2, 3), after, barred) == expected


def test_a_deputy_stands_in_before_the_longest_serving() -> None:
    """R59: and where he is away, the longest-serving other judge does."""
    assert stand_in((1, 2, 3), 1, 3) == 3
    assert stand_in((1, 2, 3), 1, None) == 2
    assert stand_in((1, 2, 3), 1, 3, away={3}) == 2
    assert stand_in((1, 2, 3), 1, 1) == 2
    assert stand_in((1,), 1, None) is None


@pytest.mark.parametrize(
    ("own", "stated", "why", "army"),
    [
        ("Ben", (), Conflict.CONTROLS, "Ana"),
        (None, (Stated(Conflict.PLAYER, "Gaz"),), Conflict.PLAYER, "Gaz"),
        (None, (Stated(Conflict.FACTION, "red"),), Conflict.FACTION, "Ana"),
        (None, (Stated(Conflict.TEAM, "phyrexia"),), Conflict.TEAM, "Gaz"),
    ],
)
def test_a_judge_has_a_conflict_by_what_he_controls_and_by_what_he_states(
    own: str | None, stated: tuple[Stated, ...], why: Conflict, army: str
) -> None:
    """R56: who controlled an army earlier in the round counts as one who does."""
    found = conflict_with((ANA, GAZ), own, stated)
    assert found is not None
    assert (found.why, found.army) == (why, army)


def test_what_speaks_of_others_is_no_conflict() -> None:
    """R56."""
    others = (Stated(Conflict.PLAYER, "red"), Stated(Conflict.FACTION, "Ana"), Stated(Conflict.TEAM, "mercenary"))
    assert conflict_with((ANA, GAZ), "Zed", others) is None


def test_silence_is_counted_to_the_moment() -> None:
    """R59."""
    assert not is_silent(DAY, DAY + JUDGE_SILENT - timedelta(seconds=1), JUDGE_SILENT)
    assert is_silent(DAY, DAY + HEAD_SILENT, HEAD_SILENT)


def test_who_decides_over_two_scores_stays_between_them() -> None:
    """R55: +4 to one side and +3 to the other one are the ends of the span."""
    assert [is_within(4, -3, decided) for decided in (5, 4, 0, -3, -4)] == [False, True, True, True, False]
