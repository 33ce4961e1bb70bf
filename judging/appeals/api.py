"""R57: the appeals of a round, for programs."""

from __future__ import annotations

from typing import get_args

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.doors import door, line, one_of, text
from judging.api.errors import Forbidden, Missing
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import TEAM_SIDES, Body, Shape
from judging.appeals.asked import Kind, asked_of
from judging.appeals.asked import Request as Asked
from judging.appeals.models import Appeal
from judging.appeals.reads import (
    AppealView,
    JudgeDraw,
    OverruledAnswer,
    appeal_for,
    appeal_view,
    appeal_views,
    subject_for,
)
from judging.appeals.writes import lodge, take_back
from judging.game.forms import new_token
from wargame.models import Player

APPEAL_KINDS = Appeal.Kind.choices


class AppealQuery(Body):
    """Which appeals are asked for."""

    rule = serializers.CharField(required=False, allow_blank=True, max_length=20, help_text="Those that cite it.")


class AppealIn(Body):
    """R57: an appeal."""

    kind = serializers.ChoiceField(choices=APPEAL_KINDS)
    about = serializers.CharField(
        max_length=15,
        help_text="The id of the result's battle, of the ruling, penalty, vote or request for admission; the key of "
        "the entry of the log; of a refused order the number of its turn.",
    )
    army = serializers.CharField(
        required=False, allow_blank=True, max_length=60, help_text="The army whose order was refused."
    )
    cites = serializers.CharField(max_length=12, help_text="The rule that was not kept.")
    reason = serializers.CharField(help_text="Public, unless it is about a request.")


class JudgeDrawOut(Shape):
    """R38: a draw of who answers, from the seed of the appeal's turn."""

    made_of = JudgeDraw
    shows = ("name", "among", "drew")
    tells = {"name": "Of the draw, as docs/play/verify/dice.md names it.", "among": "By the alphabet, from 1 on."}


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
        "number": "Counts those of the round.",
        "title": "What it is against, in words.",
        "turn": "The one that was played when it came.",
        "against": "The judge who decided; empty for the service.",
        "decision": "How often the decision was already changed, such as by judging a battle again.",
        "judge": "Who answers or answered; empty while there is nobody.",
        "is_party": "Whether that is the head battle judge, who had a part in the decision, as nobody else could "
        "answer. A judge who becomes eligible while it is open takes over.",
        "due_at": "Then the next is drawn.",
        "holds": "Whether the settlement of its turn waits for the answer.",
        "is_hidden": "Seen by its player and the judges alone, until the round is over.",
        "battle": "The id of the battle whose result it is against.",
        "correction": "The number of the turn that was corrected by it.",
    }
    kind = serializers.ChoiceField(choices=APPEAL_KINDS)
    side = serializers.ChoiceField(choices=TEAM_SIDES)
    state = serializers.ChoiceField(choices=Appeal.State.choices)
    draws = JudgeDrawOut(many=True)
    overruled = OverruledAnswerOut(
        many=True, help_text="Answers that the head battle judge overruled (1.3), the oldest first."
    )


class Appeals(ListView):
    """R57: the appeals of a round."""

    @describe(
        "appeals_list",
        "turns",
        "The appeals of a round that you may see, the newest first",
        out=AppealOut(many=True),
        asks=AppealQuery,
        problems=(400, 404),
        description="All are public but those against a refused request or admission, or the count of a team's own "
        "vote.",
    )
    def get(self, request: Request, slug: str) -> Response:
        asked = self.read(AppealQuery, request.query_params)
        return self.page(appeal_views(self.viewer(slug), asked.get("rule", "")), AppealOut)

    @describe(
        "appeals_lodge",
        "turns",
        "Appeal against a decision",
        out=AppealOut,
        status=201,
        takes=AppealIn,
        problems=WRITING,
        description="For players affected by it, once for each decision, within the round's time for appeals. A "
        "result that was judged again is a new decision. The judge who answers is drawn at once.",
    )
    def post(self, request: Request, slug: str) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        asked = self.read(AppealIn, request.data)
        subject = subject_for(viewer, asked["kind"], asked["about"], asked.get("army", ""), now)
        if subject is None:
            raise Missing(
                gettext("There is nothing here that could be appealed against: it is not public yet, or taken back.")
            )
        player = None if subject.applicant else _player(viewer.player)
        given = {
            "user": viewer.user_id,
            "subject": subject,
            "cites": asked["cites"],
            "reason": asked["reason"],
            "token": new_token(),
        }
        made = lodge(round=viewer.round, player=player, now=now, **given)
        return Response(AppealOut(appeal_view(made, viewer)).data, status=201)


class OneAppeal(ApiView):
    """R57: one appeal."""

    @describe("appeals_read", "turns", "One appeal with its answer", out=AppealOut)
    def get(self, request: Request, slug: str, number: int) -> Response:
        viewer = self.viewer(slug)
        row = appeal_for(viewer, number)
        if row is None:
            raise Missing(
                gettext("There is no appeal %(number)s here, or it is not yours to see.") % {"number": number}
            )
        return Response(AppealOut(appeal_view(row, viewer)).data)

    @describe(
        "appeals_withdraw",
        "turns",
        "Take your appeal back",
        out=AppealOut,
        problems=(403, 404, 409, 503),
        description="It stays on record. Refused once it is answered.",
    )
    def delete(self, request: Request, slug: str, number: int) -> Response:
        viewer, now = self.viewer(slug), timezone.now()
        row = appeal_for(viewer, number)
        if row is None:
            raise Missing(
                gettext("There is no appeal %(number)s here, or it is not yours to see.") % {"number": number}
            )
        take_back(appeal=row, user=viewer.user_id, now=now)
        again = appeal_for(viewer, number)
        assert again is not None
        return Response(AppealOut(appeal_view(again, viewer)).data)


def _player(player: Player | None) -> Player:
    if player is None:
        raise Forbidden(gettext("Only the players of this round appeal."), "R57")
    return player


class AppealAnswerIn(Body):
    """R57: what the judge who was drawn says, or the head battle judge, who overrules an answer (1.3)."""

    act = one_of("Answers, makes the settlement wait, or lets it go on.", "answer", "hold", "let_go")
    how = line("The answer: `upheld`, `mended` or `anew`.")
    answer_cites = line("The rule that decides.")
    text = text("Why; as public as the appeal.")


class AppealAnswer(ApiView):
    """R57: an appeal, for its judge."""

    post = door(
        *("appeals_answer", "judges", "Answer an appeal, overrule an answer, or let the settlement wait", "appeal"),
        takes=AppealAnswerIn,
        scope=Scope.JUDGE,
    )


class AskedOut(Shape):
    """R53, R57: what a judge is asked."""

    made_of = Asked
    shows = ("kind", "number", "words", "cites", "by", "due", "address")
    tells = {
        "number": "Of the appeal in its round, the battle in its turn, or the corrected turn.",
        "words": "What is asked, in words.",
        "by": "Who asks.",
        "due": "By when; null where no open turn ends it.",
        "address": "The page on which it is answered.",
    }
    kind = serializers.ChoiceField(choices=get_args(Kind))


class AskedOf(ListView):
    """R53, R57: what a judge is asked."""

    reads_by = "judge"

    @describe(
        "desk_asked",
        "rounds",
        "Appeals that you, a judge, are to answer, and what waits for the consent of a second judge",
        out=AskedOut(many=True),
        problems=(403, 404),
    )
    def get(self, request: Request, slug: str) -> Response:
        viewer = self.viewer(slug)
        if not viewer.roles:
            raise Forbidden(gettext("Only the judges of this round have a desk."), "1.3")
        return self.page(list(asked_of(request.user, viewer.round.slug)), AskedOut)
