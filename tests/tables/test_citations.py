"""T4.2: what the code of tables follows is found by one search: by a number of the game's book, a ruling of ours, or
the number of a section of docs/play/cards/README.md."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WORD = r"(?:[A-Z]?\d[\w.]*|[A-Z]|Appendix B|None)"
CITED = re.compile(rf"({WORD}(?:(?:, | to ){WORD})*):\s")
BARE = re.compile(r"(?<![\w.])(?:[5-9]|1[0-3])(?![\w.])")
"""What would be a section of docs/play/cards/README.md, without its letter."""
SECTION = re.compile(r"(?<!\w)T\d+(?:\.\d+)?")

OF_A_GAME = (
    *("tables/games/", "judging/tables/board/battlefield.py"),
    *("judging/tables/board/kryptik.py", "judging/tables/board/seize.py"),
)
"""Where a bare number is a chapter of the game's own book."""

FILES = sorted(path for folder in ("tables", "judging/tables") for path in (ROOT / folder).rglob("*.py"))


def headings() -> set[str]:
    text = (ROOT / "docs" / "play" / "cards" / "README.md").read_text(encoding="utf-8")
    return set(re.findall(r"^#+ (T\d+(?:\.\d+)?)\. ", text, re.MULTILINE))


def heads(path: Path) -> Iterator[tuple[int, str]]:
    """(line, citations) of every text that says what a module, class, function or name is for."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        text = node.value.value if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) else None
        if isinstance(text, str) and (found := CITED.match(text)) is not None:
            yield node.lineno, found[1]


@pytest.mark.parametrize("folder", ["tables", "judging/tables"])
def test_what_follows_a_section_of_the_tables_page_cites_it_with_its_letter(folder: str) -> None:
    files = [path for path in FILES if path.is_relative_to(ROOT / folder)]
    bare = [
        f"{path.relative_to(ROOT)}:{line}: {cited}"
        for path in files
        if not path.relative_to(ROOT).as_posix().startswith(OF_A_GAME)
        for line, cited in heads(path)
        if BARE.search(cited)
    ]
    assert len(files) > 20
    assert bare == []


def test_every_section_that_the_code_cites_is_on_the_tables_page() -> None:
    there = headings()
    assert {"T4.2", "T10.3", "T12.10", "T14"} <= there
    cited = {(one, path.name) for path in FILES for _, head in heads(path) for one in SECTION.findall(head)}
    assert {found for found in cited if found[0] not in there} == set()
    assert {one for one, _ in cited} >= {"T5.2", "T6", "T8.4", "T9.1", "T10.6", "T11.6", "T12.4"}


@pytest.mark.parametrize(
    ("text", "bare"), [("10: a", True), ("6, K40: a", True), ("10.1: a", False), ("T10: a", False), ("A12: a", False)]
)
def test_a_bare_number_is_told_from_those_of_a_book(text: str, bare: bool) -> None:
    found = CITED.match(text)
    assert found is not None
    assert bool(BARE.search(found[1])) is bare
