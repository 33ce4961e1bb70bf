"""R37: a round's book of formulas, written by programs."""

from __future__ import annotations

from typing import cast

from judging.api.base import ApiView
from judging.api.doors import Sent, door
from judging.api.fields import fields, number
from judging.api.models import Scope
from judging.api.shapes import Body
from judging.books.reads import default_formulas, desk_of
from judging.game.judges import User


class BookIn(Body):
    """R37: a new version."""

    formulas = fields("Text of each formula by its name, as a list of one. Formulas you leave out stay the same.")
    base = number("Number of the version this one is based on; 0 for the first.", needed=True)


def _typed(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    desk = desk_of(cast(User, view.request.user), view.round(where["slug"]).pk)
    newest = desk.newest.formulas if desk and desk.newest else default_formulas()
    return {**newest, **given["formulas"], "base": given["base"]}


class Book(ApiView):
    """R37: the book."""

    put = door(
        *("book_write", "judges", "Save a new version of the round's formula book", "judge:book"),
        takes=BookIn,
        form=_typed,
        scope=Scope.JUDGE,
        presses={"act": "save"},
    )
