"""1.6: writing a letter, and having one sent again. Who writes one calls this in the transaction of what it tells."""

from __future__ import annotations

from datetime import datetime

from django.utils.translation import gettext

from judging.chain.reads import head_of
from judging.game.errors import Refused
from judging.game.judges import User, is_administrator
from judging.letters.models import Letter
from judging.letters.reads import has_mail
from wargame.models import Round

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
    """Puts a letter on its way; whether this site sends any and there is an address.

    One address a letter: nobody reads another's. It goes out after the transaction in which this is called, if that
    holds, by a job (`sending`); the sweep finds it within seconds. `unsubscribe` is the address that ends such letters.
    One `about` a round has the head of its chain at its end, which whoever keeps the letter can have checked (R38).
    """
    if not (to and has_mail()):
        return False
    head = head_of(about, now) if about else None
    if head:
        told = gettext("Latest hash of the round: %(head)s") % {"head": head}
        body = f"{body.rstrip()}\n\n{told}\n"
    title = " ".join(subject.split())[:LONGEST_SUBJECT]
    letter = Letter(to=to, kind=kind, subject=title, body=body, unsubscribe=unsubscribe, created=now, due=now)
    letter.save(force_insert=True)
    return True


def send_again(user: User, now: datetime) -> str:
    """1.6: lets all letters that were given up be tried anew; how many, in a sentence. Refused for anybody but an
    administrator."""
    if not is_administrator(user):
        raise Refused(gettext("Only administrators can resend emails."))
    return gettext("Emails being sent again: %(number)s.") % {"number": try_anew(None, now)}


def try_anew(letter_id: int | None, now: datetime) -> int:
    """A letter that was given up waits again, or all of them; how many."""
    rows = Letter.objects.filter(state=Letter.State.GIVEN_UP)
    rows = rows if letter_id is None else rows.filter(pk=letter_id)
    return rows.update(state=Letter.State.WAITING, due=now, tries=0, ended=None)
