"""3.1, R5: the Atom feeds of a round and its calendar: public things alone, in forms that readers take."""

from datetime import datetime
from xml.etree import ElementTree

import pytest
from django.http import HttpResponse
from django.test import Client
from icalendar import Calendar
from pytest_django import Settings

from judging.battles.models import Result, Strat
from judging.battles.strats.extensions import extend_strats
from judging.common.texts import HOSTED_SINCE, event_id, feed_id
from judging.formula_books.models import BookVersion
from tests.pages.playing import Game, game
from tests.services.world_of_tests import HOUR, LOCK

__all__ = ["game"]

ATOM = "{http://www.w3.org/2005/Atom}"
STRAT = "MARKER-STRAT-TEXT"


def read(game: Game, name: str, who: str = "") -> ElementTree.Element:
    answer = game.client(who).get(game.url("feed", name))
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)


def titles(feed: ElementTree.Element) -> list[str]:
    return [entry.findtext(f"{ATOM}title") or "" for entry in feed.iter(f"{ATOM}entry")]


def links(feed: ElementTree.Element) -> list[str]:
    return [link.get("href", "") for entry in feed.iter(f"{ATOM}entry") for link in entry.iter(f"{ATOM}link")]


def published(game: Game, narrative: str = "It was a long day.") -> Result:
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", STRAT)
    game.world.strat(battle, "Gaz", "Gaz", STRAT)
    result = game.world.score(battle, favours=0, bonus=3)
    Result.objects.filter(pk=result.pk).update(narrative=narrative)
    game.go_to(battle.deadline + 2 * HOUR)
    return result


def events(game: Game) -> dict[str, datetime]:
    answer = Client().get(game.url("calendar"))
    assert answer["Content-Type"] == "text/calendar; charset=utf-8"
    found = Calendar.from_ical(answer.content)
    return {str(event["uid"]).split("@")[0]: event["dtstart"].dt for event in found.walk("VEVENT")}


def test_the_updates_are_a_feed_the_newest_first(game: Game) -> None:
    game.world.settle()
    game.world.settle()
    feed = read(game, "updates")
    assert [title[:17] for title in titles(feed)] == ["Turn 2 is settled", "Turn 1 is settled"]
    assert links(feed) == [f"http://testserver{game.url('turn', number)}" for number in (2, 1)]


def test_the_announcements_tell_of_battles_and_the_book(game: Game) -> None:
    game.battle()
    feed = read(game, "announcements")
    assert titles(feed) == ["Battles of turn 2.", "Formula book version 1 applies to battles from turn 1 on."]
    assert "Ana attacked Gaz" in ElementTree.tostring(feed, encoding="unicode")


def test_a_result_comes_with_its_narrative_and_leads_to_its_battle(game: Game) -> None:
    result = published(game, "They held the *ridge* until noon.\n\n<script>alert(1)</script>")
    feed = read(game, "results")
    assert links(feed) == [f"http://testserver{game.url('battle', result.battle_id)}"]
    (summary,) = (entry.findtext(f"{ATOM}summary") for entry in feed.iter(f"{ATOM}entry"))
    assert "<em>ridge</em>" in summary
    assert "<script" not in summary


def test_what_xml_can_not_hold_breaks_no_feed(game: Game) -> None:
    published(game, "A bell\x07 and a form\x0c feed.")
    assert len(titles(read(game, "results"))) == 1


def test_two_posts_about_one_turn_are_two_entries(game: Game) -> None:
    published(game)
    game.world.settle()
    for name in ("updates", "announcements", "results"):
        ids = [entry.findtext(f"{ATOM}id") for entry in read(game, name).iter(f"{ATOM}entry")]
        assert len(ids) == len(set(ids))


@pytest.mark.parametrize("who", ["", "battle", "Ana"])
def test_nothing_secret_is_in_a_feed_or_the_calendar(game: Game, who: str) -> None:
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", STRAT)
    game.world.post("Ben", "MARKER-SEALED 10D > 11D", at=game.world.turn.lock_at - HOUR, sealed=True)
    turn, book = game.world.turn, BookVersion.objects.get()
    secrets = [STRAT, "MARKER-SEALED", Strat.objects.get().salt, turn.seed, battle.seed, book.salt]
    addresses = [game.url("feed", name) for name in ("updates", "announcements", "results")]
    for address in [*addresses, game.url("calendar")]:
        text = game.client(who).get(address).content.decode()
        assert not [secret for secret in secrets if secret in text], address


def test_a_reader_that_knows_a_feed_is_told_that_nothing_is_new(game: Game) -> None:
    for address in (game.url("feed", "updates"), game.url("calendar")):
        first: HttpResponse = Client().get(address)
        assert first["Cache-Control"] == "public, max-age=300"
        assert Client().get(address, headers={"If-None-Match": first["ETag"]}).status_code == 304


def test_the_calendar_has_locks_deadlines_and_sealed_times(game: Game) -> None:
    found = events(game)
    assert found == {"turn-1-lock": LOCK, "turn-1-sealed": LOCK - game.world.round.sealed_before_lock}
    game.battle()
    turn, found = game.world.turn, events(game)
    assert (found["turn-2-lock"], found["turn-2-strats"]) == (turn.lock_at, turn.deadline)
    assert "turn-1-sealed" not in found


def test_an_extension_is_in_the_calendar_under_the_same_name(game: Game) -> None:
    battle = game.battle()
    judge = game.world.judges["battle"]
    for hours in (5, 6):
        until = battle.deadline + hours * HOUR
        now, army = battle.announced_at + HOUR, game.world.army("Gaz")
        extend_strats(battle=battle, judge=judge, until=until, reason="Ill.", now=now, army=army)
        (key,) = (key for key in events(game) if key.startswith("turn-2-strats-"))
        assert events(game)[key] == until
    assert events(game)["turn-2-strats"] == battle.deadline


def test_a_moment_that_was_moved_twice_says_so_and_when(game: Game) -> None:
    """RFC 5545 3.8.7: a calendar keeps the old time of an event whose SEQUENCE and DTSTAMP are as before."""
    battle = game.battle()
    judge, army = game.world.judges["battle"], game.world.army("Gaz")
    told = []
    for hours in (5, 6):
        now, until = battle.announced_at + hours * HOUR, battle.deadline + hours * HOUR
        extend_strats(battle=battle, judge=judge, until=until, reason="Ill.", now=now, army=army)
        found = Calendar.from_ical(Client().get(game.url("calendar")).content).walk("VEVENT")
        (event,) = (event for event in found if str(event["uid"]).startswith("turn-2-strats-"))
        told.append((event["sequence"], event["dtstamp"].dt == now, event["last-modified"].dt == now))
        (lock,) = (event for event in found if str(event["uid"]).startswith("turn-2-lock"))
        assert (lock["sequence"], lock["dtstamp"].dt) == (0, game.world.turn.opened_at)
    assert told == [(1, True, True), (2, True, True)]


def test_ids_have_the_host_of_the_site_and_older_ones_stay_as_readers_know_them(settings: Settings) -> None:
    settings.PUBLIC_URL = "https://war.example.org:8443"
    assert event_id("turn-1-lock", "trial", HOSTED_SINCE) == "turn-1-lock.trial@war.example.org"
    assert feed_id("trial:notice:1", HOSTED_SINCE) == "tag:war.example.org,2026:trial:notice:1"
    assert event_id("turn-1-lock", "trial", LOCK) == "turn-1-lock@trial.wargame"
    assert feed_id("trial:notice:1", LOCK) == "urn:wargame:trial:notice:1"


def test_a_deadlines_minute_is_in(game: Game) -> None:
    """R4"""
    (event,) = (
        event
        for event in Calendar.from_ical(Client().get(game.url("calendar")).content).walk("VEVENT")
        if str(event["uid"]).startswith("turn-1-lock")
    )
    assert (event["dtend"].dt - event["dtstart"].dt).seconds == 60


def test_every_page_of_the_round_leads_to_them(game: Game) -> None:
    html = game.page("turns")
    for name in ("updates", "announcements", "results"):
        address = game.url("feed", name)
        assert '<link rel="alternate" type="application/atom+xml" title="' in html
        assert html.count(f'href="{address}"') == 2
    assert html.count(f'href="{game.url("calendar")}"') == 2


def test_there_is_no_such_feed_or_round(game: Game) -> None:
    assert Client().get(game.url("feed", "secrets")).status_code == 404
    assert Client().get("/rounds/nowhere/feeds/updates/").status_code == 404
    assert Client().get("/rounds/nowhere/calendar.ics").status_code == 404
