"""The API from outside, over HTTP: what docs/develop/api.md says with curl, and the client made from the schema."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from datetime import timedelta
from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.utils import timezone
from pytest_django.live_server_helper import LiveServer

from judging.accounts.tokens.services import make_token
from judging.battles.models import Battle, Result
from judging.turns.done.models import DoneMark
from tests.services.conftest import FOUR
from tests.services.world_of_tests import HOUR, World, begin, make_round

DOCS = Path(settings.BASE_DIR, "docs", "develop", "api.md")
IN_THE_TEST = {
    "first-war": "trial",
    "Sai%20Rei": "Ana",
    "Sai Rei": "Ana",
    "5E > 7E; engage Gix": "3D > 3F; engage Gaz",
    "turns/4": "turns/1",
    "turns/5": "turns/2",
}
"""What stands in the test's round for what the document names."""

ONE = 'curl() { command curl --silent --show-error --fail-with-body "$@" && echo; }\nset -e\n'


@pytest.fixture
def world(transactional_db: None) -> Iterator[tuple[World, time_machine.Traveller]]:
    made = begin(make_round(FOUR))
    with time_machine.travel(made.turn.opened_at + HOUR, tick=False) as clock:
        yield made, clock


def token_of(world: World, who: str, *scopes: str) -> str:
    people = {**world.players, **world.judges}
    return make_token(user=people[who].user, name="bot", scopes=scopes, days=None, now=timezone.now())[1]


def section(title: str) -> str:
    """The lines of code in a part of the document."""
    found = re.search(rf"^## {title}[^\n]*\n(.*?)(?=^## |\Z)", DOCS.read_text(encoding="utf-8"), re.S | re.M)
    assert found, title
    return "\n".join(line[4:] for line in found[1].splitlines() if line.startswith("    "))


def run(title: str, values: Mapping[str, str], more: Mapping[str, str]) -> str:
    """What the commands of a part of the document say; every one of them is done."""
    told = section(title)
    for name, value in {**IN_THE_TEST, **more}.items():
        told = told.replace(name, value)
    script = "".join(f"{name}='{value}'\n" for name, value in values.items()) + ONE + told
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, f"{title}: {done.stdout[-500:]} {done.stderr[-500:]}"
    return done.stdout


def test_the_document_plays_a_whole_turn(world: tuple[World, time_machine.Traveller], live_server: LiveServer) -> None:
    war, clock = world
    site = f"{live_server.url}/api/v1"
    values = {
        "SITE": site,
        "ROUND": f"{site}/rounds/trial",
        "TOKEN": f"Authorization: Bearer {token_of(war, 'Ana', 'read', 'post')}",
        "JUDGE": f"Authorization: Bearer {token_of(war, 'battle', 'read', 'judge')}",
    }
    assert "3D > 3F" in run("Orders", values, {})
    assert "whsec_" in run("Webhooks", values, {})
    war.settle()
    battle = Battle.objects.get(turn=war.turn)
    fights = {"battles/12": f"battles/{battle.pk}"}
    clock.move_to(battle.announced_at + HOUR)
    war.strat(battle, "Gaz", "Gaz", "Go round them.", now=battle.announced_at + HOUR)
    assert "Hold the walls." in run("The strat", values, fights)
    clock.move_to(battle.deadline + HOUR)
    run("A judge's part", values, fights)
    assert Result.objects.get(battle=battle).narrative == "It was a *long* day."
    clock.move_to(war.turn.lock_at + timedelta(minutes=2))
    war.settle()
    assert "<em>long</em>" in run("The results", values, fights)


def test_a_bot_plays_a_turn_and_a_judges_script_scores_it(
    world: tuple[World, time_machine.Traveller], live_server: LiveServer
) -> None:
    """By tokens, as the documents have them."""
    war, clock = world

    def run_as(who: str, script: str, *scopes: str) -> str:
        given = {**os.environ, "WARGAME_TOKEN": token_of(war, who, *scopes)}
        asked = [sys.executable, str(DOCS.parent / "api" / script), live_server.url, "trial"]
        done = subprocess.run(asked, env=given, capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == 0, done.stderr[-500:]
        return done.stdout

    assert "ordered Ana: 3D > 3F; engage Gaz" in run_as("Ana", "bot.py", "read", "post")
    assert "ordered" not in run_as("Ana", "bot.py", "read", "post"), "what is ordered counts already"
    assert DoneMark.objects.filter(turn=war.turn).exists()
    war.settle()
    battle = Battle.objects.get(turn=war.turn)
    clock.move_to(battle.announced_at + HOUR)
    for who in ("Ana", "Gaz"):
        assert f"sent the strat of {who}" in run_as(who, "bot.py", "read", "post")
    assert run_as("battle", "judge.py", "read", "judge").count("Ana against Gaz") == 3
    assert run_as("battle", "judge.py", "read", "judge") == ""
    result = Result.objects.get(battle=battle)
    assert " won: " in result.narrative
    clock.move_to(war.turn.lock_at + timedelta(minutes=2))
    war.settle()
    assert war.turn.number == 3
