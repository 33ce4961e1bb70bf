"""3.1: the page of a table's talk: its boards, one of them open, with the forms of its messages and reports."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from judging.game.acting import Done, FormPage, asks_or_acts, number_of
from judging.game.errors import Refused
from judging.game.forms import new_token
from judging.tables.pages import table_for
from judging.tables.talk import writes
from judging.tables.talk.boards import TALK, talker_of
from judging.tables.talk.reads import ON_A_PAGE, reports_at, said_on


class Talk(FormPage):
    """3.1: a board of a table; a POST writes there, or does something about a message, named by `act`."""

    template = "tables/talk.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.table = table_for(request, slug)
        self.talker = talker_of(self.table, request.user, timezone.now())
        key = request.POST.get("board") or request.GET.get("board") or TALK
        board = self.talker.boards.get(key)
        if board is None:
            raise Http404(gettext("There is no such board at this table, or you can't read it."))
        self.board = board

    def context(self) -> dict[str, object]:
        """3.1: the messages of the board."""
        before = number_of(self.request.GET.get("before", ""), 0)
        said = said_on(self.talker, self.board.key, before=before)
        return {
            "table": self.table, "talker": self.talker, "board": self.board, "said": said, "refused": self.refused,
            "earlier": said[0].row.number if len(said) == ON_A_PAGE else 0, "reports": reports_at(self.talker),
            "token": new_token(), "typed": self.request.POST, "most": writes.MOST_SIGNS,
        }  # fmt: skip

    def act(self) -> Done:
        """3.1, 1.3: one of the forms. Refused for who is not logged in."""
        user, data, now = self.request.user, self.request.POST, timezone.now()
        if not isinstance(user, User):
            raise Refused(
                gettext("You were logged out, and nothing was sent. Log in in another tab, then send it again.")
            )
        number, reason, of = number_of(data.get("message", "")), data.get("reason", ""), {"table": self.table}
        what = data.get("act", "say")
        said = ""
        match what:
            case "say":
                writes.say_at_table(
                    user=user, board=self.board.key, text=data.get("text", ""), token=data.get("token", ""), now=now,
                    **of,
                )  # fmt: skip
            case "withdraw":
                writes.unsay_at_table(user=user, number=number, now=now, **of)
                said = gettext("Your message is withdrawn.")
            case "hide" | "show":
                hides = what == "hide"
                writes.hide_at_table(user=user, number=number, reason=reason, hides=hides, now=now, **of)
                said = gettext("The message is hidden.") if hides else gettext("The message is shown again.")
            case "report":
                writes.report_at_table(user=user, number=number, reason=reason, now=now, **of)
                said = gettext("You reported the message. The moderators’ answer will appear here.")
            case "block":
                made = writes.block_at_table(user=user, number=number, now=now, **of)
                said = gettext("You no longer see messages by %(name)s, except as a judge.") % {"name": made.name}
            case "unblock":
                writes.unblock_at_table(user=user, number=number, now=now, **of)
                said = gettext("You see their messages again.")
            case "decide":
                writes.decide_at_table(
                    user=user, report_id=number_of(data.get("report", "")), does=data.get("does", ""), reason=reason,
                    now=now, **of,
                )  # fmt: skip
                said = gettext("The report is decided. The person who sent it can read why.")
            case _:
                raise Refused(gettext("Choose what to do."), "3.1")
        return Done(said, f"{reverse('table-talk', args=[self.table.slug])}?board={self.board.key}#end")


@asks_or_acts
def talk(request: HttpRequest, table: str) -> HttpResponse:
    """3.1: the talk of a table."""
    return Talk(request, table).answer()
