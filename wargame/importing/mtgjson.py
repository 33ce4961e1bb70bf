"""2.2.1: MTGJSON's AtomicCards and AllPrintings."""

from wargame.importing.cards import (
    Card,
    Entry,
    Skipped,
    WhyNot,
    check_kinds,
    checked,
    in_order,
    is_creature,
    one_line,
    type_words,
)
from wargame.rules.core.codec import Json

KEYS = frozenset(
    (
        *("name", "faceName", "side", "layout", "colors", "power", "toughness", "text"),
        *("types", "supertypes", "subtypes", "setCode", "printings", "firstPrinting"),
        *("isFunny", "isOnlineOnly", "isRebalanced"),
    )
)
"""The keys of a card that are kept; all else is skipped while reading."""

LISTS = ("colors", "types", "supertypes", "subtypes", "printings")
TEXTS = ("name", "faceName", "side", "layout", "power", "toughness", "text", "setCode", "firstPrinting")

OTHER_LISTS = frozenset({"tokens", "decks", "sealedProduct", "booster"})
"""Lists of a single set's file that contain no cards."""

_NO_CARDS = frozenset({"emblem", "art_series", "planar", "scheme", "vanguard"})


def is_card(path: list[str | None]) -> bool:
    """Whether an object at that path is a card: `data.NAME[]` (AtomicCards) or `data.SET.cards[]` (AllPrintings)."""
    match path:
        case ["data", str(name), None]:
            return name not in OTHER_LISTS
        case ["data", str(), "cards", None]:
            return True
    return False


def read_card(row: Json) -> Entry:
    """One face of a card in MTGJSON's form: a row for each face, `side` a for the front. Raises BadField."""
    check_kinds(row, texts=TEXTS, lists=LISTS)
    name = one_line(str(row.get("faceName") or row.get("name") or "").split(" // ")[0])
    type_names = [*row.get("supertypes", ()), *row.get("types", ())]
    layout = str(row.get("layout", ""))
    if not name:
        return Skipped("", WhyNot.NO_NAME)
    if str(row.get("side") or "a") != "a":
        return Skipped(name, WhyNot.BACK)
    if layout in _NO_CARDS:
        return Skipped(name, WhyNot.NO_PLAYING_CARD)
    if "token" in layout or "Token" in type_names:
        return Skipped(name, WhyNot.TOKEN)
    if not is_creature(type_names):
        return Skipped(name, WhyNot.NO_CREATURE)
    if row.get("isOnlineOnly") or row.get("isRebalanced"):
        return Skipped(name, WhyNot.NEVER_PRINTED)
    if layout == "augment":
        return Skipped(name, WhyNot.HALF_CREATURE)
    printings = row.get("printings") or [""]
    return checked(
        Card(
            name=name,
            colors=in_order(row.get("colors", ())),
            power=str(row.get("power") or ""),
            toughness=str(row.get("toughness") or ""),
            types=type_words(type_names),
            subtypes=tuple(map(str, row.get("subtypes", ()))),
            printed_in=str(row.get("setCode") or row.get("firstPrinting") or printings[0]),
            text=str(row.get("text") or ""),
            is_front=row.get("side") == "a",
            is_funny=bool(row.get("isFunny")),
        )
    )
