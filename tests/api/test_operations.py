"""Whatever can be sent by a form of the site can be sent to the API: each page that takes a form has an operation."""

from collections.abc import Callable, Iterator
from functools import cache
from types import FunctionType
from typing import Any

from django.views.generic import RedirectView

from tests.secrecy.routes import Route, every_route

METHODS = ("post", "put", "patch", "delete")

SAME = {
    "done": "api-done",
    "post-new": "api-posts",
    "post-edit": "api-post",
    "post-withdraw": "api-post",
    "post-preview": "api-post-preview",
    "post-report": "api-reports",
    "strat": "api-strats",
    "word": "api-words",
    "feedback": "api-feedback",
    "control-request": "api-control-requests",
    "control-check": "api-control-requests",
    "judges-mine": "api-judges-leave",
    "boards": "api-board-read",
    "board": "api-messages",
    "board-topic": "api-messages",
    "board-topic-new": "api-topics",
    "board-topic-moderate": "api-topic",
    "board-edit": "api-message",
    "board-withdraw": "api-message",
    "board-report": "api-reports",
    "press-new": "api-press",
    "press-leave": "api-conversation",
    "report": "api-report",
    "blocks": "api-blocks",
    "appeal-new": "api-appeals",
    "notifications": "api-notifications-read",
    "notification-settings": "api-notification-settings",
    "notification-zone": "api-notification-settings",
    "token-revoke": "api-token",
    "hooks": "api-hooks",
    "hook": "api-hook",
    "mailbox": "api-mailbox",
    "table-mailbox": "api-table-mailbox",
    "judge:battle": "api-desk-score",
    "judge:files": "api-import-round",
    "judge:battle-anew": "api-rejudgements",
    "table": "api-table-entries",
    "table-agreements": "api-table-entries",
    "table-offer": "api-table-offer",
    "table-draft": "api-table-draft",
    "table-new": "api-tables",
    "table-sit": "api-table-seats",
    "table-cut": "api-table-word",
    "table-give-up": "api-table",
    "table-deck-new": "api-table-decks",
    "table-deck": "api-table-deck",
    "table-list-new": "api-table-lists",
    "table-desk": "api-table-rulings",
    "table-judges": "api-table-judges",
    "table-ask": "api-table-question",
    "setup-description": "api-setup-one",
    "setup-proxy": "api-setup-one",
    "setup-team": "api-setup-team",
    "setup-team-descriptions": "api-setup-team",
    "setup-team-wins": "api-setup-team",
    "setup-starts": "api-setup-team",
    **dict.fromkeys(
        (
            *("setup-name", "setup-judges", "setup-calendar", "setup-terrain", "setup-bases", "setup-towns"),
            *("setup-descriptions", "setup-wins", "setup-reveal", "setup-armies", "setup-proxies", "setup-placement"),
            *("setup-mercenaries", "setup-book", "setup-shown"),
        ),
        "api-setup-step",
    ),
}
"""Pages with an operation of their own kind, by the name of its address."""

IN_A_BROWSER = {
    **dict.fromkeys(
        ("login", "logout", "password", "sign-up", "second", "second-set-up", "sessions", "mail-confirm", "account"),
        "a log-in, its mail address and its sessions belong to a person and his browser, not to a program's token",
    ),
    **dict.fromkeys(
        ("password_reset", "password_reset_confirm", "account-delete", "account-access", "judge:login", "judge:logout"),
        "who may log in is proved by a person with his password or his letter",
    ),
    **dict.fromkeys(("judge:password_change",), "a password is changed by who types the old one"),
    "discord": "a person shows that an account elsewhere is his",
    "own-feeds": "who reads an address once reads it after his token has ended",
    "sign-up-links": "whom to let in is a person's decision: a stolen token must not open the door",
    "tokens": "no token makes another one: a stolen one would outlive its revocation",
    **dict.fromkeys(
        ("muster-preview", "muster-find", "army-change-preview", "army-change-find", "board-preview"),
        "a fragment that shows what is typed while it is typed; it stores nothing",
    ),
    **dict.fromkeys(
        ("setup-calendar-preview", "setup-bases-preview", "setup-towns-preview", "setup-placement-preview"),
        "a fragment that shows what is typed while it is typed; it stores nothing",
    ),
    **dict.fromkeys(
        ("setup-proxy-preview", "setup-proxy-find", "judge:book-check", "judge:book-plots"),
        "a fragment that shows what is typed while it is typed; it stores nothing",
    ),
    **dict.fromkeys(("unsent", "strat-draft"), "it keeps what somebody has typed and not sent; a program sends it"),
    **dict.fromkeys(
        ("notification-push", "notification-push-renewed", "notification-device"), "a subscription belongs to a browser"
    ),
    "judge:battle-next": "it leads to the page of the next battle",
    "judge:battle-blind": "whether pages show names is a judge's own wish",
    "language": "a browser keeps it; a program says Accept-Language with each request",
    "unsubscribe": "the link of a letter, which asks for no log-in",
}
"""Forms that are for browsers, with the reason."""

MISSING: dict[str, str] = {}
"""Forms that have no operation yet, with the reason."""


def test_each_form_has_an_operation() -> None:
    pages = [route for route in every_route() if not route.pattern.startswith("api/") and not _is_look_up(route)]
    forms = {route.pattern: route.name for route in pages if takes_post(route.view)}
    found = {name: sum(name in kind for kind in (SAME, IN_A_BROWSER, MISSING)) for name in forms.values()}
    missing = [pattern for pattern, name in forms.items() if name not in pages_with_an_operation() and not found[name]]
    assert missing == [], "these take a form, and no operation of the API does the same"
    twice = [
        name for name, lists in found.items() if lists + (name in pages_with_an_operation()) != 1 and name not in SAME
    ]
    assert twice == [], "these stand in two lists"
    assert len(forms) > 100


def test_every_page_that_is_named_takes_a_form() -> None:
    taking = {route.name for route in every_route() if takes_post(route.view)}
    assert {*SAME, *IN_A_BROWSER, *MISSING} <= taking


def test_every_operation_that_is_named_is_there() -> None:
    writing = {route.name for route in every_route() if any(hasattr(_cls(route.view), name) for name in METHODS)}
    assert set(SAME.values()) <= writing


@cache
def pages_with_an_operation() -> set[str]:
    """The pages whose forms operations send."""
    classes = [_cls(route.view) for route in every_route()]
    methods = [getattr(each, name, None) for each in classes for name in METHODS]
    return {page for method in methods if (page := getattr(method, "page", ""))}


def takes_post(view: Callable[..., Any]) -> bool:
    """Whether a view answers to a POST: by its decorators, or by its class."""
    if found := _cls(view):
        return hasattr(found, "post") and not issubclass(found, RedirectView)
    methods = [each for each in _closed_over(view) if isinstance(each, list | tuple) and "GET" in [*each, "GET"]]
    named = [each for each in methods if each and all(isinstance(one, str) and one.isupper() for one in each)]
    return all("POST" in each for each in named) if named else True


def _cls(view: Callable[..., Any]) -> Any:
    return getattr(view, "view_class", None) or getattr(view, "cls", None)


def _closed_over(view: Any, depth: int = 0) -> Iterator[Any]:
    """What the decorators of a view keep."""
    if depth > 8 or not isinstance(view, FunctionType):
        return
    for cell in view.__closure__ or ():
        try:
            kept = cell.cell_contents
        except ValueError:
            continue
        yield kept
        yield from _closed_over(kept, depth + 1)


def _is_look_up(route: Route) -> bool:
    """The desk's tables and what Django's admin brings; they change nothing."""
    return route.pattern.startswith(("judge/wargame/", "judge/judging/", "judge/r/", "judge/(")) or route.name in (
        *("judge:jsi18n", "judge:autocomplete", "judge:app_list", "judge:index", "judge:password_change_done"),
        "judge:",
        "",
    )
