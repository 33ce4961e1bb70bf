"""The parts of the suite: every test runs somewhere, and what needs a server runs where there is one."""

from pathlib import Path

import pytest

from tests.parts import ON_BOTH, ON_SERVERS, ORDER, PARTS, PROJECT, is_left_out

FILES = sorted((PROJECT / "tests").rglob("test_*.py"))
NAME = Path(__file__).name


def parts_of(path: Path) -> list[str]:
    return [part for part in PARTS if not is_left_out(path, part)]


def test_every_file_is_in_one_part_at_least_and_services_are_on_the_servers() -> None:
    parts = {path.relative_to(PROJECT).as_posix(): parts_of(path) for path in FILES}
    assert [name for name, found in parts.items() if len(found) < 2] == []
    assert parts["tests/services/test_control.py"] == ["all", "servers"]
    assert parts["tests/rules/test_reach.py"] == ["all", "embedded"]
    assert parts["tests/services/test_exactly_once.py"] == ["all", "embedded", "servers"]


@pytest.mark.parametrize("mark", ["postgres", "redis"])
def test_what_needs_a_server_is_in_the_part_that_has_one(mark: str) -> None:
    marked = [path for path in FILES if f"pytest.mark.{mark}" in path.read_text(encoding="utf-8") and path.name != NAME]
    assert marked
    assert [path for path in marked if "servers" not in parts_of(path)] == []


def test_what_the_parts_name_is_there() -> None:
    named = (*ON_SERVERS, *ON_BOTH, *ORDER)
    assert [name for name in named if not (PROJECT / name.partition("::")[0]).exists()] == []
