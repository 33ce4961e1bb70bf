"""A whole round as one file: what goes out comes in again, verifies the same, and a bad file changes nothing."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection, transaction
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from judging.armies.models import ChangeRequest
from judging.battles.models import Result, Strat
from judging.boards.models import BoardThread, Mention, Message, MessageVersion, ReadMark
from judging.exchange.importing import import_round
from judging.exchange.people import link_seat
from judging.exchange.public import Public
from judging.exchange.reading import read_round_file
from judging.exchange.tables import tables
from judging.exchange.values import BadFile
from judging.exchange.writing import Everything, View, round_file
from judging.game.errors import Refused
from judging.notices.models import Notice
from judging.notices.words import words_of
from judging.turns.models import Correction, Draft, Post
from judging.turns.posts.writes import submit_post
from judging.turns.rulings.corrections import apply_correction
from judging.turns.stages import advance, due_turns
from judging.verifying.reads import verify_round
from tests.keeping import keeper, kept
from tests.pages.catalogue import fill_catalogue
from tests.services.boards_of_tests import write
from tests.services.changing import DRAGONS, change, make_war
from tests.services.ruling import new, propose
from tests.services.world_of_tests import HOUR, World, make_round
from wargame import world as rows
from wargame.models import Army, Player, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.battle.battle import told_outcome
from wargame.rules.battle.four_dice import Why
from wargame.rules.battle.weather import told_weather
from wargame.rules.telling.telling import event_from_json, event_to_json, tell_all

pytestmark = pytest.mark.django_db


def written(view: View) -> bytes:
    return b"".join(round_file(view))


def whole(round: Round) -> bytes:
    return written(Everything(round))


def public(round: Round, now: Any = None) -> bytes:
    return written(Public(round, now or timezone.now()))


def gone(round: Round) -> None:
    """Takes a round and its people away, as if it had never been here."""
    people = User.objects.filter(pk__in=[*round.players.values_list("user", flat=True)])
    others = User.objects.filter(pk__in=[*round.judges.values_list("user", flat=True)])
    keys = [user.pk for user in [*people, *others]]
    with connection.constraint_checks_disabled():
        for table in reversed(tables()):
            table.rows(round)._raw_delete("default") if table.itself else None
        for table in reversed(tables()):
            ids = list(table.rows(round).values_list("pk", flat=True))
            table.model._base_manager.filter(pk__in=ids)._raw_delete("default")
    User.objects.filter(pk__in=keys).delete()


@pytest.fixture
def played(db: None) -> World:
    return play()


@pytest.fixture(scope="module")
def file(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> bytes:
    """The whole of such a round, which is not here itself."""
    with django_db_blocker.unblock(), transaction.atomic():
        found = whole(play().round)
        transaction.set_rollback(True)
    return found


@kept
def play() -> World:
    """Three turns with posts, a battle, a change of troops, a correction, and things that are secret still."""
    fill_catalogue()
    world = make_war()
    world.post("Gaz", "12D > 10D; engage Ben")
    change(world)
    world.settle()
    correction = propose(world, new("square", "Cid", square="7D"))
    apply_correction(correction=correction, judge=world.judges["movement"], now=world.turn.opened_at + 2 * HOUR)
    battle = world.turn.battles.get()
    world.strat(battle, "Ben", "Ben", text="Ben hides in the SECRET-STRAT hills.")
    world.strat(battle, "Gaz", "Gaz", text="Gaz waits.")
    world.score(battle, favours=0, bonus=3)
    world.settle()
    world.post("Ana", "Ana: 3D > 4D", at=world.turn.opened_at + HOUR)
    world.post("Cid", "Cid: 7D > 8D SECRET-ORDER", at=world.turn.lock_at - 20 * HOUR, sealed=True)
    world.post("Lea", "Lea: hold", at=world.turn.lock_at - 19 * HOUR)
    return world


def verdicts(round: Round) -> list[tuple[int, tuple[str, ...]]]:
    return [(check.turn, tuple(check.differences)) for check in verify_round(round)]


def test_a_round_that_is_exported_imported_and_exported_again_is_the_same_bytes(played: World) -> None:
    first = whole(played.round)
    gone(played.round)
    assert not Round.objects.exists()
    assert not Post.objects.exists()

    done = import_round(first)

    assert whole(done.round) == first
    assert done.rows["turn"] == 3


def as_of_an_older_service(file: bytes) -> Any:
    """A file as services wrote it that stored their sentences beside the codes."""
    document = json.loads(file)
    rows = document["tables"]
    for row in [*rows["turn"], *rows["draft"], *rows["correction"]]:
        for name in ("events", "old_events"):
            row |= {name: tell_all(row[name])} if name in row else {}
    for row in rows["correction"]:
        row["difference"] = {"armies": [], "bases": [], "battles": {}, "gone": [], "new": []}
    for row in [*rows["result"], *rows["proposal"]]:
        row["outcome"] = told_outcome(row["outcome"])
    for row in rows["battle"]:
        row["weather"] = told_weather(row["weather"])
    return document


def test_a_file_of_an_older_service_is_taken_in_without_its_sentences(played: World) -> None:
    first = whole(played.round)
    older = as_of_an_older_service(first)
    assert "moves from" in json.dumps(older["tables"]["turn"])
    gone(played.round)

    done = import_round(sealed(older))

    assert whole(done.round) == first
    assert not any(differences for _, differences in verdicts(done.round))


def test_a_notice_of_an_older_service_keeps_its_words(played: World) -> None:
    """3.1: what stood beside them did not tell all."""
    older = json.loads(whole(played.round))
    for row in older["tables"]["notice"]:
        row |= {"text": "Something was posted.", "data": {}}
    gone(played.round)

    import_round(sealed(older))

    assert {notice.text for notice in Notice.objects.all()} == {"Something was posted."}


def test_no_prose_is_stored(played: World) -> None:
    """What is stored are codes and what people wrote; it is told in sentences when it is read."""
    reports = [*Turn.objects.values_list("events", flat=True), *Draft.objects.values_list("events", flat=True)]
    reports += [events for row in Correction.objects.all() for events in (row.events, row.old_events)]
    for event in (event for events in reports for event in events):
        assert event == event_to_json(event_from_json(event))
        assert event.keys().isdisjoint({"text", "squares", "important"})
    for outcome in Result.objects.values_list("outcome", flat=True):
        assert outcome["why"] in Why.__members__
    for notice in Notice.objects.all():
        stored = json.dumps(notice.data, ensure_ascii=False)
        assert all(line not in stored for line in notice.text.split("\n")), notice.text


def test_what_a_notice_says_can_be_read(played: World) -> None:
    told = [notice.text for notice in Notice.objects.all()]
    assert told
    assert not any("can't be read" in text for text in told)
    assert words_of("update", {"turn": 3}) == words_of("rumour", {}) != ""


def test_an_imported_round_verifies_the_same(played: World) -> None:
    before, file = verdicts(played.round), whole(played.round)
    assert [turn for turn, _ in before] == [1, 2]
    gone(played.round)

    imported = import_round(file).round

    assert verdicts(imported) == before == [(1, ()), (2, ())]
    assert rows.load_position(imported) == rows.position_of_turn(Turn.objects.get(round=imported, number=3))


def test_beside_the_first_one_it_gets_another_address_and_keeps_its_dice(played: World) -> None:
    """R38: the slug goes into every draw."""
    file = whole(played.round)
    with pytest.raises(Refused, match="There is a round “trial” here already"):
        import_round(file)

    done = import_round(file, slug="elsewhere")

    assert (done.round.slug, done.round.drawn_as) == ("elsewhere", "trial")
    assert verdicts(done.round) == [(1, ()), (2, ())]
    again = import_round(whole(done.round), slug="farther").round
    assert (again.slug, again.drawn_as) == ("farther", "trial")
    assert verdicts(again) == [(1, ()), (2, ())]


def test_a_running_round_comes_in_as_an_archive_that_no_job_plays_on(played: World) -> None:
    file, lock = whole(played.round), played.turn.lock_at
    gone(played.round)
    archive = import_round(file).round

    assert archive.state == RoundState.ARCHIVE
    assert due_turns(lock + HOUR) == []
    turn = Turn.objects.get(round=archive, number=3)
    assert advance(turn.pk, lock + HOUR) == "open"
    ana = Player.objects.get(round=archive, name="Ana")
    with pytest.raises(Refused, match="is an archive"):
        submit_post(turn=turn, player=ana, text="hold", sealed=False, token="a", now=turn.opened_at + HOUR)


def test_with_play_it_is_played_on_as_it_would_have_been(played: World) -> None:
    file, lock = whole(played.round), played.turn.lock_at
    played.settle()
    led_to = Turn.objects.get(round=played.round, number=3).next_hash
    gone(played.round)

    moved = import_round(file, play=True).round

    assert moved.state == RoundState.RUNNING
    turn = Turn.objects.get(round=moved, number=3)
    assert advance(turn.pk, lock + timedelta(minutes=1)) == "settled"
    assert Turn.objects.get(pk=turn.pk).next_hash == led_to
    assert all(not differences for _, differences in verdicts(moved))


def test_nobody_logs_in_to_an_imported_account_and_no_mail_address_or_password_is_in_the_file(played: World) -> None:
    user = played.players["Ana"].user
    user.email, user.password = "ana@example.org", "not-a-hash-but-secret"
    user.save()
    file = whole(played.round)
    assert b"ana@example.org" not in file
    assert b"not-a-hash-but-secret" not in file
    gone(played.round)

    done = import_round(file)

    ana = Player.objects.get(round=done.round, name="Ana")
    assert ana.user.username == "trial-Ana"
    assert not ana.user.has_usable_password()


def test_a_user_of_the_same_log_in_gets_no_seat_unasked(played: World) -> None:
    file = whole(played.round)
    one = import_round(file, slug="one").round
    assert Player.objects.get(round=one, name="Ana").user.username == "trial-Ana-2"

    two = import_round(file, slug="two", link=True).round
    assert Player.objects.get(round=two, name="Ana").user == played.players["Ana"].user


def test_a_seat_is_given_to_a_user_who_is_here(played: World) -> None:
    archive = import_round(whole(played.round), slug="one").round
    me = User.objects.create_user("me", password="x")
    placeholder = Player.objects.get(round=archive, name="Gaz").user

    assert link_seat(round=archive, name="Gaz", user=me) == "me is Gaz in Trial now."
    assert Player.objects.get(round=archive, name="Gaz").user == me
    assert not User.objects.filter(pk=placeholder.pk).exists()
    with pytest.raises(Refused, match="plays as Gaz"):
        link_seat(round=archive, name="Ana", user=me)
    with pytest.raises(Refused, match="Nobody called “Zoe”"):
        link_seat(round=archive, name="Zoe", user=me)
    me.set_password("y")
    me.save()
    with pytest.raises(Refused, match="somebody logs in to"):
        link_seat(round=archive, name="Gaz", user=User.objects.create_user("other"))


def test_a_judges_seat_is_given_too(played: World) -> None:
    archive = import_round(whole(played.round), slug="one").round
    me = User.objects.create_user("me", password="x")
    link_seat(round=archive, name="Judge battle", user=me)

    assert archive.judges.get(role="battle").user == me


def test_no_key_of_the_database_is_in_the_file(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links are numbers of rows: keys would mean other rows elsewhere. Also those that stand inside of JSON."""
    monkeypatch.setattr(keeper, "draw", None)  # a world that is kept has its own keys
    with connection.cursor() as cursor:
        for table in tables():
            name = table.model._meta.db_table
            if connection.vendor == "postgresql":
                cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), 7700000)", [name])
                continue
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [name])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, 7700000)", [name])
    fill_catalogue()
    world = make_war()
    world.post("Gaz", "12D > 10D; engage Ben")
    change(world)
    world.settle()
    battle = world.turn.battles.get()
    world.strat(battle, "Ben", "Ben")
    world.strat(battle, "Gaz", "Gaz")
    world.score(battle)
    assert battle.pk > 7700000

    found = re.findall(r"(?<![0-9a-f])77000\d\d(?![0-9a-f])", whole(world.round).decode())
    assert found == []


def test_every_table_with_rows_of_a_round_is_in_the_file() -> None:
    """Besides these, and what is said on boards, all that the service stores belongs to a round and so to its file."""
    models = {model for app in ("wargame", "judging") for model in apps.get_app_config(app).get_models()}
    left = models - {table.model for table in tables()}
    boards = {BoardThread, Mention, Message, MessageVersion, ReadMark}
    assert sorted(model.__name__ for model in left - boards) == [
        "AccessToken",
        "Account",
        "AdminEntry",
        "Bar",
        "BrowserSession",
        "Creature",
        "Deletion",
        "Heartbeat",
        "Letter",
        "RecoveryCode",
        "StageFailure",
    ]
    assert boards <= left


def test_nothing_that_was_said_on_a_board_is_in_a_file(played: World) -> None:
    """1.1: no rule looks at it."""
    for board in ("talk", "team-coalition"):
        write(played, "Ana", "MARKER-OF-A-BOARD", board)
    assert b"MARKER-OF-A-BOARD" not in whole(played.round)
    assert b"MARKER-OF-A-BOARD" not in public(played.round)


def test_a_gzipped_file_is_read(file: bytes) -> None:
    done = import_round(gzip.compress(file), slug="zipped")

    assert verdicts(done.round) == [(1, ()), (2, ())]


def test_a_round_in_its_set_up_goes_over_too() -> None:
    world = make_round({"Ana": ("coalition", "3D", "captain")}, name="Set up", slug="set-up")
    file = whole(world.round)
    gone(world.round)
    done = import_round(file)

    assert done.round.state == RoundState.SETUP
    assert whole(done.round) == file


# What everybody may see


def test_the_public_file_has_no_secret(played: World) -> None:
    turn = played.turn
    file = public(played.round, turn.lock_at - HOUR).decode()

    assert "SECRET-STRAT" not in file
    assert "SECRET-ORDER" not in file
    assert turn.seed not in file
    for strat in Strat.objects.all():
        assert strat.salt not in file
        assert strat.sha256 in file
    book = played.round.books.get()
    assert book.salt not in file
    assert book.commitment in file
    assert "trial-Ana" not in file
    assert "trial-judge" not in file
    assert Turn.objects.get(number=1).seed in file


def test_a_gap_in_the_public_thread_tells_of_no_sealed_post(played: World) -> None:
    """R6."""
    before = json.loads(public(played.round, played.turn.lock_at - HOUR))
    numbers = [post["number"] for post in before["tables"]["post"] if post["turn"] == 3]
    after = json.loads(public(played.round, played.turn.lock_at + HOUR))

    assert numbers == [1, 2]
    assert [post["number"] for post in after["tables"]["post"] if post["turn"] == 3] == [1, 2, 3]


def test_the_public_file_of_a_running_round_is_verified_as_far_as_it_is_public(played: World) -> None:
    file = public(played.round)
    gone(played.round)

    done = import_round(file)

    assert done.is_public
    assert done.round.state == RoundState.ARCHIVE
    assert verdicts(done.round) == [(1, ()), (2, ())]
    with pytest.raises(Refused, match="only what is public"):
        import_round(file, slug="other", play=True)


def test_a_public_file_that_was_tampered_with_does_not_verify(played: World) -> None:
    """Whoever makes the hashes of the file right again can't make the seeds' dice so."""
    document = json.loads(public(played.round))
    for version in document["tables"]["postversion"]:
        version["text"] = version["text"].replace("12D > 10D", "12D > 13D")
    gone(played.round)

    done = import_round(sealed(document))

    assert "what happened in it" in dict(verdicts(done.round))[1]


def test_what_is_asked_of_the_judge_is_public_with_the_settlement(played: World) -> None:
    """2.3.2: and not before."""
    change(played, lists=("5000 Volcanic Dragon", *DRAGONS[1:]))
    file = json.loads(public(played.round))

    assert [row["for_turn"] for row in file["tables"]["changerequest"]] == [1]
    assert "Volcanic Dragon" not in json.dumps(file)
    assert ChangeRequest.objects.count() == 2


def test_after_the_round_its_public_file_has_strats_and_books(played: World) -> None:
    Round.objects.filter(pk=played.round.pk).update(state=RoundState.OVER, winner="coalition")
    played.round.refresh_from_db()
    file = public(played.round).decode()

    assert "SECRET-STRAT" in file
    assert played.round.books.get().salt in file
    gone(played.round)
    done = import_round(file.encode())
    assert verdicts(done.round) == [(1, ()), (2, ())]


# Files that can't be taken in


def sealed(document: dict[str, Any]) -> bytes:
    """A file of a document that somebody changed, with the right hash."""
    document.pop("sha256", None)
    body = json.dumps(document, ensure_ascii=False)[:-1].encode() + b",\n"
    return body + f'"sha256": "{hashlib.sha256(body).hexdigest()}"\n}}\n'.encode()


def changed(file: bytes, change: Callable[[dict[str, Any]], None]) -> bytes:
    document = json.loads(file)
    change(document)
    return sealed(document)


def of(table: str, row: int, **values: Any) -> Callable[[dict[str, Any]], None]:
    return lambda document: document["tables"][table][row - 1].update(values)


def without_name(document: dict[str, Any]) -> None:
    del document["tables"]["army"][0]["name"]


BAD = {
    "version": (lambda d: d.update(version=2), "the head of the file: it is of version 2"),
    "format": (lambda d: d.update(format="chess"), "the head of the file: “format”"),
    "table": (lambda d: d["tables"].update(dragons=[]), "able “dragons” is not known here"),
    "field": (of("army", 2, dragons=3), "row 2 of “army”: the field “dragons” is not known"),
    "missing": (without_name, "row 1 of “army”, name: it is missing"),
    "type": (of("army", 1, days="two"), "row 1 of “army”, days: a whole number belongs here, not 'two'"),
    "moment": (of("turn", 1, lock_at="tomorrow"), "row 1 of “turn”, lock_at: a moment like"),
    "choice": (of("army", 1, side="chaos"), "row 1 of “army”, side: 'chaos' is none of"),
    "long": (of("army", 1, name="x" * 41), "row 1 of “army”, name: Ensure this value has at most 40"),
    "number": (of("army", 2, n=7), "row 2 of “army”: it must be an object with the number 2"),
    "link": (of("troop", 3, army=99), "row 3 of “troop”, army: there is no row 99 of “army”"),
    "no link": (of("troop", 3, army=None), "row 3 of “troop”, army: it is missing"),
    "names": (of("army", 2, name="ANA"), "row 2 of “army”, name: “ANA” is the name of row 1 too"),
    "players": (of("player", 2, name="ana"), "row 2 of “player”, name: “ana” is the name of row 1 too"),
    "turns": (of("turn", 2, number=5), "row 2 of “turn”: it is turn 5"),
    "twice": (of("postversion", 2, post=1, number=1), "row 2 of “postversion”: it has the same post and"),
    "hash": (of("turn", 1, position_hash="0" * 64), "row 1 of “turn”: the position of turn 1 is not the one"),
    "chain": (of("turn", 1, next_hash="0" * 64), "row 2 of “turn”: turn 2 does not open with what turn 1 led to"),
    "seed": (of("turn", 3, seed="00"), "row 3 of “turn”, seed: it is not the one that was committed to"),
    "no seed": (of("turn", 3, seed="zz"), "row 3 of “turn”, seed: a seed is a number in hexadecimal digits"),
    "strat": (of("strat", 1, text="Run."), "row 1 of “strat”: it is not what its receipt says"),
    "book": (of("bookversion", 1, salt="00" * 32), "row 1 of “bookversion”: it is not the one that was committed to"),
    "two rounds": (lambda d: d["tables"]["round"].append({**d["tables"]["round"][0], "n": 2}), "it holds 2 rounds"),
    "no text": (of("round", 1, name="a\0b"), "there is a character that is no text"),
    "constraint": (of("army", 1, at=""), "row 1 of “army”: it can't be"),
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
        (lambda file: b"[1, 2]", "holds no JSON object"),
        (lambda file: b"PK\x03\x04" + bytes(range(128, 200)), "this is no text in UTF-8"),
        (lambda file: file.replace(b'"tables"', b'"tables'), "this is no JSON"),
        (lambda file: file.replace(b'"tables": {', b'"version": 1, "tables": {'), "“version” stands twice"),
        (lambda file: file.replace(b"Lea: hold", b"Lea: stay"), "The file was changed after it was written"),
        (lambda file: file + b" ", "the line with “sha256” is missing, or something follows it"),
        (lambda file: b"[" * 200_000, "nested too deeply"),
        (lambda file: gzip.compress(file)[:-500], "The gzipped file is damaged or cut off"),
        (lambda file: file.replace(b'"version": 1', b'"version": NaN'), "NaN is no number"),
    ],
)
def test_a_damaged_file_is_told_by_the_place_of_its_damage(
    file: bytes, damage: Callable[[bytes], bytes], told: str
) -> None:
    with pytest.raises(BadFile) as error:
        read_round_file(damage(file))

    assert told.casefold() in str(error.value).casefold()


def test_a_file_that_unpacks_to_more_than_a_round_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("judging.exchange.reading.LARGEST", 1000)

    with pytest.raises(BadFile, match="more than 1,000 bytes"):
        read_round_file(gzip.compress(b" " * 5000))


def test_an_address_that_is_none_is_refused(file: bytes) -> None:
    for slug in ("No Spaces", "x" * 51, "ü"):
        with pytest.raises(Refused, match="can't be a part of an address"):
            import_round(file, slug=slug)
