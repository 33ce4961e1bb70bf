"""How the tests in a browser fill in a form of things to choose, as a player does: by its ticks and its button."""

import re
from collections.abc import Iterable

from playwright.sync_api import Locator


def submit_picks(form: Locator, values: Iterable[str]) -> None:
    """Ticks these values of a form, one tick each, and presses its button."""
    for value in values:
        form.locator(f'input[value="{value}"]:not(:checked)').first.check()
    form.locator(".actions button").click()


def submit_first_picks(form: Locator) -> None:
    """Ticks as many of the first choices as each part of a form asks for, and presses its button."""
    for part in form.locator("fieldset").all():
        least = re.search(r": (\d+) (of|to)", part.locator("legend").inner_text())
        for _ in range(int(least[1]) if least else 0):
            part.locator("input:not(:checked)").first.check()
    form.locator(".actions button").click()
