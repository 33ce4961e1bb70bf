"""3.1: Redis holds nothing that is needed: while it is away pages open, limits hold, and `/healthz` answers."""

import os

import pytest
from django.core.cache import cache, caches
from django.test import Client

from tests.launching import free_port
from wargame.web.fallback_cache import FallbackCache


@pytest.fixture
def without_redis(settings):
    address = f"redis://127.0.0.1:{free_port()}/0"
    backend = "wargame.web.fallback_cache.FallbackCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": address, "KEY_PREFIX": "wargame"}}
    yield
    cache.clear()
    FallbackCache.away_until = 0.0


@pytest.mark.usefixtures("without_redis")
@pytest.mark.parametrize("address", ["/", "/rounds/"])
def test_a_page_opens_while_redis_is_away(world, address):
    player = next(iter(world.players.values()))
    reader = Client()
    reader.force_login(player.user, backend="django.contrib.auth.backends.ModelBackend")

    assert reader.get(address, follow=True).status_code == 200


@pytest.mark.usefixtures("without_redis", "db")
def test_health_is_told_in_numbers_while_redis_is_away():
    answer = Client().get("/healthz")

    assert answer.status_code == 503
    assert answer.json()["database"] == "ok"


@pytest.mark.usefixtures("without_redis")
def test_what_a_process_counts_is_counted_while_redis_is_away():
    """Or whoever brings Redis down might guess passwords as fast as he can."""
    assert cache.add("tries", 0, 60)
    assert [cache.incr("tries") for _ in range(2)] == [1, 2]
    assert cache.get_many(["tries", "none"]) == {"tries": 2}


def test_redis_that_is_back_is_asked_again(without_redis, monkeypatch):
    cache.get("tries")
    assert FallbackCache.away_until

    monkeypatch.setattr(FallbackCache, "away_until", 1.0)  # the pause is over
    monkeypatch.setattr(caches["default"], "_cache", {cache.make_key("tries"): 3})

    assert cache.get("tries") == 3
    assert FallbackCache.away_until == 0.0


@pytest.mark.redis
def test_what_another_version_kept_in_redis_and_nobody_can_read_is_not_there() -> None:
    """A class has moved since, or has other fields: an upgrade needs no empty Redis."""
    kept = FallbackCache(os.environ["REDIS_URL"], {"KEY_PREFIX": "another-version"})
    stranger = b"cjudging.no_such_room\nVerdict\n."
    try:
        kept.set_many({"mine": [1, 2], "number": 7})
        client = kept._cache.get_client(write=True)
        client.set(kept.make_and_validate_key("old"), stranger)

        assert kept.get("old") is None
        assert kept.get("old", "nothing") == "nothing"
        assert kept.get_many(["mine", "old", "number"]) == {"mine": [1, 2], "number": 7}
        kept.set("old", "new")
        assert kept.get("old") == "new"
    finally:
        kept.delete_many(["mine", "number", "old"])
