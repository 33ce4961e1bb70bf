"""R57: appeals: who may lodge one, who is drawn to answer, what an answer does, and what becomes of a silent judge."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from judging.announcements.models import Notice
from judging.appeals.models import Appeal
from judging.appeals.queries import answerer_of, appeals_page, rows_for, subject_for
from judging.appeals.services import answer, hold_up, lodge, pass_on, take_back
from judging.appeals.subjects import Subject, find_subject
from judging.battles.assignments.models import Decision
from judging.battles.models import AdjustmentRequest, Battle, Opinion, Result, Score
from judging.battles.rejudging.models import Rejudgement
from judging.battles.rejudging.queries import public_anew
from judging.battles.rejudging.services import apply_anew, lock_anew
from judging.chain.queries import check_chain
from judging.command.models import Admission
from judging.command.people.admission import accept_admission, ask_admission, refuse_admission
from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import Viewer
from judging.log.actions import ACTS
from judging.notifications.from_log import news_of_log
from judging.penalties.services import hand_down, lift
from judging.people.services import bar, unbar
from judging.turns.models import Correction
from judging.turns.stages import _claim, advance, due_turns
from judging.verification.checks import verify_round
from tests.services.penalties import new_penalty
from tests.services.test_exactly_once import at_once
from tests.services.test_judging_anew import TEN, new
from tests.services.world_of_tests import HOUR, World, add_judge, token
from wargame.models import Judge, Turn
from wargame.rules.command.appeals import drawn_judge
from wargame.rules.core.dice import turn_dice

pytestmark = pytest.mark.django_db

REASON = "Our strat says that we hold the reeds, and the narrative has us charge."


@pytest.fixture
def bench(war: World) -> World:
    """Ana has lost against Gaz; three assistants could answer an appeal against it."""
    battle = Battle.objects.get()
    war.strat(battle, "Ana", "Ana", "Through the reeds.")
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    war.score(battle, favours=1, bonus=TEN)
    for name in ("Judge Dee", "Judge Holden", "Judge Roy"):
        with locking.transaction():
            user = User.objects.create_user(name.replace(" ", "-"))
            given = {"round": war.round, "user": user, "name": name, "role": "battle", "is_head": False}
            war.judges[name] = Judge.objects.create(**given)
    return war


def published(world: World) -> datetime:
    return Result.objects.get().published_at


def subject(world: World, kind: str = "result", about: object = None, at: datetime | None = None) -> Subject:
    key = Battle.objects.earliest("pk").pk if about is None else about
    found = find_subject(world.round, kind, str(key), "", at or published(world) + HOUR)
    assert found is not None
    return found


def appeal(world: World, by: str = "Ana", at: datetime | None = None, of: Subject | None = None, **more: str) -> Appeal:
    given = {"cites": "4.2.1", "reason": REASON, "token": token(), **more}
    when = at or published(world) + HOUR
    world.round.refresh_from_db()
    return lodge(round=world.round, player=world.players[by], subject=of or subject(world), now=when, **given)


def answered(row: Appeal, how: str = "upheld", at: datetime | None = None) -> Appeal:
    row.refresh_from_db()
    return answer(
        appeal=row, judge=row.judge, how=how, cites="4.2.1", text="It says so.", now=at or row.lodged_at + HOUR
    )


def test_the_judge_is_drawn_from_the_turns_seed_among_the_others_and_everybody_can_check_it(bench: World) -> None:
    row = appeal(bench)
    assert row.against == bench.judges["battle"]
    [draw] = row.draws
    assert draw["among"] == ["Judge Dee", "Judge Holden", "Judge Roy"]
    assert draw["name"] == "appeal 1 judge 1"
    turn = bench.turn
    dice = turn_dice(bytes.fromhex(turn.seed), bench.round.dice_name, turn.number)
    assert row.judge is not None
    assert row.judge.name == draw["drew"] == drawn_judge(draw["among"], dice, 1, 1)
    assert check_chain(bench.round).is_same
    assert LogEntry.objects.get(action="appeal.lodged").data["judge"] == draw["drew"]


def test_the_head_answers_where_there_is_nobody_else(bench: World) -> None:
    Judge.objects.filter(is_head=False).delete()
    row = appeal(bench)
    assert row.judge == bench.judges["battle"]


def test_a_judge_who_plays_is_not_drawn(bench: World) -> None:
    for name in ("Judge Dee", "Judge Holden"):
        player = bench.players["Hex" if name == "Judge Dee" else "Ben"]
        Judge.objects.filter(name=name).update(user=player.user)
    assert appeal(bench).draws[0]["among"] == ["Judge Roy"]


@pytest.mark.parametrize(
    ("by", "after", "more", "says"),
    [
        ("Ben", HOUR, {}, "concern you"),
        ("Ana", timedelta(hours=73), {}, "Appeals against this decision closed on"),
        ("Ana", HOUR, {"cites": "77.1"}, "The rulebook has no rule “77.1”"),
        ("Ana", HOUR, {"cites": " "}, "Name the rule"),
        ("Ana", HOUR, {"reason": " \n"}, "The reason is empty"),
        ("Ana", HOUR, {"reason": "\0"}, "that isn't text"),
    ],
)
def test_an_appeal_that_can_not_be_is_refused(
    bench: World, by: str, after: timedelta, more: dict[str, str], says: str
) -> None:
    with pytest.raises(Refused, match=says) as refused:
        appeal(bench, by, published(bench) + after, **more)
    assert refused.value.cites == "R57"
    assert not Appeal.objects.exists()


def test_once_each_and_two_open_ones_at_most_and_the_same_form_makes_one(bench: World) -> None:
    first = appeal(bench, token="one")
    assert appeal(bench, token="one") == first
    with pytest.raises(Refused, match="You have already appealed against this decision"):
        appeal(bench)
    made = [penalised(bench, "Ana") for _ in range(2)]
    appeal(bench, of=subject(bench, "penalty", made[0]))
    with pytest.raises(Refused, match="You have 2 open appeals; the limit is 2"):
        appeal(bench, of=subject(bench, "penalty", made[1]))
    take_back(appeal=first, user=bench.players["Ana"].user_id, now=first.lodged_at + HOUR)
    appeal(bench, of=subject(bench, "penalty", made[1]))
    with pytest.raises(Refused, match="You have already appealed against this decision"):
        appeal(bench)


def test_a_round_may_have_no_appeals(bench: World) -> None:
    bench.round.most_appeals = 0
    bench.round.save()
    with pytest.raises(Refused, match="This round has no appeals"):
        appeal(bench)


def penalised(world: World, player: str) -> int:
    given = new_penalty("Ana", player, kind="reprimand")
    judge = world.judges["battle"]
    return hand_down(turn=world.turn, judge=judge, new=given, token=token(), now=published(world)).pk


def test_nothing_can_be_contested_before_it_is_public(war: World) -> None:
    battle = Battle.objects.get()
    assert find_subject(war.round, "result", str(battle.pk), "", battle.deadline + HOUR) is None
    nothing = {"result": "x", "ruling": "99", "refusal": "2", "vote": "1", "sanction": "zz", "penalty": "0", "?": "1"}
    for kind, about in nothing.items():
        assert find_subject(war.round, kind, about, "Ana", battle.deadline) is None


def test_only_who_was_drawn_answers_and_once(bench: World) -> None:
    row = appeal(bench)
    with pytest.raises(Refused, match="Only Judge .* can answer"):
        answer(appeal=row, judge=bench.judges["battle"], how="upheld", cites="4.2.1", text="No.", now=row.due_at)
    assert answered(row).state == "upheld"
    assert answered(row).state == "upheld"
    with pytest.raises(Refused, match="This appeal was closed at"):
        answered(row, "mended")
    with pytest.raises(Refused, match="This appeal was closed at"):
        take_back(appeal=row, user=bench.players["Ana"].user_id, now=row.due_at)
    assert Appeal.objects.get().answer == "It says so."


def test_it_is_judged_anew_by_who_answers_and_by_nobody_else(bench: World) -> None:
    row = appeal(bench)
    assert row.judge is not None
    battle, when = Battle.objects.get(), row.lodged_at + HOUR
    with pytest.raises(Refused, match="hasn't been judged again since"):
        answered(row, "anew")
    with pytest.raises(Refused, match=f"Only {row.judge.name}, who answers an appeal"):
        lock_anew(battle=battle, judge=bench.judges["battle"], new=new(), token=token(), now=when)
    made = lock_anew(battle=battle, judge=row.judge, new=new(), token="one", now=when)
    assert (made.state, made.decided_by) == ("applied", row.judge)
    assert lock_anew(battle=battle, judge=row.judge, new=new(), token="one", now=when) == made
    with pytest.raises(Refused, match="There is no second try"):
        lock_anew(battle=battle, judge=row.judge, new=new(1, 3), token=token(), now=when)
    assert answered(row, "anew", when + HOUR).rejudgement == made
    assert Result.objects.get().winner == 0
    assert check_chain(bench.round).is_same
    assert bench.settle() == "settled"
    assert all(not verdict.differences for verdict in verify_round(bench.round))


def test_the_head_who_answers_an_appeal_against_himself_needs_a_second_judge(bench: World) -> None:
    """R53, R57: nobody else could answer; whoever could agree knows the battle by then, too."""
    Judge.objects.filter(name__in=("Judge Dee", "Judge Holden")).delete()
    roy, head = bench.judges["Judge Roy"], bench.judges["battle"]
    Score.objects.update(judge=roy)
    row = appeal(bench)
    assert row.judge == head
    battle, when = Battle.objects.get(), row.lodged_at + HOUR
    made = lock_anew(battle=battle, judge=head, new=new(), token=token(), now=when)
    with pytest.raises(Refused, match="another battle judge must agree") as refused:
        apply_anew(rejudgement=made, judge=head, now=when)
    assert refused.value.cites == "R53"
    apply_anew(rejudgement=made, judge=roy, now=when)
    assert answered(row, "anew", when + HOUR).rejudgement == made


def test_what_the_head_worked_out_before_an_appeal_is_not_put_through_beside_it(bench: World) -> None:
    """R57: who answers decides about the result, and nobody else."""
    battle, head, when = Battle.objects.get(), bench.judges["battle"], published(bench) + HOUR / 2
    made = lock_anew(battle=battle, judge=head, new=new(), token=token(), now=when)
    row = appeal(bench)
    assert row.judge is not None
    others = [judge for name, judge in bench.judges.items() if name.startswith("Judge ") and judge != row.judge]
    with pytest.raises(Refused, match="another battle judge must agree"):
        apply_anew(rejudgement=made, judge=head, now=row.lodged_at + HOUR)
    for judge in others:
        with pytest.raises(Refused, match=f"{row.judge.name} is answering an appeal"):
            apply_anew(rejudgement=made, judge=judge, now=row.lodged_at + HOUR)
    assert apply_anew(rejudgement=made, judge=row.judge, now=row.lodged_at + HOUR).state == "applied"


def test_the_judge_who_answers_does_not_wait_for_what_the_head_locked_before(bench: World) -> None:
    battle, head = Battle.objects.get(), bench.judges["battle"]
    waiting = lock_anew(battle=battle, judge=head, new=new(0, 3), token=token(), now=published(bench) + HOUR / 2)
    row = appeal(bench)
    assert row.judge is not None
    lock_anew(battle=battle, judge=row.judge, new=new(), token=token(), now=row.lodged_at + HOUR)
    waiting.refresh_from_db()
    assert (waiting.state, Score.objects.get().bonus) == ("dropped", TEN)


def test_mended_is_only_what_was_mended(bench: World) -> None:
    key = penalised(bench, "Ana")
    row = appeal(bench, of=subject(bench, "penalty", key))
    with pytest.raises(Refused, match="Lift the penalty first"):
        answered(row, "mended")
    lift(penalty=row.penalty, judge=row.judge, reason="Too hard.", now=row.lodged_at + HOUR)  # type: ignore[arg-type]
    assert answered(row, "mended").state == "mended"


def test_a_silent_judge_loses_it_to_the_next_until_the_head_has_it(bench: World) -> None:
    row = appeal(bench)
    had = [row.judge.name if row.judge else ""]
    assert pass_on(row.due_at - timedelta(seconds=1)) == 0
    for _ in range(3):
        assert pass_on(row.due_at) == 1
        assert pass_on(row.due_at) == 0
        row.refresh_from_db()
        had.append(row.judge.name if row.judge else "")
    assert sorted(had) == ["Judge Dee", "Judge Holden", "Judge Roy", "Judge battle"]
    assert had[-1] == "Judge battle"
    assert [draw["name"] for draw in row.draws] == [f"appeal 1 judge {number}" for number in (1, 2, 3, 4)]
    assert LogEntry.objects.filter(action="appeal.passed_on").count() == 3


PARTS = {
    "scored with another": lambda battle, judge: Opinion.objects.create(
        battle=battle, judge=judge, bonus=0, locked_at=battle.deadline
    ),
    "decided between two": lambda battle, judge: Decision.objects.create(
        battle=battle, judge=judge, made_at=battle.deadline
    ),
    "agreed to a change after the dice": lambda battle, judge: AdjustmentRequest.objects.create(
        battle=battle, judge=battle.result.judge, kind="losses", army="Ana", percent=50, cites="4.2.6", reason="So.",
        asked_at=battle.deadline, answered_by=judge, answered_at=battle.deadline, accepted=True,
    ),
    "did not agree to one": lambda battle, judge: AdjustmentRequest.objects.create(
        battle=battle, judge=battle.result.judge, kind="losses", army="Ana", percent=50, cites="4.2.6", reason="So.",
        asked_at=battle.deadline, answered_by=judge, answered_at=battle.deadline, accepted=False,
    ),
    "was overruled": lambda battle, judge: Score.objects.update(overruled=[{"judge": judge.name}]),
    "agreed to judging it again": lambda battle, judge: Rejudgement.objects.create(
        battle=battle, judge=battle.result.judge, cites="4.2.1", reason="So.", score_before={}, token="x",
        outcome=battle.result.outcome, outcome_before=battle.result.outcome, made_at=battle.deadline,
        state="applied", decided_at=battle.deadline + 2 * HOUR, decided_by=judge,
    ),
}  # fmt: skip


@pytest.mark.parametrize("part", PARTS)
def test_whoever_had_a_part_in_a_result_never_answers(bench: World, part: str) -> None:
    with locking.transaction():
        PARTS[part](Battle.objects.get(), bench.judges["Judge Dee"])
    assert appeal(bench).draws[0]["among"] == ["Judge Holden", "Judge Roy"]


def test_a_battle_judge_answers_whatever_it_is_against(bench: World) -> None:
    """3.3.3: only the battle judge can overrule the movement judge."""
    with locking.transaction():
        add_judge(bench.round, "movement", "Judge Mo", is_head=False)
    row = appeal(bench, of=subject(bench, "penalty", penalised(bench, "Ana")))
    assert row.draws[0]["among"] == ["Judge Dee", "Judge Holden", "Judge Roy"]
    Appeal.objects.update(judge=bench.judges["movement"])  # as an older service drew it
    assert pass_on(row.lodged_at + HOUR) == 1
    row.refresh_from_db()
    assert row.judge is not None
    assert row.judge.role == "battle"


def test_a_head_who_was_a_party_answers_until_somebody_independent_is_there(bench: World) -> None:
    with locking.transaction():
        Judge.objects.filter(is_head=False).delete()
        players = bench.players["Ana"].user, bench.players["Gaz"].user
    ana = bench.players["Ana"].user_id
    found = answerer_of(bench.round, subject(bench), ana)
    assert (found.can, found.head, found.is_party) == (False, "Judge battle", True)
    row = appeal(bench)
    assert (row.judge, row.is_party) == (bench.judges["battle"], True)
    assert pass_on(row.lodged_at + HOUR) == 0
    with locking.transaction():
        late = add_judge(bench.round, "battle", "Judge Late", is_head=False)
    assert answerer_of(bench.round, subject(bench), ana).can
    when = row.lodged_at + 2 * HOUR
    assert [pass_on(when), pass_on(when)] == [1, 0]
    row.refresh_from_db()
    assert (row.judge, row.is_party, len(row.draws)) == (late, False, 2)
    entry = LogEntry.objects.get(action="appeal.passed_on")
    assert ACTS[entry.action].sentence(entry.data) == (
        "passed appeal 1 on from Judge battle to Judge Late, who had no part in the decision"
    )
    told = {(news.user_id, news.kind) for news in news_of_log([entry], when)}
    everybody = {(user.pk, "appeal.passed_on") for user in (*players, bench.judges["battle"].user)}
    assert told == everybody | {(late.user_id, "judge.appeal")}


@pytest.mark.django_db(transaction=True)
def test_an_appeal_is_taken_over_once_by_two_sweeps_at_once(bench: World) -> None:
    assistants = Judge.everybody.filter(round=bench.round, role="battle", is_head=False)
    with locking.transaction():
        assistants.update(dismissed_at=published(bench))
    row = appeal(bench)
    assert row.is_party
    with locking.transaction():
        assistants.update(dismissed_at=None)
    when = row.lodged_at + HOUR
    assert sorted(map(str, at_once(lambda: pass_on(when), lambda: pass_on(when)))) == ["0", "1"]
    assert len(Appeal.objects.get().draws) == 2


def judged_again(world: World, row: Appeal, favours: int, bonus: int, at: datetime) -> datetime:
    """The judge who answers judges the battle again and says so; when that was."""
    assert row.judge is not None
    battle = Battle.objects.get(pk=row.battle_id)
    lock_anew(battle=battle, judge=row.judge, new=new(favours, bonus), token=token(), now=at)
    answered(row, "anew", at)
    return at


def test_three_appeals_go_through_three_judges_and_the_round_stays_sound(bench: World) -> None:
    """R57, R58: each decision is contested once, by whom it hits, and answered by somebody who had no part in any."""
    at, had = published(bench) + HOUR, [Score.objects.get().judge]
    for by, favours, bonus in (("Ana", 0, TEN), ("Gaz", 1, TEN), ("Ana", 0, 9)):
        row = appeal(bench, by, at, of=subject(bench, at=at))
        assert row.judge is not None
        assert not row.is_party
        assert row.judge not in had
        had.append(row.judge)
        with pytest.raises(Refused, match="You have already appealed against this decision"):
            appeal(bench, by, at, of=subject(bench, at=at))
        at = judged_again(bench, row, favours, bonus, at + HOUR) + HOUR
        assert (Result.objects.get().winner, Score.objects.get().judge) == (favours, row.judge)
    assert [row.decision for row in Appeal.objects.order_by("number")] == [0, 1, 2]
    assert len(public_anew(Battle.objects.get().pk)) == 3
    last = appeal(bench, "Gaz", at, of=subject(bench, at=at))
    assert (last.judge, last.is_party) == (bench.judges["battle"], True)
    waiting = lock_anew(battle=Battle.objects.get(), judge=had[0], new=new(1, 2), token=token(), now=at + HOUR)
    assert waiting.state == "proposed"
    assert answered(last, "upheld", at + HOUR).state == "upheld"
    assert check_chain(bench.round).is_same
    assert bench.settle() == "settled"
    assert all(not verdict.differences for verdict in verify_round(bench.round))


def test_the_head_overrules_an_assistants_answer_in_public(bench: World) -> None:
    """1.3."""
    row = appeal(bench)
    first = answered(row).judge
    head, when = bench.judges["battle"], row.lodged_at + 3 * HOUR
    other = next(bench.judges[name] for name in ("Judge Dee", "Judge Roy") if bench.judges[name] != first)
    given = {"appeal": row, "cites": "1.3", "text": "The strat says otherwise.", "now": when}
    with pytest.raises(Refused, match="hasn't been judged again since"):
        answer(judge=head, how="anew", **given)
    with pytest.raises(Refused, match="Only Judge .* can answer"):
        answer(judge=other, how="anew", **given)
    made = lock_anew(battle=Battle.objects.get(), judge=head, new=new(), token=token(), now=when)
    apply_anew(rejudgement=made, judge=other, now=when)
    done = answer(judge=head, how="anew", **given)
    assert answer(judge=head, how="anew", **given) == done
    assert (done.judge, done.state, done.is_party, done.rejudgement) == (head, "anew", True, made)
    assert [(one["judge"], one["how"], one["text"]) for one in done.overruled] == [
        (first.name if first else "", "upheld", "It says so.")
    ]
    [entry] = LogEntry.objects.filter(action="appeal.overruled")
    assert first is not None
    assert first.user_id in {news.user_id for news in news_of_log([entry], when)}


def test_an_answer_that_changed_something_is_overruled_by_changing_it_once_more(bench: World) -> None:
    """1.3, R58."""
    row = appeal(bench)
    first, at = row.judge, judged_again(bench, row, 0, TEN, row.lodged_at + HOUR) + HOUR
    head, battle = bench.judges["battle"], Battle.objects.get()
    other = next(judge for judge in Judge.objects.filter(role="battle", is_head=False) if judge != first)
    given = {"judge": head, "cites": "1.3", "text": "It was right.", "now": at + HOUR}
    row.refresh_from_db()
    with pytest.raises(Refused, match="judge the battle again first"):
        answer(appeal=row, how="upheld", **given)
    with pytest.raises(Refused, match="judged again since"):
        answer(appeal=row, how="anew", **given)
    made = lock_anew(battle=battle, judge=head, new=new(1, 9), token=token(), now=at)
    apply_anew(rejudgement=made, judge=other, now=at)
    done = answer(appeal=row, how="anew", **given)
    assert (done.judge, done.rejudgement, len(done.overruled)) == (head, made, 1)
    with locking.transaction():
        correction = Correction.objects.create(
            turn=battle.turn, judge=head, token="x", made_at=at, state="applied", decided_at=at, decided_by=head,
            position={}, old_position={}, events=[], old_events=[], next_hash="", old_hash="", first_number=1,
        )  # fmt: skip
        Appeal.objects.update(state="mended", rejudgement=None, correction=correction, judge=first)
    with pytest.raises(Refused, match="apply another correction first"):
        answer(appeal=row, how="upheld", **given)


def test_an_order_that_a_correction_refuses_again_is_a_new_decision(bench: World) -> None:
    turn = bench.turn
    bench.post("Ana", f"Ana: {bench.army('Ana').at} > 1A", at=turn.opened_at + HOUR)
    assert bench.settle() == "settled"
    settled = Turn.objects.get(pk=turn.pk)
    given = {"position": {}, "old_position": {}, "next_hash": "", "old_hash": "", "first_number": 1}
    with locking.transaction():
        Correction.objects.create(
            turn=settled, judge=bench.judges["movement"], token="x", made_at=settled.settled_at, state="applied",
            decided_at=settled.settled_at + HOUR, decided_by=bench.judges["Judge Dee"],
            events=settled.events, old_events=[], **given,
        )  # fmt: skip
    found = find_subject(bench.round, "refusal", str(turn.number), "Ana", settled.settled_at + 2 * HOUR)
    assert found is not None
    assert (found.fields["decision"], found.decided_at) == (1, settled.settled_at + HOUR)
    assert bench.judges["Judge Dee"].user_id in found.deciders


def test_a_dismissed_judge_is_followed_at_once(bench: World) -> None:
    row = appeal(bench)
    assert row.judge is not None
    Judge.objects.filter(pk=row.judge.pk).update(dismissed_at=row.lodged_at)
    assert pass_on(row.lodged_at + HOUR) == 1
    row.refresh_from_db()
    assert row.judge is not None
    assert row.judge.name != row.draws[0]["drew"]


def test_a_settlement_waits_only_if_the_judge_says_so_and_for_a_turn_at_most(bench: World) -> None:
    row = appeal(bench)
    turn = bench.turn
    with pytest.raises(Refused, match="Only the judge who answers"):
        hold_up(appeal=row, judge=bench.judges["battle"], holds=True, now=row.lodged_at)
    hold_up(appeal=row, judge=row.judge, holds=True, now=row.lodged_at + HOUR)
    assert bench.settle() == "fought"
    late = turn.lock_at + timedelta(days=6)
    assert due_turns(late) == []
    assert advance(turn.pk, late) == "fought"
    assert "Appeal 1 delays the settlement of turn 2" in Notice.objects.filter(kind="held").latest("pk").text
    end = turn.lock_at + bench.round.turn_length
    assert due_turns(end) == [(turn.pk, "settled")]
    assert advance(turn.pk, end) == "settled"


def test_the_answer_lets_the_settlement_go_unless_another_appeal_holds_it(bench: World) -> None:
    rows = [appeal(bench), appeal(bench, "Gaz")]
    for row in rows:
        hold_up(appeal=row, judge=row.judge, holds=True, now=row.lodged_at + HOUR)
    answered(rows[0])
    assert bench.turn.held_until is not None
    take_back(appeal=rows[1], user=bench.players["Gaz"].user_id, now=rows[1].lodged_at + HOUR)
    assert bench.turn.held_until is None
    assert bench.settle() == "settled"


def test_a_settlement_that_was_worked_out_before_it_was_held_up_is_not_written(bench: World) -> None:
    row = appeal(bench)
    read = Turn.objects.get(pk=bench.turn.pk)
    hold_up(appeal=row, judge=row.judge, holds=True, now=row.lodged_at + HOUR)
    assert not _claim(read).exists()
    assert _claim(bench.turn).exists()


def test_what_is_against_a_refused_request_is_shown_to_its_player_and_the_judges_alone(bench: World) -> None:
    data = {"army": "Ana", "side": "coalition", "request": 0}
    entry = LogEntry.objects.create(
        round=bench.round, at=published(bench), actor=bench.judges["movement"].user, action="change.refused", data=data
    )
    row = appeal(bench, of=subject(bench, "request", entry.key))
    assert row.is_hidden
    ana, ben = bench.players["Ana"], bench.players["Ben"]
    shown = [
        rows_for(Viewer(who.user_id, bench.round, who)).count() if who else rows_for(Viewer(None, bench.round)).count()
        for who in (ana, ben, None)
    ]
    assert shown == [1, 0, 0]
    assert appeals_page(Viewer(1, bench.round, None, frozenset(["battle"])), rule="4.2").total == 1
    assert list(LogEntry.objects.filter(action__startswith="appeal.").values_list("action", flat=True)) == [
        "appeal.hidden_lodged"
    ]


def test_a_sanction_is_contested_by_whom_it_hit(bench: World) -> None:
    entry = LogEntry.objects.create(
        round=bench.round,
        at=published(bench),
        actor=bench.judges["movement"].user,
        action="board.warned",
        data={"by": "Ben", "board": "Both teams", "message": 3, "reason": "Manners."},
    )
    found = subject(bench, "sanction", entry.key)
    assert found.against == bench.judges["movement"]
    assert appeal(bench, "Ben", of=found).judge is not None


def test_a_bar_is_contested_by_whom_it_hit_once_he_may_log_in_again(bench: World) -> None:
    """1.6: who is barred can't log in, so his time begins when he is let in, or when the bar is over."""
    at, days = published(bench), timedelta(days=5)
    bar(user=bench.players["Gaz"].user, by=None, reason="Threats.", days=5, now=at)
    [entry] = LogEntry.objects.filter(action="person.barred")
    found = subject(bench, "sanction", entry.key, at=at + days + HOUR)
    assert found.title == "a ban from this site"
    assert found.decided_at == (at + days).replace(second=0, microsecond=0)
    assert found.concerned == {bench.players["Gaz"].pk}
    unbar(user=bench.players["Gaz"].user, by=None, reason="A mistake.", now=at + HOUR)
    assert subject(bench, "sanction", entry.key).decided_at == at + HOUR
    row = appeal(bench, "Gaz", at=at + 2 * HOUR, of=subject(bench, "sanction", entry.key))
    assert (row.kind, row.against, row.is_hidden) == ("sanction", None, False)
    assert answered(row, "mended").state == "mended"


@pytest.fixture
def refused(bench: World) -> Admission:
    """Cay asked the Coalition, and Judge Dee, for its leaders, did not take him in."""
    cay, at = User.objects.create_user("cay"), published(bench)
    given = {"name": "Cay", "text": "Let me in.", "factions": [], "token": token(), "now": at}
    asked = ask_admission(round=bench.round, user=cay, side="coalition", **given)
    refuse_admission(admission=asked, by=bench.judges["Judge Dee"], reason="We are full.", now=at)
    return Admission.objects.get()


def contested(world: World, of: Admission, user: int | None = None, **more: object) -> Appeal:
    world.round.refresh_from_db()
    found = subject(world, "admission", of.pk)
    given = {"cites": "1.1", "reason": REASON, "token": token(), "now": published(world) + HOUR, **more}
    return lodge(round=world.round, player=None, user=user or of.user_id, subject=found, **given)  # type: ignore[arg-type]


def test_who_was_not_taken_in_is_no_player_and_may_appeal_all_the_same(bench: World, refused: Admission) -> None:
    row = contested(bench, refused)
    assert (row.player, row.lodger.name, row.against) == (None, "Cay", bench.judges["Judge Dee"])
    assert row.draws[0]["among"] == ["Judge Holden", "Judge Roy", "Judge battle"]
    assert row.is_hidden
    for user, count in ((refused.user_id, 1), (bench.players["Ana"].user_id, 0), (None, 0)):
        assert rows_for(Viewer(user, bench.round)).count() == count
    assert check_chain(bench.round).is_same
    with pytest.raises(Refused, match="You have already appealed against this decision"):
        contested(bench, refused)


def test_what_is_hidden_is_not_there_for_a_stranger_who_guesses_its_address(bench: World, refused: Admission) -> None:
    ana, at = bench.players["Ana"], published(bench) + HOUR
    with pytest.raises(Refused, match=r"This doesn't concern you\. The person who was refused can appeal\."):
        contested(bench, refused, user=ana.user_id)
    for viewer in (Viewer(ana.user_id, bench.round, ana), Viewer(None, bench.round)):
        assert subject_for(viewer, "admission", str(refused.pk), "", at) is None
    assert subject_for(Viewer(refused.user_id, bench.round), "admission", str(refused.pk), "", at) is not None


def test_a_refused_admission_is_mended_once_he_is_taken_in(bench: World, refused: Admission) -> None:
    row = contested(bench, refused)
    with pytest.raises(Refused, match="Before you answer, Cay must apply again and be admitted"):
        answered(row, "mended")
    given = {"name": "Cay", "text": "Again.", "factions": [], "token": token(), "now": row.lodged_at}
    again = ask_admission(round=bench.round, user=refused.user, side="coalition", **given)
    accept_admission(admission=again, by=bench.judges["Judge Roy"], rank=None, now=row.lodged_at)
    assert answered(row, "mended").state == "mended"


def test_who_was_not_taken_in_takes_his_appeal_back(bench: World, refused: Admission) -> None:
    row = contested(bench, refused)
    with pytest.raises(Refused, match="Only Cay can withdraw this appeal"):
        take_back(appeal=row, user=bench.players["Ana"].user_id, now=row.lodged_at + HOUR)
    assert take_back(appeal=row, user=refused.user_id, now=row.lodged_at + HOUR).state == "withdrawn"
