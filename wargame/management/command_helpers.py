"""What several commands say of what they were asked for."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from judging.common.errors import Refused
from wargame.models import Round


def found(round: Round | None, slug: str) -> Round:
    """The round that was looked for. CommandError if there is none."""
    if round is None:
        raise CommandError(f"There is no round “{slug}”.")
    return round


@contextmanager
def refusals_told() -> Iterator[None]:
    """What is refused ends the command with the sentence that says why, and with no traceback."""
    try:
        yield
    except Refused as error:
        raise CommandError(str(error)) from None
