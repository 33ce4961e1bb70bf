"""1.3: the page of the log, its entries' own addresses, and its feed."""

from datetime import datetime
from html import unescape
from xml.etree import ElementTree

import pytest
from django.urls import reverse

from judging.battles.desk.scoring import lock_score
from judging.battles.strats.extensions import extend_strats
from judging.common.log_entry import record
from judging.common.models import LogEntry
from judging.common.texts import utc
from judging.log.actions import ACTS, Kind
from tests.pages.playing import Game, game, said
from tests.services.ruling import moved, new, rule
from tests.services.world_of_tests import HOUR, REASONS

__all__ = ["game"]

REASON = "The mail was <b>down</b>."


def put(game: Game, action: str, who: str = "battle", at: datetime | None = None, **data: object) -> LogEntry:
    person = game.world.players.get(who) or game.world.judges.get(who)
    opened = game.world.turn.opened_at
    return record(game.world.round, person.user if person else None, action, data, at or opened + HOUR)


def read(game: Game, by: str = "", status: int = 200, **query: object) -> str:
    answer = game.client(by).get(game.url("log"), query)
    assert answer.status_code == status
    return unescape(said(answer))


def test_the_log_says_who_when_what_and_why_by_turns(game: Game) -> None:
    battle = game.battle()
    until = battle.deadline + 3 * HOUR
    judge, now = game.world.judges["battle"], battle.announced_at + HOUR
    extend_strats(battle=battle, judge=judge, until=until, reason=REASON, now=now, army=game.world.army("Ana"))
    page = read(game)
    assert f"Judge battle (battle judge) moved the deadline of battle 1 of turn 2 for Ana to {utc(until)}" in page
    assert "The mail was <b>down</b>." in page
    assert page.index("Turn 2") < page.index("moved the deadline") < page.index("The service settled turn 1")
    html = game.page("log")
    assert "<b>down</b>" not in html
    assert reverse("battle", args=[game.world.round.slug, battle.pk]) in html
    assert reverse("rules") in html


def test_a_ruling_is_told_with_its_reason_and_rule_once_the_moves_are_public(game: Game) -> None:
    """3.3.3."""
    moved(game.world)
    rule(game.world, new("aside", "Ben", cites="R21", reason="He was not there."))
    game.go_to(game.world.turn.lock_at + 2 * HOUR)
    assert "made ruling 1" not in read(game)
    assert "made ruling 1" not in read(game, "mercenary")
    page = read(game, "movement")
    assert "made ruling 1 on turn 1. R21 secret until the moves of its turn are published He was not there." in page


def test_a_locked_score_is_not_on_the_page_nor_under_its_address(game: Game) -> None:
    battle = game.battle()
    for army in ("Ana", "Gaz"):
        game.world.strat(battle, army, army)
    judge = game.world.judges["battle"]
    lock_score(battle=battle, judge=judge, favours=0, bonus=7, reasons=REASONS, now=battle.announced_at + 2 * HOUR)
    entry = LogEntry.objects.get(action="battle.scored")
    for who in ("", "Ana", "movement"):
        assert "locked the score" not in read(game, who)
        assert game.client(who).get(game.url("log-entry", entry.key)).status_code == 404
    assert "locked the score of battle 1 of turn 2" in read(game, "battle")
    assert "locked the score" in game.page("log-entry", entry.key, who="battle")


def test_an_entry_has_an_address_of_its_own_that_tells_nothing_of_others(game: Game) -> None:
    entry = put(game, "name.granted", old="Ana", new="Anna")
    assert "allowed Ana to be renamed Anna" in game.page("log-entry", entry.key)
    assert game.url("log-entry", entry.key) in game.page("log")
    assert game.client().get(game.url("log-entry", "f" * 12)).status_code == 404
    assert str(entry.pk) != entry.key
    other = put(game, "name.granted", old="Ana", new="Anna")
    assert other.key != entry.key


def test_the_filters_narrow_the_log_and_stay_in_the_form(game: Game) -> None:
    put(game, "player.rank", "Ana", player="Ben", before="lieutenant", after="", freed=["Ben"], reason="")
    put(game, "name.granted", old="Ana", new="Anna")
    assert "took the rank Lieutenant from Ben" in read(game)
    page = read(game, who="Ana")
    assert "took the rank" in page
    assert "be renamed Anna" not in page
    assert "be renamed Anna" in read(game, kind="players", q="anna allowed")
    assert "took the rank" in read(game, army="Ben")
    assert "No entries match your search." in read(game, q="zeppelin")
    assert 'value="zeppelin"' in game.client().get(game.url("log"), {"q": "zeppelin"}).content.decode()


@pytest.mark.parametrize(
    "query",
    [{"turn": "x"}, {"turn": "99"}, {"turn": "9" * 50}, {"kind": "secret"}, {"kind": "\0"}, {"turn": "²"}],
)
def test_what_can_not_be_asked_is_said_and_never_an_error(game: Game, query: dict[str, str]) -> None:
    answer = game.client().get(game.url("log"), query)
    assert answer.status_code in (200, 400)
    assert "The service opened turn 1" in said(answer)


@pytest.mark.parametrize("page", ["2", "0", "-1", "x", "9" * 40])
def test_any_page_is_a_page(game: Game, page: str) -> None:
    for number in range(60):
        put(game, "name.granted", old="Ana", new=f"Anna {number:02}")
    first, shown = read(game), read(game, page=page)
    assert "Page 1 of 2" in first
    assert "Anna 59" in first
    assert "Page " in shown
    assert ("Anna 59" in shown) == ("Page 1 of 2" in shown)


def test_votes_and_boards_are_one_kind_of_act_and_a_vote_leads_to_the_votes(game: Game) -> None:
    """1.3, 1.4."""
    put(game, "vote.called", "Ana", question="Shall we wait?", kind="normal")
    put(game, "board.hidden", message=3, by="Ben", board="Movement", reason="Off the matter.")
    shown = read(game, kind="boards")
    assert "called a vote: Shall we wait?" in shown
    assert "hid message 3 by Ben on Movement" in shown
    assert f'href="{game.url("votes")}">Votes</a>' in game.client().get(game.url("log")).content.decode()


def test_every_kind_of_the_filter_has_acts() -> None:
    """1.3: nobody chooses a kind of which there is never anything."""
    assert {act.kind for act in ACTS.values()} == set(Kind)


def test_a_round_in_its_set_up_tells_the_public_nothing(game: Game) -> None:
    """2.5.1.3."""
    type(game.world.round).objects.update(state="setup")
    put(game, "setup.proxies", for_player="Ana")
    assert "worked on the proxies" not in read(game)
    assert "worked on the proxies" in read(game, "battle")


def test_the_judges_table_of_the_log_keeps_the_same_secrets(game: Game) -> None:
    put(game, "battle.scored", turn=1, battle=1)
    put(game, "name.granted", old="Ana", new="Anna")
    address = reverse("judge:judging_logentry_changelist")
    assert "battle.scored" not in game.client("movement").get(address).content.decode().split("results")[-1]
    table = game.client("battle").get(address).content.decode()
    assert "name.granted" in table
    entry = LogEntry.objects.get(action="battle.scored")
    one = reverse("judge:judging_logentry_change", args=[entry.pk])
    assert game.client("movement").get(one).status_code in (302, 404)
    for name in ("change", "delete", "history"):
        answer = game.client("battle").post(reverse(f"judge:judging_logentry_{name}", args=[entry.pk]), {"action": "x"})
        assert answer.status_code in (403, 405) or LogEntry.objects.get(pk=entry.pk).action == "battle.scored"


def test_the_log_is_a_feed_of_what_is_public(game: Game) -> None:
    put(game, "battle.scored", turn=1, battle=1)
    entry = put(game, "player.inactive", "Ana", player="Ben", reason="He is gone.\x0b")
    answer = game.client("battle").get(game.url("feed", "log"))
    assert answer.status_code == 200
    feed = ElementTree.fromstring(answer.content)
    titles = [title.text for title in feed.iter("{http://www.w3.org/2005/Atom}title")]
    assert "Ana declared Ben inactive." in titles
    assert not [title for title in titles if title and "score" in title]
    assert game.url("log-entry", entry.key) in answer.content.decode()
    assert "He is gone." in answer.content.decode()


def test_people_find_the_log(game: Game) -> None:
    for page in ("turns", "map"):
        assert f'href="{game.url("log")}"' in game.page(page)
