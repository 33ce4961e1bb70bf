"""R38: the chain of a round: nobody edits it, or what it holds, unnoticed."""

import json
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from importlib import import_module
from pathlib import Path
from threading import Event, Thread
from time import sleep
from typing import Any
from unittest.mock import patch

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection, transaction
from django.db.models import F
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from judging.appeals.services import lodge
from judging.appeals.subjects import find_subject
from judging.armies.changes.services import drop_change, save_change
from judging.armies.models import ChangeRequest
from judging.armies.musters.validation import MusterText
from judging.battles.assignments.models import StandIn
from judging.battles.assignments.services import name_deputy, state_conflict, state_leave
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.rolling import answer_adjustment, ask_adjustment, roll
from judging.battles.desk.scoring import lock_opinion, lock_score, name_second_judge
from judging.battles.models import Battle, BeaconValue, Claim, RiskRuling, Strat
from judging.battles.rejudging.services import NewJudgement, lock_anew
from judging.battles.strats.services import send_strat
from judging.chain.models import ChainHead, ChainLink
from judging.chain.queries import check_chain, find_head, head_of
from judging.chain.rows import LATER, PATHS, model_of
from judging.chain.services import begin_older
from judging.command.control.powers import permit_namesake
from judging.command.control.requests import AskedControl, IllegalControl, request_control
from judging.command.judges.services import name_judge, offer_lead
from judging.command.models import Admission, ControlRequest
from judging.command.people import absence
from judging.common import locking
from judging.common.positions import position_of
from judging.demo.making import make
from judging.import_export.exporting import Everything, Public, round_file
from judging.import_export.importing import import_round
from judging.mercenaries.models import MercenaryOrder
from judging.penalties.services import hand_down
from judging.turns.done.models import DoneMark, EarlyLock
from judging.turns.done.services import mark_done, take_back
from judging.turns.posts.services import edit_post, submit_post, withdraw_post
from judging.verification.verdicts import present_checks
from tests.editing import OF_LINKS, OF_ROWS, Kind, copied, deleted, rebuilt, sql
from tests.services.changing import ARMIES, DRAGONS
from tests.services.penalties import new_penalty
from tests.services.world_of_tests import HOUR, REASONS, UNLOCK, begin, make_round
from wargame.models import Army, Base, Judge, Player, Round, Turn
from wargame.models.choices import Role
from wargame.models.watched import WatchedRows
from wargame.rules.command.control_list import Wish
from wargame.rules.core import chain
from wargame.rules.core.sides import Rank

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs" / "play" / "verify" / "chain.md"
EDITS = [*OF_ROWS, *OF_LINKS]


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Round]:
    """The demo round; of the open turn's battles one has its result, one is rolled, and somebody was penalised."""
    with django_db_blocker.unblock(), transaction.atomic():
        round = make(turn_length=None, fresh=False, now=timezone.now(), say=lambda line: None)
        turn = Turn.objects.filter(round=round).latest("number")
        judge = Judge.objects.get(round=round, role="battle")
        User.objects.create_user("second")
        named = {"username": "second", "role": Role.BATTLE, "reason": "", "now": timezone.now()}
        second_judge = name_judge(round=round, by=judge, **named)
        first, second, *_ = Battle.objects.filter(turn=turn).order_by("number")
        for battle in (first, second):
            now = battle.deadline + timedelta(hours=1)
            send_missing_strats(battle)
            if battle == second:
                score_by_two(battle, judge, second_judge)
            else:
                lock_score(battle=battle, judge=judge, favours=None, bonus=0, reasons=REASONS, now=now)
            roll(battle=battle, judge=judge, now=now)
            special = {"battle": battle, "kind": "losses", "army": battle.entries.all()[0].name, "percent": 50}
            asked = ask_adjustment(judge=judge, cites="4.2.6", reason="The dam broke.", now=now, **special)
            answer_adjustment(battle=battle, judge=second_judge, request_id=asked.pk, accepted=True, answer="", now=now)
        publish_result(battle=first, judge=judge, narrative="They held.", now=first.deadline + timedelta(hours=1))
        rule_on_a_strat(judge, second_judge, turn)
        ask_of_a_team(turn)
        army = position_of(turn).armies[0]
        player = Player.objects.filter(round=round).earliest("pk")
        new = new_penalty(army.name, player.name)
        hand_down(turn=turn, judge=judge, new=new, token="one", now=turn.opened_at + timedelta(hours=1))
        after = first.deadline + timedelta(hours=2)
        new = NewJudgement(0, 3, "4.2.1", "The strat was misread.", reasons=REASONS)
        lock_anew(battle=Battle.objects.get(pk=first.pk), judge=judge, new=new, token="one", now=after)
        say_of_oneself(judge, second_judge, after)
        offer_lead(round=round, by=judge, judge_id=second_judge.pk, reason="", now=after)
        subject = find_subject(round, "result", str(first.pk), "", after)
        assert subject is not None
        loser = Player.objects.get(pk=min(subject.concerned))
        given = {"cites": "4.2.1", "reason": "We held.", "token": "one", "now": after}
        lodge(round=round, player=loser, subject=subject, **given)
        yield round
        transaction.set_rollback(True)


def send_missing_strats(battle: Battle) -> None:
    for entry in battle.entries.filter(strats__isnull=True, army__faction=""):
        player = Player.objects.filter(controls__army=entry.army, controls__until=None)[0]
        sent: dict[str, Any] = {"risk": "", "runs": False, "leaves": "", "leaves_to": "", "token": "missing"}
        sent |= {"text": "We hold.", "now": battle.deadline - timedelta(hours=1)}
        send_strat(battle=battle, army=entry.army, player=player, **sent)


def score_by_two(battle: Battle, head: Judge, second: Judge) -> None:
    """R55: two judges score a battle far apart, and the head decides over them."""
    now = battle.deadline + timedelta(hours=1)
    given: dict[str, Any] = {"battle": battle, "favours": 0, "reasons": REASONS, "now": now}
    name_second_judge(battle=battle, judge=head, second=second, now=now)
    for judge, bonus in ((head, 9), (second, 1)):
        lock_opinion(judge=judge, bonus=bonus, **given)
    lock_score(judge=head, bonus=5, decision="It lies between.", **given)


def say_of_oneself(head: Judge, second: Judge, now: datetime) -> None:
    """R56, R59: a conflict, a leave and a deputy."""
    state_conflict(judge=second, about="faction", name="red", why="A friend.", now=now)
    name_deputy(judge=head, deputy=second, now=now)
    state_leave(judge=second, since=now + timedelta(days=30), until=None, note="", now=now)


def ask_of_a_team(turn: Turn) -> None:
    """1.1, 5.2.1, R60: somebody wants to play, another team's list is to be changed, and a player is done."""
    player, at = Player.objects.filter(round=turn.round).latest("pk"), turn.opened_at + timedelta(hours=1)
    by = {"round": turn.round, "side": player.side, "asked_at": at, "token": "one"}
    with locking.transaction():
        Admission.objects.create(user=User.objects.create_user("late"), name="Late", text="May I?", **by)
        ControlRequest.objects.create(player=player, changes=[], state=ControlRequest.State.WAITING, **by)
        DoneMark.objects.create(turn=turn, player=player, at=at)


def rule_on_a_strat(head: Judge, second: Judge, turn: Turn) -> None:
    """4.1.2, 4.3: a claim and a kill of a battle before; R38: a beacon's value; R59: who stands in for the head;
    R48: a mercenary's order; R60: a lock that was brought forward, and put back."""
    strat = Strat.objects.filter(entry__battle__turn__number=turn.number - 1).earliest("pk")
    at = turn.opened_at + timedelta(hours=1)
    given = {"judge": head, "cites": "4.1.2", "made_at": at}
    with locking.transaction():
        Claim.objects.create(strat=strat, claim="They fly.", verdict="accepted", note="So they do.", **given)
        RiskRuling.objects.create(strat=strat, target="", is_void=True, reason="It names nobody.", **given)
        BeaconValue.objects.create(battle=strat.entry.battle, number=7, signature="ab" * 48, got_at=at)
        StandIn.objects.create(round=turn.round, head=head, judge=second, cause="leave", since=at, until=at)
        before = {"lock_before": turn.lock_at, "deadline_before": turn.deadline, "ended_at": at}
        ordered = {"by": "Toll Keeper", "kind": "guideline", "army": "Red Rag Reavers", "token": "one"}
        MercenaryOrder.objects.create(turn=turn, judge=head, made_at=at, **ordered)
        EarlyLock.objects.create(turn=turn, judge=head, announced_at=at, lock_at=turn.deadline, **before)


@pytest.fixture
def demo(made: Round, db: None) -> Round:
    return Round.objects.get(pk=made.pk)


def verdict(round: Round) -> list[str]:
    """All that `verify` says of the chain and of what is open."""
    found = [check.wrong for check in present_checks(round) if not check.is_same]
    return [*found, *check_chain(round).sentences]


def test_what_writers_wrote_verifies_as_the_same(demo: Round) -> None:
    held = check_chain(demo)
    assert verdict(demo) == []
    assert held.links > held.rows > 490


@pytest.mark.parametrize("kind", EDITS, ids=[kind.name for kind in EDITS])
def test_an_edit_past_the_writers_is_found(demo: Round, kind: Kind) -> None:
    with transaction.atomic():
        kind.edit()
        said = verdict(demo)
        transaction.set_rollback(True)
    found = next((each for each in said if kind.says in each), "")
    print(f"| {kind.name} | {found} |")  # `pytest -s` makes a table of it
    assert found, said


@pytest.mark.parametrize("kind", [kind for kind in PATHS if kind not in ("round", "turn")])
def test_of_each_kind_of_row_one_that_is_deleted_is_missed(demo: Round, kind: str) -> None:
    """Whatever is chained by a table to come is edited here, too."""
    with transaction.atomic():
        deleted(kind)()
        said = check_chain(demo).sentences
        transaction.set_rollback(True)
    assert any("was deleted" in each for each in said), said


def test_a_chain_that_is_written_again_has_other_heads_than_those_that_were_kept(demo: Round) -> None:
    now = timezone.now() + timedelta(minutes=1)
    kept, change = str(head_of(demo, now)), "UPDATE judging_result SET narrative = 'x'"
    assert find_head(demo, f"I kept {kept}.").number
    assert find_head(demo, f"At the foot stands {kept[:30]}…").number
    rebuilt(demo, sql(change))()
    assert verdict(demo) == []
    found = find_head(demo, kept)
    assert found.is_readable
    assert found.number is None
    assert found.of is None


def test_a_head_is_looked_for_among_the_links_before_its_minute_alone(demo: Round) -> None:
    """Newest first and so many: it is asked for by anybody."""
    now = timezone.now() + timedelta(minutes=1)
    kept = str(head_of(demo, now))
    with (
        patch("judging.chain.queries.LOOKED_THROUGH", 1),
        patch.object(chain, "head_at", wraps=chain.head_at) as hashed,
    ):
        assert find_head(demo, kept).number
        assert find_head(demo, f"{kept[:17]} {'0' * 64}").number is None
        assert find_head(demo, f"2020-01-01T00:00Z {'0' * 64}").number is None
    assert hashed.call_count <= 3 * (1 + Round.objects.count())


def test_a_head_of_another_round_is_told_as_such_and_what_is_no_head_too(demo: Round) -> None:
    kept = str(head_of(demo, timezone.now()))
    other = begin(make_round({"Ana": ("coalition", "3D", "captain")})).round
    assert find_head(other, kept).of == demo
    assert not find_head(other, "the head").is_readable


def test_the_head_changes_each_minute_and_never_within_one(demo: Round) -> None:
    """R6: so that nobody learns from it that something secret was written."""
    now = timezone.now().replace(second=1) + timedelta(minutes=5)
    before = head_of(demo, now)
    assert head_of(demo, now + timedelta(minutes=1)) != before
    with time_machine.travel(now, tick=False):
        turn, player = (
            Turn.objects.filter(round=demo).latest("number"),
            Player.objects.filter(round=demo).earliest("pk"),
        )
        submit_post(turn=turn, player=player, text="Hello.", sealed=False, token="x", now=turn.opened_at)
    cache.clear()
    assert head_of(demo, now + timedelta(seconds=50)) == before


def test_a_file_of_the_round_takes_its_chain_along(demo: Round) -> None:
    data, links = b"".join(round_file(Everything(demo))), check_chain(demo).links
    copy = import_round(data, slug="copy", play=True).round
    assert verdict(copy) == []
    assert check_chain(copy).links == links
    assert find_head(copy, str(head_of(demo, timezone.now()))).number
    world = Turn.objects.filter(round=copy).latest("number")
    player = Player.objects.filter(round=copy).earliest("pk")
    submit_post(turn=world, player=player, text="Hello.", sealed=False, token="x", now=world.opened_at)
    assert verdict(copy) == []
    assert check_chain(copy).links == links + 2


def test_an_archive_of_what_is_public_is_held_against_what_is_public_of_the_chain(demo: Round) -> None:
    data = b"".join(round_file(Public(demo, timezone.now())))
    copy = import_round(data, slug="copy").round
    held = check_chain(copy)
    assert held.wrong == ()
    assert 0 < held.unchecked < held.rows
    assert check_chain(demo).unchecked == 0
    assert 100 < held.links < check_chain(demo).links
    sql("UPDATE wargame_player SET name = name || 'x'")()
    assert any("A player recorded in link" in each for each in check_chain(copy).sentences)


def test_a_stranger_recomputes_the_chain_of_a_public_file_with_the_lines_of_the_docs(demo: Round) -> None:
    lines = re.search(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    assert lines
    stranger: dict[str, Any] = {"__name__": "stranger"}
    exec(lines[1], stranger)
    file = json.loads(b"".join(round_file(Public(demo, timezone.now()))))
    assert stranger["check"](file) == []
    assert sum(1 for link in file["tables"]["chainlink"] if link["opened"]) > 100
    file["tables"]["player"][0]["name"] += "x"
    (wrong,) = stranger["check"](file)
    assert wrong.startswith("the player of link")


def test_the_public_links_tell_nothing_of_rows_that_are_secret(demo: Round) -> None:
    """R6: not of which kind they are, nor how many the open turn has."""
    file = json.loads(b"".join(round_file(Public(demo, timezone.now()))))
    links = file["tables"]["chainlink"]
    first = ChainLink.objects.get(kind="turn", key=Turn.objects.get(round=demo, number=4).pk, number=F("row"))
    assert links[-1]["number"] == first.number - 1
    secret = [link for link in links if not link["kind"]]
    assert secret
    assert {(link["row"], link["key"], link["opened"]) for link in secret} == {(None, None, None)}
    assert ChainHead.objects.get(round=demo).secret not in json.dumps(file)


def test_whoever_writes_a_row_of_the_chain_many_at_a_time_is_seen() -> None:
    """By the manager, or by the one statement past Django, which tells of it itself (`judging/turns/battles.py`)."""
    for kind in PATHS:
        managers = [manager.get_queryset() for manager in model_of(kind)._meta.managers]
        assert all(isinstance(rows, WatchedRows) for rows in managers), kind
    tables = {model_of(kind)._meta.db_table for kind in PATHS}
    past = {
        (table, file.name)
        for file in [*ROOT.glob("judging/**/*.py"), *ROOT.glob("wargame/**/*.py")]
        if "migrations" not in file.parts
        for table in re.findall(r"(?:INSERT INTO|UPDATE|DELETE FROM)\s+\"?(\w+)", file.read_text(encoding="utf-8"))
        if table in tables
    }
    assert past == {("judging_battle", "battles.py"), ("judging_battlearmy", "battles.py")}


@pytest.mark.django_db
def test_a_round_that_is_played_has_a_link_for_each_row_that_writers_write() -> None:
    """Open and sealed posts, edits, strats, scores, results, settlements with battles of their own."""
    world = begin(make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "3F", "evincar")}))
    post = world.post("Ana", "3D > 3E")
    edit_post(post=post, player=world.players["Ana"], text="3D > 3F; engage Gaz", base_version=1, now=UNLOCK + 2 * HOUR)
    world.settle()
    battle = Battle.objects.get(turn=world.turn)
    world.strat(battle, "Ana", "Ana")
    world.strat(battle, "Gaz", "Gaz")
    world.score(battle, favours=0, bonus=3)
    world.settle()
    assert verdict(world.round) == []
    kinds = set(ChainLink.objects.values_list("kind", flat=True))
    assert {"post", "postversion", "battle", "battlearmy", "strat", "score", "result", "notice", "logentry"} <= kinds


@pytest.mark.django_db
def test_what_was_changed_past_the_writers_is_not_made_good_by_the_next_writer() -> None:
    world = begin(make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "3F", "evincar")}))
    post = world.post("Ana", "3D > 3E")
    opened = f"(SELECT opened_at FROM wargame_turn WHERE id = {world.turn.pk})"
    sql(f"UPDATE judging_post SET posted_at = {opened} WHERE id = {post.pk}")()
    sql(f"UPDATE wargame_turn SET deadline = opened_at WHERE id = {world.turn.pk}")()
    withdraw_post(post=post, player=world.players["Ana"], now=UNLOCK + 2 * HOUR)
    world.settle()
    said = verdict(world.round)
    assert [each.split(" recorded in ")[0] for each in said] == ["A turn", "A post"]


@pytest.mark.django_db
def test_the_chain_of_an_older_version_takes_up_the_kinds_that_it_lacks_once() -> None:
    """Also where it knows a row already because another one refers to it, as an appeal does to a vote."""
    older = {kind: path for kind, path in PATHS.items() if kind not in LATER}
    with patch("judging.chain.services.PATHS", older):
        world = begin(make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "3F", "evincar")}))
        given = {"player": world.players["Ana"], "note": "", "now": UNLOCK + HOUR}
        absence.state_leave(since=UNLOCK + HOUR, until=None, **given)
    assert verdict(world.round) == ["A leave was added without a link"]
    file = b"".join(round_file(Everything(world.round)))
    assert verdict(import_round(file, slug="copy", play=True).round) == []
    archive = import_round(file, slug="archive").round
    assert (check_chain(archive).wrong, check_chain(archive).unchecked) == ((), 1)
    import_module("judging.migrations.0038_more_links").name_kinds(apps, None)
    begin_older(using="default")
    assert verdict(world.round) == []
    of_round = f"player_id = {world.players['Ana'].pk}"
    sql(f"UPDATE judging_leave SET note = 'x' WHERE {of_round}")()
    copied("judging_leave", of_round)()
    begin_older(using="default")
    said = verdict(world.round)
    assert [each.split(" recorded in ")[0] for each in said] == ["A leave", "A leave was added without a link"]


@pytest.mark.django_db
def test_what_the_log_says_of_a_refusal_is_a_link_too() -> None:
    """5.2.1: an illegal request is undone, and recorded nevertheless."""
    world = begin(make_round({"Ana": ("coalition", "3D", "captain"), "Bo": ("coalition", "3F", "captain")}))
    Player.objects.filter(name="Ana").update(may_change_control=True)
    seen, asked = {"Bo": ("Bo",)}, (Wish("Bo", ("Nobody",)),)
    with pytest.raises(IllegalControl):
        request_control(
            round=world.round, player=Player.objects.get(name="Ana"), asked=AskedControl(asked, "one", seen), now=UNLOCK
        )
    assert not any("log entry" in each for each in verdict(world.round))


@pytest.mark.django_db
def test_a_mark_or_a_leave_that_is_taken_back_is_gone_from_the_chain_too() -> None:
    """5.1, R60."""
    world = begin(make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "3F", "evincar")}))
    player, now = world.players["Ana"], UNLOCK + HOUR
    mark_done(turn=world.turn, player=player, now=now)
    leave = absence.state_leave(player=player, since=now + HOUR, until=None, note="", now=now)
    assert verdict(world.round) == []
    take_back(turn=world.turn, player=player, now=now)
    absence.end_leave(leave=leave, player=player, now=now)
    assert verdict(world.round) == []
    assert set(ChainLink.objects.filter(is_gone=True).values_list("kind", flat=True)) == {"donemark", "leave"}


@pytest.mark.django_db
def test_a_request_that_is_dropped_again_is_gone_from_the_chain_too() -> None:
    """2.3.2: nobody tampered with a draft that its writer took away."""
    world = make_round(ARMIES)
    Base.objects.create(round=world.round, name="Red Base", at="3D", side="coalition", color="red")
    Army.objects.filter(round=world.round, name="Ana").update(days=2)
    begin(world)
    army, ana, now = world.army("Ana"), world.players["Ana"], world.turn.opened_at + HOUR
    typed = MusterText(rank=Rank(army.rank), lists=DRAGONS, name=army.name, colors=tuple(army.colors))
    asked = {"round": world.round, "army": "Ana", "kind": ChangeRequest.Kind.CHANGE, "player": ana}
    request = save_change(**asked, typed=typed, base_version=0, now=now)
    assert verdict(world.round) == []
    drop_change(request=request, player=ana, now=now)
    assert verdict(world.round) == []
    assert ChainLink.objects.filter(kind="changerequest", is_gone=True).count() == 1


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
def test_a_change_that_waited_for_another_of_the_same_row_is_a_link() -> None:
    """The second writer reads the row as it was before the first one, and changes it after him."""
    world = begin(make_round({"Ana": ("coalition", "3D", "captain")}))
    ana, has_written, errors = world.players["Ana"], Event(), []

    @locking.writes
    def first() -> None:
        Player.objects.filter(pk=ana.pk).update(may_change_control=not ana.may_change_control)
        has_written.set()
        sleep(0.5)  # meanwhile the second one has read, and waits

    def work() -> None:
        try:
            first()
        except Exception as error:
            errors.append(error)
        finally:
            connection.close()

    thread = Thread(target=work)
    thread.start()
    has_written.wait(10)
    permit_namesake(player=ana, permits=not ana.permits_namesake, now=UNLOCK + HOUR)
    thread.join()
    assert errors == []
    assert verdict(world.round) == []
    permit_namesake(player=ana, permits=ana.permits_namesake, now=UNLOCK + 2 * HOUR)
    assert verdict(world.round) == []


def test_a_link_or_a_head_that_cannot_be_read_is_wrong_and_no_error(demo: Round) -> None:
    for bent in (["x"], {"salts": {"text": 1}}, {"sealed": None}, 7):
        ChainLink.objects.filter(round=demo, number__lte=2).update(opened=bent)
        said = check_chain(demo).sentences
        assert "The data of link 1 can't be read" in said
        assert "The data of link 2 can't be read" in said
    for bent in (["x"], {"post": 1}, {"post": [[1]]}, {"post": [["x", 1]]}):
        ChainHead.objects.filter(round=demo).update(forms=bent)
        assert "The latest hash's list of sealed fields can't be read" in check_chain(demo).sentences
