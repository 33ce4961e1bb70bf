"""T8.1, T12.1, A12: a table is opened, people take seats with decks and cuts, and it starts, or never begins."""

import re
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.text import slugify
from django.utils.translation import gettext

from judging.common import locking
from judging.common.confusable_names import look_alike
from judging.common.errors import Refused
from judging.common.texts import check_storable
from judging.tables import game_state
from judging.tables.cards import decks
from judging.tables.clocks import ask_anew
from judging.tables.conduct.people import is_barred
from judging.tables.drafts.opening import begin_draft, check_boosters, check_drafted
from judging.tables.matches.services import begin_match, check_best_of
from judging.tables.models import CardList, DeckVersion, Entry, Seat, Table, TableState, new_seed
from judging.tables.sentences import Ending
from judging.tables.services.chain import SERVICE, By, Link, append_link
from tables.core.engine import waits_for
from tables.core.lists.formats import FORMATS
from tables.core.log.folding import Table as Folded
from tables.core.proof.draws import commitment, cut_commitment, cut_value, weak_word
from tables.core.state import LATEST, State
from tables.games import RULES
from wargame.rules.core.saying import grouped


def never_begun(table: Table, seats: list[Seat], by: By, reason: Ending, now: datetime) -> Entry:
    """A12: give up a locked table whose players have not agreed on what must be settled: nobody has lost."""
    entry, _ = append_link(table, by, Link("end", {"reason": reason.code}), now)
    for seat in seats:
        seat.asked_at = None
    Seat.objects.bulk_update(seats, ["asked_at"])
    table.state, table.ended_at = TableState.GIVEN_UP, now
    table.due_at, table.stopped_at, table.beat_at, table.still_until = None, None, None, None
    table.save()
    return entry


LETTERS = "ABCDEFGH"
VERSION = str(LATEST)
"""T6: the version of the rules that a table notes; raise it with every change of how an old log is carried out."""
RULE = "T12.1"
MOST_OPEN = 10
"""The most tables opened by one user that may wait for players at once."""
LONGEST_WORD = 200
SHORTEST_TIME, LONGEST_TIME = timedelta(minutes=5), timedelta(days=14)
MOST_LEAVE = 30
SHORTEST_BEAT, LONGEST_BEAT = 10, 900
"""In seconds. The task for beats runs every ten seconds."""
_NAME = re.compile(r"[^\W_](?:[\w' .-]*[\w'.-])?")
_VALUE = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class TablePlan:
    """T12.1: the choices for a new table."""

    name: str
    game: str
    format: str
    card_list: CardList | None = None
    places: int = 2
    cuts: str = "simple"
    decision_time: timedelta = timedelta(days=1)
    bank: timedelta = timedelta(days=3)
    turn_time: timedelta = timedelta(hours=12)
    is_invited: bool = False
    nights: bool = True
    leave_days: int = 14
    appeal_within: timedelta = timedelta(hours=72)
    rulings: Mapping[str, str] = field(default_factory=dict)
    best_of: int = 1
    """The games of a match; each has its own table."""


@locking.writes
def open_table(*, user: User, plan: TablePlan, now: datetime) -> Table:
    """T12.1: open a table that seeks players. Its seed is drawn, and committed to, before anybody sits down.

    Refused for a game or format that is not played here, and for an impossible pace.
    """
    _check_plan(plan)
    if Table.objects.filter(opened_by=user, state=TableState.OPEN).count() >= MOST_OPEN:
        raise Refused(
            gettext("%(most)s of your tables are already waiting for players. Cancel one first.") % {"most": MOST_OPEN},
            RULE,
        )
    table = lay_out(plan, user, now, drafts=plan.format == "draft")
    begin_match(table, plan.best_of)
    return table


def lay_out(plan: TablePlan, user: User, now: datetime, *, drafts: bool = False) -> Table:
    """T8.1, T12.1: a table's row and its first entry, which commits to a seed drawn now, and to another for its
    draft."""
    seed = new_seed()
    table = Table.objects.create(
        slug=_free_slug(plan.name), name=plan.name.strip(), game=plan.game, format=plan.format,
        options=dict(plan.rulings), rules_version=VERSION, card_list=plan.card_list, places=plan.places,
        cuts=plan.cuts, decision_time=plan.decision_time, bank=plan.bank, turn_time=plan.turn_time,
        nights=plan.nights, leave_days=plan.leave_days, appeal_within=plan.appeal_within,
        is_invited=plan.is_invited, invitation=secrets.token_hex(10), seed=seed, commitment=commitment(seed),
        opened_by=user, opened_at=now,
    )  # fmt: skip
    used = plan.card_list
    args = {
        "table": table.slug, "game": table.game, "seats": list(letters_of(table)), "cuts": table.cuts,
        "options": {"format": table.format, "beat": beat_of(plan), **plan.rulings}, "stops": stops_of(plan),
        "day": f"{now:%Y-%m-%d}",
        "lists": [[used.key, used.version, used.hash]] if used else [], "commitment": table.commitment,
        "rules": VERSION,
        "pace": [int(span.total_seconds()) for span in (table.decision_time, table.bank, table.turn_time)],
        "away": {"nights": table.nights, "leave_days": table.leave_days},
        "appeals": int(table.appeal_within.total_seconds()),
    }  # fmt: skip
    if drafts:
        args["draft"] = begin_draft(table).commitment
    append_link(table, SERVICE, Link("open", args), now)
    table.save()
    return table


def beat_of(plan: TablePlan) -> int:
    """T10.4: seconds between the moments at which private answers are revealed: a sixtieth of the time for a
    decision, so that players at a quick table need not wait."""
    return min(LONGEST_BEAT, max(SHORTEST_BEAT, int(plan.decision_time.total_seconds()) // 60))


def stops_of(plan: TablePlan) -> str:
    """T10: seats begin with the usual stops; where nothing is enforced, each is asked whenever they could do
    something."""
    return "usual" if RULES[plan.game].has_rules else "all"


def _check_plan(plan: TablePlan) -> None:
    name = plan.name.strip()
    if not 3 <= len(name) <= 60 or not slugify(name):
        raise Refused(gettext("A table's name needs 3 to 60 characters, including letters or digits."), RULE, "name")
    check_storable(name, what="name", cites=RULE, field="name")
    if plan.game not in RULES:
        raise Refused(gettext("There is no such game here."), RULE, "game")
    if (plan.game, plan.format) not in FORMATS:
        raise Refused(gettext("%(game)s has no such format.") % {"game": plan.game.capitalize()}, RULE, "format")
    if RULES[plan.game].has_rules and plan.card_list is None:
        raise Refused(gettext("Choose the card list to play with."), RULE, "list")
    if plan.card_list is not None and plan.card_list.game != plan.game:
        raise Refused(
            gettext("%(card_list)s is a list for another game.") % {"card_list": plan.card_list}, RULE, "list"
        )
    _check_places(plan)
    check_best_of(plan.best_of)
    if plan.format == "draft":
        check_boosters(plan.card_list)
    if plan.cuts not in ("sealed", "simple"):
        raise Refused(gettext("Cuts must be sealed or simple."), "T8.2", "cuts")
    if not SHORTEST_TIME <= plan.decision_time <= LONGEST_TIME:
        raise Refused(gettext("The time per decision must be 5 minutes to 14 days."), "T10.1", "decision_time")
    if not timedelta(0) <= plan.bank <= timedelta(days=60) or not timedelta(0) <= plan.turn_time <= LONGEST_TIME:
        raise Refused(gettext("A time bank can have at most 60 days, and a turn can add at most 14."), "T10.1", "bank")
    if not 0 <= plan.leave_days <= MOST_LEAVE:
        raise Refused(
            gettext("A table can allow each seat up to %(most)s days of absence.") % {"most": MOST_LEAVE},
            "T10.6",
            "leave_days",
        )
    if not timedelta(hours=1) <= plan.appeal_within <= LONGEST_TIME:
        raise Refused(gettext("The time for appeals must be 1 hour to 14 days."), "R57", "appeal_within")


def _check_places(plan: TablePlan) -> None:
    """T5, A4: check that the number of places fits the game's format."""
    least, most = RULES[plan.game].places
    if not least <= plan.places <= most:
        count = str(least) if least == most else gettext("%(least)s to %(most)s") % {"least": least, "most": most}
        raise Refused(gettext("This game needs %(number)s players.") % {"number": count}, RULE, "places")
    kinds = RULES[plan.game].sittings.get(plan.format, ())
    if kinds and plan.places not in (numbers := [len(letters) for letters in kinds]):
        count = gettext(" or ").join(str(number) for number in numbers)
        raise Refused(gettext("This format needs %(number)s players.") % {"number": count}, RULE, "places")


def letters_of(table: Table) -> Sequence[str]:
    """S47: the letters of a table's seats, in turn order: A, B and so on; partners A1, B1, A2, B2."""
    kinds = RULES[table.game].sittings.get(table.format, ())
    return next((letters for letters in kinds if len(letters) == table.places), LETTERS[: table.places])


def plan_of(table: Table, name: str) -> TablePlan:
    """T12.1: the choices for a table, under another name, for the next game of its match."""
    return TablePlan(
        name, table.game, table.format, table.card_list, table.places, table.cuts, table.decision_time, table.bank,
        table.turn_time, False, table.nights, table.leave_days, table.appeal_within, dict(table.options),
    )  # fmt: skip


RESERVED = ("new", "decks", "lists", "rulings", "formats", "deadlines")
"""Words that take the place of a table's name in other URLs."""


def _free_slug(name: str) -> str:
    base = slugify(name)[:40].strip("-")
    base = f"{base}-table" if base in RESERVED else base
    slugs = set(Table.objects.filter(Q(slug=base) | Q(slug__startswith=f"{base}-")).values_list("slug", flat=True))
    return base if base not in slugs else next(s for n in range(2, len(slugs) + 3) if (s := f"{base}-{n}") not in slugs)


@dataclass(frozen=True)
class Coming:
    """T8.1: the deck and cut of a new player. `word` is their cut where cuts are simple; where they are sealed
    `cut_hash` is the hash of its value, and the word comes when all have sat down."""

    name: str
    deck: DeckVersion
    word: str = ""
    cut_hash: str = ""
    invitation: str = ""
    letter: str = ""
    """The chosen seat; empty for the next free one."""


@locking.writes
def sit_down(*, table: Table, user: User, coming: Coming, now: datetime) -> Seat:
    """T8.1, T12.1: take a seat. Refused at a table that is full or not open to the user, and with a deck that breaks
    its format."""
    # Of two who want the last seat one gets it, and the other is told so.
    locked_table = locking.hold(Table.objects, pk=table.pk)
    seats = list(locked_table.seats.all())
    if own_seat := next((seat for seat in seats if seat.user_id == user.pk), None):
        return own_seat
    _check_may_sit(locked_table, seats, user, coming, now)
    drafter = check_drafted(locked_table, user, decks.check(coming.deck, user, locked_table, locked_table.opened_at))
    if drafter is not None:
        coming = replace(coming, name=drafter.name, letter=drafter.letter)
    name = checked_name(coming.name, [seat.name for seat in seats])
    cut_hash, word = _checked_cut(locked_table, coming)
    letter = _free_letter(locked_table, seats, coming)
    seat = seat_at(locked_table, letter, user, replace(coming, name=name, word=word, cut_hash=cut_hash), now)
    by = By(letter, user.pk)
    append_link(locked_table, by, Link("seat", {"name": name}), now)
    append_link(locked_table, by, Link("deck", hidden=coming.deck.data, salt=seat.salt), now)
    _, carried = append_link(locked_table, by, Link("cut", {"word": word} if word else {"commitment": cut_hash}), now)
    seats.append(seat)
    if len(seats) == locked_table.places:
        locked_table.state = TableState.CUTTING
    _start_if_dealt(locked_table, seats, carried.table, now)
    locked_table.save()
    return seat


def _free_letter(table: Table, seats: list[Seat], coming: Coming) -> str:
    """S47: the chosen seat, or the next free one."""
    used_letters = {seat.letter for seat in seats}
    free = [letter for letter in letters_of(table) if letter not in used_letters]
    if coming.letter and coming.letter not in free:
        raise Refused(gettext("Seat %(letter)s is not free.") % {"letter": coming.letter[:2]}, RULE, "letter")
    return coming.letter or free[0]


def seat_at(table: Table, letter: str, user: User, coming: Coming, now: datetime) -> Seat:
    """T6: a seat's row."""
    return Seat.objects.create(
        table=table, letter=letter, user=user, name=coming.name, deck=coming.deck, cut_hash=coming.cut_hash,
        cut=cut_value(coming.word) if coming.word else "", bank=table.bank, sat_at=now,
    )  # fmt: skip


def _check_may_sit(table: Table, seats: list[Seat], user: User, coming: Coming, now: datetime) -> None:
    if table.state != TableState.OPEN:
        raise Refused(gettext("You can't sit down here any more."), "T12.2")
    if len(seats) >= table.places:
        raise Refused(gettext("All seats are taken."), "T12.2")
    if table.judges.filter(user=user, dismissed_at__isnull=True).exists():
        raise Refused(gettext("You judge this table, so you can't sit at it."), "T11.4")
    if is_barred(table, user.pk, now):
        raise Refused(gettext("A judge has banned you from this table."), "1.3")
    if table.is_invited and user.pk != table.opened_by_id and coming.invitation != table.invitation:
        raise Refused(gettext("This table is by invitation only. Open the link you were sent."), "T12.2")


def checked_name(name: str, taken: Sequence[str]) -> str:
    """1.6: a player's name at a table. Refused for a name that another has there, or that can't be read."""
    name = " ".join(name.split())
    if not 2 <= len(name) <= 30 or not _NAME.fullmatch(name):
        raise Refused(
            gettext("A name at a table can have 2 to 30 letters, digits, spaces, hyphens or apostrophes."),
            "T12.2",
            "seat",
        )
    check_unlike(name, taken)
    return name


def check_unlike(name: str, taken: Iterable[str], field: str = "seat") -> None:
    """1.6: Refused for a name that resembles another one at the table, whatever the case and the script."""
    if other := next((other for other in taken if look_alike(name, other)), ""):
        raise Refused(
            gettext("Your name is too similar to that of %(other)s, who already sits here. Choose another name.")
            % {"other": other},
            "T12.2",
            field,
        )


def _checked_word(word: str) -> str:
    """T8.1: a word in the form that is mixed in. Refused for one that is easy to guess, or that no row can store."""
    word = word.strip()
    if len(word) > LONGEST_WORD:
        raise Refused(
            gettext("The word has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(word)), "most": LONGEST_WORD},
            "T8.1",
            "word",
        )
    check_storable(word, what="word", cites="T8.1", field="word")
    if why := weak_word(word):
        raise Refused(why, "T8.1", "word")
    return word


def _checked_cut(table: Table, coming: Coming) -> tuple[str, str]:
    """T8.1, T8.2: the commitment to a cut, and its word if it is handed in at once. A word that was typed without
    scripts at a sealed table is hashed here and not stored: its owner types it again when all have come."""
    if table.cuts == "simple":
        word = _checked_word(coming.word or secrets.token_hex(16))
        return cut_commitment(cut_value(word)), word
    if coming.cut_hash:
        if not _VALUE.fullmatch(coming.cut_hash):
            raise Refused(
                gettext("A commitment to a cut word must have 64 hexadecimal digits (0 to f)."), "T8.2", "cut_hash"
            )
        return coming.cut_hash, ""
    if not coming.word.strip():
        raise Refused(gettext("Choose a cut word, and note it down."), "T8.2", "word")
    return cut_commitment(cut_value(_checked_word(coming.word))), ""


@locking.writes
def hand_in_cut(*, table: Table, user: User, word: str, now: datetime) -> Seat:
    """T8.1: hand in the committed word; with the last one the table starts. Refused for another word."""
    # The last word starts the table: of two words at once the second must see the first.
    locked_table = locking.hold(Table.objects, pk=table.pk)
    seats = list(locked_table.seats.all())
    seat = next((seat for seat in seats if seat.user_id == user.pk), None)
    if seat is None:
        raise Refused(gettext("You don't sit at this table."), "T12.2")
    if seat.cut:
        return seat
    if locked_table.state != TableState.CUTTING:
        raise Refused(gettext("You can submit your word once everyone is seated."), "T8")
    if not seat.cut_hash and locked_table.cuts == "sealed":
        return _sealed(locked_table, seat, word.strip(), now)
    if locked_table.cuts == "sealed" and not all(each.cut_hash for each in seats):
        raise Refused(gettext("You can submit your word once everyone has sealed theirs."), "T8", "word")
    if not seat.cut_hash:
        seat.cut_hash, word = _checked_cut(locked_table, Coming(seat.name, seat.deck, word))
    value = cut_value(word.strip())
    if cut_commitment(value) != seat.cut_hash:
        raise Refused(gettext("This is not the word you committed to."), "T8.2", "word")
    seat.cut = value
    seat.save(update_fields=["cut", "cut_hash"])
    _, carried = append_link(locked_table, By(seat.letter, user.pk), Link("cut", {"word": word.strip()}), now)
    _start_if_dealt(locked_table, seats, carried.table, now)
    locked_table.save()
    return seat


def _sealed(table: Table, seat: Seat, commitment_typed: str, now: datetime) -> Seat:
    """T8.1: at a later game of a match with sealed cuts, each player commits to one before any word is shown."""
    seat.cut_hash, _ = _checked_cut(table, Coming(seat.name, seat.deck, cut_hash=commitment_typed))
    seat.save(update_fields=["cut_hash"])
    append_link(table, By(seat.letter, seat.user_id), Link("cut", {"commitment": seat.cut_hash}), now)
    table.save()
    return seat


@locking.writes
def give_up(*, table: Table, user: User, now: datetime) -> Table:
    """T8.1, A12: give up a table that has not started, or whose players have not agreed yet on what must be settled;
    open to its opener, and to a player who waits for another. It is public, as anyone who knows the outcome of a cut
    could otherwise start again until they like it."""
    # No word is handed in meanwhile: the last one starts the table, and one that has started is not given up.
    locked_table = locking.hold(Table.objects.select_related("card_list"), pk=table.pk)
    if locked_table.state == TableState.RUNNING and waits_for(game_state.state_of(locked_table))[1] == "agree":
        seats = list(locked_table.seats.all())
        if user.pk not in {locked_table.opened_by_id, *(seat.user_id for seat in seats)}:
            raise Refused(gettext("Only the person who opened this table and its players can cancel it."), RULE)
        never_begun(locked_table, seats, By("service", user.pk), Ending.BEFORE_AGREEMENT, now)
        return locked_table
    if locked_table.state not in (TableState.OPEN, TableState.CUTTING):
        raise Refused(gettext("You can't cancel a table that has started. Concede instead."), "T12.3")
    if user.pk != locked_table.opened_by_id and not locked_table.seats.filter(user=user).exists():
        raise Refused(gettext("Only the person who opened this table and its players can cancel it."), RULE)
    append_link(locked_table, By("service", user.pk), Link("end", {"reason": Ending.GIVEN_UP.code}), now)
    locked_table.state, locked_table.ended_at = TableState.GIVEN_UP, now
    locked_table.save()
    return locked_table


def _start_if_dealt(table: Table, seats: list[Seat], folded: Folded | None, now: datetime) -> None:
    """2, T8.1: with the last cut every shuffle is fixed, and the set-up runs until a player has to decide."""
    if isinstance(folded, State):
        table.started_at, table.state = now.replace(microsecond=0), TableState.RUNNING
        ask_anew(table, folded, sorted(seats, key=lambda seat: seat.letter), now)
