"""2.2.1: Scryfall's bulk file oracle-cards."""

from wargame.importing.cards import (
    BadField,
    Card,
    Entry,
    Skipped,
    WhyNot,
    check_kinds,
    checked,
    in_order,
    is_creature,
    one_line,
    split_type_line,
    type_words,
)
from wargame.rules.core.codec import Json

KEYS = frozenset(
    (
        *("name", "layout", "colors", "power", "toughness", "type_line", "oracle_text", "card_faces"),
        *("set", "set_type", "digital", "border_color"),
    )
)
"""The keys of a card that are kept; all else is skipped while reading."""

TEXTS = ("name", "layout", "power", "toughness", "type_line", "oracle_text", "set", "set_type", "border_color")

_NO_CARDS = frozenset({"emblem", "art_series", "planar", "scheme", "vanguard"})


def is_card(path: list[str | None]) -> bool:
    """Whether an object at that path is a card: the file is one list of them, or has it as its `data`."""
    return path in ([None], ["data", None])


def read_card(row: Json) -> Entry:
    """A card with all its faces; the front counts. The front may leave colours and size to the card. Raises
    BadField."""
    faces = row.get("card_faces") or []
    if not (isinstance(faces, list) and all(isinstance(face, dict) for face in faces)):
        raise BadField(f"“{row.get('name') or 'A card'}” has a “card_faces” that is not a list of faces.")
    front: Json = faces[0] if faces else {}
    for part in (row, front):
        lists = [field for field in ("colors",) if part.get(field) is not None]
        check_kinds(part, texts=TEXTS, lists=lists, name=str(row.get("name") or ""))
    name = one_line(str(front.get("name") or row.get("name") or "").split(" // ")[0])
    line = str(front.get("type_line") or row.get("type_line") or "").split(" // ")[0]
    type_names, subtypes = split_type_line(line)
    layout = str(row.get("layout", ""))
    if not name:
        return Skipped("", WhyNot.NO_NAME)
    if layout in _NO_CARDS:
        return Skipped(name, WhyNot.NO_PLAYING_CARD)
    if "token" in layout or "Token" in type_names or row.get("set_type") == "token":
        return Skipped(name, WhyNot.TOKEN)
    if not is_creature(type_names):
        return Skipped(name, WhyNot.NO_CREATURE)
    if row.get("digital"):
        return Skipped(name, WhyNot.NEVER_PRINTED)
    if layout == "augment":
        return Skipped(name, WhyNot.HALF_CREATURE)
    colors = front.get("colors") if front.get("colors") is not None else row.get("colors")
    return checked(
        Card(
            name=name,
            colors=in_order(colors or ()),
            power=str(front.get("power") or row.get("power") or ""),
            toughness=str(front.get("toughness") or row.get("toughness") or ""),
            types=type_words(type_names),
            subtypes=subtypes,
            printed_in=str(row.get("set") or "").upper(),
            text=str(front.get("oracle_text") or row.get("oracle_text") or ""),
            is_front=len(faces) > 1,
            is_funny=row.get("set_type") == "funny" or row.get("border_color") == "silver",
        )
    )
