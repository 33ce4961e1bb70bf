"""The head of every page: what people come for is always seen, the rest is one press away."""

import re

from django.test import Client

from tests.pages.playing import Game, game

__all__ = ["game"]


def short(html: str) -> list[str]:
    """The entries that are always seen, in their order."""
    menu = html.split('aria-label="Main"', 1)[1].split('<li class="more">', 1)[0]
    return [entry.strip() for entry in re.findall(r"<a [^>]*>([^<]+?)\n", menu)]


def test_a_players_turn_is_first_and_a_judges_desk_and_nobody_has_more_than_seven_entries(game: Game) -> None:
    assert short(game.page("map", who="Ana")) == ["My turn", "Map", "Orders thread", "Battles", "Teams", "Boards"]
    assert short(game.page("map", who="battle")) == ["Judging", "Map", "Orders thread", "Battles", "Teams", "Boards"]
    assert short(game.page("map")) == ["Map", "Orders thread", "Battles", "Teams", "Boards"]
    assert short(Client().get("/rules/").content.decode()) == short(game.page("map")), "the running round is at hand"


def test_more_has_every_other_page_and_says_where_one_is(game: Game) -> None:
    html = game.page("results")

    more = html.split('<li class="more">', 1)[1].split("</nav>", 1)[0]
    for name in ("results", "turns", "armies", "places", "records", "numbers", "judges", "rulings", "log", "verify"):
        assert f'href="{game.url(name)}"' in more
    assert 'More<span class="visually-hidden">, here: Results</span>' in more
    assert more.count('aria-current="page"') == 1


def test_who_is_not_logged_in_finds_both_doors(game: Game) -> None:
    head = game.page("map").split("</header>", 1)[0]

    assert head.index("Log in") < head.index("Sign up")
    assert "Sign up" not in game.page("map", who="Ana").split("</header>", 1)[0]
