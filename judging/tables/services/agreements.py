"""A12: before a table starts, its players agree on what the game's document leaves open; sets of agreements are
stored."""

from collections.abc import Mapping
from datetime import datetime

from django.contrib.auth.models import User
from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.texts import check_storable, checked_token
from judging.tables import game_state
from judging.tables.conduct.endings import check_none_waits
from judging.tables.models import Entry, Seat, Table, TableAgreements
from judging.tables.services import chain
from judging.tables.services.chain import By
from judging.tables.services.posting import carry_out, check_running, held_table
from tables.core.entries import Entry as Said
from tables.core.lines.notation import LONGEST_LINE
from tables.games.altered.agreements import NotAnAnswer, checked, line_of
from tables.games.altered.asking import AskAgree

RULE = "A12"
LONGEST_TITLE = 60


@locking.writes
def agree_on(
    *, table: Table, user: User, answers: Mapping[int, str], on: str, token: str, now: datetime
) -> tuple[Entry, ...]:
    """A12: a player answers questions, by their numbers: an answer equal to the other player's is agreed, the rest is
    proposed to them. Answers that don't fit into one line become a further entry; all are carried out, or none.

    `on` is the latest hash that the player saw; raises Stale if there is another one by now. The same `token` gives the
    same entries. Refused if nothing is asked, and for an answer that can't be agreed on, with its question's field.
    """
    token = checked_token(token)[:36]
    locked_table = held_table(table)
    if previous := tuple(
        Entry.objects.filter(table=locked_table, user=user, token__startswith=f"{token}-").order_by("n")
    ):
        return previous
    seats = list(locked_table.seats.all())
    seat = next((each for each in seats if each.user_id == user.pk), None)
    if seat is None:
        raise Refused(gettext("You don't sit at this table."), RULE)
    check_running(locked_table)
    check_none_waits(locked_table)
    chain.check(locked_table, seat.letter, on)
    entries = []
    for number, line in enumerate(_lines(locked_table, seat, answers)):
        statement = Said("act", seat.letter, (line,))
        entries.append(
            carry_out(locked_table, seats, By(seat.letter, user.pk), statement, now, on=on, token=f"{token}-{number}")
        )
    return tuple(entries)


def _lines(table: Table, seat: Seat, answers: Mapping[int, str]) -> list[str]:
    """A12: the answers as lines. Proposals come first, so that nothing starts before all of them are made."""
    decision = game_state.state_of(table).decision
    if not isinstance(decision, AskAgree):
        raise Refused(
            gettext(
                "There is nothing left to agree on. A change now needs a ruling, or a proposal that both players "
                "agree to."
            ),
            RULE,
        )
    proposals = dict(decision.proposed_by_others(seat.letter))
    pairs = [(number, _checked(number, answers[number])) for number in sorted(answers)]
    if not pairs:
        raise Refused(gettext("Answer at least one question."), RULE)
    pairs.sort(key=lambda one: proposals.get(one[0]) == one[1])
    lines, together = [], list[tuple[int, str]]()
    for one in pairs:
        if together and len(line_of([*together, one])) > LONGEST_LINE:
            lines.append(line_of(together))
            together = []
        together.append(one)
    return [*lines, line_of(together)]


def _checked(number: int, wording: str) -> str:
    check_storable(wording, what="wording", cites=RULE, field=f"words-{number}")
    try:
        return checked(number, wording)
    except NotAnAnswer as error:
        raise Refused(
            gettext("Question %(number)s: %(error)s") % {"number": number, "error": error}, RULE, f"words-{number}"
        ) from error


@locking.writes
def offer_agreements(*, table: Table, user: User, title: str, now: datetime) -> TableAgreements:
    """A12: a player of a table offers its agreements to everybody, under a title; an empty one withdraws the offer.
    Refused without a seat there, and if nothing was agreed."""
    locked_table = held_table(table)
    if not locked_table.seats.filter(user=user).exists():
        raise Refused(gettext("Only players at this table can offer its agreements to others."), RULE)
    agreements = TableAgreements.objects.filter(table=locked_table).first()
    if agreements is None or not agreements.agreed:
        raise Refused(gettext("Nothing was agreed on at this table."), RULE)
    title = " ".join(title.split())
    if len(title) > LONGEST_TITLE:
        raise Refused(gettext("A title can have at most %(most)s characters.") % {"most": LONGEST_TITLE}, RULE, "title")
    check_storable(title, what="title", cites=RULE, field="title")
    agreements.title, agreements.offered_by = title, user if title else None
    agreements.save(update_fields=["title", "offered_by"])
    return agreements
