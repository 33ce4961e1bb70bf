"""1.3, R57, T11.6, T11.8: the actions of the forms for sanctions and appeals, and a judge's forms beside the game.
Each returns the message of the next page; raises Refused."""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser, User
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

from judging.common.form_views import Success
from judging.tables.conduct import appeals
from judging.tables.conduct.appeals import Answer, TableAppealView, answer_at_table, appeal_of
from judging.tables.conduct.models import TableAppeal
from judging.tables.conduct.sanctions import NewSanction, lift_sanction, sanction
from judging.tables.models import Entry, Table
from judging.tables.services.taking_back import TakingBack, is_back, look_at_cards, take_table_back


def impose(table: Table, user: User, now: datetime, *, given: NewSanction, token: str) -> str:
    """1.3: a judge imposes a sanction."""
    row = sanction(table=table, user=user, given=given, token=token, now=now)
    return gettext("Sanction %(number)s is imposed. %(name)s was notified.") % {
        "number": row.number,
        "name": row.name,
    }


def lift(table: Table, user: User, now: datetime, *, number: int, reason: str) -> str:
    """1.3: a judge lifts a sanction."""
    lift_sanction(table=table, user=user, number=number, reason=reason, now=now)
    return gettext("Sanction %(number)s is lifted. It stays on record.") % {"number": number}


def contested_or_404(table: Table, kind: str, number: int) -> appeals.ContestedRuling:
    """R57: the target of an appeal. Raises Http404."""
    about = appeals.contested(table, kind, number)
    if about is None:
        raise Http404(gettext("There is nothing here to appeal against."))
    return about


def lodge(
    table: Table, user: User, now: datetime, *, about: appeals.ContestedRuling, cites: str, reason: str, token: str
) -> Success:
    """R57: the user appeals."""
    row = appeals.lodge_at_table(
        table=table, user=user, about=about, cites=cites, reason=reason, token=token, now=now
    )  # fmt: skip
    detail = (
        gettext("%(name)s was picked at random to answer it.") % {"name": row.judge.name}
        if row.judge
        else gettext("It is waiting for another judge to be named.")
    )
    return Success(
        gettext("Your appeal is lodged. %(who)s") % {"who": detail},
        reverse("table-appeal", args=[table.slug, row.number]),
    )


def appeal_or_404(table: Table, number: int, user: User | AnonymousUser) -> TableAppealView:
    """R57: the appeal of that number as the user sees it. Raises Http404."""
    view = appeal_of(table, number, user)
    if view is None:
        raise Http404(gettext("There is no such appeal at this table."))
    return view


def withdraw(appeal: TableAppeal, user: User, now: datetime) -> str:
    """R57: the user takes their appeal back."""
    appeals.take_back_at_table(appeal=appeal, user=user, now=now)
    return gettext("You withdrew the appeal. It stays on record.")


def take_over(appeal: TableAppeal, user: User, now: datetime) -> str:
    """R57: an administrator takes over an appeal from the judge."""
    appeals.take_appeal_over(appeal=appeal, user=user, now=now)
    return gettext("You can now answer this appeal.")


def answer(appeal: TableAppeal, user: User, now: datetime, *, given: Answer) -> str:
    """R57: the judge answers."""
    answer_at_table(appeal=appeal, user=user, given=given, now=now)
    return gettext("Your answer was sent to everyone involved.")


def check_entry(table: Table, n: int) -> None:
    """T11.6: Http404 if the table has no entry of that number."""
    if not Entry.objects.filter(table=table, n=n).exists():
        raise Http404(gettext("This table has no entry %(n)s.") % {"n": n})


def take_back(table: Table, user: User, now: datetime, *, back: TakingBack, on: str, token: str) -> Success:
    """T11.6: take the table back to an entry, or request it."""
    entry = take_table_back(table=table, user=user, back=back, on=on, token=token, now=now)
    message = (
        gettext("The table is back at entry %(n)s.") % {"n": back.to}
        if is_back(entry)
        else gettext("Requested. The table will go back once all players have asked for it.")
    )
    return Success(message, reverse("table", args=[table.slug]))


def look(table: Table, user: User, now: datetime, *, seat: str, reason: str, on: str, token: str) -> Success:
    """T11.8: a judge looks at the hidden cards of a seat, and all see that they do."""
    look_at_cards(table=table, user=user, letter=seat, reason=reason, on=on, token=token, now=now)
    return Success(
        gettext("You can now see the cards, and everyone knows that you can."),
        reverse("table-look", args=[table.slug]),
    )
