"""T11.3: a table's judges, the questions to them, and the form of a ruling with its trial."""

from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.http import require_POST, require_safe

from judging.common.errors import Refused
from judging.common.form_views import ActionView, Success, get_or_post, handle_button, number_of
from judging.common.forms import new_token
from judging.common.judges import is_administrator
from judging.tables import queries
from judging.tables.conduct.endings import withdraw_ending
from judging.tables.conduct.models import EndingRuling
from judging.tables.late_tables import Trouble, troubles_for
from judging.tables.models import GAMES, JudgeProposal
from judging.tables.queries import table_view
from judging.tables.sentences import sentences
from judging.tables.services import judges
from judging.tables.services.judges import TableVerdict
from judging.tables.views import table_for

PROPOSED = gettext_noop("We notified the players of your proposal. It takes effect once all of them agree.")


class Desk(ActionView):
    """T11.3: the judges of a table and their ruling; all see the page, only a judge rules."""

    template = "tables/desk.html"

    def __init__(self, request: HttpRequest, slug: str) -> None:
        super().__init__(request)
        self.slug, data = slug, request.POST if request.method == "POST" else request.GET
        self.verdict = TableVerdict(
            data.get("program", ""), data.get("cites", ""), data.get("reason", ""), data.get("card", "")
        )

    @property
    def only_looks(self) -> bool:
        """T11.3: whether the ruling is only a trial."""
        return "try" in self.request.POST

    def context(self) -> dict[str, object]:
        """T11.3: the public view of the table, the question, earlier rulings, and the result of a trial."""
        view = table_view(table_for(self.request, self.slug), self.request.user, timezone.now())
        tried = None
        if self.only_looks and view.judge is not None and view.view:
            try:
                tried = sentences(judges.trial(table=view.table, verdict=self.verdict), view.names, view.table.game)
            except Refused as refused:
                self.refused = refused
        return {
            "seen": view, "table": view.table, "refused": self.refused, "typed": self.verdict, "tried": tried,
            "token": new_token(), "may_name": self.may_name(view), "troubles": self.troubles(view),
        }  # fmt: skip

    def troubles(self, seen: queries.TableView) -> tuple[Trouble, ...]:
        """T11.2: why the table is stuck, for its judges."""
        return troubles_for(self.request.user, seen.now, seen.table) if seen.judge is not None else ()

    def may_name(self, seen: queries.TableView) -> bool:
        """T11.4: whether the viewer names or proposes judges here."""
        user = self.request.user
        heads = bool(seen.judge and seen.judge.is_head)
        return bool(seen.is_opener or seen.seat or heads or is_administrator(user))

    def act(self) -> Success:
        """T11.3: carry out the ruling."""
        table, data = table_for(self.request, self.slug), self.request.POST
        user = self.request.user
        if not isinstance(user, User):
            raise Refused(gettext("Log in first."), "T11.3")
        if "withdraw" in data:
            withdraw_ending(table=table, user=user, now=timezone.now())
            return Success(gettext("You withdrew the ruling. The game goes on."), reverse("table", args=[table.slug]))
        ruling = judges.rule(
            table=table, user=user, verdict=self.verdict, on=data.get("on", ""), token=data.get("token", ""),
            now=timezone.now(),
        )  # fmt: skip
        message = gettext("Your ruling is posted.")
        if isinstance(ruling, EndingRuling):
            message = gettext("Your ruling ends the game, so it takes effect when the time for appeals is over.")
        return Success(message, reverse("table", args=[table.slug]))


@get_or_post
def desk(request: HttpRequest, table: str) -> HttpResponse:
    """T11.3: the page of a table's judges."""
    return Desk(request, table).answer()


@login_required
@require_POST
def name(request: HttpRequest, table: str) -> HttpResponse:
    """T11.4: name or dismiss a judge, or answer a proposal to do so."""
    at, data, user = table_for(request, table), request.POST, request.user
    assert isinstance(user, User)

    def act() -> str:
        if row := data.get("agree") or data.get("refuse"):
            agrees = "agree" in data
            judges.answer_proposal(table=at, by=user, proposal_id=number_of(row), agrees=agrees, now=timezone.now())
            return gettext("You agreed.") if agrees else gettext("The proposal is closed.")
        if data.get("dismiss"):
            proposal = judges.dismiss_judge_of_table(
                table=at, by=user, judge_id=number_of(data["dismiss"]), now=timezone.now()
            )
            return gettext("The judge is dismissed.") if proposal is None or proposal.closed_at else gettext(PROPOSED)
        judge = judges.name_judge(
            table=at, by=user, username=data.get("username", ""), name=data.get("name", ""), now=timezone.now()
        )
        if isinstance(judge, JudgeProposal) and judge.closed_at is None:
            return gettext(PROPOSED)
        return gettext("%(judge)s now judges this table.") % {"judge": judge.name}

    return handle_button(request, act, reverse("table-desk", args=[at.slug]))


@login_required
@require_POST
def ask(request: HttpRequest, table: str) -> HttpResponse:
    """T11.3: ask for a ruling, or withdraw the question."""
    at, data, user = table_for(request, table), request.POST, request.user
    assert isinstance(user, User)

    def act() -> str:
        if data.get("back"):
            judges.take_question_back(table=at, user=user, now=timezone.now())
            return gettext("You took the question back. The clocks are running again.")
        judges.ask(table=at, user=user, question=data.get("question", ""), now=timezone.now())
        return gettext("You asked the judges. The table and its clocks stand still.")

    return handle_button(request, act, reverse("table", args=[at.slug]))


@require_safe
def rulings(request: HttpRequest, game: str) -> HttpResponse:
    """T11.3: the rulings at the tables of a game, by card or by rule."""
    card, rule = request.GET.get("card", "")[:120], request.GET.get("rule", "")[:60]
    names = dict(GAMES)
    rows = queries.rulings_on(game, card, rule) if game in names and "\0" not in card + rule else ()
    context = {"found": rows, "game": names.get(game, game), "key": game, "card": card, "rule": rule}
    return render(request, "tables/rulings.html", context, status=200 if game in names else 404)
