"""1.3, 1.6: administrators' acts on accounts and head judges, by a form or a program."""

from datetime import datetime

from django import forms
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext, ngettext

from judging.accounts.bans import barred_sentence
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.forms import RawForm, RawText
from judging.common.judges import User as AnyUser
from judging.common.judges import is_administrator
from judging.people import deletion, services
from judging.people.services import name_head, name_outsider
from wargame.models import Round
from wargame.models.choices import Role


def check_administrator(user: AnyUser) -> None:
    """1.6: raises PermissionDenied for anybody but an administrator."""
    if not is_administrator(user):
        raise PermissionDenied(gettext("Only administrators can see these pages."))


def administrator_of(user: AnyUser) -> User:
    """1.6: the administrator who asks. Raises PermissionDenied for anybody else."""
    check_administrator(user)
    return User.objects.get(username=user.get_username())


def person_with(key: int) -> User:
    """1.6: the account of that key. Raises Http404."""
    user = User.objects.filter(pk=key).first()
    if user is None:
        raise Http404(gettext("There is no such account."))
    return user


class AccountForm(RawForm):
    """1.6: what is done with an account; `sure` is its log-in, before it is deleted."""

    act, reason, days, sure = (RawText() for _ in range(4))
    renames_all = forms.BooleanField(required=False)

    def do(self, user: User, by: User, now: datetime) -> str:
        """1.6: what the administrator `by` does with an account; the message."""
        typed = self.cleaned_data
        act, reason = typed["act"], typed["reason"]
        if act == "bar":
            days = number_of(typed["days"]) if typed["days"] else None
            made = services.bar(user=user, by=by, reason=reason, days=days, now=now)
            told = gettext("%(name)s will see this message: “%(sentence)s”")
            return told % {"name": user.username, "sentence": barred_sentence(made)}
        if act == "unbar":
            services.unbar(user=user, by=by, reason=reason, now=now)
            return gettext("%(name)s can log in again.") % {"name": user.username}
        if act == "logout":
            ended = services.log_out(user=user, by=by, reason=reason, now=now)
            told = ngettext(
                "%(name)s has been logged out everywhere (%(number)s browser). Their tokens are revoked.",
                "%(name)s has been logged out everywhere (%(number)s browsers). Their tokens are revoked.",
                ended,
            )
            return told % {"name": user.username, "number": ended}
        if act == "unlock":
            services.unlock(user=user, by=by, now=now)
            told = gettext("Failed log-in attempts for %(name)s no longer count.")
            return told % {"name": user.username}
        if act == "second":
            services.drop_second(user=user, by=by, reason=reason, now=now)
            return gettext("%(name)s can now log in with just a password.") % {"name": user.username}
        if act == "delete":
            if typed["sure"] != user.username:
                raise Refused(
                    gettext("Type the log-in to confirm. A deleted account can't be restored."), "1.6", "sure"
                )
            name = deletion.delete_account(user=user, by=by, reason=reason, renames_all=typed["renames_all"], now=now)
            return gettext("The account has been deleted. Everything done with it now belongs to “%(name)s”.") % {
                "name": name
            }
        raise Refused(gettext("There is no such button. Reload the page."))


class HeadForm(RawForm):
    """1.3, R57: a head judge, or with `act` = "outsider" a judge for appeals."""

    act, round, role, username, reason = (RawText() for _ in range(5))

    def do(self, by: User, now: datetime) -> str:
        """1.3, R57: names the head of a role, or a battle judge from outside; the message."""
        typed = self.cleaned_data
        round_ = Round.objects.filter(slug=typed["round"]).first()
        if round_ is None or (typed["act"] != "outsider" and typed["role"] not in Role.values):
            raise Refused(gettext("Choose a round and a role."), "1.3")
        if typed["act"] == "outsider":
            made = name_outsider(round=round_, username=typed["username"], reason=typed["reason"], by=by, now=now)
            return gettext("%(name)s can now answer appeals in %(round)s.") % {"name": made.name, "round": round_.name}
        role = Role(typed["role"])
        made = name_head(round=round_, role=role, username=typed["username"], reason=typed["reason"], by=by, now=now)
        told = gettext("%(name)s is now head %(role)s of %(round)s.")
        return told % {"name": made.name, "role": made.get_role_display(), "round": round_.name}
