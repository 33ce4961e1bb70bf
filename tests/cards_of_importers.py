"""Card files as the importers of creatures know them, each with what is taken and what is left out."""

from typing import Any

META = {"date": "2026-11-01", "version": "5.2.2"}


def mtg(name: str, power: str | None = "2", toughness: str | None = "2", **more: Any) -> dict[str, Any]:
    """A face as MTGJSON writes it, with some of what is skipped."""
    size = {key: value for key, value in (("power", power), ("toughness", toughness)) if value is not None}
    return {
        "colorIdentity": ["G"],
        "colors": ["G"],
        "foreignData": [{"language": "German", "name": "Bär", "faceName": "nicht dies", "types": ["Zauber"]}],
        "identifiers": {"scryfallOracleId": "14c8f55d"},
        "layout": "normal",
        "legalities": {"vintage": "Legal"},
        "manaCost": "{1}{G}",
        "manaValue": 2.0,
        "name": name,
        **size,
        "printings": ["10E", "LEA"],
        "rulings": [{"date": "2009-10-01", "text": "It is a bear."}],
        "subtypes": ["Bear"],
        "supertypes": [],
        "text": "",
        "type": "Creature — Bear",
        "types": ["Creature"],
        **more,
    }


FOLK = {
    "Grizzly Bears": [mtg("Grizzly Bears")],
    "Delver of Secrets // Insectile Aberration": [
        mtg("Delver of Secrets // Insectile Aberration", "1", "1", faceName="Delver of Secrets", side="a",
            layout="transform", colors=["U"], subtypes=["Human", "Wizard"]),
        mtg("Delver of Secrets // Insectile Aberration", "3", "2", faceName="Insectile Aberration", side="b",
            layout="transform", colors=["U"], subtypes=["Human", "Insect"]),
    ],
    "Lhurgoyf": [mtg("Lhurgoyf", "*", "1+*")],
    "Juzám Djinn": [mtg("Juzám Djinn", "5", "5", colors=["B"])],
    "Bosh, Iron Golem": [mtg("Bosh, Iron Golem", "6", "7", colors=[], supertypes=["Legendary"],
                             types=["Artifact", "Creature"])],
    "Fire // Ice": [mtg("Fire // Ice", None, None, faceName="Fire", side="a", layout="split", types=["Instant"]),
                    mtg("Fire // Ice", None, None, faceName="Ice", side="b", layout="split", types=["Instant"])],
    "Little Girl": [mtg("Little Girl", ".5", ".5", isFunny=True, colors=["W"])],
    "Infinity Elemental": [mtg("Infinity Elemental", "∞", "5", isFunny=True)],
    "Half-Kitten, Half-": [mtg("Half-Kitten, Half-", "+1", "+2", isFunny=True, layout="augment")],
    "Nameless Size": [mtg("Nameless Size", None, None)],
    "Teyo, Screen Mage": [mtg("Teyo, Screen Mage", isOnlineOnly=True)],
    "Clone": [mtg("Clone", "0", "0", colors=["U"],
                  text="You may have Clone enter the battlefield as a copy of any creature on the battlefield.")],
}  # fmt: skip


def printed(cards: dict[str, list[dict[str, Any]]]) -> dict[str, Any]:
    """AllPrintings: the same cards by set, with tokens and booster plans around them."""
    faces = [face for entry in cards.values() for face in entry]
    sets = {
        code: {
            "baseSetSize": 2,
            "booster": {"default": {"boosters": [{"contents": {"common": 10}, "weight": 1}]}},
            "cards": [{**face, "setCode": code} for face in faces],
            "code": code,
            "name": f"Set {code}",
            "releaseDate": "2007-07-13",
            "tokens": [mtg("Bear", layout="token", supertypes=["Token"])],
        }
        for code in ("10E", "LEA")
    }
    return {"meta": META, "data": sets}


def scry(name: str, type_line: str = "Creature — Bear", **more: Any) -> dict[str, Any]:
    return {
        "object": "card",
        "id": "14c8f55d-d177-4c25-a931-ebeb9e6062a0",
        "name": name,
        "lang": "en",
        "layout": "normal",
        "image_uris": {"small": "https://example.org/a.jpg", "name": "not this"},
        "mana_cost": "{1}{G}",
        "cmc": 2.0,
        "type_line": type_line,
        "oracle_text": "",
        "colors": ["G"],
        "color_identity": ["G"],
        "digital": False,
        "set": "lea",
        "set_type": "core",
        "prices": {"usd": "0.25"},
        **more,
    }


SCRYFALL = [
    scry("Grizzly Bears", power="2", toughness="2"),
    scry(
        "Delver of Secrets // Insectile Aberration",
        "Creature — Human Wizard // Creature — Human Insect",
        layout="transform",
        colors=None,
        oracle_text=None,
        card_faces=[
            {"object": "card_face", "name": "Delver of Secrets", "colors": ["U"], "power": "1", "toughness": "1",
             "type_line": "Creature — Human Wizard", "oracle_text": "Look at the top card of your library."},
            {"object": "card_face", "name": "Insectile Aberration", "colors": ["U"], "power": "3", "toughness": "2",
             "type_line": "Creature — Human Insect", "oracle_text": "Flying"},
        ],
    ),
    scry(
        "Bonecrusher Giant // Stomp",
        "Creature — Giant // Instant — Adventure",
        layout="adventure",
        colors=["R"],
        power="4",
        toughness="3",
        card_faces=[
            {"name": "Bonecrusher Giant", "power": "4", "toughness": "3", "type_line": "Creature — Giant"},
            {"name": "Stomp", "type_line": "Instant — Adventure"},
        ],
    ),
    scry("Reaper King", "Legendary Artifact Creature — Scarecrow", colors=list("BGRUW"), power="6", toughness="6"),
    scry("Tarmogoyf", "Creature — Lhurgoyf", power="*", toughness="1+*"),
    scry("Bear", "Token Creature — Bear", layout="token", set_type="token", power="2", toughness="2"),
    scry("Bear // Beast", layout="double_faced_token", card_faces=[{"name": "Bear"}, {"name": "Beast"}]),
    scry("Chandra, Torch of Defiance Emblem", "Emblem — Chandra", layout="emblem"),
    scry("A-Young Wolf", digital=True, power="1", toughness="1"),
    scry("Old Fogey", "Summon — Dinosaur", set_type="funny", border_color="silver", power="7", toughness="7"),
    scry("Smart Car", "Artifact — Vehicle", power="2", toughness="2"),
    scry("Westvale Abbey // Ormendahl", "Land // Legendary Creature — Demon", layout="transform", card_faces=[
        {"name": "Westvale Abbey", "type_line": "Land"},
        {"name": "Ormendahl", "type_line": "Legendary Creature — Demon", "power": "9", "toughness": "7"}]),
    scry("Shapeless"),
]  # fmt: skip

XMAGE = """\
Kris Mage|Mercadian Masques|201|C|{R}|Creature - Human Spellshaper|1|1|{R}, {T}, Discard a card: {this} deals 1 damage.|
Shivan Dragon|Tenth Edition|230|R|{4}{R}{R}|Creature - Dragon|5|5|Flying<br>{R}: {this} gets +1/+0 until end of turn.|
Wistful Selkie|Eventide|141|U|{G/U}{G/U}{G/U}|Creature - Merfolk Wizard|2|2|When {this} enters, draw a card.|
Slash Panther|New Phyrexia|150|C|{4}{R/P}|Artifact Creature - Phyrexian Cat|4|2|Haste|
Beseech the Queen|Shadowmoor|57|U|{2/B}{2/B}{2/B}|Sorcery|||Search your library.|
Boggart Brute|Magic Origins|133|C|{2}{R}|Creature — Goblin Warrior|3|2|Menace
Karn, Silver Golem|Urza's Saga|298|R|{5}|Legendary Artifact Creature - Golem|4|4||
Delver of Secrets|Innistrad|51|C|{U}|Creature - Human Wizard|1|1|Transform|
Insectile Aberration|Innistrad|51|C||Creature - Human Insect|3|2|Flying|
Dryad Arbor|Future Sight|174|U||Land Creature - Forest Dryad|1|1|(It isn't a spell.)|
Transguild Courier|Dissension|168|U|{4}|Artifact Creature - Golem|3|3|{this} is all colors.|
Kobolds of Kher Keep|Legends|158|C|{0}|Creature - Kobold|0|1|{this} is red.|
Culling Drone|Oath of the Gatewatch|69|C|{1}{B}|Creature - Eldrazi Drone|2|2|Devoid <i>(It has no color.)</i>|
Maro|Mirage|229|R|{2}{G}{G}|Creature - Elemental|*|*|Its size is a|b.|
Kris Mage|Eighth Edition|200|C|{R}|Creature - Human Spellshaper|1|1||
Forest|Tenth Edition|380|L||Basic Land - Forest|||G|
Fire // Ice|Apocalypse|128|U|{1}{R} // {1}{U}|Instant|||Fire: it burns.|

Half a line|Nowhere
"""
