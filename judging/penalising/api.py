"""5.4.1, R47: handing penalties down and lifting them, for programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door, line, text
from judging.api.models import Scope
from judging.api.shapes import Body


class PenaltyIn(Body):
    """5.4.1, R47: a penalty."""

    player = line("Who acted.", needed=True)
    army = line("The army; empty for a reprimand without one.")
    kind = line("What it is: a code as `penalties_list` has it.", needed=True)
    severity = line("How hard: `1`, `2` or `3`, where dice decide.")
    slot1 = line("Troops that are lost in the lowest slot.")
    slot2 = line("Those of the second one.")
    slot3 = line("Those of the third one.")
    slot4 = line("Those of the highest one.")
    cites = line("The rule that was broken.", needed=True)
    reason = text("Why; everybody reads it.", needed=True)
    token = line("Once more with the same one hands down no second one.")


class LiftIn(Body):
    """1.3: a penalty that is lifted."""

    reason = text("Why; everybody reads it.", needed=True)


class HandDown(ApiView):
    """5.4.1: penalties, for judges."""

    post = door(
        *("penalties_hand_down", "judges", "Hand down a penalty", "judge:penalties"),
        takes=PenaltyIn,
        scope=Scope.JUDGE,
        presses={"act": "confirm"},
    )


class Lift(ApiView):
    """1.3: a penalty, for judges."""

    post = door(
        *("penalties_lift", "judges", "Lift a penalty", "judge:penalties"),
        takes=LiftIn,
        scope=Scope.JUDGE,
        presses={"act": "lift"},
        form=lambda view, given, where: {**given, "penalty": where["penalty_id"]},
    )
