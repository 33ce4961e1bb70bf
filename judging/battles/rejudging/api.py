"""R58: battles judged anew, for programs."""

from collections.abc import Iterable

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import ApiView, ListView
from judging.api.errors import Forbidden, Missing
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body, Shape
from judging.battles.desk.api import ReasonIn, reasons_in
from judging.battles.models import Battle
from judging.battles.rejudging.models import Rejudgement
from judging.battles.rejudging.queries import AnewView, AttemptDifference, LossDifference, anew_of, public_anew
from judging.battles.rejudging.services import AS_ASKED, VOID, NewJudgement, apply_anew, drop_anew, lock_anew
from judging.battles.serializers import ReasonOut
from judging.common.viewer import Viewer
from judging.turns.rulings.differences import CorrectionDifference
from wargame.models import Judge
from wargame.models.choices import Role
from wargame.rules.book.formulas import MOST_BONUS


class ArmyAnewOut(Shape):
    """R58: an army's losses by slot, before and now, and whether it was killed or captured."""

    made_of = LossDifference
    shows = ("army", "before", "now", "fate_before", "fate_now", "is_same")
    tells = {"fate_before": "`killed`, `captured` or empty"}


class AttemptAnewOut(Shape):
    """4.3, 4.5: what became of an army's attempt at a kill or a capture, in words."""

    made_of = AttemptDifference
    shows = ("army", "before", "now")


class AnewOut(Shape):
    """R58: a battle judged anew."""

    made_of = AnewView
    shows = (
        *("id", "battle", "turn", "at", "state", "by", "made_at", "decided_at", "decided_by", "cites", "reason"),
        *("score_before", "score_now", "reasons_before", "reasons", "winners_before", "winners_now", "accepted"),
        *("risks", "armies", "attempts", "changes_winner", "follows"),
    )
    tells = {
        "accepted": "Armies whose late strats now count (R35).",
        "risks": "Changed rulings on kills and captures, in words.",
        "winners_now": "Empty until it is applied, like every field about the outcome.",
    }
    state = serializers.ChoiceField(choices=Rejudgement.State.choices)
    reasons_before = ReasonOut(
        many=True, help_text="Reasons for the previous score; empty if the score stays the same."
    )
    reasons = ReasonOut(
        many=True, help_text="Reasons by the round's criteria; empty if the score stays the same (R54)."
    )
    armies = ArmyAnewOut(many=True)
    attempts = AttemptAnewOut(many=True)
    follows = serializers.ListField(
        child=serializers.CharField(), help_text="What it changes in a settled turn, in sentences (3.3.3)."
    )

    def to_representation(self, instance: AnewView) -> dict[str, object]:
        armies = [{**vars(army), "is_same": army.is_same} for army in instance.armies]
        more = {
            "armies": armies,
            "changes_winner": instance.changes_winner,
            "follows": list(_consequences(instance.follows)),
        }
        return super().to_representation({**vars(instance), **more})


class RiskIn(Body):
    """4.3, 4.5: what becomes of a kill or a capture."""

    strat = serializers.IntegerField(help_text="Id of the strat that asks for it.")
    ruling = serializers.CharField(
        max_length=40, help_text=f"`{VOID}`: void; `{AS_ASKED}`: as the strat asks; otherwise the target's name."
    )


class AnewIn(Body):
    """R58: how a battle is to be judged anew."""

    favours = serializers.IntegerField(min_value=0, max_value=1, allow_null=True, default=None)
    bonus = serializers.IntegerField(min_value=0, max_value=MOST_BONUS)
    reasons = ReasonIn(many=True, required=False, help_text="One for each criterion, if the bonus changes (R54).")
    cites = serializers.CharField(max_length=40, help_text="The rule that requires it.")
    reason = serializers.CharField(help_text="The reason; public once it is applied.")
    accepted = serializers.ListField(
        child=serializers.IntegerField(), required=False, help_text="Ids of late strats to accept (R35)."
    )
    risks = RiskIn(many=True, required=False)
    narrative = serializers.CharField(
        default="", allow_blank=True, trim_whitespace=False, help_text="Leave empty to keep the current story."
    )
    token = serializers.CharField(
        max_length=40, help_text="Idempotency key of your choice: sending it twice creates only one."
    )


class AnewDecision(Body):
    """R58: what becomes of a locked score that waits for a second judge."""

    apply = serializers.BooleanField(help_text="True: agree and apply it as a whole. False: drop it.")


class Rejudgements(ListView):
    """R58: how a battle was judged anew."""

    writes_by = "judge"

    @describe(
        "rejudgements_list",
        "battles",
        "List the rejudgements of a battle, oldest first",
        out=AnewOut(many=True),
        description="Battle judges also see pending and dropped ones.",
    )
    def get(self, request: Request, slug: str, battle_id: int) -> Response:
        viewer = self.viewer(slug)
        battle = _battle(viewer, battle_id)
        return self.page(anew_of(battle) if viewer.is_judge(Role.BATTLE) else public_anew(battle.pk), AnewOut)

    @describe(
        "rejudgements_propose",
        "battles",
        "Lock a new score for a published battle",
        out=AnewOut,
        status=201,
        takes=AnewIn,
        problems=WRITING,
        description="For the judge who answers an appeal against the result, otherwise for the head battle judge. If "
        "that judge had no part in the result, the score takes effect at once and the response shows its "
        "outcome. Otherwise a second battle judge must agree first (R53). You can't try again.",
    )
    def post(self, request: Request, slug: str, battle_id: int) -> Response:
        viewer, values = self.viewer(slug), self.read(AnewIn, request.data)
        judge, token = _judge(viewer), values.pop("token")
        values |= {
            "reasons": reasons_in(values.get("reasons", ())),
            "accepted": tuple(values.get("accepted", ())),
            "risks": {one["strat"]: one["ruling"] for one in values.get("risks", ())},
        }
        battle, new = _battle(viewer, battle_id), NewJudgement(**values)
        row = lock_anew(battle=battle, judge=judge, new=new, token=token, now=timezone.now())
        return Response(AnewOut(_view(row)).data, status=status.HTTP_201_CREATED)


class OneRejudgement(ApiView):
    """R58: a locked score, to be agreed to or dropped."""

    writes_by = "judge"

    @describe(
        "rejudgements_decide",
        "battles",
        "Agree to a locked score or drop it",
        out=AnewOut,
        takes=AnewDecision,
        problems=WRITING,
        description="The score is applied as a whole, with all its consequences. Another battle judge than the one who "
        "locked it must agree (R53). Repeating the request changes nothing.",
    )
    def patch(self, request: Request, slug: str, battle_id: int, rejudgement_id: int) -> Response:
        viewer, values, now = self.viewer(slug), self.read(AnewDecision, request.data), timezone.now()
        judge = _judge(viewer)
        rows = Rejudgement.objects.filter(battle=_battle(viewer, battle_id), pk=min(rejudgement_id, 2**31 - 1))
        row = rows.first()
        if row is None:
            raise Missing(gettext("This battle has no such judgement."))
        decide = apply_anew if values["apply"] else drop_anew
        return Response(AnewOut(_view(decide(rejudgement=row, judge=judge, now=now))).data)


def _judge(viewer: Viewer) -> Judge:
    judge = viewer.seats.filter(role=Role.BATTLE).first()
    if judge is None:
        raise Forbidden(gettext("Only battle judges of this round can judge battles again."), "1.3")
    return judge


def _battle(viewer: Viewer, battle_id: int) -> Battle:
    rows = Battle.objects.filter(turn__round=viewer.round, pk=min(battle_id, 2**31 - 1))
    battle = rows.exclude(state=Battle.State.CANCELLED).select_related("turn__round").first()
    if battle is None:
        raise Missing(gettext("There is no such battle in this round."))
    return battle


def _view(row: Rejudgement) -> AnewView:
    return next(view for view in anew_of(row.battle) if view.id == row.pk)


def _consequences(follows: CorrectionDifference | None) -> Iterable[str]:
    """3.3.3: what follows, in sentences."""
    if follows is None:
        return
    for army in follows["armies"]:
        yield f"{army['army']}: {'; '.join(army['changes'])}"
    yield from follows["bases"]
    battles = follows["battles"]
    for kind, sentences in (("gone", battles["gone"]), ("new", battles["new"]), ("changed", battles["changed"])):
        yield from (f"Battle {kind}: {sentence}" for sentence in sentences)
