"""11: a table is taken back to an entry by a judge or its players, and a judge looks at hidden cards, as all see."""

from typing import Any

import pytest

from judging.common.errors import Refused
from judging.notifications.models import Notification
from judging.notifications.queries import own_rows, views_for
from judging.tables import game_state
from judging.tables.history_views import past_of
from judging.tables.models import Entry, Snapshot
from judging.tables.proof.checks import checks_of
from judging.tables.proof.verification import proof_of
from judging.tables.services import judges
from judging.tables.services.chain import Stale
from judging.tables.services.taking_back import TakingBack, look_at_cards, looked_at, take_table_back
from tests.services.tables_of_tests import Game, appoint, person, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """A table in its second turn, whose head judge is Jo."""
    made = running()
    person("Jo")
    appoint(made.table, "Jo", made.now)
    made.go_on("first")
    for _ in range(6):
        made.post(made.waited(), "pass")
    return made


def back(game: Game, who: str, to: int, reason: str = "a wrong click", **more: Any) -> Entry:
    """Somebody takes the table back, or asks for it."""
    said = {"on": game.row().head, "token": f"{who} {to} {game.row().entries}", **more}
    fresh = said.pop("fresh", False)
    return take_table_back(
        table=game.table, user=person(who), back=TakingBack(to, reason, fresh=fresh), now=game.now, **said
    )  # fmt: skip


def look(game: Game, who: str = "Jo", letter: str = "A", reason: str = "Was it in the hand?") -> Entry:
    """Somebody looks at a seat's hidden cards."""
    return look_at_cards(
        table=game.table, user=person(who), letter=letter, reason=reason, on=game.row().head,
        token=f"{who} {letter} {game.row().entries}", now=game.now,
    )  # fmt: skip


def kinds(name: str) -> list[str]:
    """What somebody was told of."""
    return list(Notification.objects.filter(user=person(name)).values_list("kind", flat=True))


def test_a_judge_takes_the_table_back_to_what_nobody_has_seen_more_since(game: Game) -> None:
    state = game.state()
    to, then = state.shown, game_state.state_of(game.row(), state.shown)

    entry = back(game, "Jo", to)

    assert (entry.by, entry.args["to"], entry.args["reason"]) == ("judge", to, "a wrong click")
    assert game.state().zones == then.zones
    assert game.state().turn == then.turn
    assert game.state().entry == entry.n
    assert game.waited()


def test_behind_a_draw_only_fresh_draws_lead_back(game: Game) -> None:
    to = game.state().shown - 1
    drawn = game_state.state_of(game.row(), to).zones["A.deck"]
    with pytest.raises(Refused, match="fresh draws") as refused:
        back(game, "Jo", to)
    assert refused.value.cites == "T11.6"

    back(game, "Jo", to, fresh=True)

    assert game.state().draws.fresh == 1
    assert game.state().zones["A.deck"] != drawn
    assert sorted(game.state().zones["A.deck"]) != []


def test_players_take_it_back_when_all_ask_for_the_same(game: Game) -> None:
    to = game.state().shown
    asked = back(game, "Ana", to, "")
    assert game.state().going_back == (("A", to, False),)
    assert "table.back_asked" in kinds("Bo")

    done = back(game, "Bo", to, "")

    assert game.state().turn == game_state.state_of(game.row(), to).turn
    assert "table.back" in kinds("Ana")
    assert asked.n + 1 == done.n


def test_both_players_hear_that_a_judge_took_it_back_and_why(game: Game) -> None:
    back(game, "Jo", game.state().shown)

    for name in ("Ana", "Bo"):
        (view,) = [one for one in views_for(person(name).pk, own_rows(person(name).pk)) if "taken back" in one.sentence]
        assert "a wrong click" in view.sentence
        assert view.link == f"/tables/{game.table.slug}/"


def test_what_counts_no_longer_stays_in_the_log_and_says_so(game: Game) -> None:
    to = game.state().shown
    entry = back(game, "Jo", to)

    log = {one.n: one.is_undone for one in game.view().log()}

    assert {n for n, undone in log.items() if undone} == set(range(to + 1, entry.n))
    assert not log[to]
    assert not log[entry.n]


def test_who_is_waited_for_then_has_his_time_anew(game: Game) -> None:
    back(game, "Jo", game.state().shown)

    seat = game.seat(game.waited())

    assert seat.asked_at == game.now


def test_a_judge_gives_a_reason_and_nobody_else_takes_it_back(game: Game) -> None:
    to = game.state().shown
    with pytest.raises(Refused) as refused:
        back(game, "Jo", to, "")
    assert refused.value.field == "reason"
    with pytest.raises(Refused, match="Only a judge"):
        back(game, "Cy", to)
    with pytest.raises(Refused, match="no entry"):
        back(game, "Jo", 9_999)
    with pytest.raises(Refused, match="no entry 3"):
        back(game, "Jo", 3)


def test_the_same_form_is_one_entry_and_a_stale_one_is_told(game: Game) -> None:
    head, to = game.row().head, game.state().shown

    assert back(game, "Jo", to, token="one").pk == back(game, "Jo", to, token="one", on=head).pk
    with pytest.raises(Stale):
        back(game, "Jo", to, token="two", on=head)


def test_taking_it_back_answers_what_was_asked(game: Game) -> None:
    judges.ask(table=game.table, user=person("Bo"), question="May he?", now=game.now)

    back(game, "Jo", game.state().shown)

    assert not game.row().question
    assert game.row().due_at is not None


def test_a_table_that_went_back_folds_and_verifies_without_any_cache(game: Game) -> None:
    back(game, "Jo", game.state().shown)
    back(game, "Jo", 9, fresh=True)
    game.post(game.waited(), game.view(game.waited()).legal[0])
    back(game, "Jo", game.row().entries - 1, fresh=True)
    live = game.state()
    for cached in (True, False):
        game_state.forget()
        if not cached:
            Snapshot.objects.all().delete()
        assert game.state() == live

    game.post("Ana", "concede!")

    assert [check.wrong for check in checks_of(proof_of(game.row()))] == [""] * 8


def orders(game: Game) -> list[tuple[str, bool]]:
    """The standing orders that Bo's page lists, each with whether it has ended."""
    game_state.forget()
    return [(order.text, order.ended) for order in game.view("Bo").orders]


def test_a_rewind_takes_standing_orders_back_and_brings_those_again_that_have_ended_since(game: Game) -> None:
    game.post("Bo", "never block until end of turn 9", order=True)
    to = game.row().entries
    game.post("Bo", "off 1", order=True)
    game.post("Bo", "pass until my turn", order=True)
    assert orders(game) == [("never block", True), ("pass until my turn", False)]

    back(game, "Jo", to)

    assert orders(game) == [("never block", False)]


def test_orders_follow_a_rewind_by_the_players_and_are_numbered_as_they_stand(game: Game) -> None:
    to = game.row().entries
    game.post("Bo", "never block", order=True)
    back(game, "Ana", to, "")
    assert orders(game) == [("never block", False)]
    back(game, "Bo", to, "")
    assert orders(game) == []

    game.post("Bo", "pass until my turn", order=True)

    assert [order.number for order in game.view("Bo").orders] == [1]
    game.post("Bo", "off 1", order=True)
    assert orders(game) == [("pass until my turn", True)]


def test_a_judge_sees_hidden_cards_only_by_an_entry_that_all_see(game: Game) -> None:
    before = game.view("Jo")
    assert not any(before.view["zones"]["A.hand"])

    entry = look(game)

    seen = game.view("Jo")
    assert all(seen.view["zones"]["A.hand"])
    assert not any(seen.view["zones"]["B.hand"])
    assert {one.zone for one in looked_at(seen.table, seen.view, seen.names)} >= {"hand", "deck, top card first"}
    assert game.view("Bo").log()[0].reason == "Was it in the hand?"
    assert (entry.by, entry.kind, entry.args["seat"]) == ("judge", "look", "A")
    assert not any(game.view("Bo").view["zones"]["A.hand"])
    assert not any(game.view().view["zones"]["A.hand"])


def test_a_look_shows_a_judge_the_past_only_from_its_entry_on(game: Game) -> None:
    entry = look(game)
    seen = game.view("Jo")

    earlier, then = past_of(seen, entry.n - 1), past_of(seen, entry.n)

    assert earlier is not None
    assert then is not None
    assert not any(earlier.view["zones"]["A.hand"])
    assert all(then.view["zones"]["A.hand"])


def test_both_players_hear_that_a_judge_looked(game: Game) -> None:
    look(game)

    assert "table.looked" in kinds("Ana")
    assert "table.looked" in kinds("Bo")


def test_who_does_not_judge_here_any_more_sees_nothing(game: Game) -> None:
    look(game)
    (judge,) = game.table.judges.all()
    judges.dismiss_judge_of_table(table=game.table, by=person("Jo"), judge_id=judge.pk, now=game.now)

    assert not any(game.view("Jo").view["zones"]["A.hand"])
    with pytest.raises(Refused, match="Only the judges"):
        look(game)


def test_a_look_needs_a_reason_and_a_seat_and_shows_something_new(game: Game) -> None:
    with pytest.raises(Refused) as refused:
        look(game, reason="")
    assert refused.value.field == "reason"
    with pytest.raises(Refused, match="Choose whose"):
        look(game, letter="Z")

    entry = look(game)

    with pytest.raises(Refused, match="fresh"):
        back(game, "Jo", entry.n - 1)


def test_a_standing_order_that_waits_for_nothing_is_refused_where_it_is_given(game: Game) -> None:
    with pytest.raises(
        Refused,
        match="An order can pass until `my turn`, `end of turn` or `end of turn 9`, and can add `unless attacked`",
    ) as refused:
        game.post("Bo", "pass until the moon", order=True)
    assert refused.value.field == "lines"
    assert orders(game) == []
