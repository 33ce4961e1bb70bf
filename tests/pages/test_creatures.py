"""2.2.1: the catalogue of creatures: search and filters, as a page and as JSON, the same on every database."""

import re
from pathlib import Path

import pytest
import yaml
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from judging.armies.creatures.services import CreatureQuery, found_creatures, known_creatures, names_near
from tests.pages.catalogue import fill_catalogue
from wargame.models import Creature
from wargame.rules.armies.creatures import name_key
from wargame.rules.armies.muster import Muster, MusterEntry, Surroundings, judge_muster
from wargame.rules.core.sides import Rank, Side

PROJECT = Path(__file__).resolve().parents[2]
RULES = PROJECT / "fixtures" / "rules" / "coalition-wargame.txt"
NAMED = (
    *("Lhurgoyf", "Shivan Dragon", "Elvish Herder", "Time Elemental", "Anaba Shaman", "Frozen Shade"),
    *("Flowstone Sculpture", "Werebear", "Fledgling Osprey", "Tribal Golem", "Clone", "Serra Angel"),
    *("Winged Sliver", "Mnemonic Sliver", "Suntouched Myr", "Skarrgan Firebird", "DeathMask Duplicant"),
    *("Vesuvian Doppleganger", "Mirror Golem", "Summoner’s Egg", "Greater Morphling", "Kris Mage", "Grizzly Bear"),
    *("Plague Rat", "Bog Imp", "Duplicant"),
)
"""The creatures that the rule text names, in its spelling without a plural."""


@pytest.fixture
def catalogue(db: None) -> None:
    fill_catalogue()


def names(**query: object) -> list[str]:
    return [creature.name for creature in found_creatures(CreatureQuery.of(query))]


def shown(client: Client, query: str = "") -> list[str]:
    """The names in the table of the page."""
    html = client.get(f"/creatures/?{query}").content.decode()
    return re.findall(r'<th scope="row">\s*<a class="creature" href="[^"]+">([^<]*)</a>', html)


@pytest.mark.parametrize(
    ("words", "first"),
    [
        ("shivan dragon", ["Shivan Dragon"]),
        ("SHIVAN", ["Shivan Dragon", "Shivan Wurm"]),
        ("juzám djinn", ["Juzam Djinn"]),
        ("mons's", ["Mons's Goblin Raiders"]),
        ("summoner’s egg", ["Summoner's Egg"]),
        ("sliv art", ["Metallic Sliver"]),
        ("urborg nothing", []),
        ("*/1+*", ["Lhurgoyf"]),
    ],
)
def test_every_word_begins_a_word_of_the_creature(catalogue: None, words: str, first: list[str]) -> None:
    assert names(q=words)[:2] == first


def test_names_that_begin_so_come_first(catalogue: None) -> None:
    found = names(q="goblin")

    assert found[0].startswith("Goblin")
    assert found.index("Goblin King") < found.index("Mogg Fanatic")


def test_the_text_of_a_card_is_searched_too(catalogue: None) -> None:
    bears = Creature.objects.get(key="grizzly bears")
    bears.text = "Don't try to outrun one of Dominaria's grizzlies."
    bears.derive()
    bears.save()

    assert names(q="outrun dominarias") == ["Grizzly Bears"]


@pytest.mark.parametrize(
    ("query", "holds", "lacks"),
    [
        ({"color": "red"}, {"Kris Mage", "Shivan Wurm"}, {"Bog Imp"}),
        ({"color": "multicolor"}, {"Shivan Wurm", "Sliver Queen"}, {"Kris Mage", "Ornithopter"}),
        ({"color": "colorless"}, {"Ornithopter"}, {"Kris Mage"}),
        ({"kind": "legend"}, {"Nicol Bolas"}, {"Kris Mage"}),
        ({"kind": "troops"}, {"Kris Mage"}, {"Nicol Bolas"}),
        ({"kind": "artifact"}, {"Ornithopter", "Memnarch"}, {"Kris Mage"}),
        ({"kind": "Goblin"}, {"Goblin King", "Mogg Fanatic"}, {"Kris Mage"}),
        ({"size": "*/*"}, {"Maro", "Nightmare"}, {"Lhurgoyf"}),
        ({"size": "2/3"}, {"Hurloon Minotaur"}, {"Gray Ogre"}),
        ({"fits": "1"}, {"Kris Mage", "Maro", "Clone", "Werebear", "Suntouched Myr", "Lhurgoyf"}, {"Gray Ogre"}),
        ({"fits": "3"}, {"Skarrgan Firebird"}, {"Giant Spider", "Flowstone Sculpture", "Sylvan Yeti"}),
    ],
)
def test_filters_narrow(catalogue: None, query: dict[str, str], holds: set[str], lacks: set[str]) -> None:
    found = set(names(**query))

    assert holds <= found
    assert not lacks & found


@pytest.mark.parametrize("side", [Side.COALITION, Side.PHYREXIA])
@pytest.mark.parametrize("own", [("red",), ("red", "multicolor"), ("colorless", "white"), ()])
def test_what_an_army_is_offered_is_what_it_may_have(catalogue: None, side: Side, own: tuple[str, ...]) -> None:
    """2.2.1."""
    rank = Rank.GENERAL if side is Side.COALITION else Rank.CHIEF_PRAETOR
    offered = {c.name for c in found_creatures(CreatureQuery(side=side, own=own))}
    entries = [MusterEntry(4, row.as_rules(), 1) for row in Creature.objects.all()]
    refused = {
        entry.creature.name
        for entry in entries
        for finding in judge_muster(Muster(rank, own, (entry,)))
        if "COLOR" in finding.fault.name and finding.is_breach or finding.fault.name == "NOT_PHYREXIAN"
    }

    assert offered == {entry.creature.name for entry in entries} - refused


def test_a_size_that_fits_is_what_the_rule_says(catalogue: None) -> None:
    """2.1."""
    offered = {c.name for c in found_creatures(CreatureQuery(fits=4))}
    fitting = {row.name for row in Creature.objects.all() if min(s.least for s in row.as_rules().sizes) <= 4}

    assert offered == fitting


def test_all_creatures_that_the_rule_text_names_are_there(catalogue: None) -> None:
    text = RULES.read_text(encoding="utf-8")
    keys = [name_key(name) for name in Creature.objects.values_list("name", flat=True)]

    assert [name for name in NAMED if name not in text] == []
    assert [
        name for name in NAMED if name_key(name) not in known_creatures([name]) and name_key(name + "s") not in keys
    ] == []


def test_the_demos_armies_are_of_the_catalogue_and_legal(catalogue: None) -> None:
    armies = yaml.safe_load((PROJECT / "fixtures" / "demo" / "armies.yaml").read_text(encoding="utf-8"))["armies"]
    known = {row.name: row.as_rules() for row in Creature.objects.all()}
    wrong = []
    for army in armies:
        entries = tuple(MusterEntry(t["slot"], known[t["creature"]], t["of"]) for t in army["troops"])
        others = [other for other in armies if other is not army]
        legend = known[army["legend"]] if army.get("legend") else None
        muster = Muster(Rank(army["rank"]), tuple(army.get("colors", ())), entries, legend, army["name"])
        serving = {other["legend"]: other["name"] for other in others if other.get("legend")}
        given = Surroundings(names=tuple(other["name"] for other in others), serving=serving)
        wrong += [f"{army['name']}: {f.sentence}" for f in judge_muster(muster, given)]
        wrong += [
            f"{army['name']}: {t}" for t in army["troops"]
            if (t["size"], t["color"], t["types"])
            != (known[t["creature"]].size, [*known[t["creature"]].colors], [*known[t["creature"]].types])
        ]  # fmt: skip

    assert wrong == []


def test_names_that_were_meant_are_suggested(catalogue: None) -> None:
    assert names_near("Shivan Dragn") == ["Shivan Dragon"]
    assert names_near("bolas") == ["Nicol Bolas"]
    assert names_near("") == []
    assert names_near("%") == []


def test_the_page_shows_creatures_with_what_is_ruled_on_them(catalogue: None, client: Client) -> None:
    html = re.sub(r"\s+", " ", client.get("/creatures/?q=werebear").content.decode())

    assert "4/4 with threshold." in html
    assert 'href="/rules/#r2.2.3.3"' in html
    assert "used as 1/1, 4/4" in html
    assert "banned" in client.get("/creatures/?q=summoner").content.decode()


def test_the_page_is_cut_into_pages_that_keep_the_search(catalogue: None, client: Client) -> None:
    html = client.get("/creatures/?kind=troops").content.decode()

    assert len(shown(client)) == 60
    assert 'href="?kind=troops&amp;page=2"' in html
    assert shown(client, "kind=troops&page=2") != shown(client, "kind=troops")
    assert shown(client, "page=999")
    assert shown(client, "page=x")


def test_nothing_found_is_said_and_odd_filters_narrow_nothing(catalogue: None, client: Client) -> None:
    assert "No creatures match" in client.get("/creatures/?q=zzz").content.decode()
    for query in ("color=mauve", "fits=x", "fits=-1", "size=large", "fits=99999999999", "q=" + "x" * 500, "q=%00"):
        assert client.get(f"/creatures/?{query}").status_code == 200


def test_htmx_gets_the_list_alone(catalogue: None, client: Client) -> None:
    html = client.get("/creatures/?q=imp", headers={"HX-Request": "true", "HX-Target": "found"}).content.decode()

    assert "<html" not in html
    assert "Bog Imp" in html


def test_the_page_asks_for_a_page_alone_whatever_the_size_of_the_catalogue(catalogue: None, client: Client) -> None:
    with CaptureQueriesContext(
        connection,
    ) as asked:
        client.get("/creatures/?q=dragon")
    assert len([q for q in asked if "wargame_creature" in q["sql"]]) == 2


def test_the_api_gives_the_same(catalogue: None, client: Client) -> None:
    found = client.get("/api/v1/creatures/", {"q": "werebear"}).json()

    assert found["count"] == 1
    bear = found["results"][0]
    assert (bear["name"], bear["colors"], bear["power"], bear["toughness"]) == ("Werebear", ["green"], "1", "1")
    assert (bear["types"], bear["set"], bear["uses"], bear["cites"]) == (["Creature"], "ODY", ["1/1", "4/4"], "2.2.3.3")
    narrowed = client.get("/api/v1/creatures/", {"color": "red", "fits": 1, "kind": "troops", "limit": 200}).json()
    assert {"Kris Mage", "Raging Goblin"} <= {row["name"] for row in narrowed["results"]}


@pytest.mark.parametrize(("query", "field"), [("color=mauve", "color"), ("fits=x", "fits"), ("size=big", "size")])
def test_the_api_says_what_can_not_be_asked(catalogue: None, client: Client, query: str, field: str) -> None:
    response = client.get(f"/api/v1/creatures/?{query}")

    assert response.status_code == 400
    assert field in response.json()["fields"]


@pytest.mark.postgres
def test_the_search_is_the_same_on_postgresql(catalogue: None) -> None:
    assert names(q="shivan dr") == ["Shivan Dragon"]
    assert names(q="mons's") == ["Mons's Goblin Raiders"]
    assert "Nightmare" in names(size="*/*")
    assert names(color="multicolor", fits="1")
