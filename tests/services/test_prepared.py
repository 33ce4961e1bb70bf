"""Statements that are written once and asked by everybody: each asks with values of his own."""

from datetime import datetime

import pytest
from django.db.models import Count, QuerySet

from judging.boards.queries import read_marks
from judging.boards.queries.boards import boards_for
from judging.common import prepared
from judging.common.viewer import Viewer, viewer_of
from tests.services.boards_of_tests import READ, user_of, write
from tests.services.teams import NOW, make_teams
from tests.services.world_of_tests import HOUR, UNLOCK, World, add_player
from wargame.models import Player

pytestmark = pytest.mark.django_db


def test_a_statement_is_written_once_and_asked_with_other_values_each_time(world: World) -> None:
    late = add_player(world.round, "Late", "coalition")
    Player.objects.filter(pk=late.pk).update(joined_at=UNLOCK + 2 * HOUR)
    written = []

    def build() -> QuerySet[Player, tuple[str]]:
        written.append("once")
        rows = Player.objects.filter(round_id=prepared.number(1), joined_at__gt=prepared.MOMENT)
        return rows.order_by("name").values_list("name")

    def joined_after(round_id: int, hours: int) -> list[str]:
        values = {prepared.number(1): round_id, prepared.MOMENT: UNLOCK + hours * HOUR}
        return [name for (name,) in prepared.rows("players of tests", build, values)]

    assert joined_after(world.round.pk, -1) == ["Ana", "Ben", "Gaz", "Hex", "Late"]
    assert joined_after(world.round.pk, 1) == ["Late"]
    assert joined_after(world.round.pk, 2) == []
    assert joined_after(world.round.pk + 1, -1) == []
    assert written == ["once"]


def test_a_statement_of_arguments_is_built_once_and_gives_rows_as_django_does(world: World) -> None:
    """Their related rows, what is counted with them, JSON and moments with it, on every database."""
    late = add_player(world.round, "Late", "coalition")
    Player.objects.filter(pk=late.pk).update(joined_at=UNLOCK + 2 * HOUR, former_names=[["Early", "2026-01-01"]])
    built = []

    def named(round: int, name: str, when: datetime, has_left: bool) -> QuerySet[Player]:
        built.append(has_left)
        rows = Player.objects.filter(round=round, name=name, joined_at__gt=when, left_at__isnull=not has_left)
        return rows.select_related("user", "round").annotate(judges=Count("round__judges", distinct=True))

    asked = prepared.statement(named)
    for name in ("Late", "Ana", "Late"):
        (own,) = named(world.round.pk, name, UNLOCK - HOUR, False)
        (found,) = asked(world.round.pk, name, UNLOCK - HOUR, False)
        assert (found.former_names, found.joined_at) == (own.former_names, own.joined_at)
        assert (found.pk, found.user.username, found.round) == (own.pk, own.user.username, world.round)
        assert found.judges == own.judges > 0  # type: ignore[attr-defined]
    assert asked(world.round.pk, "Late", UNLOCK + 2 * HOUR, False) == []
    assert asked(world.round.pk + 1, "Late", UNLOCK, False) == asked(world.round.pk, "Late", UNLOCK, True) == []
    assert len(built) == 3 + 2


def test_a_value_that_is_changed_on_its_way_into_a_statement_is_refused() -> None:
    @prepared.statement
    def like(name: str) -> QuerySet[Player]:
        return Player.objects.filter(name__contains=name)

    @prepared.statement
    def after(number: int) -> QuerySet[Player]:
        return Player.objects.filter(pk__gt=number + 1)

    for asked, value in ((like, "Ana"), (after, 1)):
        with pytest.raises(prepared.Misbuilt):
            asked(value)  # type: ignore[operator]


def test_what_is_new_on_the_boards_is_counted_for_each_viewer_as_by_a_statement_of_his_own() -> None:
    world = make_teams()
    write(world, "Ana", "@Vorn, @Bo: well met.", "talk", at=NOW + HOUR)
    for key, who in {key: who for who, keys in READ.items() for key in keys}.items():
        write(world, who, "Between us.", key, at=NOW + HOUR)
    counted = []
    for who in READ:
        if user := user_of(world, who):
            viewer = viewer_of(user, world.round)
            counted.append(found := told(viewer))
            assert found == told_by_its_own(viewer), who
    assert len(set(map(tuple, counted))) > 3


def told(viewer: Viewer) -> list[tuple[str, int, int, int]]:
    found = read_marks.unread_by_topic(viewer)
    return sorted((board, topic, each.new, each.mentions) for (board, topic), each in found.items())


def told_by_its_own(viewer: Viewer) -> list[tuple[str, int, int, int]]:
    boards = boards_for(viewer)
    by_thread = {board.notices: board.key for board in boards if board.notices}
    notices = read_marks._notices(viewer, by_thread)
    by_service = [(by_thread[thread], topic, new, naming) for _, thread, topic, new, naming in notices]
    by_people = [(board, topic, new, naming) for _, board, topic, new, naming in read_marks._messages(viewer, boards)]
    assert not {(board, topic) for board, topic, *_ in by_service} & {(board, topic) for board, topic, *_ in by_people}
    return sorted([*by_service, *by_people])
