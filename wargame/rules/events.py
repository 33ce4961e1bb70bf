"""What happened in a turn: every outcome is a value with its citation and why."""

from __future__ import annotations

from .events_of_moves import (
    Contested,
    DecidedBy,
    Drawn,
    Held,
    Intercepted,
    JointEngaged,
    JointFailed,
    Moved,
    MovedPartially,
    PassedBy,
    PlanCancelled,
    Pushed,
    Refused,
    Ruled,
)
from .events_of_settlement import (
    BaseDestroyed,
    Captured,
    Converted,
    DayCounted,
    DayNotCounted,
    Engaged,
    Fought,
    Healed,
    InTransit,
    Killed,
    Liberated,
    NotTransferred,
    Retreated,
    TransferCut,
    Transferred,
    TroopsLost,
    Won,
)

Event = (
    Refused
    | Held
    | Moved
    | Contested
    | MovedPartially
    | Pushed
    | Intercepted
    | PassedBy
    | JointEngaged
    | JointFailed
    | PlanCancelled
    | Ruled
    | Drawn
    | Fought
    | Retreated
    | Killed
    | Captured
    | Liberated
    | Converted
    | Engaged
    | Transferred
    | InTransit
    | TransferCut
    | NotTransferred
    | TroopsLost
    | DayCounted
    | DayNotCounted
    | Healed
    | BaseDestroyed
    | Won
)

__all__ = [
    "BaseDestroyed",
    "Captured",
    "Contested",
    "Converted",
    "DayCounted",
    "DayNotCounted",
    "DecidedBy",
    "Drawn",
    "Engaged",
    "Event",
    "Fought",
    "Healed",
    "Held",
    "InTransit",
    "Intercepted",
    "JointEngaged",
    "JointFailed",
    "Killed",
    "Liberated",
    "Moved",
    "MovedPartially",
    "NotTransferred",
    "PassedBy",
    "PlanCancelled",
    "Pushed",
    "Refused",
    "Retreated",
    "Ruled",
    "TransferCut",
    "Transferred",
    "TroopsLost",
    "Won",
]
