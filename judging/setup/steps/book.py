"""R37, R38: the step of the formula book: that there is one, and the commitment to it."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.formula_books.services import draw_formulas, newest_version, save_book
from judging.setup.preparation import Preparation
from judging.setup.step import Problem, StepKind, StepPage, missing


def find(prepared: Preparation) -> Iterator[Problem]:
    """R38: that the round has no formula book yet."""
    if not prepared.has_book:
        yield missing(gettext("Write the formula book, or have one drawn."), "R38")


STEP = StepKind(
    "book",
    gettext_noop("Formula book"),
    "R38",
    gettext_noop("The battle judge decides on the secret formula book."),
    find,
)


class BookPage(StepPage):
    """R37, R38: the formula book and the commitment to it; a POST draws one, where there is none."""

    key, template = "book", "setup/book.html"
    refused_status = 409

    def context(self) -> dict[str, object]:
        return {"book": newest_version(self.round), "editor": reverse("judge:book", args=[self.round.pk])}

    def act(self) -> str:
        save_book(formulas=draw_formulas(), base_number=0, **self.common)
        return gettext("The formula book is drawn and committed.")
