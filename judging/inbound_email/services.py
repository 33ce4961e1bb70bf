"""3.1, T9.6: Mail addresses of players and of seats at a table, and carrying out the mails to them."""

import hashlib
import re
import secrets
import string
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import Message
from email.utils import parseaddr
from typing import NamedTuple, Protocol

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import F, Model
from django.utils.translation import gettext

from judging.accounts.queries import speaking_to
from judging.accounts.signals import renamed
from judging.common import locking
from judging.common.errors import Refused
from judging.email.models import Letter
from judging.email.services import write_letter
from judging.inbound_email import authentication_results, parsing
from judging.inbound_email.models import MailAddress, ReceivedMail, SeatAddress
from judging.inbound_email.orders import Act, act_of
from judging.inbound_email.parsing import WrittenMail
from judging.tables.board.plain_text import in_plain_text
from judging.tables.models import Entry, Seat, Table, TableState
from judging.tables.queries import log_of, read_over, table_view
from judging.tables.services.draw_offers import act_on_draw, draw_line
from judging.tables.services.posting import checked_lines, held_table, post
from tables.core.entries import Kind
from wargame.models import Player
from wargame.rules.core.saying import grouped

SHOWN_OF_A_HEAD = 16
ORDER = re.compile(r"\s*(?:(?:re|aw|fwd?|wg|sv|antw|res)\s*:\s*)*(?P<word>(?:order|auftrag)\b)", re.IGNORECASE)


@locking.writes
def seat_address_of(*, seat: Seat, token: str, now: datetime) -> SeatAddress:
    """T9.6: the address of the seat's owner, from now on with this `token`; the old one is no longer valid."""
    held_table(seat.table)
    defaults = {"user_id": seat.user_id, "token": token, "made_at": now}
    return SeatAddress.objects.update_or_create(seat=seat, defaults=defaults)[0]


def seat_of_token(tokens: Sequence[str]) -> Seat | None:
    """T9.6, T10.6: the seat with the address that contains one of these tokens, as long as its owner still has it."""
    rows = SeatAddress.objects.filter(token__in=tokens, user_id=F("seat__user_id")).order_by("pk")
    address = rows.select_related("seat__user", "seat__table__card_list").first()
    return address.seat if address is not None else None


def carry_out_at_table(seat: Seat, written: WrittenMail, token: str, now: datetime) -> str:
    """T9.6: post lines at a table, a plan of several, or a standing order; returns their results, in words. Raises
    Refused for what the table refuses, and for a mail without a latest hash: what its writer saw could be old
    (T9.3)."""
    table = seat.table
    lines, unused = _without_signature(table, seat, written.own.text)
    if does := draw_line(lines):
        return "\n".join((act_on_draw(table=table, user=seat.user, does=does, now=now), *unused))
    details = [*_readings(table, seat, lines), *unused]
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
        raise Refused("\n\n".join([refused.sentence, "\n".join(details)]).strip(), refused.cites) from refused
    return "\n".join(
        [gettext("Posted as entry %(n)s.") % {"n": entry.n}, *details, "", *_came(seat, entry, now)]
    ).strip()


def is_standing_order(subject: str, table: str) -> bool:
    """T9.6: whether a subject begins with “Order”; the table's name, which may also begin with it, is removed."""
    order_match = ORDER.match(subject)
    return order_match is not None and not subject[order_match.start("word") :].casefold().startswith(table.casefold())


def _without_signature(table: Table, seat: Seat, text: str) -> tuple[Sequence[str], list[str]]:
    """T9.1: the lines of a mail, and a note on the paragraphs at its end that are a signature: after a line that is
    understood, without any that is."""
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
    """T12.6: the table as the seat's owner sees it, for the end of each answer."""
    return in_plain_text(table_view(_now(seat), seat.user, now))


def subject_of(seat: Seat) -> str:
    """T9.3: the subject of an answer: the table, and the latest hash that its reader saw with it."""
    table = _now(seat)
    return gettext("%(name)s: entry %(entries)s, hash %(head)s") % {
        "name": table.name,
        "entries": table.entries,
        "head": table.head[:SHOWN_OF_A_HEAD],
    }


def _now(seat: Seat) -> Table:
    return Table.objects.select_related("card_list").get(pk=seat.table_id)


def _readings(table: Table, seat: Seat, lines: Sequence[str]) -> Iterator[str]:
    """T9.1: each line as it was understood, if the table has begun."""
    if table.state not in (TableState.RUNNING, TableState.OVER):
        return
    for number, reading in enumerate(read_over(table, seat.letter, lines), 1):
        yield f"{number}. {reading.line[:200]}: {reading.reads or reading.wrong}"


def _head_seen(table: Table, heads: Sequence[str]) -> str:
    """T9.3: the newest hash of this table that a mail names or quotes; empty without one."""
    newest: Entry | None = None
    for head in heads:
        entry = Entry.objects.filter(table=table, hash__startswith=head).order_by("-n").first()
        if entry is not None and (newest is None or entry.n > newest.n):
            newest = entry
    return newest.hash if newest is not None else ""


def _came(seat: Seat, entry: Entry, now: datetime) -> Iterator[str]:
    """T6: the events since then, oldest first, as the seat may know them."""
    view = table_view(_now(seat), seat.user, now)
    for logged in reversed(log_of(view, after=entry.n - 1)):
        yield from (one.text for one in logged.told)


MOST_AN_HOUR = 30
"""Mails of one player that are carried out in an hour; more are only logged."""

KEPT = timedelta(days=60)
"""How long the outcome of a mail is stored."""

LONGEST_ANSWER = 20_000
LETTERS = string.ascii_lowercase + string.digits
Outcome = ReceivedMail.Outcome


class Box(Protocol):
    """3.1, T9.6: an address of this service: its owner, the effect of a mail to it, and the answer."""

    @property
    def user(self) -> User:
        """The user who reads the answers."""

    def keys(self) -> dict[str, Model]:
        """The foreign keys of a logged mail to its recipient."""

    def act_of(self, written: WrittenMail, now: datetime) -> Act:
        """The act for a mail; nothing is written yet. Raises Refused."""

    def answer(self, told: str, now: datetime) -> None:
        """Write to the owner."""


@dataclass(frozen=True)
class PlayersBox:
    """3.1: a player's address: mails to it are posted in their round."""

    player: Player

    @property
    def user(self) -> User:
        return self.player.user

    def keys(self) -> dict[str, Model]:
        return {"player": self.player}

    def act_of(self, written: WrittenMail, now: datetime) -> Act:
        return act_of(self.player, written, now)

    def answer(self, told: str, now: datetime) -> None:
        _letter(self.user, gettext("%(round)s: your email") % {"round": self.player.round.name}, told, now)


@dataclass(frozen=True)
class SeatsBox:
    """T9.6: the address of a seat at a card table. Each answer shows the table as its owner sees it."""

    seat: Seat

    @property
    def user(self) -> User:
        return self.seat.user

    def keys(self) -> dict[str, Model]:
        return {"seat": self.seat}

    def act_of(self, written: WrittenMail, now: datetime) -> Act:
        return lambda token: carry_out_at_table(self.seat, written, token, now)

    def answer(self, told: str, now: datetime) -> None:
        _letter(self.user, subject_of(self.seat), f"{told}\n\n{shown_to(self.seat, now)}", now)


def watch() -> None:
    """1.6: connect to the deletion of accounts; called once at the start."""
    renamed.connect(_forget, dispatch_uid="judging.inbound_email")


def _forget(*, user: User, **_: object) -> None:
    """1.6: delete a deleted user's addresses for playing by mail."""
    MailAddress.objects.filter(player__user=user).delete()
    SeatAddress.objects.filter(user=user).delete()


@locking.writes
def mail_address_of(*, player: Player, now: datetime, another: bool = False) -> MailAddress:
    """3.1: a player's address, which is made on their first request; `another`: replace the old one."""
    locking.hold(Player.objects, pk=player.pk)
    address = MailAddress.objects.filter(player=player).first()
    if address is None:
        return MailAddress.objects.create(player=player, token=_token(), made_at=now)
    if another:
        address.token, address.made_at = _token(), now
        address.save(update_fields=["token", "made_at"])
    return address


def another_seat_address(*, seat: Seat, now: datetime) -> SeatAddress:
    """T9.6: a new address for the seat's owner."""
    return seat_address_of(seat=seat, token=_token(), now=now)


def check_takes_mail(user: User | None, cites: str) -> None:
    """3.1: Refused if the host has named no mailbox, and for an account that can't be answered."""
    if not settings.MAIL_ORDERS:
        raise Refused(gettext("This site doesn't accept orders by email."), cites)
    if user is None or not user.email:
        raise Refused(
            gettext("Add an email address to your account first. We reply to every email and show how we read it."),
            cites,
        )


def receive(raw: bytes, now: datetime) -> ReceivedMail:
    """3.1, T9.6: carry out a mail, once, and answer the address's owner. All errors are in the log.

    `raw` may have been cut at one byte more than `parsing.LARGEST`: then it is too large. Raises Busy while others are
    in the way: then nothing was stored, and the mail should come again.
    """
    try:
        head = parsing.head_of(raw)
        digest, tokens = parsing.digest_of(head, raw), parsing.tokens_of(head)
    except parsing.UNREADABLE:
        return _log(None, hashlib.sha256(raw).hexdigest(), len(raw), Outcome.UNREADABLE, now)
    box = _box(tokens[:5])
    before = ReceivedMail.objects.filter(digest=digest).first()
    if before is not None:
        return before
    outcome = _unwanted(raw, head, box, now)
    if outcome is not None or box is None:
        return _log(box, digest, len(raw), outcome or Outcome.UNKNOWN, now)
    # Read before the transaction: nobody waits for the database while a mail is taken apart.
    with speaking_to(box.user.pk):
        read = _read(box, raw, now)
    return _carried_out_once(box, read, digest, len(raw), now)


class ReadMail(NamedTuple):
    """The act for a mail, or the reason why it is not carried out; `more` is added to the answer."""

    act: Act | None
    refused: Refused | None = None
    outcome: Outcome = Outcome.DONE
    more: str = ""


def _read(box: Box, raw: bytes, now: datetime) -> ReadMail:
    try:
        mail = parsing.written_in(raw, own_addresses())
    except Refused as refused:
        return ReadMail(None, refused, Outcome.UNREADABLE)
    more = _attachments(mail)
    if not (mail.own.text or mail.strat.text):
        return ReadMail(None, Refused(gettext("There was nothing to read in your email.")), Outcome.EMPTY, more)
    try:
        return ReadMail(box.act_of(mail, now), more=more)
    except locking.Busy:
        raise  # nobody has refused it: it comes again
    except Refused as refused:
        return ReadMail(None, refused, Outcome.REFUSED, more)


def own_addresses() -> set[str]:
    """The addresses that identify a quote of a mail of this service."""
    name, _, host = settings.MAIL_ORDERS.partition("@")
    sender = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    return {sender.lower()} | ({f"{name}@{host}".lower(), f"{name}+".lower()} if host else set())


@locking.writes
def _carried_out_once(box: Box, read: ReadMail, digest: str, size: int, now: datetime) -> ReceivedMail:
    """3.1: the row of a mail, its effects and the answer are stored together or not at all: an interruption leaves a
    mail that can come again. The row is the claim: of two processes with the same mail, one carries it out."""
    defaults = {**box.keys(), "at": now, "size": size, "outcome": Outcome.DONE}
    row, is_new = ReceivedMail.objects.get_or_create(digest=digest, defaults=defaults)
    if not is_new:
        return row
    with speaking_to(box.user.pk):
        reply, row.outcome, detail = _done(read, digest[:40])
        row.detail = detail[:80]
        row.save(update_fields=["outcome", "detail"])
        box.answer(f"{reply}{read.more}", now)
    return row


def _done(read: ReadMail, token: str) -> tuple[str, Outcome, str]:
    """Carry out a mail; returns the answer, the outcome, and the rule that refused it."""
    refused, outcome = read.refused, read.outcome
    if read.act is not None:
        try:
            return read.act(token), Outcome.DONE, ""
        except locking.Busy:
            raise  # nobody has refused it: it comes again
        except Refused as why:
            refused, outcome = why, Outcome.REFUSED
    assert refused is not None
    if outcome != Outcome.REFUSED:
        return refused.sentence, outcome, ""
    cites = f" ({refused.cites})" if refused.cites else ""
    first, _, rest = refused.sentence.partition("\n\n")
    message = gettext("Nothing was saved. %(why)s") % {"why": f"{first}{cites}"}
    return f"{message}\n\n{rest}".strip(), outcome, refused.cites


def _attachments(mail: WrittenMail) -> str:
    if mail.has_winmail:
        message = gettext(
            "Your email contains a file that only Outlook can open (winmail.dat). In Outlook, open File, "
            "Options, Mail, “Message format” and choose plain text or HTML instead of rich text (RTF). Then send "
            "it again."
        )
    elif mail.attachments:
        message = gettext("We don't read attachments. Write your orders in the email itself.")
    else:
        return ""
    return f"\n\n{message}"


def _box(tokens: Sequence[str]) -> Box | None:
    """The address that a mail is for; None if nobody has it, or its owner has left."""
    rows = MailAddress.objects.filter(token__in=tokens, player__left_at__isnull=True)
    address = rows.select_related("player__user", "player__round").order_by("pk").first()
    if address is not None:
        return PlayersBox(address.player)
    seat = seat_of_token(tokens)
    return SeatsBox(seat) if seat is not None else None


def set_aside(raw: bytes, now: datetime) -> bool:
    """Record that a mail failed with an unexpected error; True at the second time, when it should not be retried.
    Its sender is notified then, as it may have been a strat."""
    digest = hashlib.sha256(b"failed " + raw[: parsing.LARGEST]).hexdigest()
    if not ReceivedMail.objects.filter(digest=digest).exists():
        _log(None, digest, len(raw), Outcome.UNREADABLE, now)
        return False
    try:
        head = parsing.head_of(raw)
        box = None if parsing.is_ours(head) or parsing.is_automatic(head) else _box(parsing.tokens_of(head)[:5])
    except parsing.UNREADABLE:
        box = None
    if box is not None:
        with speaking_to(box.user.pk):
            message = gettext(
                "We couldn't process your email because of an error on our side. Nothing was saved. Please use "
                "the site instead."
            )
            _letter(box.user, gettext("We couldn't process your email"), message, now)
    return True


def prune_mails(now: datetime) -> None:
    ReceivedMail.objects.filter(at__lt=now - KEPT).delete()


def _unwanted(raw: bytes, head: Message, box: Box | None, now: datetime) -> Outcome | None:
    """The reason why a mail is only logged; None if it should be carried out."""
    if parsing.is_ours(head):
        return Outcome.LOOP
    if parsing.is_automatic(head):
        return Outcome.AUTOMATIC
    if box is None or not box.user.is_active:
        return Outcome.UNKNOWN
    if settings.MAIL_SERVER_NAME and authentication_results.is_forged(head, settings.MAIL_SERVER_NAME):
        return Outcome.FORGED
    recent = ReceivedMail.objects.filter(**box.keys(), at__gt=now - timedelta(hours=1))
    if recent.count() >= MOST_AN_HOUR:
        if not recent.filter(outcome=Outcome.MANY).exists():
            with speaking_to(box.user.pk):
                message = gettext(
                    "You sent more than %(number)s emails in an hour, so we didn't read this one. Send it again "
                    "later, or use the site."
                )
                box.answer(message % {"number": MOST_AN_HOUR}, now)
        return Outcome.MANY
    if settings.MAIL_SERVER_NAME and authentication_results.sender_of(head) != box.user.email.lower():
        with speaking_to(box.user.pk):
            message = gettext(
                "We got an email that didn't come from your account's address (%(mail)s), so we saved nothing."
            )
            box.answer(message % {"mail": box.user.email}, now)
        return Outcome.FORGED
    if len(raw) > parsing.LARGEST:
        with speaking_to(box.user.pk):
            message = gettext("Your email is larger than %(number)s bytes, so we didn't read it.")
            box.answer(message % {"number": grouped(parsing.LARGEST)}, now)
        return Outcome.LARGE
    return None


def _log(box: Box | None, digest: str, size: int, outcome: Outcome, now: datetime) -> ReceivedMail:
    keys = box.keys() if box is not None else {}
    try:
        with locking.transaction():
            return ReceivedMail.objects.create(**keys, digest=digest, at=now, size=size, outcome=outcome)
    except IntegrityError:
        return ReceivedMail.objects.get(digest=digest)


def _letter(user: User, subject: str, text: str, now: datetime) -> None:
    foot = gettext("We sent this to your account's email address.")
    body = f"{text[:LONGEST_ANSWER]}\n\n-- \n{foot}"
    write_letter(to=user.email, kind=Letter.Kind.NEWS, now=now, subject=subject, body=body)


def _token() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(28))
