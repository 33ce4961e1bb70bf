"""1.3, 6: heads and assistants: who names, dismisses and overrules whom, and who can't be a judge."""

from datetime import datetime, timedelta

import pytest
from django.contrib.auth.models import User

from judging.appeals.models import Appeal
from judging.appeals.services import pass_on
from judging.battles.desk.notes import rule_on_risk, withdraw_risk_ruling
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.rolling import adjust, roll
from judging.battles.desk.scoring import lock_score, name_second_judge, overrule_score
from judging.battles.models import Battle, RiskRuling, Score
from judging.battles.queries import published_battles
from judging.battles.strats.extensions import accept_late, extend_strats, overrule_extension, overrule_late
from judging.command.control.requests import AskedControl, change_list
from judging.command.judges.services import decide_offer, dismiss_judge, lapse_offers, name_judge, offer_lead
from judging.command.models import Admission, Handover
from judging.command.people.admission import accept_admission, ask_admission, overrule_admission
from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import Viewer, viewer_of
from judging.import_export.importing import link_seat
from judging.log.queries import Log
from judging.mercenaries.services import replace_order
from judging.notifications.from_log import news_of_log
from judging.people.services import name_head, name_outsider
from judging.turns.rulings.services import withdraw_ruling
from tests.services.conftest import FOUR
from tests.services.mercenaries_of_tests import add_mercenary
from tests.services.ruling import moved, new, rule
from tests.services.teams import NOW, make_teams, stranger
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import HOUR, REASONS, UNLOCK, World, add_judge, begin, make_round, token
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import Role
from wargame.rules.command.control_list import Wish
from wargame.rules.core.sides import Rank, Side

pytestmark = pytest.mark.django_db


@pytest.fixture
def teams(db: None) -> World:
    return make_teams()


@pytest.fixture
def battle(war: World) -> Battle:
    return Battle.objects.get(turn=war.turn)


def named(world: World, by: str, who: str, role: Role = Role.BATTLE, reason: str = "") -> Judge:
    judge = world.judges[by]
    return name_judge(round=world.round, by=judge, username=who, role=role, reason=reason, now=NOW)


def dismissed(world: World, by: Judge | None, judge: Judge, reason: str = "He is away.") -> Judge:
    return dismiss_judge(round=world.round, by=by, judge_id=judge.pk, reason=reason, now=NOW + HOUR)


# Naming and dismissing


def test_the_head_of_a_role_names_an_assistant_while_the_round_is_played(teams: World) -> None:
    stranger("olga")
    made = named(teams, "movement", "Olga", Role.MOVEMENT, "She knows the map.")
    assert (made.role, made.is_head, made.named_at) == ("movement", False, NOW)
    entry = LogEntry.objects.get(action="judge.named")
    assert entry.data == {
        "name": "olga", "role": "movement", "seat": "movement", "reason": "She knows the map.", "head": False,
    }  # fmt: skip
    assert "appointed olga as assistant movement judge" in Log(Viewer(None, teams.round), NOW)[0].what


def test_the_head_battle_judge_names_for_all_roles_and_other_heads_for_their_own(teams: World) -> None:
    for who in ("olga", "rio", "sam"):
        stranger(who)
    named(teams, "battle", "olga", Role.MERCENARY)
    named(teams, "battle", "olga", Role.MOVEMENT)
    for by, role in (("movement", Role.BATTLE), ("mercenary", Role.MOVEMENT)):
        with pytest.raises(Refused, match="Only the head") as caught:
            named(teams, by, "rio", role)
        assert caught.value.cites == "1.3"
    teams.judges["second"] = named(teams, "battle", "sam")
    with pytest.raises(Refused, match="Only the head"):
        named(teams, "second", "rio")


def test_nobody_else_names_a_judge(teams: World) -> None:
    stranger("olga")
    other = make_round({}, slug="other").judges["battle"]
    for by in (None, other):
        with pytest.raises(Refused, match="Only the head"):
            name_judge(round=teams.round, by=by, username="olga", role=Role.MOVEMENT, reason="", now=NOW)


@pytest.mark.parametrize(("role", "cites"), [(Role.BATTLE, "1.3"), (Role.MERCENARY, "6")])
def test_a_player_is_no_battle_and_no_mercenary_judge(teams: World, role: Role, cites: str) -> None:
    with pytest.raises(Refused, match="can't be a player") as caught:
        named(teams, "battle", teams.players["Dot"].user.username, role)
    assert caught.value.cites == cites
    teams.players["Dot"].left_at = NOW
    teams.players["Dot"].save()
    with pytest.raises(Refused, match="or has"):
        named(teams, "battle", teams.players["Dot"].user.username, role)


def test_a_player_may_judge_the_moves(teams: World) -> None:
    """1.3."""
    made = named(teams, "movement", teams.players["Dot"].user.username, Role.MOVEMENT)
    assert made.name == "Dot"


@pytest.mark.parametrize("username", ["", "nobody", "no\ud800body", "x" * 400])
def test_a_judge_needs_a_log_in(teams: World, username: str) -> None:
    with pytest.raises(Refused) as caught:
        named(teams, "battle", username)
    assert caught.value.field == "username"


def test_nobody_gets_a_role_twice(teams: World) -> None:
    with pytest.raises(Refused, match="is already a battle judge"):
        named(teams, "battle", teams.judges["battle"].user.username)


def test_a_battle_or_mercenary_judge_is_admitted_to_no_team(teams: World) -> None:
    """1.3, 6: asked before he was named, he is not taken in after it."""
    user = stranger("olga")
    asked = ask_admission(
        round=teams.round, user=user, side="coalition", name="Olga", text="Hello.", factions=(), token=token(), now=NOW
    )
    judge = named(teams, "battle", "olga", Role.MERCENARY)
    with pytest.raises(Refused, match="can't be a player") as caught:
        accept_admission(admission=asked, by=teams.players["Ana"], rank=None, now=NOW)
    assert caught.value.cites == "6"
    dismissed(teams, teams.judges["battle"], judge)
    with pytest.raises(Refused, match="they know things that only judges can know"):
        accept_admission(admission=asked, by=teams.players["Ana"], rank=None, now=NOW + 2 * HOUR)


def test_a_seat_of_an_imported_round_is_not_given_against_1_3(teams: World) -> None:
    me = User.objects.create_user("me", password="a-word-for-tests")
    teams.judges["battle"].user.set_unusable_password()
    teams.judges["battle"].user.save()
    link_seat(round=teams.round, name="Judge movement", user=me)
    link_seat(round=teams.round, name="Dot", user=me)
    for name in ("Judge battle", "Judge mercenary"):
        with pytest.raises(Refused, match="can't be a player"):
            link_seat(round=teams.round, name=name, user=me)
    other = User.objects.create_user("other")
    link_seat(round=teams.round, name="Judge battle", user=other)
    with pytest.raises(Refused, match="can't be a player"):
        link_seat(round=teams.round, name="Cem", user=other)


@pytest.fixture
def offer(teams: World) -> Handover:
    """The head battle judge offers Olga the place."""
    stranger("olga")
    olga = named(teams, "battle", "olga")
    made = offer_lead(round=teams.round, by=teams.judges["battle"], judge_id=olga.pk, reason="I am away.", now=NOW)
    assert made is not None
    return made


def decided(offer: Handover, how: str, by: Judge, after: timedelta = HOUR) -> Handover:
    return decide_offer(round=offer.round, role=offer.role, user=by.user_id, how=how, now=NOW + after)


def heads(world: World, role: str = "battle") -> list[tuple[str, datetime | None]]:
    rows = Judge.objects.filter(round=world.round, role=role, is_head=True)
    return [(head.name, head.head_since) for head in rows]


def test_a_head_stays_head_until_the_other_one_accepts_their_place(teams: World, offer: Handover) -> None:
    """1.3."""
    head = teams.judges["battle"]
    assert offer_lead(round=teams.round, by=head, judge_id=offer.to_id, reason="", now=NOW + HOUR) == offer
    assert [name for name, _ in heads(teams)] == ["Judge battle"]
    with pytest.raises(Refused, match="Only olga can accept"):
        decided(offer, "accepted", head)
    for _ in range(2):
        assert decided(offer, "accepted", offer.to).state == "accepted"
    assert heads(teams) == [("olga", NOW + HOUR)]
    with pytest.raises(Refused, match="no longer open"):
        decided(offer, "withdrawn", head)
    with pytest.raises(Refused, match="Only the head"):
        named(teams, "battle", "olga", Role.MOVEMENT)
    entries = LogEntry.objects.filter(action__startswith="judge.head_").order_by("pk")
    assert [(entry.action, entry.actor_id) for entry in entries] == [
        ("judge.head_offered", head.user_id),
        ("judge.head_accepted", offer.to.user_id),
    ]
    judges = {judge.user_id for judge in Judge.objects.filter(round=teams.round)}
    assert {news.user_id for news in news_of_log(list(entries[:1]), NOW)} == judges - {head.user_id}


@pytest.mark.parametrize(("how", "by"), [("declined", "to"), ("withdrawn", "head")])
def test_an_offer_that_is_declined_or_withdrawn_changes_nothing(
    teams: World, offer: Handover, how: str, by: str
) -> None:
    assert decided(offer, how, getattr(offer, by)).state == how
    assert decided(offer, how, getattr(offer, by)).state == how
    with pytest.raises(Refused, match="no longer open"):
        decided(offer, "accepted", offer.to)
    assert [name for name, _ in heads(teams)] == ["Judge battle"]


def test_an_offer_lapses_after_a_week_and_all_judges_are_notified(teams: World, offer: Handover) -> None:
    week = timedelta(days=7)
    with pytest.raises(Refused, match="no longer open"):
        decided(offer, "accepted", offer.to, week)
    assert [lapse_offers(NOW + week), lapse_offers(NOW + week)] == [1, 0]
    [entry] = LogEntry.objects.filter(action="judge.head_lapsed")
    judges = {judge.user_id for judge in Judge.objects.filter(round=teams.round)}
    assert {news.user_id for news in news_of_log([entry], NOW + week)} == judges
    assert [name for name, _ in heads(teams)] == ["Judge battle"]


def test_an_offer_falls_with_the_judge_to_whom_or_by_whom_it_was_made(teams: World, offer: Handover) -> None:
    dismissed(teams, teams.judges["battle"], offer.to)
    offer.refresh_from_db()
    assert offer.state == "lapsed"
    name_judge(round=teams.round, by=teams.judges["battle"], username="olga", role=Role.BATTLE, reason="", now=NOW)
    stranger("rio")
    again = offer_lead(round=teams.round, by=teams.judges["battle"], judge_id=offer.to_id, reason="", now=NOW)
    assert again is not None
    name_head(round=teams.round, role=Role.BATTLE, username="rio", reason="She has vanished.", by=None, now=NOW)
    with pytest.raises(Refused, match="no longer open"):
        decided(again, "accepted", again.to)
    assert [name for name, _ in heads(teams)] == ["rio"]


def test_one_place_is_offered_to_one_judge_at_a_time(teams: World, offer: Handover) -> None:
    stranger("rio")
    rio = named(teams, "battle", "rio")
    with pytest.raises(Refused, match="olga has already been asked"):
        offer_lead(round=teams.round, by=teams.judges["battle"], judge_id=rio.pk, reason="", now=NOW)


def test_an_offer_that_lapsed_is_in_the_way_of_no_other(teams: World, offer: Handover) -> None:
    head, later = teams.judges["battle"], offer.lapses_at
    again = offer_lead(round=teams.round, by=head, judge_id=offer.to_id, reason="", now=later)
    assert again is not None
    assert again.lapses_at > later


@pytest.mark.django_db(transaction=True)
def test_of_accepting_and_withdrawing_at_once_one_counts(teams: World, offer: Handover) -> None:
    came = at_once(lambda: decided(offer, "accepted", offer.to), lambda: decided(offer, "withdrawn", offer.head))
    assert sorted(type(each).__name__ for each in came) == ["Handover", "Refused"]
    offer.refresh_from_db()
    assert [name for name, _ in heads(teams)] == ["olga" if offer.state == "accepted" else "Judge battle"]


def test_a_role_without_a_head_gets_one_at_once(teams: World) -> None:
    with locking.transaction():
        Judge.objects.filter(round=teams.round, role="movement").update(is_head=False)
    mo = Judge.objects.get(round=teams.round, role="movement")
    assert offer_lead(round=teams.round, by=teams.judges["battle"], judge_id=mo.pk, reason="", now=NOW) is None
    assert heads(teams, "movement") == [(mo.name, NOW)]


def test_an_administrator_names_an_outsider_only_for_an_appeal_that_waits(teams: World) -> None:
    """R57."""
    stranger("olga")
    given = {"round": teams.round, "username": "olga", "reason": "Nobody else can.", "by": None, "now": NOW}
    with pytest.raises(Refused, match="No appeal in Trial is waiting") as refused:
        name_outsider(**given)
    assert refused.value.cites == "R57"
    turn = Turn.objects.filter(round=teams.round).first()
    with locking.transaction():
        Appeal.objects.create(
            round=teams.round, number=1, player=teams.players["Dot"], turn=turn, kind="sanction", cites="1.3",
            reason="Why?", lodged_at=NOW, due_at=NOW + HOUR, token="x", judge=teams.judges["battle"], is_party=True,
            draws=[{"drew": teams.judges["battle"].name}],
        )  # fmt: skip
    made = name_outsider(**given)
    assert (made.role, made.is_head) == ("battle", False)
    assert pass_on(NOW) == 1
    assert Appeal.objects.get().judge == made
    assert [name for name, _ in heads(teams)] == ["Judge battle"]


def test_only_the_head_battle_judge_gives_his_place_away(teams: World) -> None:
    for who in ("olga", "rio"):
        stranger(who)
    olga, rio = named(teams, "battle", "olga"), named(teams, "battle", "rio")
    for by in (olga, teams.judges["movement"]):
        with pytest.raises(Refused):
            offer_lead(round=teams.round, by=by, judge_id=rio.pk, reason="", now=NOW)
    assert Judge.objects.get(round=teams.round, role="battle", is_head=True) == teams.judges["battle"]


def test_a_round_always_keeps_its_heads(teams: World) -> None:
    for judge in teams.judges.values():
        with pytest.raises(Refused, match="is the head judge"):
            dismissed(teams, teams.judges["battle"], judge)
        with pytest.raises(Refused, match="is the head judge"):
            dismissed(teams, judge, judge)


def test_an_assistant_who_is_dismissed_judges_no_more_and_what_he_did_stays(teams: World) -> None:
    user = stranger("olga")
    olga = named(teams, "battle", "olga")
    with pytest.raises(Refused, match="reason is empty"):
        dismissed(teams, teams.judges["battle"], olga, " ")
    dismissed(teams, teams.judges["battle"], olga)
    assert viewer_of(user, teams.round).roles == frozenset()
    assert Judge.everybody.get(pk=olga.pk).dismissed_at == NOW + HOUR
    assert LogEntry.objects.get(action="judge.dismissed").data["reason"] == "He is away."
    with pytest.raises(Refused, match="no longer judges this round"):
        dismissed(teams, teams.judges["battle"], olga)
    again = named(teams, "battle", "olga")
    assert (again.pk, again.dismissed_at) == (olga.pk, None)


def test_a_player_who_is_dismissed_as_a_judge_stays_a_player_without_the_role(teams: World) -> None:
    judge, user = add_judge(teams.round, Role.MOVEMENT, "Cem", is_head=False), teams.players["Cem"].user
    Judge.objects.filter(pk=judge.pk).update(user=user)
    assert viewer_of(user, teams.round).roles == {Role.MOVEMENT}
    Judge.objects.filter(pk=judge.pk).update(dismissed_at=NOW)
    assert (viewer_of(user, teams.round).player, viewer_of(user, teams.round).roles) == (teams.players["Cem"], set())


def test_an_assistant_may_go_of_his_own_will_and_dismisses_nobody(teams: World) -> None:
    for who in ("olga", "rio"):
        stranger(who)
    olga, rio = named(teams, "battle", "olga"), named(teams, "battle", "rio")
    with pytest.raises(Refused, match="Only the head"):
        dismissed(teams, olga, rio)
    dismissed(teams, olga, olga, "No time.")
    assert LogEntry.objects.get(action="judge.resigned").data["name"] == "olga"


def test_who_is_dismissed_scores_no_battle_as_a_second_judge(war: World, battle: Battle) -> None:
    """4.2.1."""
    second = add_judge(war.round, "battle", "Second", is_head=False)
    head = war.judges["battle"]
    name_second_judge(battle=battle, judge=head, second=second, now=battle.announced_at)
    dismiss_judge(round=war.round, by=head, judge_id=second.pk, reason="Gone.", now=battle.announced_at)
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    assert Battle.objects.get(pk=battle.pk).second_judge is None
    assert (
        lock_score(battle=battle, judge=head, favours=0, bonus=2, reasons=REASONS, now=battle.deadline + HOUR).judge
        == head
    )


@pytest.mark.parametrize("state", ["setup", "over", "archive"])
def test_judges_change_while_a_round_is_played_only(teams: World, state: str) -> None:
    stranger("olga")
    Round.objects.filter(pk=teams.round.pk).update(state=state)
    with pytest.raises(Refused):
        named(teams, "battle", "olga")


def test_a_role_without_a_judge_gets_a_head(teams: World) -> None:
    teams.judges["mercenary"].delete()
    stranger("olga")
    assert named(teams, "battle", "olga", Role.MERCENARY).is_head


# Overruling


def scored(war: World, battle: Battle, runs: bool = False) -> tuple[Judge, Judge, Score]:
    """An assistant's score of +7 to the first side, and the head's."""
    assistant, head = add_judge(war.round, "battle", "Second", is_head=False), war.judges["battle"]
    for army in ("Ana", "Gaz"):
        war.strat(battle, army, army, runs=runs and army == "Ana")
    score = lock_score(battle=battle, judge=assistant, favours=0, bonus=7, reasons=REASONS, now=battle.deadline + HOUR)
    return assistant, head, score


def over(
    battle: Battle, judge: Judge, favours: int | None = 1, bonus: int = 2, reason: str = "Read it again."
) -> Score:
    now = battle.deadline + 2 * HOUR
    return overrule_score(
        battle=battle, judge=judge, favours=favours, bonus=bonus, reason=reason, reasons=REASONS, now=now
    )


def test_the_head_overrules_an_assistants_score_before_the_roll_and_both_stay(war: World, battle: Battle) -> None:
    assistant, head, _ = scored(war, battle)
    score = over(battle, head)
    assert (score.judge, score.favours, score.bonus, score.how) == (head, 1, 2, "over")
    (former,) = score.overruled
    assert (former["judge"], former["favours"], former["bonus"], former["reason"]) == ("Second", 0, 7, "Read it again.")
    assert "battle.score_overruled" in LogEntry.objects.values_list("action", flat=True)
    publish_result(battle=battle, judge=assistant, narrative="", now=battle.deadline + 3 * HOUR)
    (view,) = published_battles([war.turn], Viewer(None, war.round), battle.deadline + 4 * HOUR)
    assert view.result is not None
    assert [bonus["strategy"] for bonus in view.result.bonuses] == [0, 2]
    assert view.result.overruled == ("Judge battle overruled the score by Second (+7 for Ana): Read it again.",)


def test_a_score_is_overruled_by_the_head_alone_and_never_his_own(war: World, battle: Battle) -> None:
    assistant, head, _ = scored(war, battle)
    third = add_judge(war.round, "battle", "Third", is_head=False)
    for judge in (assistant, third, war.judges["movement"]):
        with pytest.raises(Refused):
            over(battle, judge)
    over(battle, head)
    with pytest.raises(Refused, match="yourself"):
        over(battle, head, favours=0, bonus=3)


def test_after_the_roll_no_score_is_overruled(war: World, battle: Battle) -> None:
    """R38."""
    _, head, _ = scored(war, battle)
    roll(battle=battle, judge=head, now=battle.deadline + 2 * HOUR)
    with pytest.raises(Refused, match="have been rolled") as caught:
        over(battle, head)
    assert caught.value.cites == "R38"


def test_a_score_is_overruled_with_a_reason_and_by_another_one(war: World, battle: Battle) -> None:
    _, head, _ = scored(war, battle)
    with pytest.raises(Refused, match="reason is empty"):
        over(battle, head, reason=" ")
    with pytest.raises(Refused, match="nothing to overrule"):
        over(battle, head, favours=0, bonus=7)
    with pytest.raises(Refused, match="0 to 10"):
        over(battle, head, favours=0, bonus=11)


def test_the_head_overrules_more_time_that_an_assistant_gave(war: World, battle: Battle) -> None:
    """R5."""
    assistant, head = add_judge(war.round, "battle", "Second", is_head=False), war.judges["battle"]
    was, now = battle.deadline, battle.announced_at + HOUR
    extend_strats(battle=battle, judge=assistant, until=was + HOUR, reason="A storm.", now=now)
    assert overrule_extension(battle=battle, judge=assistant, reason="The wrong day.", now=now) == was
    extend_strats(battle=battle, judge=assistant, until=was + HOUR, reason="A storm.", now=now)
    other = add_judge(war.round, "battle", "Other", is_head=False)
    with pytest.raises(Refused, match="Only Second or the head battle judge can withdraw this"):
        overrule_extension(battle=battle, judge=other, reason="No.", now=now)
    assert overrule_extension(battle=battle, judge=head, reason="There was none.", now=now) == was
    assert Battle.objects.get(pk=battle.pk).deadline == was
    assert LogEntry.objects.filter(action="battle.extension_overruled").latest("pk").data["of"] == "Second"
    with pytest.raises(Refused, match="has already overruled that"):
        extend_strats(battle=battle, judge=assistant, until=was + HOUR, reason="But.", now=now)
    extend_strats(battle=battle, judge=head, until=was + HOUR, reason="After all.", now=now)


def test_more_time_for_one_army_is_overruled_by_the_extenders_head(war: World, battle: Battle) -> None:
    """1.3, 5.4.1: the head movement judge is the head of an assistant movement judge, and of no battle judge."""
    helper = add_judge(war.round, "movement", "Helper", is_head=False)
    ana, now, was = war.army("Ana"), battle.announced_at + HOUR, battle.deadline
    extend_strats(battle=battle, judge=helper, until=was + HOUR, reason="Ill.", now=now, army=ana)
    other = add_judge(war.round, "movement", "Other", is_head=False)
    with pytest.raises(Refused, match="Only Helper, their head judge or the head battle judge can withdraw this"):
        overrule_extension(battle=battle, judge=other, reason="No.", now=now, army=ana)
    overrule_extension(battle=battle, judge=war.judges["movement"], reason="He is well.", now=now, army=ana)
    assert battle.entries.get(army=ana).deadline is None
    extend_strats(battle=battle, judge=war.judges["battle"], until=was + HOUR, reason="Ill.", now=now, army=ana)
    with pytest.raises(Refused, match="Only Judge battle can withdraw this"):
        overrule_extension(battle=battle, judge=war.judges["movement"], reason="No.", now=now, army=ana)


def test_time_that_has_passed_is_not_taken_back(war: World, battle: Battle) -> None:
    assistant, was = add_judge(war.round, "battle", "Second", is_head=False), battle.deadline
    extend_strats(battle=battle, judge=assistant, until=was + 9 * HOUR, reason="A storm.", now=was - HOUR)
    with pytest.raises(Refused, match="has passed, so no one could meet it"):
        overrule_extension(battle=battle, judge=war.judges["battle"], reason="No.", now=was + HOUR)
    with pytest.raises(Refused, match="was not moved"):
        overrule_extension(
            battle=battle, judge=war.judges["battle"], reason="No.", now=was - HOUR, army=war.army("Ana")
        )


def test_the_head_overrules_that_a_late_strat_counts(war: World, battle: Battle) -> None:
    """R35."""
    assistant, head = add_judge(war.round, "battle", "Second", is_head=False), war.judges["battle"]
    now = battle.deadline + HOUR
    strat = war.strat(battle, "Ana", "Ana", now=now)
    accept_late(strat=strat, judge=assistant, reason="The mail was slow.", now=now)
    with pytest.raises(Refused, match="Only the head"):
        overrule_late(strat=strat, judge=assistant, reason="No.", now=now)
    assert overrule_late(strat=strat, judge=head, reason="It was not.", now=now).accepted_at is None
    with pytest.raises(Refused, match="has already overruled that"):
        accept_late(strat=strat, judge=assistant, reason="But.", now=now)


def test_a_head_overrules_the_ruling_of_his_assistant_and_not_the_other_way_round(war: World) -> None:
    """1.3, 3.3.3."""
    war.score(Battle.objects.get(turn=war.turn))
    moved(war)
    aside = new("aside", "Ben")
    war.judges["helper"] = add_judge(war.round, "movement", "Helper", is_head=False)
    made = rule(war, aside, by="helper")
    withdrawn = withdraw_ruling(
        ruling=made, judge=war.judges["movement"], reason="Not so.", now=war.turn.lock_at + HOUR
    )
    assert withdrawn.withdrawn_by == war.judges["movement"]
    entry = LogEntry.objects.get(action="ruling.overruled")
    assert (entry.data["ruling"], entry.data["of"]) == (1, "Helper")
    heads = rule(war, aside, by="movement")
    with pytest.raises(Refused, match="Only Judge movement or the head battle judge can withdraw this"):
        withdraw_ruling(ruling=heads, judge=war.judges["helper"], reason="But.", now=war.turn.lock_at)
    with pytest.raises(Refused, match="You can't overrule them") as caught:
        rule(war, aside, by="helper")
    assert caught.value.cites == "1.3"
    rule(war, aside, by="battle")


def test_an_assistant_does_not_rule_otherwise_on_a_kill_than_his_head(war: World, battle: Battle) -> None:
    """4.3, 1.3."""
    assistant, head = add_judge(war.round, "battle", "Second", is_head=False), war.judges["battle"]
    strat = war.strat(battle, "Ana", "Ana", risk="kill")
    given = {"strat": strat, "target": "", "cites": "4.3.2", "now": battle.deadline}
    rule_on_risk(judge=assistant, reason="Too few.", **given)
    rule_on_risk(judge=head, reason="Too far.", **given)
    ruling = RiskRuling.objects.get()
    assert [(one["judge"], one["reason"]) for one in ruling.overruled] == [("Second", "Too few.")]
    for undo in (
        lambda: rule_on_risk(judge=assistant, reason="But.", **given),
        lambda: withdraw_risk_ruling(battle=battle, judge=assistant, ruling_id=ruling.pk, now=battle.deadline),
    ):
        with pytest.raises(Refused, match="can't overrule that"):
            undo()


def test_an_assistant_does_not_adjust_what_his_head_adjusted(war: World, battle: Battle) -> None:
    """4.2.6."""
    assistant, head, _ = scored(war, battle, runs=True)
    now = battle.deadline + 2 * HOUR
    roll(battle=battle, judge=head, now=now)
    given = {"battle": battle, "kind": "losses", "army": "Ana", "percent": 50, "reason": "The sea.", "now": now}
    adjust(judge=assistant, **given)
    adjust(judge=head, **{**given, "percent": 60})
    with pytest.raises(Refused, match="can't overrule it"):
        adjust(judge=assistant, **given)


def test_an_assistant_does_not_order_a_mercenary_otherwise_than_his_head(db: None) -> None:
    """6, R48."""
    world = make_round({**FOUR, "Ike": ("phyrexia", "7G", "evincar")})
    add_mercenary(world.round, "Wolfpack", "raider", "5G")
    begin(world)
    assistant = add_judge(world.round, "mercenary", "Second", is_head=False)
    given = {"turn": world.turn, "army": "Wolfpack", "now": UNLOCK + HOUR}
    replace_order(judge=assistant, order="5G > 4H", token=token(), **given)
    replace_order(judge=world.judges["mercenary"], order="5G > 4G", token=token(), **given)
    with pytest.raises(Refused, match="can't overrule that"):
        replace_order(judge=assistant, order="5G > 4H", token=token(), **given)


def test_an_assistant_does_not_change_the_control_list_back(teams: World) -> None:
    """5.2.1, 1.3."""
    helper = add_judge(teams.round, "movement", "Helper", is_head=False)

    def change(judge: Judge, to: str) -> None:
        asked = AskedControl((Wish("Elk", (to,)),), token(), {})
        change_list(round=teams.round, judge=judge, side=Side.COALITION, asked=asked, reason="So.", now=NOW)

    change(helper, "Cem")
    change(teams.judges["movement"], "Bo")
    with pytest.raises(Refused, match="you can't overrule that decision"):
        change(helper, "Cem")
    change(teams.judges["battle"], "Dot")
    with pytest.raises(Refused, match="Judge battle has already decided on Elk"):
        change(teams.judges["movement"], "Bo")


def taken_in(teams: World, by: Judge | Player) -> Player:
    asked = ask_admission(
        round=teams.round, user=stranger("newt"), side="coalition", name="Newt", text="Hello.", factions=(),
        token=token(), now=NOW,
    )  # fmt: skip
    return accept_admission(admission=asked, by=by, rank=Rank.LIEUTENANT, now=NOW)


def test_the_head_overrules_an_admission_by_an_assistant(teams: World) -> None:
    """1.1, 1.3."""
    assistant, head = add_judge(teams.round, "battle", "Second", is_head=False), teams.judges["battle"]
    player = taken_in(teams, assistant)
    for judge in (assistant, teams.judges["movement"], None):
        with pytest.raises(Refused, match="Only the head battle judge"):
            overrule_admission(player=player, judge=judge, reason="No.", now=NOW + HOUR)
    overrule_admission(player=player, judge=head, reason="He plays for both.", now=NOW + HOUR)
    player.refresh_from_db()
    assert (player.left_at, player.rank) == (NOW + HOUR, "")
    admission = Admission.objects.get(player=player)
    assert (admission.state, admission.decided_by, admission.reason) == (
        "refused",
        "Judge battle",
        "He plays for both.",
    )
    assert LogEntry.objects.get(action="player.overruled").data["of"] == "Second"
    with pytest.raises(Refused, match="only overrule admissions by assistant judges"):
        overrule_admission(player=player, judge=head, reason="No.", now=NOW + HOUR)


def test_whom_his_leaders_took_in_is_theirs(teams: World) -> None:
    player = taken_in(teams, teams.players["Ana"])
    with pytest.raises(Refused, match="only overrule admissions by assistant judges"):
        overrule_admission(player=player, judge=teams.judges["battle"], reason="No.", now=NOW)
