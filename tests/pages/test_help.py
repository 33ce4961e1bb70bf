"""The docs for players and judges are pages of the site."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from judging.rulebooks import documents

pytestmark = pytest.mark.django_db

DOCS = Path(settings.BASE_DIR) / "docs"
FILES = [path.relative_to(DOCS).as_posix() for part in ("play", "judge") for path in (DOCS / part).rglob("*.md")]


def test_every_page_for_players_and_judges_opens_and_its_links_lead_somewhere(client: Client) -> None:
    listed = client.get("/help/").content.decode()
    pages: dict[str, str] = {}
    for name in (*FILES, "glossary.md"):
        url = documents.url_of(name)
        assert f'href="{url}"' in listed, name
        answer = client.get(f"/help/{name.removesuffix('.md').removesuffix('/README')}/", follow=True)
        assert answer.status_code == 200, name
        assert answer.redirect_chain in ([], [(url, 302)])
        pages[url] = answer.content.decode()
    for url, page in pages.items():
        text = page[page.index("<article") : page.index("</article>")]
        ids = re.findall(r'id="([^"]+)"', page)
        assert len(ids) == len(set(ids)), url
        for path, anchor in re.findall(r'<a [^>]*href="(?!https?:)([^"#]*)#?([^"]*)"', text):
            there = pages[path or url]
            assert not anchor or f'id="{anchor}"' in there, f"{url} links to {path}#{anchor}"


@pytest.mark.parametrize("page", ["host", "develop/api", "play/none", "../README", "play/../../README", "play/README"])
def test_other_files_have_no_page(client: Client, page: str) -> None:
    assert client.get(f"/help/{page}/").status_code == 404
