"""T11.3: judges of a table by the API: named and dismissed, asked, ruling; and what was ruled at all tables of a
game."""

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ListView
from judging.api.errors import Forbidden, Missing, Stale
from judging.api.permissions import may_judge
from judging.api.schema import WRITING, describe
from judging.tables import queries
from judging.tables.api.base import OfTables, for_judges
from judging.tables.api.rooms import KEPT
from judging.tables.api.shapes import (
    JudgeAnswerIn,
    TableJudgeIn,
    TableJudgeNamedOut,
    TableJudgeOut,
    TableOut,
    TableQuestionIn,
    TableRulingIn,
    TableRulingOut,
    TableRulingsAsk,
    TableTrialIn,
    TableTrialOut,
)
from judging.tables.conduct.endings import withdraw_ending
from judging.tables.models import GAMES, JudgeProposal, TableJudge
from judging.tables.sentences import sentences
from judging.tables.services import judges, posting
from judging.tables.services.judges import TableVerdict

RULE = "T11"


class TableJudges(OfTables, ListView):
    """T11.4: the judges of a table."""

    @describe("table_judges_list", "tables", "List the judges of a card table", out=TableJudgeOut(many=True))
    def get(self, request: Request, table: str) -> Response:
        rows = self.found(table).judges.filter(dismissed_at__isnull=True)
        return self.page(list(rows), TableJudgeOut)

    @describe(
        "table_judges_name", "tables", "Name a judge of a card table", out=TableJudgeNamedOut, status=201,
        takes=TableJudgeIn, problems=WRITING, description="Until a player other than its opener sits down, they are "
        "named at once. Later they are proposed (`proposal` is the number), and every player must agree. The first "
        "judge is the head. Players can't judge their own table.",
    )  # fmt: skip
    def post(self, request: Request, table: str) -> Response:
        data = self.read(TableJudgeIn, request.data)
        judge = judges.name_judge(table=self.found(table), by=self.user, now=timezone.now(), **data)
        return Response(TableJudgeNamedOut(_named(judge)).data, status=201)


def _named(judge: TableJudge | JudgeProposal) -> dict[str, object]:
    """T11.4: what came of naming a judge."""
    if isinstance(judge, TableJudge):
        return {
            "id": judge.pk,
            "name": judge.name,
            "is_head": judge.is_head,
            "named_at": judge.named_at,
            "proposal": None,
        }
    return {"id": None, "name": judge.name, "is_head": False, "named_at": None, "proposal": judge.pk}


class JudgeProposals(OfTables):
    """T11.4: a judge that is proposed, or to be dismissed."""

    @describe(
        "table_judges_answer", "tables", "Answer a proposal about a judge", out=TableOut, takes=JudgeAnswerIn,
        problems=WRITING, description=
            "For the players. A proposal takes effect when all agree; one refusal closes it. The player who made "
            "it can withdraw it by refusing."
        ,
    )  # fmt: skip
    def put(self, request: Request, table: str, proposal_id: int) -> Response:
        agrees = self.read(JudgeAnswerIn, request.data)["agrees"]
        judges.answer_proposal(
            table=self.found(table), by=self.user, proposal_id=min(proposal_id, LARGEST_NUMBER), agrees=agrees,
            now=timezone.now(),
        )  # fmt: skip
        return self.shown(table)


class OneTableJudge(OfTables):
    """T11.4: a judge of a table."""

    @describe(
        "table_judges_dismiss", "tables", "Dismiss a judge of a card table", out=TableOut, problems=KEPT,
        description="Judges can resign. The head judge or an administrator can dismiss them. A player can propose it, "
        "and every player must agree.",
    )  # fmt: skip
    def delete(self, request: Request, table: str, judge_id: int) -> Response:
        row = self.found(table)
        if not row.judges.filter(pk=min(judge_id, LARGEST_NUMBER), dismissed_at__isnull=True).exists():
            raise Missing(gettext("There is no such judge here."))
        judges.dismiss_judge_of_table(table=row, by=self.user, judge_id=judge_id, now=timezone.now())
        return self.shown(table)


class TableQuestion(OfTables):
    """T11.4: what the judges of a table are asked."""

    @describe(
        "table_questions_ask", "tables", "Ask the judges of a card table", out=TableOut, takes=TableQuestionIn,
        problems=WRITING, description="The table and its clocks stop until the question is answered or withdrawn.",
    )  # fmt: skip
    def put(self, request: Request, table: str) -> Response:
        question = self.read(TableQuestionIn, request.data)["question"]
        judges.ask(table=self.found(table), user=self.user, question=question, now=timezone.now())
        return self.shown(table)

    @describe(
        "table_questions_take_back", "tables", "Withdraw a question", out=TableOut, problems=KEPT,
        description=
            "For the player who asked. A judge with the scope `judge` can also close it as needing no answer."
        ,
    )  # fmt: skip
    def delete(self, request: Request, table: str) -> Response:
        row = self.found(table)
        if not may_judge(request) and judges.is_judge(row, self.user):
            raise Forbidden(gettext("This token can't judge. It needs the scope “judge”."), "1.6")
        judges.take_question_back(table=row, user=self.user, now=timezone.now())
        return self.shown(table)


class TableRulings(OfTables):
    """T11.3: rulings at a table."""

    @describe(
        "table_rulings_withdraw", "tables", "Withdraw a ruling that ends the game", out=TableOut, problems=KEPT,
        description="For the judge who ruled or the head judge, before it takes effect. Needs the scope `judge`.",
    )  # fmt: skip
    @for_judges
    def delete(self, request: Request, table: str) -> Response:
        withdraw_ending(table=self.found(table), user=self.user, now=timezone.now())
        return self.shown(table)

    @describe(
        "table_rulings_make", "tables",
            "Make a ruling at a card table"
        , out=TableOut, status=201, takes=TableRulingIn,
        problems=WRITING, description=
            "For the table's judges. The ruling is carried out at once and answers the open question. A ruling "
            "that ends the game waits for its appeal time (`ending`). Returns 409 with `stale` if something has "
            "happened since `on`. Needs the scope `judge`."
        ,
    )  # fmt: skip
    @for_judges
    def post(self, request: Request, table: str) -> Response:
        data = self.read(TableRulingIn, request.data)
        on, token = data.pop("on"), data.pop("token")
        try:
            judges.rule(
                table=self.found(table), user=self.user, verdict=TableVerdict(**data), on=on, token=token,
                now=timezone.now(),
            )  # fmt: skip
        except posting.Stale as stale:
            raise Stale(stale.sentence, "T9.3") from stale
        return self.shown(table, 201)


class TableTrials(OfTables):
    """T11.3: a ruling that is tried first."""

    @describe(
        "table_rulings_try", "tables", "Try a ruling without making it", out=TableTrialOut, takes=TableTrialIn,
        problems=WRITING, description=
            "Shows the result as everyone would see it. Saves nothing. Needs the scope `judge`."
        ,
    )  # fmt: skip
    @for_judges
    def post(self, request: Request, table: str) -> Response:
        verdict = TableVerdict(**self.read(TableTrialIn, request.data))
        view = self.seen(table)
        if view.judge is None:
            raise Forbidden(gettext("Only the judges of this table can rule here."), RULE)
        posting.check_running(view.table)
        events = sentences(judges.trial(table=view.table, verdict=verdict), view.names, view.table.game)
        return Response(TableTrialOut({"told": [one.text for one in events]}).data)


class Precedents(OfTables, ListView):
    """T11.3: what was ruled at the tables of a game."""

    @describe(
        "table_rulings_list", "tables", "List the rulings at all tables of a game, newest first",
        out=TableRulingOut(many=True), asks=TableRulingsAsk,
    )  # fmt: skip
    def get(self, request: Request, game: str) -> Response:
        if game not in dict(GAMES):
            raise Missing(gettext("There is no such game."))
        query = self.read(TableRulingsAsk, request.query_params)
        return self.page(list(queries.rulings_on(game, query.get("card", ""), query.get("rule", ""))), TableRulingOut)
