"""3.1, T9.6: a player's address for mail, and carrying out what comes there or to a seat's.

The time of this server counts, never that of a mail's head. The answer goes to the player's confirmed address and to
nobody else, so that nothing is sent to a sender who may be forged.
"""

from __future__ import annotations

import hashlib
import secrets
import string
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.message import EmailMessage
from typing import Protocol

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError
from django.db.models import Model
from django.utils.translation import gettext

from judging.accounts.reads import speaking_to
from judging.accounts.renaming import renamed
from judging.battles.reads import battles_of_turn, rows_for_strat
from judging.battles.strats.writes import send_strat
from judging.game import locking
from judging.game.errors import Refused
from judging.game.rounds import current_turn
from judging.game.texts import utc
from judging.game.viewer import Viewer, viewer_of
from judging.letters.models import Letter
from judging.letters.writes import write_letter
from judging.mailbox import parsing
from judging.mailbox.at_tables import carry_out_at_table, seat_address_of, seat_of_token, shown_to, subject_of
from judging.mailbox.models import MailAddress, ReceivedMail, SeatAddress
from judging.mailbox.parsing import WrittenMail
from judging.tables.models import Seat
from judging.turns.posts.reading import LineView
from judging.turns.posts.reads import preview_lines, unread_lines
from judging.turns.posts.writes import submit_post
from wargame.models import Player, Turn
from wargame.rules.core.saying import grouped

MOST_AN_HOUR = 30
"""Mails of one player that are carried out in an hour; more are only logged."""

KEPT = timedelta(days=60)
"""How long what became of a mail is kept."""

LONGEST_ANSWER = 20_000
LETTERS = string.ascii_lowercase + string.digits
Outcome = ReceivedMail.Outcome


class Box(Protocol):
    """3.1, T9.6: an address of ours: whose it is, what comes there does, and how it is answered."""

    @property
    def user(self) -> User:
        """Who reads the answers."""

    def keys(self) -> dict[str, Model]:
        """What of a logged mail says for whom it was."""

    def carry_out(self, written: WrittenMail, digest: str, now: datetime) -> str:
        """Does what a mail asks for; what was done, in words. Raises Refused."""

    def answer(self, told: str, now: datetime) -> None:
        """Writes to its owner."""


@dataclass(frozen=True)
class PlayersBox:
    """3.1: a player's address: what comes there is posted in his round."""

    player: Player

    @property
    def user(self) -> User:
        """The player's account."""
        return self.player.user

    def keys(self) -> dict[str, Model]:
        """For a player."""
        return {"player": self.player}

    def carry_out(self, written: WrittenMail, digest: str, now: datetime) -> str:
        """Posted, or sent as a strat."""
        return carry_out(self.player, written, digest, now)

    def answer(self, told: str, now: datetime) -> None:
        """How each line was understood."""
        _letter(self.user, gettext("%(round)s: your mail") % {"round": self.player.round.name}, told, now)


@dataclass(frozen=True)
class SeatsBox:
    """T9.6: the address of a seat at a card table. Each answer shows the table as its owner sees it."""

    seat: Seat

    @property
    def user(self) -> User:
        """Who sits there."""
        return self.seat.user

    def keys(self) -> dict[str, Model]:
        """For a seat."""
        return {"seat": self.seat}

    def carry_out(self, written: WrittenMail, digest: str, now: datetime) -> str:
        """Posted at the table."""
        return carry_out_at_table(self.seat, written, digest, now)

    def answer(self, told: str, now: datetime) -> None:
        """What came of it, and what is seen now."""
        _letter(self.user, subject_of(self.seat), f"{told}\n\n{shown_to(self.seat, now)}", now)


def watch() -> None:
    """1.6: hears of each account that is deleted from now on; called once at the start."""
    renamed.connect(_forget, dispatch_uid="judging.mailbox")


def _forget(*, user: User, **_: object) -> None:
    """1.6: the addresses from which somebody who is deleted played by mail."""
    MailAddress.objects.filter(player__user=user).delete()
    SeatAddress.objects.filter(user=user).delete()


@locking.writes
def mail_address_of(*, player: Player, now: datetime, another: bool = False) -> MailAddress:
    """3.1: a player's address, which is made when he first asks; `another`: the one before takes nothing any more."""
    locking.hold(Player.objects, pk=player.pk)
    found = MailAddress.objects.filter(player=player).first()
    if found is None:
        return MailAddress.objects.create(player=player, token=_token(), made_at=now)
    if another:
        found.token, found.made_at = _token(), now
        found.save(update_fields=["token", "made_at"])
    return found


def another_seat_address(*, seat: Seat, now: datetime) -> SeatAddress:
    """T9.6: a new address for whoever has the seat."""
    return seat_address_of(seat=seat, token=_token(), now=now)


def receive(raw: bytes, now: datetime) -> ReceivedMail:
    """3.1, T9.6: carries out what a mail asks for, once, and answers whose address it is. Whatever is wrong with it is
    in the log.

    `raw` may have been cut at one byte more than `parsing.LARGEST`: then it is too large. Raises Busy while others are
    in the way: then nothing was stored, and the mail is to come again.
    """
    try:
        head = parsing.head_of(raw)
        digest, tokens = parsing.digest_of(head, raw), parsing.tokens_of(head)
    except (ValueError, LookupError, AttributeError, TypeError, AssertionError):
        return _log(None, hashlib.sha256(raw).hexdigest(), len(raw), Outcome.UNREADABLE, now)
    box = _box(tokens[:5])
    before = ReceivedMail.objects.filter(digest=digest).first()
    if before is not None:
        return before
    outcome = _unwanted(raw, head, box, now)
    if outcome is not None or box is None:
        return _log(box, digest, len(raw), outcome or Outcome.UNKNOWN, now)
    return _carried_out_once(box, raw, digest, now)


@locking.writes
def _carried_out_once(box: Box, raw: bytes, digest: str, now: datetime) -> ReceivedMail:
    """3.1: the row of a mail, what it asks for and the answer are stored together or not at all: what breaks off in the
    middle leaves a mail that can come again. The row is the claim: of two who have the same mail, one carries it out.
    """
    kept = {**box.keys(), "at": now, "size": len(raw), "outcome": Outcome.DONE}
    row, is_new = ReceivedMail.objects.get_or_create(digest=digest, defaults=kept)
    if not is_new:
        return row
    with speaking_to(box.user.pk):
        told, row.outcome, detail = _done(box, raw, digest, now)
        row.detail = detail[:80]
        row.save(update_fields=["outcome", "detail"])
        box.answer(told, now)
    return row


def _done(box: Box, raw: bytes, digest: str, now: datetime) -> tuple[str, Outcome, str]:
    """What a mail asks for, done; what is answered, what became of it, and the rule that refused it."""
    try:
        written = parsing.written_in(raw)
    except ValueError:
        return gettext("Your mail can't be read. Send it as plain text."), Outcome.UNREADABLE, ""
    attached = gettext("What was attached was not read: write orders into the mail itself.")
    more = f"\n\n{attached}" if written.attachments else ""
    if not written.text:
        return gettext("There was nothing in your mail to read.") + more, Outcome.EMPTY, ""
    try:
        return box.carry_out(written, digest, now) + more, Outcome.DONE, ""
    except locking.Busy:
        raise  # nobody has refused it: it comes again
    except Refused as refused:
        cites = f" ({refused.cites})" if refused.cites else ""
        told = gettext("Nothing was stored. %(why)s") % {"why": f"{refused.sentence}{cites}"}
        return told + more, Outcome.REFUSED, refused.cites


def _box(tokens: Sequence[str]) -> Box | None:
    """Whose address a mail is for; None if nobody has it, or has left."""
    rows = MailAddress.objects.filter(token__in=tokens, player__left_at__isnull=True)
    address = rows.select_related("player__user", "player__round").order_by("pk").first()
    if address is not None:
        return PlayersBox(address.player)
    seat = seat_of_token(tokens)
    return SeatsBox(seat) if seat is not None else None


def prune_mails(now: datetime) -> None:
    """What became of mails long ago is forgotten."""
    ReceivedMail.objects.filter(at__lt=now - KEPT).delete()


def _unwanted(raw: bytes, head: EmailMessage, box: Box | None, now: datetime) -> Outcome | None:
    """Why a mail is only logged; None if it is to be carried out."""
    if parsing.is_ours(head):
        return Outcome.LOOP
    if parsing.is_automatic(head):
        return Outcome.AUTOMATIC
    if box is None or not box.user.is_active:
        return Outcome.UNKNOWN
    if parsing.is_forged(head, settings.MAIL_SERVER_NAME):
        return Outcome.FORGED
    if ReceivedMail.objects.filter(**box.keys(), at__gt=now - timedelta(hours=1)).count() >= MOST_AN_HOUR:
        return Outcome.MANY
    if len(raw) > parsing.LARGEST:
        with speaking_to(box.user.pk):
            told = gettext("Your mail has more than %(number)s bytes; nothing of it was read.")
            box.answer(told % {"number": grouped(parsing.LARGEST)}, now)
        return Outcome.LARGE
    return None


def carry_out(player: Player, written: WrittenMail, digest: str, now: datetime) -> str:
    """3.1: posts what a player wrote elsewhere, or sends it as a strat; what was done, in words. `digest` names it, so
    that it is done once. Raises Refused."""
    turn = current_turn(player.round)
    if turn is None:
        raise Refused(gettext("The round has not begun."), "3.1")
    turn.round = player.round
    viewer = viewer_of(player.user, player.round)
    if written.what == "strat":
        return _sent_strat(turn, viewer, written, digest, now)
    lines = preview_lines(turn, viewer, written.text, now)
    told = "\n".join(_line_told(entry.line) for entry in lines if entry.line.text.strip())
    if unread_lines(lines):
        sentence = gettext("Lines that may be meant as orders are not read as one; mend them and send it again.")
        raise Refused(f"{sentence}\n\n{told}", "R8")
    is_sealed = written.what == "sealed"
    submit_post(
        turn=turn, player=player, text=written.text, token=digest[:40], now=now, sealed=is_sealed, stays_talk=False
    )
    posted = (
        gettext("Posted in turn %(turn)s on %(time)s, sealed until the lock.")
        if is_sealed
        else gettext("Posted in turn %(turn)s on %(time)s, in the movement thread.")
    )
    posted %= {"turn": turn.number, "time": utc(now)}
    return f"{posted}\n\n{told}"


def _sent_strat(turn: Turn, viewer: Viewer, written: WrittenMail, digest: str, now: datetime) -> str:
    battles = battles_of_turn(turn, viewer, now)
    found = [(view, fighter) for view in battles if (fighter := view.fighter(written.army)) is not None]
    if not found:
        fights = gettext("“%(army)s” fights in no battle of turn %(turn)s. Write the army after “Strat”.")
        raise Refused(fights % {"army": written.army[:60], "turn": turn.number}, "4.1.1")
    battle, army = rows_for_strat(*found[0])
    sent = send_strat(
        battle=battle,
        army=army,
        player=viewer.player,
        text=written.text,
        risk="",
        runs=False,
        leaves="",
        leaves_to="",
        token=digest[:40],
        now=now,
    )
    late = gettext("It came after the deadline and does not count (R35).")
    told = gettext("The strat of %(army)s is sent: %(time)s, SHA-256 %(hash)s.")
    told %= {"army": army.name, "time": utc(sent.sent_at), "hash": sent.sha256}
    return f"{told} {late}" if sent.late else told


def _line_told(line: LineView) -> str:
    """R8: what a line was understood as."""
    if line.kind == "order" and line.refusal:
        told = gettext("%(number)s. %(order)s: illegal now. %(why)s")
        why = f"{line.refusal.sentence} ({line.refusal.cites})"
        return told % {"number": line.number, "order": line.order_text, "why": why}
    if line.kind == "order":
        return f"{line.number}. {line.order_text}{f' – {line.remark}' if line.remark else ''}"
    if line.is_unread:
        told = gettext("%(number)s. “%(line)s” is not read as an order. %(why)s")
        told %= {"number": line.number, "line": line.text[:80], "why": line.wrong}
        meant = gettext("Did you mean %(meant)s?") % {"meant": gettext(" or ").join(line.meant)}
        return f"{told.rstrip()} {meant}" if line.meant else told.rstrip()
    return gettext("%(number)s. Talk: “%(line)s”") % {"number": line.number, "line": line.text[:80]}


def _log(box: Box | None, digest: str, size: int, outcome: Outcome, now: datetime) -> ReceivedMail:
    keys = box.keys() if box is not None else {}
    try:
        with locking.transaction():
            return ReceivedMail.objects.create(**keys, digest=digest, at=now, size=size, outcome=outcome)
    except IntegrityError:
        return ReceivedMail.objects.get(digest=digest)


def _letter(user: User, subject: str, told: str, now: datetime) -> None:
    foot = gettext("Written by the service to the address of your account.")
    body = f"{told[:LONGEST_ANSWER]}\n\n-- \n{foot}"
    write_letter(to=user.email, kind=Letter.Kind.NEWS, now=now, subject=subject, body=body)


def _token() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(28))
