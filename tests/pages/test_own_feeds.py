"""1.2, R5: feeds of armies, players and people, and calendars that ring, as well-known readers read them."""

import re
from datetime import timedelta

import feedparser
import pytest
from django.test import Client
from django.urls import reverse
from icalendar import Calendar

from judging.boards.models import Message
from judging.common.notify import News
from judging.feeds.models import FeedAddress
from judging.feeds.services import renew_feed_address
from judging.notifications.services import tell
from tests.pages.playing import Game, game
from tests.services.tables_of_tests import OPENED, opened, person, running, sit
from tests.services.world_of_tests import HOUR

__all__ = ["game"]


def feed(address: str) -> feedparser.FeedParserDict:
    answer = Client().get(address)
    assert answer.status_code == 200, address
    found = feedparser.parse(answer.content)
    assert not found.bozo, found.get("bozo_exception")
    assert found.version == "atom10"
    assert all(entry.id and entry.link and entry.updated_parsed for entry in found.entries)
    assert len({entry.id for entry in found.entries}) == len(found.entries)
    return found


def own(game: Game, name: str, who: str = "Ana") -> str:
    user = game.world.players[who].user
    found = FeedAddress.objects.filter(user=user).first() or renew_feed_address(
        user=user, now=game.world.turn.opened_at
    )
    return reverse(name, args=[found.token])


def calendar(address: str) -> Calendar:
    found = Calendar.from_ical(Client().get(address).content)
    assert found.get("version") == "2.0"
    return found


def test_an_army_has_a_feed_of_what_the_turns_brought_it(game: Game) -> None:
    game.world.post("Ana", "3D > 4D", at=game.world.turn.opened_at + HOUR)
    game.world.settle()
    found = feed(game.url("army-feed", "Ana"))
    assert [entry.title for entry in found.entries] == ["Ana in turn 1"]
    assert "4D" in found.entries[0].summary


def test_a_player_has_a_feed_of_what_everybody_reads_of_his(game: Game) -> None:
    turn = game.world.turn
    game.world.post("Ana", "Well met & <b>good luck</b>.", at=turn.opened_at + HOUR)
    game.world.post("Ana", "MARKER-SEALED", at=turn.lock_at - timedelta(minutes=30), sealed=True)
    found = feed(game.url("player-feed", "Ana"))
    assert len(found.entries) == 1
    assert "Well met &amp; &lt;b&gt;" in found.entries[0].summary
    game.go_to(turn.lock_at + HOUR)
    assert len(feed(game.url("player-feed", "Ana")).entries) == 2


def test_what_concerns_somebody_is_read_at_his_own_address_alone(game: Game) -> None:
    ana, gaz = (game.world.players[name].user_id for name in ("Ana", "Gaz"))
    now, round_ = game.world.turn.opened_at + HOUR, game.world.round
    data = {"army": "Ana"}
    tell(
        [News(ana, "army.given", "a", now, round_.pk, 1, data), News(gaz, "army.given", "g", now, round_.pk, 1, data)],
        now,
    )
    address = own(game, "own-feed")
    assert len(feed(address).entries) == 1
    assert Client().get(address)["Cache-Control"] == "private, no-cache"


def test_another_address_ends_the_one_before(game: Game) -> None:
    before = own(game, "own-calendar")
    client = game.client("Ana")
    assert before.encode() in client.get(reverse("own-feeds")).content
    assert client.post(reverse("own-feeds"), {"act": "renew"}).status_code == 302
    assert Client().get(before).status_code == 404
    after = own(game, "own-calendar")
    assert (after != before, Client().get(after).status_code) == (True, 200)
    client.post(reverse("own-feeds"), {"act": "drop"})
    assert Client().get(after).status_code == 404


@pytest.mark.parametrize("token", ["none", "0" * 32, "A" * 32])
def test_an_address_of_nobody_shows_nothing(game: Game, token: str) -> None:
    for name in ("own-feed", "own-calendar"):
        assert Client().get(reverse(name, args=[token])).status_code == 404


def test_ones_own_calendar_rings_before_ones_own_deadlines(game: Game) -> None:
    game.battle()
    found = {str(event["uid"]).split("@")[0]: event for event in calendar(own(game, "own-calendar")).walk("VEVENT")}
    assert {"turn-2-lock", "turn-2-strats"} <= set(found)
    rings = [alarm["trigger"].dt for alarm in found["turn-2-strats"].walk("VALARM")]
    assert rings == [timedelta(hours=-24), timedelta(hours=-2)]
    away = {str(event["uid"]).split("@")[0] for event in calendar(own(game, "own-calendar", "Ben")).walk("VEVENT")}
    assert ("turn-2-lock" in away, "turn-2-strats" in away) == (True, False)


def test_ones_time_at_card_tables_is_in_ones_own_calendar_and_rings(db: None) -> None:
    table = running()
    token = renew_feed_address(user=person("Ana"), now=table.now).token
    (event,) = calendar(reverse("own-calendar", args=[token])).walk("VEVENT")
    assert table.table.name in event["summary"]
    assert [alarm["trigger"].dt for alarm in event.walk("VALARM")] == [timedelta(hours=-24), timedelta(hours=-2)]
    assert all(alarm["description"] == event["summary"] for alarm in event.walk("VALARM"))


def test_a_rounds_calendar_rings_as_it_is_asked_to(game: Game) -> None:
    address = game.url("calendar")
    assert list(calendar(address).walk("VALARM")) == []
    alarms = list(calendar(f"{address}?alarm=60,1440").walk("VALARM"))
    assert {alarm["trigger"].dt for alarm in alarms} == {timedelta(hours=-1), timedelta(days=-1)}
    for asked in ("soon", "1,2,3,4,5", "-5", "9999999"):
        assert Client().get(f"{address}?alarm={asked}").status_code == 404


@pytest.mark.parametrize("name", ["updates", "announcements", "results", "log"])
def test_the_rounds_feeds_are_read_by_a_reader(game: Game, name: str) -> None:
    game.battle()
    feed(game.url("feed", name))


def test_a_board_has_a_feed_that_a_reader_reads(game: Game) -> None:
    html = game.page("board", "talk")
    address = re.search(r'href="(/rounds/trial/[^"]*feed[^"]*)"[^>]*>Feed of messages here', html)
    assert address
    feed(address[1])


def test_a_table_has_a_feed_if_everybody_may_see_it(db: None) -> None:
    table = running()
    table.post("Ana", "keep hand")
    found = feed(reverse("table-feed", args=[table.table.slug]))
    assert "Ana" in found.entries[0].title
    invited = opened(name="In secret", is_invited=True)
    assert Client().get(reverse("table-feed", args=[invited.slug])).status_code == 404


def test_a_teams_board_has_a_feed_at_the_address_of_each_who_reads_it_and_of_nobody_else(game: Game) -> None:
    said = {"text": "MARKER-OF-THE-TEAM & <b>more</b>", "token": "a" * 20}
    game.client("Ana").post(reverse("board", args=["trial", "team-coalition"]), said)
    own(game, "own-feed")
    page = game.client("Ana").get(reverse("own-feeds")).content.decode()
    (address,) = re.findall(r'href="(/feeds/[0-9a-f]{32}/rounds/trial/team-coalition/)"', page)
    (entry,) = feed(address).entries
    assert "MARKER-OF-THE-TEAM &amp; &lt;b&gt;" in entry.summary
    assert (Client().get(address)["Cache-Control"], Client().get(address)["X-Robots-Tag"]) == (
        "private, no-cache",
        "noindex",
    )
    other = own(game, "own-feed", "Gaz").split("/")[2]
    assert Client().get(reverse("own-board-feed", args=[other, "trial", "team-coalition"])).status_code == 404
    game.client("Ana").post(reverse("own-feeds"), {"act": "renew"})
    assert Client().get(address).status_code == 404


def test_what_was_withdrawn_on_a_board_leaves_its_feed(game: Game) -> None:
    game.client("Ana").post(reverse("board", args=["trial", "team-coalition"]), {"text": "Well.", "token": "a" * 20})
    token = own(game, "own-feed").split("/")[2]
    address = reverse("own-board-feed", args=[token, "trial", "team-coalition"])
    assert len(feed(address).entries) == 1
    Message.objects.update(withdrawn_at=game.world.turn.opened_at + HOUR)
    assert feed(address).entries == []


def test_who_sits_at_a_table_by_invitation_reads_its_feed_at_his_own_address(db: None) -> None:
    table = opened(name="In secret", is_invited=True)
    sit(table, "Ana")
    addresses = {
        name: reverse("own-table-feed", args=[renew_feed_address(user=person(name), now=OPENED).token, table.slug])
        for name in ("Ana", "Cy")
    }
    assert feed(addresses["Ana"]).feed.title == "In secret"
    assert Client().get(addresses["Cy"]).status_code == 404
