"""3.3.3, 1.3: the movement judge's desk, corrections, and what everybody reads of rulings."""

import json
import re

import pytest
from django.http import HttpResponse
from django.urls import reverse

from judging.appeals.models import Appeal
from judging.battles.models import Battle
from judging.turns.drafts import publish_draft
from judging.turns.models import Correction, Draft, Ruling
from judging.turns.rulings.corrections import apply_correction
from judging.turns.rulings.services import withdraw_ruling
from judging.turns.stages import advance
from tests.pages.judge_desk import STRAT, Desk, desk, make_draft
from tests.pages.playing import Game, game, said
from tests.services.ruling import new, propose, rule
from tests.services.world_of_tests import HOUR, add_judge, make_round
from wargame.models import Turn

__all__ = ["desk", "game"]

SECRET = "MARKER-REASON"
SQUARE = new("square", "Hex", square="18F", reason=SECRET, cites="3.3.2")
TYPED = {"act": "rule", "kind": "square", "army": "Hex", "square": "18F", "cites": "3.3.2", "reason": SECRET}


def draft_address(desk: Desk) -> str:
    return reverse("judge:draft", args=[desk.world.turn.pk])


def send(desk: Desk, who: str = "movement", **typed: str) -> HttpResponse:
    """The form for a ruling on the draft, sent by somebody."""
    return desk.client(who).post(draft_address(desk), {**TYPED, "token": "form", **typed}, follow=True)  # type: ignore[return-value]


def text_of(response: HttpResponse) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def test_what_is_doubtful_comes_first_with_a_ruling_to_begin(desk: Desk) -> None:
    make_draft(desk)
    text = desk.client("movement").get(draft_address(desk)).content.decode()
    assert "20F to 25F is 5 squares; an army can move 3. Try 20F &gt; 23F." in text
    assert f'href="{draft_address(desk)}?kind=lifted&amp;army=Hex&amp;square=&amp;cites=3.2.2.1#rule"' in text
    assert text.index("To review (1)") < text.index("When the turn opened")


def test_the_maps_before_and_after_have_no_id_twice(desk: Desk) -> None:
    make_draft(desk)
    text = desk.client("movement").get(draft_address(desk)).content.decode()
    ids = re.findall(r'\bid="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert {"before-map-svg", "after-map-svg"} <= set(ids)
    assert set(re.findall(r'href="#((?:before|after)-[^"]+)"', text)) <= set(ids)


def test_the_form_asks_for_the_kind_first_and_then_for_what_it_needs(desk: Desk) -> None:
    make_draft(desk)
    client = desk.client("movement")
    assert 'name="reason"' not in client.get(draft_address(desk)).content.decode()
    needs = {"square": ["square"], "days": ["days"], "troops": ["slot", "creature", "alive"], "order": ["order"]}
    for kind, fields in needs.items():
        text = client.get(f"{draft_address(desk)}?kind={kind}&army=Hex&cites=3.3.2").content.decode()
        others = {name for names in needs.values() for name in names} - set(fields)
        assert all(f'name="{name}"' in text for name in [*fields, "army", "cites", "reason", "token"])
        assert not any(f'name="{name}"' in text for name in others)
        assert 'value="Hex"' in text


def test_a_judge_rules_and_sees_the_difference(desk: Desk) -> None:
    make_draft(desk)
    answer = send(desk)
    assert answer.redirect_chain[-1][0].endswith("#difference")  # type: ignore[attr-defined]
    text = text_of(answer)
    assert "Ruling 1 was added, and the draft was recomputed." in text
    assert '<th scope="row">Hex</th> <td data-label="Ended on">20F</td> <td data-label="Ends on">18F</td>' in text
    send(desk)
    assert Ruling.objects.count() == 1


def test_the_desk_says_which_battles_the_moves_bring_about_and_who_attacks(desk: Desk) -> None:
    """R25."""
    make_draft(desk)
    text = text_of(desk.client("movement").get(draft_address(desk)))
    assert "These moves start no battles." in text
    assert "This turn's battle results are applied afterwards" in text
    answer = send(desk, army="Hex", square="10D")
    text = said(answer)
    assert "New battles (1) Hex will attack Ben on 10D." in text
    assert "New battle: Hex will attack Ben on 10D." in text
    assert text.index("To review") < text.index("New battles")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (
            {"kind": "aside", "army": "Ben"},
            "Ruling 1 was added. It has no effect: the army would stay on its square anyway.",
        ),
        ({"kind": "days", "army": "Ben", "days": "2"}, "Ruling 1 was added. It takes effect at the settlement, after"),
        (
            {"army": "Ben", "square": "10D"},
            "Ruling 1 was added. It has no effect: the army&#x27;s move would end there anyway.",
        ),
    ],
)
def test_a_ruling_without_effect_on_the_draft_says_so(desk: Desk, typed: dict[str, str], sentence: str) -> None:
    make_draft(desk)
    text = said(send(desk, **typed))
    assert sentence in text
    assert "Every army still ends on the same square, and nothing else changes." in text


def test_a_ruling_that_changes_nothing_keeps_its_reason_in_the_report(game: Game) -> None:
    game.world.round.publish_after = None
    game.world.round.save()
    turn = game.world.turn
    game.world.settle()
    rule(game.world, new("aside", "Ben", reason="He meant to wait."))
    judge, now = game.world.judges["movement"], turn.lock_at + HOUR
    publish_draft(turn=turn, judge=judge, now=now)
    advance(turn.pk, now)
    game.go_to(now + HOUR)
    told = "He meant to wait. It changes nothing: the army would stay on its square anyway."
    assert told in game.page("turn", 1)
    assert told in game.client().get(game.url("turn-text", 1)).content.decode()
    assert "It had no effect: the army would stay on its square anyway." in game.page("rulings")


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"army": "Hexx"}, "There is no army “Hexx” on this turn&#x27;s map."),
        ({"square": "99Z"}, "99Z isn&#x27;t on the map"),
        ({"square": ""}, "is not a square"),
        ({"cites": "3.9.9"}, "The rulebook has no rule “3.9.9”"),
        ({"reason": ""}, "Give a reason"),
        ({"kind": "nothing"}, "Choose what kind of ruling to make."),
        ({"kind": ""}, "Choose what kind of ruling to make."),
        ({"token": ""}, "Something went wrong with this form."),
        ({"kind": "order", "order": "9"}, "“9” isn&#x27;t an order."),
        ({"reason": "a\0b"}, "a character in line 1"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(desk: Desk, typed: dict[str, str], sentence: str) -> None:
    make_draft(desk)
    answer = send(desk, **typed)
    assert answer.status_code == 422
    text = answer.content.decode()
    assert sentence in text
    for name, value in {**TYPED, **typed}.items():
        if name in ("army", "cites", "reason") and "\0" not in value:
            assert value in text
    assert not Ruling.objects.exists()


@pytest.mark.parametrize("who", ["mercenary", "superuser", "Ana"])
def test_nobody_else_rules_or_sees_rulings_before_the_moves_are_published(desk: Desk, who: str) -> None:
    make_draft(desk)
    rule(desk.world, SQUARE)
    answer = desk.client(who).get(draft_address(desk), follow=True)
    assert SECRET not in answer.content.decode()
    assert send(desk, who, token="other").status_code in (200, 404)
    assert Ruling.objects.count() == 1


@pytest.mark.parametrize("who", ["anonymous", "Ana", "Hex"])
def test_players_see_no_ruling_and_no_draft_before_it_is_published(desk: Desk, who: str) -> None:
    make_draft(desk)
    rule(desk.world, SQUARE)
    slug, number = desk.world.round.slug, desk.world.turn.number
    pages = [
        reverse("rulings", args=[slug]),
        reverse("turn", args=[slug, number]),
        reverse("movement-turn", args=[slug, number]),
        reverse("map", args=[slug]),
        reverse("army", args=[slug, "Hex"]),
        reverse("api-turn", args=[slug, number]),
    ]
    client = desk.client(who)
    for page in pages:
        text = client.get(page).content.decode()
        assert SECRET not in text, page
        assert "18F" not in text.replace("118F", ""), page
    assert client.get(reverse("turn-text", args=[slug, number])).status_code == 404
    Draft.objects.update(publish_at=desk.world.turn.lock_at)
    assert all(SECRET in client.get(page).content.decode() for page in (pages[0], pages[1], pages[-1]))


def test_a_movement_judge_reads_no_strat_on_these_pages(desk: Desk) -> None:
    desk.both_strats()
    make_draft(desk)
    rule(desk.world, SQUARE)
    first = Turn.objects.get(number=1)
    for page in (draft_address(desk), reverse("judge:corrections", args=[first.pk])):
        assert STRAT not in desk.client("movement").get(page).content.decode()


def test_a_ruling_is_withdrawn_with_a_reason(desk: Desk) -> None:
    make_draft(desk)
    ruling = rule(desk.world, SQUARE)
    address = reverse("judge:ruling-withdraw", args=[ruling.pk])
    client = desk.client("movement")
    answer = client.post(address, {"reason": "  "})
    assert answer.status_code == 422
    assert "Give a reason" in answer.content.decode()
    assert f'action="{draft_address(desk)}"' in answer.content.decode()
    answer = client.post(address, {"reason": "It was read well."}, follow=True)
    assert "Ruling 1 was withdrawn" in answer.content.decode()
    assert "It was read well." in answer.content.decode()
    assert client.get(address).status_code == 405


def test_the_head_battle_judge_overrules_on_the_desk_and_others_are_told_why_not(desk: Desk) -> None:
    make_draft(desk)
    ruling = rule(desk.world, SQUARE)
    desk.world.judges["deputy"] = add_judge(desk.world.round, "battle", "Deputy", is_head=False)
    address = reverse("judge:ruling-withdraw", args=[ruling.pk])
    answer = desk.client("deputy").post(address, {"reason": "No."})
    assert answer.status_code == 422
    assert "Only Judge movement or the head battle judge can withdraw this." in answer.content.decode()
    assert desk.client("mercenary").post(address, {"reason": "No."}).status_code == 404
    assert "Withdraw it" in desk.client("battle").get(draft_address(desk)).content.decode()
    assert "Withdraw it" not in desk.client("deputy").get(draft_address(desk)).content.decode()
    desk.client("battle").post(address, {"reason": "No."})
    ruling.refresh_from_db()
    assert ruling.withdrawn_by == desk.world.judges["battle"]
    answer = desk.client("movement").post(address, {"reason": "No."})
    assert "Judge battle already withdrew this ruling" in answer.content.decode()


def test_the_judge_who_answers_an_appeal_against_a_ruling_finds_its_button(desk: Desk) -> None:
    make_draft(desk)
    ruling = rule(desk.world, SQUARE)
    deputy = desk.world.judges["deputy"] = add_judge(desk.world.round, "battle", "Deputy", is_head=False)
    turn = desk.world.turn
    Appeal.objects.create(
        round=turn.round, number=1, player=desk.world.players["Hex"], turn=turn, kind=Appeal.Kind.RULING,
        ruling=ruling, judge=deputy, against=ruling.judge, cites="3.3.3", reason="No.",
        lodged_at=turn.lock_at, due_at=turn.lock_at + HOUR,
    )  # fmt: skip
    assert "Withdraw it" in desk.client("deputy").get(draft_address(desk)).content.decode()
    answer = desk.client("deputy").post(
        reverse("judge:ruling-withdraw", args=[ruling.pk]), {"reason": "It was read well."}, follow=True
    )
    assert "Ruling 1 was withdrawn" in answer.content.decode()


def test_a_judge_of_another_round_sees_nothing(desk: Desk) -> None:
    make_draft(desk)
    ruling = rule(desk.world, SQUARE)
    desk.world.judges["stranger"] = make_round({}, slug="other", name="Other").judges["movement"]
    client = desk.client("stranger")
    first = Turn.objects.get(number=1)
    assert client.get(draft_address(desk)).status_code == 404
    assert client.get(reverse("judge:corrections", args=[first.pk])).status_code == 404
    assert client.post(reverse("judge:ruling-withdraw", args=[ruling.pk]), {"reason": "x"}).status_code == 404


def test_moves_that_changed_under_a_judge_are_not_published(desk: Desk) -> None:
    draft = make_draft(desk)
    rule(desk.world, SQUARE)
    answer = desk.client("movement").post(draft_address(desk), {"act": "publish", "digest": draft.digest}, follow=True)
    assert "A ruling changed the draft after you opened this page." in answer.content.decode()
    draft.refresh_from_db()
    assert draft.publish_at is None


def corrections_address(desk: Desk) -> str:
    return reverse("judge:corrections", args=[Turn.objects.get(number=desk.world.turn.number - 1).pk])


STAYS = {"act": "propose", "kind": "aside", "army": "Ana", "cites": "3.3.3", "reason": "Misread."}


def test_a_correction_is_proposed_added_to_and_applied(desk: Desk) -> None:
    client, address = desk.client("movement"), corrections_address(desk)
    assert "correct turn 1</a> until turn 2 locks." in text_of(client.get(reverse("judge:index")))
    answer = client.post(address, {**STAYS, "token": "first"}, follow=True)
    text = text_of(answer)  # type: ignore[arg-type]
    assert "The correction is computed" in text
    assert "3F → 3D" in text
    assert "Battle cancelled:</strong> Ana attacking Gaz on 3F" in text
    first = Correction.objects.get()
    more = {"kind": "square", "army": "Ben", "square": "11D", "token": "second", "instead_of": str(first.pk)}
    client.post(address, {**STAYS, **more})
    second = Correction.objects.get(state="proposed")
    assert second.rulings.count() == 2
    answer = client.post(address, {"act": "apply", "correction": second.pk}, follow=True)
    assert "Turn 1 was corrected." in answer.content.decode()
    client.post(address, {"act": "apply", "correction": second.pk})
    assert (desk.world.army("Ana").at, desk.world.army("Ben").at) == ("3D", "11D")
    assert Battle.objects.get().state == "cancelled"


def test_a_correction_that_changes_nothing_says_so_and_is_not_offered(desk: Desk) -> None:
    client, address = desk.client("movement"), corrections_address(desk)
    client.post(address, {**STAYS, "army": "Ben", "token": "first"})
    text = client.get(address).content.decode()
    assert "This correction changes neither the map nor the report, so there is nothing to apply" in text
    assert "It has no effect: the army would stay on its square anyway." in text
    assert 'value="apply"' not in text
    assert 'value="drop"' in text
    answer = client.post(address, {"act": "apply", "correction": Correction.objects.get().pk}, follow=True)
    assert "This correction changes nothing, so there is nothing to apply." in answer.content.decode()
    assert Correction.objects.get().state == "proposed"


def test_a_correction_is_dropped(desk: Desk) -> None:
    correction = propose(desk.world, new("aside", "Ana"))
    answer = desk.client("battle").post(
        corrections_address(desk), {"act": "drop", "correction": correction.pk}, follow=True
    )
    assert "The proposal was dropped." in answer.content.decode()
    assert desk.world.army("Ana").at == "3F"


@pytest.mark.parametrize("typed", [{"act": "apply", "correction": "x"}, {"act": "no", "correction": "1"}, {}])
def test_a_damaged_decision_is_no_error_page(desk: Desk, typed: dict[str, str]) -> None:
    answer = desk.client("movement").post(corrections_address(desk), typed, follow=True)
    assert "Choose which correction to apply or drop" in answer.content.decode()


def test_a_wrong_ruling_in_a_correction_is_said_and_kept(desk: Desk) -> None:
    typed = {**STAYS, "token": "t", "army": "Zed", "reason": SECRET}
    answer = desk.client("movement").post(corrections_address(desk), typed)
    assert answer.status_code == 422
    assert "There is no army “Zed”" in answer.content.decode()
    assert SECRET in answer.content.decode()


@pytest.mark.parametrize("who", ["mercenary", "superuser"])
def test_corrections_are_for_movement_and_battle_judges(desk: Desk, who: str) -> None:
    propose(desk.world, new("aside", "Ana", reason=SECRET))
    assert desk.client(who).get(corrections_address(desk)).status_code == 404
    assert desk.client(who).post(corrections_address(desk), STAYS).status_code == 404


def test_after_the_next_lock_the_page_says_that_nothing_is_corrected_any_more(desk: Desk) -> None:
    address = corrections_address(desk)
    desk.go_to(desk.world.turn.lock_at + HOUR)
    text = desk.client("movement").get(address).content.decode()
    assert "Turn 2 has locked, so you can&#x27;t correct turn 1 any more." in text
    assert 'value="propose"' not in text


def corrected(game: Game) -> Correction:
    """Turn 1, in which Ana attacked Gaz, corrected so that she stayed."""
    game.battle()
    correction = propose(game.world, new("aside", "Ana", reason=SECRET))
    judge, now = game.world.judges["movement"], game.world.turn.opened_at + HOUR
    return apply_correction(correction=correction, judge=judge, now=now)


def test_a_proposed_correction_is_nobody_elses_business(game: Game) -> None:
    game.battle()
    propose(game.world, new("aside", "Ana", reason=SECRET))
    for name, *args in (("rulings",), ("turn", 1), ("turn-text", 1), ("api-turn", 1)):
        assert SECRET not in game.page(name, *args, who="Ana")


def test_the_old_report_of_a_corrected_turn_stays_public(game: Game) -> None:
    correction = corrected(game)
    page = game.page("turn", 1)
    old = game.url("turn-before", 1, correction.pk)
    assert f'href="{old}"' in page
    assert "3F → 3D" in page
    assert SECRET in page
    text = game.client().get(old).content.decode()
    assert "Ana attacked Gaz on 3F" in text
    assert "Ana moved from 3D to 3F" in text
    assert game.client().get(game.url("turn-before", 1, 99)).status_code == 404


def test_a_cancelled_battle_is_shown_as_cancelled(game: Game) -> None:
    corrected(game)
    battle = Battle.objects.get()
    announced = game.page("battles")
    assert "No battles in this turn." in announced
    assert "the battle on 3F" in announced
    page = game.page("battle", battle.pk, who="Ana")
    assert "Turn 1 was corrected, so this battle will not be fought." in page
    assert "Ana against Gaz" in page
    answer = game.client("Ana").post(game.url("strat", battle.pk, "Ana"), {"text": "Fight.", "token": "t"})
    assert "This battle is cancelled" in said(answer) or answer.status_code in (403, 404, 422)
    assert Battle.objects.get().entries.first().strats.count() == 0


def test_the_plain_text_and_the_api_tell_of_rulings_and_corrections(game: Game) -> None:
    corrected(game)
    text = game.client().get(game.url("turn-text", 1)).content.decode()
    assert "by Judge movement (3.3.3): Ana: 3F → 3D." in text
    assert "Rulings (1)" in text
    assert f"Ruling 1: the orders of Ana are set aside, and the army stays. {SECRET} (3.3.3)" in text
    told = json.loads(game.client().get(game.url("api-turn", 1)).content)
    assert [(one["number"], one["reason"], one["is_correction"]) for one in told["rulings"]] == [(1, SECRET, True)]
    assert told["corrections"][0]["armies"] == [{"army": "Ana", "changes": ["3F → 3D"]}]


def played_with_rulings(game: Game) -> None:
    """Turn 1 with two rulings, one of them withdrawn, and published."""
    game.world.round.publish_after = None
    game.world.round.save()
    turn = game.world.turn
    game.world.settle()
    rule(game.world, new("square", "Ana", square="3C", cites="3.3.2", reason="She was pushed."))
    wrong = rule(game.world, new("aside", "Gaz", cites="R14", reason="Too far."))
    judge, now = game.world.judges["movement"], turn.lock_at + HOUR
    withdraw_ruling(ruling=wrong, judge=judge, reason="It was not.", now=now)
    publish_draft(turn=turn, judge=judge, now=now)
    advance(turn.pk, now)
    game.go_to(now + HOUR)


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("", ["She was pushed.", "Too far."]),
        ("?rule=3.3.2", ["She was pushed."]),
        ("?rule=3.3", ["She was pushed."]),
        ("?rule=r14", ["Too far."]),
        ("?rule=3", ["She was pushed."]),
        ("?q=pushed", ["She was pushed."]),
        ("?q=gaz", ["Too far."]),
        ("?q=3c", ["She was pushed."]),
        ("?rule=3.3.2&q=nothing", []),
        ("?rule=9.9", []),
        ("?q=%00&page=999999999999", ["She was pushed.", "Too far."]),
    ],
)
def test_rulings_are_found_by_rule_and_words(game: Game, query: str, found: list[str]) -> None:
    played_with_rulings(game)
    text = game.client().get(game.url("rulings") + query).content.decode()
    assert [reason for reason in ("She was pushed.", "Too far.") if f"<p>{reason}</p>" in text] == found
    assert ("The rulebook has no rule" in text) == ("9.9" in query)


def test_a_withdrawn_ruling_is_shown_as_withdrawn_with_its_reason(game: Game) -> None:
    played_with_rulings(game)
    for page in (game.page("rulings"), game.page("turn", 1)):
        assert "Withdrawn by Judge movement" in page
        assert "It was not." in page
    assert "orders of Gaz are set aside" not in game.client().get(game.url("turn-text", 1)).content.decode()


def test_a_page_of_rulings_of_a_round_without_any_says_so(game: Game) -> None:
    assert "There are no rulings in this round." in game.page("rulings")


def test_a_preview_and_the_thread_name_the_nearest_legal_form(game: Game) -> None:
    """3.2.2.1: “3D > 5F is 4 steps; 3D > 5E would do”."""
    typed = {"text": "Ana: 3D > 5F", "token": "t", "turn": game.world.turn.number, "send": "open"}
    told = "3D to 5F is 4 squares; an army can move 3. Try 3D &gt; 5E."
    assert told in game.client("Ana").post(game.url("post-preview"), typed).content.decode()
    game.world.post("Ana", "Ana: 3D > 5F")
    assert told in game.page("movement", who="Gaz")
    game.world.settle()
    assert told in game.page("movement-turn", 1)
    assert "Ana stayed on 3D" in game.page("turn", 1)
