"""8: what somebody with the database itself may do to a card table: raw SQL, past all writers. Verify names it."""

from collections.abc import Callable
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from judging.tables import game_state
from judging.tables.models import Hidden, Snapshot
from judging.tables.personal_data import own_data
from judging.tables.proof.checks import checks_of
from judging.tables.proof.verification import proof_of, stored_checks
from tests.editing import copied, do, sql, swapped
from tests.keeping import kept
from tests.services.tables_of_tests import Game, person, running
from tests.services.test_tables import played

pytestmark = pytest.mark.django_db

LOG = "judging_entry"
ACT = f"id = (SELECT max(id) FROM {LOG} WHERE kind = 'act')"
LAST, TENTH = f"id = (SELECT max(id) FROM {LOG})", "n = 10"
A_HIDDEN = "id = (SELECT min(id) FROM judging_hidden)"
ANOTHER = "'" + "0" * 64 + "'"


@pytest.fixture
def over(db: None) -> Game:
    return ended()


@kept
def ended() -> Game:
    """A table that was played for a while and conceded."""
    game = running()
    played(game, 40)
    game.post("Ana", "concede!")
    return game


def args(path: str, value: str, where: str) -> Callable[[], None]:
    """Writes another value into the arguments of an entry."""
    if connection.vendor == "postgresql":
        return sql(f"UPDATE {LOG} SET args = jsonb_set(args, '{{{path}}}', '{value}') WHERE {where}")
    return sql(f"UPDATE {LOG} SET args = json_set(args, '$.{path}', json('{value}')) WHERE {where}")


EDITS: dict[str, tuple[Callable[[], None], str]] = {
    "who made an entry": (sql(f"UPDATE {LOG} SET \"by\" = 'judge' WHERE {ACT}"), "Entry "),
    "when it was made": (sql(f"UPDATE {LOG} SET at = (SELECT min(at) FROM {LOG}) WHERE {LAST}"), "Entry "),
    "of which kind it is": (sql(f"UPDATE {LOG} SET kind = 'talk' WHERE {ACT}"), "Entry "),
    "what it says": (args("lines", '["pass"]', LAST), "Entry "),
    "which head its author saw": (args("on", '"0"', ACT), "Entry "),
    "what hides behind it": (sql(f"UPDATE {LOG} SET secret = {ANOTHER} WHERE secret <> ''"), "Entry "),
    "its hash": (sql(f"UPDATE {LOG} SET hash = {ANOTHER} WHERE {TENTH}"), "Entry 10"),
    "what it is bound to": (sql(f"UPDATE {LOG} SET prev = {ANOTHER} WHERE {TENTH}"), "Entry 10"),
    "a hidden choice": (sql(f"UPDATE judging_hidden SET args = '{{}}' WHERE {A_HIDDEN}"), "The hidden part of entry"),
    "its salt": (sql(f"UPDATE judging_hidden SET salt = 'x' WHERE {A_HIDDEN}"), "The hidden part of entry"),
    "a hidden choice deleted": (sql(f"DELETE FROM judging_hidden WHERE {A_HIDDEN}"), "The hidden part of entry"),
    "the seed": (
        sql("UPDATE judging_table SET seed = (SELECT CAST('0' AS bytea))"),
        "The seed doesn't match its commitment",
    ),
    "the head rolled back": (
        sql(f"UPDATE judging_table SET head = (SELECT hash FROM {LOG} WHERE {TENTH})"),
        "The latest hash is not the hash of the last entry",
    ),
    "the last entry deleted": (lambda: deleted(LAST), "The latest hash is not the hash of the last entry"),
    "an entry deleted in the middle": (lambda: deleted(TENTH), "Entry 11"),
    "the first entry deleted": (lambda: deleted("n = 1"), "Entry 2"),
    "an entry put in": (copied(LOG, LAST, n="n + 1", token="'another'"), "Entry "),
    "two entries swapped": (swapped(LOG, "kind", "n IN (1, 10)"), "Entry "),
    "a card of its list": (lambda: another_card(), "The card list doesn't match its hash"),
}


def deleted(where: str) -> None:
    """An entry is taken away with all that refers to it."""
    for table in ("judging_hidden", "judging_tableevents", "judging_tableruling"):
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM {table} WHERE entry_id IN (SELECT id FROM {LOG} WHERE {where})")
    do(f"DELETE FROM {LOG} WHERE {where}")


def another_card() -> None:
    if connection.vendor == "postgresql":
        do("UPDATE judging_cardlist SET data = jsonb_set(data, '{cards,0,name}', '\"Another\"')")
    else:
        do("UPDATE judging_cardlist SET data = json_set(data, '$.cards[0].name', 'Another')")


def said(game: Game) -> list[str]:
    """What verify says of the table as it is in the database now."""
    return [check.wrong for check in checks_of(proof_of(game.row())) if not check.is_same]


def test_what_writers_wrote_verifies_as_the_same(over: Game) -> None:
    assert Hidden.objects.exists()
    assert said(over) == []


@pytest.mark.parametrize("name", EDITS)
def test_an_edit_of_a_card_table_past_the_writers_is_found(over: Game, name: str) -> None:
    edit, says = EDITS[name]
    edit()
    found = said(over)
    print(f"| {name} | {next(iter(found), '')} |")  # `pytest -s` makes a table of it
    assert any(says in each for each in found), found


RUNNING: dict[str, tuple[Callable[[], None], str]] = {
    "seed and commitment": (
        sql("UPDATE judging_table SET seed = (SELECT CAST('0' AS bytea)), commitment = 'x'"),
        "seed is different",
    ),
    "commitment": (sql(f"UPDATE judging_table SET commitment = {ANOTHER}"), "commitment to the seed"),
    "a deck as it was saved": (sql("UPDATE judging_deckversion SET data = '{}'"), "The deck of seat A"),
    "the deck of a seat": (lambda: another_deck(), "The deck of seat B"),
    "the salt of a seat": (sql("UPDATE judging_seat SET salt = 'x'"), "The deck of seat A"),
    "a sealed deck": (sql(f"UPDATE judging_hidden SET args = '{{}}' WHERE {A_HIDDEN}"), "The hidden part of entry"),
    "a sealed entry deleted": (sql(f"DELETE FROM judging_hidden WHERE {A_HIDDEN}"), "The hidden part of entry"),
    "a card of its list": (lambda: another_card(), "The card list doesn't match its hash"),
    "list and its hash": (lambda: another_list(), "The card list doesn't match its hash"),
    "number of entries": (sql("UPDATE judging_table SET entries = entries + 1"), "The stored table says it has"),
    "a card table's entry": (sql(f"UPDATE {LOG} SET \"by\" = 'judge' WHERE {ACT}"), "Entry "),
}
"""What differs of a table that is still played, if the secrets are at hand."""


def another_deck() -> None:
    do("UPDATE judging_seat SET salt = 'x' WHERE letter = 'B'")


def another_list() -> None:
    another_card()
    do(f"UPDATE judging_cardlist SET hash = {ANOTHER}")


@pytest.fixture
def played_on(db: None) -> Game:
    game = running()
    played(game, 20)
    return game


def stored(game: Game) -> list[str]:
    return [check.wrong for check in stored_checks(game.row()) if not check.is_same]


def test_a_running_table_is_the_same_with_its_secrets(played_on: Game) -> None:
    assert stored(played_on) == []
    assert "seed" not in proof_of(played_on.row())


@pytest.mark.parametrize("name", RUNNING)
def test_an_edit_of_a_running_table_is_found_by_whoever_has_its_secrets(played_on: Game, name: str) -> None:
    edit, says = RUNNING[name]
    edit()
    found = stored(played_on)
    assert any(says in each for each in found), found


def test_the_head_that_an_email_told_belongs_to_an_entry_until_it_is_deleted(played_on: Game) -> None:
    """The last entry is taken away, and the head set back: only a head that somebody kept shows it."""
    row = played_on.row()
    told = StringIO()
    call_command("verify", row.slug, head=row.head[:16], stdout=told)
    assert f"the hash of entry {row.entries} of" in told.getvalue()
    deleted(LAST)
    do(f"UPDATE judging_table SET entries = entries - 1, head = (SELECT hash FROM {LOG} WHERE {LAST})")
    assert stored(played_on) == []
    with pytest.raises(CommandError, match="This hash doesn't belong to At the harbour"):
        call_command("verify", row.slug, head=row.head[:16])


PAGES = ("table", "table-verify", "table-talk", "table-people", "table-conduct", "table-plays-by", "api-table")
"""What anybody may ask of a table."""


@pytest.mark.parametrize(
    "name",
    [
        *("what it says", "of which kind it is", "a hidden choice deleted", "an entry deleted in the middle"),
        *("the first entry deleted", "two entries swapped", "a card of its list"),
    ],
)
def test_no_page_dies_of_an_edited_row_and_a_log_that_can_not_be_read_is_told_as_such(
    over: Game, client: Client, name: str
) -> None:
    EDITS[name][0]()
    game_state.forget()
    Snapshot.objects.all().delete()
    ana = person("Ana")
    client.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")

    answers = {page: client.get(reverse(page, args=[over.table.slug])) for page in PAGES}

    assert {answer.status_code for answer in answers.values()} <= {200, 503}
    assert answers["table-verify"].status_code == 200
    for answer in answers.values():
        assert answer.status_code == 200 or "/verify/ shows which entry was changed" in answer.content.decode()
    assert [seat["letter"] for seat in own_data(ana)["seats"]] == ["A"]


def test_a_cache_that_was_changed_changes_nothing_that_is_proven(over: Game) -> None:
    """6: snapshots are read for speed alone."""
    Snapshot.objects.update(state={})
    assert said(over) == []
