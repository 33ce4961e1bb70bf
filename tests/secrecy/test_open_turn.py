"""DESIGN, who sees what: while a turn is open, all its secrets are planted and nobody sees more than he may."""

import pytest
import time_machine
from django.http import HttpResponseBase

from tests.secrecy import plant, wordless
from tests.secrecy.checking import check
from tests.secrecy.inline import inline_in
from tests.secrecy.walking import body_of

SEE_THE_MOST = ("author", "battle", "mercenary")


def test_an_open_turn_keeps_its_secrets_in_words_and_numbers_and_no_page_has_a_script_or_a_style_in_it(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """Each is shown to its author. What has no text of its own may be whatever it likes: to those whom it does not
    concern all pages say the same. The policy that pages are sent with allows no script and no style in them."""
    scene = plant.at_phase("open", clock)
    pages, wrong = wordless.Pages(scene, ("anonymous", "administrator")), dict[str, list[str]]()

    def look(viewer: str, address: str, response: HttpResponseBase) -> None:
        pages.look(viewer, address, response)
        if viewer in SEE_THE_MOST and response.headers["Content-Type"].startswith("text/html"):
            found = inline_in(body_of(response))
            if found:
                wrong[f"{address} as {viewer}"] = found

    check(scene, caplog, look=look)
    assert wrong == {}
    wordless.change_the_turn()
    assert pages.changed() == []


def test_a_turn_that_the_clock_has_locked_shows_its_sealed_orders_and_nothing_else(
    clock: time_machine.Traveller, caplog: pytest.LogCaptureFixture
) -> None:
    """R4: no job has run yet."""
    check(plant.at_phase("locked", clock), caplog, seen=())
