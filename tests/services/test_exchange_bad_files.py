"""A file that can't be taken in is one clear error with its place, and changes nothing."""

import gzip
import json
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from pytest_django import DjangoDbBlocker

from judging.common.errors import Refused
from judging.import_export.file_format import BadFile
from judging.import_export.importing import import_round
from judging.import_export.parsing import read_round_file
from tests.services.exchanging import play, sealed, verdicts, whole
from wargame.models import Army, Round

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def file(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> bytes:
    """The whole of such a round, which is not here itself."""
    with django_db_blocker.unblock(), transaction.atomic():
        found = whole(play().round)
        transaction.set_rollback(True)
    return found


def test_a_gzipped_file_is_read(file: bytes) -> None:
    done = import_round(gzip.compress(file), slug="zipped")

    assert verdicts(done.round) == [(1, ()), (2, ())]


def changed(file: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    document = json.loads(file)
    change(document)
    return sealed(document)


def of(table: str, row: int, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["tables"][table][row - 1].update(values)


def without_name(document: dict[str, Any]) -> None:
    del document["tables"]["army"][0]["name"]


BAD = {
    "version": (lambda d: d.update(version=2), "the file header: it has version 2; this service reads version 1"),
    "format": (lambda d: d.update(format="chess"), "the file header: “format”"),
    "table": (lambda d: d["tables"].update(dragons=[]), "the table “dragons” is unknown here"),
    "field": (of("army", 2, dragons=3), "row 2 of “army”: the field “dragons” is unknown here"),
    "missing": (without_name, "row 1 of “army”, name: it is missing"),
    "type": (of("army", 1, days="two"), "row 1 of “army”, days: expected a whole number, not 'two'"),
    "moment": (of("turn", 1, lock_at="tomorrow"), "row 1 of “turn”, lock_at: expected a time like"),
    "choice": (of("army", 1, side="chaos"), "row 1 of “army”, side: 'chaos' is not one of"),
    "long": (of("army", 1, name="x" * 41), "row 1 of “army”, name: This has 41 characters; the limit is 40"),
    "number": (of("army", 2, n=7), "row 2 of “army”: it must be an object with the number 2"),
    "link": (of("troop", 3, army=99), "row 3 of “troop”, army: there is no row 99 in “army”"),
    "no link": (of("troop", 3, army=None), "row 3 of “troop”, army: it is missing"),
    "names": (of("army", 2, name="ANA"), "row 2 of “army”, name: “ANA” is also the name of row 1"),
    "players": (of("player", 2, name="ana"), "row 2 of “player”, name: “ana” is also the name of row 1"),
    "turns": (of("turn", 2, number=5), "row 2 of “turn”: it is turn 5"),
    "twice": (of("postversion", 2, post=1, number=1), "row 2 of “postversion”: it has the same post and"),
    "hash": (of("turn", 1, position_hash="0" * 64), "row 1 of “turn”: the position of turn 1 doesn't match its hash"),
    "chain": (of("turn", 1, next_hash="0" * 64), "row 2 of “turn”: turn 2 doesn't open with the outcome of turn 1"),
    "seed": (of("turn", 3, seed="00"), "row 3 of “turn”, seed: it doesn't match its commitment"),
    "no seed": (of("turn", 3, seed="zz"), "row 3 of “turn”, seed: a seed must be a hexadecimal number"),
    "strat": (of("strat", 1, text="Run."), "row 1 of “strat”: it doesn't match its receipt"),
    "book": (of("bookversion", 1, salt="00" * 32), "row 1 of “bookversion”: it doesn't match its commitment"),
    "two rounds": (lambda d: d["tables"]["round"].append({**d["tables"]["round"][0], "n": 2}), "it has 2 rounds"),
    "no text": (of("round", 1, name="a\0b"), "it contains a character that isn't text"),
    "forms": (of("chainhead", 1, forms={"post": [[1, "text"]]}), "row 1 of “chainhead”, forms: expected lists of"),
    "no forms": (of("chainhead", 1, forms=[1]), "row 1 of “chainhead”, forms: expected lists of"),
    "opened": (of("chainlink", 1, opened=["x"]), "row 1 of “chainlink”, opened: expected null, or an object"),
    "salts": (of("chainlink", 2, opened={"salts": {"text": 1}}), "row 2 of “chainlink”, opened: expected null"),
    "link's row": (of("chainlink", 2, key=-999), "row 2 of “chainlink”, key: expected a row number"),
    "constraint": (of("army", 1, at=""), "row 1 of “army”: invalid value"),
}  # fmt: skip


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_clear_error_with_its_place_and_nothing_is_taken_in(file: bytes, name: str) -> None:
    change, told = BAD[name]

    with pytest.raises(BadFile) as error:
        import_round(changed(file, change))

    assert told.casefold() in str(error.value).casefold()
    assert not Round.objects.exists()
    assert not User.objects.filter(username__startswith="trial").exists()
    assert not Army.objects.exists()


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda file: file[: len(file) // 2], "the file ends in the middle; it was cut off"),
        (lambda file: file[:-20], "the file ends in the middle; it was cut off"),
        (lambda file: b"", "the file ends in the middle"),
        (lambda file: b"[1, 2]", "has no JSON object"),
        (lambda file: b"PK\x03\x04" + bytes(range(128, 200)), "this is not UTF-8 text, so it"),
        (lambda file: file.replace(b'"tables"', b'"tables'), "this is not JSON"),
        (lambda file: file.replace(b'"tables": {', b'"version": 1, "tables": {'), "“version” appears twice"),
        (lambda file: file.replace(b"Lea: hold", b"Lea: stay"), "The file was changed after it was written"),
        (lambda file: file + b" ", "the line with “sha256” is missing, or something follows it"),
        (lambda file: b"[" * 200_000, "nested too deeply"),
        (lambda file: gzip.compress(file)[:-500], "The gzipped file is damaged or cut off"),
        (lambda file: file.replace(b'"version": 1', b'"version": NaN'), "NaN is not a number"),
        (lambda file: file.replace(b'"version": 1', b'"version": 1e999'), "1e999 is not a number"),
    ],
)
def test_a_damaged_file_is_told_by_the_place_of_its_damage(
    file: bytes, damage: Callable[[bytes], bytes], told: str
) -> None:
    with pytest.raises(BadFile) as error:
        read_round_file(damage(file))

    assert told.casefold() in str(error.value).casefold()


def test_a_file_that_unpacks_to_more_than_a_round_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judging.import_export.parsing.LARGEST", 1000)

    with pytest.raises(BadFile, match="larger than 1,000 bytes"):
        read_round_file(gzip.compress(b" " * 5000))


def test_an_address_that_is_none_is_refused(file: bytes) -> None:
    for slug in ("No Spaces", "x" * 51, "ü"):
        with pytest.raises(Refused, match="be part of an address"):
            import_round(file, slug=slug)
