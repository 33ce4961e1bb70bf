"""How often each line of the rules runs: the same on every machine, as no clock is."""

from __future__ import annotations

import ast
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import FrameType
from typing import Any

from wargame import rules

RULES = Path(rules.__file__ or "").parent


@dataclass
class Counted:
    """What ran: `lines` by file and line, `operations` of the interpreter in the rules alone."""

    lines: Counter[tuple[str, int]] = field(default_factory=Counter)
    operations: int = 0

    def times(self, loop: Loop) -> int:
        """How often the loop's body was begun."""
        return self.lines[str(RULES / loop.file), loop.body]


@dataclass(frozen=True)
class Loop:
    """A `for` or `while` statement of the rules, by the first line of its body; `over` is what a `for` goes over."""

    file: str
    function: str
    line: int
    body: int
    over: str = ""

    @property
    def is_while(self) -> bool:
        return not self.over

    def __str__(self) -> str:
        return f"{self.file}:{self.line} in {self.function}"


def loops() -> Iterator[Loop]:
    """All loops of the rules."""
    for path in sorted(RULES.rglob("*.py")):
        file = path.relative_to(RULES).as_posix()
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(function, ast.FunctionDef):
                continue
            for node in ast.walk(function):
                if isinstance(node, ast.For | ast.While):
                    over = ast.unparse(node.iter) if isinstance(node, ast.For) else ""
                    yield Loop(file, function.name, node.lineno, node.body[0].lineno, over)


def count(work: Callable[[], object], *, operations: bool = False) -> Counted:
    """Does the work and counts; with `operations` those of the interpreter, too, which takes ten times longer."""
    counted = Counted()
    folder = str(RULES)

    def trace(frame: FrameType, event: str, arg: Any) -> Any:
        if event == "call":
            if not frame.f_code.co_filename.startswith(folder):
                return None
            frame.f_trace_opcodes = operations
        elif event == "line":
            counted.lines[frame.f_code.co_filename, frame.f_lineno] += 1
        elif event == "opcode":
            counted.operations += 1
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    return counted
