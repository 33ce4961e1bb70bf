"""R37, R38: the step of the formula book: that it exists, and the commitment to it."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext

from judging.formula_books.services import draw_formulas, newest_version, save_book
from judging.setup.preparation import Preparation
from judging.setup.step import Problem, StepForm, missing


def problems(prepared: Preparation) -> Iterator[Problem]:
    """R38: that the round has no formula book yet."""
    if not prepared.has_book:
        yield missing(gettext("Write the formula book, or have one drawn."), "R38")


class BookForm(StepForm):
    """R37, R38: draws a formula book where there is none."""

    refused_status = 409

    def context(self) -> dict[str, object]:
        return {"book": newest_version(self.round), "editor": reverse("judge:book", args=[self.round.pk])}

    def save(self) -> str:
        save_book(formulas=draw_formulas(), base_number=0, **self.common)
        return gettext("The formula book is drawn and committed.")
