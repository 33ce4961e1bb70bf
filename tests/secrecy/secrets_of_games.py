"""The secrets of the games of card tables: what lies before whoever drafts, hands, cards face down, faces of Mana Orbs.

Each list is made up for this, and public like every list: the page that shows it says nothing of where its cards lie.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from judging.tables.cards.decks import save_deck
from judging.tables.cards.lists import take_list
from judging.tables.drafts import queries as drafts
from judging.tables.drafts import services
from judging.tables.drafts.models import DraftPick, TableDraft
from judging.tables.models import CardList, Hidden, Table
from judging.tables.queries import table_view
from judging.tables.services import agreements, judges, opening, posting
from tables.games.altered.agreements import all_suggested
from tests.secrecy.scene import SIGN, Scene

SEATS = {"author": "Tess", "enemy": "Ulf"}
ORDER = tuple(SEATS)


def plant(scene: Scene, at: datetime) -> None:
    """Two drafts, one of them picked to its end, and a table each of Seize and of Altered in the middle of a game."""
    _drafting(scene, at)
    _building(scene, at)
    _seize(scene, at)
    _altered(scene, at)
    for draft in TableDraft.objects.all():
        scene.note(bytes(draft.seed).hex(), "seed of a table")
    for pick in DraftPick.objects.all():
        scene.note(pick.salt, "salt of a table")
    for table in Table.objects.all():
        scene.note(bytes(table.seed).hex(), "seed of a table")
    for secret in Hidden.objects.all():
        scene.note(secret.salt, "salt of a table")


def _names(key: str, many: int) -> list[str]:
    return [f"Z{SIGN[1:]}{key}{number:03d}z" for number in range(many)]


def _list(game: str, key: str, cards: Iterable[Mapping[str, Any]], at: datetime, **more: object) -> CardList:
    """A list that is nobody's own: whoever made one finds its cards among his data."""
    head = {"key": f"planted-{key}", "name": f"Planted {key}", "game": game, "version": 1, "made_up": True, **more}
    return take_list(data={"list": head, "cards": list(cards)}, by=None, now=at)


def _opened(scene: Scene, name: str, game: str, format: str, cards: CardList, at: datetime) -> Table:
    plan = opening.TablePlan(name, game, format, cards)
    table = opening.open_table(user=scene.users["author"], plan=plan, now=at)
    judges.name_judge(
        table=table, by=scene.users["author"], username=scene.users["battle"].username, name="Magda", now=at
    )  # fmt: skip
    return table


# ------------------------------------------------------------------------------------------------ drafts


def _treasures(names: Iterable[str]) -> list[dict[str, object]]:
    return [{"name": name, "type": "treasure", "stars": 1, "text": ""} for name in names]


def _drafted_at(scene: Scene, name: str, key: str, size: int, at: datetime) -> Table:
    cards = _list("seize", key, _treasures(_names(key, 90)), at, booster={"1": size})
    table = _opened(scene, name, "seize", "draft", cards, at)
    for viewer, called in SEATS.items():
        services.join_draft(
            table=table, user=scene.users[viewer], name=called, word=f"a word of {called} for the draft",
            invitation="", now=at,
        )  # fmt: skip
    return table


def _seen(scene: Scene, table: Table, viewer: str) -> drafts.DraftView:
    found = drafts.draft_at(table)
    assert found is not None
    return drafts.draft_view(found, scene.users[viewer])


def _pick(scene: Scene, table: Table, viewer: str, at: datetime) -> None:
    seen = _seen(scene, table, viewer)
    assert seen.mine is not None
    row = drafts.draft_at(table)
    assert row is not None
    closed = {card for packs in drafts.state_of(row, [*row.drafters.all()]).unopened for pack in packs for card in pack}
    card = next((card for card in seen.pack if card not in closed), seen.pack[0])
    number = len(seen.mine.picks) + 1
    services.pick_card(table=table, user=scene.users[viewer], card=card, number=number, now=at)


def _drafting(scene: Scene, at: datetime) -> None:
    """T12.9: both have one card; the author has picked a second one, and his enemy wishes for another."""
    table = _drafted_at(scene, "A planted draft", "pack", 4, at)
    for viewer in (*ORDER, "author"):
        _pick(scene, table, viewer, at)
    row = drafts.draft_at(table)
    assert row is not None
    state = drafts.state_of(row, list(row.drafters.all()))
    lies: dict[str, list[tuple[str, str]]] = {}
    for kind, packs in (
        ("card before a drafter", state.before), ("pool of a draft", state.picked),
        *(("card of a closed booster", packs) for packs in state.unopened),
    ):  # fmt: skip
        for viewer, pack in zip(ORDER, packs, strict=True):
            for card in pack:
                lies.setdefault(card, []).append((kind, viewer if kind != "card of a closed booster" else ""))
    for card, where in lies.items():
        if len(where) == 1:
            kind, viewer = where[0]
            chosen = dict(state.sealed).get("A") == card
            scene.note(card, "sealed pick" if chosen else kind, viewer)
    nowhere = next(card for card in _names("pack", 90) if card not in lies)
    services.wish_for(table=table, user=scene.users["enemy"], cards=[nowhere], now=at)
    scene.note(nowhere, "wish of a draft", "enemy")


def _building(scene: Scene, at: datetime) -> None:
    """T12.9: all is picked, and both make their decks."""
    table = _drafted_at(scene, "A planted pool", "pool", 1, at)
    while _seen(scene, table, "author").phase == "picking":
        for viewer in ORDER:
            _pick(scene, table, viewer, at)
    mine, other = ({card for card, _ in _seen(scene, table, viewer).pool} for viewer in ORDER)
    for viewer, pool in (("author", mine - other), ("enemy", other - mine)):
        for card in pool:
            scene.note(card, "pool of a draft", viewer)


# ------------------------------------------------------------------------------------------------ games


def _sit(scene: Scene, table: Table, decks: Mapping[str, list[str]], at: datetime) -> None:
    for viewer, called in SEATS.items():
        text = "".join(f"1 {name}\n" for name in decks[viewer])
        deck = save_deck(
            user=scene.users[viewer], deck=None, name="A planted deck", text=text, game=table.game,
            card_list=table.card_list, now=at,
        )  # fmt: skip
        coming = opening.Coming(called, deck, f"a word of {called} for the cut")
        opening.sit_down(table=table, user=scene.users[viewer], coming=coming, now=at)


def _play(scene: Scene, table: Table, at: datetime, until: Callable[[Mapping[str, Any]], bool]) -> Table:
    """Whoever is waited for does the first thing that he may, or puts a card face down, until something is seen."""
    for number in range(80):
        row = Table.objects.select_related("card_list").get(pk=table.pk)
        seen = table_view(row, scene.users["author"], at)
        if until(seen.view):
            return row
        turns = (*ORDER, *ORDER)[number % 2 :]
        viewer = next(each for each in turns if table_view(row, scene.users[each], at).legal)
        legal = table_view(row, scene.users[viewer], at).legal
        line = next((one for one in legal if one.startswith(("treasure face down", "mana Z"))), legal[0])
        posting.post(
            table=row, user=scene.users[viewer], lines=[line], on=row.head, token=f"planted {number}", now=at
        )  # fmt: skip
    raise AssertionError(f"{table.name} does not come so far")


def _note_cards(scene: Scene, table: Table, decks: Mapping[str, list[str]], faces: Mapping[str, str]) -> None:
    """T5.2: every card of a deck is its owner's as long as it lies in hand or deck, or with its face down."""
    row = Table.objects.get(pk=table.pk)
    public = str(table_view(row, scene.users["outsider"], row.opened_at).view).lower()
    for viewer, names in decks.items():
        view = table_view(row, scene.users[viewer], row.opened_at).view
        letter = "A" if viewer == "author" else "B"
        for zone, kind in faces.items():
            cards = [one["card"] for one in view["zones"][f"{letter}.{zone}"] if one]
            assert all(card in names for card in cards)
            for card in cards:
                if card.lower() not in public:
                    scene.note(card, kind, viewer)


def _seize(scene: Scene, at: datetime) -> None:
    """S11: both have put a mercenary face down into their Warchests."""
    names = {"author": _names("mine", 40), "enemy": _names("yours", 40)}
    cards = [
        {"name": name, "type": "mercenary", "class": "Rogue", "stars": 1, "health": 6, "bounty": 1, "text": "",
         "melee": {"n": 2, "dir": "all"}, "move": {"n": 2, "dir": "all"}}
        for each in names.values() for name in each
    ]  # fmt: skip
    table = _opened(scene, "A planted battlefield", "seize", "standard", _list("seize", "field", cards, at), at)
    _sit(scene, table, names, at)
    _play(scene, table, at, lambda view: all(view["zones"][f"{letter}.warchest"] for letter in "AB"))
    _note_cards(scene, table, names, {"hand": "card of a hand", "warchest": "card face down"})


def _altered(scene: Scene, at: datetime) -> None:
    """3.2.9: both have Mana Orbs, whose faces are their owners' alone."""
    names = {"author": _names("road", 30), "enemy": _names("hearth", 30)}
    cards: list[dict[str, object]] = [
        {"name": name, "type": "character", "cost": {"hand": 1, "reserve": 1}, "stats": [1, 1, 1], "text": ""}
        for each in names.values() for name in each
    ]  # fmt: skip
    cards += [{"name": f"Tumult {number}", "type": "tumult", "halves": [[1], [2]]} for number in range(3)]
    table = _opened(scene, "A planted road", "altered", "default", _list("altered", "road", cards, at), at)
    _sit(scene, table, names, at)
    for viewer in ORDER:
        head = Table.objects.get(pk=table.pk).head
        agreements.agree_on(
            table=table, user=scene.users[viewer], answers=dict(all_suggested()), on=head, token="agreed", now=at
        )  # fmt: skip
    _play(scene, table, at, lambda view: all(view["zones"][f"{letter}.mana"] for letter in "AB"))
    _note_cards(scene, table, names, {"hand": "card of a hand", "mana": "face of a Mana Orb"})
