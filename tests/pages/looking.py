"""What the tests in a browser wait for. A page answers an act in a later frame, so nothing is asserted at once."""

from contextlib import suppress
from typing import Any

from playwright.sync_api import Page, TimeoutError

FRAMES = """() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"""


def until(page: Page, condition: str, arg: Any = None) -> None:
    """Waits until the condition, JavaScript of `arg`, holds."""
    page.wait_for_function(condition, arg=arg)


def settled(page: Page) -> None:
    """Waits until what was done is drawn: two frames."""
    page.evaluate(FRAMES)


def fits(page: Page, width: int = 375) -> None:
    """Waits until nothing scrolls sideways; else the test fails and says how wide the page is."""
    with suppress(TimeoutError):
        page.wait_for_function("width => document.documentElement.scrollWidth <= width", arg=width, timeout=10_000)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
