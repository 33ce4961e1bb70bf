"""1.6: what a deleted person said and did beside the seats of tables has his new name; who sat there keeps the name
that the log has."""

from __future__ import annotations

from django.contrib.auth.models import User

from judging.accounts.renaming import renamed
from judging.tables.conduct.models import Sanction, TableAppeal
from judging.tables.talk.models import TableMessage


def watch() -> None:
    """1.6: hears of each deletion from now on."""
    renamed.connect(_rename, dispatch_uid="judging.tables.renaming")


def _rename(*, user: User, name: str, **_: object) -> None:
    for rows in (
        TableMessage.objects.filter(author=user, letter="", as_judge=False),
        Sanction.objects.filter(user=user, letter=""),
        TableAppeal.objects.filter(user=user, letter=""),
    ):
        rows.update(name=name)
