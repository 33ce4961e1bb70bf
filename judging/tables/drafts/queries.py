"""5.2, T8: a draft as its viewer may know it, and the published data to deal its boosters again."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from typing import Any

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser

from judging.tables.drafts.models import Drafter, DraftPick, TableDraft
from judging.tables.game_state import cards_in
from judging.tables.models import CardList, Table, TableState
from tables.core.lists.cardlist import CardList as Cards
from tables.core.lists.cardlist import read_list
from tables.core.lists.cards import Card
from tables.core.proof.draws import Draws, cut_value
from tables.games.seize import drafting


@dataclass(frozen=True)
class Sealed:
    """5.2: the public view of a pick: its hash, with its card and salt once the table is over."""

    number: int
    hash: str
    by_default: bool
    card: str = ""
    salt: str = ""


@dataclass(frozen=True)
class DrafterView:
    """5.2: a drafter, with the word that they mixed into the draws, and their picks as the viewer may know them."""

    letter: str
    name: str
    word: str
    waited: bool
    is_mine: bool
    picks: tuple[Sealed, ...]


@dataclass(frozen=True)
class DraftView:
    """5.2: a draft as the viewer may know it. `pack` is the current pack, `chosen` the pick from it, `pool` the
    viewer's cards so far, each with its number. `seed` is empty until the table is over."""

    table: Table
    commitment: str
    phase: str
    """`joining`, `picking`, `building` or `over`."""
    drafters: tuple[DrafterView, ...]
    cards: Mapping[str, Card]
    due_at: datetime | None = None
    round: int = 0
    boosters_left: int = 0
    pack: tuple[str, ...] = ()
    chosen: str = ""
    pool: tuple[tuple[str, int], ...] = ()
    wishes: tuple[str, ...] = ()
    seed: str = ""

    @property
    def mine(self) -> DrafterView | None:
        return next((one for one in self.drafters if one.is_mine), None)

    @property
    def waits(self) -> tuple[str, ...]:
        """T12.9: the names of those who have to pick now, or to sit down with a deck."""
        return tuple(one.name for one in self.drafters if one.waited)

    @property
    def free(self) -> int:
        return self.table.places - len(self.drafters)


def draws_of(draft: TableDraft, drafters: Sequence[Drafter]) -> Draws:
    """T8: the draws of a draft. They reveal every booster, so they are passed to nobody else."""
    return Draws(bytes(draft.seed), f"{draft.table.slug}-draft", tuple(cut_value(one.word) for one in drafters))


def state_of(draft: TableDraft, drafters: Sequence[Drafter]) -> drafting.Draft:
    """5.2: the draft after all picks: boosters dealt to the drafters, and each round's picks taken together."""
    card_list = draft.table.card_list
    if card_list is None:
        raise ValueError(f"{draft.table.slug} has no list to draft from")
    cards, sizes = cards_in(card_list), _sizes(card_list.pk, card_list.hash)
    state = drafting.begin(cards, sizes, [one.letter for one in drafters], draws_of(draft, drafters))
    picks = DraftPick.objects.filter(drafter__draft=draft).select_related("drafter")
    for _, round_picks in groupby(picks.order_by("number", "drafter__letter"), key=lambda pick: pick.number):
        for pick in round_picks:
            state = drafting.pick(state, pick.drafter.letter, pick.card)
    return state


@lru_cache(maxsize=32)
def _sizes(pk: int, hash: str) -> tuple[tuple[int, int], ...]:
    """S50: the content of a list's booster; cached, as a list never changes."""
    read = read_list(CardList.objects.get(pk=pk).data)
    if not isinstance(read, Cards):
        raise ValueError(f"list {pk} can't be read any more: {read[0]}")
    return read.booster


def draft_at(table: Table) -> TableDraft | None:
    """5.2: the draft before a table, with the list that its boosters are drawn from; None if there is none."""
    return TableDraft.objects.filter(table=table).select_related("table__card_list").first()


def draft_view(draft: TableDraft, user: AbstractBaseUser | AnonymousUser) -> DraftView:
    """5.2: a draft as the user may know it; others see who drafts and how far the draft is."""
    table, drafters = draft.table, list(draft.drafters.prefetch_related("picks"))
    viewer = next((one for one in drafters if user.pk is not None and one.user_id == user.pk), None)
    is_over = table.state == TableState.OVER
    phase = "over" if is_over else "building" if draft.ended_at else "picking" if draft.begun_at else "joining"
    assert table.card_list is not None
    cards = cards_in(table.card_list)
    if phase == "joining":
        views = tuple(_drafter(one, viewer, False, False) for one in drafters)
        return DraftView(table, draft.commitment, phase, views, cards, wishes=tuple(viewer.wishes) if viewer else ())
    state = drafting.seen(state_of(draft, drafters), viewer.letter if viewer else "")
    waits = _waits(draft, drafters, state.waits_for)
    views = tuple(_drafter(one, viewer, one.letter in waits, is_over) for one in drafters)
    number = 1 + max((many for _, many in state.many), default=0)
    return DraftView(
        table, draft.commitment, phase, views, cards, draft.due_at, number,
        state.boosters_left, state.before, state.chosen, tuple(sorted(Counter(state.picked).items())),
        tuple(viewer.wishes) if viewer else (), bytes(draft.seed).hex() if is_over else "",
    )  # fmt: skip


def waited_for(user: int | None = None) -> Iterator[tuple[TableDraft, Drafter, int]]:
    """5.2, T10: the drafters who have something to do, each with the number of their pick; 0 once all is picked,
    until they have sat down with a deck. `user`: the key of one user; None: everybody."""
    open_ = TableDraft.objects.filter(table__state=TableState.OPEN, begun_at__isnull=False)
    if user is not None:
        open_ = open_.filter(drafters__user=user)
    for draft in open_.select_related("table__card_list").defer("table__seed"):
        drafters = list(draft.drafters.all())
        picks = state_of(draft, drafters).waits_for if draft.ended_at is None else ()
        waits = _waits(draft, drafters, picks)
        for one in drafters:
            if one.letter in waits and user in (None, one.user_id):
                yield draft, one, 0 if draft.ended_at else one.picks.count() + 1


def _waits(draft: TableDraft, drafters: Sequence[Drafter], picks: tuple[str, ...]) -> tuple[str, ...]:
    """T12.9: the letters of those who have something to do: a pick, or, once all is picked, taking their seat."""
    if draft.ended_at is None:
        return picks
    if draft.table.state != TableState.OPEN:
        return ()
    sitting = set(draft.table.seats.values_list("user_id", flat=True))
    return tuple(one.letter for one in drafters if one.user_id not in sitting)


def _drafter(row: Drafter, viewer: Drafter | None, waited: bool, is_over: bool) -> DrafterView:
    picks = tuple(
        Sealed(pick.number, pick.hash, pick.by_default, pick.card if is_over else "", pick.salt if is_over else "")
        for pick in sorted(row.picks.all(), key=lambda pick: pick.number)
    )
    return DrafterView(row.letter, row.name, row.word, waited, viewer is not None and row.pk == viewer.pk, picks)


def published(table: Table, *, is_over: bool) -> Mapping[str, Any]:
    """5.2, T8: the part of a table's proof file about its draft; empty if no draft has begun."""
    draft = TableDraft.objects.filter(table=table, begun_at__isnull=False).first()
    return drafted_at(draft, is_over=is_over) if draft is not None else {}


def drafted_at(draft: TableDraft, *, is_over: bool) -> Mapping[str, Any]:
    """5.2, T8: the drafters, with the word of each and the hashes of their picks; once the table is over also the
    seed, the cards and their salts. `seat`: the seat they took afterwards."""
    seats = dict(draft.table.seats.values_list("user_id", "letter"))
    data: dict[str, Any] = {
        "drafters": [
            {
                "letter": one.letter, "name": one.name, "seat": seats.get(one.user_id, ""), "word": one.word,
                "picks": [_pick(pick, is_over=is_over) for pick in one.picks.all()],
            }
            for one in draft.drafters.prefetch_related("picks")
        ]
    }  # fmt: skip
    return {**data, "seed": bytes(draft.seed).hex()} if is_over else data


def _pick(row: DraftPick, *, is_over: bool) -> Mapping[str, Any]:
    public = {"number": row.number, "hash": row.hash, "by_default": row.by_default}
    return {**public, "card": row.card, "salt": row.salt} if is_over else public
