"""T11.1, T11.7: what no rule does is done by the forms of the page; a free table is played without the notation."""

import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.html import escape

from judging.tables.board import shapes
from judging.tables.cards.decks import save_deck
from judging.tables.models import Entry, Table
from judging.tables.services import opening
from tables.core.lines.actions import Action
from tests.services.tables_of_tests import OPENED, Game, opened, person, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def free() -> Game:
    """A free table at which Ana and Bo sit; each has a deck of twelve cards that nobody else knows."""
    table = opened(game="free", format="default", name="A quiet evening")
    for name, letters in (("Ana", "ABCDEFGHIJKL"), ("Bo", "MNOPQRSTUVWX")):
        text = "".join(f"1 Card {letter}\n" for letter in letters)
        deck = save_deck(user=person(name), deck=None, name=name, text=text, game="free", card_list=None, now=OPENED)
        coming = opening.Coming(name, deck, f"a long enough word of {name}")
        opening.sit_down(table=table, user=person(name), coming=coming, now=OPENED)
    return Game(Table.objects.get(pk=table.pk), OPENED)


def client(name: str) -> Client:
    found = Client()
    found.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
    return found


def button(kind: str, number: int) -> str:
    return f'value="{escape(shapes.sent(Action(kind, n=number)))}"'


def sent(game: Game, name: str, hand: str, **fields: str) -> int:
    """Somebody sends one of the forms; what the page answers."""
    row = game.row()
    data = {"hand": hand, "how": "do", "on": row.head, "token": f"{name} {row.entries}", **fields}
    return client(name).post(reverse("table", args=[row.slug]), data).status_code


def test_a_free_table_is_played_by_its_forms(free: Game) -> None:
    assert sent(free, "Ana", "draw", n="3", who="A") == 302
    hand = sorted(thing.card for thing in free.state().zone("A.hand"))
    assert sent(free, "Ana", "move", card=f"={hand[0]}", to="table") == 302
    (queen,) = free.state().zone("A.table")
    card = f"#{queen.number}"
    assert sent(free, "Ana", "turn", card=card, turn="turn") == 302
    assert sent(free, "Ana", "count", card=card, n="3", word="Charge") == 302
    assert sent(free, "Ana", "count", card="A", n="20", word="life") == 302
    assert sent(free, "Bo", "roll", sides="20", who="B") == 302
    assert sent(free, "Ana", "shuffle", zone="deck", who="A") == 302
    assert sent(free, "Ana", "look", n="2", who="A") == 302
    assert sent(free, "Ana", "show", card=f"={hand[1]}") == 302
    assert sent(free, "Ana", "move", card="top", to="discard") == 302
    state = free.state()
    (queen,) = state.zone("A.table")
    assert (queen.engaged, queen.counters) == (True, (("charge", 3),))
    assert dict(state.seat("A").numbers) == {"life": 20}
    assert len(state.zone("A.discard")) == 1
    page = client("Bo").get(reverse("table", args=[free.table.slug])).content.decode()
    assert "Revealed hand cards" in page
    assert hand[1] in page
    assert hand[2] not in page


def test_what_concerns_others_is_proposed_and_they_agree_or_not(free: Game) -> None:
    assert sent(free, "Ana", "draw", n="2", who="B") == 422
    assert sent(free, "Ana", "draw", n="2", who="B", how="propose") == 302
    page = client("Bo").get(reverse("table", args=[free.table.slug])).content.decode()
    assert button("accept", 1) in page
    free.post("Bo", "accept 1")
    assert len(free.state().zone("B.hand")) == 2


def test_a_line_that_names_a_card_of_the_hand_stays_hidden(free: Game) -> None:
    sent(free, "Ana", "draw", n="1", who="A")
    (card,) = free.state().zone("A.hand")
    assert sent(free, "Ana", "move", card=f"={card.card}", to="bottom") == 302
    last = Entry.objects.filter(table=free.table).order_by("-n")[0]
    assert last.secret
    assert card.card not in str(last.args)
    assert card.card not in client("Bo").get(reverse("table", args=[free.table.slug])).content.decode()


@pytest.mark.parametrize(
    ("hand", "fields", "says"),
    [
        ("draw", {"n": "many"}, "whole number"),
        ("count", {"card": "#99", "n": "1", "word": "life"}, "othing has the number #99"),
        ("count", {"card": "A", "n": "1", "word": "two words"}, "one word"),
        ("move", {"card": "top", "to": "deck"}, "The top card is already on the deck"),
        ("move", {"card": "=Card M", "to": "table"}, "Card M"),
        ("turn", {}, "Choose a face-up card"),
        ("said", {"sentences": " "}, "Write what should happen"),
        ("dance", {}, "Choose what to do"),
        ("roll", {"sides": "1", "who": "A"}, "2 to 1000 sides"),
        ("draw", {"n": "1", "who": "Z"}, "Choose a player"),
    ],
)
def test_what_is_missing_is_told_and_nothing_is_lost(free: Game, hand: str, fields: dict[str, str], says: str) -> None:
    row = free.row()
    data = {"hand": hand, "how": "do", "on": row.head, "token": "form", **fields}
    answer = client("Ana").post(reverse("table", args=[row.slug]), data)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert says in page
    assert 'href="/rules/tables/#T' in page
    for value in set(fields.values()) - {"top", "Z", "#99", "=Card M"}:
        assert f'value="{value}"' in page
    assert free.row().entries == row.entries


def test_with_rules_the_same_forms_propose(db: None) -> None:
    game = running()
    page = client("Ana").get(reverse("table", args=[game.table.slug])).content.decode()
    forms = re.findall(r'name="hand" value="(\w+)"', page)
    assert {"move", "count", "said"} <= set(forms)
    assert 'value="do"' not in page
    assert sent(game, "Ana", "draw", n="1", who="A") == 302
    assert game.view("Bo").proposals[0]["says"] == "A draws 1"


def test_who_only_watches_has_no_forms(free: Game) -> None:
    assert b'name="hand"' not in Client().get(reverse("table", args=[free.table.slug])).content
    assert sent(free, "Cy", "draw", n="1", who="A") == 422


def test_who_proposed_may_withdraw_it_and_others_answer(free: Game) -> None:
    """T11.1: one refusal closes a proposal, that of its proposer, too."""
    assert sent(free, "Ana", "draw", n="2", who="B", how="propose") == 302
    address = reverse("table", args=[free.table.slug])
    pages = {name: client(name).get(address).content.decode() for name in ("Ana", "Bo")}

    assert f"{button('refuse', 1)}>Withdraw<" in pages["Ana"]
    assert button("accept", 1) not in pages["Ana"]
    assert f"{button('accept', 1)}>Accept<" in pages["Bo"]
