"""12: a table as one file: what goes out comes in elsewhere, with the same chain; a bad file changes nothing."""

import gzip
import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from judging.common.errors import Refused
from judging.import_export.file_format import BadFile
from judging.tables import game_state
from judging.tables.archive.exporting import file_of, state_hash
from judging.tables.archive.importing import TakenIn, import_table
from judging.tables.away.models import SeatNight, Substitution, TableLeave
from judging.tables.clocks import rests_of
from judging.tables.conduct.endings import withdraw_ending
from judging.tables.conduct.people import called
from judging.tables.matches.models import MatchGame
from judging.tables.models import CardList, Deck, DeckVersion, Seat, Table, TableAgreements
from judging.tables.proof.checks import checks_of
from judging.tables.proof.verification import proof_of
from judging.tables.services import judges, opening, posting
from judging.tables.services.judges import TableVerdict
from judging.tables.talk.services import say_at_table
from tables.core.proof.codec import digest
from tests.keeping import kept
from tests.services.tables_of_tests import OPENED, Game, appoint, deck, opened, person, running
from tests.services.test_tables import played
from tests.services.test_tables_matches import arena, following

pytestmark = pytest.mark.django_db


@kept
def over() -> Game:
    """A table that was played, ruled on and conceded."""
    game = running()
    person("Jo")
    appoint(game.table, "Jo", game.now)
    played(game, 20)
    judges.rule(
        table=game.table, user=person("Jo"), verdict=TableVerdict("A draws 1", "K42", "So it is.", "Ebb"),
        on=game.row().head, token="one", now=game.now,
    )  # fmt: skip
    game.post("Ana", "concede!")
    return game


def gone() -> None:
    """Takes all tables and their people away, as if nothing had ever been here."""
    Table.objects.all().delete()
    DeckVersion.objects.all().delete()
    Deck.objects.all().delete()
    CardList.objects.all().delete()
    User.objects.all().delete()
    game_state.forget()


def again(file: bytes, **how: bool) -> TakenIn:
    """The table, taken in where nothing is."""
    gone()
    return import_table(file, **how)


def row() -> Table:
    return Table.objects.select_related("card_list").get()


def changed(file: bytes, change: Callable[[dict[str, Any]], object]) -> bytes:
    """Another file, sealed anew by who changed it."""
    document = json.loads(file)
    del document["sha256"]
    change(document)
    return json.dumps({**document, "sha256": digest(document)}).encode()


def test_a_finished_table_is_wholly_public_and_comes_out_the_same_in_an_empty_place() -> None:
    game = over()
    file, state = file_of(game.row()), game.state()
    names = [user.username for user in User.objects.all()]
    again(file)
    assert file_of(row()) == file
    assert game_state.state_of(row()).result == state.result
    assert state_hash(row()) == json.loads(file)["state"] != ""
    checks = checks_of(proof_of(row()))
    assert len(checks) == 8
    assert all(check.is_same for check in checks)
    assert not any(user.has_usable_password() for user in User.objects.all())
    assert not {user.username for user in User.objects.all()} & set(names)
    assert not any(f'"{name}"'.encode() in file for name in names)


def test_a_table_that_was_taken_in_is_looked_at_with_its_log_and_its_rulings(client: Client) -> None:
    again(file_of(over().row()))
    slug = row().slug
    assert client.get(reverse("table", args=[slug])).status_code == 200
    assert client.get(reverse("table-entry", args=[slug, 12])).status_code == 200
    assert b"So it is." in client.get(reverse("table-rulings", args=["kryptik"]), {"card": "Ebb"}).content


def test_the_file_of_an_open_table_has_only_what_is_public() -> None:
    game = running()
    played(game, 12)
    file = file_of(game.row())
    document = json.loads(file)
    assert not {"seed", "hidden", "orders"} & set(document)
    secrets = [bytes(game.table.seed).hex(), *(seat.salt for seat in Seat.objects.all()), game.table.invitation]
    assert not any(secret in file.decode() for secret in secrets)
    assert all(set(told) == {"spectator"} for told in document["told"].values())
    hand = {one["card"] for one in game.view("Ana").view["zones"]["A.hand"]}
    assert not any(f'"card": "{card}"' in json.dumps(document["told"]) for card in hand)
    with pytest.raises(Refused, match="only has the public part"):
        again(file, play=True)


def test_a_whole_file_is_played_on_elsewhere() -> None:
    game = running()
    played(game, 12)
    game.post("Ana", "pass until my turn", order=True)
    state, file = game.state(), file_of(game.row(), whole=True)
    with pytest.raises(Refused, match="isn't finished"):
        again(file)
    again(file, play=True)
    here = Game(row(), game.now)
    assert here.state() == state
    assert file_of(here.row(), whole=True) == file
    played(here, 3)
    assert here.row().entries > game.table.entries


def test_no_whole_file_is_written_while_a_ruling_that_ends_the_game_waits_as_it_would_lose_it() -> None:
    game = running()
    appoint(game.table, "Jo", game.now)
    verdict = TableVerdict("A wins", "3", "It is over.")
    judges.rule(table=game.table, user=person("Jo"), verdict=verdict, on=game.row().head, token="a", now=game.now)
    with pytest.raises(CommandError, match="a file can't include it"):
        call_command("export_table", game.table.slug)
    assert file_of(game.row())
    withdraw_ending(table=game.table, user=person("Jo"), now=game.now)
    assert file_of(game.row(), whole=True)


def test_the_beat_of_a_table_goes_with_the_whole_file_and_stands_in_no_public_one() -> None:
    game = running()
    Table.objects.update(beat_at=game.now)
    assert b"beat_at" not in file_of(game.row())
    again(file_of(game.row(), whole=True), play=True)
    assert row().beat_at == game.now


def resting() -> Game:
    """A table whose players sleep, are on leave, and were replaced."""
    game = running(nights=True)
    ana, bo = game.seat("Ana"), game.seat("Bo")
    SeatNight.objects.create(seat=ana, first_hour=22, zone="Europe/Berlin", since=OPENED, said_at=OPENED)
    until = OPENED + timedelta(days=9)
    TableLeave.objects.create(seat=ana, first=OPENED, until=until, announced_at=OPENED)
    Substitution.objects.create(
        seat=bo, before=person("Bo"), sought_by="Ana", sought_at=OPENED, user=person("Cy"), name="Cy", closed_at=until
    )
    Seat.objects.filter(pk=ana.pk).update(is_played=True, rests=rests_of(ana))
    Seat.objects.filter(pk=bo.pk).update(user=person("Cy"))
    return game


def test_nights_leave_and_who_plays_on_go_with_the_whole_file_and_stand_in_no_public_one() -> None:
    game = resting()
    file, rests = file_of(game.row(), whole=True), game.seat("Ana").rests
    assert not any(word in file_of(game.row()) for word in (b"Europe/Berlin", b"substitutions", b"absence"))

    again(file, play=True)

    assert file_of(row(), whole=True) == file
    here = Seat.objects.get(name="Ana")
    assert here.rests == rests != {}
    assert here.is_played
    found = Substitution.objects.get()
    assert (called(found.seat), found.before.username, found.seat.name) == ("Cy", "bo", "Bo")


SOUGHT = {"before": "ana", "user": None, "sought_by": "Bo", "sought_at": "2026-01-01T00:00:00Z", "name": "",
          "closed_at": None}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda said: said["nights"][0].update(zone="Middle/Earth"), "there is no such time zone"),
        (
            lambda said: said["leaves"][0].update(until="2020-01-01T00:00:00Z"),
            "an absence must be announced before it begins, and begin before it ends",
        ),
        (
            lambda said: said.update(substitutions=2 * [{**SOUGHT}]),
            "there can be only one search for a substitute at a time",
        ),
        (lambda said: said["nights"][0].update(first_hour=25), "first_hour"),
    ],
)
def test_absences_that_can_not_be_are_told_with_their_seat(
    change: Callable[[dict[str, Any]], object], told: str
) -> None:
    file = changed(file_of(resting().row(), whole=True), lambda file: change(file["seats"][0]["absence"]))
    with pytest.raises(BadFile, match=told):
        again(file, play=True)
    assert not Table.objects.exists()


def test_who_has_the_same_log_in_is_given_his_seat_if_that_is_wanted() -> None:
    file = file_of(over().row(), whole=True)
    gone()
    ana = person("Ana")
    taken = import_table(file, link=True)
    assert taken.people.linked == ["ana"]
    assert Seat.objects.get(name="Ana").user == ana


def match_of_two() -> tuple[bytes, bytes]:
    """The files of a match's first game, which is over, and of the second one, which is played."""
    first = arena()
    first.post("Bo", "concede!")
    second = following(first)
    second.post(second.waited(), second.view(second.waited()).legal[0])
    return file_of(first.row(), whole=True), file_of(second.row(), whole=True)


def test_a_match_is_taken_in_game_by_game_and_goes_on_where_it_stood() -> None:
    first, second = match_of_two()
    gone()
    with pytest.raises(Refused, match="game 2 of a match. First import the file of its first game, “at-the-harbour”"):
        import_table(second, play=True)
    assert not Table.objects.exists()

    import_table(first)
    table = import_table(second, play=True, link=True).table

    assert [(row.number, row.best_of, row.first.slug) for row in MatchGame.objects.order_by("number")] == [
        (1, 3, "at-the-harbour"), (2, 3, "at-the-harbour"),
    ]  # fmt: skip
    assert [file_of(row, whole=True) for row in Table.objects.select_related("card_list").order_by("pk")] == [
        first, second,
    ]  # fmt: skip
    game = Game(table, OPENED)
    letter = game.table.seats.get(name="Ana").letter
    assert game.state().seat(letter).name == "Ana"
    posting.post(
        table=table, user=game.seat("Ana").user, lines=["concede!"], on=game.row().head, token="the end",
        now=OPENED + timedelta(hours=1),
    )  # fmt: skip
    assert MatchGame.objects.get(number=3).table.state == "cutting"


@pytest.mark.parametrize("whole", [True, False])
def test_a_person_has_one_account_over_all_games_of_a_match(whole: bool) -> None:
    first = arena()
    first.post("Bo", "concede!")
    second = following(first)
    second.post("Bo", "concede!")
    files = [file_of(game.row(), whole=whole) for game in (first, second)]
    gone()
    for file in files:
        import_table(file)
    seats = Seat.objects.select_related("user")
    assert {name: len({seat.user_id for seat in seats if seat.name == name}) for name in ("Ana", "Bo")} == {
        "Ana": 1, "Bo": 1,
    }  # fmt: skip
    assert User.objects.count() == 2


def test_who_logs_in_here_gets_no_seat_of_a_later_game_unasked() -> None:
    first, second = match_of_two()
    gone()
    import_table(first)
    ana = Seat.objects.get(name="Ana").user
    ana.set_password("a-word-for-tests")
    ana.save()
    table = import_table(second, play=True).table
    assert table.seats.get(name="Ana").user != ana
    assert table.seats.get(name="Bo").user == Seat.objects.get(name="Bo", table__match_game__number=1).user


def test_a_game_that_another_match_has_already_is_refused() -> None:
    _, second = match_of_two()
    Table.objects.filter(match_game__number=2).delete()
    MatchGame.objects.update(best_of=5)
    with pytest.raises(Refused, match="The match that began at"):
        import_table(second, play=True)
    with pytest.raises(BadFile, match="a match can't contain this game"):
        import_table(changed(second, lambda file: file["match"].update(best_of=4)), play=True)


def test_what_was_agreed_goes_with_its_table_and_its_offerer_with_the_whole_file() -> None:
    game = over()
    TableAgreements.objects.create(
        table=game.table, game="kryptik", agreed={"3": "left open"}, agreed_at=OPENED, title="Harbour",
        offered_by=person("Ana"),
    )  # fmt: skip
    public, whole = file_of(game.row()), file_of(game.row(), whole=True)
    assert json.loads(public)["agreements"].keys() == {"agreed", "agreed_at", "title"}
    again(public)
    assert file_of(row()) == public
    again(whole)
    kept = TableAgreements.objects.select_related("offered_by").get()
    assert (kept.agreed, kept.title, kept.offered_by and kept.offered_by.username) == (
        {"3": "left open"}, "Harbour", "ana",
    )  # fmt: skip


def test_two_against_two_are_taken_in_with_their_letters() -> None:
    table = opened(game="seize", format="arena", places=4)
    for name, letter in {"Ana": "A1", "Bo": "B1", "Cy": "A2", "Di": "B2"}.items():
        coming = opening.Coming(name, deck("Mages in the Arena"), letter=letter)
        opening.sit_down(table=table, user=person(name), coming=coming, now=OPENED)
    game = Game(Table.objects.get(pk=table.pk), OPENED)
    said = say_at_table(table=table, user=person("Cy"), board="talk", text="Well met.", token="one", now=OPENED)
    assert said.letter == "A2"
    file = file_of(game.row(), whole=True)
    again(file, play=True)
    assert file_of(row(), whole=True) == file


def test_a_list_that_is_here_already_is_used_and_another_of_its_name_refuses_the_table() -> None:
    file = file_of(over().row())
    document = json.loads(file)
    cards = CardList.objects.get(game="kryptik")
    Table.objects.all().delete()
    assert import_table(file).table.card_list == cards
    Table.objects.all().delete()
    CardList.objects.filter(pk=cards.pk).update(hash="0" * 64)
    with pytest.raises(Refused, match="A different list"):
        import_table(file)
    assert not Table.objects.exists()
    assert document["list"]["hash"] == cards.hash


def test_a_table_of_the_same_name_is_not_taken_in_twice() -> None:
    file = file_of(over().row())
    with pytest.raises(Refused, match="There is already a table"):
        import_table(file)


WRONG: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "seed": (lambda d: d.update(seed="00" * 32), "The seed"),
    "entry": (lambda d: d["entries"][5].update(at=1), "Entry 6"),
    "choice": (lambda d: next(iter(d["hidden"].values())).update(salt="x"), "The hidden part of entry"),
    "state": (lambda d: d.update(state="0" * 64), "The game ends in a different state here"),
    "moment": (lambda d: d["table"].update(opened_at="yesterday"), "opened_at"),
    "seat": (lambda d: d["seats"][0].pop("letter"), "“seats”, row 1, “letter”"),
    "chain": (lambda d: d.update(entries=[]), "The latest hash is not the hash of the last entry"),
    "list": (lambda d: d["list"]["data"]["cards"].pop(), "The card list doesn't match its hash"),
    "version": (lambda d: d.update(version=9), "version 9"),
    "format": (lambda d: d.update(format="a letter"), "not a card table's file"),
    "ruling": (lambda d: d["rulings"][0].update(n=999), "an entry that doesn't exist"),
}


@pytest.fixture(scope="module")
def bad(django_db_setup: None, django_db_blocker: Any) -> bytes:
    from django.db import transaction

    with django_db_blocker.unblock(), transaction.atomic():
        found = file_of(over().row())
        transaction.set_rollback(True)
    game_state.forget()
    return found


@pytest.mark.parametrize("what", WRONG)
def test_a_file_in_which_something_was_changed_is_refused_and_nothing_is_stored(bad: bytes, what: str) -> None:
    change, told = WRONG[what]
    with pytest.raises(BadFile, match=told):
        import_table(changed(bad, change))
    assert not Table.objects.exists()
    assert not User.objects.exists()


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", "not valid JSON"),
        (b"\xff", "UTF-8"),
        (b"[]", "no JSON object"),
        (b"[" * 100_000, "nested too deeply"),
        (gzip.compress(b"{}", mtime=0)[:-4], "damaged or cut off"),
    ],
)
def test_what_is_no_file_is_told_of(data: bytes, told: str) -> None:
    with pytest.raises(BadFile, match=told):
        import_table(data)


def test_a_file_that_was_changed_by_hand_is_found_by_its_seal(bad: bytes) -> None:
    with pytest.raises(BadFile, match="changed after it was written"):
        import_table(bad.replace(b"So it is.", b"So be it."))


def test_everybody_takes_the_public_file_from_the_table_once(client: Client) -> None:
    game = over()
    address = reverse("table-export", args=[game.table.slug])
    answer = client.get(address)
    assert answer.content == file_of(game.row())
    assert client.get(address, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    hidden = opened(name="By invitation", is_invited=True)
    assert client.get(reverse("table-export", args=[hidden.slug])).status_code == 404


def test_the_commands_write_a_file_and_take_it_in(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    game = over()
    file = tmp_path / "table.json.gz"
    call_command("export_table", game.table.slug, str(file), "--public")
    gone()
    call_command("import_table", str(file))
    assert "was imported as “at-the-harbour”" in capsys.readouterr().out
    assert row().state == "over"


def test_an_administrator_takes_a_table_in_at_the_desk(client: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    file = file_of(over().row())
    gone()
    client.force_login(User.objects.create_superuser("root"), backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(reverse("judge:files"), {"file": SimpleUploadedFile("t.json", file)}, follow=True)
    assert "was imported as" in answer.content.decode()
    assert row().state == "over"
