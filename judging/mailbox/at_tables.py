"""T9.6: what comes by mail for a seat at a card table: the seat's address, what is carried out, and what is answered.

By mail alone one plays like this: any mail to the address is answered with the table as its reader sees it, and what is
answered to that is carried out. The answer's subject ends with the head of the chain, by which T9.3 knows what the
writer of the next mail saw.

Apart from `writes`, because mails for a round and mails for a card table share their reading and nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from django.db.models import F
from django.utils.translation import gettext

from judging.game import locking
from judging.game.errors import Refused
from judging.mailbox.models import SeatAddress
from judging.mailbox.parsing import WrittenMail
from judging.tables.board.plain import in_plain_text
from judging.tables.models import Entry, Seat, Table, TableState
from judging.tables.reads import log_of, read_over, table_view
from judging.tables.writes.draws import act_on_draw, draw_line
from judging.tables.writes.posting import checked_lines, held_table, post
from tables.core.entries import Kind

SHOWN_OF_A_HEAD = 16
ORDER = re.compile(r"\s*(?:(?:re|aw|fwd?|wg|sv|antw|res)\s*:\s*)*(?P<word>(?:order|auftrag)\b)", re.IGNORECASE)


@locking.writes
def seat_address_of(*, seat: Seat, token: str, now: datetime) -> SeatAddress:
    """T9.6: the address of whoever has the seat, from now on with this `token`; one before takes nothing any more."""
    held_table(seat.table)
    made = {"user_id": seat.user_id, "token": token, "made_at": now}
    return SeatAddress.objects.update_or_create(seat=seat, defaults=made)[0]


def seat_of_token(tokens: Sequence[str]) -> Seat | None:
    """T9.6, T10.6: the seat whose address one of these is part of, as long as its owner still sits there."""
    rows = SeatAddress.objects.filter(token__in=tokens, user_id=F("seat__user_id")).order_by("pk")
    found = rows.select_related("seat__user", "seat__table__card_list").first()
    return found.seat if found is not None else None


def carry_out_at_table(seat: Seat, written: WrittenMail, token: str, now: datetime) -> str:
    """T9.6: posts lines at a table, a plan of several, or a standing order; what came of them, in words. Raises Refused
    for what the table refuses, and for a mail that names no head: what its writer saw could be long ago (T9.3)."""
    table = seat.table
    lines, unused = _without_signature(table, seat, written.own.text)
    if does := draw_line(lines):
        return "\n".join((act_on_draw(table=table, user=seat.user, does=does, now=now), *unused))
    told = [*_readings(table, seat, lines), *unused]
    try:
        on = _head_seen(table, written.heads)
        if not on:
            raise Refused(
                gettext(
                    "We can't tell from your email which version of the table you saw. Reply to this email "
                    "without changing its subject."
                ),
                "T9.3",
            )
        kind: Kind = "order" if is_standing_order(written.subject, table.name) else "act"
        entry = post(table=table, user=seat.user, lines=lines, on=on, token=token, now=now, kind=kind)
    except Refused as refused:
        raise Refused("\n\n".join([refused.sentence, "\n".join(told)]).strip(), refused.cites) from refused
    return "\n".join([gettext("Posted as entry %(n)s.") % {"n": entry.n}, *told, "", *_came(seat, entry, now)]).strip()


def is_standing_order(subject: str, table: str) -> bool:
    """T9.6: whether a subject begins with “Order”; the table's name, which may begin so, is no part of it."""
    found = ORDER.match(subject)
    return found is not None and not subject[found.start("word") :].casefold().startswith(table.casefold())


def _without_signature(table: Table, seat: Seat, text: str) -> tuple[Sequence[str], list[str]]:
    """T9.1: the lines of a mail, and what is told of the paragraphs at its end that are a signature: behind a line that
    is read, with none that is."""
    paragraphs = [part for part in text.split("\n\n") if part.strip()]
    unused: list[str] = []
    while len(paragraphs) > 1:
        behind, before = checked_lines(paragraphs[-1]), checked_lines("\n".join(paragraphs[:-1]))
        if _is_read(table, seat, behind) or not _is_read(table, seat, before):
            break
        unused = [*(gettext("Ignored: “%(line)s”") % {"line": line[:200]} for line in behind), *unused]
        paragraphs.pop()
    return checked_lines("\n".join(paragraphs)), unused


def _is_read(table: Table, seat: Seat, lines: Sequence[str]) -> bool:
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return True
    return any(reading.reads for reading in read_over(table, seat.letter, lines))


def shown_to(seat: Seat, now: datetime) -> str:
    """T12.6: the table as whoever sits there sees it, for the end of each answer."""
    return in_plain_text(table_view(_now(seat), seat.user, now))


def subject_of(seat: Seat) -> str:
    """T9.3: the subject of an answer: which table, and the head that its reader saw with it."""
    table = _now(seat)
    return gettext("%(name)s: entry %(entries)s, hash %(head)s") % {
        "name": table.name,
        "entries": table.entries,
        "head": table.head[:SHOWN_OF_A_HEAD],
    }


def _now(seat: Seat) -> Table:
    return Table.objects.select_related("card_list").get(pk=seat.table_id)


def _readings(table: Table, seat: Seat, lines: Sequence[str]) -> Iterator[str]:
    """T9.1: each line as it was understood, where the table has begun."""
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return
    for number, reading in enumerate(read_over(table, seat.letter, lines), 1):
        yield f"{number}. {reading.line[:200]}: {reading.reads or reading.wrong}"


def _head_seen(table: Table, heads: Sequence[str]) -> str:
    """T9.3: the newest head of this table that a mail names or quotes; empty if it names none."""
    newest: Entry | None = None
    for head in heads:
        entry = Entry.objects.filter(table=table, hash__startswith=head).order_by("-n").first()
        if entry is not None and (newest is None or entry.n > newest.n):
            newest = entry
    return newest.hash if newest is not None else ""


def _came(seat: Seat, entry: Entry, now: datetime) -> Iterator[str]:
    """T6: what happened since, the oldest first, as the seat may know it."""
    seen = table_view(_now(seat), seat.user, now)
    for logged in reversed(log_of(seen, after=entry.n - 1)):
        yield from (one.text for one in logged.told)
