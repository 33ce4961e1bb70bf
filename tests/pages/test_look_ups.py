"""1.3: what is looked up at the judges' desk: what is public of all rounds, and no more."""

import pytest
from django.urls import reverse

from judging.battles.models import Score, Strat
from judging.battles.strats.extensions import release_strat
from judging.common.errors import Refused
from tests.pages.judge_desk import STRAT, WHY, Desk, desk
from tests.services.world_of_tests import HOUR
from wargame.models import Round

__all__ = ["desk"]

TABLES = ("battle", "strat", "score", "ruling", "penalty", "notice")


def look(desk: Desk, table: str, key: object = None, page: str = "change") -> str:
    name = f"judge:judging_{table}_{'changelist' if key is None else page}"
    answer = desk.client("movement").get(reverse(name, args=[key] if key else []))
    return answer.content.decode() if answer.status_code == 200 else ""


def judged(desk: Desk) -> Score:
    """The battle with its result."""
    desk.both_strats()
    desk.send(act="lock-roll", favours="0", bonus="7", narrative="", **WHY)
    desk.send(act="publish", narrative="")
    return Score.objects.get()


def test_nothing_of_a_battle_is_looked_up_before_its_result_but_that_it_is_fought(desk: Desk) -> None:
    desk.both_strats()
    desk.send(act="lock", favours="0", bonus="7", narrative="", **WHY)
    assert "3F" in look(desk, "battle")
    shown = look(desk, "battle", desk.battle.pk)
    assert desk.battle.commitment in shown
    assert desk.battle.seed not in shown
    for table in TABLES:
        assert STRAT not in look(desk, table)
    assert look(desk, "strat", Strat.objects.all()[0].pk) == ""
    assert look(desk, "score", Score.objects.get().pk) == ""


def test_a_published_score_shows_its_reasons_and_there_is_no_button_for_a_history(desk: Desk) -> None:
    score = judged(desk)
    shown = look(desk, "score", score.pk)
    assert "It was. So it is." in shown
    assert "historylink" not in shown
    assert "historylink" not in look(desk, "battle", desk.battle.pk)
    assert look(desk, "notice")


def test_strats_are_public_when_the_round_says_and_one_earlier_by_a_judge_with_a_reason(desk: Desk) -> None:
    """R35, R54."""
    ana = Strat.objects.filter(entry__name="Ana")
    judge, now = desk.world.judges["battle"], desk.battle.deadline
    desk.both_strats()
    with pytest.raises(Refused, match="be published before the result"):
        release_strat(strat=ana.get(), judge=judge, reason="A lesson.", now=now)
    judged_page = reverse("battle", args=[desk.world.round.slug, desk.battle.pk])
    proof = reverse("api-battle", args=[desk.world.round.slug, desk.battle.pk])
    desk.send(act="lock-roll", favours="0", bonus="7", narrative="", **WHY)
    desk.send(act="publish", narrative="")
    visitor = desk.client("anonymous")
    assert STRAT not in visitor.get(judged_page).content.decode()
    assert visitor.get(proof).json()["strats"] == []
    act = reverse("judge:battle-act", args=[desk.battle.pk, "release"])
    refused = desk.client("battle").post(act, {"release-strat": ana.get().pk, "release-reason": ""})
    assert refused.status_code == 422
    desk.client("battle").post(act, {"release-strat": ana.get().pk, "release-reason": "A lesson for all."})
    page = visitor.get(judged_page).content.decode()
    assert f"{STRAT} of Ana" in page
    assert "A lesson for all." in page
    assert f"{STRAT} of Gaz" not in page
    (shown,) = visitor.get(proof).json()["strats"]
    assert (shown["army"], shown["text"], shown["released_because"]) == ("Ana", f"{STRAT} of Ana", "A lesson for all.")
    assert f"{STRAT} of Ana" in look(desk, "strat", ana.get().pk)
    Round.objects.update(strats_after=1)
    assert f"{STRAT} of Gaz" not in visitor.get(judged_page).content.decode()
    desk.go_to(desk.world.turn.lock_at + HOUR)
    desk.world.settle()
    assert f"{STRAT} of Gaz" in visitor.get(judged_page).content.decode()


def test_a_late_strat_is_sealed_until_it_is_decided_whether_it_counts(desk: Desk) -> None:
    """R35."""
    late = desk.world.strat(desk.battle, "Gaz", "Gaz", STRAT, now=desk.battle.deadline + HOUR, risk="kill")
    desk.go_to(desk.battle.deadline + 2 * HOUR)
    for address in (desk.address, reverse("battle", args=[desk.world.round.slug, desk.battle.pk])):
        page = desk.client("battle").get(address).content.decode()
        assert STRAT not in page
        assert "go for the kill" not in page
        assert "Sealed until " in page
        assert STRAT not in desk.client("battle").get(address.replace("/judge/", "/judge/")).content.decode()
    author = desk.client("Gaz").get(reverse("battle", args=[desk.world.round.slug, desk.battle.pk]))
    assert STRAT in author.content.decode()
    act = reverse("judge:battle-act", args=[desk.battle.pk, "decline"])
    typed = {"decline-strat": late.pk, "decline-reason": "An hour late, and no word why."}
    assert desk.client("battle").post(act, typed).status_code == 302
    assert STRAT in desk.client("battle").get(desk.address).content.decode()
    public = desk.client("anonymous").get(reverse("battle", args=[desk.world.round.slug, desk.battle.pk]))
    assert "An hour late, and no word why." in public.content.decode()
    again = reverse("judge:battle-act", args=[desk.battle.pk, "accept"])
    answer = desk.client("battle").post(again, {"accept-strat": late.pk, "accept-reason": "I like it."})
    assert answer.status_code == 409
    assert "decided that this strat" in answer.content.decode()


def test_whoever_could_send_another_strat_reads_that_a_score_is_locked_and_nobody_else_does(desk: Desk) -> None:
    """4.1.1."""
    desk.both_strats()
    address = reverse("battle", args=[desk.world.round.slug, desk.battle.pk])
    assert "Send another strat" in desk.client("Ana").get(address).content.decode()
    desk.send(act="lock", favours="0", bonus="7", narrative="", **WHY)
    own, other = (desk.client(who).get(address).content.decode() for who in ("Ana", "Ben"))
    assert "Send another strat" not in own
    assert "A score for this battle is locked" in own
    assert "A score for this battle is locked" not in other
    assert "data-countdown" in other or "countdown" in other
    form = desk.client("Ana").get(reverse("strat", args=[desk.world.round.slug, desk.battle.pk, "Ana"]))
    assert "A judge has scored this battle with the strats of both sides, so you" in " ".join(
        form.content.decode().split()
    )


def test_what_is_looked_up_is_written_for_people(desk: Desk) -> None:
    """1.3: sentences and words, and no rows as a program keeps them."""
    score = judged(desk)
    judge = desk.client("movement")
    log = judge.get(reverse("judge:judging_logentry_changelist")).content.decode()
    assert f"locked the score of battle {score.battle.number} of turn 2" in log
    army = judge.get(reverse("judge:wargame_army_change", args=[desk.world.army("Ana").pk])).content.decode()
    assert "{&quot;" not in log
    assert "[&quot;" not in army
