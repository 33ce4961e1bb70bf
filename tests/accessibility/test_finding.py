"""The check itself: that it would find what is wrong with a page, under the service's own policy."""

import pytest
from playwright.sync_api import Page

from tests.accessibility.excused import ours
from tests.accessibility.finding import Finding, findings

POLICY = "default-src 'self'; style-src 'unsafe-inline'"
GOOD = "<p>There is nothing to find.</p>"
BROKEN = {
    "color-contrast": '<p style="color: #bbb; background: #fff">Hardly to be read</p>',
    "label": "<form><input name=order></form>",
    "heading-order": "<h3>Too deep</h3>",
    "image-alt": "<img src=map.png>",
    "link-name": '<a href="/nowhere/"></a>',
}
DARK = "<style>@media (prefers-color-scheme: dark) { p { color: #444; background: #222 } }</style><p>A dark night</p>"
WIDE = '<div id="map" style="width: 900px">Wider than a phone</div>'
SCROLLS = '<div style="overflow: auto"><p style="width: 900px"><b style="margin-left: 700px">Out of reach</b></p></div>'


def found_in(page: Page, body: str) -> list[Finding]:
    """What is found on a page with this body, sent with a policy as strict as the service's."""
    html = f'<!doctype html><html lang="en-GB"><title>Test</title><main><h1>Test</h1>{body}</main></html>'
    headers = {"Content-Security-Policy": POLICY}
    page.route("**/*", lambda route: route.fulfill(body=html, content_type="text/html", headers=headers))
    page.goto("http://wargame.example/")
    return list(findings(page, "/"))


def test_a_good_page_has_no_findings(page: Page) -> None:
    assert found_in(page, GOOD) == []


@pytest.mark.parametrize("rule", BROKEN)
def test_a_broken_page_is_found_with_its_rule_and_element(page: Page, rule: str) -> None:
    found = [finding for finding in found_in(page, BROKEN[rule]) if finding.rule == rule]
    assert found
    assert str(found[0]).startswith(f"/: {rule} at ")


def test_what_cannot_be_read_in_the_dark_alone_is_found(page: Page) -> None:
    assert [(found.page, found.rule) for found in found_in(page, DARK)] == [("/, dark", "color-contrast")]


def test_what_is_wider_than_a_phone_is_found_and_named(page: Page) -> None:
    (found,) = found_in(page, WIDE)
    assert found == Finding("/, 375 px", "scrolls sideways", "div#map.", found.summary)


def test_what_scrolls_out_of_the_reach_of_keys_is_found(page: Page) -> None:
    assert "scrollable-region-focusable" in {found.rule for found in found_in(page, SCROLLS)}


def test_what_is_closed_in_a_fold_is_looked_at(page: Page) -> None:
    found = found_in(page, f"<details><summary>More</summary>{BROKEN['label']}</details>")
    assert [each.rule for each in found] == ["label"]


def test_an_excuse_covers_its_own_pages_alone() -> None:
    own = Finding("/api/docs/ as author", "color-contrast", ".btn", "")
    other = Finding("/rounds/ as author", "color-contrast", ".btn", "")
    assert ours([own, other]) == [other]
