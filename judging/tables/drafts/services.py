"""5.2: joining a draft, picking secretly and simultaneously, and sitting down with a deck of one's picks."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.texts import check_storable
from judging.tables.cards import decks
from judging.tables.cards.decks import Checked
from judging.tables.drafts.models import Drafter, DraftPick, TableDraft
from judging.tables.drafts.queries import draft_at, draft_view, draws_of, state_of
from judging.tables.game_state import cards_in
from judging.tables.models import Seat, Table, TableState, new_salt
from judging.tables.services import opening
from judging.tables.services.chain import SERVICE, Link, append_link
from judging.tables.services.opening import checked_name, letters_of
from tables.core.proof.codec import sealed
from tables.core.proof.draws import weak_word
from tables.games.seize import drafting

LONGEST_WORD = 200
MOST_WISHES = 60


@locking.writes
def join_draft(*, table: Table, user: User, name: str, word: str, invitation: str, now: datetime) -> Drafter:
    """5.2: join a draft; once all places are taken, the boosters are drawn and opened. Idempotent."""
    draft, drafters = _held_draft(table)
    if drafter := next((one for one in drafters if one.user_id == user.pk), None):
        return drafter
    locked_table = draft.table
    if draft.begun_at is not None or locked_table.state != TableState.OPEN:
        raise Refused(gettext("This draft has already started."), "5.2")
    if locked_table.judges.filter(user=user, dismissed_at__isnull=True).exists():
        raise Refused(gettext("You judge this table, so you can't join its draft."), "T11")
    if locked_table.is_invited and user.pk != locked_table.opened_by_id and invitation != locked_table.invitation:
        raise Refused(gettext("This table is by invitation only. Open the link you were sent."), "T12.2")
    word = word.strip() or secrets.token_hex(16)
    check_storable(word, what="word", cites="T8", field="word")
    if why := weak_word(word) or (
        gettext("A cut word can have at most %(most)s characters.") % {"most": LONGEST_WORD}
        if len(word) > LONGEST_WORD
        else ""
    ):
        raise Refused(why, "T8", "word")
    new_drafter = Drafter.objects.create(
        draft=draft, letter=letters_of(locked_table)[len(drafters)], user=user,
        name=checked_name(name, [one.name for one in drafters]), word=word, joined_at=now,
    )  # fmt: skip
    drafters.append(new_drafter)
    if len(drafters) == locked_table.places:
        draft.begun_at = now
        _bind(draft, {"words": {one.letter: one.word for one in drafters}}, now)
        _go_on(draft, drafters, now)
    return new_drafter


@locking.writes
def pick_card(*, table: Table, user: User, card: str, number: int, now: datetime) -> DraftPick:
    """5.2: make a sealed, final pick. `number`: which of the user's picks it is, so that a stale page picks nothing;
    a repeated pick returns the one that was made."""
    draft, drafters = _held_draft(table)
    drafter = _drafting(draft, drafters, user)
    previous = drafter.picks.filter(number=number).first()
    if previous is not None and previous.card == card:
        return previous
    if previous is not None or number != drafter.picks.count() + 1:
        raise Refused(gettext("You have already picked. Reload the page."), "5.2", "card")
    state = state_of(draft, drafters)
    if drafter.letter not in state.waits_for:
        raise Refused(gettext("You have picked. The others are still choosing."), "5.2", "card")
    if card not in state.before[state.seats.index(drafter.letter)]:
        raise Refused(gettext("“%(card)s” isn't in your current booster.") % {"card": card[:60]}, "5.2", "card")
    row = _picked(drafter, number, card, now)
    _go_on(draft, drafters, now)
    return row


@locking.writes
def wish_for(*, table: Table, user: User, cards: Sequence[str], now: datetime) -> Drafter:
    """5.2, T10: the cards to pick for the user as soon as they are available. Only the user reads them."""
    draft, drafters = _held_draft(table)
    drafter = _drafting(draft, drafters, user)
    if len(cards) > MOST_WISHES:
        raise Refused(gettext("You can wish for at most %(most)s cards.") % {"most": MOST_WISHES}, "5.2", "wishes")
    assert draft.table.card_list is not None
    list_cards = cards_in(draft.table.card_list)
    if strange := [card for card in cards if card not in list_cards]:
        raise Refused(
            gettext("No card in this list is called %(strange)s.") % {"strange": strange[0][:60]}, "5.2", "wishes"
        )
    drafter.wishes = list(dict.fromkeys(cards))
    drafter.save(update_fields=["wishes"])
    _go_on(draft, drafters, now)
    return drafter


@locking.writes
def tick_draft(*, draft_id: int, now: datetime) -> int:
    """T10: once the time of a round is over, draw the missing picks by commitment; return their number."""
    row = TableDraft.objects.filter(pk=draft_id).first()
    if row is None:
        return 0
    draft, drafters = _held_draft(Table(pk=row.table_id))
    if draft.due_at is None or draft.due_at > now or draft.ended_at is not None:
        return 0
    if draft.table.state != TableState.OPEN:
        draft.due_at = None
        draft.save(update_fields=["due_at"])
        return 0
    state = state_of(draft, drafters)
    late = [one for one in drafters if one.letter in state.waits_for]
    for one in late:
        card = drafting.default(state, one.letter, draws_of(draft, drafters))
        _picked(one, one.picks.count() + 1, card, now, by_default=True)
    _go_on(draft, drafters, now)
    return len(late)


def due_drafts(now: datetime) -> list[int]:
    """T10: the drafts in which a drafter's time is over."""
    return list(TableDraft.objects.filter(due_at__lte=now).order_by("due_at").values_list("pk", flat=True))


def _held_draft(table: Table) -> tuple[TableDraft, list[Drafter]]:
    """5.2: the draft of a locked table, with the drafters in the order of the seats."""
    locked_table = locking.hold(Table.objects.select_related("card_list"), pk=table.pk)
    draft = TableDraft.objects.filter(table=locked_table).first()
    if draft is None:
        raise Refused(gettext("There is no draft at this table."), "5.2")
    draft.table = locked_table
    rank = {letter: at for at, letter in enumerate(letters_of(locked_table))}
    return draft, sorted(draft.drafters.all(), key=lambda one: rank[one.letter])


def _drafting(draft: TableDraft, drafters: Sequence[Drafter], user: User) -> Drafter:
    drafter = next((one for one in drafters if one.user_id == user.pk), None)
    if drafter is None:
        raise Refused(gettext("You aren't in this draft."), "5.2")
    if draft.begun_at is None or draft.ended_at is not None or draft.table.state != TableState.OPEN:
        raise Refused(gettext("There is nothing to pick now."), "5.2")
    return drafter


def _picked(drafter: Drafter, number: int, card: str, now: datetime, *, by_default: bool = False) -> DraftPick:
    salt = new_salt()
    return DraftPick.objects.create(
        drafter=drafter, number=number, card=card, salt=salt, hash=sealed(salt, {"number": number, "card": card}),
        by_default=by_default, at=now,
    )  # fmt: skip


def _go_on(draft: TableDraft, drafters: Sequence[Drafter], now: datetime) -> None:
    """5.2, T10: pick wishes as long as they are available; then start the others' time, or end the draft."""
    state = state_of(draft, drafters)
    while not state.over:
        wished = [(one, card) for one in drafters if one.letter in state.waits_for and (card := _wished(state, one))]
        if not wished:
            break
        for one, card in wished:
            _picked(one, one.picks.count() + 1, card, now)
            state = drafting.pick(state, one.letter, card)
    if state.over:
        draft.ended_at, draft.due_at = now, None
        _bind(draft, {"picks": {one.letter: [*one.picks.values_list("hash", flat=True)] for one in drafters}}, now)
    elif not state.sealed or draft.due_at is None:
        draft.due_at = now + draft.table.decision_time
    draft.save(update_fields=["begun_at", "ended_at", "due_at"])


def _bind(draft: TableDraft, args: Mapping[str, object], now: datetime) -> None:
    """T8: the words that fix every booster, and later the hashes of all picks, become a link of the table's chain."""
    append_link(draft.table, SERVICE, Link("draft", args), now)
    draft.table.save(update_fields=["head", "entries"])


def _wished(state: drafting.Draft, drafter: Drafter) -> str:
    """5.2: the drafter's first wish that is available; empty if none is."""
    before = state.before[state.seats.index(drafter.letter)]
    return next((card for card in drafter.wishes if card in before), "")


SIZE = 30
"""5.2: the number of cards in a draft deck."""


@dataclass(frozen=True)
class Built:
    """5.2: a deck in the making, by its cards, with the cut for it."""

    counts: Mapping[str, int]
    word: str = ""
    cut_hash: str = ""


def checked(table: Table, counts: Mapping[str, int], now: datetime) -> Checked:
    """5.2: the rules that a deck of these cards breaks; nothing is stored."""
    return decks.look_at(_text(counts), "seize", "draft", table.card_list, now)


def sit_with(*, table: Table, user: User, built: Built, now: datetime) -> Seat:
    """5.2: save the deck and play it. Refused before anything is stored if it breaks a rule."""
    draft = draft_at(table)
    if draft is None:
        raise Refused(gettext("There is no draft at this table."), "5.2")
    view = draft_view(draft, user)
    if view.mine is None or view.phase != "building":
        raise Refused(gettext("You can build a deck once all cards are picked."), "5.2")
    result = checked(table, built.counts, now)
    if result.breaches or result.cards is None:
        raise Refused(" ".join([*result.faults, *(breach.text for breach in result.breaches)][:5]), "5.2", "deck")
    name = gettext("Draft at %(table)s") % {"table": table.name}
    version = decks.save_deck(
        user=user, deck=None, name=name[:80], text=_text(built.counts), game="seize",
        card_list=table.card_list, now=now,
    )  # fmt: skip
    coming = opening.Coming(view.mine.name, version, built.word, built.cut_hash, table.invitation)
    return opening.sit_down(table=table, user=user, coming=coming, now=now)


def _text(counts: Mapping[str, int]) -> str:
    return "\n".join(f"{many} {name}" for name, many in counts.items())
