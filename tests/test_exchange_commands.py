"""`manage.py export_round`, `import_round` and `link_seat`."""

import gzip
import json
from io import StringIO
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

from tests.services.world_of_tests import World, begin, make_round
from wargame.models import Player, Round
from wargame.models.choices import RoundState

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    return begin(make_round({"Ana": ("coalition", "3D", "captain"), "Gaz": ("phyrexia", "20F", "evincar")}))


def run(*words: object, **more: object) -> tuple[str, str]:
    """What a command says, and what it warns of."""
    out, err = StringIO(), StringIO()
    call_command(*map(str, words), stdout=out, stderr=err, **more)
    return out.getvalue(), err.getvalue()


def test_a_round_goes_into_a_file_and_comes_out_of_it(world: World, tmp_path: Path) -> None:
    file = tmp_path / "trial.json"
    told, warned = run("export_round", "trial", file)
    assert f"bytes in {file}" in told
    assert "This round is not finished, and the file has all its secrets" in warned
    assert not list(tmp_path.glob("*.part"))

    told, _ = run("import_round", file, "--slug", "second")
    assert "Trial was imported as “second”, all of it: 1 turn, 2 armies" in told
    assert "It is an archive and can't be continued." in told
    assert "Accounts created: 5. No one can log in to them yet." in told
    verified = run("verify", "second")[0]
    assert verified.startswith("Trial: 0 turns recomputed, 0 differ\npresent  same\n")
    assert verified.endswith(" rows compared with them, 0 wrong\n")


def test_a_file_that_is_there_is_not_written_over_by_mistake(world: World, tmp_path: Path) -> None:
    file = tmp_path / "trial.json"
    file.write_text("mine")
    with pytest.raises(CommandError, match="--force writes over it"):
        run("export_round", "trial", file)
    assert file.read_text() == "mine"

    run("export_round", "trial", file, "--force")
    assert json.loads(file.read_text())["format"] == "coalition-wargame-round"


def test_a_name_that_ends_with_gz_is_gzipped_and_the_same_each_time(world: World, tmp_path: Path) -> None:
    run("export_round", "trial", tmp_path / "one.gz")
    run("export_round", "trial", tmp_path / "two.gz")

    assert (tmp_path / "one.gz").read_bytes() == (tmp_path / "two.gz").read_bytes()
    assert json.loads(gzip.decompress((tmp_path / "one.gz").read_bytes()))["version"] == 1
    assert "was imported as “zipped”" in run("import_round", tmp_path / "one.gz", "--slug", "zipped")[0]


def test_a_public_file_warns_of_nothing_and_has_no_seed(world: World, tmp_path: Path) -> None:
    _, warned = run("export_round", "trial", tmp_path / "trial.json", "--public")

    assert warned == ""
    assert world.turn.seed not in (tmp_path / "trial.json").read_text()
    told, _ = run("import_round", tmp_path / "trial.json", "--slug", "seen")
    assert "its public part" in told


def test_of_a_round_in_its_set_up_nothing_is_public(tmp_path: Path) -> None:
    make_round({}, slug="planned")

    with pytest.raises(CommandError, match="is still being set up"):
        run("export_round", "planned", tmp_path / "x.json", "--public")


def test_with_play_the_round_goes_on_here(world: World, tmp_path: Path) -> None:
    run("export_round", "trial", tmp_path / "trial.json")
    told, _ = run("import_round", tmp_path / "trial.json", "--slug", "moved", "--play", "--link")

    assert "archive" not in told
    assert "Seats given to existing users: 5" in told
    assert Round.objects.get(slug="moved").state == RoundState.RUNNING


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("export_round", "nowhere"), "There is no round “nowhere”"),
        (("export_round", "trial", "/nowhere/at/all.json"), "/nowhere/at/all.json can't be written"),
        (("import_round", "/nowhere.json"), "/nowhere.json can't be read"),
        (("link_seat", "nowhere", "Ana", "me"), "There is no round “nowhere”"),
        (("link_seat", "trial", "Ana", "nobody"), "There is no user “nobody”"),
    ],
)
def test_what_is_not_there_is_told(world: World, words: tuple[str, ...], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        run(*words)


def test_a_bad_file_is_told_with_its_place(world: World, tmp_path: Path) -> None:
    file = tmp_path / "trial.json"
    run("export_round", "trial", file)
    file.write_bytes(file.read_bytes()[:5000])

    with pytest.raises(CommandError, match=r"Line \d+: the file ends in the middle; it was cut off\."):
        run("import_round", file, "--slug", "second")
    assert Round.objects.count() == 1


def test_a_seat_is_linked(world: World, tmp_path: Path) -> None:
    run("export_round", "trial", tmp_path / "trial.json")
    run("import_round", tmp_path / "trial.json", "--slug", "second")
    me = User.objects.create_user("me", password="x")

    assert run("link_seat", "second", "Ana", "me")[0] == "me is Ana in Trial now.\n"
    assert Player.objects.get(round__slug="second", name="Ana").user == me
