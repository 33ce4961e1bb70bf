"""R37, R38: Formula books: which version decides a battle, who can read it, and new versions, each committed to
first."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple

from django.utils.translation import gettext, ngettext

from judging.announcements.models import Notice
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import User, judge_of, seats_of
from judging.common.log_entry import record
from judging.common.positions import position_of
from judging.common.rounds import current_turn
from judging.common.texts import utc
from judging.common.viewer import Viewer, viewer_of
from judging.formula_books.models import BookVersion
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.battle.book_checks import faults_of
from wargame.rules.book.book import Book, BookFinding, book_commitment, book_of, sealed
from wargame.rules.book.default_book import DEFAULT
from wargame.rules.book.drawn_book import drawn_book
from wargame.rules.book.formulas import BY_NAME, FORMULAS
from wargame.rules.core.board import Square
from wargame.rules.core.codec import Json, canonical
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Rank, Side
from wargame.rules.core.troops import SLOT_MAXIMUM, SLOTS, Troop


class TitledFormula(NamedTuple):
    """R37: a formula of a book; `text` is empty where the book has none of that name."""

    name: str
    title: str
    text: str


@dataclass(frozen=True)
class FormulaChange:
    """R38: a formula that a version changed: its title, its old and its new text; empty: there was none."""

    title: str
    before: str
    after: str


@dataclass(frozen=True)
class PublicBook:
    """R38: the public view of a round's book: with the formulas once the round `is_over`."""

    is_over: bool
    versions: tuple[BookVersionView, ...]


@dataclass(frozen=True)
class BookVersionView:
    """R38: a version of a book. It decides turns `from_turn` to `until_turn`, None for no end; a later one for the same
    turns leaves it none. `judge` is empty if the service drew it.

    `formulas` and `changes` are empty while they are secret; `salt` and `canonical`, the JSON that was committed to,
    until the round is over.
    """

    number: int
    from_turn: int
    at: datetime
    judge: str
    commitment: str
    until_turn: int | None
    formulas: tuple[TitledFormula, ...]
    changes: tuple[FormulaChange, ...]
    salt: str
    canonical: str

    @property
    def turns(self) -> str:
        if self.until_turn is None:
            return gettext("the battles of turn %(turn)s and later") % {"turn": self.from_turn}
        if self.until_turn < self.from_turn:
            return gettext("nothing: it was replaced before turn %(turn)s began") % {"turn": self.from_turn}
        if self.until_turn == self.from_turn:
            return gettext("the battles of turn %(turn)s") % {"turn": self.from_turn}
        turns = {"first": self.from_turn, "last": self.until_turn}
        return gettext("the battles of turns %(first)s to %(last)s") % turns


@dataclass(frozen=True)
class BookDesk:
    """R38: a round's formula book on the desk of one of its battle judges; `turn` is the present one's number."""

    round: Round
    judge: Judge
    viewer: Viewer
    newest: BookVersion | None
    turn: int

    @property
    def is_open(self) -> bool:
        return self.round.state != RoundState.OVER


@dataclass(frozen=True)
class ArmyToTry:
    """R37: an army with which a book is tried. `key` is its name in the form, `name` the one that is shown."""

    key: str
    name: str
    army: Army


@dataclass(frozen=True)
class ArmyGroup:
    """R37: armies to choose from, under one title."""

    title: str
    armies: tuple[ArmyToTry, ...]


def version_for(round: Round, turn: int) -> BookVersion | None:
    """R38: the version that decides the battles of that turn; None if the round has no book."""
    versions = BookVersion.objects.filter(round=round, from_turn__lte=turn)
    return versions.select_related("judge").order_by("-number").first()


def newest_version(round: Round) -> BookVersion | None:
    """R38: the version that was saved last, for this turn or a later one."""
    return BookVersion.objects.filter(round=round).select_related("judge").order_by("-number").first()


def book_for(round: Round, turn: int) -> tuple[int, Book]:
    """R38: the number of the version that decides the battles of a turn, and its book. LookupError if there is none,
    which never happens in a round that was opened here."""
    version = version_for(round, turn)
    if version is None:
        raise LookupError(f"{round} has no formula book for turn {turn}: open_round makes one.")
    return version.number, _read(tuple(version.formulas.items()))


def may_read_books(viewer: Viewer) -> bool:
    """DESIGN, who sees what: before the round ends, books are for its battle judges; then for everybody."""
    return viewer.is_judge(Role.BATTLE) or viewer.round.state == RoundState.OVER


def versions_of(viewer: Viewer) -> tuple[BookVersionView, ...]:
    """R38: all versions of the round's book, newest first, as far as the viewer may read them."""
    rows = list(BookVersion.objects.filter(round=viewer.round).select_related("judge").order_by("number"))
    reads, is_over = may_read_books(viewer), viewer.round.state == RoundState.OVER
    views = []
    for place, row in enumerate(rows):
        before = rows[place - 1].formulas if place else {}
        later = rows[place + 1].from_turn if place + 1 < len(rows) else None
        views.append(
            BookVersionView(
                number=row.number,
                from_turn=row.from_turn,
                at=row.at,
                judge=row.judge.name if row.judge else "",
                commitment=row.commitment,
                until_turn=later - 1 if later else None,
                formulas=tuple(_titled(row.formulas)) if reads else (),
                changes=tuple(changes_between(before, row.formulas)) if reads and place else (),
                salt=row.salt if is_over else "",
                canonical=canonical(sealed_version(viewer.round, row)) if is_over else "",
            )
        )
    return tuple(reversed(views))


def changes_between(before: Mapping[str, str], after: Mapping[str, str]) -> Iterator[FormulaChange]:
    """R38: the formulas in which two versions differ, in the book's order."""
    for formula in FORMULAS:
        old, new = before.get(formula.name, ""), after.get(formula.name, "")
        if old != new:
            yield FormulaChange(formula.title, old, new)


def public_book(viewer: Viewer) -> PublicBook:
    """R38: the page of a round's book. Before the round is over it is the same for everybody, including judges."""
    is_over = viewer.round.state == RoundState.OVER
    return PublicBook(is_over, versions_of(Viewer(None, viewer.round)))


@lru_cache(maxsize=64)
def _read(formulas: tuple[tuple[str, str], ...]) -> Book:
    """The book of these texts, parsed once: books never change."""
    return book_of(dict(formulas))


def sealed_version(round: Round, version: BookVersion, formulas: Mapping[str, str] | None = None) -> Json:
    """R38: the content of the version's commitment; with other `formulas`, the content that it would have."""
    return sealed(round.dice_name, version.number, version.from_turn, formulas or version.formulas, version.salt)


def _titled(formulas: Mapping[str, str]) -> Iterator[TitledFormula]:
    return (TitledFormula(formula.name, formula.title, formulas.get(formula.name, "")) for formula in FORMULAS)


def desk_of(user: User, round_id: int) -> BookDesk | None:
    """1.3: a round's book as one of its battle judges can write it; None for everybody else."""
    round_ = Round.objects.exclude(state=RoundState.GIVEN_UP).filter(pk=round_id).first()
    judge = judge_of(user, round_, Role.BATTLE) if round_ else None
    if round_ is None or judge is None:
        return None
    turn = current_turn(round_)
    return BookDesk(round_, judge, viewer_of(user, round_), newest_version(round_), turn.number if turn else 0)


def rounds_with_books(user: User) -> list[Round]:
    """1.3: the rounds whose formula book the user can write, newest first."""
    judged = (seat.round for seat in seats_of(user) if seat.role == Role.BATTLE)
    rounds = [round_ for round_ in judged if round_.state not in (RoundState.OVER, RoundState.GIVEN_UP)]
    return sorted(rounds, key=lambda round_: round_.created_at, reverse=True)


def armies_to_try(round: Round) -> tuple[ArmyGroup, ...]:
    """R37: the armies with which a book can be tried: those of each rank at full strength, and those on the map."""
    ranks = tuple(
        ArmyToTry(f"rank:{rank.value}", gettext("full-strength %(rank)s") % {"rank": rank.title}, _full(rank))
        for rank in Rank
    )
    turn = current_turn(round)
    living = [army for army in position_of(turn).armies if not army.is_empty] if turn else []
    groups = [ArmyGroup(gettext("At full strength"), ranks)]
    for side in Side:
        armies = tuple(ArmyToTry(f"army:{army.name}", army.name, army) for army in living if army.side is side)
        groups.append(ArmyGroup(gettext("On the map: %(side)s") % {"side": side.title}, armies))
    return tuple(group for group in groups if group.armies)


def default_formulas() -> dict[str, str]:
    """R37: the formulas of the public default book, by name."""
    return DEFAULT.to_json()


def _full(rank: Rank) -> Army:
    """2.1: an army of that rank with all the troops that it can have, of no colour."""
    troops = tuple(Troop(slot, "", most, most, anonymous=True) for slot, most in zip(SLOTS, SLOT_MAXIMUM, strict=True))
    return Army(rank.title, rank.side, Square(0, 0), rank=rank, troops=troops)


class BookRefused(Refused):
    """R37: texts that can't be saved as a book; `faults` lists all errors."""

    def __init__(self, faults: tuple[BookFinding, ...]) -> None:
        message = ngettext(
            "One formula is invalid; nothing was saved.",
            "%(number)s formulas are invalid; nothing was saved.",
            len(faults),
        )
        super().__init__(message % {"number": len(faults)}, "R37")
        self.faults = faults


@locking.writes
def save_book(
    *, round: Round, judge: Judge, formulas: Mapping[str, str], base_number: int, now: datetime
) -> BookVersion:
    """R37, R38: a new version on top of version `base_number` (0: none yet), which decides from the next turn on.

    For unchanged formulas the version that has them is returned. Refused if `judge` is no battle judge of the round
    (1.3), another version was saved since, or the round is over; BookRefused if a formula can't be used.
    """
    if judge.role != Role.BATTLE or judge.round_id != round.pk:
        raise Refused(gettext("Only battle judges of this round can write its formula book."), "1.3")
    if faults := faults_of(formulas):
        raise BookRefused(faults)
    # The round is held first and its turn after it, so that two judges save one after the other, and the version's
    # first turn is the next one even while a settlement is about to open it.
    round = locking.hold(Round.objects, pk=round.pk)
    if round.state == RoundState.OVER:
        raise Refused(
            gettext("%(name)s is finished. Its formula book is public and can't change.") % {"name": round.name}, "R38"
        )
    newest = newest_version(round)
    if newest and newest.formulas == dict(formulas):
        return newest
    if (newest.number if newest else 0) != base_number:
        raise _stale(newest)
    turn = _present_turn(round)
    version = _store(round, turn.number + 1 if turn else 1, dict(formulas), secrets.token_hex(32), judge, now)
    if turn:
        announce_book(turn, version)
    return version


def save_typed(desk: BookDesk, texts: Mapping[str, str], base_number: int, now: datetime) -> str:
    """R37: `save_book` from a judge's desk; returns a sentence with the version."""
    saved = save_book(round=desk.round, judge=desk.judge, formulas=texts, base_number=base_number, now=now)
    return gettext("Version %(number)s is saved. It decides battles from turn %(turn)s on.") % {
        "number": saved.number,
        "turn": saved.from_turn,
    }


def typed_formulas(typed: Mapping[str, str]) -> dict[str, str]:
    """The typed formulas, with the browser's line ends normalized; empty where nothing was typed."""
    return {name: typed.get(name, "").replace("\r\n", "\n").strip() for name in BY_NAME}


def open_book(round: Round, now: datetime) -> BookVersion:
    """R38: the book with which a round begins: the newest one that its judge wrote, or a drawn one."""
    salt = secrets.token_hex(32)
    return newest_version(round) or _store(round, 1, drawn_book(salt).to_json(), salt, None, now)


def draw_formulas() -> dict[str, str]:
    """R38: formulas drawn for a judge's inspection; nothing is saved."""
    return drawn_book(secrets.token_hex(32)).to_json()


def announce_book(turn: Turn, version: BookVersion) -> Notice:
    """R38: posts the commitment to a version in Battle Announcements."""
    data = {"number": version.number, "from_turn": version.from_turn, "commitment": version.commitment}
    announced = Notice.Thread.ANNOUNCEMENTS
    return Notice.objects.create(turn=turn, thread=announced, kind="book", at=version.at, data=data)


def _store(
    round: Round, from_turn: int, formulas: dict[str, str], salt: str, judge: Judge | None, now: datetime
) -> BookVersion:
    newest = newest_version(round)
    number = newest.number + 1 if newest else 1
    version = BookVersion.objects.create(
        round=round,
        number=number,
        from_turn=from_turn,
        formulas=formulas,
        salt=salt,
        commitment=book_commitment(round.dice_name, number, from_turn, formulas, salt),
        judge=judge,
        at=now,
    )
    data = {"number": number, "from_turn": from_turn, "commitment": version.commitment}
    record(round, judge.user if judge else None, "book.saved", data, now)
    return version


def _present_turn(round: Round) -> Turn | None:
    """The last turn of a round; locked, so that no settlement opens the next one in the meantime."""
    turns = Turn.objects.filter(round=round).only("number", "state", "round_id")
    return locking.hold_first(turns.exclude(state=TurnState.SETTLED)) or turns.order_by("-number").first()


def _stale(newest: BookVersion | None) -> Refused:
    if newest is None:
        return Refused(gettext("This page is damaged. Reload it. Your text is still in the form."), "R38")
    fields = {"number": newest.number, "time": utc(newest.at), "judge": newest.judge.name if newest.judge else ""}
    message = gettext(
        "%(judge)s saved version %(number)s at %(time)s, after you opened this page. Yours is still in the form. "
        "Save again to replace theirs."
    )
    if not newest.judge:
        message = gettext(
            "The service saved version %(number)s at %(time)s, after you opened this page. Yours is still in the "
            "form. Save again to replace it."
        )
    return Refused(message % fields, "R38")
