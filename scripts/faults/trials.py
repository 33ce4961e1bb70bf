"""The trials: what they do to the service, and what must be true afterwards. Each returns figures and faults."""

import asyncio
import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from http.client import HTTPConnection, HTTPException
from random import Random

from django.core.cache import cache
from django.db import DatabaseError, connection
from django.utils import timezone

from judging.accounts.tokens.services import make_token
from judging.common import locking
from judging.common.errors import Refused
from judging.common.locking import Busy
from judging.polling.views import live_version
from judging.tasks import advance_turn
from judging.turns import stages
from judging.turns.models import PostVersion
from judging.turns.posts.services import submit_post
from scripts.faults.rounds import FOR_EVER, are_late, copies, faults, judge_battles, lock_all_at, open_turn, settled
from scripts.faults.service import WORKERS, Service
from wargame.celery_app import app
from wargame.models import Player, Round, Turn
from wargame.models.choices import TurnState

POLL_SECONDS = 5.0
CONNECTIONS = 16
"""Number of connections that the proxy keeps open to the site."""

ROUNDS_OF_POLLS = 6
WARMING = 1
"""How many of those are not timed: processes of the site that have just started load the pages first."""


@dataclass
class Polled:
    """Seconds from the moment a map would ask until the answer, and the number of answers by status."""

    seconds: list[float] = field(default_factory=list)
    statuses: dict[int, int] = field(default_factory=dict)

    def at(self, part: float) -> float:
        """The time within which this share of all requests was answered, in milliseconds."""
        ordered = sorted(self.seconds)
        return round(1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1)


def poll(port: int, address: str, number: int, random: Random) -> Polled:
    """Let this number of maps ask for the address in `ROUNDS_OF_POLLS` rounds."""
    return asyncio.run(_poll(port, address, number, random))


async def _poll(port: int, address: str, number: int, random: Random) -> Polled:
    moments = sorted(random.uniform(0, POLL_SECONDS) for _ in range(number))
    queue: asyncio.Queue[tuple[float, bool] | None] = asyncio.Queue()
    polled = Polled()
    callers = [asyncio.create_task(_ask(port, address, queue, polled)) for _ in range(CONNECTIONS)]
    begin = time.monotonic() + 0.5
    for turn in range(ROUNDS_OF_POLLS):
        for moment in moments:
            due = begin + turn * POLL_SECONDS + moment
            if (pause := due - time.monotonic()) > 0:
                await asyncio.sleep(pause)
            queue.put_nowait((due, turn >= WARMING))
    for _ in callers:
        queue.put_nowait(None)
    await asyncio.gather(*callers)
    return polled


async def _ask(port: int, address: str, queue: asyncio.Queue[tuple[float, bool] | None], polled: Polled) -> None:
    """Ask over one connection, reopened when the site closes it."""
    request = f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1\r\nHX-Request: true\r\n\r\n".encode()
    reader = writer = None
    while (item := await queue.get()) is not None:
        due, is_timed = item
        while True:
            if writer is None or writer.is_closing():
                reader, writer = await asyncio.open_connection("127.0.0.1", port)
            assert reader is not None
            try:
                writer.write(request)
                head = await reader.readuntil(b"\r\n\r\n")
                length = _length(head)
                if length:
                    await reader.readexactly(length)
                break
            except (asyncio.IncompleteReadError, ConnectionError):
                writer.close()
        if is_timed:
            polled.seconds.append(time.monotonic() - due)
        status = int(head[9:12])
        polled.statuses[status] = polled.statuses.get(status, 0) + 1
        if b"connection: close" in head.lower():
            writer.close()
    if writer is not None:
        writer.close()


def _length(head: bytes) -> int:
    for line in head.lower().split(b"\r\n"):
        if line.startswith(b"content-length:"):
            return int(line.partition(b":")[2])
    return 0


SHORT = timedelta(seconds=6)
"""A turn of a round under trial, from unlock to lock."""

PATIENCE = 180.0
NO_NEWS = 204
CALLERS = 16
POSTS_A_SECOND = 20
"""The most posts per second that the service is offered while it is killed; posts after the lock are refused."""


@dataclass
class Found:
    """The result of a trial in a few words and figures, and its faults."""

    figures: dict[str, object] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)


def locks(service: Service, number: int, random: Random) -> Found:
    """Kill workers, site and beat, cut connections, lose and duplicate messages at random moments around this number
    of locks in several rounds."""
    rounds = copies("locks", max(1, min(6, number // 3)))
    first = {round_.pk: open_turn(round_).number for round_ in rounds}
    _set_length(rounds, SHORT)
    lock_all_at(rounds, timezone.now() + timedelta(seconds=4, microseconds=1))
    acts, disturbances = _acts(service, rounds, random), Counter[str]()
    end = time.monotonic() + PATIENCE + 10.0 * number
    with _judging(rounds):
        while len(settled(rounds, first)) < number and time.monotonic() < end:
            time.sleep(random.uniform(0.2, 2.0))
            name = random.choice(list(acts))
            disturbances[name] += 1
            _tried(acts[name])
        _set_length(rounds, FOR_EVER)
        lock_all_at([each for each in rounds if not _is_locked(each)], timezone.now() + FOR_EVER)
        _until(lambda: not are_late(timezone.now()))
    turns = settled(rounds, first)
    outcome = Found({"locks": len(turns), "disturbances": dict(disturbances), **_delays(turns)})
    outcome.wrong = list(faults(rounds, first))
    if len(turns) < number:
        outcome.wrong.append(f"only {len(turns)} of {number} turns are settled")
    return outcome


def storm(service: Service, number: int, random: Random) -> Found:
    """Send this number of posts in the last seconds before a lock, while processes are killed: what was accepted is
    there, and nothing came in after the lock."""
    (round_,) = copies("storm", 1)
    turn, first = open_turn(round_), {round_.pk: open_turn(round_).number}
    players = list(Player.objects.filter(round=round_, left_at__isnull=True).select_related("user"))
    tokens = [_token(player, timezone.now()) for player in players]
    service.wait()
    seconds = max(15.0, number / POSTS_A_SECOND)
    lock_all_at([round_], timezone.now() + timedelta(seconds=seconds + 1, microseconds=1))
    end = open_turn(round_).lock_at
    address = f"/api/v1/rounds/{round_.slug}/turns/{turn.number}/posts/"
    stop, start = threading.Event(), time.monotonic()
    killer = threading.Thread(target=_kill_until, args=(stop, service, random))
    killer.start()
    with ThreadPoolExecutor(CALLERS) as callers:
        posts = (partial(_post, service.port, address, tokens[n % len(tokens)], n, end) for n in range(number))
        answers = list(callers.map(lambda post: post(), posts))
    took = time.monotonic() - start
    stop.set()
    killer.join()
    # Whoever is quicker than was thought waits for the lock, which is part of the trial.
    time.sleep(max(0.0, (end - timezone.now()).total_seconds()))
    with _judging([round_]):
        _until(lambda: not are_late(timezone.now()) and _is_settled(turn))
    outcome = Found(
        {"posts": number, "seconds": round(took, 1), "answers": dict(Counter(each.status for each in answers))}
    )
    stored = dict(PostVersion.objects.filter(post__turn=turn, number=1).values_list("post_id", "text"))
    missing = [each for each in answers if each.status == 201 and stored.get(each.post) != each.text]
    outcome.figures["accepted"] = sum(each.status == 201 for each in answers)
    outcome.wrong = [f"accepted and not there: {each.text}" for each in missing]
    turn.refresh_from_db(fields=["locked_at"])
    if late := PostVersion.objects.filter(post__turn=turn, at__gt=turn.locked_at).count():
        outcome.wrong.append(f"{late} posts came in after the lock")
    outcome.wrong += faults([round_], first)
    return outcome


def due(service: Service, number: int, random: Random) -> Found:
    """Make this number of rounds due at one moment."""
    rounds = copies("due", number)
    first = {round_.pk: open_turn(round_).number for round_ in rounds}
    _set_length(rounds, FOR_EVER)
    lock_all_at(rounds, timezone.now() + timedelta(seconds=8, microseconds=1))
    # Who asks often takes from the service the processors that it is measured on.
    over = Turn.objects.filter(round__in=rounds, state=TurnState.SETTLED)
    until_then = over.count() + number
    _until(lambda: over.count() == until_then, pause=1.0)
    turns = settled(rounds, first)
    outcome = Found({"rounds": number, **_delays(turns)}, list(faults(rounds, first)))
    if len(turns) < number:
        outcome.wrong.append(f"only {len(turns)} of {number} rounds are settled")
    return outcome


def clock(service: Service, number: int, random: Random) -> Found:
    """Put the clock back two hours right after this number of locks, and go on from there. The stages get the time
    here; the service's own sweep meets none of these turns, because they are a year ahead."""
    rounds = copies("clock", number)
    first = {round_.pk: open_turn(round_).number for round_ in rounds}
    _set_length(rounds, timedelta(hours=3))
    outcome = Found({"locks": number})
    for round_ in rounds:
        turn, lock = open_turn(round_), timezone.now() + timedelta(days=365)
        lock_all_at([round_], lock)
        after = lock + timedelta(minutes=1)
        if (reached := stages.advance(turn.pk, after)) != "settled":
            outcome.wrong.append(f"{turn}: {reached}")
        before = lock - timedelta(hours=2)
        following = open_turn(round_)
        due_then = {pk for pk, _ in stages.due_turns(before)}
        for each in (turn, following):
            stages.advance(each.pk, before)
            if each.pk in due_then:
                outcome.wrong.append(f"{each} is due two hours too early")
        if open_turn(round_).pk != following.pk:
            outcome.wrong.append(f"{following} was locked by a clock that goes back")
        player = Player.objects.filter(round=round_, left_at__isnull=True)[0]
        try:
            submit_post(turn=turn, player=player, text="Too late.", sealed=False, token="late", now=before)
            outcome.wrong.append(f"{turn} takes posts again")
        except Refused:
            continue
    outcome.wrong += faults(rounds, first)
    return outcome


def maps(service: Service, number: int, random: Random) -> Found:
    """Open this number of maps that ask for news: every one is answered, and how soon."""
    (round_,) = copies("maps", 1)
    service.wait()
    version = live_version(open_turn(round_), timezone.now())
    polled = poll(service.port, f"/rounds/{round_.slug}/live/?v={version}", number, random)
    expected = number * ROUNDS_OF_POLLS
    figures = {"maps": number, "p50 ms": polled.at(0.5), "p99 ms": polled.at(0.99), "answers": polled.statuses}
    outcome = Found(figures)
    if polled.statuses.get(NO_NEWS) != expected:
        outcome.wrong.append(f"not all {expected} were told that there is no news")
    return outcome


def _acts(service: Service, rounds: list[Round], random: Random) -> dict[str, Callable[[], object]]:
    return {
        "a worker killed": lambda: service.kill(random.choice(WORKERS), pause=random.uniform(0, 1)),
        "both workers killed": lambda: service.kill(*WORKERS),
        "a process of the site killed": lambda: service.kill_of_site(random),
        "the site killed": lambda: service.kill("site"),
        "beat killed": lambda: service.kill("beat", pause=random.uniform(0, 5)),
        "connections cut": _cut_connections,
        "messages lost": _lose_messages,
        "messages doubled": lambda: [advance_turn.delay(open_turn(each).pk) for each in rounds for _ in range(5)],
    }


def _cut_connections() -> None:
    """Those of everybody but this process; only PostgreSQL has them."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )


def _lose_messages() -> None:
    """All waiting messages, and the cache with them."""
    app.control.purge()
    cache.clear()


def _tried(act: Callable[[], object]) -> None:
    try:
        act()
    except (DatabaseError, Busy, Turn.DoesNotExist):
        connection.close()  # cut together with those of the others


@dataclass(frozen=True)
class _Answer:
    status: int | str
    text: str
    post: int = 0


def _post(port: int, address: str, token: str, number: int, end: datetime) -> _Answer:
    """A post that is sent again, under the same form token, until there is an answer: as a person would."""
    text = f"Nothing but talk, number {number}."
    body = json.dumps({"text": text, "token": f"storm-{number}"})
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    while True:
        try:
            caller = HTTPConnection("127.0.0.1", port, timeout=30)
            caller.request("POST", address, body, headers)
            answer = caller.getresponse()
            content = answer.read()
            return _Answer(answer.status, text, json.loads(content)["id"] if answer.status == 201 else 0)
        except (OSError, HTTPException):
            if timezone.now() > end:
                return _Answer("no answer", text)
            time.sleep(0.1)


def _token(player: Player, now: datetime) -> str:
    _, text = make_token(user=player.user, name="storm", scopes=["read", "post"], days=None, now=now)
    return text


def _kill_until(stop: threading.Event, service: Service, random: Random) -> None:
    """Kill processes, but leave the site's time to start: it takes some seconds on a busy machine."""
    while not stop.wait(random.uniform(5.0, 10.0)):
        if random.random() < 0.5:
            service.kill_of_site(random)
        else:
            service.kill(random.choice(WORKERS))


@contextmanager
def _judging(rounds: list[Round]) -> Iterator[None]:
    """A judge who judges whatever waits, again and again."""
    stop = threading.Event()

    def judge() -> None:
        while not stop.wait(0.3):
            for each in rounds:
                _tried(lambda: judge_battles(open_turn(each), timezone.now()))  # noqa: B023 - called at once
        connection.close()

    thread = threading.Thread(target=judge)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()


@locking.writes
def _set_length(rounds: list[Round], length: timedelta) -> None:
    short = {"turn_length": length, "deadline_before_lock": min(length / 3, timedelta(hours=1))}
    Round.objects.filter(pk__in=[each.pk for each in rounds]).update(**short, publish_after=timedelta(0))


def _is_locked(round_: Round) -> bool:
    return open_turn(round_).state != TurnState.OPEN


def _is_settled(turn: Turn) -> bool:
    return Turn.objects.filter(pk=turn.pk, state=TurnState.SETTLED).exists()


def _until(condition: Callable[[], bool], pause: float = 0.2) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if condition():
                return
        except DatabaseError:
            connection.close()
        time.sleep(pause)


def _delays(turns: list[Turn]) -> dict[str, object]:
    """Seconds from the clock to lock and settlement: minimum, median and maximum."""
    delays: dict[str, object] = {}
    for name, at in (("locked after", "locked_at"), ("settled after", "settled_at")):
        after = sorted((getattr(turn, at) - turn.lock_at).total_seconds() for turn in turns)
        delays[name] = [round(after[place], 1) for place in (0, len(after) // 2, -1)] if after else []
    return delays
