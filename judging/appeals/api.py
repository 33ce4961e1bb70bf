"""R57: the appeals of a round, for programs."""

from typing import get_args

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Forbidden, Missing
from judging.api.fields import ActedOut, line, one_of, text
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.appeals.judge_requests import Kind, asked_of
from judging.appeals.judge_requests import Request as Asked
from judging.appeals.models import Appeal
from judging.appeals.queries import (
    AppealView,
    JudgeDraw,
    OverruledAnswer,
    appeal_for,
    appeal_view,
    appeal_views,
    subject_for,
)
from judging.appeals.services import lodge, take_back
from judging.appeals.views import AnswerForm, decide
from judging.common.forms import new_token
from judging.common.viewer import Viewer
from wargame.models import Player

APPEAL_KINDS = Appeal.Kind.choices


class AppealQuery(Body):
    """Which appeals are asked for."""

    rule = serializers.CharField(
        required=False, allow_blank=True, max_length=20, help_text="Only appeals that cite this rule."
    )


class AppealIn(Body):
    """R57: an appeal."""

    kind = serializers.ChoiceField(choices=APPEAL_KINDS)
    about = serializers.CharField(
        max_length=15,
        help_text="Id of the battle (for a result), ruling, penalty, vote or admission request; key of the log entry; "
        "or, for a refused order, the number of its turn.",
    )
    army = serializers.CharField(
        required=False, allow_blank=True, max_length=60, help_text="The army whose order was refused."
    )
    cites = serializers.CharField(max_length=12, help_text="The rule that was broken.")
    reason = serializers.CharField(help_text="The reason. Public, unless the appeal is about a request.")


class JudgeDrawOut(Shape):
    """R38: a draw of who answers, from the seed of the appeal's turn."""

    made_of = JudgeDraw
    shows = ("name", "among", "drew")
    tells = {
        "name": "Of the draw, as docs/play/verify/dice.md names it.",
        "among": ("In alphabetical order, starting at 1."),
    }


class OverruledAnswerOut(Shape):
    """1.3: an answer that the head battle judge overruled."""

    made_of = OverruledAnswer
    shows = ("judge", "outcome", "cites", "text", "at")
    tells = {"outcome": "In words."}


class AppealOut(Shape):
    """R57: an appeal with its answer."""

    made_of = AppealView
    shows = (
        *(
            "number",
            "kind",
            "title",
            "turn",
            "player",
            "side",
            "against",
            "decision",
            "cites",
            "reason",
            "lodged_at",
            "judge",
        ),
        *("is_party", "due_at", "draws", "state", "answer", "answer_cites", "answered_at", "overruled", "holds"),
        *("held_until", "is_hidden"),
        *("battle", "correction"),
    )
    tells = {
        "number": "Number within the round.",
        "title": "What the appeal is against, in words.",
        "turn": "The current turn at the time of the appeal.",
        "against": "The judge who decided; empty if it was the service.",
        "decision": "How often the decision had been changed before, such as by rejudging a battle.",
        "judge": "The judge who answers or answered; empty if there is none yet.",
        "is_party": (
            "True if that is the head battle judge, who was involved in the decision, because no one else could "
            "answer. A judge who becomes eligible while the appeal is open takes over."
        ),
        "due_at": "When the next judge is drawn.",
        "holds": "Whether the settlement of the turn waits for the answer.",
        "is_hidden": "True while only the player and the judges can see it, until the round is finished.",
        "battle": "Id of the battle whose result it is against.",
        "correction": "Number of the turn it corrected.",
    }
    kind = serializers.ChoiceField(choices=APPEAL_KINDS)
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    state = serializers.ChoiceField(choices=Appeal.State.choices)
    draws = JudgeDrawOut(many=True)
    overruled = OverruledAnswerOut(
        many=True, help_text="Answers that the head battle judge overruled (1.3), oldest first."
    )


class Appeals(ListView):
    """R57: the appeals of a round."""

    @describe(
        "appeals_list",
        "turns",
        "List the appeals of a round that you can see, newest first",
        out=AppealOut(many=True),
        asks=AppealQuery,
        problems=(400, 404),
        description="All are public, except appeals against a refused request or admission, or the count of a "
        "team's own "
        "vote.",
    )
    def get(self, request: Request, slug: str) -> Response:
        query = self.read(AppealQuery, request.query_params)
        return self.page(appeal_views(self.viewer(slug), query.get("rule", "")), AppealOut)

    @describe(
        "appeals_lodge",
        "turns",
        "Appeal against a decision",
        out=AppealOut,
        status=201,
        takes=AppealIn,
        problems=WRITING,
        description="For players affected by the decision, once per decision, within the round's time for appeals. A "
        "rejudged result counts as a new decision. The judge who answers is drawn at once.",
    )
    def post(self, request: Request, slug: str) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        values = self.read(AppealIn, request.data)
        subject = subject_for(viewer, values["kind"], values["about"], values.get("army", ""), now)
        if subject is None:
            raise Missing(gettext("You can't appeal against this: it is not public yet, or it was withdrawn."))
        player = None if subject.applicant else _player(viewer.player)
        fields = {
            "user": viewer.user_id,
            "subject": subject,
            "cites": values["cites"],
            "reason": values["reason"],
            "token": new_token(),
        }
        appeal = lodge(round=viewer.round, player=player, now=now, **fields)
        return Response(AppealOut(appeal_view(appeal, viewer)).data, status=201)


class OneAppeal(ApiView):
    """R57: one appeal."""

    @describe("appeals_read", "turns", "Get an appeal and its answer", out=AppealOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        return Response(AppealOut(appeal_view(_appeal(viewer, number), viewer)).data)

    @describe(
        "appeals_withdraw",
        "turns",
        "Withdraw your appeal",
        out=AppealOut,
        problems=(403, 404, 409, 503),
        description="The appeal stays on record. You can't withdraw it once it is answered.",
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        take_back(appeal=_appeal(viewer, number), user=viewer.user_id, now=now)
        return Response(AppealOut(appeal_view(_appeal(viewer, number), viewer)).data)


def _appeal(viewer: Viewer, number: int) -> Appeal:
    appeal = appeal_for(viewer, number)
    if appeal is None:
        raise Missing(gettext("There is no appeal %(number)s here, or you can't see it.") % {"number": number})
    return appeal


def _player(player: Player | None) -> Player:
    if player is None:
        raise Forbidden(gettext("Only players in this round can appeal."), "R57")
    return player


class AppealAnswerIn(Body):
    """R57: what the judge who was drawn says, or the head battle judge, who overrules an answer (1.3)."""

    act = one_of("Answers the appeal, delays the settlement, or lets it go on.", "answer", "hold", "let_go")
    how = line("The answer: `upheld`, `mended` or `anew`.")
    answer_cites = line("The rule behind the decision.")
    text = text("The reason; as public as the appeal.")


class AppealAnswer(ApiView):
    """R57: an appeal, for its judge."""

    @describe(
        *("appeals_answer", "judges", "Answer an appeal, overrule an answer, or delay the settlement"),
        out=ActedOut,
        takes=AppealAnswerIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        page="appeal",
    )
    def post(self, request: Request, slug: str, number: int) -> Response:
        values, viewer, now = self.read_as_user(AppealAnswerIn), self.viewer(slug), timezone.now()
        row, form = _appeal(viewer, number), AnswerForm(values)
        if values["act"] == "answer" and not form.is_valid():
            raise serializers.ValidationError({name: [*errors] for name, errors in form.errors.items()})
        return self.done(decide(viewer, row, values["act"], form, now), reverse("appeal", args=[slug, number]))


class AskedOut(Shape):
    """R53, R57: what a judge is asked."""

    made_of = Asked
    shows = ("kind", "number", "words", "cites", "by", "due", "address")
    tells = {
        "number": "Number of the appeal in its round, of the battle in its turn, or of the corrected turn.",
        "words": "What the judge has to decide, in words.",
        "by": "Who asks.",
        "due": "Deadline; null if no open turn sets one.",
        "address": "The page to answer it on.",
    }
    kind = serializers.ChoiceField(choices=get_args(Kind))


class AskedOf(ListView):
    """R53, R57: what a judge is asked."""

    reads_by = "judge"

    @describe(
        "desk_asked",
        "rounds",
        "List the appeals you have to answer as a judge, and what waits for a second judge's consent",
        out=AskedOut(many=True),
        problems=(403, 404),
    )
    def get(self, request: Request, slug: str) -> Response:
        viewer = self.viewer(slug)
        if not viewer.roles:
            raise Forbidden(gettext("Only judges of this round have a dashboard."), "1.3")
        return self.page(list(asked_of(request.user, viewer.round.slug)), AskedOut)
