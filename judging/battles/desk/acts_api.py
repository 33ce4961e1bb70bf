"""4: the smaller acts of a battle's sheet, for programs: more time, late strats, claims, kills and captures, second
judges, changes after the dice, and what a head overrules."""

from __future__ import annotations

from datetime import datetime
from typing import Any, cast

from django.utils import timezone
from django.utils.translation import gettext
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from judging.api.base import LARGEST_NUMBER, ApiView
from judging.api.errors import Missing
from judging.api.fields import ActedOut, line, number, text, ticked
from judging.api.models import Scope
from judging.api.schema import WRITING, describe
from judging.api.shapes import Body
from judging.battles.desk.acts import NOT_YOURS, address_of
from judging.battles.desk.api import ReasonIn
from judging.battles.desk.consent import ACTS, PRESSES
from judging.battles.desk.scoring import DEPARTS_FIELD, WHOLE, WHY_FIELD, number_field, reason_field
from judging.battles.desk.sheet import Sheet, sheet_of
from judging.game.errors import Refused
from judging.game.judges import User

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
        given, now = self.read_as_user(DeskActIn), timezone.now()
        sheet = _sheet(self, slug, battle_id, now)
        if act not in ACTS:
            raise Missing(gettext("Unknown action. Use one of %(named)s.") % {"named": NAMED})
        form = ACTS[act](sheet, {f"{act}-{name}": value for name, value in _typed(given, sheet).items()})
        if form.judge is None:
            raise Refused(str(NOT_YOURS), "1.3")
        if not form.is_valid():
            raise serializers.ValidationError({name: [*found] for name, found in form.errors.items()})
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
        given, now = self.read_as_user(DeskPressIn), timezone.now()
        sheet = _sheet(self, slug, battle_id, now)
        if act not in PRESSES:
            raise Missing(gettext("Unknown button. Use one of %(pressed)s.") % {"pressed": PRESSED})
        if sheet.judge is None:
            raise Refused(str(NOT_YOURS), "1.3")
        button = PRESSES[act](sheet, given.get("key", 0))
        return self.done(button.do(sheet.judge, now), address_of(battle_id, button.place))


def _sheet(view: ApiView, slug: str, battle_id: int, now: datetime) -> Sheet:
    """Raises Missing for a battle that is not on this desk, or of another round."""
    round_ = view.round(slug)
    found = sheet_of(cast(User, view.request.user), min(battle_id, LARGEST_NUMBER), now, in_full=False)
    if found is None or found.battle.turn.round_id != round_.pk:
        raise Missing(gettext("This battle isn't on your dashboard."))
    return found


def _typed(given: dict[str, Any], sheet: Sheet) -> dict[str, Any]:
    """The body as the fields of a form of the sheet: each reason at its criterion's place."""
    typed = {name: value for name, value in given.items() if name != "reasons"}
    reasons = {one["criterion"]: one for one in given.get("reasons", ())}
    if one := reasons.get(WHOLE):
        typed |= {WHY_FIELD: one["text"], DEPARTS_FIELD: one["departs"]}
    for place, criterion in enumerate(sheet.criteria):
        if one := reasons.get(criterion.name):
            typed |= {reason_field(place): one["text"], number_field(place): one["number"]}
    return typed
