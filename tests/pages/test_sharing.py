"""3.1, 1.2: what is carried to other places: texts, pictures, signatures, and what a link shows there."""

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse
from hypothesis import given, strategies

from judging.announcements.models import Notice
from judging.battles.models import Result
from judging.common.markup import to_html
from judging.sharing.converters import DIALECTS, JOINER, BBCode, Markdown, Plain
from tests.pages.playing import Game, game
from tests.services.world_of_tests import HOUR

__all__ = ["game"]

SITE = "https://wargame.example/"
STRAT = "MARKER-STRAT-TEXT"
TEXT = "They **held** the *ridge*:\n\n1. first\n2. second\n\n> quoted\n\n[a map](https://x.example/a_(b)) and `code`"


def oembed(path: str, **asked: object) -> Any:
    return Client().get(reverse("oembed"), {"url": f"{settings.PUBLIC_URL}{path}", **asked})


def fought(game: Game) -> Result:
    battle = game.battle()
    for name in ("Ana", "Gaz"):
        game.world.strat(battle, name, name, STRAT)
    result = game.world.score(battle, favours=0, bonus=3)
    Result.objects.filter(pk=result.pk).update(narrative=TEXT)
    game.go_to(battle.deadline + 2 * HOUR)
    return result


def test_a_text_is_written_as_forums_have_it() -> None:
    assert BBCode(SITE).of(str(to_html(TEXT))) == (
        "They [b]held[/b] the [i]ridge[/i]:\n\n[list=1]\n[*] first\n[*] second\n[/list]\n\n[quote]quoted[/quote]\n\n"
        "[url=https://x.example/a_%28b%29]a map[/url] and code"
    )


def test_a_text_is_written_as_plain_text() -> None:
    assert Plain(SITE).of(str(to_html(TEXT))) == (
        "They held the ridge:\n\n1. first\n2. second\n\n> quoted\n\na map (https://x.example/a_(b)) and code"
    )


@pytest.mark.parametrize(
    "text",
    [
        *("# no **head\n\n1) one", "*a* __b__ ~~c~~", "- a\n- b\n\n  more of b\n  1. deep", "> a\n>\n> > b", "---"),
        *("\\*not\\* [a](b) <b>x</b> &amp; @Ana", "```\na ` b\n\n``` x\n```", "1\\. no list\n\n\\- none\n\n\\+ none"),
        *("a  \nb", "| a | b |\n|---|---|\n| 1 | 2 |", "5. five\n6. six", "https://x.example/?a=1&b=(2)"),
    ],
)
def test_markdown_says_again_what_it_said(text: str) -> None:
    html = str(to_html(text))
    if "<table" not in html and "<h" not in html:
        assert str(to_html(Markdown("").of(html))) == html


@given(strategies.text(alphabet="ab*_[]()<>`~#-+.1)> \n\\|!&:/", max_size=60))
def test_whatever_was_typed_is_no_command_elsewhere(text: str) -> None:
    html = str(to_html(text))
    plain = Plain("").of(html)
    for command in ("[b]", "[/b]", "[url=", "[img]"):
        assert command not in BBCode("").said(f"{command}{text}")
    assert BBCode("").of(html).replace(JOINER, "").count("[") >= plain.count("[")


def test_a_result_is_there_in_every_dialect_with_its_picture(game: Game) -> None:
    fought(game)
    notice = Notice.objects.get(kind="result")
    html = game.page("share-post", notice.pk)
    assert reverse("share-post", args=["trial", notice.pk]) in game.page("share")
    for code, _ in DIALECTS.items():
        assert f'id="{code}"' in html
    assert "[img]" in html
    assert "[b]held[/b]" in html
    assert "/card.png" in html
    assert STRAT not in html


def test_a_position_names_every_army_with_its_square(game: Game) -> None:
    html = game.page("share-position", 1)
    assert "Ana on 3D" in html
    picture = Client().get(game.url("turn-card", 1))
    assert (picture.status_code, picture["Content-Type"], picture.content[1:4]) == (200, "image/png", b"PNG")


def test_an_army_has_a_signature(game: Game) -> None:
    for name, head in (("signature", b"\x89PNG"), ("signature-svg", b"<svg")):
        answer = Client().get(game.url(name, "Ana"))
        assert (answer.status_code, answer.content[:4]) == (200, head)
        assert Client().get(game.url(name, "Ana"), headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert b"3D" in Client().get(game.url("signature-svg", "Ana")).content
    assert Client().get(game.url("signature", "Nobody")).status_code == 404
    assert "/signatures/Ana.png[/img]" in game.page("share-army", "Ana")


@pytest.mark.parametrize(("name", "args"), [("share-post", [10**18]), ("share-position", [99]), ("share-army", ["No"])])
def test_what_there_is_not_is_not_found(game: Game, name: str, args: list[object]) -> None:
    assert Client().get(game.url(name, *args)).status_code == 404


def test_a_link_shows_a_picture_elsewhere(game: Game) -> None:
    result = fought(game)
    told = oembed(game.url("battle", result.battle_id)).json()
    assert (told["version"], told["type"], told["width"]) == ("1.0", "photo", 1200)
    assert told["url"].endswith("/card.png")
    assert oembed(game.url("army", "Ana")).json()["title"].startswith("Ana: ")
    assert oembed(game.url("turn", 1)).json()["url"].endswith("/turns/1/card.png")
    assert oembed(game.url("map")).json()["url"].endswith("/rounds/trial/card.png")


def test_a_picture_is_never_larger_than_was_asked_for(game: Game) -> None:
    told = oembed(game.url("army", "Ana"), maxwidth=300).json()
    assert (told["type"], "url" in told, "thumbnail_url" in told) == ("link", False, False)


@pytest.mark.parametrize(
    ("url", "status"),
    [("https://elsewhere.example/", 404), ("http://[", 404), ("", 404), (f"{settings.PUBLIC_URL}/judge/", 404)],
)
def test_what_is_no_page_for_everybody_shows_nothing(game: Game, url: str, status: int) -> None:
    assert Client().get(reverse("oembed"), {"url": url}).status_code == status


def test_xml_is_not_answered(game: Game) -> None:
    assert oembed(game.url("map"), format="xml").status_code == 501


def test_a_page_says_where_its_oembed_is(game: Game) -> None:
    html = game.client("").get(game.url("turn", 1)).content.decode()
    assert 'type="application/json+oembed"' in html
    assert "/oembed/?url=" in html
