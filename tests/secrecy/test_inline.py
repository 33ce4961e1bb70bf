"""What the walk of an open turn looks for besides secrets: it would find a script or a style that stands in a page."""

from tests.secrecy.inline import inline_in


def test_what_stands_in_a_page_is_found() -> None:
    found = {
        "<p style='x'>": "<p style>",
        '<p class="x"STYLE = y>': "<p style>",
        "<style>": "<style>",
        "<script>b()</script>": "<script>",
        "<script\n type=module>b()</script>": "<script>",
        "<button hx-on:click='c()'>": "<button hx-on:click>",
        "<img/onerror=c()>": "<img onerror>",
        "<a href='JavaScript:e()'>": "<a href=JavaScript:e()>",
        "<a href='&#106;avascript:e()'>": "<a href=javascript:e()>",
        "<a href=java&#115;cript:e()>": "<a href=javascript:e()>",
        "<a href='data:text/html,e'>": "<a href=data:text/html,e>",
    }
    assert {tag: inline_in(f"<p>It stands on a page: {tag}") for tag in found} == {t: [f] for t, f in found.items()}
    assert inline_in('<script src="map.js"></script><script type="application/json">{}</script><p class="on">') == []
