"""axe finds nothing at a card table: for who is asked, for who waits, for who watches, and in its past."""

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.live_server_helper import LiveServer

from judging.tables.drafts.services import join_draft
from judging.tables.models import Table
from tables.games.altered.agreements import all_suggested
from tests.accessibility.finding import WIDE, Finding, findings
from tests.accessibility.walking import NewContext, told
from tests.services.tables_of_tests import OPENED, WORDS, Game, opened, person, running, sit
from tests.services.test_tables_agreeing import agree, seated
from tests.services.test_tables_drafts import drafted

MOVES = 40


@pytest.mark.django_db(transaction=True)
def test_axe_finds_nothing_at_a_table_in_the_middle_of_a_game(live_server: LiveServer, new_context: NewContext) -> None:
    game = running()
    for _ in range(MOVES):
        name = game.waited()
        lines = game.view(name).legal
        game.post(name, next((line for line in lines if line.startswith(("soul", "cast"))), lines[-1]))
    game.post(game.waited(), "propose: A draws 1")
    table, past = reverse("table", args=[game.table.slug]), reverse("table-entry", args=[game.table.slug, MOVES])
    visits = [("Ana", table), ("Ana", past), ("Bo", table), ("", table)]
    found = [one for name, address in visits for one in looked_at(live_server, new_context, name, address)]
    if found:
        pytest.fail(told(found), pytrace=False)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_axe_finds_nothing_where_a_mercenary_is_chosen_and_where_cards_are_drafted(
    live_server: LiveServer, new_context: NewContext
) -> None:
    arena = opened(game="seize", format="arena", best_of=3)
    for name, called in {"Ana": "Mages in the Arena", "Bo": "Warriors in the Arena"}.items():
        sit(arena, name, called)
    game = Game(Table.objects.get(pk=arena.pk), OPENED)
    game.go_on("move1")
    draft = opened(game="seize", format="draft", name="Four boosters")
    for name in ("Ana", "Bo"):
        join_draft(table=draft, user=person(name), name=name, word=WORDS[name], invitation="", now=OPENED)
    number = (
        next(line for line in game.view(game.waited()).legal if line.startswith("move")).split("#")[1].split(":")[0]
    )
    chosen = f"{reverse('table', args=[arena.slug])}?mover={number}"
    visits = [(game.waited(), chosen), ("", chosen), ("Bo", reverse("table-draft", args=[draft.slug]))]
    found = [one for name, address in visits for one in looked_at(live_server, new_context, name, address)]
    if found:
        pytest.fail(told(found), pytrace=False)


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_axe_finds_nothing_where_people_agree_on_the_adventure_and_where_a_deck_is_made_of_a_pool(
    live_server: LiveServer, new_context: NewContext
) -> None:
    asked, game = seated("Still open"), seated()
    for name in ("Ana", "Bo"):
        agree(game, name, dict(all_suggested()))
    game.go_on("afternoon")
    built = drafted()
    page = {name: reverse(name, args=[game.table.slug]) for name in ("table", "table-agreements", "table-plays-by")}
    visits = [
        ("Ana", reverse("table-agreements", args=[asked.table.slug])), ("Bo", page["table"]), ("", page["table"]),
        ("Ana", page["table-agreements"]), ("", page["table-plays-by"]),
        ("Ana", reverse("table-draft", args=[built.slug])), ("", reverse("table-draft", args=[built.slug])),
    ]  # fmt: skip
    found = [one for name, address in visits for one in looked_at(live_server, new_context, name, address)]
    if found:
        pytest.fail(told(found), pytrace=False)


def looked_at(live_server: LiveServer, new_context: NewContext, name: str, address: str) -> list[Finding]:
    """What axe finds on a page, as somebody or nobody sees it."""
    context = new_context(base_url=live_server.url, reduced_motion="reduce")
    if name:
        client = Client()
        client.force_login(person(name), backend="django.contrib.auth.backends.ModelBackend")
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
    page.set_viewport_size(WIDE)
    response = page.goto(address)
    assert response is not None
    assert response.status == 200
    return list(findings(page, f"{name or 'nobody'} at {address}"))
