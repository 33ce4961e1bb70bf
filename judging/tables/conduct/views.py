"""1.3, R57: the pages of a table's appeals and sanctions; all is public."""

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from judging.common.errors import Refused
from judging.common.form_views import ActionView, Success, get_or_post, number_of
from judging.common.forms import new_token
from judging.tables.conduct import appeals, forms
from judging.tables.conduct.appeals import Answer, gone_back
from judging.tables.conduct.models import TableAppeal
from judging.tables.conduct.people import judge_of, people_of
from judging.tables.conduct.record import record_of
from judging.tables.conduct.sanctions import NewSanction
from judging.tables.views import table_for

OUT = gettext_noop("You were logged out, and nothing was sent. Log in in another tab, then send it again.")


def _user(request: HttpRequest) -> User:
    if not isinstance(request.user, User):
        raise Refused(gettext(OUT))
    return request.user


class Conduct(ActionView):
    """1.3, R57: the appeals and sanctions of a table; a judge imposes a sanction, or lifts one."""

    template = "tables/conduct.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.table, data = table_for(request, slug), request.POST
        self.typed = NewSanction(
            data.get("kind", NewSanction.kind), data.get("whom", request.GET.get("whom", ""))[:150],
            data.get("cites", ""), data.get("reason", ""), data.get("days", ""),
        )  # fmt: skip

    def context(self) -> dict[str, object]:
        """1.3: the decisions about people here."""
        judge = judge_of(self.table, self.request.user.pk)
        names = [one.name for one in people_of(self.table).values() if not one.is_judge] if judge else []
        return {
            "table": self.table, "judge": judge, "names": names, "typed": self.typed, "refused": self.refused,
            "sanctions": appeals.sanctions_of(self.table, self.request.user.pk, timezone.now()),
            "appeals": appeals.appeals_of(self.table), "record": record_of(self.table), "token": new_token(),
            "lifted": self.request.POST.get("lifted", ""), "lifting": number_of(self.request.POST.get("number", ""), 0),
        }  # fmt: skip

    def act(self) -> str:
        """1.3: impose a sanction, or lift one."""
        user, data, now = _user(self.request), self.request.POST, timezone.now()
        if data.get("act") == "lift":
            number, reason = number_of(data.get("number", "")), data.get("lifted", "")
            return forms.lift(self.table, user, now, number=number, reason=reason)
        return forms.impose(self.table, user, now, given=self.typed, token=data.get("token", ""))


class NewAppeal(ActionView):
    """R57: the form of an appeal against the target that `kind` and `number` name."""

    template = "tables/appeal_new.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.table, self.now = table_for(request, slug), timezone.now()
        data = request.POST if request.method == "POST" else request.GET
        self.kind, self.number = data.get("kind", ""), number_of(data.get("number", ""), 0)
        self.about = forms.contested_or_404(self.table, self.kind, self.number)

    def context(self) -> dict[str, object]:
        """R57: the target, the deadline, and why the user may not appeal, if so."""
        finding = appeals.why_not(self.table, self.request.user.pk, self.about, self.now)
        return {
            "table": self.table, "about": self.about, "until": appeals.until(self.table, self.about),
            "finding": None if self.refused else finding, "refused": self.refused, "typed": self.request.POST,
            "kind": self.kind, "number": self.number, "token": new_token(), "most": appeals.MOST_REASON,
        }  # fmt: skip

    def act(self) -> Success:
        """R57: lodge the appeal."""
        data = self.request.POST
        return forms.lodge(
            self.table, _user(self.request), self.now, about=self.about, cites=data.get("cites", ""),
            reason=data.get("text", ""), token=data.get("token", ""),
        )  # fmt: skip


class OneAppeal(ActionView):
    """R57: one appeal. A POST withdraws it, or answers it."""

    template = "tables/appeal.html"

    def __init__(self, request: HttpRequest, slug: str, number: int) -> None:
        super().__init__(request)
        self.table, data = table_for(request, slug), request.POST
        self.row = forms.appeal_or_404(self.table, number, request.user).row
        self.typed = Answer(
            data.get("how", ""), data.get("answer_cites", ""), data.get("text", ""), data.get("program", "")
        )  # fmt: skip

    def context(self) -> dict[str, object]:
        """R57: the public view of the appeal, and the forms of those who may act."""
        view = forms.appeal_or_404(self.table, self.row.number, self.request.user)
        row, is_open = view.row, view.row.state == TableAppeal.State.OPEN
        labels = {
            "upheld": gettext("The decision stands"),
            "mended": gettext("The decision is corrected"),
            "anew": gettext("A new ruling is made"),
        }
        return {
            "table": self.table, "appeal": row, "title": view.title, "typed": self.typed,
            "refused": self.refused, "is_open": is_open, "most": appeals.MOST_REASON,
            "may_answer": view.may_answer, "may_withdraw": view.may_withdraw, "may_take_over": view.may_take_over,
            "ways": [(how, labels[how]) for how in view.ways], "gone_back": gone_back(row) if is_open else None,
            "precedents": appeals.precedents_of(self.table, (row.cites, row.answer_cites)),
        }  # fmt: skip

    def act(self) -> str:
        """R57: withdraw or answer it."""
        user, now = _user(self.request), timezone.now()
        if self.request.POST.get("act") == "withdraw":
            return forms.withdraw(self.row, user, now)
        if self.request.POST.get("act") == "take":
            return forms.take_over(self.row, user, now)
        return forms.answer(self.row, user, now, given=self.typed)


@get_or_post
def conduct(request: HttpRequest, table: str) -> HttpResponse:
    """1.3: the decisions about people at a table."""
    return Conduct(request, table).answer()


@get_or_post
def new(request: HttpRequest, table: str) -> HttpResponse:
    """R57: lodge an appeal."""
    return NewAppeal(request, table).answer()


@get_or_post
def appeal(request: HttpRequest, table: str, number: int) -> HttpResponse:
    """R57: one appeal at a table."""
    return OneAppeal(request, table, number).answer()
