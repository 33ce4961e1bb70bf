"""1.6: The outbox of emails: writing one, sending one at a time outside of transactions, and retries."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from smtplib import SMTPRecipientsRefused, SMTPResponseException
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext

from judging.chain.queries import head_of
from judging.common import locking
from judging.common.errors import Refused
from judging.common.judges import User, is_administrator
from judging.email.models import Letter
from wargame.models import Round

MOST_SHOWN = 50


def has_mail() -> bool:
    return not settings.EMAIL_BACKEND.endswith("dummy.EmailBackend")


def are_due(now: datetime) -> bool:
    """Whether a letter can be tried; without a mail server it waits until there is one again."""
    return has_mail() and Letter.due_at(now).exists()


class LostLetter(NamedTuple):
    """A letter that was given up, without its content."""

    pk: int
    to: str
    kind: str
    created: datetime
    tries: int
    error: str


class LostLetters(NamedTuple):
    letters: tuple[LostLetter, ...]
    number: int


def lost_letters(user: User, now: datetime) -> LostLetters | None:
    """1.6: the letters that were given up, for administrators alone; None for anybody else, and without any."""
    if not is_administrator(user):
        return None
    return given_up()


def given_up() -> LostLetters | None:
    """The letters that were given up, newest first; None without any."""
    rows = Letter.objects.filter(state=Letter.State.GIVEN_UP).defer("body", "subject").order_by("-pk")
    letters = [LostLetter(r.pk, r.to, r.get_kind_display(), r.created, r.tries, r.error) for r in rows[:MOST_SHOWN]]
    return LostLetters(tuple(letters), rows.count()) if letters else None


LONGEST_SUBJECT = 200


def write_letter(
    *,
    to: str,
    kind: Letter.Kind,
    now: datetime,
    subject: str = "",
    body: str = "",
    about: Round | None = None,
    unsubscribe: str = "",
) -> bool:
    """Queue a letter; returns whether this site sends mail and there is an address.

    One address a letter: nobody sees another's. A job (`sending`) sends it after the transaction in which this is
    called, if that is committed; the sweep finds it within seconds. `unsubscribe` is the address that ends such
    letters. A letter `about` a round ends with the latest hash of its chain, with which its reader can have the chain
    checked (R38).
    """
    if not (to and has_mail()):
        return False
    head = head_of(about, now) if about else None
    if head:
        line = gettext("Latest hash of the round: %(head)s") % {"head": head}
        body = f"{body.rstrip()}\n\n{line}\n"
    title = " ".join(subject.split())[:LONGEST_SUBJECT]
    letter = Letter(to=to, kind=kind, subject=title, body=body, unsubscribe=unsubscribe, created=now, due=now)
    letter.save(force_insert=True)
    return True


def send_again(user: User, now: datetime) -> str:
    """1.6: retry all letters that were given up; returns a sentence with their number. Refused for anybody but an
    administrator."""
    if not is_administrator(user):
        raise Refused(gettext("Only administrators can resend emails."))
    return gettext("Emails being sent again: %(number)s.") % {"number": try_anew(None, now)}


def try_anew(letter_id: int | None, now: datetime) -> int:
    """Put a letter that was given up back in the queue, or all of them; returns their number."""
    rows = Letter.objects.filter(state=Letter.State.GIVEN_UP)
    rows = rows if letter_id is None else rows.filter(pk=letter_id)
    return rows.update(state=Letter.State.WAITING, due=now, tries=0, ended=None)


KEPT, LOST_KEPT = timedelta(days=7), timedelta(days=30)
"""How long a letter's row is stored after it was sent, and after it was given up."""

Composer = Callable[[Letter, datetime], None]
"""Write the letters for a letter without a body."""

Bounced = Callable[[str, datetime], object]
"""Record an address for which a mail server permanently refuses mail."""


def send_next(now: datetime, composers: Mapping[str, Composer], note_bounce: Bounced) -> bool:
    """Send one letter that is due; returns whether there was one. `composers` are for the kinds without a body."""
    letter = Letter.claim(now)
    if letter is None:
        return False
    compose = composers.get(letter.kind)
    if compose is not None:
        with locking.transaction():
            compose(letter, now)
            _mark_sent(letter, now)
        return True
    try:
        _message(letter).send()
    except Exception as error:
        code, is_for_good = _code_of(error), _is_for_good(error)  # what the server said is not kept
        letter.fail(now, code, is_for_good=is_for_good, error=code)
        if is_for_good and isinstance(error, SMTPRecipientsRefused):
            note_bounce(letter.to, now)
    else:
        _mark_sent(letter, now)
    return True


def prune(now: datetime) -> None:
    is_sent = Q(state=Letter.State.SENT, ended__lt=now - KEPT)
    is_lost = Q(state=Letter.State.GIVEN_UP, ended__lt=now - LOST_KEPT)
    Letter.objects.filter(is_sent | is_lost).delete()


def _message(letter: Letter) -> EmailMessage:
    host = urlsplit(settings.PUBLIC_URL).hostname or "localhost"
    # The salt keeps the folder's former name: a letter that is sent again has the same Message-ID.
    name = salted_hmac("judging.letters", f"{letter.pk} {letter.created.isoformat()}").hexdigest()[:32]
    # RFC 3834: no program is to answer it; one that comes back is known by its second line.
    headers = {"Message-ID": f"<{name}@{host}>", "Auto-Submitted": "auto-generated", "X-Wargame-Letter": "1"}
    if letter.unsubscribe:
        # RFC 8058: a mail program posts there for its user, who need not log in.
        headers["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    return EmailMessage(letter.subject, letter.body, None, [letter.to], headers=headers)


def _mark_sent(letter: Letter, now: datetime) -> None:
    """What is sent need not be kept: it may hold a token."""
    letter.change(state=Letter.State.SENT, ended=now, error="", body="", unsubscribe="")


def _code_of(error: Exception) -> str:
    number = ""
    if isinstance(error, SMTPResponseException):
        number = f" {error.smtp_code}"
    elif isinstance(error, SMTPRecipientsRefused):
        number = "".join(f" {code}" for code, _ in error.recipients.values())
    return f"{type(error).__name__}{number}"[:60]


def _is_for_good(error: Exception) -> bool:
    """A server that does not know an address today will not know it tomorrow; an invalid letter stays invalid."""
    if isinstance(error, SMTPRecipientsRefused):
        return all(code >= 500 for code, _ in error.recipients.values())
    # A certificate that is not good is a ValueError too, and of the server: its host mends it.
    return isinstance(error, ValueError) and not isinstance(error, OSError)
