"""4: the smaller acts of a battle's sheet, for programs: more time, late strats, claims, kills and captures, second
judges, changes after the dice, and what a head overrules."""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers

from judging.api.base import LARGEST_NUMBER, ApiView
from judging.api.doors import Sent, door
from judging.api.errors import Missing
from judging.api.fields import line, number, text, ticked
from judging.api.models import Scope
from judging.api.shapes import Body
from judging.battles.desk.api import ReasonIn
from judging.battles.desk.consent import ACTS, PRESSES
from judging.battles.desk.scoring import DEPARTS_FIELD, WHOLE, WHY_FIELD, number_field, reason_field
from judging.battles.desk.sheet import Sheet, sheet_of

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


def _sheet(view: ApiView, where: Sent) -> Sheet:
    """Raises Missing for a battle that is not on this desk, or of another round."""
    slug, battle_id = view.round(where["slug"]).slug, min(where["battle_id"], LARGEST_NUMBER)
    found = sheet_of(view.request.user, battle_id, timezone.now(), in_full=False)
    if found is None or found.battle.turn.round.slug != slug:
        raise Missing(gettext("This battle isn't on your dashboard."))
    return found


def _act_form(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    """As the page sends it: each field with the act before its name, each reason at its criterion's place."""
    sheet, act = _sheet(view, where), where["act"]
    if act not in ACTS:
        raise Missing(gettext("Unknown action. Use one of %(named)s.") % {"named": NAMED})
    reasons = {one["criterion"]: one for one in given.pop("reasons", ())}
    if one := reasons.get(WHOLE):
        given |= {WHY_FIELD: one["text"], DEPARTS_FIELD: one["departs"]}
    for place, criterion in enumerate(sheet.criteria):
        if one := reasons.get(criterion.name):
            given |= {reason_field(place): one["text"], number_field(place): one["number"]}
    return {f"{act}-{name}": value for name, value in given.items()}


def _press_form(view: ApiView, given: Sent, where: Sent) -> dict[str, object]:
    _sheet(view, where)
    if where["act"] not in PRESSES:
        raise Missing(gettext("Unknown button. Use one of %(pressed)s.") % {"pressed": PRESSED})
    return given


class DeskAct(ApiView):
    """4: one of the smaller forms of a battle's sheet."""

    post = door(
        *("desk_battle_act", "battles", "Carry out a minor action on a battle's sheet", "judge:battle-act"),
        takes=DeskActIn,
        scope=Scope.JUDGE,
        form=_act_form,
        description=f"For the battle's judges. `act` is one of {NAMED}.",
    )


class DeskPress(ApiView):
    """4: a button of a battle's sheet."""

    post = door(
        *("desk_battle_press", "battles", "Press a button on a battle's sheet", "judge:battle-press"),
        takes=DeskPressIn,
        scope=Scope.JUDGE,
        form=_press_form,
        description=f"For the battle's judges. `act` is one of {PRESSED}.",
    )
