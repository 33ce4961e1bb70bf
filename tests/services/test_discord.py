"""3.1, 4.1.1: commands from Discord: whose they are, what they do, and that nobody else sends them."""

import json
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
import time_machine
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from judging.battles.models import Battle, Strat
from judging.discord.models import DiscordLink
from judging.discord.services import code_of
from judging.turns.models import Post
from tests.services.world_of_tests import HOUR, World

KEY = Ed25519PrivateKey.from_private_bytes(b"1" * 32)
OTHER = Ed25519PrivateKey.from_private_bytes(b"2" * 32)
WHERE = "/api/discord/"


@pytest.fixture
def now(world: World, settings: Settings) -> datetime:
    settings.DISCORD_PUBLIC_KEY = KEY.public_key().public_bytes_raw().hex()
    return world.turn.opened_at + HOUR


def send(body: object, now: datetime, key: Ed25519PrivateKey = KEY, signed_at: datetime | None = None) -> Any:
    """What Discord sends."""
    raw = body if isinstance(body, bytes) else json.dumps(body).encode()
    seconds = str(int((signed_at or now).timestamp()))
    heads = {
        "X-Signature-Ed25519": key.sign(seconds.encode() + raw).hex(),
        "X-Signature-Timestamp": seconds,
    }
    with time_machine.travel(now, tick=False):
        return Client(enforce_csrf_checks=True).post(WHERE, raw, content_type="application/json", headers=heads)


def command(now: datetime, name: str, number: str = "1", by: str = "77", **options: object) -> dict[str, Any]:
    """The answer to a command."""
    given = [{"name": key, "type": 3, "value": value} for key, value in options.items()]
    sent = {"type": 2, "id": number, "member": {"user": {"id": by}}, "data": {"name": name, "options": given}}
    answer = send(sent, now)
    assert answer.status_code == 200, answer.content
    assert answer.json()["type"] == 4
    data: dict[str, Any] = answer.json()["data"]
    return data


def link(world: World, now: datetime, who: str = "Ana", by: str = "77") -> str:
    with time_machine.travel(now, tick=False):
        code = code_of(world.players[who].user)
    return str(command(now, "link", by=by, code=code)["content"])


def test_discord_is_answered_that_it_works(now: datetime) -> None:
    assert send({"type": 1}, now).json() == {"type": 1}


def test_what_discord_has_not_signed_now_is_refused(now: datetime) -> None:
    assert send({"type": 1}, now, OTHER).status_code == 401
    assert send({"type": 1}, now, signed_at=now - timedelta(minutes=6)).status_code == 401
    assert Client().post(WHERE, "{}", content_type="application/json").status_code == 401


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{", b"{}", b'{"type": 2}', b'{"type": 2, "data": 3}', b'{"type": 9}', b"1"]
)
def test_what_is_no_command_is_told(now: datetime, body: bytes) -> None:
    assert send(body, now).status_code == 400
    assert send(b"x" * 60_000, now).status_code == 413


def test_a_site_without_a_key_takes_nothing(world: World) -> None:
    assert Client().post(WHERE, "{}", content_type="application/json").status_code == 404


def test_orders_are_posted_once_for_whose_account_it_is(world: World, now: datetime) -> None:
    assert "are sent as trial-Ana" in link(world, now)
    told = command(now, "orders", "5", text="Ana: 3D > 4D | To arms!")
    assert command(now, "orders", "5", text="Ana: 3D > 4D | To arms!") == told
    assert "Comment: “To arms!”" in told["content"]
    assert (told["flags"], told["allowed_mentions"]) == (64, {"parse": []})
    [post] = Post.objects.all()
    assert (post.player.name, post.versions.get().text) == ("Ana", "Ana: 3D > 4D\nTo arms!")


def test_whoever_is_not_linked_does_nothing(world: World, now: datetime) -> None:
    link(world, now)
    assert "know who you are" in command(now, "orders", by="78", text="Ana: 3D > 4D")["content"]
    assert not Post.objects.exists()


def test_a_code_holds_once_and_for_a_while(world: World, now: datetime) -> None:
    with time_machine.travel(now, tick=False):
        code = code_of(world.players["Ana"].user)
    for later, by in ((now + timedelta(minutes=16), "77"),):
        assert "too old" in command(later, "link", by=by, code=code)["content"]
    assert "are sent as trial-Ana" in command(now, "link", by="77", code=code)["content"]
    assert "code is invalid" in command(now, "link", by="99", code=code)["content"]
    assert "code is invalid" in command(now, "link", by="99", code="nonsense")["content"]
    assert DiscordLink.objects.get().discord == "77"


def test_an_account_is_one_persons(world: World, now: datetime) -> None:
    link(world, now)
    link(world, now, "Gaz")
    assert [row.user for row in DiscordLink.objects.all()] == [world.players["Gaz"].user]


def test_what_the_rules_refuse_is_told_with_its_rule(world: World, now: datetime) -> None:
    link(world, now)
    told = command(now, "orders", text="Ana: 3D > > 4D")["content"]
    assert ("couldn't read" in told, "(R8)" in told) == (True, True)
    late = command(world.turn.lock_at + timedelta(minutes=5), "orders", text="Ana: 3D > 4D")["content"]
    assert "locked" in late
    assert not Post.objects.exists()


def test_a_strat_is_sent_and_a_sealed_post_is_sealed(world: World, now: datetime) -> None:
    link(world, now)
    world.post("Ana", "3D > 3F; engage Gaz")
    world.settle()
    when = Battle.objects.get().announced_at + HOUR
    assert "SHA-256" in command(when, "strat", army="Ana", text="Hold | the ridge.")["content"]
    assert Strat.objects.get().text == "Hold\nthe ridge."
    sealed = world.turn.lock_at - timedelta(minutes=20)
    command(sealed, "orders", "9", text="Well met.", sealed=True)
    assert Post.objects.get(turn=world.turn).sealed


def test_everybody_is_shown_the_map_as_a_picture(world: World, now: datetime) -> None:
    told = command(now, "map")
    assert "flags" not in told
    picture = told["embeds"][0]["image"]["url"]
    assert "/rounds/trial/turns/1/card.png?v=" in picture
    assert Client().get(f"/rounds/{picture.split('/rounds/')[1]}")["Content-Type"] == "image/png"
    assert "turn 1: strats are due by" in command(now, "turn", by="1")["content"]
    assert "That round isn't running" in command(now, "map", round="nowhere")["content"]


def test_an_account_acts_for_nobody_once_that_is_ended(world: World, now: datetime) -> None:
    link(world, now)
    client = Client()
    client.force_login(world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
    assert b"has acted for you since" in client.get(reverse("discord")).content
    assert client.post(reverse("discord")).status_code == 302
    assert not DiscordLink.objects.exists()


def test_discord_is_told_of_the_commands() -> None:
    told = StringIO()
    call_command("discord_commands", stdout=told)
    found = json.loads(told.getvalue())
    assert [each["name"] for each in found] == ["link", "orders", "strat", "map", "turn"]
    assert all(len(each["description"]) <= 100 and each["name"].islower() for each in found)
