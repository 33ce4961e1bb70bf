"""R56, R59: conflicts of judges, battles that pass on, and who is head while the head is away."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.battles.assignments import seats, services
from judging.battles.assignments.models import BattleSeat, JudgeLeave, StandIn, StatedConflict
from judging.battles.assignments.queries import away_users, decided_by_head, seats_in
from judging.battles.assignments.seats import mind_benches
from judging.battles.desk.scoring import lock_score, name_second_judge
from judging.battles.desk.sheet import sheet_of
from judging.battles.desk.steps import keep_written
from judging.battles.models import Battle
from judging.battles.strats.extensions import extend_strats
from judging.command.judges.services import dismiss_judge, offer_lead
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.models import LogEntry
from judging.notifications.reminders import remind
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge, begin, make_round
from wargame.models import Control, Judge

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


@pytest.fixture
def battle(war: World) -> Battle:
    """Both strats are in; the head has two assistants, who came later."""
    found = Battle.objects.select_related("turn__round").get()
    war.strat(found, "Ana", "Ana")
    war.strat(found, "Gaz", "Gaz")
    for number, name in enumerate(("Second", "Third"), 1):
        war.judges[name] = add_judge(war.round, "battle", name, is_head=False)
        Judge.objects.filter(pk=war.judges[name].pk).update(named_at=war.round.created_at + number * HOUR)
    return found


def first(battle: Battle) -> str:
    return str(seats_in([battle])[battle.pk]["first"].judge.name)


def test_a_battle_is_given_in_the_rounds_order_as_soon_as_it_can_be_judged(war: World, battle: Battle) -> None:
    """R59: before, nobody has lost anything by waiting."""
    sent = battle.announced_at + HOUR
    mind_benches(sent - timedelta(seconds=1))
    assert not BattleSeat.objects.exists()
    mind_benches(sent)
    mind_benches(sent)
    assert first(battle) == "Judge battle"
    assert BattleSeat.objects.count() == 1


def test_a_silent_judge_loses_a_battle_after_three_days(war: World, battle: Battle) -> None:
    """R59: to the next one, and can't score it any more; what he does about it meanwhile is no silence."""
    sent = battle.announced_at + HOUR
    mind_benches(sent)
    mind_benches(sent + 3 * DAY - timedelta(seconds=1))
    assert first(battle) == "Judge battle"
    name_second_judge(battle=battle, judge=war.judges["battle"], second=None, now=sent)  # changes nothing
    record(war.round, war.judges["battle"].user, "battle.strat_judged", {"turn": 2, "battle": 1}, sent + DAY)
    mind_benches(sent + 3 * DAY)
    assert first(battle) == "Judge battle"
    assert mind_benches(sent + 4 * DAY) == 1
    assert mind_benches(sent + 4 * DAY) == 0
    assert first(battle) == "Second"
    entry = LogEntry.objects.filter(action="battle.seat").latest("pk")
    assert (entry.data["name"], entry.data["of"], entry.data["cause"]) == ("Second", "Judge battle", "silence")
    with pytest.raises(
        Refused, match="You did nothing on this battle for three days, so it passed to another judge at"
    ) as refused:
        lock_score(battle=battle, judge=war.judges["battle"], favours=0, bonus=2, reasons=REASONS, now=sent + 4 * DAY)
    assert refused.value.cites == "R59"
    lock_score(battle=battle, judge=war.judges["Second"], favours=0, bonus=2, reasons=REASONS, now=sent + 4 * DAY)


def test_a_battle_stays_where_nobody_else_may_judge_it(war: World) -> None:
    found = Battle.objects.select_related("turn__round").get()
    mind_benches(found.deadline + HOUR)
    mind_benches(found.deadline + 9 * DAY)
    assert first(found) == "Judge battle"
    lock_score(battle=found, judge=war.judges["battle"], favours=None, bonus=0, now=found.deadline + 9 * DAY)


def test_a_battle_of_who_goes_on_leave_is_his_deputys(war: World, battle: Battle) -> None:
    head, now = war.judges["battle"], battle.deadline + HOUR
    mind_benches(now)
    services.name_deputy(judge=head, deputy=war.judges["Third"], now=now)
    services.state_leave(judge=head, since=now, until=None, note="Holidays.", now=now)
    mind_benches(now)
    assert first(battle) == "Third"
    assert away_users(war.round, now) == {head.user_id}


def test_a_silent_second_judge_is_followed_by_the_next_or_by_nobody(war: World, battle: Battle) -> None:
    now = battle.deadline + HOUR
    name_second_judge(battle=battle, judge=war.judges["battle"], second=war.judges["Second"], now=now)
    dismiss_judge(
        round=war.round, by=war.judges["battle"], judge_id=war.judges["Third"].pk, reason="He asked.", now=now
    )
    mind_benches(now)
    mind_benches(now + 3 * DAY)
    battle.refresh_from_db()
    assert battle.second_judge is None


def test_two_jobs_that_find_the_same_silence_pass_the_battle_on_once(war: World, battle: Battle) -> None:
    mind_benches(battle.deadline)
    seat = BattleSeat.objects.select_related("battle", "judge").get()
    later = battle.deadline + 4 * DAY
    assert seats.pass_on(seat=seat, cause="silence", now=later) is not None
    assert seats.pass_on(seat=seat, cause="silence", now=later) is None
    assert first(battle) == "Second"


@pytest.mark.parametrize(("about", "name"), [("player", "gaz"), ("faction", "red"), ("team", "phyrexia")])
def test_who_states_a_conflict_is_not_offered_its_battles(war: World, battle: Battle, about: str, name: str) -> None:
    """R56: and can't score them, be asked to, or move their deadlines; until he takes it back."""
    head, second = war.judges["battle"], war.judges["Second"]
    player = war.players["Gaz"]
    player.factions = ["red"]
    player.save()
    now = battle.announced_at + HOUR
    stated = services.state_conflict(judge=head, about=about, name=name, why="A friend.", now=now)
    assert services.state_conflict(judge=head, about=about, name=name, why="", now=now) == stated
    mind_benches(now)
    assert first(battle) == "Second"
    for act in (
        lambda: lock_score(battle=battle, judge=head, favours=0, bonus=1, reasons=REASONS, now=now),
        lambda: name_second_judge(battle=battle, judge=second, second=head, now=now),
        lambda: extend_strats(battle=battle, judge=head, until=battle.deadline + DAY, reason="More.", now=now),
    ):
        with pytest.raises(Refused) as refused:
            act()
        assert refused.value.cites == "R56"
    sheet = sheet_of(head.user, battle.pk, now)
    assert sheet is not None
    with pytest.raises(Refused, match="conflict"):
        keep_written(sheet, "My friend won.", 0, now)
    services.withdraw_conflict(judge=head, conflict_id=stated.pk, now=now)
    lock_score(battle=battle, judge=head, favours=0, bonus=1, reasons=REASONS, now=now)
    told = list(LogEntry.objects.filter(action__startswith="judge.conflict").values_list("action", flat=True))
    assert told == ["judge.conflict", "judge.conflict_withdrawn"]


def test_a_movement_judge_who_controlled_an_army_moves_no_deadline_of_its_battle(war: World, battle: Battle) -> None:
    """R56: also when he does not control it any more."""
    movement = war.judges["movement"]
    war.players["Ana"].user = movement.user
    war.players["Ana"].save()
    Control.objects.filter(player=war.players["Ana"]).update(until=battle.announced_at)
    with pytest.raises(Refused, match="you control or have controlled Ana"):
        extend_strats(
            battle=battle, judge=movement, until=battle.deadline + DAY, reason="More.", now=battle.announced_at
        )


def test_where_all_have_a_conflict_the_head_decides_in_public_who_judges(war: World, battle: Battle) -> None:
    """R56."""
    head, third, now = war.judges["battle"], war.judges["Third"], battle.announced_at + HOUR
    for judge in (head, third):
        services.state_conflict(judge=judge, about="team", name="phyrexia", why="", now=now)
    with pytest.raises(Refused, match="There is still a battle judge without a conflict"):
        seats.decide_who_judges(battle=battle, head=head, chosen=third, reason="He is fair.", now=now)
    services.state_conflict(judge=war.judges["Second"], about="team", name="phyrexia", why="", now=now)
    with pytest.raises(Refused, match="Only the head battle judge"):
        seats.decide_who_judges(battle=battle, head=third, chosen=third, reason="Me.", now=now)
    with pytest.raises(Refused, match="empty"):
        seats.decide_who_judges(battle=battle, head=head, chosen=third, reason=" ", now=now)
    seats.decide_who_judges(battle=battle, head=head, chosen=third, reason="He is fair.", now=now)
    assert LogEntry.objects.get(action="battle.judge_decided").data["reason"] == "He is fair."
    decided = decided_by_head(battle.pk)
    assert decided is not None
    assert (decided.judge, decided.reason) == (third, "He is fair.")
    mind_benches(now)
    lock_score(battle=battle, judge=third, favours=0, bonus=1, reasons=REASONS, now=now)
    with pytest.raises(Refused):
        lock_score(battle=battle, judge=head, favours=0, bonus=2, reasons=REASONS, now=now)


@pytest.mark.parametrize(
    ("about", "name", "field"),
    [("player", "Nobody", "player"), ("player", "", "player"), ("team", "mercenary", "about"), ("x", "", "about")],
)
def test_a_conflict_is_with_somebody_of_the_round(war: World, about: str, name: str, field: str) -> None:
    with pytest.raises(Refused) as refused:
        services.state_conflict(judge=war.judges["battle"], about=about, name=name, why="", now=war.round.created_at)
    assert refused.value.field == field
    assert not StatedConflict.objects.exists()


def test_a_head_who_is_silent_for_a_week_is_stood_in_for_until_he_is_back(war: World, battle: Battle) -> None:
    """R59: by the longest-serving; his first act gives it back. Who stands in gives the place to nobody."""
    head, second = war.judges["battle"], war.judges["Second"]
    record(war.round, head.user, "judge.named", {}, battle.announced_at)
    now = battle.announced_at + 7 * DAY
    services.mind_head(round=war.round, now=now - timedelta(seconds=1))
    assert not StandIn.objects.exists()
    assert services.mind_head(round=war.round, now=now)
    assert not services.mind_head(round=war.round, now=now)
    second.refresh_from_db()
    assert second.is_head
    with pytest.raises(Refused, match="is head judge only until"):
        offer_lead(round=war.round, by=second, judge_id=war.judges["Third"].pk, reason="", now=now)
    with pytest.raises(Refused, match="is head judge only until"):
        dismiss_judge(round=war.round, by=second, judge_id=head.pk, reason="Away.", now=now)
    record(war.round, head.user, "judge.named", {}, now + HOUR)
    assert services.mind_head(round=war.round, now=now + HOUR)
    head.refresh_from_db()
    assert head.is_head
    told = LogEntry.objects.filter(action__in=["judge.stands_in", "judge.head_back"])
    assert list(told.values_list("action", flat=True)) == ["judge.stands_in", "judge.head_back"]


def test_a_deputy_is_head_during_a_leave_and_no_longer(war: World, battle: Battle) -> None:
    head, now = war.judges["battle"], battle.announced_at
    third = war.judges["Third"]
    services.name_deputy(judge=head, deputy=third, now=now)
    services.state_leave(judge=head, since=now + DAY, until=now + 3 * DAY, note="", now=now)
    heads = []
    for day in (0, 1, 2, 3):
        mind_benches(now + day * DAY)
        heads.append(Judge.objects.get(round=war.round, role="battle", is_head=True).name)
    assert heads == ["Judge battle", "Third", "Third", "Judge battle"]


def test_who_comes_back_early_is_head_at_once(war: World, battle: Battle) -> None:
    head, now = war.judges["battle"], battle.announced_at
    services.name_deputy(judge=head, deputy=war.judges["Third"], now=now)
    services.state_leave(judge=head, since=now, until=None, note="", now=now)
    services.mind_head(round=war.round, now=now)
    assert services.end_leave(judge=head, now=now + HOUR)
    assert not services.end_leave(judge=head, now=now + HOUR)
    head.refresh_from_db()
    assert head.is_head
    assert JudgeLeave.objects.get().until == now + HOUR


def test_a_head_alone_stays_the_head(war: World) -> None:
    assert not services.mind_head(round=war.round, now=war.round.created_at + 30 * DAY)


def test_a_leave_ends_after_it_begins_and_beside_no_other(war: World) -> None:
    judge, now = war.judges["battle"], war.round.created_at
    with pytest.raises(Refused, match="Your absence would end before it begins"):
        services.state_leave(judge=judge, since=now + DAY, until=now + DAY, note="", now=now)
    services.state_leave(judge=judge, since=now + DAY, until=now + 2 * DAY, note="", now=now)
    with pytest.raises(Refused, match="You already reported an absence from"):
        services.state_leave(judge=judge, since=now, until=None, note="", now=now)
    assert services.end_leave(judge=judge, now=now)
    services.state_leave(judge=judge, since=now, until=None, note="", now=now)


def test_a_deputy_is_another_judge_of_the_role(war: World, battle: Battle) -> None:
    for deputy in (war.judges["battle"], war.judges["movement"]):
        with pytest.raises(Refused, match="another battle judge"):
            services.name_deputy(judge=war.judges["battle"], deputy=deputy, now=battle.announced_at)


def test_running_rounds_in_which_nothing_is_to_be_done_cost_the_jobs_no_statements(war: World, battle: Battle) -> None:
    now, counted = battle.announced_at + HOUR, []
    for others in (0, 5):
        for number in range(others):
            begin(make_round({"Ana": ("coalition", "3D", "captain")}, slug=f"more-{number}", name="More"))
        Judge.objects.filter(is_head=True).update(head_since=now)
        mind_benches(now)
        remind(now)
        with CaptureQueriesContext(connection) as captured:
            mind_benches(now)
            remind(now)
        counted.append(len(captured))
    assert counted[0] == counted[1]
