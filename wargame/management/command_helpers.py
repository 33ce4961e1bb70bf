from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError

from judging.common.errors import Refused
from wargame.models import Round


def found(round: Round | None, slug: str) -> Round:
    """The requested round. CommandError if there is none."""
    if round is None:
        raise CommandError(f"There is no round “{slug}”.")
    return round


@contextmanager
def refusals_told() -> Iterator[None]:
    """Turn a refusal into a command error with its reason and no traceback."""
    try:
        yield
    except Refused as error:
        raise CommandError(str(error)) from None
