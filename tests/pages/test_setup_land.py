"""1.2, 2.5.1.1, 2.5.1.4: terrain, bases, portals and towns of a round in its set-up, without JavaScript."""

import re
from html import unescape

import pytest
from django.http import HttpResponse

from judging.common.models import LogEntry
from judging.setup.models import PlannedSite
from judging.setup.steps.terrain import demo_terrain
from tests.pages.setting_up import SQUARES, TOWNS, Foundation, foundation, said, value_of
from wargame.models import Base, Round, Town
from wargame.rules.armies.terrain_text import EMPTY

__all__ = ["foundation"]


def typed(response: HttpResponse, name: str = "terrain") -> str:
    found = re.search(rf'<textarea[^>]*\bid="{name}"[^>]*>\n(.*?)</textarea>', response.content.decode(), re.DOTALL)
    assert found
    return unescape(found[1])


def save(foundation: Foundation, text: str, act: str = "save", version: int = 0) -> HttpResponse:
    return foundation.post("Judy", "setup-terrain", terrain=text, act=act, version=version)


def test_a_new_round_is_all_ocean_and_has_no_terrain_yet(foundation: Foundation) -> None:
    assert foundation.round.terrain.split() == list(EMPTY)
    assert "Paint the map, or use the demo map." in foundation.page("Judy", "setup-terrain")
    assert "setup-map" not in foundation.get("", "setup").content.decode()


@pytest.mark.parametrize(("act", "first"), [("demo", demo_terrain()[0]), ("plains", "p" * 38), ("ocean", "o" * 38)])
def test_a_map_to_start_from_fills_the_form_and_saves_nothing(foundation: Foundation, act: str, first: str) -> None:
    response = save(foundation, "whatever", act)

    assert typed(response).splitlines()[0] == first
    assert "Not saved yet." in said(response)
    assert foundation.setup.version("terrain") == 0


def test_a_pasted_map_is_saved_in_small_letters_and_given_back_as_text(foundation: Foundation) -> None:
    text = "\r\n".join(["", *(f"  {row.upper()}  " for row in demo_terrain()), ""])
    assert save(foundation, text).status_code == 302

    assert foundation.setup.round.terrain.split() == list(demo_terrain())
    response = foundation.get("Judy", "setup-terrain-text")
    assert response.content.decode() == "\n".join(demo_terrain()) + "\n"
    assert response["Content-Disposition"] == 'attachment; filename="the-trial-terrain.txt"'
    assert "The map (bases are still secret)" in foundation.page("", "setup")


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([*EMPTY[:13], "o" * 37 + "x"], "Line 14 (row N), column 38: “x” is not a terrain."),
        (
            [*EMPTY[:3], "o" * 35, *EMPTY[4:]],
            "Line 4 (row D) has 35 letters, 3 too few; it is wrong from column 36 on.",
        ),
        (["o" * 40, *EMPTY[1:]], "Line 1 (row A) has 40 letters, 2 too many; it is wrong from column 39 on."),
        (EMPTY[:12], "There are 12 lines; a map has 14, one for each of A to N."),
        ([*EMPTY, "p" * 38], "Line 15 is one too many: a map has 14 lines."),
        ([], "There are 0 lines"),
    ],
)
def test_a_text_that_is_no_map_is_refused_with_line_and_column_and_kept(
    foundation: Foundation, rows: list[str], sentence: str
) -> None:
    text = "\n".join(rows)
    response = save(foundation, text)

    assert response.status_code == 422
    assert sentence in said(response)
    assert typed(response) == text
    assert foundation.setup.version("terrain") == 0


def test_bases_get_their_squares_in_any_way_of_writing_them(foundation: Foundation) -> None:
    squares = {**SQUARES, "White Base": "f6", "Blue Base": "03k", "Portal 5": ""}
    assert foundation.place("bases", squares).status_code == 302

    assert foundation.site("White Base").at == "6F"
    assert foundation.site("Blue Base").at == "3K"
    assert "No square yet: Portal 5." in foundation.page("Judy", "setup-bases")


def test_two_bases_may_swap_their_squares(foundation: Foundation) -> None:
    foundation.place()
    swapped = {**SQUARES, "White Base": SQUARES["Red Base"], "Red Base": SQUARES["White Base"]}
    assert foundation.place("bases", swapped).status_code == 302

    assert foundation.site("White Base").at == SQUARES["Red Base"]


@pytest.mark.parametrize(
    ("squares", "sentence"),
    [
        ({"Portal 1": "8F"}, "White Base on 6F is 2 squares from the enemy's Portal 1 on 8F; the minimum is 3."),
        ({"Portal 1": "7G"}, "White Base on 6F is 2 squares from the enemy's Portal 1 on 7G"),
        ({"Portal 1": "6F"}, "White Base and Portal 1 are both on 6F."),
        ({"Portal 1": "39F"}, "Portal 1: 39F isn't on the map. Squares run from 1A to 38N."),
        ({"Portal 1": "nowhere"}, "Portal 1: “nowhere” is not a square. Write its number and letter, like 3D."),
    ],
)
def test_places_against_the_rule_are_refused_and_stay_in_the_form(
    foundation: Foundation, squares: dict[str, str], sentence: str
) -> None:
    """2.5.1.1: a base 2 squares from an enemy's."""
    response = foundation.place("bases", {**SQUARES, **squares})

    assert response.status_code == 422
    assert sentence in said(response)
    assert value_of(response, f"at-{foundation.site('Portal 1').pk}") == squares["Portal 1"]
    assert value_of(response, f"at-{foundation.site('Green Base').pk}") == SQUARES["Green Base"]
    assert not PlannedSite.objects.exclude(at="").exists()


def test_a_refused_save_says_so_once_and_nothing_of_what_was_saved_before(foundation: Foundation) -> None:
    """2.5.1.1: one box with the rule; the list of what is still missing stands on the next page that is saved."""
    response = foundation.place("bases", {**SQUARES, "Portal 1": "8F"})

    page = said(response)
    assert response.content.decode().count("error-summary") == 1
    assert "Not saved. There is one problem. Your changes are still in the form." in page
    assert page.count("is 2 squares from the enemy's Portal 1") == 1
    assert "No square yet" not in page

    stale = {**foundation.sites_form("bases", SQUARES), "version": 7}
    refused = foundation.post("Judy", "setup-bases", **stale)
    assert refused.content.decode().count("error-summary") == 1
    assert "This step was saved in another window" in said(refused)


def test_names_are_there_and_differ(foundation: Foundation) -> None:
    portal = foundation.site("Portal 1")
    form = foundation.sites_form("bases", {})
    for name, sentence in (("", "Give Portal 1 a name."), ("white base", "Two sites are called white base.")):
        response = foundation.post("Judy", "setup-bases", **{**form, f"name-{portal.pk}": name})
        assert response.status_code == 422
        assert sentence in said(response)
    assert foundation.post("Judy", "setup-bases", **{**form, f"name-{portal.pk}": " The  Rift "}).status_code == 302
    assert PlannedSite.objects.get(pk=portal.pk).name == "The Rift"


def test_the_preview_shows_what_is_closed_to_each_side_and_saves_nothing(foundation: Foundation) -> None:
    form = foundation.sites_form("bases", {"White Base": "6F", "Portal 1": "20G"})
    html = foundation.post("Judy", "setup-bases-preview", **form).content.decode()

    closed = dict(re.findall(r'data-zone="(\w+)" data-squares="([^"]*)"', html))
    assert len(closed["coalition"].split()) == len(closed["phyrexia"].split()) == 13
    assert {"20G", "22G", "21H"} <= set(closed["coalition"].split())
    assert "23G" not in closed["coalition"].split()
    assert 'data-name="White Base"' in html
    assert 'text-anchor="middle">Portal 1</text>' in html
    assert "Too close to a portal for a Coalition base" in html
    assert foundation.site("White Base").at == ""


def test_a_town_on_a_base_is_refused_and_a_base_on_a_town_too(foundation: Foundation) -> None:
    foundation.place()
    response = foundation.place("towns", {**TOWNS, "Town 1": "6F"})
    assert response.status_code == 422
    assert "Town 1 and White Base are both on 6F." in said(response)

    foundation.place("towns")
    response = foundation.place("bases", {**SQUARES, "White Base": TOWNS["Town 1"]})
    assert f"Town 1 and White Base are both on {TOWNS['Town 1']}." in said(response)


def test_the_fairness_of_towns_is_told_in_figures(foundation: Foundation) -> None:
    """2.5.1.4."""
    foundation.place()
    form = foundation.sites_form("towns", TOWNS)
    page = said(foundation.post("Judy", "setup-towns-preview", **form))
    assert "on average 0.7 squares closer to the towns" in page
    assert "less than a turn's move" in page

    lopsided = {"Town 1": "6D", "Town 2": "8F", "Town 3": "4K"}
    foundation.place("towns", lopsided)
    page = foundation.page("Judy", "setup-towns")
    assert "a full turn's move or more" in page
    assert re.search(r"On average, the towns are [\d.]+ squares closer to the Coalition\.", page)
    assert "done" in page


def test_a_town_has_a_description_by_the_judge(foundation: Foundation) -> None:
    town = foundation.site("Town 1")
    form = {**foundation.sites_form("towns", TOWNS), f"text-{town.pk}": "Boots for both sides."}
    assert foundation.post("Judy", "setup-towns", **form).status_code == 302
    assert foundation.site("Town 1").description == "Boots for both sides."

    response = foundation.post("Judy", "setup-towns", **{**form, "version": 1, f"text-{town.pk}": "x" * 4001})
    assert response.status_code == 422
    assert "has 4,001 characters; the limit is 4,000." in said(response)
    assert "x" * 4001 in response.content.decode()


def seen(foundation: Foundation, who: str) -> str:
    """Every page that somebody may open in the set-up, and what the API says of the round, without what is drawn at
    random for forms: now and then that looks like a square."""
    pages = ("setup", "map", "musters", "setup-team", "setup-team-descriptions", "setup-team-wins", "places")
    client = foundation.client(who)
    texts = [client.get(foundation.url(page), follow=True).content.decode() for page in pages]
    texts.append(client.get(f"/api/v1/rounds/{foundation.round.slug}/").content.decode())
    texts.append(client.get(f"/api/v1/rounds/{foundation.round.slug}/map/").content.decode())
    return re.sub(
        r'<g id="letters">.*?</g>|<input type="hidden" name="(?:csrfmiddlewaretoken|token)"[^>]*>',
        "",
        " ".join(texts),
        flags=re.DOTALL,
    )


def squares_in(text: str) -> set[str]:
    return {square for square in SQUARES.values() if re.search(rf"\b{square}\b", text)}


@pytest.fixture
def placed(foundation: Foundation) -> Foundation:
    save(foundation, "\n".join(demo_terrain()))
    foundation.place()
    foundation.place("towns")
    return foundation


@pytest.mark.parametrize("who", ["", "Olga", "Una", "Adam", "Rio", "Gaz", "Hex"])
def test_nobody_but_the_battle_judge_sees_a_square_before_the_reveal(placed: Foundation, who: str) -> None:
    """2.5.1.3."""
    assert squares_in(seen(placed, who)) == set()
    assert not Base.objects.exists()
    assert not Town.objects.exists()
    assert squares_in(placed.get("Judy", "setup-bases").content.decode()) == set(SQUARES.values())


def test_the_judge_lets_a_sides_leaders_see_their_own_squares(placed: Foundation) -> None:
    placed.post("Judy", "setup-shown", shown_to=["coalition"])

    own = {SQUARES[name] for name in tuple(SQUARES)[:7]}
    assert squares_in(seen(placed, "Una")) == squares_in(seen(placed, "Adam")) == own
    for who in ("", "Olga", "Rio", "Gaz", "Hex"):
        assert squares_in(seen(placed, who)) == set()
    assert LogEntry.objects.get(action="setup.shown").data == {"to": ["coalition"]}


def test_other_judges_see_squares_if_the_judge_lets_them_and_they_do_not_play(placed: Foundation) -> None:
    for who, role in (("mo", "movement"), ("rio", "movement"), ("merle", "mercenary")):
        placed.post("Judy", "setup-judges", act="appoint", username=who, role=role)
    assert squares_in(seen(placed, "Mo")) == set()

    placed.post("Judy", "setup-shown", shown_to=["judges", "nonsense"])
    assert squares_in(seen(placed, "Mo")) == squares_in(seen(placed, "Merle")) == set(SQUARES.values())
    assert squares_in(seen(placed, "Rio")) == squares_in(seen(placed, "Una")) == set()


def test_the_log_names_no_square_before_the_reveal(placed: Foundation) -> None:
    assert squares_in(" ".join(str(entry.data) for entry in LogEntry.objects.all())) == set()


def test_places_of_another_round_are_not_touched(foundation: Foundation) -> None:
    other = Round.objects.create(name="Other", slug="other", terrain="", created_at=foundation.round.created_at)
    alien = PlannedSite.objects.create(round=other, kind="town", place=0, name="Alien")
    form = {**foundation.sites_form("towns", TOWNS), f"name-{alien.pk}": "Mine", f"at-{alien.pk}": "1A"}

    assert foundation.post("Judy", "setup-towns", **form).status_code == 302
    assert PlannedSite.objects.get(pk=alien.pk).at == ""
