"""5.4.1, R47: the judges' desk for penalties, and where everybody reads of them."""

import re
from datetime import timedelta

import pytest
from django.http import HttpResponse
from django.urls import reverse

from judging.battles.desk.scoring import lock_score
from judging.common.texts import utc
from judging.common.viewer import viewer_of
from judging.penalties.desk import foreseen
from judging.penalties.models import Penalty
from judging.penalties.services import checked_penalty
from judging.turns.posts.queries import offences_for
from tests.pages.judge_desk import Desk, desk
from tests.pages.playing import SEALED_TIME, Game, game
from tests.services.penalties import REASON, new_penalty, penalise
from tests.services.test_penalties import alive, left_after
from tests.services.world_of_tests import HOUR, REASONS, TROOPS, make_round

__all__ = ["desk", "game"]

TYPED = {
    "player": "Ana",
    "army": "Ben",
    "kind": "dice",
    "severity": "2",
    "slot1": "",
    "slot2": "",
    "slot3": "",
    "slot4": "",
    "cites": "5.4.1",
    "reason": REASON,
    "token": "form",
}


def address(game: Game | Desk) -> str:
    return reverse("judge:penalties", args=[game.world.round.pk])


def send(game: Game | Desk, act: str, who: str = "movement", **typed: object) -> HttpResponse:
    """The desk's form, sent by somebody."""
    return game.client(who).post(address(game), {**TYPED, "act": act, **typed}, follow=True)  # type: ignore[return-value]


def text_of(response: HttpResponse) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def test_the_form_asks_twice_and_rolls_only_then(game: Game) -> None:
    asked = text_of(send(game, "check"))
    assert "Impose this penalty?" in asked
    assert (
        "Ana: Ben must give up at least 200, 100, 50 and 20 and at most 1,200, 600, 300 and 120 from slots "
        "1 to 4 (severity 2 times a die)."
    ) in asked
    assert all(f'<input type="hidden" name="{name}" value="{value}">' in asked for name, value in TYPED.items())
    assert not Penalty.objects.exists()
    done = text_of(send(game, "confirm"))
    penalty = Penalty.objects.get()
    assert f"(severity 2 times {penalty.roll}, drawn as penalty/1)." in done
    assert alive(game.world, "Ben") == left_after(penalty)
    send(game, "confirm")
    assert Penalty.objects.count() == 1


def test_what_was_typed_can_be_changed_before_the_roll(game: Game) -> None:
    text = send(game, "change", severity="4").content.decode()
    assert '<option value="4" selected>' in text
    assert REASON in text
    assert not Penalty.objects.exists()


@pytest.mark.parametrize("act", ["check", "confirm"])
def test_a_refused_form_comes_back_with_what_was_typed_and_the_reason_beside_the_field(game: Game, act: str) -> None:
    response = send(game, act, army="Nowhere & more", severity="9")
    text = response.content.decode()
    assert response.status_code == 422
    assert "There is no army called “Nowhere &amp; more” on this turn&#x27;s map." in text
    assert 'value="Nowhere &amp; more"' in text
    assert REASON in text
    assert not Penalty.objects.exists()


@pytest.mark.parametrize(
    "wrong", [{"kind": "x"}, {"player": "\0"}, {"reason": ""}, {"severity": "9" * 40}, {"cites": "0"}, {"token": ""}]
)
def test_bad_input_is_refused_with_a_sentence(game: Game, wrong: dict[str, str]) -> None:
    assert send(game, "confirm", **wrong).status_code == 422
    assert not Penalty.objects.exists()


def test_what_speaks_against_it_is_said_before_the_roll(game: Game) -> None:
    """5.4.1, 5.4.2."""
    other_team = text_of(send(game, "check", player="Gaz"))
    assert "The army Ben belongs to the Coalition, but Gaz plays for Phyrexia." in other_team
    own = text_of(send(game, "check", player="Ben"))
    assert "Ben controlled Ben in this turn." in own
    assert "5.4.2" in own
    assert "might still get control of" not in own


def test_before_the_lock_it_is_said_that_who_gets_the_army_by_then_has_done_nothing_wrong(game: Game) -> None:
    """5.4.2: if a player controls an army at the lock, all that he did with it in the turn is valid."""
    row = checked_penalty(game.world.turn, game.world.judges["movement"], new_penalty())
    lock = game.world.turn.lock_at
    before, after = ([said for said, _ in foreseen(row, now).remarks] for now in (lock - HOUR, lock + HOUR))
    told = (
        "Ana might still get control of Ben before the lock. Then everything done with the army this turn would be "
        "valid."
    )
    assert told in before
    assert not [said for said in after if "might still get control of" in said]
    other_team = checked_penalty(game.world.turn, game.world.judges["movement"], new_penalty(player="Gaz"))
    assert not [said for said, _ in foreseen(other_team, lock - HOUR).remarks if "might still get control of" in said]


def test_lines_for_somebody_elses_army_are_shown_to_the_judges_with_a_form_begun(game: Game) -> None:
    """R13: reported to the judges for a possible penalty."""
    game.world.post("Ana", "Ana: 3D > 4D\nBen: 10D > 11D")
    game.world.post("Hex", "Gaz: hold\nGood luck.")
    judge = viewer_of(game.world.judges["movement"].user, game.world.round)
    found = offences_for(game.world.turn, judge, game.world.turn.opened_at + 2 * HOUR)
    assert [(one.player, one.army, one.text) for one in found] == [("Ana", "Ben", "Ben: 10D > 11D")]
    text = game.client("movement").get(address(game)).content.decode()
    assert "Orders for someone else's army (1)" in text.replace("&#x27;", "'")
    (link,) = re.findall(r'href="([^"]+)#hand-down">Penalise this', text)
    form = game.client("movement").get(link.replace("&amp;", "&")).content.decode()
    assert 'name="player" value="Ana"' in form
    assert 'name="army" value="Ben"' in form
    assert "Ana gave an order to Ben, an army they don&#x27;t control (turn 1, " in form
    index = text_of(game.client("movement").get(reverse("judge:index")))  # type: ignore[arg-type]
    assert "Penalties</a>: 1 order for someone else's army" in index
    penalise(game.world)
    text = game.client("movement").get(address(game)).content.decode()
    assert "penalised</span>" in text
    assert "Penalise this" not in text


def test_a_sealed_order_is_no_offence_before_the_lock(game: Game) -> None:
    """R6: judges learn nothing of it either."""
    game.go_to(SEALED_TIME)
    game.world.post("Ana", "Ben: 10D > 11D", at=SEALED_TIME, sealed=True)
    for who in ("movement", "battle"):
        text = game.client(who).get(address(game)).content.decode()
        assert "10D &gt; 11D" not in text
        assert "(0)" in text


def test_what_the_last_report_refused_can_be_penalised_in_the_next_turn(game: Game) -> None:
    game.world.post("Ana", "Ben: 10D > 11D", at=SEALED_TIME, sealed=True)
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)
    text = game.client("movement").get(address(game)).content.decode()
    assert "Ana for Ben: <code>Ben: 10D &gt; 11D</code>" in text
    assert "Penalise this" in text


def test_a_penalty_is_lifted_with_a_reason(game: Game) -> None:
    penalty = penalise(game.world)
    wrong = send(game, "lift", penalty=penalty.pk, reason="")
    assert wrong.status_code == 422
    assert "Give a reason. It will be public." in text_of(wrong)
    text = text_of(send(game, "lift", penalty=penalty.pk, reason="Misread."))
    assert "Lifted by Judge movement" in text
    assert alive(game.world, "Ben") == TROOPS


@pytest.mark.parametrize("key", ["", "0", "x", "9" * 40])
def test_what_is_no_penalty_of_the_round_is_not_lifted(game: Game, key: str) -> None:
    assert send(game, "lift", penalty=key).status_code == 404


def test_another_rounds_penalties_are_not_lifted_here(game: Game) -> None:
    penalty = penalise(game.world)
    other = make_round({}, slug="other", name="Other").judges["battle"]
    there = reverse("judge:penalties", args=[other.round_id])
    game.world.judges["stranger"] = other
    client = game.client("stranger")
    assert client.get(address(game)).status_code == 404
    sent = {"act": "lift", "penalty": penalty.pk, "reason": "No."}
    assert client.post(there, sent).status_code == 404
    assert client.post(address(game), {**TYPED, "act": "confirm"}).status_code == 404


@pytest.mark.parametrize(
    ("who", "status"), [("movement", 200), ("battle", 200), ("mercenary", 404), ("Ana", 302), ("", 302)]
)
def test_only_movement_and_battle_judges_have_the_desk(game: Game, who: str, status: int) -> None:
    assert game.client(who).get(address(game)).status_code == status


def test_everybody_reads_the_penalties_with_reason_rule_and_die(game: Game) -> None:
    penalty = penalise(game.world)
    penalise(game.world, new_penalty("", "Gaz", kind="reprimand", reason="He shouted <loudly>."))
    text = re.sub(r"\s+", " ", game.page("penalties"))
    assert "2 penalties." in text
    assert f"(severity 2 times {penalty.roll}, drawn as penalty/1).</strong>" in text
    assert "Gaz: A reprimand.</strong>" in text
    assert "He shouted &lt;loudly&gt;." in text
    assert 'id="penalty-1-1"' in text
    assert REASON in text


def test_the_list_can_be_searched_by_army_and_player(game: Game) -> None:
    penalise(game.world)
    penalise(game.world, new_penalty("", "Gaz", kind="reprimand"))
    found = game.client().get(game.url("penalties"), {"army": "ben"}).content.decode()
    assert "1 penalty found." in found
    for query in ({"player": "Nobody"}, {"army": "\0"}, {"player": "Ana", "army": "Gaz", "page": "9" * 30}):
        response = game.client().get(game.url("penalties"), query)
        assert response.status_code == 200


def test_the_armys_card_tells_of_the_penalty_and_shows_what_is_left(game: Game) -> None:
    penalty = penalise(game.world)
    text = re.sub(r"\s+", " ", game.page("army", "Ben"))
    left = left_after(penalty)
    assert f"{left[0]:,} of 5,000" in text
    assert ">penalty 1</a> of this turn, imposed on Ana" in text
    assert f'href="{game.url("penalties")}?army=Ben"' in text


def test_the_map_is_drawn_anew_with_the_penalty(game: Game) -> None:
    before = game.client().get(game.url("map-fragment"), {"v": ""})
    version = re.search(r"v=([0-9a-f]{16})", before.content.decode())
    assert version
    unchanged = game.client().get(game.url("map-fragment"), {"v": version[1]})
    assert unchanged.status_code == 204
    penalty = penalise(game.world)
    after = game.client().get(game.url("map-fragment"), {"v": version[1]})
    assert after.status_code == 200
    ten_d = game.page("map-square", 1, "10D")
    assert f"{left_after(penalty)[0]:,}" in ten_d


def test_the_update_of_the_turn_has_the_penalty_with_its_rule(game: Game) -> None:
    penalise(game.world)
    game.world.settle()
    text = re.sub(r"\s+", " ", game.page("turn", 1))
    assert "Penalties" in text
    assert "by penalty 1 for Ana: severity 2 times" in text


def test_what_a_penalty_does_to_a_battle_is_said_before_the_roll(desk: Desk) -> None:
    desk.both_strats()
    asked = text_of(send(desk, "check", army="Ana", player="Ben"))
    assert "Ana will fight the battle with the remaining troops." in asked
    judge, now = desk.world.judges["battle"], desk.battle.announced_at + 2 * HOUR
    lock_score(battle=desk.battle, judge=judge, favours=None, bonus=0, reasons=REASONS, now=now)
    asked = text_of(send(desk, "check", army="Ana", player="Ben"))
    assert "A score for the army&#x27;s battle is locked" in asked


def test_in_the_last_24_hours_the_desk_says_until_when_the_strat_has_time(desk: Desk) -> None:
    desk.go_to(desk.battle.deadline - HOUR)
    until = utc(desk.battle.deadline + timedelta(days=1))
    assert f"The strat deadline for Ana will move to {until}." in text_of(send(desk, "check", army="Ana", player="Ben"))
    assert f"the strat is now due {until}" in text_of(send(desk, "confirm", army="Ana", player="Ben"))
    battle = desk.client("anonymous").get(reverse("battle", args=["trial", desk.battle.pk]))
    assert f"The strat of Ana is due by {until}: Penalty 1 took troops from it (5.4.1)." in text_of(battle)  # type: ignore[arg-type]


def test_its_player_and_the_battles_page_are_told_of_it(desk: Desk) -> None:
    penalty = penalise(desk.world, new_penalty("Ana", "Ben"))
    left = left_after(penalty)
    for who, page in (("anonymous", "battle"), ("Ana", "mine")):
        there = reverse(page, args=["trial", desk.battle.pk] if page == "battle" else ["trial"])
        text = text_of(desk.client(who).get(there))  # type: ignore[arg-type]
        assert "Ana must give up " in text
        assert ">penalty 1</a> of this turn" in text
        assert f"{left[0]:,} / 5,000" in text or f"{sum(left):,} of 10,000 troops" in text
    other = text_of(desk.client("Ben").get(reverse("mine", args=["trial"])))  # type: ignore[arg-type]
    assert "penalty 1" not in other
