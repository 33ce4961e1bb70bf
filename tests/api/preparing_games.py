"""What the demo round needs first, so that drafts, reach and agreements have something to do by their operations."""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import User

from judging.tables.cards.lists import take_list, take_made_up
from judging.tables.drafts import services
from judging.tables.drafts.models import TableDraft
from judging.tables.models import CardList, DeckVersion, Table
from judging.tables.queries import table_view
from judging.tables.services import agreements, opening, posting
from tables.games.altered.agreements import all_suggested

PLAYER, OTHER = "auricthorn", "mirrormask"
SEATS = {OTHER: "Mirror", PLAYER: "Auric"}
FINDS = ("Brass Key", "Clay Jug", "Copper Cup", "Fur Cap", "Glass Eye", "Iron Ring", "Old Coin", "Torch")
"""The cards of a small list, all of which are in each of its boosters."""


def _user(name: str) -> User:
    return User.objects.get(username=name)


def _sought(scene: Any) -> Table:
    """A draft that one has joined."""
    scene.patch.setattr("judging.tables.drafts.opening.new_seed", lambda: b"\7" * 32)
    cards = [{"name": name, "type": "treasure", "stars": 1, "text": ""} for name in FINDS]
    head = {"key": "finds", "name": "Finds", "game": "seize", "version": 1, "made_up": True, "booster": {"1": 8}}
    card_list = take_list(data={"list": head, "cards": cards}, by=None, now=scene.now)
    plan = opening.TablePlan("A short draft", "seize", "draft", card_list)
    table = opening.open_table(user=_user(OTHER), plan=plan, now=scene.now)
    _join(scene, table, OTHER)
    return table


def _join(scene: Any, table: Table, name: str) -> None:
    services.join_draft(
        table=table, user=_user(name), name=SEATS[name], word=f"a word that {SEATS[name]} hands in", invitation="",
        now=scene.now,
    )  # fmt: skip


def _picking(scene: Any) -> Table:
    table = _sought(scene)
    _join(scene, table, PLAYER)
    return table


def _building(scene: Any) -> Table:
    """Both wish for the same cards in the same order, so that each has four of every one."""
    table = _picking(scene)
    for name in SEATS:
        services.wish_for(table=table, user=_user(name), cards=FINDS, now=scene.now)
    assert TableDraft.objects.get(table=table).ended_at is not None
    return table


def _seated(scene: Any, game: str, format: str, decks: tuple[str, str]) -> Table:
    scene.patch.setattr("judging.tables.services.opening.new_seed", lambda: b"\7" * 32)
    take_made_up(game, scene.now)
    plan = opening.TablePlan("A short game", game, format, CardList.objects.get(game=game))
    table = opening.open_table(user=_user(OTHER), plan=plan, now=scene.now)
    for (name, called), deck in zip(SEATS.items(), decks, strict=True):
        version = DeckVersion.objects.get(deck__name=deck, deck__owner__isnull=True)
        coming = opening.Coming(called, version, f"a word that {called} hands in")
        opening.sit_down(table=table, user=_user(name), coming=coming, now=scene.now)
    return Table.objects.select_related("card_list").get(pk=table.pk)


def _standing(scene: Any) -> dict[str, Any]:
    """A battlefield on which a mercenary stands."""
    table = _seated(scene, "seize", "standard", ("Mages", "Rogues"))
    for number in range(60):
        table.refresh_from_db()
        seen = {name: table_view(table, _user(name), scene.now) for name in SEATS}
        if reaches := seen[PLAYER].reaches:
            return {"table": table.slug, "number": min(reaches)}
        name = next(name for name in SEATS if seen[name].legal)
        line = next((line for line in seen[name].legal if line.startswith("play ")), seen[name].legal[0])
        posting.post(
            table=table, user=_user(name), lines=[line], on=table.head, token=f"shown {number}", now=scene.now
        )  # fmt: skip
    raise AssertionError("nobody plays a mercenary")


def _asked(scene: Any) -> Table:
    return _seated(scene, "altered", "default", ("Hearthkin", "Wayfarers"))


def _agreed(scene: Any) -> Table:
    table = _asked(scene)
    for name in SEATS:
        table.refresh_from_db()
        agreements.agree_on(
            table=table, user=_user(name), answers=dict(all_suggested()), on=table.head, token="said", now=scene.now
        )  # fmt: skip
    return table


def _at(prepare: Callable[[Any], Table]) -> Callable[[Any], dict[str, Any]]:
    return lambda scene: {"table": prepare(scene).slug}


PREPARING: dict[str, Callable[[Any], dict[str, Any] | None]] = {
    "table_drafts_join": _at(_sought),
    **dict.fromkeys(("table_drafts_read", "table_drafts_pick", "table_drafts_wish"), _at(_picking)),
    "table_drafts_build": _at(_building),
    "table_reach_read": _standing,
    "table_agreements_read": _at(_asked),
    **dict.fromkeys(("table_agreements_offer", "table_agreements_take_back"), _at(_agreed)),
}
"""By the operation."""
