"""R37: a round's book of formulas, written by programs."""

from typing import cast

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.errors import Missing
from judging.api.fields import ActedOut, fields, number
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.common.judges import User
from judging.formula_books.services import default_formulas, desk_of, save_typed, typed_formulas
from wargame.rules.book.formulas import BY_NAME


class BookIn(Body):
    """R37: a new version."""

    formulas = fields("Text of each formula by its name, as a list of one. Formulas you leave out stay the same.")
    base = number("Number of the version this one is based on; 0 for the first.", needed=True)


class Book(ApiView):
    """R37: the book."""

    @describe(
        *("book_write", "judges", "Save a new version of the round's formula book"),
        out=ActedOut,
        takes=BookIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="judge:book",
    )
    def put(self, request: Request, slug: str) -> Response:
        data, round_ = self.read_as_judge(BookIn), self.round(slug)
        desk = desk_of(cast(User, request.user), round_.pk)
        if desk is None:
            raise Missing(gettext("This formula book isn't on your dashboard."))
        if unknown := sorted(set(data["formulas"]) - set(BY_NAME)):
            sentence = gettext("There is no formula called “%(name)s”.") % {"name": unknown[0][:40]}
            raise serializers.ValidationError({"formulas": [sentence]})
        newest = desk.newest.formulas if desk.newest else default_formulas()
        changed = {name: texts[-1] if texts else "" for name, texts in data["formulas"].items()}
        message = save_typed(desk, typed_formulas({**newest, **changed}), data["base"], timezone.now())
        return self.done(message, reverse("judge:book", args=[round_.pk]))
