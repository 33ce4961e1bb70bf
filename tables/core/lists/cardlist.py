"""T7: a list of cards: all errors at once, versioned, hashed; never changed once a table uses it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from tables.core.lists.cards import GAMES, Ability, Card, Effect, Eleven, Game, Price, Reach, Trigger
from tables.core.lists.faults import At, Fault, Faults, one_of, quote
from tables.core.lists.paragraphs import LONGEST_TEXT, read_ability, read_price
from tables.core.lists.vocabulary import CARD_KEYS, COLOURS, DIRECTIONS, KEYWORDS, TYPES
from tables.core.lists.words import folded, read_flag, read_number, read_text, read_word, refuse_unknown
from tables.core.proof.codec import digest
from wargame.rules.core.saying import said

MOST_CARDS = 5000
MOST_ABILITIES = 20
LIST_KEYS = ("key", "game", "version", "made_up", "name", "about", "keywords", "booster")

_KEY = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_NAME = re.compile(r"[^\s;:#<>{}\[\]\"](?:[^;:#<>{}\[\]\"\r\n\t]*[^\s;:#<>{}\[\]\"])?")
_NO_TOTAL = {"none", "all", "pass", "hand"}


@dataclass(frozen=True, slots=True)
class CardList:
    """T7: a list that was read without an error. `hash` is the SHA-256 of the source, as canonical JSON."""

    key: str
    game: Game
    version: int
    made_up: bool
    cards: Mapping[str, Card]
    """By name, in the list's order."""
    hash: str
    booster: tuple[tuple[int, int], ...] = ()
    """S50: the number of cards of each rarity (1 to 4 stars) in a booster of this list."""


def read_list(data: object) -> CardList | tuple[Fault, ...]:
    """T7: a list from parsed data (`{list: {key, game, version, made_up}, cards: [..]}`), or all its faults."""
    faults = Faults()
    at = At(faults)
    if not isinstance(data, Mapping):
        at.wrong(
            said("%(what)s is not a list of cards.", what=quote(data)),
            said("Write a mapping with the keys `list` and `cards`."),
        )
        return faults.all()
    refuse_unknown(data, ("list", "cards"), at)
    head = data.get("list")
    if not isinstance(head, Mapping):
        at.within("list").wrong(
            said("The header is missing."), said("Write `list: {key: harbour-demo, game: kryptik, version: 1}`.")
        )
        return faults.all()
    head_at = at.within("list")
    refuse_unknown(head, LIST_KEYS, head_at)
    game = read_game(head.get("game"), head_at.within("game"))
    key = read_text(head.get("key"), head_at.within("key"))
    if key and not _KEY.fullmatch(key):
        head_at.within("key").wrong(
            said("%(key)s can't be part of an address.", key=quote(key)),
            said("Use lower-case letters, digits and hyphens."),
        )
    version = read_number(head.get("version", 1), head_at.within("version"), least=1)
    made_up = read_flag(head.get("made_up", False), head_at.within("made_up"))
    keywords = _read_keywords(head.get("keywords", {}), replace(head_at, game=game).within("keywords"))
    booster = _read_booster(head.get("booster", {}), head_at.within("booster"))
    cards = _read_cards(data.get("cards"), game, keywords, at.within("cards"))
    try:
        hashed = digest(data)
    except ValueError as error:
        at.wrong(said("The list can't be hashed: %(error)s.", error=error), said("Use only whole numbers and text."))
    except RecursionError:
        at.wrong(said("The list refers to itself endlessly."), said("Write each item where it belongs."))
    return faults.all() if faults else CardList(key, game, version, made_up, MappingProxyType(cards), hashed, booster)


def _read_booster(data: object, at: At) -> tuple[tuple[int, int], ...]:
    """S50: a booster's size by rarity: `{"1": 7, "2": 4, "3": 2, "4": 1}`."""
    if not isinstance(data, Mapping) or any(str(key) not in ("1", "2", "3", "4") for key in data):
        at.wrong(
            said("%(what)s is not a booster.", what=quote(data)),
            said('Write how many cards of each rarity: `{"1": 7, "2": 4}`.'),
        )
        return ()
    return tuple((int(key), read_number(data[key], at.within(str(key)))) for key in data)


def read_cards(data: object, game: Game) -> Mapping[str, Card] | tuple[Fault, ...]:
    """T7: cards by name without the head of a list, as in a case, or all their faults."""
    faults = Faults()
    cards = _read_cards(data, game, {}, At(faults).within("cards"))
    return faults.all() or MappingProxyType(cards)


def read_card(data: object, game: Game) -> Card | tuple[Fault, ...]:
    """T7: one card, or all its faults."""
    faults = Faults()
    card = _read_card(data, At(faults, game=game), {})
    return faults.all() or card


def read_game(data: object, at: At) -> Game:
    """T7: one of the supported games."""
    for game in GAMES:
        if data == game:
            return game
    at.wrong(said("%(what)s is not a game we know.", what=quote(data)), one_of(GAMES, data))
    return "free"


def _read_cards(data: object, game: Game, keywords: Mapping[str, tuple[Ability, ...]], at: At) -> dict[str, Card]:
    if not isinstance(data, (list, tuple)):
        at.wrong(
            said("%(what)s is not a list of cards.", what=quote(data)),
            said("Write `cards:`, and each card after a hyphen."),
        )
        return {}
    if len(data) > MOST_CARDS:
        at.wrong(
            said("The list has %(number)s cards.", number=len(data)),
            said("The limit is %(most)s; split it into two lists.", most=MOST_CARDS),
        )
        return {}
    cards: dict[str, Card] = {}
    names: set[str] = set()
    for number, entry in enumerate(data, 1):
        name = entry.get("name") if isinstance(entry, Mapping) else None
        label = name[:80] if isinstance(name, str) and name else said("card %(number)s", number=number)
        here = At(at.faults, label, game=game)
        card = _read_card(entry, here, keywords)
        if folded(card.name) in names:
            here.within("name").wrong(
                said("Two cards have this name."), said("Name each card once; decks say how many copies.")
            )
        names.add(folded(card.name))
        cards[card.name] = card
    return cards


def _read_card(data: object, at: At, list_keywords: Mapping[str, tuple[Ability, ...]]) -> Card:
    game = read_game(at.game, at)
    if not isinstance(data, Mapping):
        at.wrong(
            said("%(what)s is not a card.", what=quote(data)),
            said("Try `{name: Gull, type: citizen, attack: 1, defense: 1}`."),
        )
        return Card("", game, TYPES[game][0])
    refuse_unknown(data, CARD_KEYS[game], at)
    keywords = _read_words(data.get("keywords", ()), at.within("keywords"), (*KEYWORDS[game], *list_keywords))
    abilities = (
        *_read_abilities(data.get("abilities", ()), at.within("abilities")),
        *(a for keyword in keywords for a in list_keywords.get(keyword, ())),
    )
    if data.get("focused") is True:
        keywords = tuple(dict.fromkeys((*keywords, "focused")))
    card = Card(
        name=_read_name(data.get("name"), at.within("name")),
        game=game,
        type=read_word(data.get("type", TYPES[game][0] if game == "free" else None), at.within("type"), TYPES[game]),
        text=read_text(data.get("text", ""), at.within("text"), longest=LONGEST_TEXT),
        token=read_flag(data.get("token", False), at.within("token")),
        keywords=keywords,
        abilities=abilities,
        faction=_word(data, "faction", at),
        kind=_word(data, "kind", at),
        class_=_word(data, "class", at),
        stars=_number(data, "stars", at),
    )
    card = {"kryptik": _kryptik, "seize": _seize, "altered": _altered, "free": _free}[game](data, card, at)
    silent = not (card.abilities or card.keywords or card.tough or card.eleven != Eleven())
    manual = read_flag(data["manual"], at.within("manual")) if "manual" in data else bool(card.text) and silent
    _check_endless(card, at)
    return replace(card, manual=manual)


def _read_name(data: object, at: At) -> str:
    name = read_text(data, at)
    if data == "":
        at.wrong(said("The name is empty."), said("Add the card's name."))
    elif name and not _NAME.fullmatch(name):
        at.wrong(
            said("%(name)s can't be used in a line.", name=quote(name)),
            said('Leave out ; : # < > { } [ ] " and spaces at the ends.'),
        )
    elif name.casefold() in _NO_TOTAL or name.isdecimal():
        at.wrong(said("%(name)s has another meaning in a line.", name=quote(name)), said("Choose another name."))
    return name


def _word(data: Mapping[str, object], key: str, at: At) -> str:
    return read_word(data[key], at.within(key)) if key in data else ""


def _number(data: Mapping[str, object], key: str, at: At) -> int:
    return read_number(data[key], at.within(key)) if key in data else 0


def _read_words(data: object, at: At, among: tuple[str, ...]) -> tuple[str, ...]:
    if not isinstance(data, (list, tuple)) or len(data) > MOST_ABILITIES:
        at.wrong(said("%(what)s is not a list of words.", what=quote(data)), said("Put them in brackets: `[eager]`."))
        return ()
    return tuple(dict.fromkeys(read_word(item, at.within(number), among) for number, item in enumerate(data, 1)))


def _read_abilities(data: object, at: At) -> tuple[Ability, ...]:
    if not isinstance(data, (list, tuple)) or len(data) > MOST_ABILITIES:
        at.wrong(
            said("%(what)s is not a list of abilities.", what=quote(data)),
            said("Write at most %(most)s, each after a hyphen.", most=MOST_ABILITIES),
        )
        return ()
    return tuple(read_ability(ability, at.within(number)) for number, ability in enumerate(data, 1))


def _read_keywords(data: object, at: At) -> dict[str, tuple[Ability, ...]]:
    """T7: the list's own keywords, built from the vocabulary: `{anchor: {text: .., abilities: [..]}}`."""
    if not isinstance(data, Mapping) or len(data) > MOST_ABILITIES:
        at.wrong(
            said("%(what)s doesn't name any keywords.", what=quote(data)),
            said("Write `{anchor: {text: .., abilities: [..]}}`."),
        )
        return {}
    keywords: dict[str, tuple[Ability, ...]] = {}
    for keyword, definition in data.items():
        inner = at.within(str(keyword)[:40])
        if keyword in KEYWORDS[at.game]:
            inner.wrong(
                said("%(word)s is already a keyword of the game.", word=quote(keyword)),
                said("Choose another word; the game already gives this one an effect."),
            )
        elif isinstance(definition, Mapping):
            refuse_unknown(definition, ("text", "abilities"), inner)
            keywords[str(keyword)] = _read_abilities(definition.get("abilities", ()), inner.within("abilities"))
        else:
            inner.wrong(
                said("%(what)s has no meaning here.", what=quote(definition)),
                said("Write `{text: .., abilities: [..]}`."),
            )
    return keywords


# ------------------------------------------------------------------------------------------------ by game


def _kryptik(data: Mapping[str, object], card: Card, at: At) -> Card:
    soul = _read_words(data.get("soul", ()), at.within("soul"), COLOURS)
    return replace(
        card,
        cost=_price(data, "cost", at),
        additional=_price(data, "additional", at),
        attack=_number(data, "attack", at),
        defense=_number(data, "defense", at),
        soul=soul,
        eleven=_read_eleven(data["eleven"], at.within("eleven")) if "eleven" in data else Eleven(),
        overlord=read_flag(data.get("overlord", False), at.within("overlord")),
    )


def _price(data: Mapping[str, object], key: str, at: At) -> Price:
    return read_price(data[key], at.within(key)) if key in data else Price()


def _read_eleven(data: object, at: At) -> Eleven:
    """6.1: `{cost: 2, do: [..]}`: without `do` no ability, without `cost` no casting."""
    if not isinstance(data, Mapping):
        at.wrong(said("%(what)s has no meaning here.", what=quote(data)), said("Try `{cost: 2, do: [{draw: 1}]}`."))
        return Eleven()
    cost = read_number(data["cost"], at.within("cost")) if "cost" in data else None
    fields = {key: data[key] for key in data if key != "cost"}
    if fields and "do" not in fields:
        at.wrong(said("The 11 year ability does nothing."), said("Add `do`, or leave out everything but `cost`."))
    return Eleven(cost, read_ability(fields, at, "eleven") if "do" in fields else None)


def _seize(data: Mapping[str, object], card: Card, at: At) -> Card:
    if card.type == "mercenary" and "class" not in data:
        at.within("class").wrong(said("A mercenary needs a class."), said("Try `class: Warrior`."))
    if card.type == "ability":
        read_word(data.get("kind"), at.within("kind"), ("instant", "attack", "event"))
    return replace(
        card,
        cost=_price(data, "cost", at),
        health=_number(data, "health", at),
        melee=_reach(data, "melee", at),
        ranged=_reach(data, "ranged", at),
        defense=_number(data, "defense", at),
        bounty=_number(data, "bounty", at),
        move=_reach(data, "move", at),
    )


def _reach(data: Mapping[str, object], key: str, at: At) -> Reach | None:
    """S2, S18: `{n: 2, dir: [F, FR], kind: crossbow, distance: 1}`; `dir: all` means all eight."""
    if key not in data:
        return None
    value, inner = data[key], at.within(key)
    if not isinstance(value, Mapping):
        inner.wrong(
            said("%(what)s has no directions.", what=quote(value)),
            said("Try `{n: 2, dir: [F]}` or `{n: 2, dir: all}`."),
        )
        return None
    refuse_unknown(value, ("n", "dir", "kind", "distance"), inner)
    if "dir" not in value:
        inner.within("dir").wrong(said("The directions are missing (S2)."), said("Write `dir: [F]` or `dir: all`."))
    ways = value.get("dir", ())
    directions = DIRECTIONS if ways == "all" else _read_words(ways, inner.within("dir"), DIRECTIONS)
    kind = read_word(value["kind"], inner.within("kind"), ("crossbow", "staff")) if "kind" in value else ""
    distance = read_number(value.get("distance", 1), inner.within("distance"), least=1)
    return Reach(_number(value, "n", inner), directions, kind, distance)


def _altered(data: Mapping[str, object], card: Card, at: At) -> Card:
    costs = data.get("cost", {})
    if not isinstance(costs, Mapping):
        at.within("cost").wrong(
            said("%(what)s doesn't name any costs.", what=quote(costs)), said("Try `{hand: 2, reserve: 1}`.")
        )
        costs = {}
    inner = at.within("cost")
    refuse_unknown(costs, ("hand", "reserve"), inner)
    return replace(
        card,
        hand_cost=_number(costs, "hand", inner),
        reserve_cost=_number(costs, "reserve", inner) if "reserve" in costs else None,
        stats=_numbers(data.get("stats", ()), at.within("stats"), least=0),
        limits=_limits(data.get("limits", {}), at.within("limits")),
        halves=_halves(data.get("halves", ()), at.within("halves")),
        tough=_number(data, "tough", at),
    )


def _free(data: Mapping[str, object], card: Card, at: At) -> Card:
    return card


def _numbers(data: object, at: At, least: int) -> tuple[int, ...]:
    if not isinstance(data, (list, tuple)) or len(data) > MOST_ABILITIES:
        at.wrong(said("%(what)s is not a list of numbers.", what=quote(data)), said("Try `[1, 0, 2]`."))
        return ()
    return tuple(read_number(n, at.within(place), least) for place, n in enumerate(data, 1))


def _limits(data: object, at: At) -> tuple[tuple[str, int], ...]:
    if not isinstance(data, Mapping):
        at.wrong(said("%(what)s doesn't name any limits.", what=quote(data)), said("Try `{reserve: 2, landmark: 2}`."))
        return ()
    refuse_unknown(data, ("reserve", "landmark"), at)
    return tuple((key, read_number(data[key], at.within(key))) for key in ("reserve", "landmark") if key in data)


def _halves(data: object, at: At) -> tuple[tuple[int, ...], ...]:
    if not isinstance(data, (list, tuple)) or len(data) not in (0, 2):
        at.wrong(
            said("%(what)s doesn't have two halves.", what=quote(data)), said("Try `[[1], [2, 3]]`: near and far.")
        )
        return ()
    return tuple(_numbers(half, at.within(place), least=1) for place, half in enumerate(data, 1))


def _check_endless(card: Card, at: At) -> None:
    """T7: a card whose entering makes another one like it would never end."""
    for number, ability in enumerate(card.abilities, 1):
        enters = isinstance(ability.when, Trigger) and ability.when.event in ("enters", "played")
        if enters and not ability.may and not ability.limit and _creates(ability.do, card.name):
            at.within("abilities").within(number).wrong(
                said("This card endlessly creates itself whenever it enters."),
                said("Add `limit: 1` or `may: true`, or create another card."),
            )


def _creates(effects: tuple[Effect, ...], name: str) -> bool:
    for effect in effects:
        if effect.word == "create" and effect.text("create").casefold() == name.casefold():
            return True
        if any(isinstance(value, tuple) and _creates(value, name) for _, value in effect.args):
            return True
    return False
