"""12, A12: the form on which players agree, what a table and a round play by, and citations that lead there."""

import re
from html import unescape

import pytest
from django.test import Client

from judging.tables.models import Entry
from judging.tables.services import agreements
from tests.services.tables_of_tests import Game, person
from tests.services.test_tables_agreeing import SAID, agree, seated
from tests.services.world_of_tests import make_round

pytestmark = pytest.mark.django_db

FILLED = {
    "answer-1": "hand 6, mana 3", "answer-2": "by hand", "answer-3": "own", "words-3": "Whoever smiles first",
    **{f"answer-{n}": "leave open" for n in range(4, 11)},
}  # fmt: skip


@pytest.fixture
def game() -> Game:
    """A table of Altered at which Ana and Bo have sat down."""
    return seated()


def client(name: str = "") -> Client:
    """A browser of somebody who is logged in, or of nobody."""
    made = Client()
    if name:
        made.force_login(person(name))
    return made


def text(response: object) -> str:
    """A page without its tags."""
    content = response.content.decode()  # type: ignore[attr-defined]
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", content)).split())


def send(game: Game, name: str, **changes: str) -> object:
    """Somebody sends the form."""
    data = {**FILLED, "on": game.row().head, "token": f"{name} {game.row().entries}", **changes}
    return client(name).post(f"/tables/{game.table.slug}/agreements/", data)


def test_a_table_leads_to_its_questions_which_say_that_suggestions_are_house_rules(game: Game) -> None:
    page = client("Ana").get(f"/tables/{game.table.slug}/")
    assert f"/tables/{game.table.slug}/agreements/" in page.content.decode()
    questions = text(client("Ana").get(f"/tables/{game.table.slug}/agreements/"))
    assert "A house rule that fits the document but isn't part of it." in questions
    assert "Waiting for your answer" in questions


def test_two_people_agree_by_the_form_and_the_table_starts(game: Game) -> None:
    first = send(game, "Ana")
    assert first.status_code == 302  # type: ignore[attr-defined]
    page = client("Bo").get(f"/tables/{game.table.slug}/agreements/").content.decode()
    assert "<strong>Ana proposes:</strong>" in page
    assert re.search(r'value="by hand"\s+checked', page)
    assert 'value="Whoever smiles first"' in page
    second = send(game, "Bo")
    assert second.headers["Location"] == f"/tables/{game.table.slug}/"  # type: ignore[attr-defined]
    assert Entry.objects.filter(table=game.table, kind="act").count() == 2


def test_what_cannot_be_agreed_on_is_refused_at_its_question_and_what_was_typed_stays(game: Game) -> None:
    response = send(game, "Ana", **{"answer-7": "own", "words-7": "a lot"})
    page = response.content.decode()  # type: ignore[attr-defined]
    assert response.status_code == 422  # type: ignore[attr-defined]
    assert "Question 7: A boost must be worth a whole number from 0 to 9." in page
    assert 'value="a lot"' in page
    assert 'value="Whoever smiles first"' in page


def test_who_says_the_same_again_is_told_that_he_has_said_it(game: Game) -> None:
    send(game, "Ana")
    again = send(game, "Ana")
    assert again.status_code == 422  # type: ignore[attr-defined]
    assert "already given these answers" in text(again)


def test_a_set_of_another_table_fills_the_form(game: Game) -> None:
    other = seated("Before")
    for name in ("Ana", "Bo"):
        agree(other, name, SAID)
    kept = agreements.offer_agreements(table=other.table, user=person("Bo"), title="By hand", now=game.now)
    page = client("Ana").get(f"/tables/{game.table.slug}/agreements/?set={kept.pk}").content.decode()
    assert "Filled in: By hand: as played at Before." in page
    assert 'value="Whoever smiles first"' in page


def test_who_does_not_play_reads_what_was_said_and_is_given_no_form(game: Game) -> None:
    send(game, "Ana")
    for name in ("Cy", ""):
        page = client(name).get(f"/tables/{game.table.slug}/agreements/")
        assert b'name="answer-1"' not in page.content
    assert "Ana proposes: Whoever smiles first" in text(client().get(f"/tables/{game.table.slug}/plays-by/"))
    assert client("Cy").post(f"/tables/{game.table.slug}/agreements/", FILLED).status_code == 422


def test_each_outcome_leads_to_the_agreement_behind_it_and_back(game: Game) -> None:
    for name in ("Ana", "Bo"):
        agree(game, name, SAID)
    plays = f"/tables/{game.table.slug}/plays-by/"
    log = client().get(f"/tables/{game.table.slug}/").content.decode()
    assert f'href="{plays}#agreed-1"' in log
    page = client().get(plays).content.decode()
    assert 'id="agreed-1"' in page
    assert re.search(rf'href="/tables/{game.table.slug}/entries/\d+/"', page)
    shown = text(client().get(plays))
    assert "Whoever smiles first agreed" in shown
    assert "do this automatically" in shown
    assert page.count('class="pb-one pb-one--ruling"') == 43


def test_a_player_offers_the_set_of_his_table_by_a_title(game: Game) -> None:
    for name in ("Ana", "Bo"):
        agree(game, name, SAID)
    offered = client("Ana").post(f"/tables/{game.table.slug}/agreements/offer/", {"title": "Smiles"}, follow=True)
    assert "Offered to everyone as “Smiles”." in text(offered)
    assert 'value="Smiles"' in client("Bo").get(f"/tables/{game.table.slug}/plays-by/").content.decode()


@pytest.mark.parametrize(("kind", "number"), [("kryptik", "K62"), ("seize", "S88")])
def test_tables_of_the_other_games_say_what_they_play_by(kind: str, number: str) -> None:
    from tests.services.tables_of_tests import opened

    formats = {"kryptik": "constructed", "seize": "standard"}
    table = opened(game=kind, format=formats[kind], rulings={number: "never"})
    page = client().get(f"/tables/{table.slug}/plays-by/")
    assert page.status_code == 200
    assert f'<a href="#{number}">{number}</a>' in page.content.decode()
    assert "different here" in text(page)
    assert client().get(f"/tables/{table.slug}/agreements/").status_code == 404


def test_a_free_table_says_that_its_players_agree_on_everything() -> None:
    from tests.services.tables_of_tests import opened

    table = opened(game="free", format="default", name="Anything goes")
    assert "A free table has no rules of its own" in text(client().get(f"/tables/{table.slug}/plays-by/"))


def test_a_round_says_what_it_plays_by_with_its_rulings_by_number() -> None:
    round_ = make_round({}).round
    round_.most_appeals = 7
    round_.save()
    page = client().get(f"/rounds/{round_.slug}/plays-by/")
    shown = text(page)
    assert "Open appeals per player 7 R57 set here" in shown
    assert "Turn length 7 days" in shown
    assert 'id="R67"' in page.content.decode()


def test_faces_of_mana_orbs_are_on_their_owners_pages_alone(game: Game) -> None:
    """3.2.9.d: what lies face down in Ana's Mana zone stands on no page of another, now or in the past."""
    for name in ("Ana", "Bo"):
        game.post(name, "agree suggested")
    hand = [one["card"] for one in game.view("Ana").view["zones"]["A.hand"]]
    game.post("Ana", f"mana {', '.join(hand[:3])}")
    game.post("Bo", game.view("Bo").legal[0])
    own = client("Ana").get(f"/tables/{game.table.slug}/").content.decode()
    assert all(card in own for card in hand)
    last = game.row().entries
    addresses = [f"/tables/{game.table.slug}/", f"/tables/{game.table.slug}/plays-by/"]
    addresses += [f"/tables/{game.table.slug}/entries/{n}/" for n in range(last - 3, last + 1)]
    for name in ("Bo", "Cy", ""):
        for address in (*addresses, f"/api/v1/tables/{game.table.slug}/", f"/api/v1/tables/{game.table.slug}/entries/"):
            shown = client(name).get(address).content.decode()
            assert [card for card in hand if card in shown] == [], f"{name} at {address}"
