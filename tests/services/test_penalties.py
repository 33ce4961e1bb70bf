"""5.4.1, R47, 1.3: penalties are drawn once, count at once, and are recomputed with their turn."""

from datetime import timedelta

import pytest
from django.utils import timezone

from judging.announcements.models import Notice
from judging.armies.queries import army_card, army_list
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle
from judging.battles.queries import battle_view
from judging.battles.resolution import sides_of
from judging.battles.strats.extensions import extend_strats, overrule_extension
from judging.battles.strats.queries import deadline_of
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.positions import position_of
from judging.common.viewer import viewer_of
from judging.import_export.exporting import Everything, Public, round_file
from judging.import_export.importing import import_round
from judging.penalties.models import Penalty
from judging.penalties.services import hand_down, lift, preview
from judging.turns.drafts import publish_draft
from judging.turns.models import Draft
from judging.turns.rulings.corrections import apply_correction
from judging.turns.stages import advance
from judging.verification.checks import verify_round
from tests.services.conftest import FOUR
from tests.services.penalties import REASON, new_penalty, penalise
from tests.services.ruling import moved, new, propose
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import HOUR, REASONS, TROOPS, World, add_judge, begin, make_round
from wargame import world as rows
from wargame.models import Base, Turn
from wargame.rules.core.dice import turn_dice
from wargame.rules.core.troops import alive_by_slot
from wargame.rules.core.turn import PER_SLOT

DAY = timedelta(days=1)


def left_after(penalty: Penalty, troops: tuple[int, ...] = TROOPS) -> tuple[int, ...]:
    """What an army has left of its troops."""
    factor = (penalty.severity or 0) * (penalty.roll or 0)
    return tuple(max(number - factor * each, 0) for number, each in zip(troops, PER_SLOT, strict=True))


def alive(world: World, army: str) -> tuple[int, ...]:
    """The troops of an army as its rows have them, slot by slot."""
    return tuple(world.army(army).troops.order_by("place").values_list("alive", flat=True))


def on_map(world: World, army: str) -> tuple[int, ...]:
    return alive_by_slot(position_of(world.turn).by_name[army].troops)


def is_recomputed(world: World) -> bool:
    return all(not check.differences for check in verify_round(world.round))


def take_back(world: World, penalty: Penalty, by: str = "movement", **more: object) -> Penalty:
    given = {"reason": "It was a misreading.", "now": world.turn.opened_at + 2 * HOUR, **more}
    return lift(penalty=penalty, judge=world.judges[by], **given)  # type: ignore[arg-type]


def the_battle(world: World) -> Battle:
    return Battle.objects.select_related("turn__round").get(turn=world.turn)


def test_the_die_comes_from_the_turns_seed_by_the_number_of_the_penalty(world: World) -> None:
    first, second = penalise(world), penalise(world, new_penalty("Gaz", "Hex", severity="5"))
    turn = world.turn
    dice = turn_dice(bytes.fromhex(turn.seed), "trial", 1)
    assert [first.number, second.number] == [1, 2]
    assert [first.roll, second.roll] == [dice.roll("penalty/1", 6), dice.roll("penalty/2", 6)]


def test_the_troops_are_gone_at_once_wherever_they_are_read(world: World) -> None:
    penalty = penalise(world)
    left = left_after(penalty)
    assert left != TROOPS
    assert alive(world, "Ben") == on_map(world, "Ben") == left
    assert rows.load_position(world.round).armies == position_of(world.turn).armies
    (line,) = (line for line in army_list(world.round, timezone.now()) if line.name == "Ben")
    card = army_card(world.round, "Ben", viewer_of(world.players["Ana"].user, world.round), timezone.now())
    assert card is not None
    assert line.alive == card.troops.alive == sum(left)
    assert on_map(world, "Ana") == TROOPS


def test_the_settlement_takes_the_same_from_the_map_as_it_opened_and_is_recomputed(world: World) -> None:
    opened = world.turn.position
    penalty = penalise(world)
    world.post("Ben", "10D > 11D")
    assert world.settle() == "settled"
    turn = Turn.objects.get(number=1)
    assert turn.position == opened
    assert alive(world, "Ben") == on_map(world, "Ben") == left_after(penalty)
    (told,) = (event for event in turn.events if event["kind"] == "penalised")
    assert (told["army"], told["player"], told["cites"], told["roll"]) == ("Ben", "Ana", "5.4.1", penalty.roll)
    assert rows.load_position(world.round) == rows.position_of_turn(world.turn)
    assert is_recomputed(world)


@pytest.mark.parametrize(
    ("changed", "differs"), [({"severity": 3}, "its events"), ({"roll": None}, "the draw penalty/1")]
)
def test_a_penalty_that_was_tampered_with_is_found(world: World, changed: dict[str, object], differs: str) -> None:
    penalty = penalise(world)
    world.settle()
    if changed == {"roll": None}:
        changed = {"roll": (penalty.roll or 0) % 6 + 1}
    Penalty.objects.update(**changed)
    (check,) = verify_round(world.round)
    assert differs in check.differences


def test_what_a_penalty_took_heals_in_the_day_after_it(db: None) -> None:
    """2.3.1.2, R32: in a base of its colour in a day, and the day in which it was lost does not count."""
    world = make_round(FOUR)
    base = {"side": "coalition", "color": "red", "at": "10D"}
    Base.objects.create(round=world.round, name="Red Base", **base)
    begin(world)
    penalty = penalise(world)
    assert alive(world, "Ben") == left_after(penalty)
    world.settle()
    assert alive(world, "Ben") == on_map(world, "Ben") == left_after(penalty)
    world.settle()
    assert alive(world, "Ben") == on_map(world, "Ben") == TROOPS
    assert is_recomputed(world)


def test_the_same_form_sent_twice_makes_one(world: World) -> None:
    first, again = penalise(world, form="one form"), penalise(world, form="one form")
    assert first == again
    assert alive(world, "Ben") == left_after(first)
    assert Notice.objects.filter(kind="penalty").count() == 1


def test_it_is_public_with_reason_rule_and_die(world: World) -> None:
    penalty = penalise(world)
    notice = Notice.objects.get(kind="penalty")
    assert notice.thread == "movement"
    assert notice.text.startswith("Penalty 1 for Ana: Ben must give up ")
    assert f"(severity 2 times {penalty.roll}, drawn as penalty/1) (5.4.1). {REASON}" in notice.text
    *slots, last = (f"{troops:,}" for troops in left_after(penalty))
    assert notice.text.endswith(f"Troops left in slots 1 to 4 of Ben: {', '.join(slots)} and {last}.")
    entry = LogEntry.objects.get(action="penalty.handed_down")
    assert entry.actor == world.judges["movement"].user
    assert entry.data == {"turn": 1, "penalty": 1, "player": "Ana", "reason": REASON}


def test_several_penalties_add_up(world: World) -> None:
    first, second = penalise(world, new_penalty(severity="5")), penalise(world, new_penalty(severity="5"))
    assert alive(world, "Ben") == left_after(second, left_after(first))
    world.settle()
    assert alive(world, "Ben") == on_map(world, "Ben")
    assert is_recomputed(world)


def test_a_loss_by_hand_and_a_reprimand_are_not_rolled(world: World) -> None:
    stated = penalise(world, new_penalty(kind="stated", troops=("1,000", "", "0", "40")))
    reprimand = penalise(world, new_penalty("", kind="reprimand"))
    assert (stated.roll, reprimand.roll, reprimand.army) == (None, None, None)
    assert alive(world, "Ben") == (4000, 2500, 1500, 960)
    world.settle()
    events = [event["number"] for event in Turn.objects.get(number=1).events if event["kind"] == "penalised"]
    assert events == [1]
    assert is_recomputed(world)


def test_a_lifted_penalty_gives_the_troops_back_and_stays_on_record(world: World) -> None:
    first, second = penalise(world), penalise(world, new_penalty(severity="1", player="Hex"))
    take_back(world, first)
    take_back(world, first)
    assert alive(world, "Ben") == on_map(world, "Ben") == left_after(second)
    assert penalise(world, new_penalty("Gaz", "Hex")).number == 3
    row = Penalty.objects.get(number=1)
    assert (row.lifted_by, row.lifted_reason) == (world.judges["movement"], "It was a misreading.")
    told = [notice.text for notice in Notice.objects.filter(kind="penalty")]
    assert told.count("Penalty 1 for Ana was lifted. It was a misreading.") == 1
    world.settle()
    assert is_recomputed(world)
    assert alive(world, "Ben") == left_after(second)


def test_no_die_is_rolled_again_after_it_was_lifted(world: World) -> None:
    """R47, R38: who could lift and roll anew would roll until it suits him."""
    take_back(world, penalise(world))
    with pytest.raises(Refused, match="Penalty 1 was already rolled for this player and army"):
        penalise(world)
    penalise(world, new_penalty(player="Hex"))
    penalise(world, new_penalty(kind="stated", troops=("100", "", "", "")))
    assert Penalty.objects.count() == 3


def test_only_its_judge_and_the_head_battle_judge_lift_it(world: World) -> None:
    penalty = penalise(world)
    world.judges["deputy"] = add_judge(world.round, "battle", "Deputy", is_head=False)
    with pytest.raises(Refused, match="Only Judge movement or the head battle judge can lift this penalty"):
        take_back(world, penalty, by="deputy")
    take_back(world, penalty, by="battle")
    with pytest.raises(Refused, match="Judge battle already lifted this penalty"):
        take_back(world, penalty)


def test_after_the_settlement_nothing_is_given_back_but_a_reprimand_can_be_lifted(world: World) -> None:
    penalty, reprimand = penalise(world), penalise(world, new_penalty("", kind="reprimand"))
    world.settle()
    with pytest.raises(Refused, match="Turn 1 is settled, so the troops that the penalty took can't be given back"):
        take_back(world, penalty)
    assert take_back(world, reprimand).lifted_at
    assert is_recomputed(world)


@pytest.mark.parametrize("by", ["mercenary", "stranger"])
def test_other_judges_hand_down_nothing(world: World, by: str) -> None:
    world.judges["stranger"] = make_round({}, slug="other", name="Other").judges["movement"]
    with pytest.raises(Refused, match="Only this round's movement and battle judges can impose penalties"):
        penalise(world, by=by)
    assert alive(world, "Ben") == TROOPS


def test_other_sanctions_are_the_battle_judges(world: World) -> None:
    """1.3: a player who breaks any game rules may be sanctioned by the battle judge."""
    sanction = new_penalty(kind="stated", troops=("100", "", "", ""), cites="1.6")
    with pytest.raises(Refused, match="Only a battle judge can impose penalties under 1.6"):
        penalise(world, sanction)
    assert penalise(world, sanction, by="battle").cites == "1.6"
    with pytest.raises(Refused, match="You can only use severity and a die for acting with someone"):
        penalise(world, new_penalty(cites="1.6"), by="battle")


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"kind": "whip"}, "kind"),
        ({"player": "Nobody"}, "player"),
        ({"player": "A\0na"}, "player"),
        ({"army": ""}, "army"),
        ({"army": "Elsewhere"}, "army"),
        ({"severity": "6"}, "severity"),
        ({"severity": "0"}, "severity"),
        ({"severity": "9" * 50}, "severity"),
        ({"kind": "stated"}, "slot1"),
        ({"kind": "stated", "troops": ("", "2501", "", "")}, "slot2"),
        ({"kind": "stated", "troops": ("", "", "-1", "")}, "slot3"),
        ({"cites": ""}, "cites"),
        ({"cites": "99.9"}, "cites"),
        ({"reason": "  "}, "reason"),
        ({"reason": "a\0b"}, "reason"),
        ({"reason": "x" * 2001}, "reason"),
    ],
)
def test_what_is_wrong_is_said_beside_its_field_and_nothing_is_rolled(
    world: World, wrong: dict[str, object], field: str
) -> None:
    typed = new_penalty(**wrong)  # type: ignore[arg-type]
    with pytest.raises(Refused) as found:
        preview(turn=world.turn, judge=world.judges["movement"], new=typed)
    assert found.value.field == field
    with pytest.raises(Refused):
        penalise(world, typed)
    assert not Penalty.objects.exists()


def test_the_preview_rolls_and_stores_nothing(world: World) -> None:
    row = preview(turn=world.turn, judge=world.judges["movement"], new=new_penalty())
    assert (row.pk, row.roll) == (None, None)
    assert not Penalty.objects.exists()


def test_a_settled_turn_takes_none(world: World) -> None:
    turn = world.turn
    world.settle()
    with pytest.raises(Refused, match="Turn 1 is no longer being played"):
        hand_down(turn=turn, judge=world.judges["movement"], new=new_penalty(), token="late", now=turn.lock_at)


def test_an_army_in_battle_fights_with_what_is_left(war: World) -> None:
    battle = the_battle(war)
    penalty = penalise(war, new_penalty("Ana", "Ben", severity="5"))
    left = left_after(penalty)
    shown = battle_view(battle.pk, viewer_of(war.players["Gaz"].user, war.round), battle.announced_at)
    assert shown is not None
    assert tuple(slot.alive for slot in shown.fighter("Ana").slots) == left  # type: ignore[union-attr]
    fighters = {one.army.name: one.army for side in sides_of(the_battle(war), {}, None, 0) for one in side.fighters}
    assert alive_by_slot(fighters["Ana"].troops) == left
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    war.score(battle)
    assert war.settle() == "settled"
    assert is_recomputed(war)
    assert rows.load_position(war.round) == rows.position_of_turn(war.turn)


@pytest.mark.parametrize(("before", "extended"), [(25 * HOUR, False), (24 * HOUR, True), (HOUR, True), (-HOUR, False)])
def test_in_the_last_24_hours_its_strat_and_no_other_gets_24_more(
    war: World, before: timedelta, extended: bool
) -> None:
    battle = the_battle(war)
    penalty = penalise(war, new_penalty("Ana", "Ben"), at=battle.deadline - before)
    until = {entry.name: deadline_of(entry, battle) for entry in battle.entries.all()}
    assert until == {"Ana": battle.deadline + (DAY if extended else timedelta(0)), "Gaz": battle.deadline}
    assert penalty.extended_to == (battle.deadline + DAY if extended else None)
    assert not penalty.after_battle
    assert LogEntry.objects.filter(action="battle.extended").count() == extended


def test_a_second_one_gives_24_hours_from_the_deadline_that_the_strat_has(war: World) -> None:
    battle = the_battle(war)
    penalise(war, new_penalty("Ana", "Ben"), at=battle.deadline - HOUR)
    penalise(war, new_penalty("Ana", "Hex"), at=battle.deadline + HOUR)
    assert deadline_of(battle.entries.get(name="Ana"), battle) == battle.deadline + 2 * DAY


def test_the_24_hours_are_the_rules_and_not_the_judges_who_was_overruled(war: World) -> None:
    """5.4.1, 1.3: what the head took back before was time that a judge gave of his own will."""
    battle = the_battle(war)
    was, now, army = battle.deadline, battle.deadline - 2 * HOUR, war.army("Ana")
    extend_strats(battle=battle, judge=war.judges["movement"], until=was + HOUR, reason="Ill.", now=now, army=army)
    overrule_extension(battle=battle, judge=war.judges["battle"], reason="No.", now=now, army=army)
    penalty = penalise(war, new_penalty("Ana", "Ben"), at=was - HOUR)
    assert penalty.extended_to == was + DAY


def test_a_reprimand_gives_no_time(war: World) -> None:
    battle = the_battle(war)
    penalise(war, new_penalty("Ana", "Ben", kind="reprimand"), at=battle.deadline - HOUR)
    assert battle.entries.get(name="Ana").deadline is None


def test_between_score_and_result_no_troops_are_taken_and_nobody_learns_why(war: World) -> None:
    """R38: nothing that a judge has read of a battle changes once he has locked a score, and that he has is secret."""
    battle = the_battle(war)
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    now = battle.announced_at + 2 * HOUR
    lock_score(battle=battle, judge=war.judges["battle"], favours=None, bonus=0, reasons=REASONS, now=now)
    with pytest.raises(Refused, match="until the result is published"):
        preview(turn=war.turn, judge=war.judges["movement"], new=new_penalty("Ana", "Ben"))
    with pytest.raises(Refused, match="until the result is published"):
        penalise(war, new_penalty("Ana", "Ben"))
    assert not Notice.objects.filter(kind="penalty").exists()
    assert penalise(war, new_penalty("Ana", "Ben", kind="reprimand")).number == 1


def test_after_the_result_it_is_taken_from_what_the_battle_left(war: World) -> None:
    battle = the_battle(war)
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    fell = war.score(battle, now=battle.announced_at + 2 * HOUR).outcome["losses"]["Ana"]
    penalty = penalise(war, new_penalty("Ana", "Ben"), at=battle.deadline - HOUR)
    assert (penalty.after_battle, penalty.extended_to) == (True, None)
    assert alive(war, "Ana") == on_map(war, "Ana") == TROOPS
    assert " of what is left after the battle (5.4.1)" in Notice.objects.get(kind="penalty").text
    assert war.settle() == "settled"
    remained = tuple(had - lost for had, lost in zip(TROOPS, fell, strict=True))
    assert alive(war, "Ana") == left_after(penalty, remained)
    assert is_recomputed(war)


def test_what_a_battle_was_judged_with_is_not_given_back(war: World) -> None:
    battle = the_battle(war)
    penalty = penalise(war, new_penalty("Ana", "Ben"))
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    now = battle.announced_at + 2 * HOUR
    lock_score(battle=battle, judge=war.judges["battle"], favours=None, bonus=0, reasons=REASONS, now=now)
    with pytest.raises(Refused, match="a score for the army's battle is locked"):
        take_back(war, penalty)


def test_a_locked_turn_takes_penalties_until_it_is_settled(world: World) -> None:
    turn = moved(world)
    before = Draft.objects.get(turn=turn)
    penalty = penalise(world, at=turn.lock_at + HOUR)
    assert Draft.objects.get(turn=turn).digest == before.digest
    publish_draft(turn=turn, judge=world.judges["movement"], now=turn.lock_at + 2 * HOUR)
    assert advance(turn.pk, turn.lock_at + 2 * HOUR) == "settled"
    assert alive(world, "Ben") == left_after(penalty)
    assert is_recomputed(world)


def test_a_correction_keeps_the_penalties_of_both_turns(world: World) -> None:
    """3.3.3: the map under a penalty is another one, and the penalty is taken from that."""
    first = penalise(world)
    world.settle()
    second = penalise(world, new_penalty("Hex", "Gaz"))
    correction = propose(world, new("troops", "Hex", slot="1", alive="2,000"), new("square", "Ben", square="9D"))
    apply_correction(correction=correction, judge=world.judges["movement"], now=world.turn.opened_at + 2 * HOUR)
    assert alive(world, "Ben") == left_after(first)
    assert alive(world, "Hex") == on_map(world, "Hex") == left_after(second, (2000, *TROOPS[1:]))
    assert is_recomputed(world)
    world.settle()
    assert is_recomputed(world)
    assert rows.load_position(world.round) == rows.position_of_turn(world.turn)


def test_an_army_that_a_penalty_left_without_troops_fights_its_battle_and_is_settled(war: World) -> None:
    battle = the_battle(war)
    penalise(war, new_penalty("Ana", "Ben", kind="stated", troops=("5000", "2500", "1500", "1000")))
    assert alive(war, "Ana") == (0, 0, 0, 0)
    war.strat(battle, "Gaz", "Gaz")
    war.score(battle, now=battle.deadline + HOUR)
    assert war.settle() == "settled"
    assert is_recomputed(war)
    assert rows.load_position(war.round) == rows.position_of_turn(war.turn)


def test_a_round_with_penalties_goes_out_and_comes_in_the_same(world: World) -> None:
    take_back(world, penalise(world))
    penalise(world, new_penalty("Gaz", "Hex"))
    world.settle()
    penalise(world, new_penalty("", kind="reprimand"))
    penalise(world, new_penalty("Ben", "Hex", severity="5"))
    whole = b"".join(round_file(Everything(world.round)))
    imported = import_round(whole, slug="elsewhere").round
    assert all(not check.differences for check in verify_round(imported))
    turn = Turn.objects.get(round=imported, number=2)
    assert rows.load_position(imported).armies == position_of(turn).armies
    assert [row.number for row in Penalty.objects.filter(turn__round=imported)] == [1, 2, 1, 2]


def test_everybody_finds_them_in_the_public_file(world: World) -> None:
    take_back(world, penalise(world))
    file = b"".join(round_file(Public(world.round, world.turn.opened_at + 3 * HOUR)))
    imported = import_round(file, slug="public").round
    row = Penalty.objects.get(turn__round=imported)
    assert (row.reason, row.lifted_reason) == (REASON, "It was a misreading.")


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_four_times_at_once_makes_one_penalty(world: World) -> None:
    given = at_once(*[lambda: penalise(world, form="one form")] * 4)
    penalty = Penalty.objects.get()
    assert {row.pk for row in given} == {penalty.pk}
    assert alive(world, "Ben") == left_after(penalty)
    assert world.turn.penalties == 1


@pytest.mark.django_db(transaction=True)
def test_four_penalties_at_once_have_four_numbers_and_add_up(world: World) -> None:
    at_once(*[lambda: penalise(world, new_penalty(severity="1"))] * 4)
    left = TROOPS
    for penalty in Penalty.objects.order_by("number"):
        left = left_after(penalty, left)  # type: ignore[assignment]
    assert [row.number for row in Penalty.objects.order_by("number")] == [1, 2, 3, 4]
    assert alive(world, "Ben") == left


@pytest.mark.django_db(transaction=True)
def test_a_penalty_at_the_moment_of_the_settlement_counts_in_it_or_is_refused(world: World) -> None:
    turn = world.turn
    now = turn.lock_at + HOUR
    judge = world.judges["movement"]
    given, _ = at_once(
        lambda: hand_down(turn=turn, judge=judge, new=new_penalty(), token="race", now=now),
        lambda: advance(turn.pk, now),
    )
    advance(turn.pk, now)
    assert isinstance(given, Refused) is not Penalty.objects.exists()
    assert alive(world, "Ben") == (left_after(given) if isinstance(given, Penalty) else TROOPS)
    assert rows.load_position(world.round) == rows.position_of_turn(world.turn)
    assert is_recomputed(world)
