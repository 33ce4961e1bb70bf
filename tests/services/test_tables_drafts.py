"""5.2: a Draft from its boosters to its first turn: who knows what, sealed picks, wishes, time, and decks of a pool."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser

from judging.common.errors import Refused
from judging.tables.cards import decks
from judging.tables.drafts import services
from judging.tables.drafts.models import DraftPick, TableDraft
from judging.tables.drafts.queries import DraftView, draft_at, draft_view
from judging.tables.models import DeckVersion, Entry, Table
from judging.tables.notify import notify
from judging.tables.services import opening
from tables.core.proof.codec import sealed
from tables.core.proof.draws import commitment
from tests.services.tables_of_tests import OPENED, WORDS, opened, person

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def begun() -> Table:
    """A draft that Ana and Bo have just joined."""
    table = opened(game="seize", format="draft")
    for name in ("Ana", "Bo"):
        join(table, name)
    return table


def join(table: Table, name: str) -> None:
    services.join_draft(table=table, user=person(name), name=name, word=WORDS[name], invitation="", now=OPENED)


def seen(table: Table, name: str = "") -> DraftView:
    draft = draft_at(table)
    assert draft is not None
    return draft_view(draft, person(name) if name else AnonymousUser())


def pick(table: Table, name: str, card: str = "") -> DraftPick:
    found = seen(table, name)
    assert found.mine is not None
    number = len(found.mine.picks) + 1
    return services.pick_card(table=table, user=person(name), card=card or found.pack[0], number=number, now=OPENED)


def drafted(table: Table | None = None) -> Table:
    """A draft in which everything was picked by wishes: both wish for one half of the list, then for the other."""
    table = table or begun()
    cards, most = sorted(seen(table, "Ana").cards), services.MOST_WISHES
    for half in (cards[:most], cards[most : 2 * most]) * 60:
        for name in ("Ana", "Bo"):
            if seen(table, name).phase == "building":
                return table
            services.wish_for(table=table, user=person(name), cards=half, now=OPENED)
    raise AssertionError("the draft does not end")


def test_boosters_are_opened_when_all_have_come_and_each_sees_his_own_alone() -> None:
    table = begun()

    ana, bo, nobody = seen(table, "Ana"), seen(table, "Bo"), seen(table)

    assert (ana.phase, len(ana.pack), len(bo.pack), ana.boosters_left) == ("picking", 14, 14, 3)
    assert ana.pack != bo.pack
    assert (nobody.pack, nobody.pool, nobody.seed, nobody.mine) == ((), (), "", None)


def test_the_seed_of_the_boosters_is_committed_to_in_the_tables_first_entry() -> None:
    table = begun()
    draft = TableDraft.objects.get(table=table)

    assert Entry.objects.get(table=table, n=1).args["draft"] == draft.commitment == commitment(bytes(draft.seed))


def test_a_pick_is_sealed_until_all_have_picked_and_then_the_packs_go_on() -> None:
    table = begun()
    row = pick(table, "Ana")

    ana, bo = seen(table, "Ana"), seen(table, "Bo")
    assert ana.chosen == row.card
    assert row.card not in (bo.chosen, *[one.card for one in bo.drafters[0].picks])
    assert bo.drafters[0].picks[0].hash == sealed(row.salt, {"number": 1, "card": row.card})
    pick(table, "Bo")
    assert set(seen(table, "Bo").pack) == set(ana.pack) - {row.card}
    assert seen(table, "Ana").pool == ((row.card, 1),)


def test_a_stale_pick_picks_nothing_and_the_same_once_more_is_the_one_that_was_made() -> None:
    table = begun()
    row = pick(table, "Ana")
    again = services.pick_card(table=table, user=person("Ana"), card=row.card, number=1, now=OPENED)

    assert again == row
    with pytest.raises(Refused, match="You have already picked"):
        services.pick_card(table=table, user=person("Ana"), card=seen(table, "Ana").pack[1], number=1, now=OPENED)
    with pytest.raises(Refused, match="You have picked"):
        services.pick_card(table=table, user=person("Ana"), card=seen(table, "Ana").pack[1], number=2, now=OPENED)
    with pytest.raises(Refused, match="in your current booster"):
        services.pick_card(table=table, user=person("Bo"), card="Torch of nobody", number=1, now=OPENED)
    with pytest.raises(Refused, match="You aren't in this draft"):
        services.pick_card(table=table, user=person("Cy"), card=row.card, number=1, now=OPENED)


def test_what_is_wished_for_is_picked_as_soon_as_it_lies_there() -> None:
    table = begun()
    wished = seen(table, "Bo").pack[3]
    services.wish_for(table=table, user=person("Ana"), cards=[wished], now=OPENED)
    pick(table, "Ana")
    pick(table, "Bo", seen(table, "Bo").pack[0])

    assert seen(table, "Ana").chosen == wished
    assert seen(table, "Bo").wishes == ()


def test_whoever_lets_his_time_run_out_is_given_a_card_by_commitment() -> None:
    table = begun()
    pick(table, "Ana")
    draft = TableDraft.objects.get(table=table)
    later = OPENED + timedelta(days=1)

    assert services.due_drafts(OPENED) == []
    assert services.due_drafts(later) == [draft.pk]
    assert services.tick_draft(draft_id=draft.pk, now=later) == 1
    assert services.tick_draft(draft_id=draft.pk, now=later) == 0
    assert DraftPick.objects.get(by_default=True).drafter.name == "Bo"
    assert seen(table, "Bo").due_at == later + timedelta(days=1)


def test_a_deck_of_thirty_is_made_of_the_pool_alone_and_the_game_begins_with_twenty_loot() -> None:
    table = drafted()
    assert seen(table, "Ana").phase == "building"
    for name in ("Ana", "Bo"):
        pool = [card for card, many in seen(table, name).pool for _ in range(many)]
        assert len(pool) == 56
        with pytest.raises(Refused, match="in the deck, but only .* in the pool"):
            sit(table, name, ["Cleave"] * 20 + legal(table, pool)[:10])
        sit(table, name, legal(table, pool))

    state = Table.objects.get(pk=table.pk)
    assert state.state == "running"
    with pytest.raises(Refused, match="Only players who drafted can sit down at this table"):
        opening.sit_down(
            table=opened(game="seize", format="draft", name="Another"),
            user=person("Cy"),
            coming=opening.Coming("Cy", version("Cy", legal(table, pool))),
            now=OPENED,
        )


def test_who_has_a_card_to_pick_is_told_once_a_round() -> None:
    table = begun()
    assert notify(OPENED) == 2
    pick(table, "Ana")
    assert notify(OPENED) == 0
    pick(table, "Bo")
    assert notify(OPENED) == 2


def legal(table: Table, pool: list[str]) -> list[str]:
    """Thirty cards of a pool, no legendary one twice."""
    cards = seen(table).cards
    stars = [name for name in pool if cards[name].stars < 4]
    return stars[:30]


def version(name: str, cards: list[str]) -> DeckVersion:
    text = "\n".join(f"{cards.count(card)} {card}" for card in dict.fromkeys(cards))
    table = Table.objects.select_related("card_list").filter(format="draft").first()
    assert table is not None
    return decks.save_deck(user=person(name), deck=None, name="Of the draft", text=text, game="seize",
                           card_list=table.card_list, now=OPENED)  # fmt: skip


def sit(table: Table, name: str, cards: list[str]) -> None:
    coming = opening.Coming(name, version(name, cards), WORDS[name])
    opening.sit_down(table=Table.objects.get(pk=table.pk), user=person(name), coming=coming, now=OPENED)
