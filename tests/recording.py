"""Records what every viewer is answered at every address, at every stage of a round and at card tables.

pytest does not collect this file by itself: `make record` runs it (scripts/record.py), before and after a change that
should change nothing. Dice and other draws depend on the test's name alone (tests/conftest.py), so do the answers.
"""

import os
import re
import sqlite3
import zlib
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from pathlib import Path

import pytest
import time_machine
from django.http import HttpResponseBase

from tests.secrecy import plant, plant_setup, test_card_games
from tests.secrecy.routes import every_route
from tests.secrecy.scene import Scene
from tests.secrecy.viewers import viewers_of
from tests.secrecy.walking import answers_to, body_of, every_address
from tests.secrecy.wordless import recompute

FOLDER = "RECORD_TO"
HEADERS = ("Content-Type", "Content-Disposition", "Location", "Cache-Control", "Allow", "Vary", "Link")
DRAWN = re.compile(
    r'(?<=name="token" value=")[^"]*|\b[A-Za-z0-9]{64}\b|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b'
    r'|\b[0-9a-f]{12,63}\b|(?<=/static/)[^"\s]+|\d+(?:\.\d+)? ms\b|(?<=csrftoken=)\w+'
    r'|(?<=data-key=")[^"]+|(?<=/deadlines/)[^/\s]+|(?<=-dev\+)[0-9a-f]+'
)
"""What differs from one answer to the next: tokens, keys, hashes, salts, static files, commits, times."""

IN_EVERY_SCENE = ("anonymous", "author", "battle")
"""Viewers whose answers are recorded in each scene; in the open turn all viewers' are."""

PER_PROCESS = ("/metrics", "/healthz", "/judge/health/", "/judge/jsi18n/")
"""Addresses that tell of the process or the machine, not of the site."""


@pytest.fixture
def clock(db: None) -> Iterator[time_machine.Traveller]:
    with time_machine.travel(plant_setup.MONDAY, tick=False) as clock:
        yield clock


@pytest.mark.parametrize("half", [0, 1])
def test_an_open_turn(half: int, clock: time_machine.Traveller) -> None:
    scene = plant.at_phase("open", clock)
    record(scene, f"open-{half}", viewers=viewers_of(scene)[half::2])


@pytest.mark.parametrize("phase", [phase for phase in plant.PHASES if phase != "open"])
def test_a_running_round(phase: str, clock: time_machine.Traveller) -> None:
    record(plant.at_phase(phase, clock), phase)


@pytest.mark.parametrize("phase", ["planned", "raised"])
def test_a_round_in_its_set_up(phase: str, clock: time_machine.Traveller) -> None:
    record(getattr(plant_setup, phase)(clock), phase)


def test_a_finished_round_in_german(clock: time_machine.Traveller) -> None:
    scene = plant.at_phase("over", clock)
    scene.language = "de"
    record(scene, "over-german", viewers=("author",))


def test_card_tables(clock: time_machine.Traveller) -> None:
    record(test_card_games.planted(), "tables")


def record(scene: Scene, name: str, viewers: Iterable[str] = ()) -> None:
    """Writes `name.sqlite3`: a row an answer, and each different text once."""
    walked = test_card_games.WALKED if name == "tables" else ""
    places = list(every_address(scene, [route for route in every_route() if route.pattern.startswith(walked)]))
    if name != "tables":
        recompute(scene)
    with recording(Path(os.environ[FOLDER]) / f"{name}.sqlite3") as database:
        for viewer in viewers or [viewer for viewer in viewers_of(scene) if viewer in IN_EVERY_SCENE]:
            wanted = iter(places)
            for address, response in answers_to(viewer, scene, places):
                _, is_fragment = next(wanted)
                if not address.startswith(PER_PROCESS):
                    text = told_by(response)
                    key = sha256(text.encode()).hexdigest()
                    shown = f"{address} (fragment)" if is_fragment else address
                    database.execute("INSERT OR IGNORE INTO texts VALUES (?, ?)", [key, zlib.compress(text.encode())])
                    database.execute("INSERT INTO answers VALUES (?, ?, ?)", [viewer, shown, key])


@contextmanager
def recording(path: Path) -> Iterator[sqlite3.Connection]:
    path.unlink(missing_ok=True)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("CREATE TABLE texts (key TEXT PRIMARY KEY, text BLOB)")
        database.execute("CREATE TABLE answers (viewer TEXT, address TEXT, key TEXT)")
        yield database


def told_by(response: HttpResponseBase) -> str:
    """Status, the headers that a browser acts on, and the body, without what is drawn for each answer."""
    headers = [f"{name}: {response[name]}" for name in HEADERS if name in response]
    body = body_of(response) if response.get("Content-Type", "text").startswith(("text", "application/")) else ""
    return DRAWN.sub("…", "\n".join([str(response.status_code), *headers, "", body]))
