"""R35, 5.2.3: which of an army's receipts counted, and who may know it when."""

import re

from judging.battles.models import Battle
from judging.battles.strats.extensions import accept_late
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import HOUR, add_judge

__all__ = ["game"]


def receipts(game: Game, battle: Battle, who: str = "") -> list[str]:
    """The words before the time of each receipt on the battle's page."""
    html = game.page("battle", battle.pk, who=who)
    lists = re.findall(r'<ul class="receipts">(.*?)</ul>', html, re.DOTALL)
    items = [item for each in lists for item in re.findall(r"<li.*?</li>", each, re.DOTALL)]
    return [
        " ".join(" ".join(re.findall(r'<span class="badge[^>]*>(.*?)</span>', item, re.DOTALL)).split())
        for item in items
    ]


def judged(game: Game, battle: Battle) -> None:
    game.world.score(battle)
    game.go_to(battle.deadline + 2 * HOUR)


def test_with_the_result_everybody_sees_which_receipt_counted(game: Game) -> None:
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", "One.")
    game.world.strat(battle, "Ana", "Ana", "Two.", now=battle.announced_at + 2 * HOUR)
    game.world.strat(battle, "Gaz", "Gaz", "Late.", now=battle.deadline + HOUR / 2)
    judged(game, battle)

    assert receipts(game, battle) == ["replaced", "counted", "late"]
    rows = game.client().get(f"/api/v1/rounds/trial/battles/{battle.pk}/strats/").json()["results"]
    assert [(row["army"], row["counted"]) for row in rows] == [("Ana", False), ("Ana", True), ("Gaz", False)]


def test_a_late_strat_that_a_judge_accepted_is_marked_as_the_one_that_counted(game: Game) -> None:
    battle = game.battle()
    game.world.strat(battle, "Gaz", "Gaz", "In time.")
    late = game.world.strat(battle, "Gaz", "Gaz", "Late.", now=battle.deadline + HOUR / 2)
    judge = add_judge(game.world.round, "battle", "Second", is_head=False)
    accept_late(strat=late, judge=judge, reason="The site was down.", now=battle.deadline + HOUR)
    judged(game, battle)

    assert receipts(game, battle) == ["replaced", "counted late, accepted"]


def test_before_the_result_only_those_who_read_the_strats_see_it(game: Game) -> None:
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", "One.")
    game.world.strat(battle, "Ana", "Ana", "Two.", now=battle.announced_at + 2 * HOUR)

    for who in ("", "Gaz", "movement"):
        assert receipts(game, battle, who) == ["strat sent", "strat sent"], who
        answer = game.client(who).get(f"/api/v1/rounds/trial/battles/{battle.pk}/strats/").json()
        assert [row["counted"] for row in answer["results"]] == [None, None], who
    for who in ("Ana", "battle"):
        assert receipts(game, battle, who) == ["replaced", "counts as it stands"], who


def test_a_contingencys_strat_does_not_count_beside_the_controllers(game: Game) -> None:
    """5.2.3"""
    battle = game.battle()
    ana, cay = game.world.players["Ana"], game.world.players["Cay"]
    ana.contingency = cay
    ana.save()
    game.world.strat(battle, "Ana", "Ana", "Mine.")
    game.world.strat(battle, "Ana", "Cay", "Yours.", now=battle.deadline - HOUR)
    game.go_to(battle.deadline)

    assert receipts(game, battle, "Ana") == ["counts as it stands", "doesn't count"]
    assert receipts(game, battle) == ["strat sent", "strat sent"]
    judged(game, battle)
    assert receipts(game, battle) == ["counted", "didn't count"]


def test_a_contingency_is_told_from_when_on_he_may_send(game: Game) -> None:
    """5.2.3: in the round's own time, and not in the rule text's."""
    battle = game.battle()
    game.world.round.contingency_before_deadline = 90 * HOUR / 60
    game.world.round.save()
    ana = game.world.players["Ana"]
    ana.contingency = game.world.players["Cay"]
    ana.save()
    address = game.url("strat", battle.pk, "Ana")

    told = said(game.client("Cay").get(address))
    assert "You are the contingency for Ana. You can send this strat from" in told
    assert "A contingency can send it in the last 90 minutes before the deadline." in said(
        game.client("Ben").get(address)
    )
    game.go_to(battle.deadline - HOUR)
    assert "You are sending this as the contingency for Ana" in said(game.client("Cay").get(address))


def test_a_cancelled_battle_counts_nothing_down_and_wants_no_strat(game: Game) -> None:
    """3.3.3"""
    battle = game.battle()
    assert "data-countdown" in game.page("battle", battle.pk)
    Battle.objects.filter(pk=battle.pk).update(state=Battle.State.CANCELLED)

    for who in ("", "Ana"):
        html = game.page("battle", battle.pk, who=who)
        assert "data-countdown" not in html
        assert "no strat yet" not in html
    form = game.client("Ana").get(game.url("strat", battle.pk, "Ana"))
    assert "This battle is cancelled" in said(form)
    assert "You don't control" not in said(form)
    assert "data-countdown" not in form.content.decode()


def test_a_result_tells_who_took_no_part_and_what_the_dice_were_together(game: Game) -> None:
    """R37, 4.4"""
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana")
    game.world.strat(battle, "Gaz", "Gaz")
    judged(game, battle)
    battle.refresh_from_db()
    outcome = battle.result.outcome
    sums = [sum(faces) + 4 * outcome["bonus"][side]["total"] for side, faces in enumerate(outcome["rolls"][-1])]
    html = game.page("battle", battle.pk)
    assert re.search(rf"Sum of all dice\s*</th><td>{sums[0]}</td><td>{sums[1]}</td>", html)
    assert "took no part" not in html

    battle.result.outcome["took_part"] = ["Gaz"]
    battle.result.save()
    assert "Ana sent no strat and took no part" in game.page("battle", battle.pk)
