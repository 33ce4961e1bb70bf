"""R38: what is mixed into the dice once the score is locked: words of the players, or a beacon's value."""

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import time_machine

from judging.battles.beacon import are_awaited, enter_value, fetch_values
from judging.battles.desk.notes import rule_on_risk
from judging.battles.desk.publishing import publish_result
from judging.battles.desk.rolling import roll, roll_mixed
from judging.battles.desk.scoring import lock_score, overrule_score
from judging.battles.models import Battle, BeaconValue, Proposal, Strat
from judging.battles.queries import battle_view
from judging.battles.seed_contributions import ingredients, waits_until
from judging.battles.strats.dice_words import hand_over_word, own_due_words
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import viewer_of
from judging.notifications.models import Notification
from judging.notifications.reminders import remind
from judging.verification.checks import verify_turn
from judging.verification.proofs import proof_of
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge
from wargame.rules.battle.mixing import BEACON, beacon_due, beacon_number, ingredient, randomness, seal_of
from wargame.rules.core.dice import battle_dice

pytestmark = pytest.mark.django_db

WORDS = {"Ana": "a word that Ana drew", "Gaz": "a word that Gaz drew"}
MINUTE = timedelta(minutes=1)
DICE = Path(__file__).parents[2] / "docs" / "play" / "verify" / "dice.md"


@pytest.fixture
def battle(war: World) -> Battle:
    """Both strats have a sealed word; nothing is scored."""
    battle = Battle.objects.get()
    assert battle.dice_mix == "words", "new rounds choose words"
    for name, word in WORDS.items():
        war.strat(battle, name, name, word_sha256=seal_of(word), risk="kill" if name == "Ana" else "")
    return battle


def locked(war: World, battle: Battle) -> Battle:
    lock_score(
        battle=battle, judge=war.judges["battle"], favours=0, bonus=2, reasons=REASONS, now=battle.deadline + MINUTE
    )
    return Battle.objects.select_related("turn__round", "score").get(pk=battle.pk)


def hand(war: World, battle: Battle, name: str, word: str = "", by: str = "", after: timedelta = 2 * MINUTE) -> Strat:
    player = war.players[by or name]
    now = battle.deadline + after
    return hand_over_word(battle=battle, army=name, player=player, word=word or WORDS[name], now=now)


def rolled(war: World, battle: Battle, after: timedelta = 3 * MINUTE) -> dict[str, Any]:
    return dict(roll(battle=battle, judge=war.judges["battle"], now=battle.deadline + after).outcome)


def test_the_dice_wait_for_the_words_and_come_from_them(war: World, battle: Battle) -> None:
    battle = locked(war, battle)
    with pytest.raises(Refused, match="waiting for the words of Ana and Gaz"):
        rolled(war, battle)
    hand(war, battle, "Ana")
    with pytest.raises(Refused, match="waiting for the word of Gaz"):
        publish_result(battle=battle, judge=war.judges["battle"], narrative="", now=battle.deadline + 3 * MINUTE)
    hand(war, battle, "Gaz")
    outcome = rolled(war, battle)
    place = bytes.fromhex(battle.seed), "trial", battle.turn.number, battle.number
    strats = list(Strat.objects.values_list("sha256", flat=True))
    dice = battle_dice(*place, strats, [ingredient(word) for word in WORDS.values()])
    assert outcome["rolls"][0][0] == [dice.roll("d20 side 1", 20, n) for n in range(1, 5)]
    plain = battle_dice(*place, strats)
    assert outcome["rolls"][0][0] != [plain.roll("d20 side 1", 20, n) for n in range(1, 5)]
    assert [entry.data["army"] for entry in LogEntry.objects.filter(action="battle.word")] == ["Ana", "Gaz"]


def test_a_word_that_does_not_come_counts_as_empty_and_is_named(war: World, battle: Battle) -> None:
    battle = locked(war, battle)
    hand(war, battle, "Ana")
    until = waits_until(battle, battle.score)
    assert until - battle.score.locked_at == timedelta(hours=6)
    with pytest.raises(Refused, match="the word of Gaz"):
        roll(battle=battle, judge=war.judges["battle"], now=until - MINUTE)
    with pytest.raises(Refused, match="counts as empty"):
        hand_over_word(battle=battle, army="Gaz", player=war.players["Gaz"], word=WORDS["Gaz"], now=until)
    outcome = roll(battle=battle, judge=war.judges["battle"], now=until).outcome
    assert [one["word"] for one in outcome["mix"]["words"]] == [WORDS["Ana"], ""]
    assert ingredients(outcome["mix"]) == [ingredient(WORDS["Ana"])]
    with pytest.raises(Refused, match="counted as empty"):
        hand_over_word(battle=battle, army="Gaz", player=war.players["Gaz"], word=WORDS["Gaz"], now=until)


def test_a_short_turn_never_waits_as_long_as_the_round_allows(war: World, battle: Battle) -> None:
    battle = locked(war, battle)
    battle.turn.lock_at = battle.turn.opened_at + 16 * MINUTE
    assert waits_until(battle, battle.score) - battle.score.locked_at == 2 * MINUTE


def test_the_service_takes_no_word_before_the_score_is_locked(war: World, battle: Battle) -> None:
    with pytest.raises(Refused, match="Keep your word secret until the score is locked"):
        hand(war, battle, "Ana")
    assert not Strat.objects.exclude(word="").exists()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"word": "another word altogether"}, "not the word sealed with the strat"),
        ({"word": "short"}, "16 to 200 characters"),
        ({"by": "Ben"}, "Only a player who controls Ana or sent its strat can reveal the word"),
        ({"by": "Gaz"}, "Only a player who controls Ana or sent its strat can reveal the word"),
    ],
)
def test_another_word_or_somebody_elses_is_refused(
    war: World, battle: Battle, typed: dict[str, str], sentence: str
) -> None:
    battle = locked(war, battle)
    with pytest.raises(Refused, match=sentence):
        hand(war, battle, "Ana", **typed)  # type: ignore[arg-type]
    assert not Strat.objects.exclude(word="").exists()


def test_the_same_word_again_is_the_same_word(war: World, battle: Battle) -> None:
    battle = locked(war, battle)
    first = hand(war, battle, "Ana")
    assert hand(war, battle, "Ana", after=9 * MINUTE).word_at == first.word_at
    assert LogEntry.objects.filter(action="battle.word").count() == 1


def test_once_a_word_is_known_neither_score_nor_risk_is_ruled_on_otherwise(war: World, battle: Battle) -> None:
    """Else who knows the seed could tell a judge what to do with the dice that come."""
    assistant = add_judge(war.round, "battle", "Second", is_head=False)
    now = battle.deadline + MINUTE
    lock_score(battle=battle, judge=assistant, favours=0, bonus=2, reasons=REASONS, now=now)
    head, strat = war.judges["battle"], Strat.objects.get(risk="kill")
    rule_on_risk(strat=strat, judge=head, target="", cites="4.3.2", reason="No.", now=now)
    battle = Battle.objects.select_related("turn__round", "score").get()
    hand(war, battle, "Ana")
    with pytest.raises(Refused, match="A word for these dice has already been revealed, so you"):
        rule_on_risk(strat=strat, judge=head, target="", cites="4.3.2", reason="No.", now=now)
    with pytest.raises(Refused, match="A word for these dice has already been revealed, so you"):
        overrule_score(battle=battle, judge=head, favours=1, bonus=9, reasons=REASONS, reason="No.", now=now)


@pytest.mark.parametrize("seal", ["abc", "g" * 64])
def test_what_is_no_seal_is_refused(war: World, seal: str) -> None:
    with pytest.raises(Refused, match="64 hexadecimal digits") as caught:
        war.strat(Battle.objects.get(), "Ana", "Ana", word_sha256=seal)
    assert caught.value.field == "word_sha256"


def test_a_battle_of_an_older_round_takes_no_seal_and_waits_for_nothing(war: World) -> None:
    Battle.objects.update(dice_mix="seed")
    battle = Battle.objects.get()
    with pytest.raises(Refused, match="The dice of this battle"):
        war.strat(battle, "Ana", "Ana", word_sha256=seal_of(WORDS["Ana"]))
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    assert "mix" not in rolled(war, locked(war, battle))


def test_the_page_asks_its_owner_alone_and_only_while_it_counts(war: World, battle: Battle) -> None:
    def due(name: str, after: timedelta) -> list[str]:
        viewer = viewer_of(war.players[name].user, war.round)
        view = battle_view(battle.pk, viewer, battle.deadline + after)
        assert view is not None
        return [each.army for each in own_due_words(view, viewer, battle.deadline + after)]

    assert due("Ana", 2 * MINUTE) == []
    locked(war, battle)
    assert (due("Ana", 2 * MINUTE), due("Ben", 2 * MINUTE), due("Ana", 7 * HOUR)) == (["Ana"], [], [])
    hand(war, battle, "Ana")
    assert (due("Ana", 3 * MINUTE), due("Gaz", 3 * MINUTE)) == ([], ["Gaz"])


def test_the_dice_roll_by_themselves_once_the_last_word_is_there(war: World, battle: Battle) -> None:
    battle = locked(war, battle)
    now = battle.deadline + 3 * MINUTE
    hand(war, battle, "Ana")
    assert roll_mixed(now) == 0
    hand(war, battle, "Gaz")
    assert (roll_mixed(now), roll_mixed(now)) == (1, 0)
    proposal = Proposal.objects.get()
    assert (proposal.judge, proposal.rolled_at) == (None, now)
    assert [one["word"] for one in proposal.outcome["mix"]["words"]] == list(WORDS.values())
    assert LogEntry.objects.get(action="battle.rolled").actor is None
    assert verify_turn(battle.turn).differences == ()
    result = publish_result(battle=battle, judge=war.judges["battle"], narrative="", now=now)
    assert result.outcome == proposal.outcome


def test_the_dice_roll_by_themselves_once_the_time_for_words_is_over(war: World, battle: Battle) -> None:
    battle = locked(war, battle)
    until = waits_until(battle, battle.score)
    assert roll_mixed(until - timedelta(seconds=1)) == 0
    assert roll_mixed(until) == 1
    assert Battle.objects.get().state == "rolled"


def test_without_a_sealed_word_the_judge_rolls(war: World, battle: Battle) -> None:
    Strat.objects.update(word_sha256="")
    battle = locked(war, battle)
    assert roll_mixed(battle.deadline + 2 * MINUTE) == 0


def test_a_battle_that_can_not_be_rolled_keeps_no_other_waiting(
    war: World, battle: Battle, monkeypatch: pytest.MonkeyPatch
) -> None:
    until = waits_until(battle := locked(war, battle), battle.score)

    def fail(*_: object) -> None:
        raise ValueError

    monkeypatch.setattr("judging.battles.desk.rolling.outcome_of", fail)
    assert roll_mixed(until) == 0
    assert Battle.objects.get().state == "scored"


def test_who_sealed_a_word_is_told_and_then_the_judge_that_it_can_be_published(war: World, battle: Battle) -> None:
    battle = locked(war, battle)
    remind(battle.deadline + 2 * MINUTE)
    told = sorted(Notification.objects.filter(kind="word.due"), key=lambda each: str(each.data["army"]))
    assert [(each.user, each.data["army"]) for each in told] == [(war.players[n].user, n) for n in ("Ana", "Gaz")]
    for name in WORDS:
        hand(war, battle, name)
    add_judge(war.round, "battle", "Second", is_head=False)
    roll_mixed(battle.deadline + 3 * MINUTE)
    remind(battle.deadline + 3 * MINUTE)
    assert not Notification.objects.filter(kind="word.due", read_at__isnull=True).exists()
    assert Notification.objects.get(kind="judge.publish").user == war.judges["battle"].user
    publish_result(battle=battle, judge=war.judges["battle"], narrative="", now=battle.deadline + 4 * MINUTE)
    remind(battle.deadline + 5 * MINUTE)
    assert not Notification.objects.filter(kind="judge.publish", read_at__isnull=True).exists()


def test_what_was_mixed_in_is_verified_from_the_rows(war: World, battle: Battle) -> None:
    battle = locked(war, battle)
    for name in WORDS:
        hand(war, battle, name)
    publish_result(battle=battle, judge=war.judges["battle"], narrative="", now=battle.deadline + 4 * MINUTE)
    proof = proof_of(war.round, battle.pk)
    assert proof is not None
    assert [one["word"] for one in proof["words"]] == list(WORDS.values())
    program: dict[str, Any] = {"__name__": "copied"}
    for block in re.findall(r"```python\n(.*?)```", DICE.read_text(encoding="utf-8"), re.DOTALL):
        exec(block, program)
    program["recompute"](proof)
    with pytest.raises(AssertionError):
        program["recompute"]({**proof, "words": []})
    assert verify_turn(battle.turn).differences == ()
    Strat.objects.filter(entry__name="Gaz").update(word="another word altogether")
    assert verify_turn(battle.turn).differences == ("the battle on 3F: its outcome",)


SIGNATURE = "ab" * 48


@pytest.fixture
def beacon(war: World) -> Battle:
    """A scored battle whose dice wait for the beacon."""
    Battle.objects.update(dice_mix="beacon")
    battle = Battle.objects.get()
    war.strat(battle, "Ana", "Ana")
    war.strat(battle, "Gaz", "Gaz")
    return locked(war, battle)


def test_the_beacons_value_is_the_first_that_is_given_a_minute_after_the_lock() -> None:
    """Value 123 of the chain was given at 15:15:33 on the day it began."""
    given = datetime(2023, 8, 23, 15, 15, 33, tzinfo=UTC)
    assert (beacon_number(given - MINUTE), beacon_due(given - MINUTE)) == (123, given)
    assert beacon_number(given - MINUTE + timedelta(seconds=1)) == 124
    assert beacon_due(given - MINUTE - timedelta(seconds=1)) == given


def test_the_job_fetches_the_value_once_and_the_dice_come_from_it(war: World, beacon: Battle) -> None:
    number, asked = beacon_number(beacon.score.locked_at), []

    def fetch(address: str) -> str:
        asked.append(address)
        return json.dumps({"round": number, "signature": SIGNATURE, "randomness": "what it says is not trusted"})

    with pytest.raises(Refused, match=f"waiting for value {number} of the public beacon"):
        rolled(war, beacon)
    assert fetch_values(beacon.score.locked_at, fetch) == 0, "it is not given yet"
    assert not are_awaited(beacon.score.locked_at)
    due = beacon_due(beacon.score.locked_at)
    assert are_awaited(due)
    assert fetch_values(due, fetch) == 1
    assert not are_awaited(due)
    assert fetch_values(due + MINUTE, fetch) == 0
    assert asked == [f"https://api.drand.sh/{BEACON}/public/{number}"]
    outcome = rolled(war, beacon)
    assert ingredients(outcome["mix"]) == [randomness(SIGNATURE)]
    assert outcome["mix"]["beacon"]["number"] == str(number)


def test_a_beacon_that_is_away_is_asked_less_and_less_and_holds_up_nothing(war: World, beacon: Battle) -> None:
    asked: list[str] = []

    def fetch(address: str) -> str:
        asked.append(address)
        raise OSError("no route")

    due = beacon_due(beacon.score.locked_at)
    with time_machine.travel(due, tick=False) as clock:
        for _ in range(60):
            fetch_values(datetime.now(UTC), fetch)
            clock.shift(10)
    assert 4 <= len(asked) <= 12, "two sources, a few tries in ten minutes"
    until = waits_until(beacon, beacon.score)
    outcome = roll(battle=beacon, judge=war.judges["battle"], now=until).outcome
    assert (ingredients(outcome["mix"]), outcome["mix"]["beacon"]["signature"]) == ([], "")


def test_a_judge_writes_down_what_the_beacon_gave(war: World, beacon: Battle) -> None:
    judge, due = war.judges["battle"], beacon_due(beacon.score.locked_at)

    def write(signature: str, value: str, now: datetime = due) -> BeaconValue:
        return enter_value(battle=beacon, judge=judge, signature=signature, value=value, now=now)

    for signature, value, now, sentence in (
        ("ab", "", due, "96 hexadecimal digits"),
        (SIGNATURE, "00" * 32, due, "doesn't match the signature"),
        (SIGNATURE, randomness(SIGNATURE), due - MINUTE, "published this value yet"),
    ):
        with pytest.raises(Refused, match=sentence):
            write(signature, value, now)
    first = write(SIGNATURE, randomness(SIGNATURE))
    assert write(SIGNATURE.upper(), randomness(SIGNATURE)) == first
    publish_result(battle=beacon, judge=judge, narrative="", now=due + MINUTE)
    assert verify_turn(beacon.turn).differences == ()
    BeaconValue.objects.update(number=1)
    assert verify_turn(beacon.turn).differences == ("the battle on 3F: its outcome",)
