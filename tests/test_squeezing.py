"""Templates, styles and scripts lose what is for people who write them, and nothing that is seen."""

from __future__ import annotations

from pathlib import Path

import pytest
import time_machine
from django.conf import settings
from django.core.files.base import ContentFile
from django.test import Client

from tests.services.world_of_tests import HOUR, UNLOCK, begin, make_round
from wargame.web.squeezing import squeezed
from wargame.web.statics import Storage, squeezed_script, squeezed_styles

STATIC = settings.BASE_DIR / "judging/static/judging"


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


def test_styles_lose_comments_and_spaces_and_keep_their_texts() -> None:
    source = """/* It's a note. */
    @import url("colors.css");
    .a > .b,
    .c :is(a, p) { color: red; /* why */ content: "; { /* x */ "; margin: calc(1rem + 2px) 0; }
    @media (max-width: 40rem) { .d::after { content: ' ▾'; } }
    """
    kept = '@import url("colors.css");.a>.b,.c :is(a,p){color:red;content:"; { /* x */ ";margin:calc(1rem + 2px) 0}'
    assert squeezed_styles(source) == kept + "@media (max-width:40rem){.d::after{content:' ▾'}}\n"


def test_a_script_loses_lines_that_are_comments_and_its_lines_stay_lines() -> None:
    source = "// What it does\n(() => {\n  const there = 'http://x'\n  // why\n\n  go(`${there}/* */`)\n})();\n"
    assert squeezed_script(source) == "(() => {\nconst there = 'http://x'\ngo(`${there}/* */`)\n})();\n"


def test_a_script_with_a_text_of_several_lines_stays_as_it_is() -> None:
    source = "const text = `one\n  // two\n`;\n"
    assert squeezed_script(source) == source


@pytest.mark.parametrize("path", sorted(STATIC.glob("*.js")) + sorted(STATIC.glob("*.css")), ids=lambda path: path.name)
def test_our_own_files_are_squeezed_once_and_for_all(path: Path) -> None:
    squeeze = squeezed_styles if path.suffix == ".css" else squeezed_script
    source = path.read_text(encoding="utf-8")
    once = squeeze(source)
    assert squeeze(once) == once
    assert len(once) < len(source)
    assert path.suffix == ".js" or once.count("{") == once.count("}")


def test_collected_files_are_squeezed_and_named_by_what_is_sent(tmp_path: Path) -> None:
    storage = Storage(location=str(tmp_path), base_url="/static/")
    source = b"/* a note */\n.a { color: red; }\n"
    storage.save("judging/a.css", ContentFile(source))
    storage.save("elsewhere/a.css", ContentFile(source))
    assert (tmp_path / "judging/a.css").read_bytes() == b".a{color:red}\n"
    assert (tmp_path / "elsewhere/a.css").read_bytes() == source
    hashes = [storage.file_hash(name, ContentFile(source)) for name in ("judging/a.css", "elsewhere/a.css")]
    assert hashes[0] == storage.file_hash("judging/a.css", ContentFile(b".a { color: red }\n")) != hashes[1]


def test_the_map_of_a_turn_that_is_played_loads_only_what_it_shows(client: Client, db: None) -> None:
    """A visitor's first view: no styles of other pages, no script for orders that he can't give; a player's has what
    his orders need besides."""
    world = make_round({"Ana": ("coalition", "3D", "captain")})
    with time_machine.travel(UNLOCK + HOUR, tick=False):
        begin(world)
        page = client.get(f"/rounds/{world.round.slug}/").content.decode()
        client.force_login(world.players["Ana"].user, backend="django.contrib.auth.backends.ModelBackend")
        hers = client.get(f"/rounds/{world.round.slug}/").content.decode()
    for name in ("orders.css", "map_hand.css", "map_orders.js", "post.js", "keep.js"):
        assert (f"judging/{name}" in page, f"judging/{name}" in hers) == (False, True), name
    for name in ("pages.css", "threads.css"):
        assert f"judging/{name}" not in page + hers, name
