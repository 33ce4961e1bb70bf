"""4.2: a battle on the judges' desk, from its strats to its result; whatever goes wrong, nothing typed is lost."""

import re
from collections.abc import Iterator

import pytest
import time_machine
from django.urls import reverse

from judging.battles.desk.publishing import publish_result
from judging.battles.desk.rolling import roll_mixed
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, NarrativeDraft, Proposal, Result, Score, Strat
from judging.battles.seed_contributions import waits_until
from tests.pages.judge_desk import STRAT, WHY, Desk, desk
from tests.services.conftest import FOUR
from tests.services.world_of_tests import HOUR, REASONS, add_judge, begin, make_round
from wargame.rules.battle.mixing import seal_of

__all__ = ["desk"]

TYPED = {"favours": "0", "bonus": "7", "narrative": "The ridge held.\n\n*Barely.*", **WHY}


def text_of(answer: object) -> str:
    return answer.content.decode()  # type: ignore[attr-defined]


def assistant(desk: Desk) -> None:
    """A second battle judge, `assistant`."""
    desk.world.judges["assistant"] = add_judge(desk.world.round, "battle", "Second", is_head=False)


def test_the_whole_walk_from_the_strats_to_the_result(desk: Desk) -> None:
    desk.both_strats()
    client = desk.client("battle")
    assert "Step 1: score" in text_of(client.get(desk.address))

    question = text_of(desk.send(client=client, act="ask", **TYPED))
    assert "+7 for Ana (the Coalition)" in question
    assert "No one can change a locked score" in question
    assert not Score.objects.exists()

    locked = client.post(desk.address, {"act": "lock", "narrative_version": "0", **TYPED}, follow=True)
    assert "The score is locked" in text_of(locked)
    assert "Step 2: roll" in text_of(locked)
    assert "The ridge held." in text_of(locked)
    score = Score.objects.get()
    assert (score.favours, score.bonus, score.judge) == (0, 7, desk.world.judges["battle"])
    assert not Proposal.objects.exists()

    version = NarrativeDraft.objects.get().version
    sent = {"narrative": TYPED["narrative"], "narrative_version": version}
    question = text_of(client.post(desk.address, {"act": "ask-roll", **sent}))
    assert "Roll the dice of this battle?" in question
    assert re.search(r"The score is\s+<strong>\s*\+7 for Ana \(the Coalition\)</strong>", question)
    assert not Proposal.objects.exists()
    rolled = text_of(client.post(desk.address, {"act": "roll", **sent}, follow=True))
    winner = ["Ana", "Gaz"][Proposal.objects.get().outcome["winner"]]
    assert f"Proposed result: {winner} won" in rolled
    assert "Step 3: publish" in rolled
    assert desk.battle.seed not in rolled
    assert not Result.objects.exists()

    published = text_of(client.post(desk.address, {"act": "publish", **sent}, follow=True))
    result = Result.objects.get()
    assert "The result is public now" in published
    assert f"Result: {['Ana', 'Gaz'][result.winner]} won" in published
    assert "<em>Barely.</em>" in published
    for rolled in result.outcome["rolls"][0][0]:
        assert f"<td>{rolled} " in published
    assert desk.battle.seed in published
    queue = text_of(client.get(reverse("judge:index")))
    assert "Published this turn (1)" in queue


def test_nothing_can_be_scored_while_strats_may_come(desk: Desk) -> None:
    desk.world.strat(desk.battle, "Ana", "Ana", now=desk.battle.announced_at + HOUR)
    page = text_of(desk.client("battle").get(desk.address))
    assert "No strat yet from Gaz" in page
    assert "from Sun 15 Mar 2026, 05:01 UTC on" in page
    assert 'value="ask"' not in page
    for act in ("ask", "lock", "publish"):
        answer = desk.send(act=act, **TYPED)
        assert answer.status_code == 409
        assert "The ridge held." in text_of(answer)
    assert not Score.objects.exists()


def test_the_narrative_can_be_saved_long_before(desk: Desk) -> None:
    client = desk.client("battle")
    answer = desk.send(client=client, act="save", narrative="Early *words*.")
    assert "The story is saved" in text_of(answer)
    page = text_of(client.get(desk.address))
    assert "Early *words*." in page
    assert "<em>words</em>" in page
    assert 'name="narrative_version" value="1"' in page


def test_saving_the_narrative_keeps_the_score_that_was_typed(desk: Desk) -> None:
    desk.both_strats()
    page = text_of(desk.send(act="save", **TYPED))
    assert 'value="7"' in page
    assert 'value="0" ' in page
    assert "checked" in page
    assert not Score.objects.exists()


def test_back_from_the_question_everything_typed_is_there(desk: Desk) -> None:
    desk.both_strats()
    page = text_of(desk.send(act="edit", **TYPED))
    assert 'value="7"' in page
    assert "checked" in page
    assert "The ridge held." in page


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"bonus": "11"}, "“11” is not a whole number from 0 to 10"),
        ({"bonus": "-1"}, "is not a whole number"),
        ({"bonus": "seven"}, "“seven” is not a whole number"),
        ({"bonus": "7.5"}, "is not a whole number"),
        ({"bonus": "٣"}, "is not a whole number"),
        ({"bonus": "9" * 5000}, "is not a whole number"),
        ({"bonus": "", "number_1": ""}, "Say how large the bonus is"),
        ({"bonus": "", **{f"number_{place}": "-3" for place in range(4)}}, "Your marks favour the other side"),
        ({"favours": ""}, "Say which side your bonus goes to"),
        ({"favours": ["0", "1"]}, "You chose both sides"),
        ({"favours": "2"}, "That is not one of the choices"),
        ({"favours": "neither"}, "A bonus needs a side"),
        ({"narrative": "x" * 50_001}, "over the limit of 50,000"),
        ({"narrative": "nul \0"}, "This has a character that can"),
        ({"narrative_version": "many"}, "This is not a whole number."),
    ],
)
@pytest.mark.parametrize("act", ["ask", "lock"])
def test_wrong_input_comes_back_as_a_sentence(desk: Desk, act: str, typed: dict[str, object], sentence: str) -> None:
    desk.both_strats()
    answer = desk.send(act=act, **{**TYPED, **typed})
    assert answer.status_code == 422
    page = text_of(answer)
    assert sentence in page
    if "narrative" not in typed:
        assert "The ridge held." in page
    assert not Score.objects.exists()


def test_an_empty_form_is_no_error_page(desk: Desk) -> None:
    desk.both_strats()
    assert desk.client("battle").post(desk.address, {}).status_code == 200
    assert desk.client("battle").post(desk.address, {"act": "lock"}).status_code == 422
    assert desk.client("battle").post(desk.address, {"act": "publish"}).status_code == 409


def test_neither_side_can_be_favoured(desk: Desk) -> None:
    desk.both_strats()
    desk.send(act="lock", favours="neither", bonus="", narrative="", why="Even.")
    score = Score.objects.get()
    assert (score.favours, score.bonus) == (None, 0)
    assert "no bonus for either side" in text_of(desk.client("battle").get(desk.address))


def test_the_second_of_two_judges_reads_whose_score_stands(desk: Desk) -> None:
    desk.both_strats()
    assistant(desk)
    desk.send(act="lock", **TYPED)
    late = {"favours": "1", "bonus": "3", "narrative": "Gaz had the better plan.", "narrative_version": "1"}
    for act in ("ask", "lock"):
        answer = desk.send("assistant", act=act, **late)
        page = text_of(answer)
        assert answer.status_code == 409
        assert "Judge battle locked a score" in page
        assert "You entered: +3 for Gaz (Phyrexia)" in page
        assert "Gaz had the better plan." in page
    assert Score.objects.get().bonus == 7


def test_a_double_click_locks_one_score(desk: Desk) -> None:
    desk.both_strats()
    for _ in range(2):
        assert desk.send(act="lock", **TYPED).status_code == 302
    assert Score.objects.count() == 1


def test_a_narrative_that_another_judge_saved_meanwhile_is_not_written_over(desk: Desk) -> None:
    desk.both_strats()
    assistant(desk)
    desk.send(act="save", narrative="First words.")
    answer = desk.send("assistant", act="save", narrative="Other words.", favours="1", bonus="4")
    page = text_of(answer)
    assert answer.status_code == 409
    assert "Judge battle saved another story" in page
    assert "Other words." in page
    assert "First words." in page
    assert 'name="narrative_version" value="1"' in page
    assert NarrativeDraft.objects.get().text == "First words."
    desk.send("assistant", act="save", narrative="Other words.", narrative_version="1")
    assert NarrativeDraft.objects.get().text == "Other words."


def test_a_narrative_on_top_of_one_that_nobody_saved_is_refused_and_stays_in_the_form(desk: Desk) -> None:
    desk.both_strats()
    answer = desk.send(act="save", narrative="My words.", narrative_version="7")
    page = text_of(answer)
    assert answer.status_code == 409
    assert "No one has saved a story yet, so that version" in page
    assert "My words." in page
    assert not NarrativeDraft.objects.exists()


def test_publishing_twice_is_once_and_other_words_come_too_late(desk: Desk) -> None:
    desk.both_strats()
    assistant(desk)
    desk.send(act="lock", **TYPED)
    sent = {"act": "publish", "narrative": TYPED["narrative"], "narrative_version": "1"}
    client = desk.client("battle")
    client.post(desk.address, {**sent, "act": "roll"})
    for _ in range(2):
        assert client.post(desk.address, sent).status_code == 302
    answer = desk.send("assistant", act="publish", narrative="My own telling.", narrative_version="1")
    assert answer.status_code == 409
    assert "Judge battle published this result" in text_of(answer)
    assert "My own telling." in text_of(answer)
    assert Result.objects.get().narrative == TYPED["narrative"]


def test_without_a_score_nothing_is_rolled(desk: Desk) -> None:
    desk.both_strats()
    answer = desk.send(act="publish", **TYPED)
    assert answer.status_code == 409
    assert "no score yet" in text_of(answer)
    assert not Result.objects.exists()


def test_a_side_without_a_strat_needs_no_score(desk: Desk) -> None:
    desk.world.strat(desk.battle, "Gaz", "Gaz", STRAT, now=desk.battle.announced_at + HOUR)
    desk.go_to(desk.battle.deadline + HOUR)
    page = text_of(desk.client("battle").get(desk.address))
    assert "+10 for Gaz (Phyrexia)" in page
    assert "Sent no strat in time, so it loses" in page
    assert 'name="favours"' not in page
    question = text_of(desk.send(act="ask-roll", narrative="Ana slept."))
    assert "+10 for Gaz (Phyrexia): the other side sent no strat in time." in question
    assert desk.send(act="roll", narrative="Ana slept.", narrative_version="1").status_code == 302
    assert desk.send(act="publish", narrative="Ana slept.", narrative_version="1").status_code == 302
    result = Result.objects.get()
    assert result.winner == 1
    assert result.outcome["bonus"][1]["strategy"] == 10


def test_a_battle_that_nobody_wrote_for_needs_no_score(desk: Desk) -> None:
    desk.go_to(desk.battle.deadline + HOUR)
    page = text_of(desk.client("battle").get(desk.address))
    assert "No bonus for either side" in page
    assert desk.send(act="roll", narrative="").status_code == 302
    assert desk.send(act="publish", narrative="").status_code == 302
    assert [bonus["strategy"] for bonus in Result.objects.get().outcome["bonus"]] == [0, 0]


def test_publishing_before_the_roll_asks_for_the_roll_first(desk: Desk) -> None:
    """R38."""
    desk.both_strats()
    desk.send(act="lock", **TYPED)
    asked = text_of(desk.send(act="publish", narrative="It is decided.", narrative_version="1"))
    assert "Roll the dice of this battle?" in asked
    assert "They are rolled once" in asked
    assert NarrativeDraft.objects.get().text == "It is decided."
    assert not Proposal.objects.exists()
    assert not Result.objects.exists()


def test_the_roll_is_not_asked_for_where_it_cannot_be(desk: Desk) -> None:
    desk.both_strats()
    answer = desk.send(act="ask-roll", **TYPED)
    assert answer.status_code == 409
    assert "There is nothing to roll here now." in text_of(answer)
    assert "The ridge held." in text_of(answer)


def test_a_narrative_that_another_judge_wrote_over_comes_back_in_its_field_with_the_error(desk: Desk) -> None:
    desk.both_strats()
    assistant(desk)
    desk.send("assistant", act="save", narrative="Theirs.")
    answer = desk.send(act="save", narrative="Mine.", favours="1", bonus="4")
    assert answer.status_code == 409
    page = text_of(answer)
    field = page[page.index('id="score"') :]
    assert "Second saved another story" in field
    assert field.index("Second saved another story") < field.index('<textarea name="narrative"') < field.index("Mine.")
    assert 'value="4"' in field
    assert "You entered" not in page


def test_the_strat_that_counts_is_marked_among_those_that_were_sent(desk: Desk) -> None:
    sent = desk.battle.announced_at + HOUR
    desk.world.strat(desk.battle, "Ana", "Ana", "First plan.", now=sent)
    desk.world.strat(desk.battle, "Ana", "Ana", "Second plan.", now=sent + HOUR / 2)
    page = text_of(desk.client("battle").get(desk.address))
    assert page.index("Second plan.") < page.index("First plan.")
    assert page.count('judge-tag--good">counts') == 1
    assert page.count('judge-tag--wait">replaced') == 1


@pytest.mark.parametrize("who", ["movement", "mercenary", "superuser"])
def test_nobody_but_a_battle_judge_scores(desk: Desk, who: str) -> None:
    desk.both_strats()
    for act in ("save", "ask", "lock", "publish", "edit"):
        answer = desk.send(who, act=act, **TYPED)
        assert answer.status_code == 403
        assert "Only battle judges" in text_of(answer)
        assert STRAT not in text_of(answer)
    assert not NarrativeDraft.objects.exists()
    assert not Score.objects.exists()


@pytest.mark.parametrize("who", ["movement", "mercenary", "superuser"])
def test_a_locked_score_is_a_battle_judges_secret_until_it_is_published(desk: Desk, who: str) -> None:
    desk.both_strats()
    judge = desk.world.judges["battle"]
    lock_score(
        battle=desk.battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=desk.battle.announced_at + 2 * HOUR
    )
    client = desk.client(who)
    for page in (desk.address, reverse("judge:index"), reverse("judge:judging_logentry_changelist")):
        assert "+7" not in text_of(client.get(page))
    assert "+7" in text_of(desk.client("battle").get(desk.address))


def test_markdown_of_strats_and_narratives_runs_no_script(desk: Desk) -> None:
    evil = '<script>alert(1)</script><img src=x onerror="alert(1)"> [x](javascript:alert(1))'
    sent = desk.battle.announced_at + HOUR
    desk.world.strat(desk.battle, "Ana", "Ana", evil, now=sent)
    desk.send(act="save", narrative=evil)
    page = text_of(desk.client("battle").get(desk.address))
    assert "<script>alert" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page


@pytest.fixture
def busy(db: None) -> Iterator[Desk]:
    """Two battles of a turn: Ana attacks Gaz, and Ben attacks Hex; all have sent strats."""
    world = begin(make_round({**FOUR, "Ben": ("coalition", "18F", "lieutenant")}))
    world.post("Ana", "3D > 3F; engage Gaz\n")
    world.post("Ben", "18F > 20F; engage Hex\n")
    world.settle()
    first, second = Battle.objects.filter(turn__round=world.round).order_by("number")
    for battle in (first, second):
        for entry in battle.entries.all():
            world.strat(battle, entry.name, entry.name)
    with time_machine.travel(first.announced_at + 2 * HOUR, tick=False) as clock:
        yield Desk(world, first, clock)


def test_ten_battles_need_no_way_back_lock_and_roll_are_one_question_and_publishing_leads_on(busy: Desk) -> None:
    """A score with something to look over is asked about once, and publishing leads on to what waits next."""
    desk, other = busy, Battle.objects.exclude(pk=busy.battle.pk).get()
    client = desk.client("battle")
    page = text_of(client.get(desk.address))
    assert page.index('id="score"') < page.index('id="claims"')
    asked = text_of(desk.send(client=client, act="ask", **TYPED))
    assert 'value="lock-roll"' in asked
    assert re.search(r"<dt>Plan against this enemy</dt>\s*<dd>3</dd>", asked)
    rolled = client.post(desk.address, {"act": "lock-roll", "narrative_version": "0", **TYPED}, follow=True)
    assert "The score is locked and the dice are rolled." in text_of(rolled)
    again = client.post(
        desk.address, {"act": "roll", "narrative": TYPED["narrative"], "narrative_version": "1"}, follow=True
    )
    assert "Judge battle has already rolled these dice" in text_of(again)
    assert "Rolled." not in text_of(again)
    sent = {"act": "publish-next", "narrative": TYPED["narrative"], "narrative_version": "1"}
    answer = client.post(desk.address, sent)
    assert answer["Location"] == reverse("judge:battle", args=[other.pk])
    public = text_of(desk.client("anonymous").get(reverse("battle", args=[desk.world.round.slug, desk.battle.pk])))
    assert "Scored by Judge battle." in public
    assert "Use of the land and weather" in public
    assert "No one previewed the odds before the score was locked." in public
    judge = desk.world.judges["battle"]
    lock_score(battle=other, judge=judge, favours=None, bonus=0, reasons=REASONS, now=desk.battle.deadline + HOUR)
    publish_result(battle=other, judge=judge, narrative="", now=desk.battle.deadline + HOUR)
    assert client.get(reverse("judge:battle-next", args=[desk.battle.pk]))["Location"] == reverse("judge:index")


def test_a_bonus_without_its_reasons_comes_back_with_what_is_missing_at_each_field(desk: Desk) -> None:
    """R54."""
    desk.both_strats()
    typed = {**TYPED, "why": " ", "number_2": "11", "number_3": ""}
    for act in ("score", "ask", "lock", "lock-roll"):
        answer = desk.send(act=act, **typed)
        assert answer.status_code == 422
        page = text_of(answer)
        assert "Give a reason for this score" in page
        assert "Mark “Use of its own creatures” with a whole number from -10 to 10" in page
        assert "Mark “What may go wrong” with a whole number from -10 to 10" in page
        assert "The ridge held." in page
    assert "The bonus suggested by your marks is +3" in text_of(desk.send(act="score", **{**TYPED, "departs": ""}))
    assert not Score.objects.exists()


def test_without_a_bonus_of_ones_own_the_offered_one_is_locked_and_rolled_at_once(desk: Desk) -> None:
    """R54: there is nothing to look over, so nothing is asked."""
    desk.both_strats()
    answer = desk.send(act="score", **{**TYPED, "bonus": "", "departs": ""})
    assert answer["Location"] == f"{desk.address}#proposal"
    assert Score.objects.get().bonus == 3
    assert Battle.objects.get().state == "rolled"


@pytest.mark.parametrize("typed", [{"bonus": "7"}, {"favours": "neither", "bonus": ""}])
def test_a_score_with_something_to_look_over_is_asked_about(desk: Desk, typed: dict[str, str]) -> None:
    desk.both_strats()
    assert "Lock this score?" in text_of(desk.send(act="score", **{**TYPED, **typed}))
    assert not Score.objects.exists()


def test_a_kill_that_nobody_has_ruled_on_is_asked_about(desk: Desk) -> None:
    """4.3.2: after the roll nothing is ruled on it any more."""
    desk.both_strats()
    Strat.objects.filter(entry__name="Ana").update(risk="kill")
    assert "Ana asked for a kill" in text_of(desk.send(act="score", **{**TYPED, "bonus": "3"}))
    assert not Score.objects.exists()


def test_a_score_whose_dice_wait_for_a_word_is_no_error_and_the_desk_says_what_waits(desk: Desk) -> None:
    """R38: nobody has to press Roll, and what waits is not the judge's."""
    desk.both_strats()
    Strat.objects.filter(entry__name="Ana").update(word_sha256=seal_of("a word that Ana drew"))
    client = desk.client("battle")
    desk.send(client=client, act="score", **{**TYPED, "bonus": "3"})
    answer = client.get(desk.address)
    page = text_of(answer)
    assert "The score is locked." in page
    assert "errornote" not in page
    assert 'value="ask-roll"' not in page
    queue = " ".join(text_of(client.get(reverse("judge:index"))).split())
    assert "waiting for a word until <time" in queue
    assert client.get(reverse("judge:battle-next", args=[desk.battle.pk]))["Location"] == reverse("judge:index")
    other = " ".join(text_of(desk.client("movement").get(reverse("judge:index"))).split())
    assert "waiting for a word" not in other
    until = waits_until(desk.battle, Score.objects.get())
    desk.go_to(until)
    roll_mixed(until)
    queue = " ".join(text_of(client.get(reverse("judge:index"))).split())
    assert "ready to publish" in queue
    assert "by the service" in text_of(client.get(desk.address))


def test_odds_before_the_lock_are_counted_and_shown_with_the_result(desk: Desk) -> None:
    """R54."""
    desk.both_strats()
    for _ in range(2):
        desk.send(act="odds", favours="0", bonus="4", narrative="")
    desk.send(act="lock-roll", **TYPED)
    desk.send(act="odds", narrative="")
    address = reverse("battle", args=[desk.world.round.slug, desk.battle.pk])
    assert "previewed" not in text_of(desk.client("anonymous").get(address))
    desk.send(act="publish", narrative="", narrative_version="1")
    assert Result.objects.get().odds_looked == 2
    text = " ".join(text_of(desk.client("anonymous").get(address)).split())
    assert "The odds were previewed 2 times before the score was locked." in text


def test_a_judge_may_score_blind(desk: Desk) -> None:
    desk.world.strat(desk.battle, "Ana", "Ana", "Ana beats GAZ, by [Ana's book](https://example.org).")
    desk.world.strat(desk.battle, "Gaz", "Gaz", "Gaz waits.")
    client = desk.client("battle")
    switch = reverse("judge:battle-blind", args=[desk.battle.pk])
    client.post(switch, {"blind": "on"})
    page = text_of(client.get(desk.address))
    body = page[page.index('id="content-main"') :]
    for name in ("Ana", "Gaz", "GAZ", "Coalition", "Phyrexia", "Captain", "judge-side--", "example.org", "/armies/"):
        assert name not in body, name
    assert "Army 1 beats Army 2" in body or "Army 2 beats Army 1" in body
    assert "Side 1" in body
    assert "Ana" not in text_of(desk.send(client=client, act="ask", **TYPED))
    odds = text_of(desk.send(client=client, act="odds", **TYPED))
    assert "Average losses" in odds
    assert [name for name in ("Ana", "Gaz", "Coalition", "Phyrexia") if name in odds[odds.index('id="odds"') :]] == []
    wrong = text_of(desk.send(client=client, act="ask", **{**TYPED, "bonus": "11"}))
    assert "is not a whole number from 0 to 10" in wrong
    assert "Ana" not in wrong[wrong.index('id="content-main"') :]
    client.post(desk.address, {"act": "lock", "narrative_version": "0", **TYPED})
    assert "Ana" in text_of(client.get(desk.address))
    client.post(switch, {"blind": "off"})
