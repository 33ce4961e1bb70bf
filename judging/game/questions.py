"""What a room asks of one above it, which it does not know: a question here below, its answer from there.

`judging/answers.py` says which answer belongs to which question; the app gives them when it is ready.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class Question(Generic[P, R]):
    """Is called like the function that it decorates, whose body it never reaches: somebody above answers."""

    def __init__(self, asked: Callable[P, R]) -> None:
        update_wrapper(self, asked)
        self.answer = asked

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        return self.answer(*args, **kwargs)

    def is_answered_by(self, answer: Callable[P, R]) -> None:
        """From now on `answer` is called in its place."""
        self.answer = answer
