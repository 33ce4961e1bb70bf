"""3.1: the page of a table's talk: its boards, one of them open, with the forms of its messages and reports."""

from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.common.form_views import ActionView, Success, get_or_post, number_of
from judging.common.forms import new_token
from judging.tables.talk import forms, services
from judging.tables.talk.services import ON_A_PAGE, reports_at, said_on, talker_of
from judging.tables.views import table_for


class Talk(ActionView):
    """3.1: a board of a table; a POST writes there, or acts on a message, as named by `act`."""

    template = "tables/talk.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.table = table_for(request, slug)
        self.talker = talker_of(self.table, request.user, timezone.now())
        key = request.POST.get("board") or request.GET.get("board", "")
        self.board = forms.board_or_404(self.talker, key)

    def context(self) -> dict[str, object]:
        """3.1: the messages of the board."""
        before = number_of(self.request.GET.get("before", ""), 0)
        rows = said_on(self.talker, self.board.key, before=before)
        return {
            "table": self.table, "talker": self.talker, "board": self.board, "said": rows, "refused": self.refused,
            "earlier": rows[0].row.number if len(rows) == ON_A_PAGE else 0, "reports": reports_at(self.talker),
            "token": new_token(), "typed": self.request.POST, "most": services.MOST_SIGNS,
        }  # fmt: skip

    def act(self) -> Success:
        """3.1, 1.3: one of the forms. Refused without log-in."""
        user, data, now = self.request.user, self.request.POST, timezone.now()
        if not isinstance(user, User):
            raise Refused(
                gettext("You were logged out, and nothing was sent. Log in in another tab, then send it again.")
            )
        table, number, reason = self.table, number_of(data.get("message", "")), data.get("reason", "")
        message = ""
        match data.get("act", "say"):
            case "say":
                services.say_at_table(
                    table=table, user=user, board=self.board.key, text=data.get("text", ""),
                    token=data.get("token", ""), now=now,
                )  # fmt: skip
            case "withdraw":
                message = forms.withdraw(table, user, now, number=number)
            case "hide" | "show" as action:
                message = forms.moderate(table, user, now, number=number, hides=action == "hide", reason=reason)
            case "report":
                message = forms.report(table, user, now, number=number, reason=reason)
            case "block":
                message = forms.block(table, user, now, number=number)
            case "unblock":
                message = forms.unblock(table, user, now, number=number)
            case "decide":
                report_id, does = number_of(data.get("report", "")), data.get("does", "")
                message = forms.decide(table, user, now, report_id=report_id, does=does, reason=reason)
            case _:
                raise Refused(gettext("Choose what to do."), "3.1")
        return Success(message, forms.end_of(table, self.board.key))


@get_or_post
def talk(request: HttpRequest, table: str) -> HttpResponse:
    """3.1: the talk of a table."""
    return Talk(request, table).answer()
