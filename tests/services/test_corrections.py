"""3.3.3: a settled turn is corrected as a whole or not at all, and whatever was is kept."""

from dataclasses import replace
from datetime import timedelta

import pytest

from judging.announcements.models import Notice
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Strat
from judging.command.control.services import assign
from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.notifications import gathering
from judging.notifications.models import Notification
from judging.turns.models import Correction, Ruling
from judging.turns.rulings.corrections import apply_correction, drop_correction, propose_correction
from judging.turns.rulings.differences import changes_nothing, difference_of
from judging.turns.rulings.services import corrections_of_turn
from judging.turns.stages import advance
from judging.verification.checks import verify_round
from tests.services.ruling import new, propose
from tests.services.test_exactly_once import at_once, everything
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge, begin, make_round, token
from wargame import world as rows
from wargame.models import Army, Base, Control, Troop, Turn
from wargame.rules.core import codec
from wargame.rules.core.dice import commitment
from wargame.rules.core.position import Position, sorted_armies

pytestmark = pytest.mark.django_db

STAYS = new("aside", "Ana")
FURTHER = new("square", "Ben", square="12D")


def turns(world: World) -> tuple[Turn, Turn]:
    """The corrected turn and the one after it, read anew."""
    second, first = Turn.objects.filter(round=world.round).order_by("-number")[:2]
    return first, second


def put_through(world: World, correction: Correction, by: str = "movement") -> Correction:
    return apply_correction(correction=correction, judge=world.judges[by], now=world.turn.opened_at + 2 * HOUR)


def is_sound(world: World) -> bool:
    """Every turn is recomputed to the same bytes, and the rows are the map of the open turn."""
    same = all(not verdict.differences for verdict in verify_round(world.round))
    return same and rows.load_position(world.round) == rows.position_of_turn(world.turn)


def test_a_proposal_shows_what_it_would_change_and_changes_nothing(war: World) -> None:
    before = everything(war)
    correction = propose(war, STAYS)
    assert difference_of(correction)["armies"] == [{"army": "Ana", "changes": ["3F → 3D"]}]
    assert difference_of(correction)["battles"] == {"gone": ["Ana attacking Gaz on 3F"], "new": [], "changed": []}
    assert [event["kind"] for event in difference_of(correction)["gone"]] == ["moved", "engaged"]
    assert [event["kind"] for event in difference_of(correction)["new"]] == ["ruled"]
    LogEntry.objects.filter(action="correction.proposed").get()
    LogEntry.objects.filter(action="correction.proposed")._raw_delete("default")
    assert everything(war) == before


def test_an_applied_correction_changes_the_map_the_rows_and_the_report(war: World) -> None:
    correction = put_through(war, propose(war, STAYS))
    first, second = turns(war)
    assert war.army("Ana").at == "3D"
    assert (first.next_hash, second.position_hash) == (correction.next_hash, correction.next_hash)
    assert first.events == correction.events != correction.old_events
    assert is_sound(war)
    assert (correction.state, correction.decided_by) == ("applied", war.judges["movement"])


def test_the_corrected_turn_goes_on_and_is_recomputed(war: World) -> None:
    put_through(war, propose(war, STAYS))
    war.post("Ana", "3D > 3E", at=war.turn.opened_at + 3 * HOUR)
    assert war.settle() == "settled"
    assert war.army("Ana").at == "3E"
    assert is_sound(war)


def test_a_battle_that_is_gone_is_kept_with_its_strats_and_is_not_fought(war: World) -> None:
    battle = Battle.objects.get()
    war.strat(battle, "Ana", "Ana", "Through the reeds.")
    correction = put_through(war, propose(war, STAYS))
    battle.refresh_from_db()
    assert (battle.state, battle.cancelled_by) == ("cancelled", correction)
    assert Strat.objects.get().text == "Through the reeds."
    with pytest.raises(Refused, match="Turn 1 was corrected, so this battle is cancelled"):
        war.strat(battle, "Ana", "Ana")
    with pytest.raises(Refused, match="cancelled"):
        war.score(battle)
    assert war.settle() == "settled"


def test_a_battle_that_is_still_there_keeps_its_row_seed_and_strats(war: World) -> None:
    battle = Battle.objects.get()
    war.strat(battle, "Ana", "Ana")
    put_through(war, propose(war, FURTHER))
    again = Battle.objects.get()
    assert (again.pk, again.seed, again.state, again.deadline) == (battle.pk, battle.seed, "waiting", battle.deadline)
    assert Strat.objects.count() == 1
    assert war.army("Ben").at == "12D"
    war.score(again)
    assert war.settle() == "settled"
    assert is_sound(war)


def test_a_battle_that_a_correction_leaves_alone_is_announced_no_second_time(war: World) -> None:
    gathering.gather(war.turn.opened_at)
    Notification.objects.all().delete()
    put_through(war, propose(war, FURTHER))
    gathering.gather(war.turn.opened_at + 6 * HOUR)
    told = set(Notification.objects.values_list("kind", flat=True))
    assert "turn.corrected" in told
    assert "battle.announced" not in told


def test_a_new_battle_gets_a_fresh_seed_and_time_for_strats(war: World) -> None:
    old = Battle.objects.get()
    put_through(war, propose(war, new("square", "Hex", square="10D")))
    battle = Battle.objects.exclude(pk=old.pk).get()
    assert (battle.at, battle.number, battle.state) == ("10D", 2, "waiting")
    assert commitment(bytes.fromhex(battle.seed)) == battle.commitment
    assert battle.seed != old.seed
    assert battle.deadline == war.turn.deadline
    assert [entry.army.name for entry in battle.entries.all()] == ["Ben", "Hex"]
    for one in Battle.objects.all():
        war.score(one)
    assert war.settle() == "settled"
    assert is_sound(war)


def test_a_new_battle_shortly_before_the_deadline_has_a_deadline_of_its_own(war: World) -> None:
    late = war.turn.deadline - HOUR
    correction = propose(war, new("square", "Hex", square="10D"), at=late)
    apply_correction(correction=correction, judge=war.judges["movement"], now=late)
    assert Battle.objects.get(at="10D").deadline == late + timedelta(hours=24)
    assert "due by Mon 16 Mar 2026, 04:00 UTC" in Notice.objects.get(kind="correction", thread="announcements").text


def test_a_battle_comes_back_by_a_second_correction_on_the_same_square(war: World) -> None:
    put_through(war, propose(war, STAYS))
    put_through(war, propose(war, new("order", "Ana", order="3D > 3F; engage Gaz")))
    assert [battle.state for battle in Battle.objects.order_by("number")] == ["cancelled", "waiting"]
    assert war.army("Ana").at == "3F"
    assert is_sound(war)


def test_a_correction_is_refused_once_the_next_turn_has_locked(war: World) -> None:
    correction = propose(war, STAYS)
    late = war.turn.lock_at + timedelta(minutes=1)
    judge = war.judges["movement"]
    with pytest.raises(Refused, match="Turn 2 locked on Mon 16 Mar 2026, 05:00 UTC"):
        apply_correction(correction=correction, judge=judge, now=late)
    with pytest.raises(Refused, match="so you can't correct turn 1 any more"):
        propose(war, STAYS, at=late)
    assert war.army("Ana").at == "3F"


def test_a_correction_is_refused_where_a_battle_that_would_vanish_is_scored(war: World) -> None:
    battle = Battle.objects.get()
    for name in ("Ana", "Gaz"):
        war.strat(battle, name, name)
    correction = propose(war, STAYS)
    judge, now = war.judges["battle"], battle.announced_at + 2 * HOUR
    lock_score(battle=battle, judge=judge, favours=None, bonus=0, reasons=REASONS, now=now)
    with pytest.raises(Refused, match="This would remove the battle on 3F, which has already been scored"):
        put_through(war, correction)
    assert Correction.objects.get().state == "proposed"


def test_a_correction_is_refused_where_a_scored_battle_would_be_fought_by_other_troops(war: World) -> None:
    battle = Battle.objects.get()
    for name in ("Ana", "Gaz"):
        war.strat(battle, name, name)
    correction = propose(war, new("troops", "Gaz", slot="4", alive="3"))
    elsewhere = propose(war, FURTHER)
    war.score(battle, now=battle.announced_at + HOUR + HOUR / 2)
    with pytest.raises(
        Refused, match="This would change the armies in the battle on 3F, which has already been scored"
    ):
        put_through(war, correction)
    put_through(war, elsewhere)
    assert is_sound(war)


def test_two_proposals_do_not_both_come_about(war: World) -> None:
    first, second = propose(war, STAYS), propose(war, FURTHER)
    put_through(war, first)
    with pytest.raises(Refused, match="Another correction was applied after this one was computed"):
        put_through(war, second)
    put_through(war, propose(war, FURTHER))
    assert (war.army("Ana").at, war.army("Ben").at) == ("3D", "12D")
    assert is_sound(war)


def test_applying_twice_changes_nothing_more(war: World) -> None:
    correction = propose(war, STAYS)
    put_through(war, correction)
    before = everything(war)
    put_through(war, correction)
    assert everything(war) == before
    with pytest.raises(Refused, match="is already applied"):
        drop_correction(correction=correction, judge=war.judges["movement"], now=war.turn.opened_at + 3 * HOUR)


def test_a_dropped_correction_stays_dropped_and_its_rulings_count_for_nothing(war: World) -> None:
    correction = propose(war, STAYS)
    judge, now = war.judges["movement"], war.turn.opened_at + 2 * HOUR
    for _ in range(2):
        drop_correction(correction=correction, judge=judge, now=now)
    with pytest.raises(Refused, match="was dropped"):
        put_through(war, correction)
    assert is_sound(war)
    assert LogEntry.objects.filter(action="correction.dropped").count() == 1


def test_a_proposal_takes_the_place_of_another_with_its_rulings(war: World) -> None:
    first = propose(war, STAYS)
    judge, now = war.judges["movement"], war.turn.opened_at + 2 * HOUR
    second = propose_correction(
        turn=first.turn, judge=judge, rulings=[FURTHER], token=token(), now=now, instead_of=first
    )
    first.refresh_from_db()
    assert first.state == "dropped"
    assert list(second.rulings.order_by("pk").values_list("number", "army")) == [(None, "Ana"), (None, "Ben")]
    put_through(war, second)
    assert list(Ruling.objects.filter(number__isnull=False).values_list("number", "army")) == [(1, "Ana"), (2, "Ben")]
    assert is_sound(war)


def test_what_is_dropped_leaves_no_gap_in_the_numbers_by_which_rulings_are_cited(war: World) -> None:
    judge, now = war.judges["movement"], war.turn.opened_at + 2 * HOUR
    drop_correction(correction=propose(war, STAYS, FURTHER), judge=judge, now=now)
    put_through(war, propose(war, FURTHER))
    put_through(war, propose(war, STAYS))
    seen = corrections_of_turn(turns(war)[0], public=False)
    assert [[ruling.number for ruling in one.rulings] for one in seen] == [[2], [1], [None, None]]
    told = [event["number"] for event in turns(war)[0].events if event["kind"] == "ruled"]
    assert sorted(told) == [1, 2]
    assert is_sound(war)


def test_a_proposal_is_shown_with_the_numbers_that_its_rulings_would_get(war: World) -> None:
    put_through(war, propose(war, FURTHER))
    propose(war, STAYS)
    newest = corrections_of_turn(turns(war)[0], public=False)[0]
    assert [ruling.number for ruling in newest.rulings] == [2]


def test_a_correction_that_changes_nothing_is_not_applied(war: World) -> None:
    correction = propose(war, new("aside", "Ben"))
    assert changes_nothing(correction, difference_of(correction))
    before = everything(war)
    with pytest.raises(Refused, match="This correction changes nothing"):
        put_through(war, correction)
    assert everything(war) == before
    more = propose_correction(
        turn=correction.turn,
        judge=war.judges["movement"],
        rulings=[STAYS],
        token=token(),
        now=war.turn.opened_at + HOUR,
        instead_of=correction,
    )
    put_through(war, more)
    assert is_sound(war)


def test_a_correction_of_the_report_alone_is_applied_and_the_map_stays() -> None:
    """Ana's order was refused; it is set aside instead, and she stays all the same."""
    world = begin(make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "20F", "evincar")}))
    world.post("Ana", "3D > 9D")
    assert world.settle() == "settled"
    correction = propose(world, STAYS)
    other = propose(world, STAYS)
    assert (correction.changes_map, changes_nothing(correction, difference_of(correction))) == (False, False)
    put_through(world, correction)
    assert not [event for event in turns(world)[0].events if event["kind"] == "refused"]
    assert "All armies stay as they were" in Notice.objects.get(kind="correction").text
    with pytest.raises(Refused, match="Another correction was applied"):
        put_through(world, other)
    assert is_sound(world)


def test_nobody_but_movement_and_battle_judges_corrects(war: World) -> None:
    first = turns(war)[0]
    now = war.turn.opened_at + HOUR
    with pytest.raises(Refused, match="Only movement and battle judges"):
        propose_correction(turn=first, judge=war.judges["mercenary"], rulings=[STAYS], token=token(), now=now)
    correction = propose(war, STAYS)
    with pytest.raises(Refused, match="Only movement and battle judges"):
        put_through(war, correction, by="mercenary")
    assert put_through(war, correction, by="battle").state == "applied"


@pytest.mark.parametrize("rulings", [[], [new("aside", "Zed")]])
def test_a_correction_without_a_sound_ruling_is_refused(war: World, rulings: list[object]) -> None:
    with pytest.raises(Refused):
        propose(war, *rulings)  # type: ignore[arg-type]
    assert not Ruling.objects.exists()
    assert not Correction.objects.exists()


def test_only_the_last_settled_turn_is_corrected(war: World) -> None:
    first = turns(war)[0]
    judge, now = war.judges["movement"], war.turn.opened_at
    with pytest.raises(Refused, match="Rule on its draft instead"):
        propose_correction(turn=war.turn, judge=judge, rulings=[STAYS], token=token(), now=now)
    war.score(Battle.objects.get())
    war.settle()
    with pytest.raises(Refused, match="you can't correct turn 1 any more"):
        propose_correction(turn=first, judge=judge, rulings=[STAYS], token=token(), now=war.turn.opened_at)


def test_everybody_is_told_of_a_correction(war: World) -> None:
    put_through(war, propose(war, STAYS))
    moves, battles = Notice.objects.filter(kind="correction").order_by("pk")
    assert (moves.turn.number, moves.thread, moves.data["moved"]) == (1, "movement", 0)
    assert "Changed armies: Ana." in moves.text
    assert "Ruling 1 (3.3.3): The post was misread." in moves.text
    assert (battles.turn.number, battles.thread) == (2, "announcements")
    assert "Cancelled: Ana attacking Gaz on 3F." in battles.text
    assert LogEntry.objects.get(action="correction.applied").data["rulings"] == [1]


def test_an_army_that_did_not_die_after_all_is_back_with_its_troops_and_its_player() -> None:
    """4.3.1: Hex was empty when Ben came; by the correction it was not."""
    near = {
        "Ana": ("coalition", "3D", "captain"),
        "Ben": ("coalition", "10D", "lieutenant"),
        "Gaz": ("phyrexia", "3K", "evincar"),
        "Hex": ("phyrexia", "12D", "centurion"),
    }
    world = make_round(near)
    Troop.objects.filter(army__name="Hex").update(alive=0)
    begin(world)
    world.post("Ben", "10D > 12D; engage Hex")
    assert world.settle() == "settled"
    assert world.army("Hex").died_in == 1
    correction = propose(world, new("troops", "Hex", slot="2", alive="900"))
    assert difference_of(correction)["armies"] == [{"army": "Hex", "changes": ["is alive, on 12D"]}]
    put_through(world, correction)
    assert (world.army("Hex").died_in, world.army("Hex").at) == (None, "12D")
    assert rows.control_at(world.round, world.turn.opened_at + 2 * HOUR)["Hex"] == ("Hex",)
    assert is_sound(world)


def test_an_army_that_died_after_all_has_no_square_and_no_player(war: World) -> None:
    """4.3.1: Gaz had no troops left when Ana came. Another Evincar keeps the round going."""
    add_evincar(war)
    wiped_out = [new("troops", "Gaz", slot=str(slot), alive="0") for slot in (1, 2, 3, 4)]
    put_through(war, propose(war, *wiped_out))
    gaz = war.army("Gaz")
    assert (gaz.died_in, gaz.at) == (1, "")
    assert not Control.objects.filter(army=gaz, until__isnull=True).exists()
    assert Battle.objects.get().state == "cancelled"
    assert is_sound(war)


def add_evincar(war: World) -> None:
    """A third Phyrexian army, in the rows and in both maps, far from everybody."""
    army = Army.objects.create(round=war.round, name="Ike", side="phyrexia", at="30F", rank="evincar", colors=[])
    Troop.objects.create(
        round=war.round, army=army, place=0, slot=1, creature="Imp", types=["Creature"], alive=10, of=10
    )
    after = rows.load_position(war.round)
    ike = after.by_name["Ike"]
    for turn in Turn.objects.filter(round=war.round):
        known = rows.position_of_turn(turn)
        store_map(turn, replace(known, armies=sorted_armies([*known.armies, ike])))
    first = Turn.objects.get(number=1)
    Turn.objects.filter(number=1).update(next_hash=Turn.objects.get(number=2).position_hash, events=first.events)


def store_map(turn: Turn, position: Position) -> None:
    as_json = codec.position_to_json(position)
    Turn.objects.filter(pk=turn.pk).update(position=as_json, position_hash=codec.digest(as_json))


def test_a_correction_that_would_end_the_round_is_refused(war: World) -> None:
    """1.7.3: Phyrexia's last Evincar would be gone."""
    wiped_out = [new("troops", "Gaz", slot=str(slot), alive="0") for slot in (1, 2, 3, 4)]
    with pytest.raises(Refused, match="This correction would make one side win the round"):
        propose(war, *wiped_out)


def test_a_base_that_did_not_fall_after_all_stands_again() -> None:
    """1.7.1, R33."""
    world = make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "20F", "evincar")})
    Base.objects.create(round=world.round, name="Portal", at="3D", side="phyrexia")
    Army.objects.filter(name="Ana").update(days=4)
    begin(world)
    assert world.settle() == "settled"
    assert Base.objects.get().destroyed_in == 1
    correction = propose(world, new("square", "Ana", square="3E"))
    assert difference_of(correction)["bases"] == ["Portal still stands"]
    put_through(world, correction)
    assert Base.objects.get().destroyed_in is None
    assert is_sound(world)


def test_who_controls_an_army_that_is_otherwise_in_nothing_but_place_does_not_change(war: World) -> None:
    assign(round=war.round, army=war.army("Ana"), player=war.players["Ben"], now=war.turn.opened_at + HOUR)
    put_through(war, propose(war, STAYS))
    assert rows.control_at(war.round, war.turn.opened_at + 3 * HOUR)["Ana"] == ("Ben",)


@pytest.mark.django_db(transaction=True)
def test_a_correction_applied_four_times_at_once_is_applied_once(war: World) -> None:
    form, first = token(), turns(war)[0]
    judge, now = war.judges["movement"], war.turn.opened_at + HOUR
    proposed = at_once(*[lambda: propose_correction(turn=first, judge=judge, rulings=[STAYS], token=form, now=now)] * 4)
    assert {correction.pk for correction in proposed} == {Correction.objects.get().pk}
    applied = at_once(*[lambda: apply_correction(correction=proposed[0], judge=judge, now=now)] * 4)
    assert {correction.state for correction in applied} == {"applied"}
    assert LogEntry.objects.filter(action="correction.applied").count() == 1
    assert Notice.objects.filter(kind="correction", thread="movement").count() == 1
    assert is_sound(war)


@pytest.mark.django_db(transaction=True)
def test_a_correction_beside_the_lock_is_in_the_next_turn_or_refused(war: World) -> None:
    correction = propose(war, STAYS)
    judge, lock = war.judges["movement"], war.turn.lock_at
    applied, _ = at_once(
        lambda: apply_correction(correction=correction, judge=judge, now=lock),
        lambda: advance(war.turn.pk, lock + timedelta(minutes=1)),
    )
    assert isinstance(applied, Refused) or applied.state == "applied"
    advance(war.turn.pk, lock + timedelta(minutes=2))
    assert all(not verdict.differences for verdict in verify_round(war.round))


def test_what_dice_gave_is_corrected_by_the_head_and_a_second_battle_judge(war: World) -> None:
    """R53: a ruling on troops would otherwise be the way past the bounds of what one judge changes."""
    with locking.transaction():
        war.judges["second"] = add_judge(war.round, "battle", "Judge Second", is_head=False)
    battle = Battle.objects.get()
    for name in ("Ana", "Gaz"):
        war.strat(battle, name, name, f"{name} holds.")
    war.score(battle, favours=0, bonus=10)
    assert war.settle() == "settled"
    for proposer, applier in (("movement", "battle"), ("battle", "battle"), ("second", "movement")):
        correction = propose(war, new("troops", "Gaz", slot="1", alive="7"), by=proposer)
        with pytest.raises(Refused, match="the troops of Gaz, who fought in turn 2") as refused:
            put_through(war, correction, by=applier)
        assert refused.value.cites == "R53"
    put_through(war, propose(war, new("troops", "Ben", slot="1", alive="8")))
    correction = propose(war, new("troops", "Gaz", slot="1", alive="7"), by="battle")
    assert put_through(war, correction, by="second").state == "applied"
    assert is_sound(war)
