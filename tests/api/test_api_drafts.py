"""5.2, 6, A12: drafts, a mercenary's reach and agreements by the API, by the same writes and eyes as their pages."""

from collections import Counter
from typing import Any

import pytest

from judging.tables.models import DeckVersion, Table
from tables.games.altered.agreements import all_suggested
from tests.api.test_api_tables import ROOT, client
from tests.services.tables_of_tests import Game, opened, person, plan
from tests.services.test_tables_agreeing import agree, seated
from tests.services.test_tables_drafts import begun, drafted, legal, seen

pytestmark = pytest.mark.django_db
NAMES = ("Ana", "Bo")


def call(name: str, method: str, path: str, body: object = None, status: int = 200) -> Any:
    answer = getattr(client(name), method)(f"{ROOT}{path}", body, format="json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_a_draft_is_opened_joined_and_picked_by_programs() -> None:
    listed = plan(game="seize").card_list
    assert listed is not None
    body = {"name": "Four boosters", "game": "seize", "format": "draft", "list": listed.pk}
    slug = call("Ana", "post", "", body, 201)["slug"]
    assert call("Ana", "post", f"{slug}/draft/", {"name": "Ana"}, 201)["phase"] == "joining"
    both = call("Bo", "post", f"{slug}/draft/", {"name": "Bo", "word": "an otter under the ice"}, 201)
    assert (both["phase"], len(both["pack"]), both["round"]) == ("picking", 14, 1)

    picked = call("Bo", "post", f"{slug}/draft/picks/", {"card": both["pack"][0], "number": 1}, 201)
    again = call("Bo", "post", f"{slug}/draft/picks/", {"card": both["pack"][0], "number": 1}, 201)
    assert picked == again
    assert picked["chosen"] == both["pack"][0]
    ana = call("Ana", "get", f"{slug}/draft/")
    wished = call("Ana", "put", f"{slug}/draft/wishes/", {"cards": [ana["pack"][3]]})
    assert wished["pool"] == [{"card": ana["pack"][3], "count": 1}]


def test_each_reads_of_a_draft_what_its_page_shows_him() -> None:
    table = begun()
    path = f"{table.slug}/draft/"
    call("Ana", "post", f"{path}picks/", {"card": seen(table, "Ana").pack[0], "number": 1}, 201)
    ana, bo, nobody = (call(name, "get", path) for name in ("Ana", "Bo", ""))

    assert (bo["chosen"], bo["pool"], nobody["pack"], nobody["wishes"]) == ("", [], [], [])
    (sealed,) = bo["drafters"][0]["picks"]
    assert (sealed["card"], sealed["salt"], len(sealed["hash"])) == ("", "", 64)
    assert (ana["seed"], nobody["seed"]) == ("", "")
    assert not set(ana["pack"]) & set(nobody["pack"])


def test_what_cannot_be_done_in_a_draft_is_refused_with_its_rule() -> None:
    table = begun()
    path = f"{table.slug}/draft/"
    strange = call("Ana", "post", f"{path}picks/", {"card": "Torch of nobody", "number": 1}, 409)
    assert strange["cites"] == "5.2"
    assert call("Ana", "post", f"{path}deck/", {"cards": []}, 409)["cites"] == "5.2"
    assert "aren't in this draft" in call("Cy", "put", f"{path}wishes/", {"cards": []}, 409)["detail"]
    call("", "post", path, {"name": "Nobody"}, 403)
    plain = opened(name="Without a draft")
    call("Ana", "get", f"{plain.slug}/draft/", status=404)
    call("Ana", "post", f"{plain.slug}/draft/", {"name": "Ana"}, 409)


def test_a_deck_is_made_of_a_pool_and_the_game_begins() -> None:
    table = drafted()
    path = f"{table.slug}/draft/deck/"
    for name in NAMES:
        pool = [card for card, many in seen(table, name).pool for _ in range(many)]
        cards = [{"card": card, "count": many} for card, many in Counter(legal(table, pool)).items()]
        few = call(name, "post", path, {"cards": cards[:-1]}, 409)
        assert (few["cites"], "30" in few["detail"]) == ("5.2", True)
        assert not DeckVersion.objects.filter(deck__owner=person(name)).exists()
        shown = call(name, "post", path, {"cards": cards}, 201)
    assert shown["state"] == "running"
    assert [seat["name"] for seat in shown["seats"]] == list(NAMES)


def test_what_a_mercenary_reaches_is_read_by_everybody_with_the_rule_that_keeps_it_from_more() -> None:
    table = opened(game="seize", format="standard")
    for name, called in zip(NAMES, ("Mages", "Rogues"), strict=True):
        version = DeckVersion.objects.get(deck__name=called)
        call(name, "post", f"{table.slug}/seats/", {"name": name, "deck": version.deck_id}, 201)
    game = Game(Table.objects.get(pk=table.pk), table.opened_at)
    call("Ana", "get", f"{table.slug}/reach/1/", status=404)
    for _ in range(60):
        if game.view().reaches:
            break
        name = game.waited()
        lines = game.view(name).legal
        game.post(name, next((line for line in lines if line.startswith("play ")), lines[0]))
    number = min(game.view().reaches)
    found = call("", "get", f"{table.slug}/reach/{number}/")

    assert found == call("Ana", "get", f"{table.slug}/reach/{number}/")
    assert found["number"] == number
    assert found["at"] not in found["ways"]
    assert all(why["cites"] for why in found["refused"].values())
    assert found["now"]["attack"]["cites"]


def test_what_was_agreed_at_a_table_is_offered_to_others_and_no_more() -> None:
    game = seated()
    asked = call("Ana", "get", f"{game.table.slug}/agreements/")
    assert asked["is_asked"]
    assert asked["sets"][0]["key"] == "suggested"
    assert not call("", "get", f"{game.table.slug}/agreements/")["is_asked"]
    call("Ana", "put", f"{game.table.slug}/agreements/offer/", {"title": "Too early"}, 409)
    for name in NAMES:
        agree(game, name, dict(all_suggested()))
    path = f"{game.table.slug}/agreements/offer/"
    assert call("Bo", "put", path, {"title": "Of the club"})["offered_as"] == "Of the club"
    call("Cy", "delete", path, status=409)
    sets = call("Ana", "get", f"{seated('Another road').table.slug}/agreements/")["sets"]
    assert any(one["told"].startswith("Of the club") for one in sets)
    assert call("Ana", "delete", path)["offered_as"] == ""
