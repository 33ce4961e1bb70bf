"""R8, 3.1: one line or one damaged row takes nothing from the others: pages stand, and the turn is settled."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from judging.battles.models import Battle, Result
from judging.common.models import LogEntry
from judging.turns.models import Draft, Post, PostVersion
from judging.turns.stages import advance
from tests.secrecy.walking import one_frame
from tests.services.world_of_tests import HOUR, LOCKED, UNLOCK, World
from wargame.models import Round, Turn
from wargame.rules.posts import notation
from wargame.world import maps

pytestmark = pytest.mark.django_db

EVIL = "hold\n5E > \u01309\nAna: 3D > 4D"

OF_ROUND = (
    *(
        "",
        "movement/",
        "my-turn/",
        "map/",
        "map/what-if/",
        "turns/",
        "turns/1/",
        "turns/1/movement/",
        "turns/1/update.txt",
    ),
    *("battles/", "armies/", "armies/Ana/", "numbers/", "log/", "rulings/", "penalties/", "verify/", "neutrals/"),
    *("players/", "notices.atom", "calendar.ics", "votes/", "boards/"),
)
API = ("", "turns/", "turns/1/", "turns/1/posts/", "turns/1/orders/", "battles/", "armies/", "map/")


@pytest.fixture
def client_of(client: Client) -> Client:
    client.raise_request_exception = False
    return client


def pages(world: World) -> Iterator[str]:
    """Addresses of everything that a round shows."""
    slug = world.round.slug
    yield from (f"/rounds/{slug}/{page}" for page in OF_ROUND)
    yield from (f"/api/v1/rounds/{slug}/{page}" for page in API)
    yield from (reverse("post", args=[slug, pk]) for pk in Post.objects.values_list("pk", flat=True))
    yield from (f"/rounds/{slug}/turns/{number}/" for number in Turn.objects.values_list("number", flat=True))
    yield from (f"/judge/turns/{pk}/draft/" for pk in turn_keys())
    yield from (f"/judge/turns/{pk}/corrections/" for pk in turn_keys())
    yield from (f"/rounds/{slug}/battles/{pk}/" for pk in Battle.objects.values_list("pk", flat=True))
    yield from (f"/judge/battles/{pk}/" for pk in Battle.objects.values_list("pk", flat=True))
    yield from ("/judge/", "/livez", "/rounds/", "/")


def turn_keys() -> list[int]:
    return list(Turn.objects.values_list("pk", flat=True))


def open_all(world: World, client: Client, role: str = "movement") -> dict[str, int]:
    """Every page as a player and as a judge; those that broke down."""
    found = {}
    for user in (world.players["Ana"].user, world.judges[role].user):
        client.force_login(user)
        with one_frame():
            for page in pages(world):
                status = client.get(page).status_code
                if status >= 500:
                    found[f"{user}: {page}"] = status
    return found


def store(world: World, text: str, player: str = "Ana") -> Post:
    """A post that came into the database beside all checks."""
    with time_machine.travel(UNLOCK + HOUR, tick=False):
        post = world.post(player, "hold")
    stamps = [UNLOCK.isoformat()] * len(text.split("\n"))
    PostVersion.objects.filter(post=post).update(text=text, stamps=stamps)
    return post


def break_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    """The reader breaks down at one sign, as it once did at U+0130."""
    whole = notation.read_plain

    def read_plain(text: str, *given: object) -> object:
        if "\u0130" in text:
            raise ValueError(f"“{text}” is not a square")
        return whole(text, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(notation, "read_plain", read_plain)


def test_the_line_that_stopped_a_round_is_unreadable_and_the_others_count(world: World, client_of: Client) -> None:
    client_of.force_login(world.players["Ana"].user)
    address = f"/api/v1/rounds/{world.round.slug}/turns/1/posts/"
    with time_machine.travel(UNLOCK + HOUR, tick=False):
        answer = client_of.post(address, {"text": EVIL, "token": "a", "confirm": True}, content_type="application/json")
        assert answer.status_code == 201
        kinds = [(line["kind"], line["cites"]) for line in answer.json()["lines"]]
        assert kinds == [("order", ""), ("unreadable", "3.2.2.5"), ("order", "")]
        assert open_all(world, client_of) == {}
    assert advance(world.turn.pk, LOCKED) == "settled"
    assert world.army("Ana").at == "4D"


def test_a_line_at_which_the_reader_breaks_down_gives_no_order_and_is_told(
    world: World, client_of: Client, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    break_reader(monkeypatch)
    post = store(world, EVIL)
    client_of.force_login(world.players["Ben"].user)
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False):
        assert open_all(world, client_of) == {}
        lines = client_of.get(f"/api/v1/rounds/{world.round.slug}/turns/1/posts/").json()["results"][0]["lines"]
    assert (lines[1]["kind"], lines[1]["cites"]) == ("unreadable", "R8")
    assert "The author made no mistake" in lines[1]["wrong"]
    assert advance(world.turn.pk, LOCKED) == "settled"
    assert world.army("Ana").at == "4D"
    assert LogEntry.objects.get(action="turn.locked").data["unread"] == [[post.number, 2]]
    assert "ValueError" in caplog.text
    assert "\u0130" not in caplog.text
    with time_machine.travel(LOCKED + HOUR, tick=False):
        assert open_all(world, client_of) == {}


def test_a_post_whose_times_are_lost_gives_no_order(world: World, client_of: Client) -> None:
    """All of them, all but the zone, or the moment itself."""
    for name, squares, stamps in (
        ("Ana", "3D > 4D", []),
        ("Gaz", "3F > 4F", ["2026-03-02T06:00:00"]),
        ("Hex", "20F > 21F", [None]),
    ):
        PostVersion.objects.filter(post=store(world, f"{name}: {squares}", name)).update(stamps=stamps)
    world.post("Ben", "10D > 11D")
    damaged = Post.objects.exclude(player__name="Ben").order_by("number").values_list("number", flat=True)
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False):
        assert open_all(world, client_of) == {}
    assert advance(world.turn.pk, LOCKED) == "settled"
    assert [world.army(name).at for name in ("Ana", "Gaz", "Hex", "Ben")] == ["3D", "3F", "20F", "11D"]
    assert LogEntry.objects.get(action="turn.locked").data["unread"] == [[number, 0] for number in damaged]
    with time_machine.travel(LOCKED + HOUR, tick=False):
        assert open_all(world, client_of) == {}


def test_a_post_without_versions_is_shown_with_its_number(world: World, client_of: Client) -> None:
    post = store(world, "hold")
    PostVersion.objects.filter(post=post).delete()
    with time_machine.travel(UNLOCK + 2 * HOUR, tick=False):
        assert open_all(world, client_of) == {}
        shown = client_of.get(f"/api/v1/rounds/{world.round.slug}/posts/{post.pk}/").json()
    assert shown["lines"][0]["text"] == f"Post {post.pk} no longer has any text."
    assert advance(world.turn.pk, LOCKED) == "settled"


def test_stored_events_that_are_damaged_are_told_as_such(war: World, client_of: Client) -> None:
    damage = (
        '[5, null, "moved", {}, {"kind": "strolled"}, {"kind": ["moved"]}, {"kind": "moved"}, '
        '{"kind": "moved", "army": 5, "from": "3D", "to": "99"}]'
    )
    war.post("Ben", "10D > 11D", at=war.turn.opened_at + HOUR)
    with connection.cursor() as cursor:
        cast = "CAST(%s AS jsonb)" if connection.vendor == "postgresql" else "%s"
        cursor.execute(f"UPDATE wargame_turn SET events = {cast} WHERE number = 1", [damage])
    with time_machine.travel(war.turn.opened_at + HOUR, tick=False):
        assert open_all(war, client_of) == {}
        shown = client_of.get(f"/rounds/{war.round.slug}/turns/1/").content.decode()
    assert "is damaged and can&#x27;t be shown" in shown
    war.score(Battle.objects.get())
    assert war.settle() == "settled"


def test_a_draft_whose_events_are_damaged_is_shown_all_the_same(war: World, client_of: Client) -> None:
    turn = war.turn
    assert advance(turn.pk, turn.lock_at + HOUR) == "moved"
    Draft.objects.update(events=[{"kind": "moved"}])
    with time_machine.travel(turn.lock_at + HOUR, tick=False):
        assert open_all(war, client_of) == {}
    war.score(Battle.objects.get(), now=turn.lock_at + HOUR)
    assert advance(turn.pk, turn.lock_at + 2 * HOUR) == "settled"


def test_a_damaged_outcome_is_shown_as_such_and_nothing_is_settled_by_it(war: World, client_of: Client) -> None:
    turn = war.turn
    war.score(Battle.objects.get())
    whole = Result.objects.get().outcome
    damages: tuple[object, ...] = ("lost", {"losses": 5})
    for damage in damages:
        Result.objects.update(outcome=damage)
        with time_machine.travel(turn.lock_at - HOUR, tick=False):
            assert open_all(war, client_of, "battle") == {}
            shown = client_of.get(f"/rounds/{war.round.slug}/battles/{Battle.objects.get().pk}/").content.decode()
        assert "is damaged" in shown
    for damage in damages:
        Result.objects.update(outcome=damage)
        with pytest.raises((TypeError, KeyError, ValueError, AttributeError)):
            advance(turn.pk, turn.lock_at + timedelta(minutes=1))
        assert Turn.objects.get(pk=turn.pk).state == "locked"
    Result.objects.update(outcome=whole)
    assert advance(turn.pk, turn.lock_at + timedelta(minutes=1)) == "settled"


def test_a_map_that_is_damaged_while_its_turn_is_played_comes_from_the_rows(world: World, client_of: Client) -> None:
    position = Turn.objects.get().position
    position["armies"][0]["at"] = "nowhere"
    damage_map(position)
    with time_machine.travel(UNLOCK + HOUR, tick=False):
        assert open_all(world, client_of) == {}
        told = client_of.get("/judge/").content.decode()
    assert "the stored data for the map is damaged" in told
    assert advance(world.turn.pk, LOCKED) == "settled"


def test_a_map_that_is_damaged_for_good_takes_its_own_pages_alone(world: World, client_of: Client) -> None:
    with time_machine.travel(UNLOCK + HOUR, tick=False):
        post = world.post("Ana", "Ana: 3D > 4D")
    assert advance(world.turn.pk, LOCKED) == "settled"
    damage_map({"armies": 7})
    slug = world.round.slug
    with time_machine.travel(LOCKED + HOUR, tick=False):
        broken = {page.partition(": ")[2] for page in open_all(world, client_of)}
        its_own = (f"/rounds/{slug}/turns/1/", f"/api/v1/rounds/{slug}/turns/1/", reverse("post", args=[slug, post.pk]))
        # "My turn" tells a player what came of his last turn.
        its_own += (f"/judge/turns/{Turn.objects.get(number=1).pk}/", f"/rounds/{slug}/my-turn/")
        assert {page for page in broken if not page.startswith(its_own)} == set()
        for page in (f"/rounds/{slug}/turns/1/map/", f"/api/v1/rounds/{slug}/turns/1/orders/"):
            answer = client_of.get(page)
            assert (answer.status_code, "The map data of turn 1 is damaged" in answer.content.decode()) == (503, True)
        assert "the stored data for the map is damaged" in client_of.get("/judge/").content.decode()


@pytest.mark.parametrize("places", [7, {"Ana": "nowhere"}, {"Ana": ["3D"]}, ["3D"]])
def test_a_damaged_draft_of_the_moves_takes_no_page(world: World, client_of: Client, places: object) -> None:
    Round.objects.update(publish_after=None)
    assert advance(world.turn.pk, LOCKED) == "moved"
    Draft.objects.update(places=places, former={"events": 7, "places": places, "digest": 3})
    with time_machine.travel(LOCKED + HOUR, tick=False):
        assert open_all(world, client_of) == {}
        assert "the stored data for the draft of its moves is damaged" in client_of.get("/judge/").content.decode()
    Draft.objects.update(former=places)
    with time_machine.travel(LOCKED + HOUR, tick=False):
        assert client_of.get(f"/judge/turns/{world.turn.pk}/draft/").status_code == 200


def damage_map(position: object) -> None:
    """What is stored of the first turn's map changes beside all checks, and no process has it in mind."""
    Turn.objects.filter(number=1).update(position=position)
    maps._positions.clear()
    cache.clear()
