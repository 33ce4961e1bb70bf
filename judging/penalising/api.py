"""5.4.1, R47: handing penalties down and lifting them, for programs."""

from __future__ import annotations

from judging.api.base import ApiView
from judging.api.doors import door
from judging.api.fields import line, text
from judging.api.models import Scope
from judging.api.shapes import Body


class PenaltyIn(Body):
    """5.4.1, R47: a penalty."""

    player = line("Who acted.", needed=True)
    army = line("The army; empty for a reprimand without an army.")
    kind = line("The kind of penalty: a code, as in `penalties_list`.", needed=True)
    severity = line("Severity: `1`, `2` or `3`, if dice decide.")
    slot1 = line("Troops lost in the lowest slot.")
    slot2 = line("Troops lost in the second slot.")
    slot3 = line("Troops lost in the third slot.")
    slot4 = line("Troops lost in the highest slot.")
    cites = line("The rule that was broken.", needed=True)
    reason = text("The reason; public.", needed=True)
    token = line("Idempotency key: repeating it won't impose a second penalty.")


class LiftIn(Body):
    """1.3: a penalty that is lifted."""

    reason = text("The reason; public.", needed=True)


class HandDown(ApiView):
    """5.4.1: penalties, for judges."""

    post = door(
        *("penalties_hand_down", "judges", "Impose a penalty", "judge:penalties"),
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
