"""2.1, 2.5.2.2: the form of a muster: preview, picker, pasted and downloaded lists."""

import re

import pytest

from judging.armies.models import Muster
from tests.pages.mustering import Camp, camp, said, typed

__all__ = ["camp"]


def test_the_preview_says_what_is_wrong_and_what_is_left(camp: Camp) -> None:
    muster = camp.begin("Rio")
    response = camp.client("Rio").post(
        camp.url("muster-preview", muster.pk),
        {"name": "Rio", "colors": ["red"], "slot1": "4000 Kris Mage", "slot2": "1 Bog Wraith"},
    )

    text, html = said(response), response.content.decode()
    assert "2 things to fix" in text
    assert "room for 1,000 of 5,000" in text
    assert 'id="said-2" hx-swap-oob="true"' in html
    assert Muster.objects.get().lists == ["", "", "", ""]


@pytest.mark.parametrize("odd", ["x\0y", "\0", "x" * 30_000, "5000 \0 Kris Mage", "％_'\"><"])
def test_odd_signs_break_no_part_of_the_form(camp: Camp, odd: str) -> None:
    muster, client = camp.begin("Rio"), camp.client("Rio")
    form = dict.fromkeys(("name", "legend", "remark", "base", "slot1", "slot4", "find", "kind", "color", "paste"), odd)
    address = camp.url("muster", muster.pk)

    for path in (camp.url("muster-preview", muster.pk), camp.url("muster-find", muster.pk)):
        assert client.post(path, form).status_code == 200
    for act in ("check", "find", "paste", f"add:1:{odd}:{odd}", f"fix:1:{odd}:x", f"legend:{odd}", odd):
        assert client.post(address, {**form, "act": act}).status_code == 200
    for act in ("save", "send"):
        assert client.post(address, {**form, "act": act, "version": odd}).status_code == 422


def test_the_picker_knows_the_slot_and_the_colors(camp: Camp) -> None:
    muster = camp.begin("Rio")

    def offered(**asked: str) -> set[str]:
        form = {"colors": ["red"], **asked}
        html = camp.client("Rio").post(camp.url("muster-find", muster.pk), form).content.decode()
        return set(re.findall(r'value="(?:add:\d:[^:]*|legend):([^"]+)"', html))

    assert "Kris Mage" in offered(for_slot="1", find="mage")
    assert "Hill Giant" not in offered(for_slot="1", find="giant")
    assert "Hill Giant" in offered(for_slot="3", find="giant")
    assert offered(for_slot="1", find="bog imp") == set()
    assert offered(for_slot="legend", find="nicol") == {"Nicol Bolas"}
    assert offered(for_slot="1", find="squee") == set()


@pytest.mark.parametrize(
    ("act", "slot", "text"),
    [
        ("add:1::Kris Mage", 1, "5000 Kris Mage"),
        ("add:3:4/4:Werebear", 3, "1500 Werebear as 4/4"),
        ("add:9::Kris Mage", 1, ""),
        ("add:1", 1, ""),
        ("add:x::", 1, ""),
        ("fix:1:1:Kris Mage", 1, ""),
    ],
)
def test_a_chosen_creature_fills_what_its_slot_still_holds(camp: Camp, act: str, slot: int, text: str) -> None:
    muster = camp.begin("Rio")
    response = camp.post("Rio", muster, act)

    assert typed(response.content.decode(), slot) == text
    assert Muster.objects.get().lists == ["", "", "", ""]


def test_a_name_that_was_meant_takes_the_place_of_the_wrong_one(camp: Camp) -> None:
    muster = camp.begin("Rio")
    response = camp.post("Rio", muster, "check", slot2="1 Gray Ogre\n2,400 Gray Ogree as 2/2")
    assert 'value="fix:2:2:Gray Ogre"' in response.content.decode()
    response = camp.post("Rio", muster, "fix:2:2:Gray Ogre", slot2="1 Gray Ogre\n2,400 Gray Ogree as 2/2")

    assert typed(response.content.decode(), 2) == "1 Gray Ogre\n2,400 Gray Ogre as 2/2"


def test_a_pasted_list_is_put_into_the_slots(camp: Camp) -> None:
    muster = camp.begin("Rio")
    text = "Name: Red Dawn\nLegend: Squee, Goblin Nabob\n5000 Kris Mage\n2500 Gray Ogre\n1500 Hill Giant\n1 Nobody"
    html = camp.post("Rio", muster, "paste", paste=text).content.decode()

    assert [typed(html, slot) for slot in (1, 2, 3, 4)] == [
        "5000 Kris Mage",
        "2500 Gray Ogre",
        "1500 Hill Giant",
        "1 Nobody",
    ]
    assert 'value="Red Dawn"' in html


def test_the_downloaded_list_can_be_pasted_again(camp: Camp) -> None:
    muster = camp.sent(
        lists=("5000 Kris Mage", "2500 Grizzly Bears", "10 Rumour (red 2/2)", "1000 Werebear as 4/4"),
        legend="Nicol Bolas",
    )
    response = camp.client("Rio").get(camp.url("muster-list", muster.pk))
    assert response["Content-Type"].startswith("text/plain")

    other = camp.begin("Una", "lieutenant")
    html = camp.post("Una", other, "paste", paste=response.content.decode(), colors=["red", "green"]).content.decode()
    assert [typed(html, slot) for slot in (1, 2, 3, 4)] == [
        "5000 Kris Mage", "2500 Grizzly Bears", "10 Rumour (red 2/2)", "1000 Werebear as 4/4",
    ]  # fmt: skip
    assert 'value="Nicol Bolas"' in html


def test_htmx_gets_the_lists_alone(camp: Camp) -> None:
    muster, client = camp.begin("Rio"), camp.client("Rio")
    html = client.post(
        camp.url("muster", muster.pk), {"act": "add:1::Kris Mage"}, headers={"HX-Request": "true"}
    ).content.decode()

    assert "<html" not in html
    assert typed(html, 1) == "5000 Kris Mage"
    assert 'id="judged"' in html
