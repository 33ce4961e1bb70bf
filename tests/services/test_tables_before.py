"""6, 8: tables that were played before a log was folded as it is now: they open, go on, and verify as they were."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from judging.tables import game_state
from judging.tables.models import CardList, Deck, DeckVersion, Entry, Hidden, Seat, Snapshot, Table, TableState
from judging.tables.proof.checks import checks_of
from judging.tables.proof.verification import proof_of
from tables.core.proof.codec import digest
from tables.core.proof.draws import cut_value
from tests.services.tables_of_tests import Game, person

pytestmark = pytest.mark.django_db

RECORDED = Path(__file__).parents[1] / "upgrades" / "table-of-rules-1.json"
"""A table of Kryptik as the first version of the rules left it: every kind of entry, sealed cuts with short words."""


@pytest.fixture(scope="module")
def recorded() -> dict[str, Any]:
    """What was written down then."""
    found: dict[str, Any] = json.loads(RECORDED.read_text(encoding="utf-8"))
    return found


def rows_of(recorded: dict[str, Any]) -> Game:
    """The rows of that table before its last entry, with which its owner conceded, as the first version stored them."""
    proof = recorded["proof"]
    entries = proof["entries"][:-1]
    args = entries[0]["args"]
    key, version, digested = args["lists"][0]
    assert digest(proof["list"]) == digested
    opened, ana = _at(entries[0]), person("Ana")
    cards = CardList.objects.create(
        key=key, version=version, game="kryptik", name="Old Harbour", hash=digested, data=proof["list"], cards=1,
        made_at=opened,
    )  # fmt: skip
    decision, bank, turn = (timedelta(seconds=span) for span in args["pace"])
    table = Table.objects.create(
        slug=proof["table"], name="Old harbour", game="kryptik", format="constructed", card_list=cards, cuts="sealed",
        decision_time=decision, bank=bank, turn_time=turn, state=TableState.RUNNING, seed=bytes.fromhex(proof["seed"]),
        commitment=args["commitment"], opened_by=ana, opened_at=opened, started_at=_at(entries[8]), rules_version="1",
        head=entries[-1]["hash"], entries=len(entries),
    )  # fmt: skip
    for one in entries:
        row = Entry.objects.create(
            table=table, n=one["n"], at=_at(one), by=one["by"], kind=one["kind"], args=one["args"],
            secret=one["secret"], prev=one["prev"], hash=one["hash"],
        )  # fmt: skip
        if one["secret"]:
            Hidden.objects.create(entry=row, **proof["hidden"][str(one["n"])])
    for letter, name in (("A", "Ana"), ("B", "Bo")):
        (word,) = [one["args"]["word"] for one in entries if one["by"] == letter and "word" in one["args"]]
        deck = Deck.objects.create(owner=person(name), name=name, game="kryptik", made_at=opened)
        (handed,) = [one for one in entries if one["by"] == letter and one["kind"] == "deck"]
        data = proof["hidden"][str(handed["n"])]["args"]
        Seat.objects.create(
            table=table, letter=letter, user=person(name), name=name, cut=cut_value(word), bank=bank, sat_at=opened,
            deck=DeckVersion.objects.create(deck=deck, number=1, text="", data=data, card_list=cards, saved_at=opened),
        )  # fmt: skip
    Snapshot.objects.create(table=table, **recorded["snapshot"])
    return Game(Table.objects.get(pk=table.pk), _at(entries[-1]))


def _at(entry: dict[str, Any]) -> datetime:
    return datetime.fromtimestamp(entry["at"], UTC)


def test_the_file_of_a_table_of_then_verifies(recorded: dict[str, Any]) -> None:
    proof = recorded["proof"]

    kinds = {entry["kind"] for entry in proof["entries"]}

    assert [check.wrong for check in checks_of(proof)] == [""] * 8
    assert proof["proof"] == 1
    assert {"act", "choose", "plan", "order", "stops", "tick", "ruling", "propose", "accept"} <= kinds
    assert not any("state" in entry["args"] for entry in proof["entries"])


def test_a_table_of_then_opens_goes_on_and_verifies_with_hashes_from_there_on(recorded: dict[str, Any]) -> None:
    game = rows_of(recorded)
    before = game.row().entries

    assert game.state().seat("A").stops is None
    assert [seat.name for seat in game.view("Ana").seats] == ["Ana", "Bo"]
    game.post("Bo", "propose: nothing happens")
    game.post("Ana", "concede!")

    proof = proof_of(game.row())
    assert [check.wrong for check in checks_of(proof)] == [""] * 8
    assert [entry["n"] for entry in proof["entries"] if "state" in entry["args"]] == [before + 1, before + 2]
    assert game.row().winner == "B"


def test_a_snapshot_of_then_is_passed_over(recorded: dict[str, Any]) -> None:
    game = rows_of(recorded)
    n = recorded["snapshot"]["n"]

    found = game_state.state_of(game.row(), n)
    Snapshot.objects.all().delete()

    assert game_state.state_of(game.row(), n) == found
