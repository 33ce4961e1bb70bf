"""What can be shared as a picture: published battles, rounds and their maps; the same for everybody."""

import re

from django.test import Client, RequestFactory

from judging.battles.images import HEADLINE, _wrapped
from judging.battles.models import Result
from judging.common.pictures import picture
from judging.map.queries import small_map
from tests.pages.playing import Game, game
from tests.services.world_of_tests import HOUR
from wargame.models import Turn

__all__ = ["game"]

SECRET = "We hide behind the ridge."


def tags(html: str) -> dict[str, str]:
    return dict(re.findall(r'<meta property="og:(\S+)" content="([^"]*)">', html))


def test_a_published_battle_is_a_card_and_one_without_a_result_is_none(game: Game) -> None:
    battle = game.battle()
    game.world.strat(battle, "Ana", "Ana", SECRET)
    cards = [f"/rounds/{game.world.round.slug}/battles/{battle.pk}/card.{kind}" for kind in ("svg", "png")]
    assert [game.client("battle").get(card).status_code for card in cards] == [404, 404]
    before = tags(game.page("battle", battle.pk))
    assert (before["title"], "card.png" in before["image"]) == ("Ana against Gaz", True)
    assert "/battles/" not in before["image"], "the round's picture stands for it until then"

    game.world.score(battle)
    game.go_to(battle.deadline + 2 * HOUR)
    Result.objects.update(narrative="They *met* at <dawn>. " + "And they fought. " * 80)

    svg, png = (Client().get(card) for card in cards)
    text = svg.content.decode()
    assert svg["Content-Type"].startswith("image/svg+xml")
    assert "Ana against Gaz" in text
    assert "They met at" in text
    assert SECRET not in text
    assert game.client("Ana").get(cards[0]).content == svg.content, "whoever looks"
    assert png.content[:8] == b"\x89PNG\r\n\x1a\n"
    assert (png.content[16:20], png.content[20:24]) == ((1200).to_bytes(4), (630).to_bytes(4))
    again = Client().get(cards[1], headers={"If-None-Match": png["ETag"]})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", png["ETag"])
    for page in (("battle", battle.pk), ("results",)):
        assert tags(game.page(*page))["image"].endswith(cards[1])
    assert "won" in tags(game.page("battle", battle.pk))["description"]


def test_long_words_stay_within_their_lines() -> None:
    lines = _wrapped("W" * 100, HEADLINE, 2)
    assert (len(lines), max(map(len, lines)) <= HEADLINE) == (2, True)
    assert lines[-1].endswith("…")


def test_a_round_has_a_card_and_every_page_of_it_names_it(game: Game) -> None:
    slug = game.world.round.slug
    png = Client().get(f"/rounds/{slug}/card.png")
    assert (png.status_code, png["Content-Type"]) == (200, "image/png")
    named = tags(game.page("map"))
    assert (named["title"], named["image"].endswith(f"/rounds/{slug}/card.png")) == ("Trial", True)
    assert tags(Client().get("/rounds/").content.decode())["site_name"] == "The Coalition Wargame"
    assert Client().get("/rounds/nowhere/card.png").status_code == 404


def test_the_turns_are_a_strip_of_small_maps_that_are_drawn_once(game: Game) -> None:
    slug, turn = game.world.round.slug, Turn.objects.get(round=game.world.round, number=1)
    html = game.page("turns")
    address = f"/rounds/{slug}/turns/1/small.svg?v={turn.position_hash[:12]}"
    assert f'src="{address}"' in html
    assert f'<a href="/rounds/{slug}/turns/1/">' in html
    found = Client().get(address)
    assert found.content.decode() == small_map(turn)
    assert "max-age=31536000" in found["Cache-Control"]
    assert "max-age=3600" in Client().get(address.partition("?")[0])["Cache-Control"], "without its hash it may change"
    assert Client().get(f"/rounds/{slug}/turns/99/small.svg").status_code == 404


def test_what_xml_cannot_hold_is_left_out_of_a_picture() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>\x0bHm\x01\ufffe.</text></svg>'
    request = RequestFactory().get("/")
    assert b"<text>Hm.</text>" in picture(request, svg, "svg").content  # type: ignore[attr-defined]
    assert picture(request, svg, "png").status_code == 200
