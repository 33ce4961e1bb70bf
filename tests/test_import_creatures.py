"""2.2.1: `manage.py import_creatures`: each real format with its quirks, and files that are broken."""

import gzip
import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from judging.armies.creatures.services import OWN_LIST, import_creatures, load_own_list, report
from tests.cards_of_importers import FOLK, META, SCRYFALL, XMAGE, mtg, printed, scry
from wargame.importing.cards import Card, Skipped, WhyNot
from wargame.importing.reading import CardFileError, read_cards
from wargame.importing.xmage import read_line
from wargame.models import Creature


def written(tmp_path: Path, content: Any, name: str = "cards.json") -> Path:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def taken(path: Path) -> dict[str, Card]:
    return {entry.name: entry for entry, _ in read_cards(path) if isinstance(entry, Card)}


def left_out(path: Path) -> dict[str, WhyNot]:
    return {entry.name: entry.why for entry, _ in read_cards(path) if isinstance(entry, Skipped)}


def run(path: Path, **options: Any) -> str:
    out = StringIO()
    call_command("import_creatures", path, stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def test_atomic_cards_are_read_by_their_front_faces(tmp_path: Path) -> None:
    cards = taken(written(tmp_path, {"meta": META, "data": FOLK}))

    assert sorted(cards) == [
        "Bosh, Iron Golem", "Clone", "Delver of Secrets", "Grizzly Bears", "Juzám Djinn", "Lhurgoyf", "Little Girl",
    ]  # fmt: skip
    assert cards["Delver of Secrets"].is_front
    assert (cards["Lhurgoyf"].power, cards["Lhurgoyf"].toughness) == ("*", "1+*")
    assert cards["Bosh, Iron Golem"].types == ("Artifact", "Creature", "Legend")
    assert cards["Grizzly Bears"].colors == "G"


def test_what_is_left_out_has_its_reason(tmp_path: Path) -> None:
    assert left_out(written(tmp_path, {"meta": META, "data": FOLK})) == {
        "Insectile Aberration": WhyNot.BACK,
        "Fire": WhyNot.NO_CREATURE,
        "Ice": WhyNot.BACK,
        "Infinity Elemental": WhyNot.ODD_SIZE,
        "Half-Kitten, Half-": WhyNot.HALF_CREATURE,
        "Nameless Size": WhyNot.NO_SIZE,
        "Teyo, Screen Mage": WhyNot.NEVER_PRINTED,
    }


def test_all_printings_have_the_same_creatures_and_no_tokens(tmp_path: Path) -> None:
    atomic = taken(written(tmp_path, {"meta": META, "data": FOLK}, "atomic.json"))
    all_printings = taken(written(tmp_path, printed(FOLK), "printings.json"))

    assert sorted(all_printings) == sorted(atomic)
    assert "Bear" not in all_printings


def test_scryfall_faces_layouts_and_tokens(tmp_path: Path) -> None:
    path = written(tmp_path, SCRYFALL)
    cards = taken(path)

    assert sorted(cards) == [
        "Bonecrusher Giant", "Delver of Secrets", "Grizzly Bears", "Old Fogey", "Reaper King", "Tarmogoyf",
    ]  # fmt: skip
    assert (cards["Delver of Secrets"].colors, cards["Delver of Secrets"].power) == ("U", "1")
    assert (cards["Bonecrusher Giant"].colors, cards["Bonecrusher Giant"].subtypes) == ("R", ("Giant",))
    assert cards["Reaper King"].colors == "WUBRG"
    assert cards["Grizzly Bears"].printed_in == "LEA"
    assert cards["Old Fogey"].is_funny
    assert left_out(path) == {
        "Bear": WhyNot.TOKEN,
        "Chandra, Torch of Defiance Emblem": WhyNot.NO_PLAYING_CARD,
        "A-Young Wolf": WhyNot.NEVER_PRINTED,
        "Smart Car": WhyNot.NO_CREATURE,
        "Westvale Abbey": WhyNot.NO_CREATURE,
        "Shapeless": WhyNot.NO_SIZE,
    }


@pytest.mark.parametrize(
    ("name", "colors"),
    [
        ("Kris Mage", "R"),
        ("Wistful Selkie", "UG"),
        ("Slash Panther", "R"),
        ("Karn, Silver Golem", ""),
        ("Boggart Brute", "R"),
        ("Transguild Courier", "WUBRG"),
        ("Kobolds of Kher Keep", "R"),
        ("Culling Drone", ""),
    ],
)
def test_colors_of_the_list_come_from_the_cost_or_from_words(tmp_path: Path, name: str, colors: str) -> None:
    assert taken(written(tmp_path, XMAGE, "cards.txt"))[name].colors == colors


@pytest.mark.parametrize(
    ("cost", "colors"),
    [("{2/W}{2/W}", "W"), ("{G/U/P}", "UG"), ("{C}{X}", ""), ("{S}{B}", "B"), ("{W/B}{R}", "WBR"), ("{w/p}", "W")],
)
def test_hybrid_and_phyrexian_mana_have_their_colors(cost: str, colors: str) -> None:
    entry = read_line(f"Somebody|Set|1|C|{cost}|Creature - Elf|1|1||")
    assert isinstance(entry, Card)
    assert entry.colors == colors


def test_the_list_leaves_out_backs_lands_and_broken_lines(tmp_path: Path) -> None:
    assert left_out(written(tmp_path, XMAGE, "cards.txt")) == {
        "Beseech the Queen": WhyNot.NO_CREATURE,
        "Insectile Aberration": WhyNot.BACK,
        "Dryad Arbor": WhyNot.NO_COLOR,
        "Forest": WhyNot.NO_CREATURE,
        "Fire // Ice": WhyNot.NO_CREATURE,
        "Half a line": WhyNot.BAD_LINE,
    }


def test_the_list_keeps_bars_and_lines_of_a_text(tmp_path: Path) -> None:
    cards = taken(written(tmp_path, XMAGE.replace("\n", "\r\n"), "cards.txt"))
    assert cards["Maro"].text == "Its size is a|b."
    assert cards["Shivan Dragon"].text == "Flying\n{R}: {this} gets +1/+0 until end of turn."
    assert cards["Karn, Silver Golem"].types == ("Artifact", "Creature", "Legend")


@pytest.mark.parametrize("content", [{"meta": META, "data": FOLK}, SCRYFALL, XMAGE])
def test_a_gzipped_file_and_a_byte_order_mark_make_no_difference(tmp_path: Path, content: Any) -> None:
    plain = written(tmp_path, content)
    packed = tmp_path / "cards.gz"
    packed.write_bytes(gzip.compress(b"\xef\xbb\xbf" + plain.read_bytes()))

    assert taken(packed) == taken(plain)


@pytest.mark.django_db
def test_a_second_import_changes_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, {"meta": META, "data": FOLK})
    first, second = import_creatures(path), import_creatures(path)

    assert (first.creatures, first.new, first.fronts, first.funny) == (7, 7, 1, 1)
    assert (second.new, second.changed, second.same) == (0, 0, 7)
    assert Creature.objects.count() == 7


@pytest.mark.django_db
def test_an_import_changes_by_name_what_is_different_now(tmp_path: Path) -> None:
    import_creatures(written(tmp_path, {"meta": META, "data": FOLK}))
    again = import_creatures(written(tmp_path, [scry("GRIZZLY BEARS", power="3", toughness="3")]))

    bears = Creature.objects.get(key="grizzly bears")
    assert (again.new, again.changed) == (0, 1)
    assert (bears.name, bears.size, bears.least) == ("GRIZZLY BEARS", "3/3", 3)


@pytest.mark.django_db
def test_what_is_ruled_on_a_creature_stays(tmp_path: Path) -> None:
    import_creatures(OWN_LIST)
    text = "Whenever a creature dealt damage by this creature dies, put a +1/+1 counter on this creature."
    import_creatures(written(tmp_path, [scry("Sengir Vampire", colors=["B"], power="4", toughness="4",
                                             oracle_text=text)]))  # fmt: skip
    import_creatures(OWN_LIST)

    vampire = Creature.objects.get(key="sengir vampire")
    assert (vampire.uses, vampire.cites, vampire.hints) == (["4/4+"], "2.2.6", ["2.2.6"])
    assert vampire.text == text


@pytest.mark.django_db
def test_copy_cards_are_of_any_size(tmp_path: Path) -> None:
    """2.2.4."""
    text = "You may have this creature enter as a copy of any creature on the battlefield."
    import_creatures(written(tmp_path, [scry("Body Double", colors=["U"], power="0", toughness="0", oracle_text=text)]))

    double = Creature.objects.get()
    assert (double.uses, double.cites, double.least) == (["*/*"], "2.2.4", 0)


@pytest.mark.django_db
def test_the_report_says_what_was_taken_and_what_was_left_out_and_why(tmp_path: Path) -> None:
    told = run(written(tmp_path, printed(FOLK)))

    assert "7 creatures: 7 new, 0 changed, 0 as before." in told
    assert "1 of them are two-faced or split cards" in told
    assert "1 of them are un-cards, which the rules allow (2.2.1)." in told
    assert "Left out: 1: power or toughness is missing (Nameless Size)." in told
    assert "no creature." in told


@pytest.mark.django_db
def test_a_dry_run_changes_nothing(tmp_path: Path) -> None:
    told = run(written(tmp_path, SCRYFALL), dry_run=True)

    assert "6 new" in told
    assert "Nothing was changed" in told
    assert not Creature.objects.exists()


def broken(tmp_path: Path, content: bytes, name: str = "cards.json") -> str:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(CommandError) as error:
        run(path)
    assert not Creature.objects.exists()
    return str(error.value)


@pytest.mark.django_db
@pytest.mark.parametrize("content", [{"meta": META, "data": FOLK}, SCRYFALL])
def test_a_json_that_is_cut_off_imports_nothing_and_says_where(tmp_path: Path, content: Any) -> None:
    text = json.dumps(content, indent=1).encode()
    told = broken(tmp_path, text[: len(text) * 2 // 3])

    lines = text[: len(text) * 2 // 3].count(b"\n") + 1
    assert f"is cut off: it breaks off in line {lines} behind “" in told
    assert "Nothing was imported." in told


@pytest.mark.django_db
def test_a_json_with_an_error_inside_says_the_line(tmp_path: Path) -> None:
    text = json.dumps(SCRYFALL, indent=1).replace('"name": "Tarmogoyf"', '"name": Tarmogoyf').encode()
    line = text[: text.index(b": Tarmogoyf")].count(b"\n") + 1

    assert f"is not valid JSON in line {line}, byte " in broken(tmp_path, text)


@pytest.mark.django_db
def test_a_json_in_latin_1_says_the_line(tmp_path: Path) -> None:
    text = json.dumps({"data": FOLK}, indent=1, ensure_ascii=False).encode("utf-8")
    text = text.replace("Juzám".encode(), "Juzám".encode("latin-1"))

    assert "is not valid JSON" in broken(tmp_path, text)


@pytest.mark.django_db
def test_a_list_in_latin_1_says_the_line_and_what_would_do(tmp_path: Path) -> None:
    text = XMAGE.splitlines()[:2] + ["Juzám Djinn|Arabian Nights|26|R|{2}{B}{B}|Creature - Djinn|5|5||"]
    told = broken(tmp_path, "\n".join(text).encode("latin-1"), "cards.txt")

    assert "line 3: “Juzám Djinn|A” is not UTF-8" in told
    assert "Save it as UTF-8" in told


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("content", "named"),
    [
        (b"", "is empty"),
        (b"  \n ", "is empty"),
        (b"\xff\xfe[\x00]\x00", "is not a UTF-8 text"),
        (b'{"data": {"a": 1}}', "neither MTGJSON's AtomicCards"),
        (b"[]", "neither MTGJSON's AtomicCards"),
        (b"[1, 2]", "neither MTGJSON's AtomicCards"),
        (b"Dear diary", "line 1: this is no line of a card list"),
        (b"Forest|Set|380|L||Basic Land - Forest|||G|", "has no creatures in it"),
        (gzip.compress(b"[" + b"1," * 90_000, mtime=0)[:-30], "cut off or damaged"),
        (b"\x1f\x8b but not really", "is damaged"),
        (b'[{"name": "Half a pair: \\udf00"}]', "is not valid JSON"),
    ],
)
def test_other_files_are_refused_with_a_sentence(tmp_path: Path, content: bytes, named: str) -> None:
    assert named in broken(tmp_path, content)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"supertypes": None}, "“Bad Bear” has null as its “supertypes”; expected a list of words."),
        ({"types": {"a": "Creature"}}, "“types”; expected a list of words."),
        ({"types": "Creature"}, "“types”; expected a list of words."),
        ({"subtypes": [["Bear"]]}, '[["Bear"]] as its “subtypes”'),
        ({"colors": [1]}, "[1] as its “colors”"),
        ({"printings": {}}, "{} as its “printings”"),
        ({"power": [2]}, "[2] as its “power”; expected a text."),
        ({"text": True}, "true as its “text”"),
    ],
)
def test_a_value_of_a_wrong_kind_is_told_with_its_card_and_field(
    tmp_path: Path, more: dict[str, Any], told: str
) -> None:
    content = {"data": {"Good Bear": [mtg("Good Bear")], "Bad Bear": [mtg("Bad Bear") | more]}}
    said = broken(tmp_path, json.dumps(content).encode())
    assert told in said
    assert "Nothing was imported." in said
    assert not Creature.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("more", "told"),
    [
        ({"card_faces": {"name": "x"}}, "a “card_faces” that is not a list of faces"),
        ({"card_faces": [1]}, "a “card_faces” that is not a list of faces"),
        ({"card_faces": [{"name": "Face", "colors": 5}]}, "“Face” has 5 as its “colors”"),
        ({"type_line": ["Creature"]}, "“Bad Bear” has"),
        ({"colors": "G"}, "“Bad Bear” has"),
    ],
)
def test_so_it_is_in_scryfalls_file(tmp_path: Path, more: dict[str, Any], told: str) -> None:
    said = broken(tmp_path, json.dumps([scry("Bad Bear", power="2", toughness="2") | more]).encode())
    assert told in said


@pytest.mark.django_db
def test_so_it_is_in_a_list_of_our_own(tmp_path: Path) -> None:
    text = b"creatures:\n- {name: [], color: [red], size: 1/1, types: [Creature]}\nlegends: []\n"
    assert "[] as its “name”; expected a text." in broken(tmp_path, text, "own.yaml")


def test_scryfalls_list_may_be_wrapped_as_its_api_gives_it(tmp_path: Path) -> None:
    rows = [scry(name, power="2", toughness="2") for name in ("Grizzly Bears", "Balduvian Bears")]
    path = written(tmp_path, json.dumps({"object": "list", "has_more": False, "data": rows}))
    assert [entry.name for entry, _ in read_cards(path)] == ["Grizzly Bears", "Balduvian Bears"]


@pytest.mark.django_db
def test_a_file_that_is_not_there_is_told(tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="can't be opened: No such file"):
        run(tmp_path / "none.json")
    with pytest.raises(CommandError, match="can't be opened: Is a directory"):
        run(tmp_path)


def test_an_error_far_inside_a_long_file_is_found_to_the_line(tmp_path: Path) -> None:
    rows = [json.dumps(scry(f"Bear {number}", power="2", toughness="2")) for number in range(400)]
    rows[320] = rows[320].replace('"layout":', '"layout"')
    path = written(tmp_path, "[\n" + ",\n".join(rows) + "\n]")

    with pytest.raises(CardFileError, match=r"is not valid JSON in line 322, byte [\d,]+ behind “Bear 319”"):
        list(read_cards(path))


@pytest.mark.django_db
def test_the_own_list_fills_an_empty_catalogue_once(tmp_path: Path) -> None:
    first = load_own_list()

    assert first is not None
    assert first.creatures >= 300
    assert not first.skipped
    assert load_own_list() is None
    assert report(first) == [f"{first.creatures} creatures: {first.creatures} new, 0 changed, 0 as before."]
