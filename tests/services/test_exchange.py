"""A whole round as one file: what goes out comes in again, verifies the same, and a bad file changes nothing."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import connection

from judging.announcements.models import Notice
from judging.announcements.wording import words_of
from judging.armies.models import ChangeRequest
from judging.battles.models import Result, Strat
from judging.boards.models import (
    Block,
    BoardThread,
    Conversation,
    Mention,
    Message,
    MessageVersion,
    Participant,
    Report,
    Topic,
)
from judging.common.errors import Refused
from judging.common.models import ReadMark
from judging.import_export.file_format import tables
from judging.import_export.importing import import_round, link_seat
from judging.turns.models import Correction, Draft, Post
from judging.turns.posts.services import submit_post
from judging.turns.stages import advance, due_turns
from tests.keeping import keeper
from tests.pages.catalogue import fill_catalogue
from tests.services.boards_of_tests import write
from tests.services.changing import DRAGONS, change, make_war
from tests.services.exchanging import gone, play, public, sealed, verdicts, whole
from tests.services.world_of_tests import HOUR, World, make_round
from wargame import world as rows
from wargame.models import Player, Round, Turn
from wargame.models.choices import RoundState
from wargame.rules.battle.battle import told_outcome
from wargame.rules.battle.four_dice import Why
from wargame.rules.battle.weather import told_weather
from wargame.rules.telling.telling import event_from_json, event_to_json, tell_all

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(db: None) -> World:
    return play()


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
        row["outcome"] = told_outcome(row["outcome"], ["Ana"])
    for row in rows["battle"]:
        row["weather"] = told_weather(row["weather"])
    return document


def test_a_file_of_an_older_service_is_taken_in_without_its_sentences(played: World) -> None:
    first = whole(played.round)
    older = as_of_an_older_service(first)
    assert "moved from" in json.dumps(older["tables"]["turn"])
    older["tables"] |= {f"historical{name}": [{"n": 1, "of": 1, "history_type": "+"}] for name in ("round", "score")}
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
    assert not any("can't read" in text for text in told)
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
    with pytest.raises(Refused, match="There is already a round “trial” here"):
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
    with pytest.raises(Refused, match="is the archive of a round"):
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
    assert User.objects.filter(pk=placeholder.pk).exists(), "the chain names him"
    with pytest.raises(Refused, match="plays as Gaz"):
        link_seat(round=archive, name="Ana", user=me)
    with pytest.raises(Refused, match="No one called “Zoe”"):
        link_seat(round=archive, name="Zoe", user=me)
    me.set_password("y")
    me.save()
    with pytest.raises(Refused, match="has an account that someone logs in to"):
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


OF_NO_ROUND = [
    "AccessToken",
    "Account",
    "AdminEntry",
    "Bar",
    "BrowserSession",
    "CardList",
    "ChainAnchor",
    "Creature",
    "Deck",
    "DeckVersion",
    "Deletion",
    "DiscordLink",
    "DraftPick",
    "Drafter",
    "EndingRuling",
    "Entry",
    "FeedAddress",
    "Gathered",
    "Heartbeat",
    "Hidden",
    "Hook",
    "HookMessage",
    "JudgeProposal",
    "Letter",
    "MailAddress",
    "MatchGame",
    "MutedRound",
    "Notification",
    "Preference",
    "Push",
    "PushKey",
    "PushSubscription",
    "ReceivedMail",
    "RecoveryCode",
    "Sanction",
    "Seat",
    "SeatAddress",
    "SeatNight",
    "SentRequest",
    "SignUpLink",
    "Snapshot",
    "StageFailure",
    "Substitution",
    "Table",
    "TableAct",
    "TableAgreements",
    "TableAppeal",
    "TableDraft",
    "TableEvents",
    "TableJudge",
    "TableLeave",
    "TableMessage",
    "TableReport",
    "TableRuling",
    "Unsent",
]
"""What belongs to people, to the service, or to card tables."""


def test_every_table_with_rows_of_a_round_is_in_the_file() -> None:
    """Besides these, and what is said on boards, all that the service stores belongs to a round and so to its file; a
    card table belongs to none."""
    models = {model for app in ("wargame", "judging") for model in apps.get_app_config(app).get_models()}
    left = models - {table.model for table in tables()}
    boards = {BoardThread, Topic, Mention, Message, MessageVersion, ReadMark, Conversation, Participant, Report, Block}
    assert sorted(model.__name__ for model in left - boards) == OF_NO_ROUND
    assert boards <= left


def test_nothing_that_was_said_on_a_board_is_in_a_file(played: World) -> None:
    """1.1: no rule looks at it."""
    for board in ("talk", "team-coalition"):
        write(played, "Ana", "MARKER-OF-A-BOARD", board)
    assert b"MARKER-OF-A-BOARD" not in whole(played.round)
    assert b"MARKER-OF-A-BOARD" not in public(played.round)


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
    with pytest.raises(Refused, match="contains only public data"):
        import_round(file, slug="other", play=True)


def test_a_public_file_that_was_tampered_with_does_not_verify(played: World) -> None:
    """Whoever makes the hashes of the file right again can't make the seeds' dice so."""
    document = json.loads(public(played.round))
    for version in document["tables"]["postversion"]:
        version["text"] = version["text"].replace("12D > 10D", "12D > 13D")
    gone(played.round)

    done = import_round(sealed(document))

    assert "its events" in dict(verdicts(done.round))[1]


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
