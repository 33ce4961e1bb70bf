"""1.2: the pages of what concerns somebody, for himself alone, with and without JavaScript."""

import pytest
from django.test import Client
from django.urls import reverse

from judging.common.notify import News
from judging.notifications.models import Notification, Preference
from judging.notifications.services import tell, unsubscribe_token
from tests.services.conftest import FOUR
from tests.services.world_of_tests import UNLOCK, World, begin, make_round

pytestmark = pytest.mark.django_db
LIST, SETTINGS = "/notifications/", "/accounts/notifications/"


@pytest.fixture
def world(db: None) -> World:
    return begin(make_round(FOUR))


@pytest.fixture
def ana(world: World) -> Client:
    client = Client()
    client.force_login(world.players["Ana"].user)
    return client


def give(world: World, name: str = "Ana", key: str = "a") -> Notification:
    data = {"army": name}
    news = News(world.players[name].user_id, "army.given", key, UNLOCK, world.round.pk, 1, data)
    tell([news], UNLOCK)
    return Notification.objects.get(user=world.players[name].user, key=key)


def test_the_bell_counts_and_a_line_is_read_by_following_it_by_its_button_or_with_all(
    world: World, ana: Client
) -> None:
    first = give(world)
    give(world, key="b")
    give(world, key="c")
    give(world, "Gaz")
    page = ana.get(LIST).content.decode()
    assert "You now control Ana." in page
    assert "Gaz" not in page
    assert '<span class="bell__number" aria-hidden="true">3</span>' in page
    there = ana.get(reverse("notification", args=[first.pk]))
    assert (there.status_code, there["Location"]) == (302, "/rounds/trial/armies/Ana/")
    assert "2 unread notifications" in ana.get("/notifications/bell/").content.decode()
    ana.post(LIST, {"read": Notification.objects.get(key="b").pk})
    assert Notification.objects.filter(read_at__isnull=True, user__username="trial-Ana").count() == 1
    ana.post(LIST)
    assert "Notifications" in ana.get("/notifications/bell/").content.decode()
    assert Notification.objects.filter(read_at__isnull=True).count() == 1, "those of others are theirs"


def test_nobody_reads_or_marks_the_notifications_of_others(world: World, ana: Client) -> None:
    theirs = give(world, "Gaz")
    assert ana.get(reverse("notification", args=[theirs.pk])).status_code == 404
    ana.post(LIST, {"read": theirs.pk})
    ana.post("/api/v1/notifications/read/", {"ids": [theirs.pk]}, content_type="application/json")
    assert ana.get("/api/v1/notifications/").json()["results"] == []
    theirs.refresh_from_db()
    assert theirs.read_at is None
    assert Client().get(LIST)["Location"].startswith("/accounts/login/")
    assert Client().get("/notifications/bell/").status_code == 204
    assert Client().get("/api/v1/notifications/").status_code in (401, 403)


def test_what_was_typed_stays_when_it_is_refused(world: World, ana: Client) -> None:
    typed = {"preset": "own", "digest_hour": "25", "time_zone": "Europe/Berlin", "mail-talk": "once"}
    page = ana.post(SETTINGS, typed)
    assert page.status_code == 422
    text = page.content.decode()
    assert "“25” is not an hour of the day" in text
    assert 'value="Europe/Berlin"' in text
    assert not Preference.objects.exists()
    assert ana.post(SETTINGS, {**typed, "digest_hour": "6"}).status_code == 302
    stored = Preference.objects.get()
    assert (stored.digest_hour, stored.channels["talk"]) == (6, {"mail": "once", "push": False})


def test_the_zone_of_the_browser_counts_until_one_is_chosen(world: World, ana: Client) -> None:
    assert 'data-zone=""' in ana.get(LIST).content.decode()
    for name in ("Nowhere/Land", "Asia/Tokyo", "Europe/Berlin", "\0"):
        assert ana.post("/notifications/zone/", {"time_zone": name}).status_code == 204
    assert Preference.objects.get().time_zone == "Asia/Tokyo"
    assert 'data-zone="1"' in ana.get(LIST).content.decode()


def test_a_mail_program_unsubscribes_without_a_log_in_and_a_scanner_does_not(world: World) -> None:
    user = world.players["Ana"].user
    address = reverse("unsubscribe", args=[unsubscribe_token(user.pk)])
    stranger = Client(enforce_csrf_checks=True)
    assert "Which emails do you want to stop" in stranger.get(address).content.decode()
    assert not Preference.objects.exists()
    assert stranger.post(address, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not any(each["mail"] for each in Preference.objects.get().channels.values())
    assert stranger.post(address, {"group": "nothing"}).status_code == 422
    assert stranger.post(reverse("unsubscribe", args=["no-token"])).status_code == 404


def test_the_api_tells_and_takes_the_same(world: World, ana: Client) -> None:
    give(world)
    (one,) = ana.get("/api/v1/notifications/").json()["results"]
    assert (one["sentence"], one["group"], one["is_read"]) == ("You now control Ana.", "armies", False)
    json = "application/json"
    assert ana.post("/api/v1/notifications/read/", {}, content_type=json).json() == {"marked": 1, "unread": 0}
    assert ana.post("/api/v1/notifications/read/", {"ids": ["x"]}, content_type=json).status_code == 400
    settings = ana.get("/api/v1/notifications/settings/").json()
    assert settings["preset"] == "mine"
    settings |= {"preset": "deadlines", "time_zone": "Asia/Tokyo", "muted": ["trial"]}
    answer = ana.put("/api/v1/notifications/settings/", settings, content_type=json)
    assert (answer.status_code, answer.json()["muted"]) == (200, ["trial"])
    for wrong in ({"digest_hour": 25}, {"time_zone": "x"}, {"quiet_from": 3}, {"channels": [{"group": "x"}]}):
        given = ana.put("/api/v1/notifications/settings/", {**settings, **wrong}, content_type=json)
        assert given.status_code in (400, 409), wrong
