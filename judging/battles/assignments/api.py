"""R56, R59: judges, their conflicts and leaves, and what waits for them."""

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Forbidden, Missing
from judging.api.schema import describe
from judging.api.shapes import Body, Shape
from judging.battles.assignments.models import StatedConflict
from judging.battles.assignments.queries import ConflictView, JudgeView, LeaveView, judges_in
from judging.battles.assignments.services import end_leave, name_deputy, state_conflict, state_leave, withdraw_conflict
from judging.battles.desk.queue import QueueRow, queue_in
from judging.common.viewer import Viewer
from wargame.models import Judge, Round
from wargame.models.choices import Role

STEPS = ("strats", "score", "roll", "publish", "published")
TASKS = ("", "score", "opinion", "decide", "roll", "publish")


class ConflictOut(Shape):
    """R56: a conflict that a judge has stated."""

    made_of = ConflictView
    shows = ("id", "about", "name", "why", "stated_at")
    tells = {"name": "The player's name, the faction's colour, or the team's side."}
    about = serializers.ChoiceField(choices=StatedConflict.About.choices)


class LeaveOut(Shape):
    """R59: a leave that is not over."""

    made_of = LeaveView
    shows = ("since", "until", "note", "has_begun")


class JudgeOut(Shape):
    """R56, R59: a judge who serves."""

    made_of = JudgeView
    shows = ("id", "name", "role", "is_head", "deputy", "stands_in_for", "conflicts", "leaves")
    tells = {
        "deputy": ("Empty if no deputy is named."),
        "stands_in_for": ("The head judge they stand in for; usually empty."),
    }
    role = serializers.ChoiceField(choices=Role.choices)
    conflicts = ConflictOut(many=True)
    leaves = LeaveOut(many=True)


class ConflictIn(Body):
    """R56: a conflict to be stated."""

    about = serializers.ChoiceField(choices=StatedConflict.About.choices)
    name = serializers.CharField(
        max_length=40, help_text="The player's name, the faction's colour, or the team's side."
    )
    why = serializers.CharField(max_length=300, default="", allow_blank=True)


class LeaveIn(Body):
    """R59: a leave to be stated."""

    since = serializers.DateTimeField()
    until = serializers.DateTimeField(
        allow_null=True, default=None, help_text="Null: until you report that you are back."
    )
    note = serializers.CharField(max_length=200, default="", allow_blank=True)


class WaitingOut(serializers.Serializer[Any]):
    """R59: a battle of the present turn, as it waits for you."""

    battle = serializers.IntegerField(source="view.id")
    turn = serializers.IntegerField(source="view.turn")
    number = serializers.IntegerField(source="view.number")
    at = serializers.CharField(source="view.at")
    headline = serializers.CharField(source="view.headline")
    step = serializers.ChoiceField(choices=STEPS, help_text="What the battle waits for.")
    task = serializers.ChoiceField(
        source="task.does", choices=TASKS, allow_blank=True, help_text="What you can do now; empty if nothing."
    )
    is_mine = serializers.BooleanField(source="task.is_his", help_text="Whether it is your turn.")
    whose = serializers.CharField(source="task.whose", allow_blank=True, help_text="Whose turn it is, if known.")
    waits_since = serializers.DateTimeField(allow_null=True, help_text="When it became ready to judge.")
    dice_wait_until = serializers.DateTimeField(
        source="dice_wait.until",
        allow_null=True,
        help_text="Latest time at which the dice of a scored battle roll automatically (R38).",
    )
    missing = serializers.ListField(child=serializers.CharField(), help_text="Team armies without a strat.")
    presses = serializers.ListField(child=serializers.CharField(), help_text="late_strat, overdue, holds_turn")
    conflict = serializers.CharField(allow_blank=True, help_text="Why you can't judge it (R56).")


class DeputyIn(Body):
    """R59: the deputy of a judge who is away."""

    deputy = serializers.IntegerField(allow_null=True, help_text="Id of a judge of the same role; null for no deputy.")
    role = serializers.ChoiceField(choices=Role.choices, help_text="Your role that the deputy takes over.")


class Judges(ListView):
    """R56, R59: the judges of a round."""

    @describe(
        "judges_list",
        "rounds",
        "List the judges of a round, with conflicts, absences and deputies",
        out=JudgeOut(many=True),
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.page(judges_in(self.round(slug), timezone.now()), JudgeOut)


class Conflicts(ApiView):
    """R56: a judge's conflicts."""

    writes_by = "judge"

    @describe(
        "judges_conflicts_create",
        "rounds",
        "Declare a conflict",
        out=JudgeOut,
        takes=ConflictIn,
        problems=(400, 403, 404, 409, 413, 415, 503),
        description="Conflicts are public. Repeating the request changes nothing.",
    )
    def post(self, request: Request, slug: str) -> Response:
        judge, values = _seat(self.viewer(slug)), self.read(ConflictIn, request.data)
        state_conflict(judge=judge, now=timezone.now(), **values)
        return _answer(judge)


class OneConflict(ApiView):
    """R56: one of a judge's conflicts."""

    writes_by = "judge"

    @describe(
        "judges_conflicts_withdraw",
        "rounds",
        "Withdraw a conflict",
        out=JudgeOut,
        problems=(403, 404, 409, 503),
    )
    def delete(self, request: Request, slug: str, conflict_id: int) -> Response:
        judge = _seat(self.viewer(slug))
        withdraw_conflict(judge=judge, conflict_id=min(conflict_id, 2**31 - 1), now=timezone.now())
        return _answer(judge)


class Leave(ApiView):
    """R59: a judge's leave."""

    writes_by = "judge"

    @describe(
        "judges_leave_state",
        "rounds",
        "Report your absence",
        out=JudgeOut,
        takes=LeaveIn,
        problems=(400, 403, 404, 409, 413, 415, 503),
    )
    def post(self, request: Request, slug: str) -> Response:
        judge, values = _seat(self.viewer(slug)), self.read(LeaveIn, request.data)
        state_leave(judge=judge, now=timezone.now(), **values)
        return _answer(judge)

    @describe("judges_leave_end", "rounds", "End your absence", out=JudgeOut, problems=(403, 404, 409, 503))
    def delete(self, request: Request, slug: str) -> Response:
        judge = _seat(self.viewer(slug))
        end_leave(judge=judge, now=timezone.now())
        return _answer(judge)


class DeputyOf(ApiView):
    """R59: a judge's deputy."""

    writes_by = "judge"

    @describe(
        "judges_deputy_name",
        "rounds",
        "Name your deputy while you are away",
        out=JudgeOut,
        takes=DeputyIn,
        problems=(400, 403, 404, 409, 413, 415, 503),
        description="Conflicts are public. Repeating the request changes nothing.",
    )
    def put(self, request: Request, slug: str) -> Response:
        viewer, values = self.viewer(slug), self.read(DeputyIn, request.data)
        judge = _seat(viewer, values["role"])
        deputy = None
        if values["deputy"] is not None:
            rows = Judge.objects.filter(round=viewer.round, pk=min(max(values["deputy"], 0), 2**31 - 1))
            deputy = rows.first()
            if deputy is None:
                raise Missing(gettext("There is no such judge in this round."))
        name_deputy(judge=judge, deputy=deputy, now=timezone.now())
        return _answer(judge)


class Desk(ListView):
    """R59: what waits for a judge."""

    reads_by = "judge"

    @describe(
        "desk_list",
        "rounds",
        "List the battles of the current turn that wait for judges, yours first",
        out=WaitingOut(many=True),
        problems=(403, 404),
    )
    def get(self, request: Request, slug: str) -> Response:
        viewer = self.viewer(slug)
        if not viewer.roles:
            raise Forbidden(gettext("Only judges of this round have a dashboard."), "1.3")
        return self.page(_rows(viewer), WaitingOut)


def _rows(viewer: Viewer) -> list[QueueRow]:
    turn = viewer.round.turns.order_by("-number").first()
    if turn is None:
        return []
    turn.round = viewer.round
    judge = viewer.seats.filter(role=Role.BATTLE).first()
    return queue_in(turn, viewer, judge, timezone.now())


ONLY = {
    "": gettext_noop("Only judges of this round can do this."),
    Role.BATTLE.value: gettext_noop("Only battle judges of this round can do this."),
    Role.MOVEMENT.value: gettext_noop("Only movement judges of this round can do this."),
    Role.MERCENARY.value: gettext_noop("Only mercenary judges of this round can do this."),
}
"""Who may say something of a seat, by its role; of any."""


def _seat(viewer: Viewer, role: str = "") -> Judge:
    judge = (viewer.seats.filter(role=role) if role else viewer.seats).first()
    if judge is None:
        raise Forbidden(gettext(ONLY[role]), "1.3")
    return judge


def _answer(judge: Judge) -> Response:
    round_: Round = judge.round
    view = next(each for each in judges_in(round_, timezone.now()) if each.id == judge.pk)
    return Response(JudgeOut(view).data)
