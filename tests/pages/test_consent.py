"""R53: the forms by which a head asks for a change after the dice, and a second judge agrees or does not."""

import pytest
from django.http import HttpResponse
from django.urls import reverse

from judging.battles.desk.rolling import roll
from judging.battles.desk.scoring import lock_score
from judging.battles.models import AdjustmentRequest, Battle, Proposal
from tests.pages.judge_desk import Desk, desk
from tests.pages.playing import said
from tests.pages.test_budgets import PAGE, asking
from tests.services.world_of_tests import HOUR, REASONS, add_judge

__all__ = ["desk"]

REASON = "A dam broke, as the strat of Ana says."
ASKED = {"army": "Gaz", "kind": "losses", "percent": "50", "cites": "4.2.6", "reason": REASON}


@pytest.fixture
def rolled(desk: Desk) -> Desk:
    """Nobody ran; the dice are rolled. Judge Dee is a second battle judge, Judge battle the head."""
    desk.both_strats()
    desk.world.judges["dee"] = add_judge(desk.world.round, "battle", "Judge Dee", is_head=False)
    judge, now = desk.world.judges["battle"], desk.battle.announced_at + 2 * HOUR
    lock_score(battle=desk.battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=now)
    roll(battle=desk.battle, judge=judge, now=now)
    return desk


def page(desk: Desk, who: str) -> str:
    return said(desk.client(who).get(desk.address))


def ask(desk: Desk, who: str = "battle", **other: str) -> HttpResponse:
    typed = {f"consent-{name}": value for name, value in {**ASKED, **other}.items()}
    return desk.client(who).post(reverse("judge:battle-act", args=[desk.battle.pk, "consent"]), typed, follow=True)


def press(desk: Desk, who: str, what: str) -> HttpResponse:
    where = reverse("judge:battle-press", args=[desk.battle.pk, what])
    return desk.client(who).post(where, {"key": AdjustmentRequest.objects.latest("pk").pk}, follow=True)


def disagree(desk: Desk, who: str, answer: str) -> HttpResponse:
    where = reverse("judge:battle-act", args=[desk.battle.pk, "disagree"])
    return desk.client(who).post(where, {"disagree-answer": answer}, follow=True)


def test_the_head_asks_a_second_judge_agrees_and_everybody_reads_both_outcomes(rolled: Desk) -> None:
    assert "Ask a second judge" in page(rolled, "battle")
    assert "Ask a second judge" not in page(rolled, "dee")
    before = Proposal.objects.get().outcome
    assert "The change is made once another battle judge agrees" in said(ask(rolled))
    mine = page(rolled, "battle")
    assert "Waiting for a second battle judge. You can't publish the result before then." in mine
    assert "withdraw" in mine
    assert "I agree: change it" not in mine
    assert "You asked for this change yourself" in said(press(rolled, "battle", "agree"))
    assert "I agree: change it" in page(rolled, "dee")
    waits = rolled.client("battle").post(rolled.address, {"act": "publish", "narrative_version": "0"}, follow=True)
    assert "A change to this battle is waiting for a second judge" in said(waits)
    assert "Agreed. Recomputed with the same dice." in said(press(rolled, "dee", "agree"))
    rolled.client("battle").post(rolled.address, {"act": "publish", "narrative_version": "0"})
    assert Battle.objects.get(pk=rolled.battle.pk).state == Battle.State.PUBLISHED
    public = said(rolled.client("anonymous").get(reverse("battle", args=[rolled.world.round.slug, rolled.battle.pk])))
    assert "Judge battle set Gaz's losses to 50 percent" in public
    assert REASON in public
    assert "What the dice alone gave" in public
    lost = "".join(f"{number:,}" for number in before["losses"]["Gaz"])
    assert lost in public


def test_a_second_judge_who_does_not_agree_says_why_and_nothing_changes(rolled: Desk) -> None:
    before = Proposal.objects.get().outcome
    ask(rolled)
    empty = disagree(rolled, "dee", " ")
    assert empty.status_code == 422
    assert "Your reason is published with the result" in said(empty)
    assert "The roll stays as it is" in said(disagree(rolled, "dee", "I read of no dam."))
    assert "Judge Dee didn't agree: I read of no dam." in page(rolled, "battle")
    assert Proposal.objects.get().outcome == before
    assert "This request is no longer waiting for anyone" in said(press(rolled, "dee", "agree"))


def test_who_asked_takes_it_back(rolled: Desk) -> None:
    ask(rolled)
    assert "No one has to agree to it any more" in said(press(rolled, "battle", "unask"))
    shown = page(rolled, "dee")
    assert "Withdrawn." in shown
    assert "I agree: change it" not in shown


@pytest.mark.parametrize(
    ("other", "field"), [({"cites": "99.9"}, "cites"), ({"reason": ""}, "reason"), ({"percent": "301"}, "percent")]
)
def test_what_is_wrong_comes_back_with_what_was_typed(rolled: Desk, other: dict[str, str], field: str) -> None:
    answer = ask(rolled, **other)
    assert answer.status_code in (409, 422)
    form = answer.context["asides"]["consent"]
    assert list(form.errors) == [field]
    assert all(form[name].value() == value for name, value in {**ASKED, **other}.items())
    assert not AdjustmentRequest.objects.exists()


@pytest.mark.parametrize("who", ["dee", "movement", "Ana", "anonymous"])
def test_nobody_but_the_head_asks(rolled: Desk, who: str) -> None:
    ask(rolled, who)
    assert not AdjustmentRequest.objects.exists()


def test_a_judge_who_has_a_conflict_does_not_agree(rolled: Desk) -> None:
    """R56."""
    ask(rolled)
    rolled.world.players["Ben"].user = rolled.world.judges["dee"].user
    rolled.world.players["Ben"].save()
    press(rolled, "dee", "agree")
    assert AdjustmentRequest.objects.get().accepted is None


def test_the_front_page_of_the_desk_says_what_is_asked_and_by_when_within_its_budget(rolled: Desk) -> None:
    front = reverse("judge:index")
    assert "Your answer is needed" not in said(rolled.client("dee").get(front))
    ask(rolled)
    client = rolled.client("dee")
    client.get(front)
    with asking() as asked:
        shown = client.get(front)
    assert asked.number <= PAGE, str(asked)
    assert "Agree or disagree with a change made after the dice of battle 1 on 3F were rolled" in said(shown)
    assert "asked by Judge battle, due Mon 16 Mar 2026" in said(shown)
    assert f'<a href="{rolled.address}">Agree' in shown.content.decode()
    assert "Your answer is needed" not in said(rolled.client("battle").get(front))
    path = f"/api/v1/rounds/{rolled.world.round.slug}/desk/asked/"
    (one,) = client.get(path).json()["results"]
    assert (one["kind"], one["by"], one["cites"], one["address"]) == ("change", "Judge battle", "R53", rolled.address)
    assert rolled.client("Ana").get(path).status_code == 403
