"""8: a draft is recomputed with its table: boosters, picks, defaults and decks; whatever was changed of it is found."""

import json
from collections.abc import Callable
from copy import deepcopy
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command

from judging.import_export.file_format import BadFile
from judging.tables.archive.exporting import file_of as file_of_table
from judging.tables.drafts import services
from judging.tables.drafts.models import Drafter, DraftPick, TableDraft
from judging.tables.drafts.queries import draft_view
from judging.tables.models import Entry, Table
from judging.tables.proof.checks import checks_of
from judging.tables.proof.verification import proof_of
from tables.core.proof.codec import digest
from tests.keeping import kept
from tests.services.tables_of_tests import OPENED, Game, person
from tests.services.test_tables_archive import again
from tests.services.test_tables_drafts import begun, drafted, legal, pick, seen, sit

pytestmark = pytest.mark.django_db
PLAIN, WITH_DRAFT = 8, 13


@kept
def over() -> Game:
    """A table whose decks were drafted, one card of them by default, and that was conceded."""
    table = begun()
    pick(table, "Ana")
    draft = TableDraft.objects.get(table=table)
    services.tick_draft(draft_id=draft.pk, now=OPENED + timedelta(days=2))
    drafted(table)
    for name in ("Bo", "Ana"):
        pool = [card for card, many in seen(table, name).pool for _ in range(many)]
        sit(table, name, legal(table, pool))
    game = Game(Table.objects.get(pk=table.pk), OPENED)
    game.post("Ana", "concede!")
    return game


def file_of(game: Game) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(proof_of(game.row())))
    return found


def wrong(proof: dict[str, Any]) -> str:
    return " ".join(check.wrong for check in checks_of(proof) if not check.is_same)


def test_a_draft_recomputes_from_its_boosters_to_the_decks_and_each_sits_where_he_drafted() -> None:
    game = over()
    proof = file_of(game)

    assert wrong(proof) == ""
    assert len(checks_of(proof)) == WITH_DRAFT
    assert [(one["letter"], one["seat"], one["name"]) for one in proof["draft"]["drafters"]] == [
        ("A", "A", "Ana"), ("B", "B", "Bo"),
    ]  # fmt: skip
    assert DraftPick.objects.filter(by_default=True).count() == 1
    told = StringIO()
    call_command("verify", game.table.slug, stdout=told)
    assert told.getvalue().count("same  ") == WITH_DRAFT + 3


def test_before_the_end_the_file_has_words_and_hashes_of_a_draft_and_no_card_of_it() -> None:
    table = begun()
    row = pick(table, "Ana")
    proof = proof_of(Table.objects.get(pk=table.pk))

    assert wrong(proof) == ""
    assert [pick["hash"] for pick in proof["draft"]["drafters"][0]["picks"]] == [row.hash]
    assert "seed" not in proof["draft"]
    assert row.card not in json.dumps(proof)
    assert row.salt not in json.dumps(proof)


def _other_card(proof: dict[str, Any]) -> None:
    picks = proof["draft"]["drafters"][0]["picks"]
    picks[0]["card"], picks[20]["card"] = picks[20]["card"], picks[0]["card"]


def _no_default(proof: dict[str, Any]) -> None:
    for drafter in proof["draft"]["drafters"]:
        for each in drafter["picks"]:
            each.update(by_default=True)


def _other_pool(proof: dict[str, Any]) -> None:
    one, other = proof["draft"]["drafters"]
    one["seat"], other["seat"] = other["seat"], one["seat"]


CHANGED: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "seed": (lambda proof: proof["draft"].update(seed="00" * 32), "The booster seed doesn't match its commitment"),
    "card": (_other_card, "Pick 1 by Ana doesn't match its hash"),
    "place": (_other_card, "wasn't available"),
    "default": (_no_default, "is not the card drawn when time ran out"),
    "hash": (
        lambda proof: proof["draft"]["drafters"][0]["picks"][0].update(hash="0" * 64),
        "are not the ones that were sealed",
    ),
    "word": (
        lambda proof: proof["draft"]["drafters"][0].update(word="another"),
        "Different words were mixed",
    ),
    "missing": (lambda proof: proof["draft"]["drafters"][1]["picks"].pop(), "Not all cards were picked"),
    "deck": (_other_pool, "in the deck, but only"),
    "nobody": (lambda proof: proof.pop("draft"), "damaged"),
}


@pytest.mark.parametrize("what", CHANGED)
def test_whatever_is_changed_of_a_draft_in_a_file_is_found(what: str) -> None:
    change, told = CHANGED[what]
    proof = deepcopy(file_of(over()))
    change(proof)
    assert told in wrong(proof)


def test_rows_of_a_draft_that_were_edited_are_found_by_the_chain() -> None:
    game = over()
    row = DraftPick.objects.filter(drafter__letter="B").first()
    assert row is not None
    DraftPick.objects.filter(pk=row.pk).update(hash="0" * 64)
    assert "The picks from seat B are not the ones that were sealed" in wrong(file_of(game))
    DraftPick.objects.filter(pk=row.pk).update(hash=row.hash)
    Drafter.objects.filter(letter="A").update(word="a word that nobody handed in")
    with pytest.raises(SystemExit):
        call_command("verify", game.table.slug, stdout=StringIO())


def test_a_draft_of_before_its_links_recomputes_by_its_hashes_alone() -> None:
    proof = file_of(over())
    assert [entry["kind"] for entry in proof["entries"][:3]] == ["open", "draft", "draft"]
    assert Entry.objects.filter(kind="draft").count() == 2
    old = {**proof, "entries": [entry for entry in proof["entries"] if entry["kind"] != "draft"]}
    assert not [check.wrong for check in checks_of(old) if "draft" in check.what and check.wrong]


def test_a_drafted_table_that_is_over_comes_out_the_same_elsewhere() -> None:
    game = over()
    file = file_of_table(game.row())
    again(file)
    row = Table.objects.select_related("card_list").get()

    assert file_of_table(row) == file
    assert len(checks_of(proof_of(row))) == WITH_DRAFT
    assert all(check.is_same for check in checks_of(proof_of(row)))
    other = json.loads(file)
    del other["sha256"]
    other["draft"]["drafters"][0]["picks"].pop()
    with pytest.raises(BadFile, match="picks from seat A are not the ones that were sealed"):
        again(json.dumps({**other, "sha256": digest(other)}).encode())


def test_a_draft_goes_on_elsewhere_from_a_whole_file_and_a_public_one_has_no_card_of_it() -> None:
    table = begun()
    row = pick(table, "Ana")
    services.wish_for(table=table, user=person("Bo"), cards=[seen(table, "Bo").pack[2]], now=OPENED)
    wished = Drafter.objects.get(name="Bo").wishes[0]
    public = json.loads(file_of_table(Table.objects.get(pk=table.pk)))["draft"]
    told = json.dumps(public)

    assert public["drafters"][0]["picks"][0]["hash"] == row.hash
    assert "seed" not in public
    assert not any(secret in told for secret in (row.card, row.salt, wished, "wishes"))
    pack = seen(table, "Ana").pack
    again(file_of_table(Table.objects.select_related("card_list").get(pk=table.pk), whole=True), play=True, link=True)
    here = Table.objects.select_related("card_list").get()
    draft = TableDraft.objects.get(table=here)
    ana, bo = (Drafter.objects.get(name=name) for name in ("Ana", "Bo"))
    assert draft_view(draft, ana.user).pack == pack
    assert draft_view(draft, ana.user).pool
    assert bo.picks.count() == 1
