"""12: whatever is sent to a form of a table, a draft, its talk or a deck, however much: it is told, nothing is lost."""

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client

from judging.tables.drafts.models import DraftPick, TableDraft
from judging.tables.models import Deck, DeckVersion, Entry, Seat, Table
from judging.tables.talk.models import TableMessage
from tests.services.tables_of_tests import Game, opened, person, plan, running

pytestmark = pytest.mark.django_db
FLOOD = "x" * 10_000_000
LARGE = "x\n" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE // 2 - 60_000)
"""About as much as a form may bring in whole, in lines, and in one word."""
LONG = "x" * (settings.DATA_UPLOAD_MAX_MEMORY_SIZE - 10_000)
FORMS = {
    "a button": ("", {"action": "*"}),
    "own lines": ("", {"lines": "*"}),
    "lines to read": ("", {"lines": "*", "read": "1"}),
    "a plan": ("", {"plan": "*"}),
    "an order": ("", {"lines": "*", "kind": "order"}),
    "stops": ("", {"lines": "*", "kind": "stops"}),
    "ticked cards": ("", {"pick_for": "*", "pick": "*"}),
    "by hand": ("", {"hand": "*", "card": "*", "zone": "*", "text": "*"}),
    "talk": ("talk/", {"act": "write", "text": "*", "board": "talk"}),
    "talk elsewhere": ("talk/", {"act": "*", "text": "Hello.", "board": "*"}),
    "a question": ("ask/", {"question": "*"}),
    "a seat": ("sit/", {"seat": "*", "deck": "*"}),
    "a cut": ("cut/", {"word": "*"}),
    "an appeal": ("appeals/new/", {"about": "*", "cites": "*", "reason": "*"}),
    "a judge": ("judges/name/", {"username": "*", "name": "*"}),
    "going back": ("entries/5/back/", {"reason": "*"}),
    "the hours": ("people/", {"act": "hours", "zone": "*", "first": "*", "hours": "*"}),
    "a draft, joined": ("draft/", {"act": "join", "seat": "*", "word": "*"}),
    "a pick": ("draft/", {"pick": "*", "number": "*"}),
    "wishes": ("draft/", {"act": "wish", "wishes": "*"}),
    "a draft’s deck": ("draft/", {"act": "build", "n-0": "*", "word": "*"}),
}
"""By what it is for: where it is sent, and the fields, each of which is filled with as much (`*`)."""
DECKS = {
    "a deck": ("/tables/decks/new/", {"name": "*", "text": "*", "list": "*"}),
    "a deck to check": ("/tables/decks/new/", {"name": "Mine", "text": "*", "check": "1"}),
    "a list": ("/tables/lists/new/", {"text": "*"}),
    "a table": ("/tables/new/", {"name": "*", "format": "*", "list": "*", "places": "*", "pace": "*"}),
}


def sent(address: str, fields: dict[str, str], value: str, **more: str) -> HttpResponse:
    """A form with that much in it, from Ana; each field holds its part, so that the whole is as large as `value`."""
    client = Client(raise_request_exception=False)
    client.force_login(person("Ana"), backend="django.contrib.auth.backends.ModelBackend")
    many = sum(one == "*" for one in fields.values())
    typed = {name: value[: len(value) // many] if one == "*" else one for name, one in fields.items()}
    return client.post(address, {**typed, **more}, follow=True)


def told(page: HttpResponse) -> list[str]:
    """What is told on the page that a form leads back to."""
    return [str(message) for message in page.context["messages"]]


def expected(value: str, fields: dict[str, str]) -> int:
    """A check tells its faults as an answer; all else is refused."""
    return 413 if value is FLOOD else 200 if "check" in fields else 422


def kept() -> list[object]:
    """Everything that a form of a table could have changed."""
    tables = Table.objects.order_by("pk").values_list("state", "head", "entries", "question")
    picked = [DraftPick.objects.count(), list(TableDraft.objects.values_list("begun_at", "ended_at"))]
    rest = [model.objects.count() for model in (Entry, Deck, DeckVersion, TableMessage, Seat)]
    return [*tables, *picked, *rest]


@pytest.fixture
def game() -> Game:
    return running()


def undrafted() -> Table:
    """A draft that nobody has joined yet."""
    return opened(game="seize", format="draft", card_list=plan(game="seize").card_list)


@pytest.fixture
def drafted() -> Table:
    """A draft that Ana and Bo have joined: a booster lies before each."""
    table = undrafted()
    for name in ("Ana", "Bo"):
        client = Client()
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        assert client.post(f"/tables/{table.slug}/draft/", {"act": "join", "seat": name, "word": ""}).status_code == 302
    return table


@pytest.mark.parametrize("what", FORMS)
def test_ten_megabytes_are_refused_before_they_are_read_and_nothing_changes(what, game):
    where, fields = FORMS[what]
    before = kept()

    page = sent(f"/tables/{game.table.slug}/{where}", fields, FLOOD, on=game.row().head, token="flood")
    assert page.status_code == 413
    assert kept() == before


@pytest.mark.parametrize("what", FORMS)
@pytest.mark.parametrize("value", [LARGE, LONG], ids=["lines", "one word"])
def test_as_much_as_a_form_may_bring_is_told_to_be_wrong_and_nothing_changes(what, value, game, drafted):
    where, fields = FORMS[what]
    table = drafted if where.startswith("draft") else game.table
    before = kept()

    page = sent(f"/tables/{table.slug}/{where}", fields, value, on=game.row().head, token="flood")
    assert page.status_code in (200, 404, 409, 422), page.status_code
    assert page.status_code != 200 or "read" in fields or told(page), "it was taken without a word"
    assert len(page.content) < 3 * len(value)
    assert kept() == before


@pytest.mark.parametrize("what", DECKS)
@pytest.mark.parametrize("value", [FLOOD, LARGE, LONG], ids=["ten megabytes", "lines", "one word"])
def test_decks_lists_and_new_tables_are_bounded_too(what, value, game):
    address, fields = DECKS[what]
    before = kept()

    assert sent(address, fields, value).status_code == expected(value, fields)
    assert kept() == before


def test_nobody_joins_a_draft_by_a_name_of_two_megabytes():
    table, (where, fields) = undrafted(), FORMS["a draft, joined"]
    before = kept()

    assert sent(f"/tables/{table.slug}/{where}", fields, LONG).status_code == 422
    assert kept() == before


def test_the_game_goes_on_after_it(game):
    sent(f"/tables/{game.table.slug}/", {"lines": "*"}, LONG, on=game.row().head, token="flood")

    game.post("Ana", "keep hand")
    assert game.row().entries == Entry.objects.filter(table=game.table).count()
