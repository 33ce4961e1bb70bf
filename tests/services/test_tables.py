"""6, 8, 9: tables as rows: opened, sat down at, played by one writer, and replayed from their log."""

from datetime import timedelta
from random import Random

import pytest

from judging.common.errors import Refused
from judging.demo import making
from judging.tables import game_state
from judging.tables.cards import decks, lists
from judging.tables.forms import TypedTable, plan_from
from judging.tables.models import CardList, Entry, Hidden, Seat, Snapshot, Table, TableState
from judging.tables.services import opening, posting
from judging.tables.services.posting import Stale
from tables.core.lines.actions import Action
from tables.core.proof.chain import first_break
from tables.core.proof.draws import commitment, cut_commitment, cut_value
from tests.services.tables_of_tests import OPENED, WORDS, Game, deck, opened, person, running, sit

pytestmark = pytest.mark.django_db


def test_a_table_starts_when_the_last_seat_is_taken_and_deals_six_cards_each() -> None:
    game = running()
    assert game.row().state == TableState.RUNNING
    seen = game.view("Ana")
    assert [len(seen.view["zones"][f"{letter}.hand"]) for letter in "AB"] == [6, 6]
    assert seen.waits is not None
    assert seen.waits.kind == "recursion"


def test_the_seed_is_committed_to_before_anybody_sits_down() -> None:
    table = opened()
    entry = Entry.objects.get(table=table, n=1)
    assert entry.args["commitment"] == commitment(bytes(table.seed)) == table.commitment


def test_each_entry_is_bound_to_the_one_before_it() -> None:
    game = running()
    game.post("Ana", "keep hand")
    game.post("Bo", "keep hand")
    rows = [
        {"n": e.n, "at": int(e.at.timestamp()), "by": e.by, "kind": e.kind, "args": e.args, "secret": e.secret,
         "prev": e.prev, "hash": e.hash}
        for e in Entry.objects.filter(table=game.table)
    ]  # fmt: skip
    assert first_break(rows) is None
    assert game.row().head == rows[-1]["hash"]


def test_sealed_cuts_start_the_table_when_the_last_word_is_handed_in() -> None:
    table = opened(cuts="sealed")
    for name in ("Ana", "Bo"):
        sit(table, name, cut_hash=cut_commitment(cut_value(WORDS[name])))
    assert Table.objects.get().state == TableState.CUTTING
    with pytest.raises(Refused, match="not the word"):
        opening.hand_in_cut(table=table, user=person("Ana"), word="another word, long enough", now=OPENED)
    for name in ("Ana", "Bo"):
        opening.hand_in_cut(table=table, user=person(name), word=WORDS[name], now=OPENED)
    assert Table.objects.get().state == TableState.RUNNING


def test_a_full_table_takes_nobody_else() -> None:
    game = running()
    with pytest.raises(Refused, match="sit down here any more"):
        sit(game.table, "Cy")


@pytest.mark.parametrize(
    ("game", "places", "said"),
    [("altered", 3, "^This game needs 2 players"), ("kryptik", 9, "^This game needs 2 to 6 players")],
)
def test_a_game_is_for_as_many_as_it_says(game: str, places: int, said: str) -> None:
    """A4, K34."""
    with pytest.raises(Refused, match=said):
        opened(game=game, format="constructed" if game == "kryptik" else "default", places=places)


def test_an_invited_table_takes_only_who_has_its_link() -> None:
    table = opened(is_invited=True)
    with pytest.raises(Refused, match="by invitation only"):
        sit(table, "Bo")
    assert sit(table, "Bo", invitation=table.invitation).letter == "A"


def test_a_hand_is_seen_by_its_seat_alone() -> None:
    game = running()
    own, other, nobody = (game.view(name).view["zones"]["A.hand"] for name in ("Ana", "Bo", ""))
    assert all(own)
    assert not any(other)
    assert not any(nobody)


def test_a_post_on_a_head_that_is_past_is_told_so_and_changes_nothing() -> None:
    game = running()
    old = game.row().head
    game.post("Ana", "propose: nothing happens")
    with pytest.raises(Stale):
        game.post("Bo", "keep hand", on=old)
    assert game.row().entries == Entry.objects.filter(table=game.table).count() == 8


def free_table(*cards: str) -> Game:
    """A table without a list, at which each has a dozen cards of these names."""
    table = opened(game="free", format="default")
    for name in ("Ana", "Bo"):
        text = "".join(f"{12 // len(cards)} {card}\n" for card in cards)
        saved = decks.save_deck(
            user=person(name), deck=None, name=name, text=text, game="free", card_list=None, now=OPENED
        )
        opening.sit_down(table=table, user=person(name), coming=opening.Coming(name, saved, WORDS[name]), now=OPENED)
    return Game(Table.objects.get(pk=table.pk), OPENED)


def test_a_button_on_a_head_that_is_past_is_told_so_even_if_its_card_is_not_known_any_more() -> None:
    game = free_table("Gull")
    old = game.row().head
    game.press("Bo", Action("do", changes=(Action("draws", to="B", n=1),)))
    reveals = Action("do", changes=(Action("reveals", to="A", card="Nobody"),))
    with pytest.raises(Stale):
        game.press("Ana", reveals, on=old)
    with pytest.raises(Refused, match="No card at this table"):
        game.press("Ana", reveals)


@pytest.mark.parametrize("card", ["Kaboom!", "Island (Basic)"])
def test_a_button_for_a_card_whose_name_ends_with_a_sign_is_carried_out_as_it_is_replayed(card: str) -> None:
    game = free_table(card)
    game.press("Ana", Action("do", changes=(Action("draws", to="A", n=3),)))
    game.press("Ana", Action("discard", card=card, cards=(card,)))
    for kind in ("do", "propose"):
        game.press("Ana", Action(kind, changes=(Action("reveals", to="A", card=card),)))
    live = game.state()
    assert len(live.zone("A.discard")) == 1
    game_state.forget()
    Snapshot.objects.all().delete()
    assert game.state() == live


def test_the_same_form_sent_twice_is_one_entry() -> None:
    game = running()
    assert game.post("Ana", "keep hand", token="one").pk == game.post("Ana", "keep hand", token="one").pk


def test_what_the_rules_refuse_is_not_stored() -> None:
    game = running()
    before = game.row().head
    with pytest.raises(Refused) as refused:
        game.post("Ana", "attack with #4 > 11y 3")
    assert refused.value.cites == "4.4.2"
    assert game.row().head == before


def test_a_sealed_choice_stands_in_the_chain_as_its_hash() -> None:
    game = running()
    card = game.view("Ana").view["zones"]["A.hand"][0]["card"]
    entry = game.post("Ana", f"recursion: {card}")
    assert "lines" not in entry.args
    assert entry.secret
    assert Hidden.objects.get(entry=entry).args == {"lines": [f"recursion: {card}"]}
    assert game.view("Ana").log()[0].lines
    assert game.view("Bo").log()[0].is_hidden


def test_a_soul_card_is_posted_openly_and_a_plan_is_not() -> None:
    game = running()
    game.go_on("first")
    name = game.waited()
    line = next(line for line in game.view(name).legal if line.startswith("soul"))
    assert game.post(name, line).args["lines"] == [line]
    assert game.post(name, "pass to attack", "no attack").secret


def played(game: Game, posts: int, seed: int = 1) -> None:
    """Random play by what the page offers."""
    random = Random(seed)
    for _ in range(posts):
        seen = game.view(game.waited())
        if seen.waits is None:
            return
        assert seen.legal, seen.waits
        try:
            game.post(game.waited(), random.choice(seen.legal))
        except Refused:
            game.post(game.waited(), seen.legal[0])


def test_a_replay_without_any_cache_gives_the_state_that_was_played() -> None:
    game = running()
    played(game, 60)
    live = game.state()
    assert Snapshot.objects.filter(table=game.table).exists()
    game_state.forget()
    assert game.state() == live
    game_state.forget()
    Snapshot.objects.all().delete()
    assert game.state() == live


def test_a_snapshot_of_another_version_is_passed_over() -> None:
    game = running()
    played(game, 55)
    live = game.state()
    Snapshot.objects.update(state={"version": 1, "state": {}})
    game_state.forget()
    assert game.state() == live


def test_a_clock_that_runs_out_plays_the_default_once() -> None:
    game = running()
    game.post("Ana", "keep hand")
    due = game.row().due_at
    assert due == OPENED + timedelta(days=4)
    assert posting.tick(table_id=game.table.pk, now=due - timedelta(seconds=1)) is None
    entry = posting.tick(table_id=game.table.pk, now=due)
    assert entry is not None
    assert entry.kind == "tick"
    assert entry.args["seat"] == "B"
    assert posting.tick(table_id=game.table.pk, now=due) is None
    seat = Seat.objects.get(table=game.table, letter="B")
    assert (seat.missed, seat.bank) == (1, timedelta(0))


def test_who_concedes_has_lost_and_the_table_is_over() -> None:
    game = running()
    game.post("Ana", "concede!")
    assert (game.row().state, game.row().winner, game.row().due_at) == (TableState.OVER, "B", None)
    with pytest.raises(Refused, match="This table is finished"):
        game.post("Bo", "keep hand")


def test_a_deck_that_breaks_the_format_may_not_sit_down() -> None:
    from judging.tables.cards.decks import save_deck

    table = opened()
    bad = save_deck(
        user=person("Ana"), deck=None, name="Small", text="3 Harbour Watch", game="kryptik",
        card_list=table.card_list, now=OPENED,
    )  # fmt: skip
    coming = opening.Coming("Ana", bad, WORDS["Ana"])
    with pytest.raises(Refused, match="needs exactly 50") as refused:
        opening.sit_down(table=table, user=person("Ana"), coming=coming, now=OPENED)
    assert refused.value.cites == "1.1.1"


def test_an_entry_is_never_changed_or_deleted() -> None:
    entry = Entry.objects.get(table=opened(), n=1)
    with pytest.raises(TypeError):
        entry.save()
    with pytest.raises(TypeError):
        entry.delete()
    with pytest.raises(TypeError):
        Entry.objects.filter(pk=entry.pk).update(kind="act")


def test_a_post_needs_fewer_than_ten_statements(django_assert_max_num_queries: object) -> None:
    game = running()
    played(game, 5)
    name, line = game.waited(), game.view(game.waited()).legal[0]
    head = game.row().head
    with django_assert_max_num_queries(12):  # type: ignore[operator]
        game.post(name, line, on=head)


def test_who_chooses_no_list_plays_with_the_newest_official_one_and_a_free_table_with_none() -> None:
    official = lists.take_made_up("kryptik", OPENED)
    plan = plan_from(TypedTable(name="An evening", game="kryptik", format="constructed"))
    assert plan.card_list == official
    assert plan_from(TypedTable(name="An evening", game="free", format="default")).card_list is None
    CardList.objects.update(is_official=False)
    assert plan_from(TypedTable(name="An evening", game="kryptik", format="constructed")).card_list is None


def test_the_demo_draws_another_seed_where_the_next_default_would_end_the_game(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(making, "POSTS", 2)
    tried: list[str] = []

    def check(table: Table) -> None:
        tried.append(table.commitment)
        if len(tried) == 1:
            raise making._Ends

    monkeypatch.setattr(making, "_check_goes_on", check)
    table = making.lay_table((person("Ana"), person("Bo")), ("Ana", "Bo"), person("Jo"), OPENED)
    assert (len(tried), tried[1]) == (2, table.commitment)
    assert Table.objects.count() == 1


def test_the_demos_table_is_in_the_middle_of_its_game_however_its_cards_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(making, "POSTS", 8)
    monkeypatch.setattr(making, "_chosen", lambda lines, random, *, is_decision: "concede!")
    now = OPENED + timedelta(days=9)
    table = making.lay_table((person("Ana"), person("Bo")), ("Ana", "Bo"), person("Jo"), now)
    assert (table.state, table.entries > 10) == (TableState.RUNNING, True)
    assert any(seat.asked_at is not None for seat in table.seats.all())


@pytest.mark.parametrize("name", ["\u0410na", "ANA", "An\u0430"])
def test_names_that_look_alike_do_not_sit_at_one_table(name: str) -> None:
    table = opened()
    sit(table, "Ana")
    with pytest.raises(Refused, match="too similar"):
        opening.sit_down(
            table=table, user=person("Bo"), coming=opening.Coming(name, deck("Ember"), "an otter under the ice"),
            now=OPENED,
        )  # fmt: skip


def test_sitting_down_offers_only_decks_that_the_format_takes() -> None:
    table = opened()
    offered = {version.deck.name for version in decks.fitting(person("Bo"), table)}
    assert "Ember" in offered
    save = {"user": person("Bo"), "deck": None, "game": "kryptik", "card_list": table.card_list, "now": OPENED}
    decks.save_deck(name="Too small", text="1 Calm Water", **save)
    assert {version.deck.name for version in decks.fitting(person("Bo"), table)} == offered
