"""1.2: who is told what happened. Who writes a fact may tell of it in the same transaction."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from judging.game.questions import Question


@dataclass(frozen=True)
class News:
    """Something to be told to one person: see `Notification` for the fields."""

    user_id: int
    kind: str
    key: str
    at: datetime
    round_id: int | None = None
    turn: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    due_at: datetime | None = None

    @property
    def about(self) -> tuple[int, str, str]:
        """What makes it the same as another one."""
        return self.user_id, self.kind, self.key


@Question
def tell(news: Iterable[News], now: datetime, *, is_late: bool = False) -> int:
    """Stores what people are to be told, each of them once; how much of it was new."""
    raise NotImplementedError


@Question
def lapse(*, kind: str, keys: Iterable[str], now: datetime, users: Iterable[int] | None = None) -> None:
    """What was told of these keys waits no more, for anybody or for these `users`."""
    raise NotImplementedError
