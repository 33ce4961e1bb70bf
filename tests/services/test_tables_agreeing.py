"""A12: agreements before the start: said at once, kept for others, changed by rulings, and what if nobody answers."""

from datetime import timedelta

import pytest

from judging.common.errors import Refused
from judging.notifications.models import Notification
from judging.tables import notify, settings_summary
from judging.tables.models import Entry, Table, TableAgreements, TableState
from judging.tables.services import agreements, judges, opening, posting
from judging.tables.services.judges import TableVerdict
from judging.tables.services.posting import Stale
from tables.games.altered.agreements import all_suggested
from tests.services.tables_of_tests import OPENED, Game, appoint, opened, person, sit

pytestmark = pytest.mark.django_db

SAID = {1: "hand 6, mana 3", 2: "by hand", 3: "Whoever smiles first"}


@pytest.fixture
def game() -> Game:
    """A table of Altered at which Ana and Bo have sat down."""
    return seated()


def seated(name: str = "On the road") -> Game:
    """A table of Altered whose players have just sat down."""
    table = opened(game="altered", format="default", name=name)
    for who, deck in (("Ana", "Hearthkin"), ("Bo", "Wayfarers")):
        sit(table, who, deck)
    return Game(Table.objects.get(pk=table.pk), OPENED)


def agree(game: Game, name: str, answers: dict[int, str], token: str = "", on: str = "") -> tuple[Entry, ...]:
    """Somebody answers, a minute later."""
    game.now += timedelta(minutes=1)
    return agreements.agree_on(
        table=game.table, user=person(name), answers=answers, on=on or game.row().head,
        token=token or f"said {game.now}", now=game.now,
    )  # fmt: skip


def waits(game: Game) -> tuple[tuple[str, ...], str]:
    """Who is waited for, and for what."""
    found = game.view("Ana").waits
    assert found is not None
    return found.names, found.kind


def test_what_one_proposes_is_read_by_all_and_waits_for_the_other(game: Game) -> None:
    agree(game, "Ana", SAID)
    assert waits(game) == (("Bo",), "agree")
    logged = game.view().log()[0]
    assert logged.lines == ("agree 1: hand 6, mana 3; 2: by hand; 3: Whoever smiles first",)
    assert [one.text for one in logged.told] == ["Ana proposes 1: hand 6, mana 3; 2: by hand; 3: Whoever smiles first."]
    assert [seat.asked_at is None for seat in game.table.seats.order_by("letter")] == [True, False]


def test_when_the_other_says_the_same_the_table_starts_and_the_set_is_kept(game: Game) -> None:
    for name in ("Ana", "Bo"):
        agree(game, name, SAID)
    assert waits(game)[1] == "mana"
    kept = TableAgreements.objects.get()
    assert kept.agreed == {"1": "hand 6, mana 3", "2": "by hand", "3": "Whoever smiles first"}
    assert kept.table_id == game.table.pk


def test_wordings_that_no_line_holds_together_become_several_entries_or_none(game: Game) -> None:
    long = {1: "hand 6, mana 3", 3: "x" * 200, 4: "y" * 200, 9: "z" * 200}
    assert len(agree(game, "Ana", long)) == 3
    before = game.row().head
    with pytest.raises(Refused, match="Question 7"):
        agree(game, "Bo", {**long, 7: "much"})
    assert game.row().head == before
    agree(game, "Bo", {**long, 4: "another wording"})
    assert waits(game) == (("Ana",), "agree")


def test_the_same_form_sent_twice_says_it_once_and_a_stale_one_nothing(game: Game) -> None:
    old = game.row().head
    first = agree(game, "Ana", SAID, token="once")
    assert agree(game, "Ana", SAID, token="once") == first
    with pytest.raises(Stale):
        agree(game, "Bo", SAID, on=old)


def test_only_players_answer_and_only_before_the_start(game: Game) -> None:
    with pytest.raises(Refused, match="don't sit"):
        agree(game, "Cy", SAID)
    with pytest.raises(Refused, match="at least one"):
        agree(game, "Ana", {})
    for name in ("Ana", "Bo"):
        agree(game, name, SAID)
    with pytest.raises(Refused, match="A change now needs a ruling"):
        agree(game, "Ana", {4: "reserve"})


def test_a_judge_changes_an_agreement_later_and_the_page_says_what_rests_on_it(game: Game) -> None:
    person("Jo")
    appoint(game.table, "Jo", game.now)
    for name in ("Ana", "Bo"):
        agree(game, name, SAID)
    verdict = TableVerdict("agreement 4: reserve", "A17", "Both had said so at the table.")
    judges.rule(table=game.table, user=person("Jo"), verdict=verdict, on=game.row().head, token="ruling", now=game.now)
    plays = settings_summary.plays_by(game.view("Bo"))
    by_key = {held.line.key: held for held in plays.agreements}
    assert (by_key["4"].line.holds, by_key["4"].agreed) == ("reserve", True)
    assert by_key["1"].outcomes
    assert [ruled.program for ruled in plays.ruled] == ["agreement 4: reserve"]
    assert TableAgreements.objects.get().agreed["4"] == "reserve"


def test_sets_are_offered_as_played_at_a_table_and_the_commonest_is_counted(game: Game) -> None:
    others = [seated(f"Before {n}") for n in (1, 2)]
    for other in others:
        for name in ("Ana", "Bo"):
            agree(other, name, SAID)
    agreements.offer_agreements(table=others[0].table, user=person("Bo"), title="By hand", now=game.now)
    offers = {one.told: dict(one.set.agreed) for one in settings_summary.offered_to(game.table, person("Cy"))}
    assert list(offers) == [
        "all suggestions", "the most common answers at 2 tables", "By hand: as played at Before 1"
    ]  # fmt: skip
    assert offers["all suggestions"] == dict(all_suggested())
    assert offers["the most common answers at 2 tables"] == SAID
    assert len(settings_summary.offered_to(game.table, person("Ana"))) == 4
    with pytest.raises(Refused, match="Only players at this table can offer its agreements to others"):
        agreements.offer_agreements(table=others[0].table, user=person("Cy"), title="Mine", now=game.now)


def test_who_waits_for_an_agreement_may_give_the_table_up_and_nobody_has_lost(game: Game) -> None:
    agree(game, "Ana", SAID)
    with pytest.raises(Refused, match="Only the person who opened this table and its players"):
        opening.give_up(table=game.table, user=person("Cy"), now=game.now)
    opening.give_up(table=game.table, user=person("Ana"), now=game.now)
    row = game.row()
    assert (row.state, row.winner, row.due_at) == (TableState.GIVEN_UP, "", None)


def test_a_table_that_has_begun_is_not_given_up(game: Game) -> None:
    for name in ("Ana", "Bo"):
        agree(game, name, SAID)
    with pytest.raises(Refused, match="Concede instead"):
        opening.give_up(table=game.table, user=person("Ana"), now=game.now)


def test_a_table_whose_players_do_not_agree_in_time_is_given_up_and_both_are_told(game: Game) -> None:
    agree(game, "Ana", SAID)
    due = game.row().due_at
    assert due is not None
    assert posting.tick(table_id=game.table.pk, now=due - timedelta(minutes=1)) is None
    entry = posting.tick(table_id=game.table.pk, now=due)
    assert entry is not None
    assert (entry.kind, entry.args["reason"]) == ("end", "no agreement in time")
    assert posting.tick(table_id=game.table.pk, now=due + timedelta(hours=1)) is None
    notify.notify(due)
    told = Notification.objects.filter(kind="table.unagreed")
    assert {row.user.username for row in told} == {"ana", "bo"}
