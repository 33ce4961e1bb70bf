"""What happened in a turn: every outcome is a value with its citation and why."""

from __future__ import annotations

from wargame.rules.mercenaries.events import (
    Disbanded,
    MercenaryDecided,
    NotDisbanded,
    NotSpawned,
    OrderedAfterLock,
    Spawned,
    SpawningRolled,
    WentToWar,
)
from wargame.rules.moves.events import (
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
from wargame.rules.settling.events import (
    BaseDestroyed,
    Captured,
    ChangeRefused,
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
    Penalised,
    Personalised,
    Retreated,
    TransferCut,
    Transferred,
    TroopsChanged,
    TroopsLost,
    Won,
)

Event = (
    Refused
    | MercenaryDecided
    | OrderedAfterLock
    | WentToWar
    | SpawningRolled
    | Spawned
    | NotSpawned
    | Disbanded
    | NotDisbanded
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
    | Penalised
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
    | TroopsChanged
    | Personalised
    | ChangeRefused
    | BaseDestroyed
    | Won
)

__all__ = [
    "BaseDestroyed",
    "Captured",
    "ChangeRefused",
    "Contested",
    "Converted",
    "DayCounted",
    "DayNotCounted",
    "DecidedBy",
    "Disbanded",
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
    "MercenaryDecided",
    "Moved",
    "MovedPartially",
    "NotDisbanded",
    "NotSpawned",
    "NotTransferred",
    "OrderedAfterLock",
    "PassedBy",
    "Penalised",
    "Personalised",
    "PlanCancelled",
    "Pushed",
    "Refused",
    "Retreated",
    "Ruled",
    "Spawned",
    "SpawningRolled",
    "TransferCut",
    "Transferred",
    "TroopsChanged",
    "TroopsLost",
    "WentToWar",
    "Won",
]
