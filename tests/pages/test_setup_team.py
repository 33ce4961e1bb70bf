"""2.5.1: what leaders do in the set-up, what the judge decides on, and the reveal."""

import re

import pytest
from django.urls import reverse

from judging.common.models import LogEntry
from judging.setup.models import PlannedSite, SideWish
from tests.pages.setting_up import SQUARES, TOWNS, Foundation, foundation, said
from tests.pages.test_setup_land import typed
from wargame.models import Base, Player, Town

__all__ = ["foundation"]

CHOSEN = tuple(SQUARES)[:5]


def test_the_pages_of_a_team_are_for_its_leaders(foundation: Foundation) -> None:
    for who in ("Rio", "Hex", "Olga", "Judy"):
        assert foundation.get(who, "setup-team").status_code == 403
    for who in ("Una", "Adam", "Gaz"):
        assert foundation.get(who, "setup-team").status_code == 200
    assert foundation.get("Gaz", "setup-team-wins").status_code == 403


def test_leaders_ask_and_only_the_judge_and_their_own_read_it(foundation: Foundation) -> None:
    """2.5.1.1."""
    assert foundation.post("Una", "setup-team", text="Blue by the sea, please.", version=0).status_code == 302

    assert typed(foundation.get("Adam", "setup-team"), "text") == "Blue by the sea, please."
    assert "Blue by the sea" in foundation.page("Judy", "setup-bases")
    assert "Blue by the sea" not in foundation.page("Gaz", "setup-team")
    assert "Blue by the sea" not in foundation.page("", "setup")

    stale = foundation.post("Adam", "setup-team", text="No, by the hills.", version=0)
    assert stale.status_code == 422
    assert typed(stale, "text") == "No, by the hills."
    assert SideWish.objects.get().text == "Blue by the sea, please."


def test_descriptions_are_kept_as_drafts_handed_in_and_accepted(foundation: Foundation) -> None:
    """2.5.1.2."""
    foundation.describe("Una", "save", Red_Base="A tower.", Blue_Base="A lagoon.")
    assert "A tower." not in foundation.page("Judy", "setup-descriptions")
    assert (
        typed(foundation.get("Adam", "setup-team-descriptions"), f"text-{foundation.site('Red Base').pk}") == "A tower."
    )

    site = foundation.site("Red Base")
    foundation.describe("Adam", f"send {site.pk}", Red_Base="A tall tower.", Blue_Base="A lagoon.")
    assert foundation.site("Red Base").state == "sent"
    assert foundation.site("Blue Base").state == "draft"
    page = foundation.page("Judy", "setup-descriptions")
    assert "A tall tower." in page
    assert "A lagoon." not in page
    assert "Waiting for your decision: Red Base." in page

    site = foundation.site("Red Base")
    foundation.post("Judy", "setup-descriptions", site=site.pk, version=site.version)
    assert foundation.site("Red Base").state == "accepted"
    assert not Base.objects.exists()
    for who in ("", "Gaz", "Rio"):
        assert "tall tower" not in foundation.page(who, "setup")


def test_a_refused_description_comes_back_with_the_reason(foundation: Foundation) -> None:
    foundation.describe("Gaz", Portal_1="Nobody can ever get in.")
    site = foundation.site("Portal 1")
    form = {"version": site.version, "act": "refuse", "reason": ""}
    assert "Say why you refuse it" in said(foundation.post("Judy", "setup-description", site.pk, **form))

    foundation.post("Judy", "setup-description", site.pk, **{**form, "reason": "Leave a door."})
    page = foundation.page("Gaz", "setup-team-descriptions")
    assert "The judge: Leave a door." in page
    foundation.describe("Gaz", Portal_1="There is a small door.")
    assert foundation.site("Portal 1").state == "sent"


def test_the_judge_decides_on_what_he_has_read(foundation: Foundation) -> None:
    foundation.describe("Gaz", Portal_1="One.")
    version = foundation.site("Portal 1").version
    foundation.describe("Gaz", Portal_1="Two.")

    client = foundation.client("Judy")
    form = {"site": foundation.site("Portal 1").pk, "version": version}
    foundation.post("Judy", "setup-descriptions", client=client, **form)
    assert "The description of" in said(client.get(foundation.url("setup-descriptions")))
    assert foundation.site("Portal 1").state == "sent"


def all_read(foundation: Foundation, *names: str) -> dict[str, int]:
    """The form with which the judge accepts the descriptions of these sites, as they are now."""
    return {f"version-{site.pk}": site.version for site in map(foundation.site, names)}


def test_the_judge_accepts_all_descriptions_that_are_with_him_at_once(foundation: Foundation) -> None:
    """2.5.1.2: a draft stays with its leaders, and a second click does nothing."""
    foundation.describe("Una", Red_Base="A tower.")
    assert "Accept all" not in foundation.page("Judy", "setup-descriptions")
    foundation.describe("Gaz", Portal_1="A pit.")
    foundation.describe("Gaz", act="save", Portal_2="A den")
    assert "Accept all 2 waiting for you" in foundation.page("Judy", "setup-descriptions")

    form = all_read(foundation, "Red Base", "Portal 1")
    client = foundation.client("Judy")
    for said_then in ("Accepted: 2.", "Accepted: 0."):
        foundation.post("Judy", "setup-descriptions", client=client, act="all", **form)
        assert said_then in said(client.get(foundation.url("setup-descriptions")))
        states = [foundation.site(name).state for name in ("Red Base", "Portal 1", "Portal 2")]
        assert states == ["accepted", "accepted", "draft"]


def test_none_is_accepted_when_one_of_them_was_changed_since_the_judge_read_it(foundation: Foundation) -> None:
    foundation.describe("Una", Red_Base="A tower.")
    foundation.describe("Gaz", Portal_1="One.")
    form = all_read(foundation, "Red Base", "Portal 1")
    foundation.describe("Gaz", Portal_1="Two.")

    client = foundation.client("Judy")
    foundation.post("Judy", "setup-descriptions", client=client, act="all", **form)
    assert "The description of Portal 1 has changed in the meantime. Read it again." in said(
        client.get(foundation.url("setup-descriptions"))
    )
    assert foundation.site("Red Base").state == foundation.site("Portal 1").state == "sent"


@pytest.mark.parametrize("version", ["", "one", "9" * 40, "²", "\x00"])
def test_a_damaged_version_accepts_nothing(foundation: Foundation, version: str) -> None:
    foundation.describe("Una", Red_Base="A tower.")
    form = all_read(foundation, "Red Base")
    damaged = dict.fromkeys(form, version)
    assert foundation.post("Judy", "setup-descriptions", act="all", **damaged).status_code in (302, 400)
    assert foundation.post("Una", "setup-descriptions", act="all", **form).status_code == 403
    assert foundation.site("Red Base").state == "sent"


def test_an_accepted_description_is_not_changed_by_the_leaders(foundation: Foundation) -> None:
    foundation.describe("Una", Red_Base="A tower.")
    site = foundation.site("Red Base")
    foundation.post("Judy", "setup-descriptions", site=site.pk, version=site.version)

    response = foundation.describe("Una", Red_Base="A fortress.")
    assert response.status_code == 422
    assert "The judge has accepted the description of Red Base, so you can't change it." in said(response)


def test_nobody_describes_the_other_sides_bases(foundation: Foundation) -> None:
    foundation.describe("Gaz", Red_Base="A ruin.")
    assert foundation.site("Red Base").description == ""


def test_what_is_wrong_with_one_description_loses_no_other(foundation: Foundation) -> None:
    response = foundation.describe("Una", "save", Red_Base="x" * 4001, Blue_Base="A lagoon.")

    assert response.status_code == 422
    assert "description of Red Base has 4,001 characters" in said(response)
    assert typed(response, f"text-{foundation.site('Blue Base').pk}") == "A lagoon."
    assert foundation.site("Blue Base").description == ""


def test_the_page_of_a_description_has_the_head_of_every_page(foundation: Foundation) -> None:
    html = foundation.get("Judy", "setup-description", foundation.site("Red Base").pk).content.decode()

    for address in (foundation.url("setup"), foundation.url("musters"), reverse("rounds")):
        assert f'<a href="{address}"' in html.split("<main")[0]
    assert "Red Base" in html.split("<main")[1]


def test_the_judge_may_write_a_description_himself(foundation: Foundation) -> None:
    site = foundation.site("Portal 2")
    form = {"version": 0, "act": "write", "text": "A hole in the sky."}
    assert foundation.post("Judy", "setup-description", site.pk, **form).status_code == 302

    assert (foundation.site("Portal 2").state, foundation.site("Portal 2").written_by) == ("accepted", "judy")


@pytest.mark.parametrize("count", [0, 4, 6, 7])
def test_exactly_five_win_conditions_are_chosen(foundation: Foundation, count: int) -> None:
    """2.5.1.3."""
    response = foundation.choose("Una", tuple(SQUARES)[:count])

    assert response.status_code == 422
    assert "Choose exactly 5 bases. You chose" in said(response)
    assert len(re.findall(r"\schecked>", response.content.decode())) == count
    assert foundation.setup.chosen_at is None


def test_portals_do_not_count_as_the_coalitions_choice(foundation: Foundation) -> None:
    assert foundation.choose("Una", (*tuple(SQUARES)[:4], "Portal 1")).status_code == 422


def test_the_choice_is_known_to_the_leaders_and_the_judge_alone_until_the_reveal(foundation: Foundation) -> None:
    """2.5.1.3."""
    assert foundation.choose().status_code == 302

    page = foundation.get("Adam", "setup-team-wins").content.decode()
    assert len(re.findall(r"\schecked>", page)) == 5
    assert foundation.page("Judy", "setup-wins").count("Secret until the reveal") == 1
    for who in ("", "Gaz", "Hex", "Rio", "Olga"):
        assert not re.search(r"\bBase\b", foundation.page(who, "setup"))
        assert foundation.get(who, "setup-team-wins").status_code in (302, 403)
    assert LogEntry.objects.get(action="setup.chosen").data == {}
    assert foundation.choose("Adam", tuple(SQUARES)[2:]).status_code == 302
    assert not foundation.site("White Base").is_win


def test_only_the_coalitions_leaders_choose(foundation: Foundation) -> None:
    for who in ("Gaz", "Rio", "Judy", "Olga"):
        assert foundation.choose(who).status_code == 403
    refused = foundation.post("Judy", "setup-wins", win=[foundation.site(name).pk for name in CHOSEN])
    assert "The Coalition has leaders, so they make this choice." in said(refused)
    assert foundation.setup.chosen_at is None


def test_the_judge_chooses_for_a_coalition_without_leaders(foundation: Foundation) -> None:
    Player.objects.filter(name__in=["Una", "Adam"]).update(rank="")
    response = foundation.post("Judy", "setup-wins", win=[foundation.site(name).pk for name in CHOSEN])

    assert response.status_code == 302
    assert foundation.setup.chosen_at


def test_the_bases_are_not_revealed_before_the_choice(foundation: Foundation) -> None:
    """2.5.1.3."""
    foundation.place()
    assert "Reveal the bases now" not in foundation.page("Judy", "setup-reveal")
    refused = foundation.reveal()

    assert refused.status_code == 422
    assert "have not chosen their 5 win conditions" in said(refused)
    assert foundation.setup.revealed_at is None
    assert not Base.objects.exists()


def test_the_bases_are_not_revealed_before_all_are_placed(foundation: Foundation) -> None:
    foundation.place("bases", {**SQUARES, "Portal 3": ""})
    foundation.choose()

    assert "No square yet: Portal 3." in said(foundation.reveal())


@pytest.fixture
def revealed(foundation: Foundation) -> Foundation:
    """Placed, one description accepted and one handed in, chosen, revealed."""
    foundation.place()
    foundation.place("towns")
    foundation.describe("Una", Red_Base="A tower.", Blue_Base="A lagoon.")
    site = foundation.site("Red Base")
    foundation.post("Judy", "setup-descriptions", site=site.pk, version=site.version)
    foundation.choose()
    assert foundation.reveal().status_code == 302
    return foundation


def test_the_reveal_makes_places_choice_and_accepted_descriptions_public(revealed: Foundation) -> None:
    """2.5.1.2, 2.5.1.3."""
    bases = {base.name: base for base in Base.objects.filter(round=revealed.round)}
    assert {name: base.at for name, base in bases.items()} == SQUARES
    assert {name for name, base in bases.items() if base.win} == {*CHOSEN, *(f"Portal {n}" for n in range(1, 6))}
    assert bases["Red Base"].description == "A tower."
    assert bases["Blue Base"].description == ""
    assert bases["5-Color Base"].color == "multicolor"
    assert {town.name: town.at for town in Town.objects.filter(round=revealed.round)} == TOWNS
    page = revealed.page("", "setup")
    assert "A tower." in page
    assert "A lagoon." not in page
    assert re.search(r"Red Base 12D\s+win condition", page)
    assert "Colorless Base 9L win condition" not in page
    assert "A tower." in revealed.page("", "places")


def test_revealing_twice_does_it_once(revealed: Foundation) -> None:
    when = revealed.setup.revealed_at
    assert revealed.reveal().status_code == 302
    assert revealed.setup.revealed_at == when
    assert Base.objects.filter(round=revealed.round).count() == 12


def test_after_the_reveal_the_choice_stays(revealed: Foundation) -> None:
    refused = revealed.choose("Una", tuple(SQUARES)[2:])
    assert refused.status_code == 422
    assert revealed.site("White Base").is_win


def test_a_description_accepted_after_the_reveal_is_public_at_once(revealed: Foundation) -> None:
    site = revealed.site("Blue Base")
    revealed.post("Judy", "setup-descriptions", site=site.pk, version=site.version)

    assert Base.objects.get(round=revealed.round, name="Blue Base").description == "A lagoon."
    site = revealed.site("Blue Base")
    form = {"version": site.version, "act": "refuse", "reason": "Too wet."}
    assert "is already public" in said(revealed.post("Judy", "setup-description", site.pk, **form))


def test_a_square_corrected_after_the_reveal_is_public_and_recorded(revealed: Foundation) -> None:
    swapped = {**SQUARES, "White Base": SQUARES["Red Base"], "Red Base": SQUARES["White Base"]}
    assert revealed.place("bases", swapped).status_code == 302

    assert Base.objects.get(name="White Base").at == SQUARES["Red Base"]
    assert Base.objects.get(name="Red Base").at == SQUARES["White Base"]
    assert LogEntry.objects.get(action="setup.moved").data == {"sites": ["White Base 12D", "Red Base 6F"]}


def test_a_public_base_keeps_its_name_and_a_square(revealed: Foundation) -> None:
    site = revealed.site("White Base")
    form = revealed.sites_form("bases", SQUARES)
    for change in ({f"name-{site.pk}": "Grey Base"}, {f"at-{site.pk}": ""}):
        response = revealed.post("Judy", "setup-bases", **{**form, **change})
        assert response.status_code == 422
        assert "White Base is already public" in said(response)


def test_a_town_placed_after_the_reveal_is_public_at_once(foundation: Foundation) -> None:
    foundation.place()
    foundation.choose()
    foundation.reveal()
    assert not Town.objects.exists()

    foundation.place("towns")
    assert {town.name: town.at for town in Town.objects.all()} == TOWNS
    town = foundation.site("Town 1")
    form = {**foundation.sites_form("towns", TOWNS), f"text-{town.pk}": "Boots."}
    foundation.post("Judy", "setup-towns", **form)
    assert Town.objects.get(name="Town 1").description == "Boots."


def test_before_the_reveal_no_muster_can_ask_for_a_base(foundation: Foundation) -> None:
    """2.5.2.3: requests are made once the bases are public."""
    foundation.place()
    assert PlannedSite.objects.filter(round=foundation.round).count() == 15
    response = foundation.client("Rio").post(foundation.url("muster-new"), {"rank": "", "token": "a form"})
    assert "White Base" not in foundation.client("Rio").get(response.url).content.decode()
