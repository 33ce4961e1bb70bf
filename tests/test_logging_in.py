"""The log-ins of the tests leave what those of the site leave."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.contrib.auth.models import User
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.test import Client
from django.utils import translation

from judging.accounts.models import Account
from tests import logging_in
from tests.kept_rows import State, rows

BACKEND = "django.contrib.auth.backends.ModelBackend"
NOW = datetime(2026, 3, 2, 6, 0, tzinfo=UTC)

pytestmark = pytest.mark.django_db

LogIn = Callable[[Client, User, str], None]


def new(ana: User) -> None:
    """She comes for the first time."""


def like_another(ana: User) -> None:
    other = User.objects.create_user("somebody")
    Account.objects.create(user=other, key="somebody", skeleton="ana")


def without_a_language(ana: User) -> None:
    Account.objects.create(user=ana, key="ana", skeleton="ana")


def with_another_language(ana: User) -> None:
    Account.objects.create(user=ana, key="ana", skeleton="ana", language="de")


@pytest.mark.parametrize("prepare", [new, like_another, without_a_language, with_another_language])
def test_a_log_in_at_once_leaves_the_rows_and_the_session_of_a_whole_one(
    prepare: Callable[[User], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def left(log_in: LogIn, *, before: int) -> tuple[State, State, dict[str, object]]:
        """The rows after the first log-in and after the second, in another browser, and what the session says."""
        names = iter([*["first-key"] * before, "first-kept", *["second-key"] * before, "second-kept"])
        monkeypatch.setattr(SessionBase, "_get_new_session_key", lambda self: next(names))
        with transaction.atomic(), time_machine.travel(NOW, tick=False) as clock, translation.override("de"):
            rows().begin()
            log_in(Client(), ana, BACKEND)
            first = rows().state()
            clock.shift(timedelta(hours=1))
            client = Client()
            log_in(client, ana, BACKEND)
            assert client.get("/account/mine/").wsgi_request.user == ana
            second, session = rows().state(), dict(client.session)
            transaction.set_rollback(True)
        return first, second, session

    ana = User.objects.create_user("ana")
    prepare(ana)

    assert left(logging_in.at_once, before=0) == left(logging_in.as_a_whole, before=1)
