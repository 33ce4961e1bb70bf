"""6, R48: mercenaries that play by themselves, the mercenary judge's acts, and the window after the lock."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.mercenaries import services
from judging.mercenaries.models import MercenaryOrder
from judging.turns.calendar import change_round
from judging.turns.rulings.corrections import apply_correction
from judging.turns.rulings.differences import difference_of
from judging.turns.stages import advance, due_turns
from judging.turns.turn_input import InputOfTurn
from judging.verification.checks import verify_round
from tests.keeping import kept
from tests.services.conftest import FOUR
from tests.services.mercenaries_of_tests import add_mercenary
from tests.services.ruling import new, propose
from tests.services.world_of_tests import HOUR, LOCK, LOCKED, UNLOCK, World, begin, make_round, token
from wargame import world as rows
from wargame.models import Army, Judge, Troop, Turn
from wargame.rules.mercenaries import spawning
from wargame.rules.telling.telling import tell_all

pytestmark = pytest.mark.django_db

WINDOW_ENDED = LOCK + timedelta(hours=2, minutes=1)


@pytest.fixture
def band(db: None) -> World:
    return make_band()


@kept
def make_band() -> World:
    """Four armies of the teams and two raiders: Wolfpack near Ana and Gaz, Howlers far from everybody."""
    world = make_round(FOUR)
    add_mercenary(world.round, "Wolfpack", "raider", "5G")
    add_mercenary(world.round, "Howlers", "raider", "36N")
    Troop.objects.filter(army__name="Gaz").update(alive=10)
    return begin(world)


def act(world: World, name: str, now: Any = UNLOCK + HOUR, judge: str = "mercenary", **what: Any) -> Any:
    arguments = {"turn": world.turn, "judge": world.judges[judge], "token": token(), "now": now, **what}
    return getattr(services, name)(**arguments)


def events(world: World, number: int, kind: str) -> list[dict[str, Any]]:
    turn = Turn.objects.get(round=world.round, number=number)
    return [event for event in tell_all(turn.events) if event["kind"] == kind]


def settled(world: World) -> Turn:
    """The present turn, settled after the window of its lock."""
    turn = world.turn
    assert advance(turn.pk, turn.lock_at + timedelta(hours=3)) == "settled"
    return Turn.objects.get(pk=turn.pk)


def assert_verified(world: World) -> None:
    found = list(verify_round(world.round))
    assert found
    assert [check.differences for check in found] == [()] * len(found)


def test_mercenaries_move_by_themselves(band: World) -> None:
    """R48, 6.3.1: Wolfpack attacks Gaz, the weakest army in range."""
    turn = settled(band)
    told = [event for event in turn.events if event["kind"] == "mercenary_decided"]
    assert {event["army"]: event["cites"] for event in told} == {"Wolfpack": "6.3.1", "Howlers": "6.3.1"}
    assert band.army("Wolfpack").at == "3F"
    assert band.turn.battles.get().at == "3F"
    assert_verified(band)


def test_a_round_without_mercenaries_has_none_of_chapter_6(world: World) -> None:
    turn = settled(world)
    assert not {"mercenary_decided", "spawning_rolled"} & {event["kind"] for event in turn.events}
    assert not world.round.has_mercenaries


def test_an_order_of_the_mercenary_judge_counts_instead(band: World) -> None:
    act(band, "replace_order", army="Wolfpack", order="5G > 6G")
    turn = settled(band)
    assert band.army("Wolfpack").at == "6G"
    told = next(
        event for event in tell_all(turn.events) if event["kind"] == "mercenary_decided" and event["army"] == "Wolfpack"
    )
    assert (told["judge"], told["ordered"]) == ("Judge mercenary", "5G > 6G")
    assert (
        "Judge mercenary ordered “5G > 6G” for Wolfpack. The guidelines would have said: Wolfpack set out to attack Gaz"
        in told["text"]
    )
    assert_verified(band)


def test_the_last_order_counts_and_the_guideline_can_be_taken_up_again(band: World) -> None:
    act(band, "replace_order", army="Wolfpack", order="5G > 6G")
    act(band, "replace_order", army="Wolfpack", order="hold")
    assert [one.text for one in InputOfTurn(band.turn).for_moves().mercenaries] == ["Wolfpack: hold"]
    act(band, "follow_guideline", army="Wolfpack")
    assert InputOfTurn(band.turn).for_moves().mercenaries == ()
    assert band.turn.mercenary_orders == MercenaryOrder.objects.count() == 3


def test_a_form_that_is_sent_twice_orders_once(band: World) -> None:
    once = {"army": "Wolfpack", "order": "hold", "token": "the form"}
    assert act(band, "replace_order", **once) == act(band, "replace_order", **once)
    assert band.turn.mercenary_orders == 1


@pytest.mark.parametrize(
    ("what", "cites", "sentence"),
    [
        ({"army": "Wolfpack", "order": "5G > 9G"}, "3.2.2.1", "4 squares; an army can move 3. Try 5G > 8G"),
        ({"army": "Wolfpack", "order": "5G > 3F"}, "3.2.2.2", "the move needs “engage Gaz”. Try 5G > 3F; engage Gaz"),
        ({"army": "Wolfpack", "order": "5G > 6G > 7G"}, "R48", "turn by turn"),
        ({"army": "Wolfpack", "order": "fighting"}, "3.2.1", "needs no order"),
        ({"army": "Wolfpack", "order": "transfer to Howlers at 36N"}, "3.2.4.2", "can't submit manifests"),
        ({"army": "Wolfpack", "order": "36N > 35N; joint engage"}, "R3", "never share a square"),
        (
            {"army": "Wolfpack", "order": "5G > 6G; engage Howlers"},
            "R3",
            "Mercenaries never attack each other, so you can't choose Howlers",
        ),
        ({"army": "Wolfpack", "order": "Howlers: hold"}, "3.2.2.5", "an order for Howlers. Write one for Wolfpack"),
        ({"army": "Wolfpack", "order": "go west"}, "3.2.2.5", "isn't an order"),
        ({"army": "Ana", "order": "hold"}, "6", "no mercenary “Ana”"),
    ],
)
def test_an_order_is_checked_like_a_players(band: World, what: dict[str, str], cites: str, sentence: str) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        act(band, "replace_order", **what)
    assert refused.value.cites == cites
    assert not MercenaryOrder.objects.exists()


@pytest.mark.parametrize("role", ["movement", "battle"])
def test_nobody_else_commands_the_mercenaries(band: World, role: str) -> None:
    with pytest.raises(Refused, match="mercenary judges can command its mercenaries"):
        act(band, "replace_order", judge=role, army="Wolfpack", order="hold")
    with pytest.raises(Refused, match="mercenary judges can command its mercenaries"):
        services.set_window(turn=band.turn, judge=band.judges[role], done=True, now=LOCK)


def test_no_order_is_replaced_after_the_lock(band: World) -> None:
    for name, what in [
        ("replace_order", {"army": "Wolfpack", "order": "hold"}),
        ("follow_guideline", {"army": "Wolfpack"}),
        ("disband_raider", {"army": "Wolfpack", "reason": "Spent."}),
        ("call_up_raider", {"square": "30C", "rank": "1/1", "reason": "Quiet."}),
    ]:
        with pytest.raises(Refused, match="locked at Mon 9 Mar 2026, 05:00 UTC"):
            act(band, name, now=LOCKED, **what)


def test_the_log_keeps_what_was_ordered_to_itself(band: World) -> None:
    act(band, "replace_order", army="Wolfpack", order="5G > 6G")
    entry = LogEntry.objects.get(action="mercenaries.ordered")
    assert entry.data == {"turn": 1}


# The window after the lock


def test_a_locked_turn_waits_for_the_window_of_the_mercenary_judge(band: World) -> None:
    turn = band.turn
    assert advance(turn.pk, LOCKED) == "locked"
    assert Turn.objects.get(pk=turn.pk).after_lock_until == LOCK + 2 * HOUR
    assert due_turns(LOCKED + HOUR) == []
    assert advance(turn.pk, LOCKED + HOUR) == "locked"
    assert due_turns(WINDOW_ENDED) == [(turn.pk, "moved")]
    assert advance(turn.pk, WINDOW_ENDED) == "settled"


@pytest.mark.parametrize("what", ["no judge", "no window", "nobody near", "done"])
def test_it_does_not_wait_without_a_reason(what: str) -> None:
    world = make_round(FOUR, after_lock_window=timedelta(0) if what == "no window" else 2 * HOUR)
    add_mercenary(world.round, "Wolfpack", "raider", "36N" if what == "nobody near" else "5G")
    begin(world)
    if what == "no judge":
        Judge.objects.filter(role="mercenary").delete()
    if what == "done":
        services.set_window(turn=world.turn, judge=world.judges["mercenary"], done=True, now=LOCK - HOUR)
    assert advance(world.turn.pk, LOCKED) == "settled"


def test_short_turns_do_not_wait_for_hours() -> None:
    """R48: a tenth of a turn at most; a window that is set anew counts from the next lock on."""
    world = make_round(FOUR, turn_length=5 * HOUR, deadline_before_lock=HOUR)
    add_mercenary(world.round, "Wolfpack", "raider", "5G")
    begin(world)
    advance(world.turn.pk, LOCKED)
    assert world.turn.after_lock_until == LOCK + HOUR / 2
    change_round(round=world.round, actor=AnonymousUser(), changes={"after_lock_window": timedelta(0)}, now=LOCKED)
    assert advance(world.turn.pk, LOCKED + HOUR / 4) == "locked"
    assert advance(world.turn.pk, LOCKED + HOUR / 2) == "settled"


def test_the_mercenary_judge_ends_the_window(band: World) -> None:
    turn = band.turn
    advance(turn.pk, LOCKED)
    services.set_window(turn=turn, judge=band.judges["mercenary"], done=True, now=LOCKED)
    assert due_turns(LOCKED) == [(turn.pk, "moved")]
    assert advance(turn.pk, LOCKED) == "settled"
    assert LogEntry.objects.filter(action="mercenaries.window_ended").count() == 1


def test_before_the_lock_he_may_keep_the_window_after_all(band: World) -> None:
    judge = band.judges["mercenary"]
    for done in (True, False):
        services.set_window(turn=band.turn, judge=judge, done=done, now=LOCK - HOUR)
    assert advance(band.turn.pk, LOCKED) == "locked"
    services.set_window(turn=band.turn, judge=judge, done=True, now=LOCKED)
    with pytest.raises(Refused, match="Turn 1 locked at"):
        services.set_window(turn=band.turn, judge=judge, done=False, now=LOCKED)


def test_one_raider_is_sent_against_an_army_after_the_lock(band: World) -> None:
    """6.3.2: to where Ben's order leads; that ends the window."""
    band.post("Ben", "10D > 8E")
    advance(band.turn.pk, LOCKED)
    with pytest.raises(Refused, match=r"4 squares"):
        act(band, "order_after_lock", now=LOCKED, army="Wolfpack", order="5G > 7E; engage Ben")
    act(band, "order_after_lock", now=LOCKED, army="Wolfpack", order="5G > 3F (5G - 4G - 3G - 3F); engage Gaz")
    assert due_turns(LOCKED) == [(band.turn.pk, "moved")]
    turn = settled(band)
    told = next(event for event in tell_all(turn.events) if event["kind"] == "ordered_after_lock")
    assert told["text"].startswith(
        "After the lock, Judge mercenary changed the order of Wolfpack from “5G > 3F; engage Gaz”"
    )
    assert band.turn.battles.get().at == "3F"
    assert_verified(band)


@pytest.mark.parametrize(
    ("order", "cites", "sentence"),
    [
        ("5G > 6G", "6.3.2", "After the lock"),
        ("hold", "6.3.2", "After the lock"),
        ("5G > 6H; engage Gaz", "6.3.2", "The square of Gaz is 3F, so Wolfpack would engage no one on 6H"),
        ("5G > 9G; engage Gaz", "3.2.2.1", "an army can move 3"),
        ("5G > 3F; engage Ana", "3.2.2.2", "With Gaz already on 3F, the move must name Gaz, not Ana."),
    ],
)
def test_an_order_after_the_lock_must_engage_an_army(band: World, order: str, cites: str, sentence: str) -> None:
    advance(band.turn.pk, LOCKED)
    with pytest.raises(Refused, match=sentence) as refused:
        act(band, "order_after_lock", now=LOCKED, army="Wolfpack", order=order)
    assert refused.value.cites == cites
    assert not Turn.objects.get(pk=band.turn.pk).after_lock_done


def test_a_raider_that_was_to_disband_may_be_sent_off_after_the_lock(band: World) -> None:
    """6.3.2: disbanding is what its movement turn was for; the update says what was changed."""
    act(band, "disband_raider", army="Wolfpack", reason="Spent.")
    advance(band.turn.pk, LOCKED)
    act(band, "order_after_lock", now=LOCKED, army="Wolfpack", order="5G > 3F; engage Gaz")
    turn = settled(band)
    told = next(event for event in tell_all(turn.events) if event["kind"] == "ordered_after_lock")
    assert told["text"].startswith("After the lock, Judge mercenary changed the order of Wolfpack from “disband” to")
    assert not events(band, 1, "disbanded")
    assert_verified(band)


def test_an_army_whose_order_leads_away_is_not_engaged_where_it_stands(band: World) -> None:
    """6.3.2: the refusal says where it is ordered to."""
    band.post("Gaz", "3F > 2F")
    advance(band.turn.pk, LOCKED)
    with pytest.raises(Refused, match="Gaz will leave for 2F, so Wolfpack would engage no one on 3F"):
        act(band, "order_after_lock", now=LOCKED, army="Wolfpack", order="5G > 3F; engage Gaz")


def test_the_path_after_the_lock_crosses_nobody(band: World) -> None:
    """6.3.2: a path that might be drawn counts; the refusal shows one that is clear."""
    world = make_round({**FOUR, "Ike": ("phyrexia", "4G", "evincar")}, slug="other")
    add_mercenary(world.round, "Wolfpack", "raider", "5G")
    begin(world)
    advance(world.turn.pk, LOCKED)
    with pytest.raises(
        Refused, match=r"might cross 4G, the square of Ike.*Try 5G > 3F \(5G - 5F - 4F - 3F\); engage Gaz"
    ):
        act(world, "order_after_lock", now=LOCKED, army="Wolfpack", order="5G > 3F; engage Gaz")
    clear = "5G > 3F (5G - 5F - 4F - 3F); engage Gaz"
    act(world, "order_after_lock", now=LOCKED, army="Wolfpack", order=clear)


def test_there_is_one_order_after_the_lock_and_only_in_its_window(band: World) -> None:
    what = {"army": "Wolfpack", "order": "5G > 3F; engage Gaz"}
    with pytest.raises(Refused, match="is open until"):
        act(band, "order_after_lock", now=LOCK, **what)
    with pytest.raises(Refused, match="is closed"):
        act(band, "order_after_lock", now=WINDOW_ENDED, **what)
    act(band, "order_after_lock", now=LOCKED, **what)
    with pytest.raises(Refused, match="You can do this once a turn"):
        act(band, "order_after_lock", now=LOCKED, **what)


def test_an_act_that_comes_between_reading_and_claiming_is_not_lost(band: World) -> None:
    """A worker that read the turn before an order was given writes nothing: the next one settles it with the order."""
    turn = band.turn
    turn_input = InputOfTurn(turn)
    assert turn_input.position
    act(band, "replace_order", army="Wolfpack", order="hold")
    from judging.turns import stages

    assert stages._lock(turn_input, LOCKED) is None
    assert advance(turn.pk, WINDOW_ENDED) == "settled"
    assert band.army("Wolfpack").at == "5G"


# Raiders that come and go


def test_the_mercenary_judge_disbands_a_raider(band: World) -> None:
    act(band, "disband_raider", army="Howlers", reason="Nobody fears them.")
    settled(band)
    howlers = band.army("Howlers")
    assert (howlers.at, howlers.died_in) == ("", 1)
    assert events(band, 1, "disbanded")[0]["text"].endswith("by order of Judge mercenary: Nobody fears them.")
    assert rows.load_position(band.round) == rows.position_of_turn(band.turn)
    assert_verified(band)


def test_the_mercenary_judge_calls_up_a_raider(band: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawning, "UPTO", (0, 0, 0, 0, 0))
    act(band, "call_up_raider", square="30C", rank="2/2", reason="The east is quiet.")
    settled(band)
    row = Army.objects.get(round=band.round, at="30C")
    assert (row.faction, row.mercenary_tier, row.died_in) == ("raider", 5, None)
    assert sum(troop.alive for troop in row.troops.all()) == 10_000
    assert rows.load_position(band.round) == rows.position_of_turn(band.turn)
    assert_verified(band)


def test_a_raider_that_is_called_off_does_not_come(band: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(spawning, "UPTO", (0, 0, 0, 0, 0))
    act(band, "call_up_raider", square="30C", rank="1/1", reason="The east is quiet.")
    act(band, "call_off_raider", square="30C")
    with pytest.raises(Refused, match="No raider has been called up"):
        act(band, "call_off_raider", square="30C")
    settled(band)
    assert Army.objects.filter(round=band.round, faction="raider").count() == 2


@pytest.mark.parametrize(
    ("what", "field", "sentence"),
    [
        ({"square": "3D"}, "square", "3D is taken"),
        ({"square": "40D"}, "square", "isn't on the map"),
        ({"square": "nowhere"}, "square", "not a square"),
        ({"rank": "3/3"}, "rank", "1/1 or 2/2"),
        ({"reason": " "}, "reason", "reason is empty"),
    ],
)
def test_a_raider_is_called_up_to_a_square_on_which_nobody_is(
    band: World, what: dict[str, str], field: str, sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence) as refused:
        act(band, "call_up_raider", **{"square": "30C", "rank": "1/1", "reason": "Quiet.", **what})
    assert refused.value.field == field


def test_there_are_five_raiders_at_most(band: World) -> None:
    for square in ("30A", "30C", "30E"):
        act(band, "call_up_raider", square=square, rank="1/1", reason="Quiet.")
    with pytest.raises(Refused, match="at most 5 raiders"):
        act(band, "call_up_raider", square="30G", rank="1/1", reason="Quiet.")


def test_a_raider_that_appears_has_a_name_that_no_army_had(band: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """3.2.2.5: not even a dead one's."""
    monkeypatch.setattr(spawning, "UPTO", (20,) * 5)
    monkeypatch.setattr(spawning, "NAMES", ("Buried Band",))
    Army.objects.create(round=band.round, name="buried  band", side="mercenary", faction="raider", at="", died_in=0)
    settled(band)
    assert {event["army"] for event in events(band, 1, "spawned")} == {"Buried Band II"}
    assert Army.objects.filter(round=band.round, name="Buried Band II").exists()
    assert_verified(band)


def test_a_correction_moves_the_raider_that_appeared(band: World, monkeypatch: pytest.MonkeyPatch) -> None:
    """3.3.3, 6.3.2: an army that ends its move on the square takes it from the raider."""
    monkeypatch.setattr(spawning, "UPTO", (20,) * 5)
    settled(band)
    spawned = events(band, 1, "spawned")[0]
    name, at = spawned["army"], spawned["at"]
    correction = propose(band, new("square", "Hex", square=at))
    apply_correction(correction=correction, judge=band.judges["movement"], now=band.turn.opened_at + HOUR)
    assert band.army("Hex").at == at
    assert Army.objects.get(round=band.round, name=name).at != at
    assert rows.load_position(band.round) == rows.position_of_turn(band.turn)
    assert_verified(band)


def test_a_correction_takes_back_a_raider_that_would_not_have_appeared(
    band: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spawning, "UPTO", (0, 0, 20, 0, 0))
    settled(band)
    name = events(band, 1, "spawned")[0]["army"]
    monkeypatch.setattr(spawning, "UPTO", (0,) * 5)
    correction = propose(band, new("aside", "Wolfpack"))
    assert name in [army["army"] for army in difference_of(correction)["armies"]]
    apply_correction(correction=correction, judge=band.judges["movement"], now=band.turn.opened_at + HOUR)
    assert not Army.objects.filter(round=band.round, name=name).exists()
    assert rows.load_position(band.round) == rows.position_of_turn(band.turn)


def test_a_lock_with_mercenaries_takes_no_statement_more(monkeypatch: pytest.MonkeyPatch) -> None:
    """STACK: nothing is asked for where their judge ordered nothing, and nothing written where no raider appears."""
    monkeypatch.setattr(spawning, "UPTO", (0,) * 5)
    counted = []
    for slug in ("without", "with"):
        world = make_round(FOUR, slug=slug)
        if slug == "with":
            add_mercenary(world.round, "Wolfpack", "raider", "36N")
            add_mercenary(world.round, "Herd", "theme", "30G")
        begin(world).post("Ana", "3D > 4D")
        with CaptureQueriesContext(connection) as captured:
            assert advance(world.turn.pk, LOCKED) == "settled"
        counted.append(len(captured))
    assert counted[0] == counted[1]
