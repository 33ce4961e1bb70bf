"""3.1: text that people have typed but not sent, stored for its writer alone until it is sent or emptied.

A `place` names where it was typed: `post`, `edit:` with the key of a post, `board:` with the key of a board and the
number of a topic, `message:` with a board's key and a message's number, `topic:` with the key of a board that gets a
new topic, and `press`, a new private conversation. A strat's draft is a row of its own, with what it asks for.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.models import Unsent
from judging.common.texts import MAX_TOKEN, check_storable
from judging.common.viewer import Viewer
from wargame.rules.core.saying import grouped

LONGEST_UNSENT = 60_000
MOST_UNSENT = 40
"""The maximum of unsent forms per person and round; the oldest are dropped."""

ALSO = ("title", "to")
"""The short fields that are stored with the text where a form has them."""

LONGEST_ALSO, MOST_ALSO = 200, 40
"""The maximum length of a short field, and of its number of values."""

LONGEST_PLACE = 60
"""The maximum length of a place."""

logger = logging.getLogger(__name__)

_PLACE = re.compile(r"(?:post|press|(?:edit|board|message|topic)(?::[\w-]{1,40}){1,2})", re.ASCII)


def unsent_of(viewer: Viewer, place: str) -> Unsent | None:
    """The viewer's own unsent text at a place, empty once it was sent; nobody reads another's."""
    if viewer.user_id is None:
        return None
    return Unsent.objects.filter(user_id=viewer.user_id, round=viewer.round, place=place).first()


@locking.writes
def keep_unsent(
    *,
    viewer: Viewer,
    place: str,
    text: str,
    form: str,
    turn: int | None,
    now: datetime,
    also: Mapping[str, Sequence[str]] | None = None,
) -> bool:
    """Store what is typed in the form of that name, with its short fields; an empty text leaves nothing.

    Return False, and store nothing, if that form was sent in the meantime. Refused for a viewer who is not logged in,
    for an unknown place, and for a text that is too long or not valid text.
    """
    user = _checked(viewer, place, form)
    if len(text) > LONGEST_UNSENT:
        raise Refused(gettext("Drafts can have up to %(number)s characters.") % {"number": grouped(LONGEST_UNSENT)})
    check_storable(text, what="text", cites="")
    short = {name: [value[:LONGEST_ALSO] for value in (also or {}).get(name, ())[:MOST_ALSO] if value] for name in ALSO}
    for value in (value for values in short.values() for value in values):
        check_storable(value, what="text", cites="")
    rows = Unsent.objects.filter(user_id=user, round=viewer.round, place=place)
    if form and rows.filter(sent=form).exists():
        return False
    text = text if text.strip() else ""
    row = Unsent(user_id=user, round=viewer.round, place=place, kept_at=now, text=text, turn=turn)
    row.also = {name: values for name, values in short.items() if values} if text else {}
    _put(row, "text", "also", "turn")
    drafts = Unsent.objects.filter(user_id=user, round=viewer.round).order_by("-kept_at", "-pk")
    if surplus := list(drafts.values_list("pk", flat=True)[MOST_UNSENT:]):
        Unsent.objects.filter(pk__in=surplus).delete()
    return True


def drop_unsent(*, viewer: Viewer, place: str, form: str, now: datetime) -> None:
    """Drop the unsent text of a place, because the form of that name was sent.

    An error here must not hide that the form was sent; the text is then offered once more.
    """
    try:
        _drop(viewer, place, form, now)
    except Refused as refused:
        logger.info("The saved draft of %s could not be removed after sending: %s", place[:60], refused)


@locking.writes
def _drop(viewer: Viewer, place: str, form: str, now: datetime) -> None:
    user = _checked(viewer, place, form)
    _put(Unsent(user_id=user, round=viewer.round, place=place, kept_at=now, sent=form), "text", "also", "sent")


def _checked(viewer: Viewer, place: str, form: str) -> int:
    if viewer.user_id is None:
        raise Refused(gettext("Log in first: drafts are only saved for logged-in users."), "1.6")
    is_place = len(place) <= LONGEST_PLACE and _PLACE.fullmatch(place)
    if not is_place or len(form) > MAX_TOKEN or not form.isprintable():
        raise Refused(gettext("Something went wrong with this form. Copy your text and reload the page."))
    return viewer.user_id


def _put(row: Unsent, *fields: str) -> None:
    """One statement, whether the row exists or not: two windows of one person may store at once."""
    unique = ["user", "round", "place"]
    Unsent.objects.bulk_create([row], update_conflicts=True, unique_fields=unique, update_fields=[*fields, "kept_at"])
