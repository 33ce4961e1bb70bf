"""1.2: notifications. Code that writes a fact can notify people of it in the same transaction."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any


@dataclass(frozen=True)
class News:
    """Something to be told to one person: see `Notification` for the fields. `kind` is a code of `KINDS` in
    `judging.notifications.kinds`, where its sentence is, and who may still read it."""

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
        """The identity of a notification, for duplicates."""
        return self.user_id, self.kind, self.key
