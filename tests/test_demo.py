"""The demo round: what it promises to whoever looks at it, and that it touches nothing else."""

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker

from judging.battles.desk import publishing, scoring
from judging.battles.models import Battle, Result, Strat
from judging.battles.strats.queries import all_sent
from judging.boards.models import Message
from judging.common.errors import Refused
from judging.common.markup import to_html
from judging.common.models import LogEntry
from judging.common.positions import position_of
from judging.common.rounds import current_turn
from judging.common.viewer import Viewer, viewer_of
from judging.demo import loading, times
from judging.demo.making import make
from judging.demo.planner import plan_turn
from judging.demo.playing import hand_of
from judging.demo.times import calendar_for, read_length
from judging.turns import stages
from judging.turns.models import Correction, Manifest, Post, PostVersion, Ruling
from judging.turns.rulings.differences import difference_of
from judging.turns.turn_input import InputOfTurn
from judging.verification.checks import verify_round
from judging.votes.queries import closed_votes, open_votes, view_of
from tests.services.world_of_tests import REASONS
from wargame.models import Army, Judge, Player, Round, Turn
from wargame.rules.core import clock
from wargame.rules.core.board import read_square
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, ReadOrder, Step, Transfer, Unreadable
from wargame.rules.core.troops import alive_by_slot, strength_by_slot
from wargame.rules.posts import notation
from wargame.rules.telling.telling import tell_all
from wargame.world import control_at

NOW = datetime(2026, 3, 4, 15, 30, 12, 345678, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


@pytest.fixture(scope="module")
def demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Round]:
    """The demo round with its usual calendar, made once for all tests of this file."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make(turn_length=None, fresh=False, now=NOW, say=lambda line: None)
        transaction.set_rollback(True)


@pytest.fixture
def round_(demo: Round, db: None) -> Round:
    """The demo round for one test, which may do with it what it likes."""
    return Round.objects.get(pk=demo.pk)


def turns(round_: Round) -> list[Turn]:
    return list(Turn.objects.filter(round=round_).order_by("number"))


def events(round_: Round, kind: str) -> list[dict[str, object]]:
    return [event for turn in turns(round_) for event in tell_all(turn.events) if event["kind"] == kind]


def says(*arguments: str) -> str:
    """What the command prints."""
    out = StringIO()
    call_command("demo", *arguments, stdout=out, stderr=out)
    return out.getvalue()


def in_hand(player: str, army: str, order: Order) -> str:
    return hand_of(player).write(army, order, player, Random(1))


# The calendar


@pytest.mark.parametrize("hours", range(0, 200, 7))
def test_the_present_battle_deadline_is_one_or_two_days_away_whatever_the_day(hours: int) -> None:
    now = NOW + hours * HOUR
    calendar = calendar_for(None, now)
    assert DAY <= calendar.lock - calendar.deadline_before_lock - now < 2 * DAY
    assert (calendar.lock.hour, calendar.lock.minute, calendar.lock.second) == (5, 0, 0)
    assert calendar.opens(4) < now


def test_a_week_ends_with_the_24_and_28_hours_of_the_rules() -> None:
    calendar = calendar_for(None, NOW)
    assert (calendar.turn_length, calendar.deadline_before_lock) == (7 * DAY, DAY)
    assert (calendar.sealed_before_lock, calendar.contingency_before_deadline) == (28 * HOUR, DAY)


@pytest.mark.parametrize("text", ["45s", "10m", "2h", "1d"])
def test_the_present_one_of_shorter_turns_opens_now_and_locks_a_turn_from_now(text: str) -> None:
    length = read_length(text)
    calendar = calendar_for(length, NOW)
    slack = min(length / 20, clock.MINUTE) + timedelta(seconds=1)
    assert timedelta(0) <= NOW - calendar.opens(4) <= slack
    assert abs(clock.closes(calendar.lock) - NOW - length) <= slack
    unit = timedelta(seconds=1) if length < times.TO_THE_SECOND else clock.MINUTE
    for part, of_a_week in ((calendar.deadline_before_lock, 24), (calendar.sealed_before_lock, 28)):
        assert timedelta(0) <= part - length * of_a_week / 168 < unit


@pytest.mark.parametrize("text", ["5m", "10m", "2h", "1d"])
def test_turns_that_lock_on_whole_minutes_have_whole_minutes_all_over(text: str) -> None:
    """R4."""
    calendar = calendar_for(read_length(text), NOW)
    for before in (timedelta(0), calendar.deadline_before_lock, calendar.sealed_before_lock):
        when = calendar.lock - before
        assert (when.second, when.microsecond) == (0, 0)


def test_a_turn_of_seconds_locks_to_the_second_even_on_a_whole_minute() -> None:
    calendar = calendar_for(timedelta(seconds=30), NOW.replace(second=0, microsecond=0))
    assert clock.closes(calendar.lock) == calendar.lock


@pytest.mark.parametrize("text", ["", "10", "m", "0m", "1s", "10 minutes", "-5m", "9999999d"])
def test_a_length_that_is_none_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ValueError, match="write a number with s, m, h or d"):
        read_length(text)
    with pytest.raises(CommandError, match="no length of a turn"):
        call_command("demo", f"--turn-length={text}")


# What was loaded


def test_the_round_is_of_full_size(round_: Round) -> None:
    sides = Counter(Army.objects.filter(round=round_).values_list("side", flat=True))
    assert sides["mercenary"] == 10 + len(events(round_, "spawned"))
    assert sides["coalition"] + sides["phyrexia"] == 90  # some may have been captured by now
    assert (round_.bases.count(), round_.towns.count()) == (12, 3)
    assert (round_.players.count(), round_.judges.count()) == (24, 3)


def test_everybody_can_log_in(round_: Round) -> None:
    users = User.objects.filter(username__in=[row["username"] for row in loading.people()], is_active=True)
    assert users.count() == len(loading.people())
    assert all(user.check_password(loading.password()) for user in users.order_by("pk")[:2])
    assert len(set(users.values_list("password", flat=True))) == 1


# What was played


def test_three_turns_are_settled_and_the_fourth_is_open(round_: Round) -> None:
    assert [turn.state for turn in turns(round_)] == ["settled", "settled", "settled", "open"]
    assert stages.due_turns(NOW) == []


def test_a_turn_has_as_many_battles_as_people_can_follow(round_: Round) -> None:
    first, *others, present = [turn.battles.count() for turn in turns(round_)]
    assert first == 0
    assert all(1 <= battles <= 7 for battles in others)
    assert 2 <= present <= 7


def test_one_battle_waits_for_its_score_and_the_others_for_strats(round_: Round) -> None:
    battles = list(Battle.objects.filter(turn=current_turn(round_)).order_by("number"))
    assert [all_sent(battle) for battle in battles].count(True) == 1
    assert {battle.state for battle in battles} == {Battle.State.WAITING}


def test_past_battles_have_a_narrative_that_names_winner_and_loser(round_: Round) -> None:
    for result in Result.objects.filter(battle__turn__round=round_).select_related("battle"):
        names = result.battle.entries.values_list("army__name", flat=True)
        assert all(name in result.narrative for name in names)
        assert not set("{}") & set(result.narrative)


def test_over_half_of_the_armies_get_orders_each_turn(round_: Round) -> None:
    ordered = [len({line.army for line in InputOfTurn(turn).lines}) for turn in turns(round_)]
    assert all(45 <= armies <= 75 for armies in ordered)


def test_most_players_have_posted_in_the_present_turn_and_some_have_not(round_: Round) -> None:
    assert 12 <= Player.objects.filter(posts__turn=current_turn(round_)).distinct().count() <= 20


def test_orders_are_refused_under_many_rules(round_: Round) -> None:
    cited = {event["cites"] for event in events(round_, "refused")}
    assert cited >= {"3.2.1", "3.2.2.1", "3.2.2.2", "3.2.2.5", "5.4.1", "5.4.2"}


def test_friends_contest_a_square_every_turn(round_: Round) -> None:
    for turn in turns(round_)[:3]:
        assert {"contested", "moved_partially"} <= {event["kind"] for event in turn.events}


def test_mercenaries_play_by_the_book(round_: Round) -> None:
    """R48: each of them decides in every turn, and nobody waits for their judge."""
    for turn in turns(round_)[:3]:
        alive = [army for army in position_of(turn).armies if army.faction]
        decided = [event for event in turn.events if event["kind"] == "mercenary_decided"]
        assert sorted(event["army"] for event in decided) == [army.name for army in alive]
        assert turn.after_lock_done
    assert round_.has_mercenaries
    assert {event["course"] for event in events(round_, "mercenary_decided")} >= {"engages", "moves", "stays"}


def test_armies_intercept_engage_jointly_or_send_troops(round_: Round) -> None:
    found = [kind for kind in ("intercepted", "joint_engaged", "transferred") if events(round_, kind)]
    assert len(found) >= 2
    assert Manifest.objects.filter(turn__round=round_).exists()


def test_a_kill_and_a_capture_were_tried(round_: Round) -> None:
    """4.3, 4.5."""
    outcomes = Result.objects.filter(battle__turn__round=round_).values_list("outcome", flat=True)
    assert {attempt["risk"] for outcome in outcomes for attempt in outcome["attempts"]} == {"kill", "capture"}
    assert Strat.objects.filter(entry__battle__turn=current_turn(round_)).exclude(risk="").exists()


def test_the_movement_judge_ruled_on_a_turn_and_corrected_the_next_by_that_precedent(round_: Round) -> None:
    """3.3.3: quillon's desk has something to show."""
    ruling, again = Ruling.objects.filter(turn__round=round_).order_by("turn__number")
    assert (ruling.turn.number, ruling.kind, ruling.number, ruling.correction) == (2, "lifted", 1, None)
    assert (again.turn.number, again.kind, again.number) == (3, "lifted", 1)
    assert "ruling 1 of turn 2" in again.reason
    correction = Correction.objects.get()
    assert correction.state == "applied"
    assert any(difference_of(correction).values())
    assert ruling.judge.user.username == again.judge.user.username == "quillon"
    told = {event["army"]: event for turn in turns(round_)[1:3] for event in turn.events if event["kind"] == "ruled"}
    assert told.keys() == {ruling.army, again.army}
    assert not any(event["why_not"] for event in told.values())


def test_every_turn_of_the_demo_is_recomputed_to_the_same(round_: Round) -> None:
    """R38."""
    assert [check.differences for check in verify_round(round_)] == [(), (), ()]


def test_posts_show_all_that_a_thread_has(round_: Round) -> None:
    posts = Post.objects.filter(turn__round=round_)
    versions = PostVersion.objects.filter(post__in=posts)
    assert posts.filter(sealed=True).exists()
    assert versions.filter(number=2).exists()
    given = Counter((turn.number, line.army, line.by) for turn in turns(round_) for line in InputOfTurn(turn).lines)
    assert max(given.values()) > 1
    talk = loading.read("history")["talk"]
    assert any(line in talk for version in versions for line in version.text.split("\n"))


def test_each_turn_has_one_line_that_nobody_can_read(round_: Round) -> None:
    for turn in turns(round_):
        names = position_of(turn).by_name
        last = [post.versions.order_by("-number")[0] for post in turn.posts.all()]
        lines = [line for v in last for line in notation.read_post(v.text, names, v.own_army)]
        assert sum(isinstance(line, Unreadable) for line in lines) == 1


def test_nothing_was_written_outside_its_turn_or_in_the_future(round_: Round) -> None:
    for turn in turns(round_):
        assert all(turn.opened_at <= post.posted_at <= min(turn.lock_at, NOW) for post in turn.posts.all())
        for post in turn.posts.filter(sealed=True):
            assert clock.accepts_sealed(post.posted_at, turn.lock_at)
    late = Strat.objects.filter(entry__battle__turn__round=round_, late=True)
    assert not LogEntry.objects.filter(round=round_, at__gt=NOW).exists()
    assert late.count() <= 1


def test_nobody_is_stronger_than_he_was_made(round_: Round) -> None:
    position = position_of(turns(round_)[-1])
    for army in position.armies:
        assert all(a <= s for a, s in zip(alive_by_slot(army.troops), strength_by_slot(army.troops), strict=True))


def test_people_talk_on_the_boards_and_both_councils_in_theirs(round_: Round) -> None:
    messages = Message.objects.filter(thread__round=round_)
    talk = Counter(messages.values_list("thread__key", flat=True))
    assert all(talk[board] for board in ("talk", "council-coalition", "council-phyrexia", "team-coalition"))
    assert messages.filter(hidden_at__isnull=False).exists()
    assert messages.filter(version=2).exists()
    assert messages.filter(mentions__isnull=False).exists()
    assert not messages.filter(at__gt=NOW).exists()


# The planner and its hands


def test_the_same_position_and_seed_give_the_same_orders(round_: Round) -> None:
    turn = turns(round_)[0]
    owners = {army: by[0] for army, by in control_at(round_, turn.opened_at).items()}
    plans = [plan_turn(position_of(turn), owners, 1, Random("again")) for _ in range(2)]
    assert plans[0] == plans[1]
    assert len(plans[0].orders) > 40


@pytest.mark.parametrize("row", loading.read("people")["players"], ids=lambda row: row["username"])
def test_everybody_writes_orders_that_are_read_as_they_were_meant(row: dict[str, str]) -> None:
    names = [row["name"], "Some Friend", "Some Enemy"]
    at, near, far = read_square("5E"), read_square("7F"), read_square("7H")
    first = Step(at, near, (at, read_square("6E"), read_square("7E"), near), "engage", "Some Enemy")
    for order in (
        Move((first,)),
        Move((Step(at, near, first.route, "replace", "Some Friend"), Step(near, far))),
        Move((Step(at, near, first.route, "joint engage"),)),
        Intercept("Some Enemy"),
        Transfer("Some Friend", near),
        Hold(),
        InBattle(),
    ):
        read = notation.read_line(in_hand(row["name"], row["name"], order), names, row["name"])
        assert isinstance(read, ReadOrder)
        assert (read.army, read.order) == (row["name"], order)


# The command


def test_the_log_ins_are_told_with_what_waits_for_each(round_: Round) -> None:
    before = LogEntry.objects.count(), User.objects.count()
    told = says("--logins")
    assert all(name in told for name in ("magistra", "quillon", "tollkeeper", "fencesitter", loading.password()))
    assert "1 battle to score" in told
    assert "nothing before turn 4 locks; then rulings and corrections" in told
    assert "a strat for" in told
    assert "none posted yet" in told
    assert (LogEntry.objects.count(), User.objects.count()) == before


@pytest.mark.django_db
def test_without_a_demo_round_no_log_ins_are_told_on_stdout() -> None:
    Round.objects.filter(is_demo=True).update(is_demo=False)
    out, err = StringIO(), StringIO()
    call_command("demo", "--logins", stdout=out, stderr=err)
    assert out.getvalue() == ""
    assert "There is no demo round" in err.getvalue()


def test_a_second_demo_is_not_made(round_: Round) -> None:
    assert says("--if-empty") == ""
    assert "--fresh" in says()
    assert Round.objects.count() == 1


def other_round(name: str) -> Round:
    return Round.objects.create(name=name, slug=name.lower(), terrain=loading.terrain(), created_at=NOW)


def test_only_what_the_demo_made_is_removed(round_: Round) -> None:
    other, stranger = other_round("Other"), User.objects.create_user("stranger")
    magistra = User.objects.get(username="magistra")
    Judge.objects.create(round=other, user=magistra, name="Magistra", role="battle")
    told = says("--remove")
    assert "magistra" in told
    assert list(Round.objects.all()) == [other]
    assert set(User.objects.all()) == {stranger, magistra}
    assert not Post.objects.exists()
    assert says("--remove") != told


def test_somebody_elses_log_in_is_not_taken(round_: Round) -> None:
    says("--remove")
    owner = User.objects.create_user("quillon", password="his own")
    with pytest.raises(CommandError, match="quillon"):
        call_command("demo", stdout=StringIO())
    owner.refresh_from_db()
    assert owner.check_password("his own")
    assert not Round.objects.exists()


def test_a_round_of_seconds_goes_on_by_itself_when_its_battles_are_scored(round_: Round) -> None:
    with pytest.raises(Refused, match="Strats are accepted until"):
        scoring.lock_score(**score_of(turns(round_)[-1].battles.order_by("number").reverse()[0]), now=NOW)
    short = make(turn_length=timedelta(seconds=40), fresh=True, now=NOW, say=lambda line: None)
    turn = turns(short)[-1]
    assert turn.number == 4
    public = Viewer(None, short)
    assert (len(open_votes(public, NOW)), closed_votes(public, NOW).count()) == (1, 0)
    when = turn.lock_at + timedelta(seconds=10)  # past the mercenary judge's window (6.3.2)
    assert stages.advance(turn.pk, when) == "moved"
    for battle in turn.battles.all():
        scoring.lock_score(**score_of(battle), now=when)
        publishing.publish_result(battle=battle, judge=score_of(battle)["judge"], narrative="", now=when)
    assert stages.advance(turn.pk, when) == "settled"
    assert turns(short)[-1].number == 5


def score_of(battle: Battle) -> dict[str, Any]:
    judge = Judge.objects.get(round=battle.turn.round, role="battle")
    return {"battle": battle, "judge": judge, "favours": None, "bonus": 0, "reasons": REASONS}


# The votes


def test_one_vote_is_open_with_some_missing_and_one_is_closed_with_a_winner(round_: Round) -> None:
    """1.4, R46."""
    player = Player.objects.select_related("user").get(round=round_, name="Auric Thorn")
    viewer = viewer_of(player.user, round_)
    (opened,) = open_votes(viewer, NOW)
    assert opened.missing
    assert opened.number_voted > len(opened.missing)
    (closed,) = [view_of(row, viewer, NOW) for row in closed_votes(viewer, NOW)]
    assert closed.count is not None
    assert closed.count.winner
    assert closed.row.counted_at is not None


def test_a_table_in_a_strat_of_the_demo_comes_out_as_a_table() -> None:
    shown = [to_html(strat["text"]) for strat in loading.read("history")["strats"]]
    assert any("<table>" in html for html in shown)
    assert not any("| --- |" in html for html in shown)
