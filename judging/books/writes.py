"""R37, R38: new versions of a round's formula book, each committed to before it decides a battle."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from datetime import datetime

from django.utils.translation import gettext, ngettext

from judging.books.models import BookVersion
from judging.books.reads import BookDesk, newest_version
from judging.game import locking
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.game.texts import utc
from judging.notices.models import Notice
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.battle.book_checks import faults_of
from wargame.rules.book.book import BookFinding, book_commitment
from wargame.rules.book.drawn_book import drawn_book
from wargame.rules.book.formulas import BY_NAME


class BookRefused(Refused):
    """R37: texts that are no book that can be kept; `faults` has all that is wrong."""

    def __init__(self, faults: tuple[BookFinding, ...]) -> None:
        told = ngettext(
            "One formula is invalid; nothing was saved.",
            "%(number)s formulas are invalid; nothing was saved.",
            len(faults),
        )
        super().__init__(told % {"number": len(faults)}, "R37")
        self.faults = faults


@locking.writes
def save_book(
    *, round: Round, judge: Judge, formulas: Mapping[str, str], base_number: int, now: datetime
) -> BookVersion:
    """R37, R38: a new version on top of version `base_number` (0: none yet), which decides from the next turn on.

    The same formulas again are the version that has them. Refused if it is no battle judge's of the round (1.3),
    another version was saved since, or the round is over; BookRefused if a formula can't be used.
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
    """R37: `save_book` from a judge's desk; which version it is, in a sentence."""
    saved = save_book(round=desk.round, judge=desk.judge, formulas=texts, base_number=base_number, now=now)
    return gettext("Version %(number)s is saved. It decides battles from turn %(turn)s on.") % {
        "number": saved.number,
        "turn": saved.from_turn,
    }


def typed_formulas(typed: Mapping[str, str]) -> dict[str, str]:
    """What was typed for each formula, without what a browser changes in line ends; empty where nothing was."""
    return {name: typed.get(name, "").replace("\r\n", "\n").strip() for name in BY_NAME}


def open_book(round: Round, now: datetime) -> BookVersion:
    """R38: the book with which a round begins: the newest one that its judge wrote, or one that is drawn."""
    salt = secrets.token_hex(32)
    return newest_version(round) or _store(round, 1, drawn_book(salt).to_json(), salt, None, now)


def draw_formulas() -> dict[str, str]:
    """R38: formulas drawn for a judge to look at; nothing is saved."""
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
    """The last turn of a round; held, so that no settlement opens the next one meanwhile."""
    turns = Turn.objects.filter(round=round).only("number", "state", "round_id")
    return locking.hold_first(turns.exclude(state=TurnState.SETTLED)) or turns.order_by("-number").first()


def _stale(newest: BookVersion | None) -> Refused:
    if newest is None:
        return Refused(gettext("This page is damaged. Reload it. Your text is still in the form."), "R38")
    fields = {"number": newest.number, "time": utc(newest.at), "judge": newest.judge.name if newest.judge else ""}
    told = gettext(
        "%(judge)s saved version %(number)s at %(time)s, after you opened this page. Yours is still in the form. "
        "Save again to replace theirs."
    )
    if not newest.judge:
        told = gettext(
            "The service saved version %(number)s at %(time)s, after you opened this page. Yours is still in the "
            "form. Save again to replace it."
        )
    return Refused(told % fields, "R38")
