"""The cache of a service with Redis: while that is down, each process uses its own memory."""

from __future__ import annotations

import functools
import logging
import pickle
import time
from collections.abc import Callable, Iterable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache, RedisCacheClient, RedisSerializer
from django.utils.crypto import constant_time_compare, salted_hmac
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

PATIENCE = {"socket_connect_timeout": 1, "socket_timeout": 2, "retry": Retry(NoBackoff(), 0)}
"""Seconds; a page waits no longer, and not twice."""

LEFT_ALONE = 5.0
"""Seconds for which an unresponsive Redis isn't asked again, so that not every page waits for it."""

SIGNATURE_BYTES = 32

log = logging.getLogger(__name__)


def _else_alone(name: str) -> Callable[..., Any]:
    """The method `name` of the cache: Redis's, or that of the process's own memory while Redis is down."""
    redis_method, alone = getattr(RedisCache, name), getattr(LocMemCache, name)

    @functools.wraps(redis_method)
    def method(cache: FallbackCache, *args: Any, **kwargs: Any) -> Any:
        kind = type(cache)
        if time.monotonic() >= kind.away_until:
            if kind.away_until:  # one asks whether it is back, and the others do not wait with him
                kind.away_until = time.monotonic() + LEFT_ALONE
            try:
                result = redis_method(cache, *args, **kwargs)
            except RedisError as error:
                kind.away_until = time.monotonic() + LEFT_ALONE
                log.error("Redis is unreachable. Each process uses its own cache: %s", error)
            else:
                kind.away_until = 0.0
                return result
        return alone(cache.own, *args, **kwargs)

    return method


class _Unreadable(Exception):
    """The value has no valid signature, or names a class from another version of the service."""


class _Serializer(RedisSerializer):
    """Signs each pickle with the secret key, and reads none without: anybody who can write into Redis could
    otherwise run code in the site. Integers stay plain, as Redis counts with them."""

    def dumps(self, obj: Any) -> Any:
        data = super().dumps(obj)
        return data if isinstance(data, int) else _signature(data) + data

    def loads(self, data: Any) -> Any:
        try:
            return int(data)
        except ValueError:
            signature, pickled = data[:SIGNATURE_BYTES], data[SIGNATURE_BYTES:]
        if not constant_time_compare(signature, _signature(pickled)):
            raise _Unreadable
        try:
            return pickle.loads(pickled)
        except Exception as error:  # whatever a class that moved, or has other fields, makes of it
            raise _Unreadable from error


def _signature(data: bytes) -> bytes:
    return salted_hmac("wargame.web.fallback_cache", data, algorithm="sha256").digest()


class _Client(RedisCacheClient):
    """Creates its two clients once, to read and to write: each request takes a connection from their pool anyway.
    Values of an earlier version that this one can't read count as missing, so that an upgrade needs no empty Redis."""

    def __init__(self, servers: Any, **options: Any) -> None:
        super().__init__(servers, serializer=_Serializer, **options)
        self._made: dict[bool, Any] = {}

    def get(self, key: Any, default: Any = None) -> Any:
        try:
            return super().get(key, default)
        except _Unreadable:
            return default

    def get_many(self, keys: Iterable[Any]) -> dict[Any, Any]:
        keys, nothing = list(keys), object()
        try:
            return super().get_many(keys)
        except _Unreadable:
            return {key: value for key in keys if (value := self.get(key, nothing)) is not nothing}

    def get_client(self, key: Any = None, *, write: bool = False) -> Any:
        if write not in self._made:
            self._made[write] = super().get_client(key, write=write)
        return self._made[write]


class FallbackCache(RedisCache):
    """Redis, with this process's own memory as the fallback: pages stay up, and limits (of log-ins, of requests)
    apply to each process separately."""

    away_until = 0.0
    """By `time.monotonic`; 0 while Redis responds. It is the process's, since each thread has its own cache."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, {**params, "OPTIONS": PATIENCE})
        self._class = _Client
        self.own = LocMemCache("while Redis is away", params)

    get, get_many, has_key = _else_alone("get"), _else_alone("get_many"), _else_alone("has_key")
    add, incr, touch = _else_alone("add"), _else_alone("incr"), _else_alone("touch")
    set, set_many = _else_alone("set"), _else_alone("set_many")
    delete, delete_many, clear = _else_alone("delete"), _else_alone("delete_many"), _else_alone("clear")
