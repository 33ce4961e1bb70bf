"""R58: a published battle is judged anew with the same dice, and whatever follows from it is a correction."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from judging.announcements.models import Notice
from judging.battles.assignments.services import state_conflict
from judging.battles.desk.scoring import ScoreReason
from judging.battles.models import Battle, Result, Score, Strat
from judging.battles.outcome_schema import mixed_in
from judging.battles.rejudging.models import Rejudgement
from judging.battles.rejudging.queries import anew_of, public_anew
from judging.battles.rejudging.services import NewJudgement, apply_anew, drop_anew, lock_anew
from judging.chain.models import ChainLink
from judging.chain.queries import check_chain
from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.log.actions import ACTS
from judging.turns.battles import PublishedResult
from judging.turns.models import Correction
from judging.turns.rulings.corrections import apply_correction, correct_result, drop_correction
from judging.turns.stages import _claim, settle
from judging.turns.turn_input import InputOfTurn
from judging.verification.checks import verify_round, verify_turn
from judging.verification.verdicts import present_checks
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge, token
from wargame import world as rows
from wargame.models import Judge, Turn

pytestmark = pytest.mark.django_db

TEN = 10


@pytest.fixture
def war(war: World) -> World:
    """With a second battle judge, who may agree (R53)."""
    with locking.transaction():
        war.judges["second"] = add_judge(war.round, "battle", "Judge Second", is_head=False)
    return war


@pytest.fixture
def fought(war: World) -> Battle:
    """Ana's battle against Gaz: both sent a strat, Gaz got ten, and the result is published before the lock."""
    battle = Battle.objects.get()
    war.strat(battle, "Ana", "Ana", "Through the reeds.")
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    war.score(battle, favours=1, bonus=TEN)
    return Battle.objects.get()


def new(favours: int | None = 0, bonus: int = TEN, **more: object) -> NewJudgement:
    given: dict[str, Any] = {"reasons": REASONS if bonus else {}, **more}
    return NewJudgement(favours, bonus, "4.2.1", "The strat of Ana was misread.", **given)


def propose(
    world: World, battle: Battle, given: NewJudgement, by: str = "battle", at: datetime | None = None
) -> Rejudgement:
    when = at or Turn.objects.get(pk=battle.turn_id).deadline + 2 * HOUR
    return lock_anew(battle=battle, judge=world.judges[by], new=given, token=token(), now=when)


def put_through(world: World, row: Rejudgement, at: datetime | None = None, by: str = "second") -> Rejudgement:
    """R53: a second judge agrees."""
    return apply_anew(rejudgement=row, judge=world.judges[by], now=at or row.made_at + HOUR)


def is_sound(world: World) -> bool:
    """All is recomputed to the same bytes, the rows are the map, and no link of the chain is broken."""
    same = all(not verdict.differences for verdict in (*verify_round(world.round), verify_turn(world.turn)))
    stored = rows.load_position(world.round) == rows.position_of_turn(world.turn)
    return same and stored and check_chain(world.round).is_same and all(c.is_same for c in present_checks(world.round))


def after_the_turn(world: World) -> datetime:
    return world.turn.opened_at + HOUR


def test_another_score_changes_the_result_of_an_open_turn_with_the_same_dice(war: World, fought: Battle) -> None:
    before = Result.objects.get()
    row = propose(war, fought, new())
    assert Result.objects.get().outcome == before.outcome
    links = ChainLink.objects.filter(kind="result").count()
    put_through(war, row)
    after = Result.objects.get()
    assert after.outcome["rolls"][0] == before.outcome["rolls"][0]
    assert (before.winner, after.winner) == (1, 0)
    assert (Score.objects.get().favours, Score.objects.get().overruled[-1]["favours"]) == (0, 1)
    assert ChainLink.objects.filter(kind="result").count() == links + 1
    assert row.outcome_before == before.outcome
    assert is_sound(war)
    assert war.settle() == "settled"
    assert is_sound(war)
    assert "Judge battle rejudged the battle on 3F: Ana won, not Gaz" in Notice.objects.get(kind="judged_anew").text


def test_the_new_score_has_its_own_reasons_and_those_of_the_old_one_stay_public(war: World, fought: Battle) -> None:
    said = {name: one._replace(number=5, text=f"{name}, read again.") for name, one in REASONS.items()}
    row = put_through(war, propose(war, fought, new(reasons=said)))
    score = Score.objects.get()
    assert [(one["judge"], one["text"]) for one in score.reasons] == [
        ("Judge battle", f"{name}, read again.") for name in REASONS
    ]
    assert [one["text"] for one in score.overruled[-1]["reasons"]] == [reason.text for reason in REASONS.values()]
    [view] = public_anew(fought.pk)
    assert view.reasons[0].text.endswith("read again.")
    assert view.reasons_before[0].text == next(iter(REASONS.values())).text
    assert row.state == "applied"


def test_a_score_that_stays_keeps_its_reasons(war: World) -> None:
    battle = Battle.objects.get()
    war.strat(battle, "Ana", "Ana", "Through the reeds.", risk="kill")
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    war.score(battle, favours=0, bonus=TEN)
    before = Score.objects.get().reasons
    put_through(war, propose(war, battle, new(0, TEN, reasons={}, risks={Strat.objects.get(risk="kill").pk: "-"})))
    assert Score.objects.get().reasons == before != []
    assert public_anew(battle.pk)[0].reasons_before == ()


def test_what_follows_for_the_last_settled_turn_is_a_correction(war: World, fought: Battle) -> None:
    assert war.settle() == "settled"
    lost = war.army("Ana").at
    row = propose(war, fought, new(), at=after_the_turn(war))
    assert not Correction.objects.exists()
    assert war.army("Ana").at == lost
    put_through(war, row)
    [view] = anew_of(fought)
    assert view.changes_winner
    assert view.follows is not None
    assert {army["army"] for army in view.follows["armies"]} == {"Ana", "Gaz"}
    assert Correction.objects.get().state == "applied"
    assert is_sound(war)
    assert LogEntry.objects.filter(action__in=("battle.judged_anew", "correction.applied")).count() == 2
    assert public_anew(fought.pk)[0].winners_before == ("Gaz",)


def test_nobody_sees_the_outcome_of_a_locked_score_before_it_is_agreed_to(war: World, fought: Battle) -> None:
    """R58."""
    row = propose(war, fought, new())
    assert row.outcome is None
    [view] = anew_of(fought)
    assert (view.score_now, view.winners_now, view.armies, view.follows) == ("+10 for Ana", (), (), None)
    assert not view.changes_winner
    assert {reason.text for reason in view.reasons} == {reason.text for reason in REASONS.values()}
    put_through(war, row)
    assert anew_of(fought)[0].winners_now == ("Ana",)


def test_there_is_no_second_try(war: World, fought: Battle) -> None:
    """R58: a score that nobody agreed to was no try, as its outcome was not shown; one that counts is the last."""
    first = propose(war, fought, new(0, 5))
    with pytest.raises(Refused, match="already locked and is waiting"):
        propose(war, fought, new())
    drop_anew(rejudgement=first, judge=war.judges["second"], now=first.made_at + HOUR)
    put_through(war, propose(war, fought, new()))
    with pytest.raises(Refused, match="There is no second try") as refused:
        propose(war, fought, new(1, 3))
    assert refused.value.cites == "R58"
    assert Score.objects.get().bonus == TEN


def as_of_an_older_service(war: World, fought: Battle) -> Rejudgement:
    """A row whose outcome was worked out, with what follows, before anybody agreed to it."""
    row = propose(war, fought, new(), at=after_the_turn(war))
    with locking.transaction():
        turn, following = Turn.objects.get(pk=fought.turn_id), war.turn
        outcome = fought.result.outcome
        anew = PublishedResult(fought.at, 0, {**outcome, "winner": 0})  # type: ignore[typeddict-item]
        form = {"judge": row.judge, "token": "older", "now": row.made_at}
        row.correction = correct_result(turn=turn, following=following, anew=anew, **form)
        row.outcome = outcome
        row.save()
    return row


def test_what_an_older_service_worked_out_is_agreed_to_and_worked_out_again(war: World, fought: Battle) -> None:
    assert war.settle() == "settled"
    row = as_of_an_older_service(war, fought)
    assert anew_of(fought)[0].winners_now == ()
    for act in (apply_correction, drop_correction):
        with pytest.raises(Refused, match="follows from a rejudged battle") as refused:
            act(correction=row.correction, judge=war.judges["movement"], now=after_the_turn(war))
        assert refused.value.cites == "R58"
    with pytest.raises(Refused, match="There is no second try"):
        propose(war, fought, new(0, 5), at=after_the_turn(war))
    put_through(war, row)
    assert sorted(Correction.objects.values_list("state", flat=True)) == ["applied", "dropped"]
    assert is_sound(war)


def test_what_an_older_service_worked_out_is_dropped_with_its_correction(war: World, fought: Battle) -> None:
    assert war.settle() == "settled"
    row = as_of_an_older_service(war, fought)
    drop_anew(rejudgement=row, judge=war.judges["battle"], now=after_the_turn(war))
    assert Correction.objects.get().state == "dropped"
    with pytest.raises(Refused, match="was dropped"):
        put_through(war, row)
    assert is_sound(war)


def test_results_two_turns_back_stay(war: World, fought: Battle) -> None:
    assert war.settle() == "settled"
    locked = war.turn.lock_at + timedelta(minutes=1)
    with pytest.raises(Refused, match="Turn 3 is locked") as refused:
        propose(war, fought, new(), at=locked)
    for battle in Battle.objects.filter(turn=war.turn):
        war.score(battle)
    assert war.settle() == "settled"
    with pytest.raises(Refused, match="Turn 2 is no longer the last settled turn") as refused:
        propose(war, fought, new(), at=after_the_turn(war))
    assert refused.value.cites == "R58"


def test_a_late_strat_counts_by_it_and_the_dice_stay_as_they_fell(war: World) -> None:
    battle = Battle.objects.get()
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    war.strat(battle, "Ana", "Ana", "Through the reeds, late.", now=battle.deadline + HOUR / 2)
    war.score(battle)
    late = Strat.objects.get(late=True)
    before = Result.objects.get()
    row = propose(war, battle, new(None, 0, accepted=(late.pk,)))
    put_through(war, row)
    after = Result.objects.get()
    assert after.outcome["strats"].keys() == {"Ana", "Gaz"}
    assert mixed_in(after.outcome) == before.outcome["strats"]
    assert after.outcome["bonus"] != before.outcome["bonus"], "a side without a strat is worse off (R36)"
    late.refresh_from_db()
    assert late.accepted_because == "The strat of Ana was misread."
    assert is_sound(war)
    assert war.settle() == "settled"
    assert is_sound(war)


def test_a_kill_is_ruled_void_and_the_killed_army_lives(war: World) -> None:
    battle = Battle.objects.get()
    war.strat(battle, "Ana", "Ana", "Through the reeds.", risk="kill")
    war.strat(battle, "Gaz", "Gaz", "Over the hill.")
    war.score(battle, favours=0, bonus=TEN)
    strat = Strat.objects.get(risk="kill")
    row = propose(war, battle, new(0, TEN, risks={strat.pk: "-"}))
    put_through(war, row)
    assert Result.objects.get().outcome["attempts"] == []
    assert [each["is_void"] for each in Result.objects.get().outcome["risk_rulings"]] == [True]
    assert is_sound(war)
    assert [(each.army, each.now) for each in public_anew(battle.pk)[0].attempts] == [("Ana", "no attempt")]
    with locking.transaction():
        Judge.objects.filter(role="battle").update(is_head=False)
        Judge.objects.filter(name="Judge Second").update(is_head=True)
    war.judges["second"].refresh_from_db()
    again = propose(war, battle, new(0, TEN, risks={strat.pk: "="}), by="second", at=row.made_at + 2 * HOUR)
    put_through(war, again, by="battle")
    assert Result.objects.get().outcome == row.outcome_before
    assert is_sound(war)


def test_agreeing_twice_changes_nothing(war: World, fought: Battle) -> None:
    row = put_through(war, propose(war, fought, new()))
    assert put_through(war, row) == row
    assert LogEntry.objects.filter(action="battle.judged_anew").count() == 1


@pytest.mark.parametrize(
    ("given", "field", "says"),
    [
        (NewJudgement(0, 10, "99.9", "So."), "cites", "no rule “99.9”"),
        (NewJudgement(0, 10, "4.2.1", "  "), "reason", "empty"),
        (NewJudgement(0, 11, "4.2.1", "So."), "bonus", "0 to 10"),
        (NewJudgement(1, 10, "4.2.1", "So."), "", "Nothing would change"),
        (NewJudgement(0, 10, "4.2.1", "So."), "number_0", "Mark"),
        (NewJudgement(0, 10, "4.2.1", "So.", reasons={"Luck": ScoreReason(1, "So.")}), "reasons", "is not a criterion"),
        (new(accepted=(77,)), "accepted", "no such late strat"),
        (new(risks={77: "-"}), "risks", "doesn't ask for a kill"),
    ],
)
def test_what_can_not_be_is_refused(war: World, fought: Battle, given: NewJudgement, field: str, says: str) -> None:
    with pytest.raises(Refused, match=says) as refused:
        propose(war, fought, given)
    assert refused.value.field == field
    assert not Rejudgement.objects.exists()


def test_the_head_alone_who_knows_the_dice_changes_nothing_and_a_second_judge_agrees(
    war: World, fought: Battle
) -> None:
    """R53."""
    row = propose(war, fought, new())
    for _ in range(2):
        with pytest.raises(Refused, match="another battle judge must agree") as refused:
            put_through(war, row, by="battle")
        assert refused.value.cites == "R53"
    assert Result.objects.get().winner == 1
    put_through(war, row)
    [view] = public_anew(fought.pk)
    assert (view.by, view.decided_by) == ("Judge battle", "Judge Second")
    [entry] = LogEntry.objects.filter(action="battle.judged_anew")
    assert (
        ACTS[entry.action].sentence(entry.data)
        == "agreed to the new score that Judge battle locked for battle 1 of turn 2"
    )


def test_a_second_judge_who_does_not_agree_drops_it_and_the_head_reads_so(war: World, fought: Battle) -> None:
    """R53."""
    row = propose(war, fought, new())
    war.judges["third"] = add_judge(war.round, "battle", "Judge Third", is_head=False)
    drop_anew(rejudgement=row, judge=war.judges["second"], now=row.made_at + HOUR)
    [entry] = LogEntry.objects.filter(action="battle.anew_dropped")
    assert ACTS[entry.action].sentence(entry.data).startswith("dropped the new score that Judge battle locked")
    with pytest.raises(Refused, match="was dropped"):
        put_through(war, row, by="third")


def test_a_second_judge_has_no_conflict_with_the_battle(war: World, fought: Battle) -> None:
    """R53, R56."""
    row, second = propose(war, fought, new()), war.judges["second"]
    state_conflict(judge=second, about="player", name="Ana", why="", now=row.made_at)
    for act in (apply_anew, drop_anew):
        with pytest.raises(Refused) as refused:
            act(rejudgement=row, judge=second, now=row.made_at + HOUR)
        assert refused.value.cites == "R56"


def test_where_nobody_could_agree_nothing_is_judged_anew(war: World, fought: Battle) -> None:
    """R53."""
    Judge.objects.filter(name="Judge Second").delete()
    with pytest.raises(Refused, match="This round has no other judge who can") as refused:
        propose(war, fought, new())
    assert refused.value.cites == "R53"


def test_two_assistants_do_not_put_through_what_a_former_head_worked_out(war: World, fought: Battle) -> None:
    """R53: it needs the head."""
    row = propose(war, fought, new())
    Judge.objects.filter(pk=row.judge_id).update(is_head=False)
    with pytest.raises(Refused, match="One of the two judges must be the head battle judge"):
        put_through(war, row)


def test_only_the_head_judges_anew_where_nobody_appealed(war: World, fought: Battle) -> None:
    with pytest.raises(Refused, match="Only the head battle judge"):
        propose(war, fought, new(), by="second")
    with pytest.raises(Refused, match="Only battle judges"):
        propose(war, fought, new(), by="movement")


def test_a_settlement_that_read_the_old_result_is_not_written(war: World, fought: Battle) -> None:
    """Two at once: the stage read its turn before the result was judged anew; its claim finds another number."""
    given = InputOfTurn(Turn.objects.select_related("round").get(pk=war.turn.pk))
    everything = given.for_settlement()
    put_through(war, propose(war, fought, new()))
    assert not settle(given, everything, _claim(given.turn), war.turn.lock_at + HOUR)
    assert war.turn.state == "open"
