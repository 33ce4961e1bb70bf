"""T8.5: a stranger recomputes a table with the forty lines of docs/play/verify/shuffles.md and nothing else."""

import json
import re
import subprocess
import sys
from ast import literal_eval
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from judging.tables.proof.verification import proof_of
from judging.tables.services import opening
from tables.core.proof.draws import cut_commitment, cut_value
from tests.services.tables_of_tests import OPENED, WORDS, Game, opened, person, running, sit

pytestmark = pytest.mark.django_db

PAGE = Path(__file__).parents[2] / "docs" / "play" / "verify" / "shuffles.md"
(LINES,) = re.findall(r"```python\n(.+?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def said_of(proof: dict[str, Any], folder: Path) -> list[str]:
    """What the script prints about a file, run apart from everything of ours."""
    script, file = folder / "stranger.py", folder / "proof.json"
    script.write_text(LINES, encoding="utf-8")
    file.write_text(json.dumps(proof), encoding="utf-8")
    ran = subprocess.run([sys.executable, "-I", str(script), str(file)], capture_output=True, text=True, check=True)
    return ran.stdout.splitlines()


@pytest.fixture
def over() -> Game:
    """A table of Kryptik whose first hands were kept and that was conceded then."""
    game = running()
    for name in ("Ana", "Bo"):
        game.post(name, "keep hand")
    game.post("Ana", "concede!")
    return game


def test_a_stranger_says_same_and_knows_the_first_hands(over: Game, tmp_path: Path) -> None:
    ana, bo, last = said_of(proof_of(over.row()), tmp_path)
    assert last == "same"
    assert ana.startswith("A [")
    dealt = literal_eval(bo.removeprefix("B "))
    assert sorted(dealt[:6]) == sorted(thing.key for thing in over.state().zone("B.hand"))


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        (lambda proof: proof.update(seed="00" * 32), "the seed"),
        (lambda proof: proof["entries"][4].update(at=1), "entry 5"),
        (lambda proof: proof["hidden"]["3"]["args"]["main"].update({"Another": 1}), "what entry 3 hid"),
        (lambda proof: proof["list"]["cards"][0].update(name="Another"), "the list"),
        (lambda proof: proof["entries"].pop(), "the head"),
        (lambda proof: proof.update(head="0" * 64), "the head"),
    ],
)
def test_a_stranger_finds_what_was_changed(
    over: Game, tmp_path: Path, change: Callable[[dict[str, Any]], None], differs: str
) -> None:
    proof = deepcopy(proof_of(over.row()))
    change(proof)
    assert differs in said_of(proof, tmp_path)[-1]


def test_a_stranger_holds_sealed_words_against_what_was_committed_to(tmp_path: Path) -> None:
    table = opened(cuts="sealed")
    for name in ("Ana", "Bo"):
        sit(table, name, cut_hash=cut_commitment(cut_value(WORDS[name])))
    for name in ("Ana", "Bo"):
        opening.hand_in_cut(table=table, user=person(name), word=WORDS[name], now=OPENED)
    game = Game(table, OPENED)
    game.post("Bo", "concede!")
    proof = proof_of(game.row())
    assert said_of(proof, tmp_path)[-1] == "same"
    for entry in proof["entries"]:
        if entry["kind"] == "cut" and "word" in entry["args"] and entry["by"] == "B":
            entry["args"]["word"] = "another word of the same length"
    assert "the word of B" in said_of(proof, tmp_path)[-1]
