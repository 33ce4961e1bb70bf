"""1.3, 6: the page of a round's judges, and the desk on which a head overrules."""

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle, Score
from judging.battles.strats.extensions import accept_late, extend_strats
from judging.command.models import Handover
from judging.command.people.admission import accept_admission, ask_admission
from judging.common.models import LogEntry
from tests.pages.judge_desk import WHY
from tests.pages.playing import Game, game, said
from tests.services.world_of_tests import HOUR, REASONS, add_judge, make_round
from wargame.models import Judge

__all__ = ["game"]


def send(game: Game, who: str, status: int = 302, **typed: object) -> str:
    answer = game.client(who).post(game.url("judges"), typed)
    assert answer.status_code == status
    return said(answer)


def test_everybody_sees_who_judges_since_when(game: Game) -> None:
    add_judge(game.world.round, "battle", "Olga", is_head=False)
    for who in ("", "Ana", "movement"):
        page = game.page("judges", who=who)
        for name in ("Judge battle", "Olga", "Judge movement", "Judge mercenary", "assistant"):
            assert name in page
    assert '<form class="form' not in game.page("judges")
    assert game.url("judges") in game.page("map")


def test_a_head_names_dismisses_and_names_again(game: Game) -> None:
    User.objects.create_user("olga")
    send(game, "battle", act="name", role="battle", username="olga", reason="She asked.")
    olga = Judge.objects.get(round=game.world.round, name="olga")
    assert "olga" in game.page("judges")
    send(game, "battle", act="dismiss", judge=olga.pk, reason="She is away.")
    page = game.page("judges")
    assert "Former judges: olga, until" in " ".join(page.split())
    log = game.page("log")
    assert "appointed olga as assistant battle judge" in log
    assert "She is away." in log


def test_a_head_hands_over_on_the_page(game: Game) -> None:
    game.world.judges["olga"] = olga = add_judge(game.world.round, "movement", "Olga", is_head=False)
    asked = send(game, "movement", 200, act="head", judge=olga.pk, reason="I am away.")
    assert "Ask Olga to replace Judge movement as head movement judge?" in asked
    assert "I am away." in asked
    assert not Handover.objects.exists()
    send(game, "movement", act="head", judge=olga.pk, reason="I am away.", sure="1")
    seen = said(game.client("olga").get(game.url("judges")))
    assert "to accept and replace Judge movement as head" in seen
    assert "Accept and become head" in seen
    assert "Accept and become head" not in game.page("judges", who="movement")
    assert "Withdraw the offer" in game.page("judges", who="movement")
    head = Judge.objects.filter(round=game.world.round, role="movement", is_head=True)
    assert head.get().name == "Judge movement"
    send(game, "battle", 422, act="accept", role="movement")
    send(game, "olga", act="accept", role="movement")
    assert head.get() == olga
    assert "replaced Judge movement as head movement judge" in game.page("log")


def test_an_assistant_may_go_himself(game: Game) -> None:
    game.world.judges["olga"] = olga = add_judge(game.world.round, "battle", "Olga", is_head=False)
    page = game.page("judges", who="olga")
    assert "Stop judging" in page
    assert "Make Olga the head" not in page
    send(game, "olga", act="dismiss", judge=olga.pk, reason="No time.")
    assert not Judge.objects.filter(pk=olga.pk).exists()


@pytest.mark.parametrize("who", ["Ana", "mercenary", "olga"])
def test_who_may_not_is_refused_and_sees_no_form(game: Game, who: str) -> None:
    User.objects.create_user("rio")
    game.world.judges["olga"] = add_judge(game.world.round, "battle", "Olga", is_head=False)
    assert 'value="battle"' not in game.page("judges", who=who)
    told = send(game, who, 422, act="name", role="battle", username="rio")
    assert "Only the head battle judge" in told
    assert game.client().post(game.url("judges"), {"act": "name"}).status_code == 302
    assert not Judge.objects.filter(user__username="rio").exists()


def test_a_player_is_refused_as_battle_judge_and_what_was_typed_stays(game: Game) -> None:
    """1.3."""
    typed = {"act": "name", "role": "battle", "username": "trial-Ana", "reason": "He is <fair>."}
    answer = game.client("battle").post(game.url("judges"), typed)
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "A battle judge can&#x27;t be a player" in page
    assert 'value="trial-Ana"' in page
    assert "He is &lt;fair&gt;." in page


@pytest.mark.parametrize(
    "typed",
    [
        {"act": "name", "role": "king", "username": "x"},
        {"act": "name", "role": "battle", "username": "\0"},
        {"act": "dismiss", "judge": "9" * 30, "reason": "x"},
        {"act": "head", "judge": "x"},
        {"act": "dismiss", "judge": "", "reason": "\0"},
        {},
    ],
)
def test_bad_input_is_refused_in_words(game: Game, typed: dict[str, str]) -> None:
    send(game, "battle", 422, **typed)


def test_another_rounds_judge_is_not_touched(game: Game) -> None:
    other = add_judge(make_round({}, slug="other").round, "battle", "Far", is_head=False)
    send(game, "battle", 422, act="dismiss", judge=other.pk, reason="Gone.")
    assert Judge.objects.filter(pk=other.pk).exists()


def desk(game: Game, who: str, battle: Battle, act: str, **typed: object) -> str:
    """One of the sheet's forms, sent."""
    address = reverse("judge:battle-act", args=[battle.pk, act])
    data = {f"{act}-{name}": value for name, value in typed.items()}
    return said(game.client(who).post(address, data, follow=True))


def test_the_head_overrules_a_score_on_the_desk(game: Game) -> None:
    battle = game.battle()
    assistant = game.world.judges["olga"] = add_judge(game.world.round, "battle", "Olga", is_head=False)
    for army in ("Ana", "Gaz"):
        game.world.strat(battle, army, army)
    lock_score(battle=battle, judge=assistant, favours=0, bonus=7, reasons=REASONS, now=battle.announced_at + 2 * HOUR)
    sheet = reverse("judge:battle", args=[battle.pk])
    assert "Overrule this score" in said(game.client("battle").get(sheet))
    assert "Overrule this score" not in said(game.client("olga").get(sheet))
    assert "Only the head battle judge" in desk(
        game, "olga", battle, "overrule", favours="1", bonus="2", reason="I am not.", **WHY
    )
    assert "Say why" not in desk(game, "battle", battle, "overrule", favours="1", bonus="2", reason="", **WHY)
    told = desk(game, "battle", battle, "overrule", favours="1", bonus="2", reason="Read it again.", **WHY)
    assert "You overruled the score" in told
    assert "Judge battle overruled Olga: Read it again." in told
    assert Score.objects.get().bonus == 2
    assert "overruled the score" not in game.page("log")


def test_the_head_overrules_more_time_and_a_late_strat_on_the_desk(game: Game) -> None:
    battle = game.battle()
    assistant = game.world.judges["olga"] = add_judge(game.world.round, "battle", "Olga", is_head=False)
    now, was = battle.announced_at + HOUR, battle.deadline
    extend_strats(battle=battle, judge=assistant, until=was + HOUR, reason="A storm.", now=now)
    sheet = reverse("judge:battle", args=[battle.pk])
    assert "Overrule another" in said(game.client("battle").get(sheet))
    assert "until" in desk(game, "battle", battle, "shorten", army="", reason="There was none.")
    assert Battle.objects.get(pk=battle.pk).deadline == was
    assert "overruled Olga, who had extended the deadline of battle 1 of turn 2 for everyone" in game.page("log")
    late = game.world.strat(battle, "Ana", "Ana", now=was + HOUR)
    game.go_to(was + 2 * HOUR)
    accept_late(strat=late, judge=assistant, reason="The mail.", now=was + HOUR)
    told = desk(game, "battle", battle, "unaccept", strat=late.pk, reason="It was not the mail.")
    assert "doesn't count" in told
    late.refresh_from_db()
    assert late.accepted_by is None
    assert LogEntry.objects.get(action="strat.overruled").data["of"] == "Olga"


def test_the_head_overrules_an_admission_on_the_desk(game: Game) -> None:
    """1.1, 1.3."""
    world = game.world
    world.judges["olga"] = assistant = add_judge(world.round, "battle", "Olga", is_head=False)
    user, now = User.objects.create_user("newt"), world.turn.opened_at + HOUR
    asked = ask_admission(
        round=world.round, user=user, side="phyrexia", name="Newt", text="Hello.", factions=(), token="t", now=now
    )
    player = accept_admission(admission=asked, by=assistant, rank=None, now=now)
    address = reverse("judge:command", args=[world.round.pk])
    assert "was admitted by Olga" in said(game.client("battle").get(address))
    assert "was admitted by Olga" not in said(game.client("olga").get(address))
    typed = {"act": "overrule", "taken": asked.pk, "reason": " "}
    assert game.client("battle").post(address, typed).status_code == 409
    assert game.client("olga").post(address, {**typed, "reason": "No."}).status_code == 409
    assert game.client("battle").post(address, {**typed, "reason": "He plays for both."}).status_code == 302
    player.refresh_from_db()
    assert player.left_at is not None
    assert "overruled Olga: Newt does not belong to Phyrexia" in game.page("log")


def test_a_judge_states_a_conflict_and_a_leave_and_everybody_reads_them(game: Game) -> None:
    """R56, R59: what was typed comes back with a refusal; a player has no such page."""
    client, address = game.client("battle"), game.url("judges-mine")
    assert game.client("Ana").get(address).status_code == 403
    wrong = client.post(address, {"act": "conflict", "about": "player", "player": "", "why": "We are friends."})
    assert wrong.status_code == 422
    assert "We are friends." in wrong.content.decode()
    typed = {"act": "conflict", "about": "player", "player": "Ana", "why": "We are friends."}
    assert client.post(address, typed).status_code == 302
    assert client.post(address, {"act": "leave", "since": "2027-01-01", "until": "x"}).status_code == 422
    assert client.post(address, {"act": "leave", "since": "2026-03-05", "note": "The sea."}).status_code == 302
    for said_of_him in ("has a conflict with Ana", "We are friends.", "The sea."):
        assert said_of_him in game.page("judges")
    assert client.post(address, {"act": "back"}).status_code == 302
    assert "The sea." not in game.page("judges")
