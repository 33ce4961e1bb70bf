"""8: a table's proof file: what it holds when, that it recomputes, and that whatever is changed in it is found."""

import json
import re
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse

from judging.tables.models import Entry, Hidden
from judging.tables.proof import checks, verification
from judging.tables.proof.checks import checks_of
from judging.tables.proof.verification import proof_of
from tables.core.proof.chain import entry_hash
from tests.services.tables_of_tests import OPENED, Game, running
from tests.services.test_tables import played

pytestmark = pytest.mark.django_db
SHUFFLES = Path(__file__).parents[2] / "docs" / "play" / "verify" / "shuffles.md"


@pytest.fixture
def over() -> Game:
    """A table that was played for a while and conceded."""
    game = running()
    played(game, 40)
    game.post("Ana", "concede!")
    return game


def file_of(game: Game) -> dict[str, Any]:
    """The proof file as somebody downloads it."""
    found: dict[str, Any] = json.loads(json.dumps(proof_of(game.row())))
    return found


def rechained(proof: dict[str, Any], n: int, change: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
    """A file in which an entry is changed and every hash of the chain is made to fit: as who runs the service could."""
    other = deepcopy(proof)
    change(other["entries"][n - 1])
    head, old = "", {}
    for entry in other["entries"]:
        if entry["args"].get("on") in old:
            entry["args"]["on"] = old[entry["args"]["on"]]
        entry["prev"] = head
        old[entry["hash"]] = head = entry_hash(head, entry)
        entry["hash"] = head
    return {**other, "head": head}


def wrong(proof: dict[str, Any]) -> str:
    """What differs, in sentences."""
    return " ".join(check.wrong for check in checks_of(proof) if not check.is_same)


def test_before_the_end_the_file_holds_nothing_that_is_hidden() -> None:
    game = running()
    played(game, 10)
    proof = file_of(game)
    assert not {"seed", "hidden", "list"} & set(proof)
    assert wrong(proof) == ""
    assert len(checks_of(proof)) == 3


def test_after_the_end_everything_recomputes(over: Game) -> None:
    proof = file_of(over)
    assert wrong(proof) == ""
    assert len(checks_of(proof)) == 8


def test_whatever_is_changed_in_a_file_is_found(over: Game) -> None:
    proof = file_of(over)
    other = deepcopy(proof)
    other["seed"] = "00" * 32
    assert "The seed doesn't match its commitment" in wrong(other)
    other = deepcopy(proof)
    number = next(iter(other["hidden"]))
    other["hidden"][number]["salt"] = "another"
    assert "The hidden part of entry 3 doesn't match its hash" in wrong(other)
    other = deepcopy(proof)
    other["entries"][9]["at"] += 1
    assert "Entry 10" in wrong(other)
    other = deepcopy(proof)
    other["list"]["cards"][0]["name"] = "Another"
    assert "The card list doesn't match its hash" in wrong(other)
    other = rechained(proof, 12, lambda entry: entry["args"].update(on="0" * 64))
    assert "The author of entry 12 saw a different chain" in wrong(other)
    other = rechained(proof, 15, lambda entry: entry["args"].update(state="0" * 64))
    assert "The state after entry 15 doesn't match its hash" in wrong(other)
    assert "damaged" in wrong({"entries": [{}], "head": ""})


def test_a_strangers_forty_lines_shuffle_the_deck_of_a_real_file_as_it_was_dealt(over: Game) -> None:
    """docs/play/verify/shuffles.md: the script knows nothing of this service but what stands in the file."""
    (script,) = re.findall(r"```python\n(.+?)```", SHUFFLES.read_text(encoding="utf-8"), re.DOTALL)[:1]
    stranger: dict[str, Any] = {}
    exec(script, stranger)
    proof = file_of(over)
    words = [entry["args"]["word"] for entry in proof["entries"] if entry["kind"] == "cut"]
    cuts = [stranger["value"](word) for word in words]
    seed = bytes.fromhex(proof["seed"])
    (deck,) = [entry for entry in proof["entries"] if entry["kind"] == "deck" and entry["by"] == "B"]
    main = proof["hidden"][str(deck["n"])]["args"]["main"]
    keys = [f"B/{name}/{nth}" for name, many in main.items() for nth in range(1, many + 1)]
    order = stranger["shuffle"](keys, seed, proof["table"], cuts, "B.deck", 1)
    ours = over.state().draws.shuffle(keys, "B.deck", 1)
    assert list(order) == list(ours)


def test_anybody_has_a_table_recomputed_on_its_page_and_by_the_command(over: Game) -> None:
    page = Client().get(reverse("table-verify", args=[over.table.slug]))
    assert b"Everything that can be recomputed matches" in page.content
    told = StringIO()
    call_command("verify", over.table.slug, stdout=told)
    assert told.getvalue().count("same") >= 7
    assert Client().get(reverse("table-proof", args=[over.table.slug])).json()["over"] is True


def test_a_site_without_a_settled_turn_has_nothing_to_verify(db: None) -> None:
    said = StringIO()
    call_command("verify", stdout=said)
    assert said.getvalue() == "No round has a settled turn yet, so there is nothing to verify.\n"


def test_the_log_is_folded_once_for_all_who_ask_and_anew_once_a_row_of_it_has_changed(
    over: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    folds: list[object] = []

    def folded(proof: dict[str, Any]) -> list[checks.Check]:
        folds.append(proof)
        return checks.folded_anew(proof)

    monkeypatch.setattr(verification, "folded_anew", folded)
    first = verification.verified(over.row(), over.now)
    later = verification.verified(over.row(), over.now + timedelta(days=1))
    assert later == first
    assert (first.is_same, len(first.checks), first.folded_at, len(folds)) == (True, 8, over.now, 1)

    Hidden.objects.filter(entry__table=over.table, entry__kind="deck", entry__by="B").update(args={"main": {}})

    changed = verification.verified(over.row(), over.now + timedelta(days=2))
    assert len(folds) == 2
    assert "The hidden part of entry" in " ".join(check.wrong for check in changed.checks)
    assert changed.checks[-2].wrong


def test_what_was_kept_hides_no_row_that_was_changed_behind_the_chain(over: Game) -> None:
    assert verification.verified(over.row(), over.now).is_same
    _, entry = Entry.objects.filter(table=over.table, kind="act")[:2]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE judging_entry SET args = '{}' WHERE id = %s", [entry.pk])

    found = verification.verified(over.row(), over.now)

    assert f"Entry {entry.n} doesn't match its hash." in [check.wrong for check in found.checks]


def test_a_table_that_is_played_is_verified_without_folding_it() -> None:
    found = verification.verified(running().row(), OPENED)
    assert (found.is_same, found.folded_at) == (True, None)


def test_a_second_look_at_verify_asks_the_database_no_more_than_the_first(
    over: Game, django_assert_max_num_queries: Any
) -> None:
    for _ in range(2):
        with django_assert_max_num_queries(20):
            page = Client().get(reverse("table-verify", args=[over.table.slug]))
            assert b"The whole log was last replayed on" in page.content


def test_what_was_hidden_is_read_by_all_when_the_table_is_over(over: Game) -> None:
    assert not any(entry.is_hidden for entry in over.view().log() if entry.kind != "deck")
