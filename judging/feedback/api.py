"""4.2, 1.3: how the judges judged, in numbers, and what a player says of it."""

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ApiView, ListView
from judging.api.errors import Missing
from judging.api.schema import describe
from judging.api.shapes import Body, Shape
from judging.battles.models import Battle
from judging.feedback.services import LONGEST, JudgeNumbers, Means, give_feedback, judge_numbers


class MeansOut(Shape):
    """4.2: the means of what players said, 1 to 5."""

    made_of = Means
    shows = ("answers", "fair", "clear", "in_time")


class JudgeNumbersOut(Shape):
    """1.3: a battle judge in numbers, from published battles alone."""

    made_of = JudgeNumbers
    shows = (
        *("judge", "battles", "mean_hours", "longest_hours", "coalition_bonus", "coalition_battles"),
        *("phyrexia_bonus", "phyrexia_battles", "overruled", "means"),
    )
    tells = {
        "battles": "Numbers below ten say little.",
        "mean_hours": "Hours between when a battle could be scored and its result.",
        "coalition_bonus": "Mean bonus they gave this side, with 0 for battles where they gave it none.",
        "overruled": "How many of their scores the head judge overruled.",
        "means": "Null with fewer than three answers.",
    }


class FeedbackIn(Body):
    """4.2: how a battle was judged, 1 (no) to 5 (yes)."""

    fair = serializers.IntegerField(min_value=1, max_value=5)
    clear = serializers.IntegerField(min_value=1, max_value=5)
    in_time = serializers.IntegerField(min_value=1, max_value=5)
    sentence = serializers.CharField(
        default="", allow_blank=True, max_length=LONGEST, help_text="Only the head battle judge can read it."
    )


class Numbers(ListView):
    """1.3: the battle judges in numbers."""

    @describe(
        "judge_numbers_list",
        "battles",
        "List statistics about the battle judges",
        out=JudgeNumbersOut(many=True),
        description="Based on published battles. Small numbers say little about a judge.",
    )
    def get(self, request: Request, slug: str) -> Response:
        return self.page(judge_numbers(self.round(slug)), JudgeNumbersOut)


class Feedback(ApiView):
    """4.2: what a player says about the judging of their battle."""

    @describe(
        "feedback_give",
        "battles",
        "Give feedback on the judging of your battle",
        out=FeedbackIn,
        takes=FeedbackIn,
        problems=(400, 403, 404, 409, 503),
        description="For players who controlled one of its armies at the deadline, for seven days after the "
        "result. New "
        "feedback replaces your earlier feedback. The numbers go into the judge's means; no one can see who "
        "gave them.",
    )
    def put(self, request: Request, slug: str, battle_id: int) -> Response:
        viewer = self.viewer(slug)
        battles = Battle.objects.filter(turn__round=viewer.round).exclude(state=Battle.State.CANCELLED)
        battle = battles.select_related("result", "turn").filter(pk=min(battle_id, LARGEST_NUMBER)).first()
        if battle is None:
            raise Missing(gettext("There is no such battle in this round."))
        data = self.read(FeedbackIn, request.data)
        row = give_feedback(battle=battle, player=viewer.player, now=timezone.now(), **data)
        return Response(FeedbackIn(row).data)
