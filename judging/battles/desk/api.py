"""4.2: A battle on the judge's dashboard for programs: its sheet, the steps from score to result, and smaller
actions."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ApiView
from judging.api.errors import Forbidden, Missing
from judging.api.fields import ActedOut, line, number, text, ticked
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body, Shape
from judging.battles.desk.actions import NOT_YOURS, PRESSES, address_of
from judging.battles.desk.publishing import MAX_NARRATIVE
from judging.battles.desk.scoring import (
    DEPARTS_FIELD,
    MAX_REASON,
    WHOLE,
    WHY_FIELD,
    Reasons,
    ScoreReason,
    number_field,
    reason_field,
)
from judging.battles.desk.sheet import Sheet, SheetSide, sheet_of
from judging.battles.desk.steps import keep_written, lock_typed, publish, roll_once
from judging.battles.desk.strat_actions import ACTS
from judging.battles.models import Opinion, Score
from judging.battles.results import ResultView, shown_reasons
from judging.battles.serializers import AttemptOut, BonusOut, DiePairOut, LossOut, ReasonOut, losses_out
from judging.common.errors import Refused
from judging.common.judges import User
from wargame.rules.battle.criteria import MOST_NUMBER, Criterion
from wargame.rules.book.formulas import MOST_BONUS

STEPS = ("score", "opinion", "head", "roll", "publish", "published", "wait")


class CriterionOut(Shape):
    """R54: a criterion of the round."""

    made_of = Criterion
    shows = ("name", "weight")


class DeskStratOut(Body):
    """R35: a strat as battle judges read it; of a late one that is not decided on, neither text nor requests."""

    id = serializers.IntegerField()
    sent_at = serializers.DateTimeField()
    sha256 = serializers.CharField()
    late = serializers.BooleanField()
    is_sealed = serializers.BooleanField(help_text="Late and not decided yet: no one can read it (R35).")
    counts = serializers.BooleanField()
    text = serializers.CharField(allow_blank=True)
    wishes = serializers.ListField(child=serializers.CharField())


class DeskArmyOut(Body):
    """4.1: an army with its strats, the newest first."""

    name = serializers.CharField()
    strats = DeskStratOut(many=True)


class DeskSideOut(Body):
    """4.1: a side; a score favours it by its `index`."""

    index = serializers.IntegerField()
    named = serializers.CharField()
    is_stratless = serializers.BooleanField(help_text="Until now (R36).")
    armies = DeskArmyOut(many=True)


class NarrativeOut(Body):
    """4.1.1: the narrative so far; `version` is what the next text is put on top of."""

    text = serializers.CharField(allow_blank=True)
    version = serializers.IntegerField()


class LockedScoreOut(Body):
    """4.2.1, R55: a score that is locked: the battle's, or that of one of two judges."""

    judge = serializers.CharField()
    favours = serializers.IntegerField(allow_null=True, help_text="The side, 0 or 1; null if there is no bonus.")
    bonus = serializers.IntegerField()
    locked_at = serializers.DateTimeField()
    reasons = ReasonOut(many=True)


class RolledOut(Shape):
    """4.2.4: what was rolled and is not published."""

    made_of = ResultView
    shows = (
        *("winner", "winners", "bonuses", "rounds", "dice_won", "losses", "attempts", "killed", "captured"),
        *("why", "why_cites"),
    )
    bonuses = BonusOut(many=True)
    rounds = serializers.ListField(child=DiePairOut(many=True))
    losses = LossOut(many=True)
    attempts = AttemptOut(many=True)

    def to_representation(self, instance: ResultView) -> dict[str, object]:
        return super().to_representation({**vars(instance), "losses": losses_out(instance.losses)})


class SheetOut(Body):
    """4.2: a battle as its judge sees it."""

    battle = serializers.IntegerField()
    turn = serializers.IntegerField()
    number = serializers.IntegerField()
    at = serializers.CharField()
    headline = serializers.CharField()
    step = serializers.ChoiceField(choices=STEPS, help_text="Your next step. `head`: you decide between two scores.")
    waits = serializers.CharField(allow_blank=True, help_text="Why you can't do anything now.")
    rules_score = serializers.CharField(allow_blank=True, help_text="What the rules give instead of a score (R36).")
    dice_wait = serializers.CharField(allow_blank=True, help_text="What still has to be mixed into the dice (R38).")
    criteria = CriterionOut(many=True)
    sides = DeskSideOut(many=True)
    narrative = NarrativeOut()
    own = LockedScoreOut(allow_null=True, help_text="Your own score, if two judges score the battle (R55).")
    both = LockedScoreOut(many=True, help_text="The scores of both judges, once both are locked (R55).")
    score = LockedScoreOut(allow_null=True, help_text="The battle's.")
    rolled = RolledOut(allow_null=True, help_text="Null once the result is published.")


class ReasonIn(Body):
    """R54: a mark on a criterion of the round, with a sentence if you like; without a criterion, the one reason of the
    score."""

    criterion = serializers.CharField(
        max_length=60, default="", allow_blank=True, help_text="Leave empty for the reason of the whole score."
    )
    number = serializers.IntegerField(
        default=0,
        min_value=-MOST_NUMBER,
        max_value=MOST_NUMBER,
        help_text="How far the criterion favours the side you favour.",
    )
    text = serializers.CharField(default="", allow_blank=True, max_length=MAX_REASON)
    departs = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=MAX_REASON,
        help_text="Only with the reason for the whole score: why the bonus differs by more than 2 from the weighted "
        "average of the marks.",
    )


class ScoreIn(Body):
    """4.2.1, R54: a score with its reasons."""

    favours = serializers.IntegerField(
        min_value=0, max_value=1, allow_null=True, default=None, help_text="The side, 0 or 1; null for neither."
    )
    bonus = serializers.IntegerField(min_value=0, max_value=MOST_BONUS)
    reasons = ReasonIn(
        many=True,
        required=False,
        help_text="At least one reason, and a mark for each criterion unless the bonus is 0.",
    )
    decision = serializers.CharField(
        default="",
        allow_blank=True,
        max_length=MAX_REASON,
        help_text="The reason, if you decide between two scores (R55).",
    )


class NarrativeIn(Body):
    """4.1.1: a narrative."""

    text = serializers.CharField(allow_blank=True, trim_whitespace=False, help_text=f"Up to {MAX_NARRATIVE:,} signs.")
    version = serializers.IntegerField(min_value=0, help_text="The version you have read; 0 if there was none.")


class PublishIn(Body):
    """4.2.5: what is published with the result."""

    narrative = serializers.CharField(
        required=False, allow_blank=True, trim_whitespace=False, help_text="Leave out to publish the saved story."
    )


class _OfSheet(ApiView):
    """4.2: an address of a battle's sheet, for the battle judges of its round alone."""

    reads_by = writes_by = "judge"

    def sheet(self, slug: str, battle_id: int, now: datetime) -> Sheet:
        """Raises Forbidden for all but battle judges, Missing for battles of other rounds."""
        viewer = self.viewer(slug)
        if not viewer.is_judge("battle"):
            raise Forbidden(gettext("Only battle judges of this round can score its battles."), "1.3")
        found = sheet_of(self.request.user, min(battle_id, 2**31 - 1), now)
        if found is None or found.judge is None or found.battle.turn.round_id != viewer.round.pk:
            raise Missing(gettext("There is no such battle in this round."))
        return found

    def answer(self, slug: str, battle_id: int, now: datetime) -> Response:
        """The sheet as it is after an act."""
        return Response(SheetOut(_sheet_out(self.sheet(slug, battle_id, now))).data)


class DeskBattle(_OfSheet):
    """4.2: a battle's sheet."""

    @describe(
        "desk_battle_read",
        "battles",
        "Get a battle from your dashboard: strats, scores you can read, next step",
        out=SheetOut,
        problems=(403, 404),
        description="For battle judges. If two judges score a battle, you can't read the other score until both are "
        "locked (R55).",
    )
    def get(self, request: Request, slug: str, battle_id: int) -> Response:
        return self.answer(slug, battle_id, timezone.now())


class DeskNarrative(_OfSheet):
    """4.1.1: the narrative of a battle while it is written."""

    @describe(
        "desk_battle_narrative",
        "battles",
        "Save the story of a battle",
        out=SheetOut,
        takes=NarrativeIn,
        problems=WRITING,
        description="Only battle judges can read it until it is published. If two judges score the battle, each writes "
        "their own (R55).",
    )
    def put(self, request: Request, slug: str, battle_id: int) -> Response:
        now, values = timezone.now(), self.read(NarrativeIn, request.data)
        keep_written(self.sheet(slug, battle_id, now), _lines(values["text"]), values["version"], now)
        return self.answer(slug, battle_id, now)


class DeskScore(_OfSheet):
    """4.2.1: the score of a battle."""

    @describe(
        "desk_battle_score",
        "battles",
        "Lock a battle's score with its reasons",
        out=SheetOut,
        takes=ScoreIn,
        problems=WRITING,
        description="If two judges score the battle, locks your own score; if their scores are far apart, locks the "
        "deciding one (R55). You can't change a locked score. Repeating the request changes nothing.",
    )
    def post(self, request: Request, slug: str, battle_id: int) -> Response:
        now, values = timezone.now(), self.read(ScoreIn, request.data)
        values["reasons"] = reasons_in(values.get("reasons", ()))
        lock_typed(self.sheet(slug, battle_id, now), now=now, **values)
        return self.answer(slug, battle_id, now)


class DeskRoll(_OfSheet):
    """4.2.4: the dice of a battle."""

    @describe(
        "desk_battle_roll",
        "battles",
        "Roll a battle's dice, once",
        out=SheetOut,
        problems=(403, 404, 409, 503),
        description="Repeating the request returns the same dice. Only battle judges can see them until the result is "
        "published.",
    )
    def put(self, request: Request, slug: str, battle_id: int) -> Response:
        now = timezone.now()
        roll_once(self.sheet(slug, battle_id, now), now)
        return self.answer(slug, battle_id, now)


class DeskPublish(_OfSheet):
    """4.2.5: the result of a battle."""

    @describe(
        "desk_battle_publish",
        "battles",
        "Publish a battle's result",
        out=SheetOut,
        takes=PublishIn,
        problems=WRITING,
        description="If the dice are not rolled yet, they are rolled first. You can't undo this.",
    )
    def post(self, request: Request, slug: str, battle_id: int) -> Response:
        now, values = timezone.now(), self.read(PublishIn, request.data)
        sheet = self.sheet(slug, battle_id, now)
        saved = sheet.narrative.text if sheet.narrative else ""
        publish(sheet, _lines(values.get("narrative", saved)), now)
        return self.answer(slug, battle_id, now)


def reasons_in(sent: Any) -> Reasons:
    """R54: the reasons that were sent, by criterion; of one that is named twice, the last."""
    return {one["criterion"]: ScoreReason(one["number"], one["text"], one["departs"]) for one in sent}


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _sheet_out(sheet: Sheet) -> dict[str, object]:
    view, narrative, bench = sheet.view, sheet.narrative, sheet.bench
    return {
        "battle": view.id,
        "turn": view.turn,
        "number": view.number,
        "at": view.at,
        "headline": view.headline,
        "step": sheet.step,
        "waits": sheet.waits,
        "rules_score": sheet.rules_score,
        "dice_wait": sheet.mix_waits,
        "criteria": sheet.criteria,
        "sides": [_side_out(side) for side in sheet.sides],
        "narrative": {"text": narrative.text if narrative else "", "version": narrative.version if narrative else 0},
        "own": _locked_out(bench.own) if bench and bench.own else None,
        "both": [_locked_out(one) for one in bench.all] if bench else [],
        "score": _locked_out(sheet.score) if sheet.score else None,
        "rolled": sheet.proposed,
    }


def _side_out(side: SheetSide) -> dict[str, object]:
    """Who controls an army, or wrote its strat, is not told: a score is given without (4.2.1)."""
    armies = [
        {"name": fighter.view.name, "strats": [{**vars(strat), "counts": counts} for strat, counts in fighter.strats]}
        for fighter in side.fighters
    ]
    return {"index": side.index, "named": side.label, "is_stratless": side.is_stratless, "armies": armies}


def _locked_out(row: Score | Opinion) -> Mapping[str, object]:
    fields = {"judge": row.judge.name, "favours": row.favours, "bonus": row.bonus, "locked_at": row.locked_at}
    return {**fields, "reasons": shown_reasons(row.reasons)}


NAMED = ", ".join(f"`{key}`" for key in sorted(ACTS))
PRESSED = ", ".join(f"`{key}`" for key in sorted(PRESSES))


class DeskActIn(Body):
    """4: one of the sheet's smaller forms; each act takes some of its fields."""

    army = line("The army; leave empty for all, if the action allows it.")
    until = line("New time, in UTC, such as 2026-03-15T05:00.")
    holds = ticked("Do it even if that delays the settlement of the turn.")
    strat = number("The strat.")
    second = line("Id of the second judge; empty for none.")
    judge_of_it = number("Id of the judge who takes it if all judges have a conflict.")
    name = line("The new criterion.", most=60)
    claim = line("The strat's claim.")
    verdict = line("The verdict on a claim.")
    note = text("A note to the strat's author.")
    ruling = line("Target of the kill or capture; leave empty to make it void.")
    cites = line("The rule or ruling behind it.")
    kind = line("What to change after the dice.")
    percent = number("In percent of the dice's result.")
    signature = line("The beacon's signature.")
    value = line("The beacon's randomness.")
    favours = line("The side, 0 or 1; empty for neither.")
    bonus = number("The bonus.")
    reasons = ReasonIn(many=True, required=False, help_text="One mark for each criterion, unless the bonus is 0.")
    answer = text("Why the second judge disagrees.")
    reason = text("Why; public.")


class DeskPressIn(Body):
    """4: a button of the sheet."""

    key = serializers.IntegerField(
        required=False,
        min_value=0,
        max_value=LARGEST_NUMBER,
        help_text="Id of the criterion, claim, ruling or request the button belongs to.",
    )


class DeskAct(ApiView):
    """4: one of the smaller forms of a battle's sheet."""

    @describe(
        *("desk_battle_act", "battles", "Carry out a minor action on a battle's sheet"),
        out=ActedOut,
        takes=DeskActIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        description=f"For the battle's judges. `act` is one of {NAMED}.",
        page="judge:battle-act",
    )
    def post(self, request: Request, slug: str, battle_id: int, act: str) -> Response:
        values, now = self.read_as_user(DeskActIn), timezone.now()
        sheet = _sheet(self, slug, battle_id, now)
        if act not in ACTS:
            raise Missing(gettext("Unknown action. Use one of %(named)s.") % {"named": NAMED})
        form = ACTS[act](sheet, {f"{act}-{name}": value for name, value in _typed(values, sheet).items()})
        if form.judge is None:
            raise Refused(str(NOT_YOURS), "1.3")
        if not form.is_valid():
            raise serializers.ValidationError({name: [*errors] for name, errors in form.errors.items()})
        return self.done(form.do(form.judge, now), address_of(battle_id, form.place))


class DeskPress(ApiView):
    """4: a button of a battle's sheet."""

    @describe(
        *("desk_battle_press", "battles", "Press a button on a battle's sheet"),
        out=ActedOut,
        takes=DeskPressIn,
        problems=WRITING,
        scope=Scope.JUDGE,
        description=f"For the battle's judges. `act` is one of {PRESSED}.",
        page="judge:battle-press",
    )
    def post(self, request: Request, slug: str, battle_id: int, act: str) -> Response:
        values, now = self.read_as_user(DeskPressIn), timezone.now()
        sheet = _sheet(self, slug, battle_id, now)
        if act not in PRESSES:
            raise Missing(gettext("Unknown button. Use one of %(pressed)s.") % {"pressed": PRESSED})
        if sheet.judge is None:
            raise Refused(str(NOT_YOURS), "1.3")
        button = PRESSES[act](sheet, values.get("key", 0))
        return self.done(button.do(sheet.judge, now), address_of(battle_id, button.place))


def _sheet(view: ApiView, slug: str, battle_id: int, now: datetime) -> Sheet:
    """Raises Missing for a battle that is not on this desk, or of another round."""
    round_ = view.round(slug)
    sheet = sheet_of(cast(User, view.request.user), min(battle_id, LARGEST_NUMBER), now, in_full=False)
    if sheet is None or sheet.battle.turn.round_id != round_.pk:
        raise Missing(gettext("This battle isn't on your dashboard."))
    return sheet


def _typed(values: dict[str, Any], sheet: Sheet) -> dict[str, Any]:
    """The body as the fields of a form of the sheet: each reason at its criterion's place."""
    fields = {name: value for name, value in values.items() if name != "reasons"}
    reasons = {one["criterion"]: one for one in values.get("reasons", ())}
    if one := reasons.get(WHOLE):
        fields |= {WHY_FIELD: one["text"], DEPARTS_FIELD: one["departs"]}
    for place, criterion in enumerate(sheet.criteria):
        if one := reasons.get(criterion.name):
            fields |= {reason_field(place): one["text"], number_field(place): one["number"]}
    return fields
