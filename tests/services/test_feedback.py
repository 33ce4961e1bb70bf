"""1.3, 4.2: the judges in numbers, and what players say of how their battles were judged."""

from datetime import datetime, timedelta

import pytest
from django.test import Client

from judging.battles.desk.publishing import publish_result
from judging.battles.desk.scoring import lock_score, overrule_score
from judging.battles.models import Battle
from judging.common.errors import Refused
from judging.common.viewer import viewer_of
from judging.feedback.models import BattleFeedback
from judging.feedback.services import FEWEST, WINDOW, give_feedback, judge_numbers, sentences_for
from judging.notifications.gathering import gather
from judging.notifications.models import Notification
from tests.services.world_of_tests import HOUR, REASONS, World, add_judge, add_player

pytestmark = pytest.mark.django_db


@pytest.fixture
def judged(war: World) -> Battle:
    """Both strats came early; an assistant scored, the head overruled him, the result came two hours after them."""
    battle = Battle.objects.get()
    assistant = add_judge(war.round, "battle", "Second", is_head=False)
    for name in ("Ana", "Gaz"):
        war.strat(battle, name, name)
    now, head = battle.announced_at + 2 * HOUR, war.judges["battle"]
    lock_score(battle=battle, judge=assistant, favours=1, bonus=9, reasons=REASONS, now=now)
    overrule_score(battle=battle, judge=head, favours=0, bonus=4, reasons=REASONS, reason="No.", now=now)
    publish_result(battle=battle, judge=head, narrative="", now=battle.announced_at + 3 * HOUR)
    return Battle.objects.select_related("turn__round", "result").get()


def say(war: World, battle: Battle, by: str = "Ana", now: datetime | None = None, **said: object) -> BattleFeedback:
    given = {"fair": 2, "clear": 3, "in_time": 4, "sentence": "", **said}
    now = now or battle.result.published_at + HOUR
    return give_feedback(battle=battle, player=war.players[by], now=now, **given)  # type: ignore[arg-type]


def test_the_judges_in_numbers_are_of_published_battles(war: World, judged: Battle) -> None:
    head, assistant = judge_numbers(war.round)
    assert (head.judge, head.battles, head.mean_hours, head.are_few) == ("Judge battle", 1, 2.0, True)
    assert (head.coalition_bonus, head.phyrexia_bonus, head.overruled) == (4.0, 0.0, 0)
    assert (assistant.judge, assistant.battles, assistant.overruled) == ("Second", 0, 1)
    Battle.objects.update(state=Battle.State.SCORED)
    assert judge_numbers(war.round) == (), "before the result nobody knows who scored what"


def test_what_players_say_counts_once_each_and_only_from_three_on(war: World, judged: Battle) -> None:
    say(war, judged)
    say(war, judged, fair=5)
    say(war, judged, "Gaz", fair=1)
    assert BattleFeedback.objects.count() == FEWEST - 1
    assert judge_numbers(war.round)[0].means is None
    third = add_player(war.round, "Ivy", "coalition")
    BattleFeedback.objects.create(
        battle=judged, player=third, fair=3, clear=3, in_time=4, given_at=judged.result.published_at
    )
    means = judge_numbers(war.round)[0].means
    assert means is not None
    assert (means.answers, means.fair, means.clear, means.in_time) == (3, 3.0, 3.0, 4.0)


def test_only_who_fought_says_how_it_was_judged_and_only_in_time(war: World, judged: Battle) -> None:
    with pytest.raises(
        Refused,
        match="You can only rate how this battle was judged if you controlled an army in it at its deadline",
    ):
        say(war, judged, "Ben")
    with pytest.raises(Refused, match="You could only do that until"):
        say(war, judged, now=judged.result.published_at + WINDOW)
    with pytest.raises(Refused, match="1 .* to 5"):
        say(war, judged, clear=6)
    with pytest.raises(Refused, match="the limit is 300"):
        say(war, judged, sentence="x" * 301)
    assert not BattleFeedback.objects.exists()


def test_the_sentence_goes_to_the_head_alone_and_he_is_told(war: World, judged: Battle) -> None:
    gather(judged.result.published_at)  # what was there before is history
    say(war, judged, sentence="The  flank was\nnot looked at.")
    gather(judged.result.published_at + HOUR + timedelta(minutes=1))
    head = war.judges["battle"].user
    assert [row.user for row in Notification.objects.filter(kind="judge.feedback")] == [head]
    assert [one.sentence for one in sentences_for(viewer_of(head, war.round))] == ["The flank was not looked at."]
    for other in (war.players["Ana"].user, war.judges["movement"].user):
        assert sentences_for(viewer_of(other, war.round)) == ()


def test_the_pages_show_the_numbers_and_keep_what_was_typed(war: World, judged: Battle) -> None:
    client = Client()
    page = f"/rounds/trial/battles/{judged.pk}/feedback/"
    client.force_login(war.players["Ben"].user, backend="django.contrib.auth.backends.ModelBackend")
    assert client.get(page).status_code == 403
    told = Client().get("/rounds/trial/judges/numbers/").content.decode()
    assert "few battles" in told
    assert "fewer than 3 answers" in told
    client.force_login(war.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    answer = client.post(page, {"fair": "9", "sentence": "Kept, whatever is wrong."})
    assert answer.status_code in (403, 422)
    assert "Kept, whatever is wrong." in answer.content.decode()
