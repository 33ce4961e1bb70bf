"""Templates lose their indentation, and nothing that is seen."""

from __future__ import annotations

from wargame.web.squeezing import squeezed


def test_what_lines_begin_with_goes_and_lines_stay_lines() -> None:
    assert squeezed("<ul>\n    <li>\n\t one\n  </li>\n</ul>") == "<ul>\n<li>\none\n</li>\n</ul>"


def test_a_line_that_only_decides_leaves_no_blank_line() -> None:
    source = "<p>\n {# why #}\n\n  {% if a %}\n  {{ a }}\n  {% else %}{% cite 1 %}\n  {% endif %}\n  {% cite 2 %}\n</p>"
    shown = "<p>\n{# why #}{% if a %}{{ a }}\n{% else %}{% cite 1 %}\n{% endif %}{% cite 2 %}\n</p>"
    assert squeezed(source) == shown
    assert squeezed("{% load humanize %}\n<p>") == "{% load humanize %}<p>"
    assert squeezed(source, keeps_lines=True).count("\n") == source.count("\n")


def test_what_shows_its_spaces_keeps_them() -> None:
    kept = "<pre>def f():\n    return 1</pre>"
    typed = "<textarea>\n  3D > 3F\n</textarea>"
    assert squeezed(f"<p>\n  {kept}\n  {typed}\n") == f"<p>\n{kept}\n{typed}\n"
