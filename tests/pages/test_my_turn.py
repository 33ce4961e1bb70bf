"""The page on which a player lands: what waits for him, and what his last turn brought, with its reasons."""

import pytest

from judging.appeals.services import answer, lodge
from judging.appeals.subjects import find_subject
from judging.battles.desk.scoring import lock_score
from judging.battles.models import Battle
from judging.battles.strats.dice_words import hand_over_word
from judging.command.control.services import set_controllers
from judging.my_turn.report import of_player, report_of, spans_of
from judging.tables.models import Seat, Table, TableJudge
from judging.tables.todo import NONE_SECONDS
from judging.turns.drafts import publish_draft
from tests.pages.playing import Game, game, said
from tests.services import tables_of_tests
from tests.services.world_of_tests import HOUR, REASONS, UNLOCK
from wargame.models import Round, Turn
from wargame.rules.battle import kills_and_captures
from wargame.rules.battle.mixing import seal_of

__all__ = ["game"]


def my_turn(game: Game, who: str) -> str:
    return said(game.client(who).get(game.url("mine")))


def test_what_waits_is_told_by_urgency_and_an_illegal_order_is_to_be_done(game: Game) -> None:
    """R14: an army whose order is illegal will stand still, as one without an order."""
    now = game.battle().announced_at + HOUR
    game.world.post("Ben", "Ben: 10D > 30D", at=now)
    game.world.post("Ben", "Ben: 10D to 12D >", at=now)

    ana, ben = my_turn(game, "Ana"), my_turn(game, "Ben")

    assert ana.index("To do") < ana.index("Strat to write: Ana") < ana.index("Your turn 1")
    assert "Ben: the current order is illegal. The army will stay where it is." in ben
    assert (
        ben.index("the current order is illegal")
        < ben.index("We couldn't read this as an order:")
        < ben.index("Post orders")
    )
    assert ben.index("Illegal:") < ben.index("read this, at column"), "of what he posted, the illegal lines come first"
    assert "Nothing to do right now." in my_turn(game, "Cay")


def test_the_last_turn_tells_of_each_army_what_was_ordered_and_what_came_of_it(game: Game) -> None:
    game.world.post("Ana", "Ana: 3D > 4D")
    game.world.post("Ben", "Ben: 10D > 30D")
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)

    ana, ben = my_turn(game, "Ana"), my_turn(game, "Ben")

    assert "Your turn 1" in ana
    assert "3D → 4D" in ana
    assert "Ordered by Ana: Ana: 3D &gt; 4D" in ana
    assert "Ben" not in ana.split("Your turn 1")[1].split("Full update of turn")[0]
    assert "order refused" in ben
    assert "Ordered by Ben: Ben: 10D &gt; 30D" in ben
    told = ben.split("Your turn 1")[1].split("Full update of turn")[0]
    assert "3.2.2.1" in told
    assert "an army can move 3" in told
    assert told.count("10D &gt; 13D") == 1, "what would have done is said once"


def test_who_has_an_army_for_the_first_time_is_told_how_to_order_it_until_he_posts(game: Game) -> None:
    """5.2: a newcomer who was given one, too; not who had others before, nor who had his for a whole turn."""
    assert "Choose Ana on the map" in my_turn(game, "Ana")
    assert "Your first orders" not in my_turn(game, "Cay"), "he has no army"

    game.post("Ana", "Ana: 3D > 4D")
    set_controllers(game.world.army("Ben"), [game.world.players["Cay"]], UNLOCK + HOUR)

    assert "Your first orders" not in my_turn(game, "Ana")
    assert "Choose Ben on the map" in my_turn(game, "Cay")
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)
    set_controllers(game.world.army("Ana"), [game.world.players["Ben"]], game.world.turn.opened_at)
    assert "Your first orders" not in my_turn(game, "Cay")
    assert "Your first orders" not in my_turn(game, "Ben")


def test_an_order_of_who_lost_control_is_no_part_of_his_successors_turn(game: Game) -> None:
    """5.4.2: everybody finds it in the whole update."""
    cay, army = game.world.players["Cay"], game.world.army("Ben")
    game.world.post("Ben", "Ben: 10D > 11D", at=UNLOCK + HOUR)
    set_controllers(army, [cay], UNLOCK + 2 * HOUR)
    game.world.post("Cay", "Ben: 10D > 12D", at=UNLOCK + 3 * HOUR)
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)
    told = Turn.objects.get(number=1).events
    assert "lost_control" in [event.get("reason") for event in told]

    page = my_turn(game, "Cay")

    assert "10D → 12D" in page
    assert "no longer controlled" not in page
    assert "order refused" not in page


def test_an_army_on_its_long_move_shows_the_order_of_the_turn_in_which_it_set_out(game: Game) -> None:
    """3.2.2.3: nobody has to post for it, so "no order was posted" would be wrong."""
    game.world.post("Ben", "Ben: 10D > 12D > 12F")
    game.world.settle()
    game.world.settle()
    game.go_to(game.world.turn.opened_at + HOUR)

    page = my_turn(game, "Ben")

    assert "On a long move ordered in turn 1 by Ben: 10D &gt; 12D &gt; 12F" in page
    assert "No order was posted" not in page
    (army,) = game.client("Ben").get(f"/api/v1/rounds/{game.world.round.slug}/my-turn/").json()["last"]["armies"]
    assert (army["ordered"], army["ordered_in"]) == ("10D > 12D > 12F", 1)


def test_between_lock_and_settlement_it_shows_what_became_of_each_order(game: Game) -> None:
    """R18: the moves of the draft, from the moment on that they are public and not before."""
    Round.objects.update(publish_after=None)
    game.world.post("Ana", "Ana: 3D > 3F; engage Gaz")
    game.world.post("Ben", "Ben: 10D > 12D")
    turn = game.world.turn
    game.go_to(turn.lock_at + HOUR)
    assert game.world.settle() == "moved"
    before = my_turn(game, "Ben")
    publish_draft(turn=turn, judge=game.world.judges["movement"], now=turn.lock_at + HOUR)

    assert "What happened to your orders" not in before
    assert "What happened to your orders" in my_turn(game, "Ben")
    assert "10D → 12D" in my_turn(game, "Ben")
    assert "3D → 3F" in my_turn(game, "Ana")


def test_who_is_killed_stays_a_turn_with_his_story_and_is_found_ever_after(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kills_and_captures, "kill_succeeds", lambda *_: True)
    battle = game.battle()
    for name in ("Ana", "Gaz"):
        game.world.strat(battle, name, name, risk="kill")
    result = game.world.score(battle)
    (name,) = result.outcome["killed"]
    killer = "Ana" if name == "Gaz" else "Gaz"
    assert game.world.settle() == "settled"
    game.go_to(game.world.turn.opened_at + HOUR)
    fought = Turn.objects.get(pk=battle.turn_id)
    brought = report_of(fought, game.world.turn.opened_at)
    assert brought is not None
    report = of_player(brought, spans_of(game.world.players[name]))
    assert report is not None

    (dead,) = report.armies
    assert dead.is_dead
    assert dead.ended == ""
    assert dead.codes[:2] == ("killed", "lost")
    assert dead.fell is not None
    assert dead.fell["at"] == "3F"
    assert dead.fell["by"] == [killer]
    assert report.dead == (dead,)
    assert dead.battle is not None
    assert dead.battle.id == battle.pk
    page = my_turn(game, name)
    assert "Your former armies" in page
    assert "fell in turn 2" in page
    assert "It was a long day." in page
    assert "killed an enemy" in my_turn(game, killer)
    (cost,) = [dict(event["losses"])[name] for event in dead.events if event["kind"] == "fought"]
    left = 10_000 - sum(cost)
    card = said(game.client().get(game.url("army", name)))
    assert f"Troops after its last battle {left:,} of 10,000" in card, "its rows have what it brought into the battle"


def test_the_old_address_leads_here_and_who_logs_in_lands_here(game: Game) -> None:
    answer = game.client("Ana").get(game.url("mine-before"))

    assert (answer.status_code, answer.headers["Location"]) == (301, game.url("mine"))
    assert game.url("mine").endswith("/my-turn/")


def test_the_program_is_told_the_same(game: Game) -> None:
    battle = game.battle()
    address = f"/api/v1/rounds/{game.world.round.slug}/my-turn/"
    told = game.client("Ana").get(address).json()

    assert [task["kind"] for task in told["waiting"]] == ["strat"]
    assert told["waiting"][0]["battle"] == battle.pk
    assert (told["player"], told["side"]) == ("Ana", "coalition")
    (mine,) = told["armies"]
    assert (mine["army"], mine["at"], mine["order"], mine["battle"]) == ("Ana", "3F", "", battle.pk)
    game.post("Hex", "Hex: 20F > 21F")
    game.post("Ben", "Ben: 10D > 30D")
    ordered = {who: game.client(who).get(address).json()["armies"][0] for who in ("Hex", "Ben")}
    assert (ordered["Hex"]["order"], ordered["Hex"]["refusal"]) == ("Hex: 20F > 21F", "")
    assert "30D" in ordered["Ben"]["refusal"]
    (army,) = told["last"]["armies"]
    assert (army["army"], army["at"], army["ended"]) == ("Ana", "3D", "3F")
    assert army["codes"][:2] == ["engaged", "moved"]
    assert army["ordered"] == "Ana: 3D > 3F; engage Gaz"
    assert game.client("Cay").get(address).json()["last"] is None
    assert game.client().get(address).status_code == 403


def test_a_word_that_is_due_is_to_be_done_until_it_is_handed_over(game: Game) -> None:
    """R38."""
    battle, word = game.battle(), "a word that nobody guesses"
    Battle.objects.update(dice_mix="words", mix_within=2 * HOUR)
    at = battle.announced_at + HOUR
    game.world.strat(battle, "Ana", "Ana", now=at, word_sha256=seal_of(word))
    game.world.strat(battle, "Gaz", "Gaz", now=at)
    assert "a word for the dice to reveal" not in my_turn(game, "Ana")
    lock_score(battle=battle, judge=game.world.judges["battle"], favours=None, bonus=0, reasons=REASONS, now=at)
    assert "You have a word for the dice to reveal: the word of Ana" in my_turn(game, "Ana")
    assert "a word for the dice to reveal" not in my_turn(game, "Gaz")
    hand_over_word(battle=battle, army="Ana", player=game.world.players["Ana"], word=word, now=at + HOUR / 2)
    assert "a word for the dice to reveal" not in my_turn(game, "Ana")


def test_an_appeal_is_to_be_done_for_who_answers_it(game: Game) -> None:
    """R57."""
    battle = game.battle()
    for name in ("Ana", "Gaz"):
        game.world.strat(battle, name, name)
    game.world.score(battle, favours=1, bonus=10)
    now = battle.deadline + 2 * HOUR
    game.go_to(now)
    found = find_subject(game.world.round, "result", str(battle.pk), "", now)
    assert found is not None
    given = {"cites": "4.2.1", "reason": "We held.", "token": "t1", "now": now}
    row = lodge(round=game.world.round, player=game.world.players["Ana"], subject=found, **given)
    assert "An appeal is waiting for your answer: appeal 1, against the result of the battle" in my_turn(game, "battle")
    assert "An appeal is waiting for your answer" not in my_turn(game, "Ana")
    answer(appeal=row, judge=row.judge, how="upheld", cites="4.2.1", text="It says so.", now=now + HOUR)
    assert "An appeal is waiting for your answer" not in my_turn(game, "battle")


def test_a_card_table_that_waits_for_a_player_of_the_round_is_to_be_done(game: Game) -> None:
    """T10: each of two people who sit there sees his own move, until it is made or its beat answers for him."""
    cards = tables_of_tests.running()
    ana = game.world.players["Ana"].user
    Seat.objects.filter(name="Ana").update(user=ana, asked_at=game.world.turn.opened_at)
    Seat.objects.filter(name="Bo").update(asked_at=None)
    assert "A card table is waiting for you: At the harbour. Your time runs out in" in my_turn(game, "Ana")
    assert "A card table" not in my_turn(game, "Gaz")

    Table.objects.update(beat_at=game.world.turn.opened_at + 9 * HOUR)
    assert "A card table" not in my_turn(game, "Ana")
    still = {"question": "What does it do?", "still_until": game.world.turn.opened_at + 72 * HOUR}
    Table.objects.update(beat_at=None, state="cutting", **still)
    Seat.objects.filter(name="Ana").update(cut="")
    assert "A card table is waiting for your cut word: At the harbour." in my_turn(game, "Ana")

    Table.objects.update(state="running")
    assert "A card table" not in my_turn(game, "Ana")  # it stands still until the judge has answered
    judge = {"user": game.world.players["Gaz"].user, "name": "Gaz", "named_at": game.world.turn.opened_at}
    TableJudge.objects.create(table=cards.table, **judge)
    game.clock.shift(NONE_SECONDS + 1)
    assert "A card table is waiting for its judge: At the harbour." in my_turn(game, "Gaz")
