"""The stored form of a position, as the text under its hash; and reading events of damaged rows."""

from __future__ import annotations

import json
import logging
from typing import TYPE_CHECKING, Any

from django.db import models

from wargame.rules.core.board import read_square
from wargame.rules.core.codec import Written
from wargame.rules.telling.telling import readable

logger = logging.getLogger(__name__)

if TYPE_CHECKING:
    JsonField = models.JSONField[Any, Any]
else:
    JsonField = models.JSONField


class AsWritten(json.JSONEncoder):
    """The encoder of a JSON field that also accepts already encoded text."""

    def encode(self, o: object) -> str:
        return o.text if isinstance(o, Written) else super().encode(o)


class StoredEvents(JsonField):
    """The events of a settlement, as `telling` writes them. Unreadable ones become events that say so."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> object:
        # A key of an event that is asked for by itself (`events__0__kind`) is no report.
        result = super().from_db_value(value, expression, connection)
        if value is None:  # of a row that was joined and is not there
            return result
        return readable(result) if getattr(expression, "target", None) is self else result

    def deconstruct(self) -> Any:
        """A plain JSON column, so that migrations don't depend on this class."""
        name, _, arguments, keywords = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, keywords


class StoredPlaces(JsonField):
    """Squares by the names of armies. Unreadable ones are left out, and logged: a damaged row must not break a page."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> object:
        result = super().from_db_value(value, expression, connection)
        is_self = value is not None and getattr(expression, "target", None) is self
        return readable_places(result) if is_self else result

    def deconstruct(self) -> Any:
        """A plain JSON column, so that migrations don't depend on this class."""
        name, _, arguments, keywords = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, keywords


def readable_places(stored: object) -> dict[str, str]:
    """The readable squares of the stored value, by name."""
    places = stored if isinstance(stored, dict) else {}
    squares = {name: at for name, at in places.items() if _is_square(at)}
    if stored != squares:
        logger.error("Only %d of the squares of a draft can be read.", len(squares))
    return squares


def _is_square(at: object) -> bool:
    try:
        return isinstance(at, str) and bool(read_square(at))
    except ValueError:
        return False
