"""1.3, 1.6: accounts and head judges, for the programs of administrators."""

from django.urls import reverse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView
from judging.api.fields import ActedOut, line, one_of, text, ticked
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.people.forms import AccountForm, HeadForm, administrator_of, person_with
from wargame.models.choices import Role


class PersonIn(Body):
    """1.6: what an administrator does with an account."""

    act = one_of(
        "Bans the account, ends the ban, logs it out everywhere, clears failed log-ins, removes its second "
        "factor, or deletes it.",
        *("bar", "unbar", "logout", "unlock", "second", "delete"),
    )
    reason = text("The reason, saved in the log.")
    days = line("Length of the ban in days; empty: until it is ended.")
    sure = line("The account's log-in, to confirm deletion.")
    renames_all = ticked("Whether to delete its names in rounds, too.")


class HeadIn(Body):
    """1.3: the head judge of a role."""

    act = line(
        "Empty: the head judge of a role. `outsider`: a battle judge, if an appeal is waiting for an independent one."
    )
    round = line("The round's slug.", needed=True)
    role = one_of("The role of the head judge.", *Role.choices)
    username = line("Log-in of the new judge.", needed=True)
    reason = text("Why.")


class Person(ApiView):
    """1.6: an account."""

    writes_by = Scope.OPERATE

    @describe(
        "people_act",
        "operating",
        "Ban, log out, unlock or delete an account",
        out=ActedOut,
        takes=PersonIn,
        problems=WRITING,
        page="person",
        description="For administrators. `person` is the account's key.",
    )
    def post(self, request: Request, person: int) -> Response:
        form = AccountForm(self.read_as_user(PersonIn))
        by = administrator_of(request.user)
        return self.done(form.do(person_with(person), by, timezone.now()), reverse("person", args=[person]))


class Heads(ApiView):
    """1.3: head judges."""

    writes_by = Scope.OPERATE

    @describe(
        "heads_name",
        "operating",
        "Name the head judge of a role, or a judge for appeals",
        out=ActedOut,
        takes=HeadIn,
        problems=WRITING,
        page="people-heads",
        description="For administrators.",
    )
    def post(self, request: Request) -> Response:
        form = HeadForm(self.read_as_user(HeadIn))
        return self.done(form.do(administrator_of(request.user), timezone.now()), reverse("people-heads"))
