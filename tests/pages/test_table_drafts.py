"""A Draft and a match of the Arena are opened, played, seen and finished on the pages."""

import re

import pytest
from django.test import Client

from judging.tables.drafts.models import DraftPick
from judging.tables.game_state import state_of
from judging.tables.models import DeckVersion, Table
from tests.services.tables_of_tests import OPENED, Game, opened, person, plan

pytestmark = pytest.mark.django_db
TWO = ("Ana", "Bo")


def client(name: str) -> Client:
    """Somebody's browser."""
    made = Client()
    made.force_login(person(name))
    return made


def text(page) -> str:
    """What stands on a page."""
    return " ".join(re.sub(r"<[^>]+>", " ", page.content.decode()).split())


def opened_on_the_page(format: str, name: str) -> Table:
    listed = plan(game="seize").card_list
    typed = {"name": name, "format": f"seize {format}", "list": listed.pk, "places": "2", "pace": "post",
             "cuts": "simple"}  # fmt: skip
    assert client("Ana").post("/tables/new/", typed).status_code == 302
    return Table.objects.get(name=name)


def test_a_draft_is_opened_joined_picked_and_built_on_its_page_and_its_game_begins() -> None:
    table = opened_on_the_page("draft", "Four boosters")
    address = f"/tables/{table.slug}/draft/"
    assert "Go to the draft" in text(client("Bo").get(f"/tables/{table.slug}/"))
    for name in TWO:
        assert client(name).post(address, {"act": "join", "seat": name, "word": ""}).status_code == 302
    found = text(client("Ana").get(address))
    assert "Pick a card" in found
    assert "3 more boosters each" in found

    pack = client("Ana").get(address).context["seen"].pack
    assert client("Ana").post(address, {"pick": pack[0], "number": "1"}).status_code == 302
    assert f"You picked {pack[0]}" in text(client("Ana").get(address))
    watched = text(client("Bo").get(address))
    assert f"Picked, sealed: {pack[0]}" not in watched
    assert DraftPick.objects.get().hash in watched
    _pick_all(address)
    for name in TWO:
        _sit(address, name)
    row = Table.objects.get(pk=table.pk)
    assert row.state == "running"
    assert [dict(seat.numbers)["vault"] for seat in state_of(row).seats] == [20, 20]
    assert client("Ana").get(f"/tables/{table.slug}/").status_code == 200


def _pick_all(address: str) -> None:
    """Both wish for one half of the list, then for the other, until all is picked."""
    cards = sorted(client("Ana").get(address).context["seen"].cards)
    for half in (cards[:60], cards[60:]) * 60:
        for name in TWO:
            if client(name).get(address).context["seen"].phase == "building":
                return
            client(name).post(address, {"act": "wish", "wishes": "\n".join(half)})
    raise AssertionError("the draft does not end")


def _sit(address: str, name: str) -> None:
    page = client(name).get(address)
    seen, left, counts = page.context["seen"], 30, {}
    for at, (card, many) in enumerate(seen.pool):
        counts[f"n-{at}"] = min(many, left, 1 if seen.cards[card].stars == 4 else many)
        left -= counts[f"n-{at}"]
    few = client(name).post(address, {**counts, "n-0": "0", "act": "sit", "check": "yes"})
    assert "30 cards" in text(few)
    refused = client(name).post(address, {**counts, "n-0": "0", "act": "sit"})
    assert refused.status_code == 422
    assert not DeckVersion.objects.filter(deck__owner=person(name)).exists()
    done = client(name).post(address, {**counts, "act": "sit", "word": ""})
    assert done.status_code == 302, text(done)


def test_what_cannot_be_picked_is_refused_in_words_and_a_table_without_a_draft_has_no_such_page() -> None:
    table = opened(game="seize", format="draft")
    address = f"/tables/{table.slug}/draft/"
    early = client("Ana").post(address, {"pick": "Torch", "number": "1"})

    assert early.status_code == 422
    assert "You aren&#x27;t in this draft." in early.content.decode()
    assert Client().get(address).status_code == 200
    assert client("Ana").get(f"/tables/{opened(name='Another table').slug}/draft/").status_code == 404


def test_an_arena_match_goes_on_to_its_second_game_and_says_who_has_won_it() -> None:
    table = opened_on_the_page("arena", "In the Arena")
    decks = {"Ana": "Mages in the Arena", "Bo": "Warriors in the Arena"}
    for name, called in decks.items():
        version = DeckVersion.objects.get(deck__name=called)
        client(name).post(f"/tables/{table.slug}/sit/", {"seat": name, "deck": version.pk, "word": ""})
    first = f"/tables/{table.slug}/"
    assert "Game 1, best of 3" in text(client("Ana").get(first))
    _concede(Game(Table.objects.get(pk=table.pk), OPENED), "Bo")

    over = client("Ana").get(first)
    assert "Game 1 : won by Ana" in text(over)
    second = over.context["match"].next_game
    assert f"/tables/{second.slug}/" in over.content.decode()
    for name in TWO:
        assert "Your cut word for this game, at least 20 characters" in text(
            client(name).get(f"/tables/{second.slug}/")
        )
        client(name).post(f"/tables/{second.slug}/cut/", {"word": ""})
    found = text(client("Bo").get(f"/tables/{second.slug}/"))
    assert "Game 2, best of 3" in found
    assert "Place a pillar" in found or "to place a pillar" in found
    _concede(Game(Table.objects.get(pk=second.pk), OPENED), "Bo")

    assert "Ana won the match." in text(client("Bo").get(f"/tables/{second.slug}/"))
    assert Table.objects.count() == 2


def _concede(game: Game, name: str) -> None:
    form = {"lines": "concede!", "on": game.row().head, "token": f"a form of {game.table.pk}"}
    assert client(name).post(f"/tables/{game.table.slug}/", form).status_code == 302


def test_a_mercenary_that_is_chosen_by_its_address_is_shown_with_its_moves_and_why_not_elsewhere() -> None:
    table = opened(game="seize", format="arena", places=2)
    decks = {"Ana": "Mages in the Arena", "Bo": "Warriors in the Arena"}
    for name, called in decks.items():
        version = DeckVersion.objects.get(deck__name=called)
        client(name).post(f"/tables/{table.slug}/sit/", {"seat": name, "deck": version.pk, "word": ""})
    game = Game(Table.objects.get(pk=table.pk), OPENED)
    for _ in range(60):
        name = game.waited()
        seen = game.view(name)
        if seen.view["turn"]["at"] == "move1" and seen.view["turn"]["of"] == seen.letter:
            break
        game.post(name, seen.legal[0])
    move = next(line for line in seen.legal if line.startswith("move"))
    number = move.partition("#")[2].partition(":")[0]
    page = client(name).get(f"/tables/{table.slug}/?mover={number}")

    assert "Where it can’t move, and why" in text(page)
    assert f'data-act="go" data-line="{move}"' in " ".join(page.content.decode().split())
    assert "it moves here via" in text(page).lower()
    assert client(name).get(f"/tables/{table.slug}/?mover=nobody").status_code == 200


def test_a_turn_is_planned_as_one_post_from_what_the_page_offers() -> None:
    table = opened(game="seize", format="standard")
    for name, called in {"Ana": "Mages", "Bo": "Rogues"}.items():
        version = DeckVersion.objects.get(deck__name=called)
        client(name).post(f"/tables/{table.slug}/sit/", {"seat": name, "deck": version.pk, "word": ""})
    game = Game(Table.objects.get(pk=table.pk), OPENED)
    game.go_on("beginning")
    name = game.waited()
    page = client(name).get(f"/tables/{table.slug}/")
    plan = page.context["board"].plan
    chosen = [choice.hidden or choice.options[-1][0] for choice in plan.choices]
    assert "Plan the turn in one post" in text(page)
    assert [choice.label for choice in plan.choices if choice.label][:2] == ["Acquire", "Treasure"]
    form = {"plan": chosen, "on": game.row().head, "token": "a plan of one turn"}
    assert client(name).post(f"/tables/{table.slug}/", form).status_code == 302
    other = next(one for one in TWO if one != name)
    for _ in range(12):
        if game.waited() != other:
            break
        game.post(other, "pass")

    state = game.state()
    seat = game.seat(name).letter
    assert state.number(seat, "vault") == 26
    assert len(state.zone(f"{seat}.warchest")) == 1
    assert state.turn.number == 1 or state.turn.of == game.seat(other).letter


def test_a_plan_that_is_refused_stays_in_the_lines_to_be_mended() -> None:
    table = opened(game="seize", format="standard")
    for name, called in {"Ana": "Mages", "Bo": "Rogues"}.items():
        version = DeckVersion.objects.get(deck__name=called)
        client(name).post(f"/tables/{table.slug}/sit/", {"seat": name, "deck": version.pk, "word": ""})
    row = Table.objects.get(pk=table.pk)
    form = {"plan": ["pass", "", "gibberish of no kind"], "on": row.head, "token": "a plan that is refused"}
    found = client("Ana").post(f"/tables/{table.slug}/", form)

    assert found.status_code == 422
    assert "pass\ngibberish of no kind" in found.content.decode()
