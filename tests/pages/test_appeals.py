"""R57, R58: the pages of appeals, and the desk's page on which a battle is judged anew."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from judging.appeals.models import Appeal
from judging.battles.models import Battle, Result
from judging.battles.rejudging.models import Rejudgement
from judging.command.people.admission import ask_admission, refuse_admission
from judging.common import locking
from judging.common.models import LogEntry
from judging.notifications.gathering import gather
from judging.notifications.models import Notification
from judging.penalties.services import hand_down
from tests.pages.playing import Game, game
from tests.services.penalties import new_penalty
from tests.services.test_appeals import REASON
from tests.services.world_of_tests import HOUR, REASONS, token
from wargame.models import Judge, Round
from wargame.models.choices import RoundState

__all__ = ["game"]

TYPED_REASONS = {
    name: value
    for place in range(len(REASONS))
    for name, value in ((f"reason_{place}", f"Criterion {place}, read again."), (f"number_{place}", "9"))
}
"""R54: what a judge types on each criterion of the round."""


@pytest.fixture
def lost(game: Game) -> Battle:
    """Ana has lost her battle by Judge battle's score; Judge Dee could answer an appeal."""
    battle = game.battle()
    for name in ("Ana", "Gaz"):
        game.world.strat(battle, name, name, f"{name} holds.")
    game.world.score(battle, favours=1, bonus=10)
    with locking.transaction():
        user = User.objects.create_user("dee")
        given = {"round": game.world.round, "user": user, "name": "Judge Dee", "role": "battle", "is_head": False}
        game.world.judges["dee"] = Judge.objects.create(**given)
    game.go_to(battle.deadline + 2 * HOUR)
    return battle


def text_of(content: bytes) -> str:
    return re.sub(r"\s+", " ", content.decode())


def test_a_result_is_contested_answered_and_read_by_everybody(game: Game, lost: Battle) -> None:
    assert "Contest this" not in game.page("battle", lost.pk, who="Hex")
    assert "Contest this" not in game.page("battle", lost.pk)
    page = game.page("battle", lost.pk, who="Ana")
    address = re.search(r'class="contest" href="([^"]+)"', page)
    assert address is not None
    where = address[1].replace("&amp;", "&")
    ana = game.client("Ana")
    asked = text_of(ana.get(where).content)
    assert "You are contesting" in asked
    assert "A battle judge who had no part in the decision, drawn by lot from this turn's seed, will answer" in asked
    assert "the result of the battle on 3F in turn 2" in asked
    typed = {"kind": "result", "about": lost.pk, "army": "", "cites": "99.1", "text": REASON, "token": token()}
    wrong = ana.post(game.url("appeal-new"), typed)
    assert wrong.status_code == 422
    assert "The rulebook has no rule “99.1”. Enter one like 4.2.1 or R36." in text_of(wrong.content)
    assert REASON in text_of(wrong.content)
    sent = ana.post(game.url("appeal-new"), {**typed, "cites": "4.2.1"}, follow=True)
    assert "Judge Dee will answer it" in text_of(sent.content)
    again = ana.post(game.url("appeal-new"), {**typed, "cites": "4.2.1", "token": token()})
    assert "You have already appealed against this decision" in text_of(again.content)
    assert "concern you" in text_of(game.client("Hex").get(where).content)
    assert game.client("Hex").post(game.url("appeal", 1), {"act": "withdraw"}).status_code == 422

    told = {"act": "answer", "how": "upheld", "answer_cites": "4.2.1", "text": "The judge may do so."}
    for who in ("battle", "Gaz"):
        assert "Only Judge Dee can answer this appeal." in text_of(
            game.client(who).post(game.url("appeal", 1), told).content
        )
    dee = game.client("dee")
    held = text_of(dee.post(game.url("appeal", 1), {"act": "hold"}, follow=True).content)
    assert "This appeal holds up the settlement of turn 2" in held
    empty = text_of(dee.post(game.url("appeal", 1), {**told, "text": " "}).content)
    assert "Give a reason, at least one line." in empty
    assert "Your answer was sent" in text_of(dee.post(game.url("appeal", 1), told, follow=True).content)
    assert Appeal.objects.get().state == "upheld"
    assert 'class="contest"' not in game.page("battle", lost.pk, who="Ana"), "once is all"
    assert 'class="contest"' in game.page("battle", lost.pk, who="Gaz")
    public = text_of(game.page("appeal", 1).encode())
    assert "The answer: the decision stands" in public
    assert "Judge Dee, the only one left" in public
    assert "appeal 1 judge 1" in public
    assert "Appeal 1" in game.page("appeals")
    assert "No appeal cites that rule" in game.client().get(game.url("appeals") + "?rule=6.1").content.decode()
    assert "Appeal 1" in game.page("battle", lost.pk)


def test_out_of_time_and_with_two_open_ones_the_form_says_why_and_keeps_what_was_typed(
    game: Game, lost: Battle
) -> None:
    typed = {"kind": "result", "about": lost.pk, "cites": "4.2.1", "text": REASON}
    game.go_to(Result.objects.get().published_at + 73 * HOUR)
    late = game.client("Ana").post(game.url("appeal-new"), {**typed, "token": token()})
    assert late.status_code == 422
    assert "Appeals against this decision closed on" in text_of(late.content)
    assert REASON in text_of(late.content)
    assert 'class="contest"' not in game.page("battle", lost.pk, who="Ana")
    game.go_to(Result.objects.get().published_at + HOUR)
    for _ in range(2):
        given = new_penalty("Ana", "Ana", kind="reprimand")
        now = Result.objects.get().published_at
        made = hand_down(turn=lost.turn, judge=game.world.judges["battle"], new=given, token=token(), now=now)
        asked = {"kind": "penalty", "about": made.pk, "cites": "5.4.1", "text": REASON, "token": token()}
        assert game.client("Ana").post(game.url("appeal-new"), asked).status_code == 302
    third = game.client("Ana").post(game.url("appeal-new"), {**typed, "token": token()})
    assert third.status_code == 422
    assert "You have 2 open appeals; the limit is 2." in text_of(third.content)
    assert Appeal.objects.count() == 2


def test_who_was_not_taken_in_contests_it_where_he_reads_why(game: Game, lost: Battle) -> None:
    cay, dee, now = User.objects.create_user("cay-out"), game.world.judges["dee"], timezone.now()
    given = {"name": "Caya", "text": "Let me in.", "factions": [], "token": token(), "now": now}
    asked = ask_admission(round=game.world.round, user=cay, side="coalition", **given)
    refuse_admission(admission=asked, by=dee, reason="We are full.", now=now)
    browser = game.client()
    browser.force_login(cay, backend="django.contrib.auth.backends.ModelBackend")
    address = re.search(r'class="contest" href="([^"]+)"', browser.get(game.url("join")).content.decode())
    assert address is not None
    where = address[1].replace("&amp;", "&")
    assert "the refusal to admit Caya to the Coalition" in text_of(browser.get(where).content)
    assert game.client("Hex").get(where).status_code == 404
    typed = {"kind": "admission", "about": asked.pk, "cites": "1.1", "text": REASON, "token": token()}
    sent = text_of(browser.post(game.url("appeal-new"), typed, follow=True).content)
    assert "will answer it" in sent
    assert "Caya" in sent
    assert game.client("Hex").get(game.url("appeal", 1)).status_code == 404


def test_both_sides_and_the_judges_are_told_of_an_appeal(game: Game, lost: Battle) -> None:
    gather(lost.deadline + 2 * HOUR)
    typed = {"kind": "result", "about": lost.pk, "cites": "4.2.1", "text": REASON, "token": token()}
    game.client("Ana").post(game.url("appeal-new"), typed)
    gather(lost.deadline + 3 * HOUR)
    rows = Notification.objects.filter(kind__contains="appeal").values_list("kind", "user__username")
    assert sorted(rows) == [
        ("appeal.lodged", "trial-Gaz"),
        ("appeal.lodged", "trial-judge-battle"),
        ("judge.appeal", "dee"),
    ]
    assert (
        "Ana appealed against the result of the battle on 3F"
        in game.client("Gaz").get("/notifications/").content.decode()
    )


def test_who_was_logged_out_keeps_what_he_typed(game: Game, lost: Battle) -> None:
    ana = game.world.players["Ana"].user
    client = game.client()
    typed = {"kind": "result", "about": lost.pk, "cites": "4.2.1", "text": REASON, "token": token(), "writer": ana.pk}
    away = client.post(game.url("appeal-new"), typed)
    assert away.status_code == 302
    client.force_login(ana, backend="django.contrib.auth.backends.ModelBackend")
    back = f"{game.url('appeal-new')}?kind=result&about={lost.pk}&cites=4.2.1"
    assert REASON in client.get(back).content.decode()


NEW_SCORE = {
    "act": "propose",
    "favours": "0",
    "bonus": "10",
    "cites": "4.2.1",
    "text": "I misread it.",
    "sure": "on",
    **TYPED_REASONS,
}


def lock_score(game: Game, lost: Battle, **changes: str) -> tuple[int, str]:
    """The head battle judge locks a new score; the status and the page that follows."""
    where = reverse("judge:battle-anew", args=[lost.pk])
    answer = game.client("battle").post(where, {**NEW_SCORE, "token": token(), **changes}, follow=True)
    return answer.status_code, text_of(answer.content)


def agree(game: Game, lost: Battle, who: str) -> str:
    """The page after a judge agreed to the only locked score."""
    where = reverse("judge:battle-anew", args=[lost.pk])
    typed = {"act": "apply", "judgement": Rejudgement.objects.get().pk}
    return text_of(game.client(who).post(where, typed, follow=True).content)


def test_only_the_head_or_who_answers_an_appeal_can_judge_a_battle_again(game: Game, lost: Battle) -> None:
    where = reverse("judge:battle-anew", args=[lost.pk])
    assert game.client("movement").get(where).status_code == 404
    of_dee = text_of(game.client("dee").get(where).content)
    assert "Only the head battle judge, or a judge who answers an appeal" in of_dee
    assert "Lock this score" not in of_dee, "the obstacle is said before anything is filled in"
    assert "Judge it again" in game.page("battle", lost.pk, who="battle")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("bonus", "11", "10"),
        ("favours", "", "Say which side your bonus goes to"),
        ("cites", "0.0", "no rule “0.0”"),
        ("text", "", "Give a reason. Everyone can read it."),
        ("number_1", "-9", "Say why yours differs by more than 2."),
        ("sure", "", "Tick this to lock your score"),
        ("number_0", "11", "Mark “"),
    ],
)
def test_a_new_score_that_can_not_be_is_refused(game: Game, lost: Battle, name: str, value: str, says: str) -> None:
    status, page = lock_score(game, lost, **{name: value})
    assert status == 422
    assert says in page[page.index("errornote") : page.index('id="score"')], "on top, where a phone shows it"


def test_nothing_of_the_old_score_is_chosen_beforehand(game: Game, lost: Battle) -> None:
    page = game.client("battle").get(reverse("judge:battle-anew", args=[lost.pk])).content.decode()
    form = page[page.index('id="score"') :]
    assert "checked" not in form
    assert not re.search(r'name="bonus"[^>]*value=|value=[^>]*name="bonus"', form)


def test_an_empty_bonus_of_a_new_score_is_the_offered_one(game: Game, lost: Battle) -> None:
    """R54."""
    against = {name: "-9" for name in TYPED_REASONS if name.startswith("number")}
    status, page = lock_score(game, lost, bonus="", **against)
    assert status == 422
    assert "Your marks favour the other side." in page
    assert "Score: +10 for Gaz → +9 for Ana." in lock_score(game, lost, bonus="")[1]
    assert Rejudgement.objects.get().bonus == 9


def test_without_a_side_an_empty_bonus_of_a_new_score_is_none(game: Game, lost: Battle) -> None:
    """R54."""
    even = {name: "0" for name in TYPED_REASONS if name.startswith("number")}
    assert "Score: +10 for Gaz → no bonus." in lock_score(game, lost, favours="neither", bonus="", **even)[1]


def test_the_outcome_of_a_new_score_is_shown_once_a_second_judge_agrees(game: Game, lost: Battle) -> None:
    gather(lost.deadline + 2 * HOUR)
    where = reverse("judge:battle-anew", args=[lost.pk])
    shown = lock_score(game, lost)[1]
    assert "It takes effect once another battle judge agrees" in shown
    assert "Score: +10 for Gaz → +10 for Ana." in shown
    assert "Winner:" not in shown, "nobody sees what a locked score gives"
    assert "Losses before and now" not in shown
    assert "Judged again" not in game.page("battle", lost.pk, who="Hex")
    assert "another battle judge must agree" in agree(game, lost, "battle")
    gather(lost.deadline + 3 * HOUR)
    assert Notification.objects.get(kind="judge.agree").user.username == "dee"
    asked = text_of(game.client("dee").get(where).content)
    assert "Agree to this score" in asked
    assert "Winner:" not in asked
    assert "Winner: Gaz → <strong>Ana</strong>" in agree(game, lost, "dee")
    assert Result.objects.get().winner == 0
    head = game.client("battle")
    assert "There is no second try" in text_of(head.get(where).content)
    assert head.post(where, {"act": "apply", "judgement": "x"}).status_code == 422


def test_both_results_of_a_battle_that_was_judged_again_are_public(game: Game, lost: Battle) -> None:
    lock_score(game, lost)
    agree(game, lost, "dee")
    public = text_of(game.page("battle", lost.pk).encode())
    assert "I misread it." in public
    assert "Judge Dee agreed." in public
    assert "Score: +10 for Gaz → +10 for Ana." in public
    assert "Why +10 for Ana now, and why +10 for Gaz before" in public
    assert "given when the battle was judged again" in public
    assert public.count("Criterion 1, read again.") == 2, "beside the score, and in what was judged anew"
    assert public.count('<span class="muted">Judged again <time') == 1
    assert "overruled" not in public
    game.go_to(Result.objects.get().published_at + 73 * HOUR)
    assert 'class="contest"' in game.page("battle", lost.pk, who="Gaz"), "he has his time from the new result on"


def test_where_nobody_independent_is_there_the_form_and_the_appeal_say_so(game: Game, lost: Battle) -> None:
    """R57."""
    Judge.objects.filter(name="Judge Dee").delete()
    where = f"{game.url('appeal-new')}?kind=result&about={lost.pk}"
    asked = text_of(game.client("Ana").get(where).content)
    assert "This round has no independent battle judge at the moment." in asked
    assert "Judge battle, the head battle judge, had a part in this decision but would have to answer." in asked
    typed = {"kind": "result", "about": lost.pk, "cites": "4.2.1", "text": REASON, "token": token()}
    sent = text_of(game.client("Ana").post(game.url("appeal-new"), typed, follow=True).content)
    assert "must answer despite having had a part in this decision" in sent
    told = {"act": "answer", "how": "upheld", "answer_cites": "4.2.1", "text": "The judge may do so."}
    assert game.client("battle").post(game.url("appeal", 1), told).status_code == 302
    assert "answered despite having had a part in this decision" in text_of(game.page("appeal", 1).encode())
    shown = Client().get("/api/v1/rounds/trial/appeals/1/").json()
    assert (shown["is_party"], shown["decision"], shown["overruled"]) == (True, 0, [])


def test_the_head_overrules_an_answer_on_its_page(game: Game, lost: Battle) -> None:
    """1.3."""
    typed = {"kind": "result", "about": lost.pk, "cites": "4.2.1", "text": REASON, "token": token()}
    game.client("Ana").post(game.url("appeal-new"), typed)
    told = {"act": "answer", "how": "mended", "answer_cites": "4.2.1", "text": "Wrong."}
    Appeal.objects.update(kind="vote", battle=None)
    assert game.client("dee").post(game.url("appeal", 1), told).status_code == 302
    head = game.client("battle")
    assert "Overrule this answer" in text_of(head.get(game.url("appeal", 1)).content)
    assert "Overrule this answer" not in text_of(game.client("dee").get(game.url("appeal", 1)).content)
    assert head.post(game.url("appeal", 1), {**told, "how": "upheld", "text": "Right."}).status_code == 302
    public = text_of(game.page("appeal", 1).encode())
    assert "Overruled by the head judge: Judge Dee had answered “corrected”" in public
    assert "The answer: the decision stands" in public
    assert "Right." in public


def looked_up(game: Game, key: int | None = None) -> str:
    """The desk's table of appeals, or one of them, as a judge of the round sees it; empty where it is not there."""
    name = f"judge:judging_appeal_{'changelist' if key is None else 'change'}"
    answer = game.client("movement").get(reverse(name, args=[] if key is None else [key]))
    return text_of(answer.content) if answer.status_code == 200 else ""


def test_appeals_are_looked_up_at_the_desk_and_hidden_ones_once_the_round_is_over(game: Game, lost: Battle) -> None:
    """1.3: a judge of this round plays in another: what is not public is no business of his."""
    typed = {"kind": "result", "about": lost.pk, "cites": "4.2.1", "text": REASON, "token": token()}
    game.client("Ana").post(game.url("appeal-new"), typed)
    now, data = Result.objects.get().published_at + HOUR, {"army": "Gaz", "side": "phyrexia", "request": 0}
    actor = game.world.judges["movement"].user
    LogEntry.objects.create(round=game.world.round, at=now, actor=actor, action="change.refused", data=data)
    entry = LogEntry.objects.get(action="change.refused").key
    asked = {"kind": "request", "about": entry, "cites": "2.3.2", "text": "It was in time.", "token": token()}
    assert game.client("Gaz").post(game.url("appeal-new"), asked).status_code == 302
    public, hidden = Appeal.objects.order_by("number")
    assert hidden.is_hidden
    shown = looked_up(game, public.pk)
    assert "the result of the battle on 3F in turn 2" in shown
    assert f"{public.draws[-1]['drew']}, drawn from" in shown
    assert REASON in shown
    assert public.token not in shown
    assert looked_up(game, hidden.pk) == ""
    assert "1 appeal" in looked_up(game)
    Round.objects.update(state=RoundState.OVER)
    assert "It was in time." in looked_up(game, hidden.pk)
    assert "2 appeals" in looked_up(game)
