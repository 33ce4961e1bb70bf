"""axe finds nothing on any page: those of a round whose turn is open, with everything in it, and of the whole site.

`make test` looks at the pages that people use most, `make test-all` at every page.
"""

from pathlib import Path

import pytest
import time_machine
from playwright.sync_api import Page
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from judging.armies.creatures.services import load_own_list
from tests.accessibility.choosing import Place, chosen, name_of
from tests.accessibility.excused import ours
from tests.accessibility.refusing import Forms, forms_of, found_when_refused
from tests.accessibility.scene import add_what_players_do
from tests.accessibility.walking import NewContext, found_on, told
from tests.secrecy import plant
from tests.secrecy.routes import every_route

SETUP = "rounds/<slug:slug>/setup/"
STRAY = (Place("anonymous", "/nothing/", status=404), Place("leader", "/rounds/trial/nothing/", status=404))
NOT_NOW = {
    "muster": "armies are raised while the round is set up",
    "muster-list": "armies are raised while the round is set up",
    "judge:muster": "armies are raised while the round is set up",
    "turn-before": "no turn is corrected here",
    "turn-text": "the open turn has no update yet",
    "places": "shown while the round is set up",
    "metrics": "for the addresses alone that the host has named",
    "round-end": "the round is not over",
    "table-agreements": "no table of Altered is played here",
    "verify-stamp": "a file, where the host has named an authority",
    "unsubscribe": "its address stands in a letter alone",
    "own-calendar": "its address is its reader's own",
    "own-feed": "its address is its reader's own",
    "own-board-feed": "its address is its reader's own",
    "own-table-feed": "its address is its reader's own",
    "table-calendar": "its address is its reader's own",
    "oembed": "it answers to the address of a page, given behind the `?`",
    "logo": "a picture, where the host has named one",
    "security-text": "plain text, where the host has named a contact",
    "table-draft": "no draft is planted here: tests/accessibility/test_card_table.py looks at one",
}
NEVER = ("_add", "_delete", "judge/<url>", "judge:autocomplete", "judge:view_on_site", "board-feed", "board-topic-feed")
"""Parts of the names of what is closed to everybody: rows are neither added nor deleted by hand, and so on."""
MOST_USED = (
    *("home", "login", "sign-up", "account", "rounds", "turn", "map", "movement", "battle", "strat", "board-topic"),
    *("votes", "command", "mailbox", "notifications", "log", "rulebook", "search", "judge:index", "judge:battle"),
    *("judge:judging_battle_changelist", "table", "table-talk"),
)


@pytest.mark.parametrize(
    ("names", "refusals"),
    [(MOST_USED, 5), pytest.param((), 20, marks=pytest.mark.slow)],
    ids=["the most used pages", "every page"],
)
def test_axe_finds_nothing_on_the_pages_of_an_open_turn_and_on_its_refused_forms(
    names: tuple[str, ...],
    refusals: int,
    live_server: LiveServer,
    clock: time_machine.Traveller,
    new_context: NewContext,
    settings: Settings,
    tmp_path: Path,
) -> None:
    imprint = tmp_path / "imprint.md"
    imprint.write_text("# Who runs this site\n\nNell Harrow, Owl Lane 3\n")
    settings.HOST_PAGES = dict.fromkeys(settings.HOST_PAGES, imprint)
    scene = plant.at_phase("open", clock)
    add_what_players_do(scene)
    load_own_list()
    routes = [route for route in every_route() if not route.pattern.startswith(("api/v1", SETUP))]
    routes = [route for route in routes if not names or name_of(route) in names]
    choice = chosen(scene, routes)
    assert {name for name in choice.closed_to_all() if not any(part in name for part in NEVER)} <= set(NOT_NOW)
    forms, refused = Forms(), set[str]()

    def look(page: Page, place: Place) -> None:
        forms[place] = forms_of(page)

    found = ours(found_on((*STRAY, *choice.places), scene, live_server, new_context, look))
    found += ours(found_when_refused(forms, scene, live_server, new_context, refused))
    assert len(refused) >= refusals, f"Too few forms were refused to tell: {sorted(refused)}"
    if found:
        pytest.fail(told(found), pytrace=False)
