"""4.1.1: the editor for strats: drafts kept as they are typed, a safe preview, and what requests mean."""

import pytest
from django.http import HttpResponse
from django.test import Client

from judging.battles.models import Battle, Strat, StratDraft
from tests.pages.playing import Game, game, said, typed_text
from tests.services.test_strats import lose
from wargame.rules.battle.weather import told_weather

__all__ = ["game"]


def draft(game: Game, battle: Battle, who: str = "Ana", htmx: bool = True, **typed: object) -> HttpResponse:
    data = {"text": "Hold the *ford*.", "token": "a form", "risk": "", "version": "0", **typed}
    headers = {"HX-Request": "true"} if htmx else {}
    return game.client(who).post(game.url("strat-draft", battle.pk, "Ana"), data, headers=headers)


def test_a_draft_is_kept_and_shown_as_it_will_read(game: Game) -> None:
    battle = game.battle()
    answer = draft(game, battle)
    assert "Hold the <em>ford</em>." in answer.content.decode()
    assert "Draft saved" in said(answer)
    assert not Strat.objects.exists()
    assert typed_text(game.page("strat", battle.pk, "Ana", who="Ana")) == "Hold the *ford*."


def test_the_preview_runs_no_script(game: Game) -> None:
    html = draft(game, game.battle(), text="<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=y>")
    shown = html.content.decode()
    assert "<script" not in shown
    assert 'href="javascript:' not in shown
    assert "<img" not in shown


def test_a_kill_with_499_top_troops_is_said_before_it_is_sent(game: Game) -> None:
    """4.3.2."""
    battle = game.battle()
    lose(game.world, "Ana", 4, 501)
    answer = draft(game, battle, risk="kill")
    assert "A kill risks 500 troops from slot 4, but fewer are left. Slot 4 of Ana holds 499." in said(answer)
    sent = game.client("Ana").post(
        game.url("strat", battle.pk, "Ana"), {"text": "Kill.", "risk": "kill", "token": "one"}
    )
    assert sent.status_code == 422
    assert "A kill risks 500 troops" in said(sent)
    assert typed_text(sent.content.decode()) == "Kill."


def test_both_a_kill_and_a_capture_are_one_too_many(game: Game) -> None:
    """R35."""
    battle = game.battle()
    typed = {"text": "All of it.", "risk": ["kill", "capture"], "token": "one"}
    sent = game.client("Ana").post(game.url("strat", battle.pk, "Ana"), typed)
    assert sent.status_code == 422
    assert "A strat can go for the kill or the capture, not both (R35" in said(sent)
    assert typed_text(sent.content.decode()) == "All of it."
    assert not Strat.objects.exists()


def test_running_and_risking_do_not_go_together(game: Game) -> None:
    """R41."""
    assert "it can&#x27;t risk troops" in said(draft(game, game.battle(), risk="kill", runs="on"))


def test_a_megabyte_is_told_how_much_is_too_much(game: Game) -> None:
    answer = draft(game, game.battle(), text="x" * 1_048_576)
    assert answer.status_code == 200
    assert "1,048,576 characters" in said(answer)
    assert not StratDraft.objects.exists()


@pytest.mark.parametrize("who", ["Gaz", "Ben", "Cay", "battle", "movement"])
def test_nobody_reads_or_writes_the_draft_of_another(game: Game, who: str) -> None:
    battle = game.battle()
    draft(game, battle, text="MARKER-DRAFT")
    answer = draft(game, battle, who, text="Mine.")
    assert "You don't control Ana" in said(answer).replace("&#x27;", "'")
    assert "MARKER-DRAFT" not in answer.content.decode()
    page = game.client(who).get(game.url("strat", battle.pk, "Ana")).content.decode()
    assert "MARKER-DRAFT" not in page
    assert StratDraft.objects.get().text == "MARKER-DRAFT"


def test_the_contingency_does_not_read_the_controllers_draft(game: Game) -> None:
    """5.2.3, R35: he has one of his own."""
    battle = game.battle()
    ana = game.world.players["Ana"]
    ana.contingency = game.world.players["Cay"]
    ana.save()
    draft(game, battle, text="MARKER-DRAFT")
    assert "Draft saved" in said(draft(game, battle, "Cay", text="In case."))
    assert "MARKER-DRAFT" not in game.client("Cay").get(game.url("strat", battle.pk, "Ana")).content.decode()
    assert StratDraft.objects.count() == 2


def test_another_window_is_shown_and_not_written_over(game: Game) -> None:
    battle = game.battle()
    draft(game, battle, text="First.")
    draft(game, battle, text="Second.", version="1")
    answer = draft(game, battle, text="From the old window.", version="1")
    assert "You saved this draft in another window at" in said(answer)
    assert "Second." in said(answer)
    assert 'value="2"' in answer.content.decode()
    assert StratDraft.objects.get().text == "Second."


def test_without_scripts_the_whole_page_comes_back(game: Game) -> None:
    answer = draft(game, game.battle(), htmx=False, runs="on")
    html = answer.content.decode()
    assert typed_text(html) == "Hold the *ford*."
    assert "Preview" in html
    assert 'name="runs" id="id_runs" checked' in html


def test_who_was_logged_out_is_told(game: Game) -> None:
    battle = game.battle()
    address = game.url("strat-draft", battle.pk, "Ana")
    answer = Client().post(address, {"text": "x"}, headers={"HX-Request": "true"})
    assert "You are logged out" in said(answer)
    assert Client().post(address, {"text": "A plan."}).status_code == 302


def test_the_page_shows_weather_and_the_armies_own_deadline(game: Game) -> None:
    battle = game.battle()
    text = said(game.client("Ana").get(game.url("strat", battle.pk, "Ana")))
    assert told_weather(battle.weather)["text"] in text
