"""3.3.3, 1.3: rulings are inputs of a turn: they work its draft out anew, and everybody can recompute it."""

import pytest
from django.db import transaction

from judging.announcements.models import Notice
from judging.battles.models import Battle
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.turns.drafts import publish_draft
from judging.turns.models import Draft, Ruling
from judging.turns.rulings.differences import difference_of_drafts
from judging.turns.rulings.services import add_ruling, withdraw_ruling
from judging.turns.stages import advance
from judging.verification.checks import verify_round
from tests.services.ruling import REASON, moved, new, rule
from tests.services.test_exactly_once import at_once
from tests.services.world_of_tests import HOUR, World, add_judge, begin, make_round, token
from wargame.models import Turn
from wargame.rules.telling.telling import read_all, tell_all

SQUARE = new("square", "Ana", square="3C")


def settle_now(world: World) -> str:
    """Publishes the moves and lets the turn pass."""
    turn = world.turn
    now = turn.lock_at + 2 * HOUR
    publish_draft(turn=turn, judge=world.judges["movement"], now=now)
    return advance(turn.pk, now)


def test_a_ruling_works_the_draft_out_anew_and_keeps_the_one_before(world: World) -> None:
    world.post("Ana", "3D > 4D")
    turn = moved(world)
    before = Draft.objects.get(turn=turn)
    rule(world, SQUARE)
    draft = Draft.objects.get(turn=turn)
    assert (before.places["Ana"], draft.places["Ana"]) == ("4D", "3C")
    assert draft.former["digest"] == before.digest != draft.digest
    former = {**draft.former, "events": read_all(draft.former["events"])}
    difference = difference_of_drafts(former, draft.places, read_all(draft.events))
    assert difference["places"] == [["Ana", "4D", "3C"]]
    assert [event["kind"] for event in difference["gone"]] == ["moved"]
    assert difference["new"][0]["text"] == f"Ruling 1: the move of Ana ends on 3C. {REASON}"


def test_a_ruling_is_settled_with_the_turn_and_recomputed(world: World) -> None:
    world.post("Ana", "3D > 4D")
    moved(world)
    rule(world, SQUARE)
    rule(world, new("order", "ben", order="10D > 14D", cites="r14"))
    rule(world, new("aside", "Hex"))
    assert settle_now(world) == "settled"
    assert (world.army("Ana").at, world.army("Ben").at) == ("3C", "14D")
    assert [verdict.differences for verdict in verify_round(world.round)] == [()]
    Ruling.objects.filter(number=1).update(square="3B")
    assert list(verify_round(world.round))[0].differences


@pytest.mark.parametrize(
    ("ruling", "settled"),
    [
        (new("troops", "Ana", slot="1", creature="ana 1/1", alive="4,000"), "alive"),
        (new("days", "Ana", days="0"), "days"),
        (new("lifted", "Ben"), "at"),
        (new("winner", "Ben", square="D3"), "at"),
    ],
)
def test_every_kind_of_ruling_is_settled_and_recomputed(world: World, ruling: object, settled: str) -> None:
    world.post("Ben", "10D > 15D")
    moved(world)
    rule(world, ruling)  # type: ignore[arg-type]
    assert settle_now(world) == "settled"
    assert [verdict.differences for verdict in verify_round(world.round)] == [()]
    if settled == "alive":
        assert world.army("Ana").troops.get(slot=1).alive == 4000
    events = Turn.objects.get(number=1).events
    assert [event["number"] for event in events if event["kind"] == "ruled"] == [1]


def test_a_lifted_refusal_names_the_order_that_it_is_about(world: World) -> None:
    world.post("Ben", "10D > 15D")
    moved(world)
    rule(world, new("lifted", "Ben"))
    told = [event["text"] for event in tell_all(Draft.objects.get().events) if event["kind"] == "ruled"]
    assert told == [f"Ruling 1: the order of Ben (“10D > 15D”) is no longer refused. {REASON}"]


def test_a_withdrawn_ruling_stays_on_record_and_counts_no_more(world: World) -> None:
    world.post("Ana", "3D > 4D")
    turn = moved(world)
    ruling = rule(world, SQUARE)
    judge, now = world.judges["movement"], turn.lock_at + 2 * HOUR
    withdraw_ruling(ruling=ruling, judge=judge, reason="It was read well.", now=now)
    withdraw_ruling(ruling=ruling, judge=judge, reason="Again.", now=now)
    row = Ruling.objects.get()
    assert (row.withdrawn_by, row.withdrawn_reason) == (judge, "It was read well.")
    assert Draft.objects.get(turn=turn).places["Ana"] == "4D"
    assert settle_now(world) == "settled"
    assert [verdict.differences for verdict in verify_round(world.round)] == [()]
    assert world.army("Ana").at == "4D"


def test_the_head_battle_judge_overrules_any_ruling_and_an_assistant_none(world: World) -> None:
    """1.3: anything the battle judge says is law; an assistant is not he."""
    turn = moved(world)
    ruling = rule(world, SQUARE)
    now = turn.lock_at + 2 * HOUR
    deputy = add_judge(world.round, "battle", "Deputy", is_head=False)
    other = add_judge(world.round, "movement", "Other", is_head=False)
    for judge in (deputy, other):
        with pytest.raises(Refused, match="Only Judge movement or the head battle judge can withdraw this"):
            withdraw_ruling(ruling=ruling, judge=judge, reason="No.", now=now)
    withdraw_ruling(ruling=ruling, judge=world.judges["battle"], reason="No.", now=now)
    with pytest.raises(Refused, match="Judge battle already withdrew this ruling"):
        withdraw_ruling(ruling=ruling, judge=world.judges["movement"], reason="No.", now=now)


@pytest.mark.parametrize("by", ["movement", "battle"])
def test_movement_and_battle_judges_rule(world: World, by: str) -> None:
    moved(world)
    assert rule(world, SQUARE, by=by).judge == world.judges[by]


def test_nobody_else_rules(world: World) -> None:
    moved(world)
    world.judges["stranger"] = make_round({}, slug="other", name="Other").judges["movement"]
    for by in ("mercenary", "stranger"):
        with pytest.raises(Refused, match="Only movement and battle judges of this round"):
            rule(world, SQUARE, by=by)
    assert not Ruling.objects.exists()


def test_a_turn_is_ruled_on_between_its_lock_and_its_settlement(world: World) -> None:
    with pytest.raises(Refused, match="haven't been worked out yet"):
        rule(world, SQUARE)
    first = world.turn
    world.settle()
    judge = world.judges["movement"]
    with pytest.raises(Refused, match="To fix a mistake in it, propose a correction"):
        add_ruling(turn=first, judge=judge, ruling=SQUARE, token=token(), now=first.lock_at + HOUR)


@pytest.mark.parametrize(
    ("ruling", "field", "sentence"),
    [
        (new("magic", "Ana"), "kind", "Choose what kind of ruling to make"),
        (new("aside", "Zed"), "army", "There is no army “Zed”"),
        (new("aside", ""), "army", "Name an army"),
        (new("aside", "Ana", cites="9.9"), "cites", "The rulebook has no rule “9.9”"),
        (new("aside", "Ana", cites=""), "cites", "Enter the rule that the ruling follows"),
        (new("aside", "Ana", reason=" \n"), "reason", "Give a reason"),
        (new("aside", "Ana", reason="x" * 2001), "reason", "The limit is 2,000"),
        (new("square", "Ana", square="3Z"), "square", "3Z isn't on the map"),
        (new("winner", "Ana", square="here"), "square", "is not a square"),
        (new("order", "Ana", order=""), "order", "Write one order"),
        (new("order", "Ana", order="3D > > 4D"), "order", "At column"),
        (new("order", "Ana", order="go north"), "order", "isn't an order"),
        (new("order", "Ana", order="Ben: 10D > 11D"), "order", "an order for Ben"),
        (new("days", "Ana", days="many"), "days", "whole number from 0 to 99"),
        (new("days", "Ana", days="-1"), "days", "whole number"),
        (new("troops", "Ana", slot="5", alive="1"), "slot", "whole number from 1 to 4"),
        (new("troops", "Ana", slot="1", alive="5001"), "alive", "whole number from 0 to 5,000"),
        (new("troops", "Ana", slot="1", alive="1", creature="Elf"), "creature", "Slot 1 of Ana holds Ana 1/1"),
        (new("aside", "Ana", reason="a\0b"), "", "a character in line 1"),
        (new("lifted", "Ana"), "army", "No order for Ana was refused"),
    ],
)
def test_a_ruling_that_names_what_is_not_there_is_refused(
    world: World, ruling: object, field: str, sentence: str
) -> None:
    moved(world)
    with pytest.raises(Refused, match=sentence) as refused:
        rule(world, ruling)  # type: ignore[arg-type]
    assert refused.value.field == field
    assert not Ruling.objects.exists()


def test_rulings_on_moves_that_are_public_are_posted_and_before_that_nothing_is(world: World) -> None:
    turn = moved(world)
    ruling = rule(world, SQUARE)
    assert not Notice.objects.filter(kind="ruling").exists()
    Draft.objects.update(publish_at=turn.lock_at)
    withdraw_ruling(ruling=ruling, judge=world.judges["movement"], reason="No.", now=turn.lock_at + HOUR)
    rule(world, SQUARE)
    told = [notice.text for notice in Notice.objects.filter(kind="ruling")]
    assert told == ["Ruling 1 was withdrawn. No.", f"Ruling 2: The move of Ana ends on 3C (3.3.3). {REASON}"]


def test_every_ruling_is_in_the_log_without_its_words(world: World) -> None:
    moved(world)
    rule(world, SQUARE)
    entry = LogEntry.objects.get(action="ruling.made")
    assert entry.data == {"turn": 1, "ruling": 1, "kind": "square"}
    assert entry.actor == world.judges["movement"].user


def test_a_draft_that_changed_since_it_was_looked_at_is_not_published(world: World) -> None:
    turn = moved(world)
    seen = Draft.objects.get().digest
    rule(world, SQUARE)
    judge, now = world.judges["movement"], turn.lock_at + HOUR
    with pytest.raises(Refused, match="A ruling changed the draft"):
        publish_draft(turn=turn, judge=judge, now=now, digest=seen)
    publish_draft(turn=turn, judge=judge, now=now, digest=Draft.objects.get().digest)
    assert Draft.objects.get().publish_at == now


def test_a_worker_that_read_the_turn_before_it_was_ruled_on_does_not_settle_it(war: World) -> None:
    """The ruling comes between the reading of the turn and its stage: the next sweep takes it up."""
    from judging.turns import stages
    from judging.turns.turn_input import InputOfTurn

    turn = war.turn
    now = turn.lock_at + HOUR
    advance(turn.pk, now)
    stale = InputOfTurn(war.turn)
    rule(war, new("aside", "Ben"), at=now)
    war.score(turn.battles.get(), now=now)
    with transaction.atomic():
        assert not stages._fight(stale, now)
    assert advance(turn.pk, now) == "settled"
    assert [verdict.differences for verdict in verify_round(war.round)] == [(), ()]


@pytest.mark.django_db(transaction=True)
def test_a_form_sent_four_times_at_once_makes_one_ruling() -> None:
    world = begin(make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "3H", "evincar")}))
    turn, form = moved(world), token()
    judge, now = world.judges["movement"], turn.lock_at + HOUR
    given = at_once(*[lambda: add_ruling(turn=turn, judge=judge, ruling=SQUARE, token=form, now=now)] * 4)
    assert {ruling.pk for ruling in given} == {Ruling.objects.get().pk}


def test_troops_of_an_army_that_fights_are_not_ruled_on_by_one_judge(war: World) -> None:
    """R53: not after the dice, whoever they were rolled by."""
    battle = Battle.objects.get()
    for name in ("Ana", "Gaz"):
        war.strat(battle, name, name, f"{name} holds.")
    war.score(battle, favours=0, bonus=10)
    moved(war)
    for judge in ("movement", "battle"):
        with pytest.raises(Refused, match="changes the troops of Gaz, in battle this turn") as refused:
            rule(war, new("troops", "Gaz", slot="1", alive="7"), by=judge)
        assert (refused.value.cites, refused.value.field) == ("R53", "kind")
    rule(war, new("troops", "Ben", slot="1", alive="7"))
