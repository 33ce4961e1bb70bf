"""12: whatever a form of a card table does is done by the API: opened, joined, decks and lists, judges and rulings."""

import json
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from judging.accounts.tokens.services import make_token
from judging.tables.cards.lists import FIXTURES, take_made_up
from judging.tables.models import CardList, Deck, Table
from tables.core.proof.draws import cut_commitment, cut_value
from tests.api.test_api_tables import ROOT, client
from tests.services.tables_of_tests import OPENED, WORDS, Game, appoint, deck, opened, person, running, sit

pytestmark = pytest.mark.django_db

RIDDLES = {
    "list": {"key": "riddles", "name": "Riddles", "game": "kryptik", "version": 1},
    "cards": [
        {"name": f"Riddle {word}", "type": "spell", "cost": {"any": 0}, "text": "Ask a riddle. Who fails, pays."}
        for word in ("of Ash", "of Bone", "of Coal", "of Dew", "of Elm", "of Fog", "of Gold", "of Hay", "of Ice")
        + ("of Jade", "of Kelp", "of Lead", "of Mist", "of Nettle", "of Oak", "of Peat", "of Quartz")
    ],
}


def scripted(name: str, *scopes: str) -> APIClient:
    """A program of somebody's, with his token."""
    _, text = make_token(user=person(name), name="a bot", scopes=scopes, days=30, now=timezone.now())
    found = APIClient()
    found.credentials(HTTP_AUTHORIZATION=f"Bearer {text}")
    return found


def sent(bot: APIClient, path: str, body: object, status: int = 201, method: str = "post") -> Any:
    answer = getattr(bot, method)(f"{ROOT}{path}", body, format="json")
    assert answer.status_code == status, answer.content
    return answer.json()


def test_two_programs_play_and_a_third_one_rules_on_a_card_that_nobody_has_put_into_words() -> None:
    """11: the whole way by tokens, from the list of cards to the ruling."""
    ana, bo, jo = (scripted(name, "read", "post", "judge") for name in ("Ana", "Bo", "Jo"))
    cards = sent(ana, "lists/", {"text": json.dumps(RIDDLES)})
    names = [card["name"] for card in RIDDLES["cards"]]  # type: ignore[index]
    text = "\n".join(f"{2 if name == names[-1] else 3} {name}" for name in names)
    made = {"name": "Riddles", "game": "kryptik", "list": cards["id"], "text": text}
    decks = [sent(bot, "decks/", made)["id"] for bot in (ana, bo)]
    plan = {"name": "Riddles", "game": "kryptik", "format": "limited", "list": cards["id"]}
    plan |= {"is_invited": True, "cuts": "simple"}
    table = sent(ana, "", plan)
    slug, invitation = table["slug"], table["invitation"]
    sent(ana, f"{slug}/judges/", {"username": "jo", "name": "Jo"})
    sent(ana, f"{slug}/seats/", {"name": "Ana", "deck": decks[0], "word": WORDS["Ana"]})
    seat = {"name": "Bo", "deck": decks[1], "word": WORDS["Bo"], "invitation": invitation}
    seen = sent(bo, f"{slug}/seats/", seat)
    bots, cast = {"A": ana, "B": bo}, False
    for number in range(20):
        letter = seen["waits_for"][0]
        own = bots[letter].get(f"{ROOT}{slug}/").json()
        if own["waits_kind"] == "manual":
            break
        casts = [line for line in own["legal"] if line.startswith("cast ") and not cast]
        line, cast = (casts[0], True) if casts else (own["legal"][0], cast)
        body = {"lines": [line], "token": f"act {number}", "on": own["head"]}
        seen = sent(bots[letter], f"{slug}/entries/", body)
    assert own["waits_kind"] == "manual"
    ruling = {"program": f"{letter} draws 1", "cites": "K42", "reason": "The riddle was answered.", "card": names[0]}
    told = sent(jo, f"{slug}/rulings/try/", ruling, 200)["told"]
    assert told
    assert jo.get(f"{ROOT}{slug}/").json()["head"] == own["head"]
    after = sent(jo, f"{slug}/rulings/", {**ruling, "token": "a ruling", "on": own["head"]})
    assert after["waits_kind"] != "manual"
    log = ana.get(f"{ROOT}{slug}/entries/").json()
    assert (log[0]["kind"], log[0]["cites"], log[0]["reason"]) == ("ruling", "K42", "The riddle was answered.")
    (found,) = APIClient().get(f"{ROOT}rulings/kryptik/", {"card": names[0]}).json()["results"]
    assert (found["table"], found["program"]) == (slug, f"{letter} draws 1")


def test_a_token_without_the_scope_of_a_judge_does_not_rule() -> None:
    game = running()
    appoint(game.table, "Jo")
    bot = scripted("Jo", "read", "post")
    ruling = {"program": "A draws 1", "cites": "K42", "reason": "So it is."}
    for path in ("rulings/try/", "rulings/"):
        body = {**ruling, "token": "one", "on": game.row().head}
        told = sent(bot, f"{game.table.slug}/{path}", body, 403)
        assert told["cites"] == "1.6"
    sent(client("Bo"), f"{game.table.slug}/question/", {"question": "What now?"}, 200, "put")
    assert bot.delete(f"{ROOT}{game.table.slug}/question/").status_code == 403
    assert Table.objects.get().question == "What now?"


def test_who_may_not_judge_a_table_is_told_so() -> None:
    game = running()
    ruling = {"program": "A draws 1", "cites": "K42", "reason": "So it is.", "token": "one", "on": game.row().head}
    assert sent(client("Ana"), f"{game.table.slug}/rulings/", ruling, 409)["detail"].startswith("Only the judges")
    assert client("Cy").post(f"{ROOT}{game.table.slug}/judges/", {"username": "cy", "name": "Cy"}).status_code == 409


def test_a_question_stops_the_clocks_until_it_is_taken_back() -> None:
    game = running()
    appoint(game.table, "Jo")
    asked = sent(client("Bo"), f"{game.table.slug}/question/", {"question": "What now?"}, 200, "put")
    assert (asked["question"], asked["asked_by"], asked["due_at"]) == ("What now?", "B", None)
    back = sent(client("Bo"), f"{game.table.slug}/question/", None, 200, "delete")
    assert (back["question"], back["due_at"] is None) == ("", False)


def test_a_judge_is_named_listed_and_dismissed() -> None:
    table = opened()
    person("Jo")
    made = sent(client("Ana"), f"{table.slug}/judges/", {"username": "jo", "name": "Jo"})
    (listed,) = APIClient().get(f"{ROOT}{table.slug}/judges/").json()["results"]
    assert {**listed, "proposal": None} == made
    after = sent(client("Ana"), f"{table.slug}/judges/{made['id']}/", None, 200, "delete")
    assert after["judges"] == []
    assert client("Ana").delete(f"{ROOT}{table.slug}/judges/{made['id']}/").status_code == 404


def test_only_its_opener_is_told_the_invitation_and_who_has_it_sits_down() -> None:
    table = opened(is_invited=True)
    invitation = client("Ana").get(f"{ROOT}{table.slug}/").json()["invitation"]
    seat = {"name": "Bo", "deck": deck("Ember").deck_id, "word": WORDS["Bo"]}
    assert sent(client("Bo"), f"{table.slug}/seats/", seat, 404)["code"] == "not_found"
    assert client("Bo").get(f"{ROOT}{table.slug}/", {"invitation": invitation}).json()["invitation"] == ""
    seen = sent(client("Bo"), f"{table.slug}/seats/", {**seat, "invitation": invitation})
    assert [one["name"] for one in seen["seats"]] == ["Bo"]


def test_sealed_cuts_are_committed_to_and_handed_in() -> None:
    table = opened(cuts="sealed")
    for name, one in (("Ana", "Harbour"), ("Bo", "Ember")):
        seat = {"name": name, "deck": deck(one).deck_id, "cut_hash": cut_commitment(cut_value(WORDS[name]))}
        seen = sent(client(name), f"{table.slug}/seats/", seat)
    assert (seen["state"], seen["owes_word"]) == ("cutting", True)
    told = sent(client("Bo"), f"{table.slug}/word/", {"word": "another word altogether"}, 409, "put")
    assert "not the word" in told["detail"]
    for name in ("Ana", "Bo"):
        seen = sent(client(name), f"{table.slug}/word/", {"word": WORDS[name]}, 200, "put")
    assert (seen["state"], seen["owes_word"]) == ("running", False)


def test_a_table_that_has_not_started_is_given_up() -> None:
    table = opened()
    assert client("Bo").delete(f"{ROOT}{table.slug}/").status_code == 409
    assert sent(client("Ana"), f"{table.slug}/", None, 200, "delete")["state"] == "given up"


def test_a_table_is_refused_with_what_is_wrong() -> None:
    person("Ana")
    plan = {"name": "Here", "game": "kryptik", "format": "standard"}
    assert "no such format" in sent(client("Ana"), "", plan, 409)["detail"]
    assert "pace" in sent(client("Ana"), "", {**plan, "pace": "endless"}, 400)["fields"]
    assert "Choose an existing list" in sent(client("Ana"), "", {**plan, "list": 999}, 409)["detail"]


def test_a_deck_is_saved_changed_put_away_and_taken_out_again() -> None:
    ana, cards = client("Ana"), take_made_up("kryptik", OPENED)
    given = {"name": "Mine", "game": "kryptik", "list": cards.pk, "text": "3 Quay Gull"}
    made = sent(ana, "decks/", given)
    assert (made["version"], made["is_mine"]) == (1, True)
    changed = sent(ana, f"decks/{made['id']}/", {**given, "text": "2 Quay Gull"}, 200, "put")
    assert (changed["version"], changed["text"]) == (2, "2 Quay Gull")
    assert sent(ana, f"decks/{made['id']}/", None, 200, "delete")["is_retired"]
    assert not sent(ana, f"decks/{made['id']}/", given, 200, "put")["is_retired"]
    for method in ("get", "delete"):
        assert getattr(client("Bo"), method)(f"{ROOT}decks/{made['id']}/").status_code == 404
    names = [row["name"] for row in client("Bo").get(f"{ROOT}decks/").json()["results"]]
    assert "Mine" not in names
    assert "Harbour" in names


def test_a_deck_of_nobodys_is_neither_changed_nor_put_away() -> None:
    cards = take_made_up("kryptik", OPENED)
    shared = Deck.objects.get(name="Harbour")
    given = {"name": "Mine", "game": "kryptik", "list": cards.pk, "text": "3 Quay Gull"}
    assert "has no owner" in sent(client("Ana"), f"decks/{shared.pk}/", given, 409, "put")["detail"]
    assert client("Ana").delete(f"{ROOT}decks/{shared.pk}/").status_code == 409


def test_a_deck_is_checked_with_every_breach_and_its_rule() -> None:
    cards = take_made_up("kryptik", OPENED)
    given = {"game": "kryptik", "format": "constructed", "list": cards.pk, "text": "9 Quay Gull"}
    found = sent(client("Ana"), "decks/check/", given, 200)
    assert not found["is_legal"]
    assert {breach["rule"] for breach in found["breaches"]} == {"1.1.1", "1.2.1"}
    found = sent(client("Ana"), "decks/check/", {**given, "text": "9 Quay Gul\nx Ebb"}, 200)
    assert len(found["faults"]) == 2
    whole = (FIXTURES / "kryptik-harbour.txt").read_text(encoding="utf-8")
    assert sent(client("Ana"), "decks/check/", {**given, "text": whole}, 200)["is_legal"]
    assert Deck.objects.filter(owner__isnull=False).count() == 0


def test_a_list_with_faults_is_told_of_with_all_of_them_and_not_stored() -> None:
    text = "list: {key: mine, game: kryptik}\ncards: [{name: A, type: spel}, {name: B, typ: spell}]"
    checked = sent(client("Ana"), "lists/check/", {"text": text}, 200)
    assert not checked["is_valid"]
    assert len(checked["faults"]) >= 2
    told = sent(client("Ana"), "lists/", {"text": text}, 400)
    assert told["fields"]["text"] == checked["faults"]
    assert sent(client("Ana"), "lists/", {"text": "- : ["}, 409)["code"] == "refused"
    assert not CardList.objects.exists()


def test_a_list_is_put_in_once_and_everybody_reads_it() -> None:
    text = "list: {key: mine, game: kryptik, name: Mine}\ncards: [{name: A, type: spell, text: Draw.}]"
    made = sent(client("Ana"), "lists/", {"text": text})
    assert (made["cards"], made["is_official"]) == (1, False)
    assert sent(client("Ana"), "lists/", {"text": text})["id"] == made["id"]
    found = APIClient().get(f"{ROOT}lists/{made['id']}/").json()
    assert found["data"]["cards"][0]["name"] == "A"
    assert [row["id"] for row in APIClient().get(f"{ROOT}lists/").json()["results"]] == [made["id"]]


def test_stops_are_set_and_shown_to_their_owner_alone() -> None:
    game = running()
    body = {"lines": ["attacked"], "stops": True, "token": "one", "on": game.row().head}
    assert sent(client("Ana"), f"{game.table.slug}/entries/", body)["stops"] == ["attacked"]
    assert client("Bo").get(f"{ROOT}{game.table.slug}/").json()["stops"] != ["attacked"]


def test_a_table_is_proved_by_what_is_public_of_it() -> None:
    game = running()
    proof = APIClient().get(f"{ROOT}{game.table.slug}/proof/").json()
    assert "seed" not in proof
    assert proof["entries"][-1]["hash"] == proof["head"]
    assert APIClient().get(f"{ROOT}{game.table.slug}/verify/").json()["is_same"]


def test_formats_are_listed_with_their_games() -> None:
    rows = APIClient().get(f"{ROOT}formats/").json()["results"]
    assert {"game": "kryptik", "format": "constructed", "name": "Constructed"} in rows


def test_who_is_not_logged_in_changes_nothing() -> None:
    table, nobody = opened(), APIClient()
    for path in ("", "decks/", "decks/check/", "lists/", "lists/check/", f"{table.slug}/seats/"):
        assert nobody.post(f"{ROOT}{path}", {}, format="json").status_code == 403, path
    assert nobody.get(f"{ROOT}decks/").status_code == 403
    sit(table, "Ana")
    assert Game(table, OPENED).row().state == "open"
