"""What axe and a narrow window find on a page, told in a line each.

axe-core comes with axe-playwright-python. The browser's driver gives it to the page past the page's policy, which
stays in force for the page itself.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, ViewportSize

from tests.pages.looking import settled

WIDE = ViewportSize(width=1280, height=900)
NARROW = ViewportSize(width=375, height=800)
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "best-practice"]
QUICK = {"resultTypes": ["violations"], "preload": False}
EVERYTHING = {**QUICK, "runOnly": {"type": "tag", "values": TAGS}}
IN_THE_DARK = {**QUICK, "runOnly": {"type": "rule", "values": ["color-contrast"]}}
ON_A_PHONE = {**QUICK, "runOnly": {"type": "rule", "values": ["scrollable-region-focusable"]}}
OPEN_ALL = "for (const each of document.querySelectorAll('details')) each.open = true;"
STAND_STILL = """() => {
    for (const each of document.getAnimations()) {
        if (each.effect.getComputedTiming().endTime === Infinity) each.cancel();
        else each.finish();
    }
}"""
TOO_WIDE = """() => {
    const {scrollWidth, clientWidth} = document.documentElement;
    if (scrollWidth <= clientWidth) return null;
    const reach = (each) => each.getBoundingClientRect().right + window.scrollX;
    const all = [...document.body.querySelectorAll("*")].filter((each) => reach(each) > clientWidth + 0.5);
    const widest = all.sort((one, other) => reach(other) - reach(one))[0];
    const named = widest ? `${widest.localName}#${widest.id}.${widest.className}` : "html";
    return [named, `${scrollWidth} px wide in ${clientWidth} px`];
}"""
AXE = Axe()


@dataclass(frozen=True)
class Finding:
    """Where, which rule, which element, what is wrong."""

    page: str
    rule: str
    selector: str
    summary: str

    def __str__(self) -> str:
        return f"{self.page}: {self.rule} at {self.selector}: {self.summary}"


def findings(page: Page, name: str) -> Iterator[Finding]:
    """Everything that is wrong with the open page: by day on a desktop, in the dark, and on a phone.

    What can be opened is open. The page is left dark and narrow.
    """
    page.evaluate(OPEN_ALL)
    page.evaluate(AXE.axe_script)
    yield from found_by_axe(page, name, EVERYTHING)
    page.emulate_media(color_scheme="dark", reduced_motion="reduce")
    settled(page)
    page.evaluate(STAND_STILL)  # half-way between two schemes the colours are neither's
    yield from found_by_axe(page, f"{name}, dark", IN_THE_DARK)
    page.set_viewport_size(NARROW)
    settled(page)
    yield from found_by_axe(page, f"{name}, 375 px", ON_A_PHONE)
    if found := page.evaluate(TOO_WIDE):
        yield Finding(f"{name}, 375 px", "scrolls sideways", *found)


def found_by_axe(page: Page, name: str, options: dict[str, Any]) -> Iterator[Finding]:
    """What axe finds on the open page as it is now."""
    for violation in page.evaluate("async (options) => (await axe.run(document, options)).violations", options):
        for node in violation["nodes"]:
            summary = " ".join(node["failureSummary"].split())
            yield Finding(name, violation["id"], " ".join(map(str, node["target"])), summary)
