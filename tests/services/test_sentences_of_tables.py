"""T6: every event that the games emit is told in a sentence, or left out on purpose; no sentence tells of nothing."""

import ast
from collections.abc import Iterator
from pathlib import Path

from judging.tables.sentences import OWN_SENTENCES, SENTENCES, UNSAID

TOLD = {*SENTENCES, *(kind for own in OWN_SENTENCES.values() for kind in own)} - {"coin lost"}  # "coin", as it was lost


def nodes() -> Iterator[ast.AST]:
    for path in Path("tables").rglob("*.py"):
        yield from ast.walk(ast.parse(path.read_text()))


def literals(node: ast.AST) -> set[str]:
    """The texts that an expression can be, as far as they stand in it."""
    if isinstance(node, ast.IfExp):
        return literals(node.body) | literals(node.orelse)
    return {node.value} if isinstance(node, ast.Constant) and isinstance(node.value, str) else set()


def test_every_event_has_a_sentence_or_is_left_unsaid() -> None:
    emitted: set[str] = set()
    for node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id.endswith("Event"):
            emitted |= literals(node.args[0]) if node.args else set()
    assert len(emitted) > 100
    assert emitted - TOLD - UNSAID == set()


def test_every_sentence_tells_of_something() -> None:
    written = {text for node in nodes() for text in literals(node)}
    assert (TOLD | UNSAID) - written == set()
    assert UNSAID.isdisjoint(TOLD)
