"""4.1.1, R35: which strat counts for an army, and until when it may come."""

from __future__ import annotations

from datetime import datetime

from django.db.models import Q

from judging.models import Battle, BattleArmy, Strat
from judging.selectors.control import last_moment
from wargame.models import Control
from wargame.rules.receipts import receipt


def deadline_of(entry: BattleArmy, battle: Battle) -> datetime:
    """R5, 5.4.1: until when an army's strat is in time: its own extension, else the battle's deadline."""
    return max(entry.deadline, battle.deadline) if entry.deadline else battle.deadline


def last_deadline(battle: Battle) -> datetime:
    """R5: when the last army of a battle has its deadline."""
    return max((deadline_of(entry, battle) for entry in battle.entries.all()), default=battle.deadline)


def counting_strats(battle: Battle) -> dict[str, Strat]:
    """R35, 5.2.3: the strat that counts, by the army's name; an army without one is not among them.

    It is the last one that came in time, or that a judge accepted, from somebody who controls the army at the
    deadline, and the last of a contingency only if there is none. Before the deadline it is what would count now.
    A mercenary's is the last one of the mercenary judge (R49).
    """
    in_time = Q(late=False) | Q(accepted_at__isnull=False)
    rows = Strat.objects.filter(in_time, entry__battle=battle).select_related("entry")
    controllers = _controllers(battle)
    found: dict[str, Strat] = {}
    for strat in rows.order_by("sent_at", "pk"):
        entry, before = strat.entry, found.get(strat.entry.name)
        is_own = strat.player_id is None or (entry.army_id, strat.player_id) in controllers
        if strat.as_contingency and (before is None or before.as_contingency) or is_own and not strat.as_contingency:
            found[entry.name] = strat
    return found


def all_sent(battle: Battle) -> bool:
    """4.1.1: whether every army of a team has a strat of its controller, so that nothing need be waited for."""
    counting = counting_strats(battle)
    teams = battle.entries.exclude(army__side="mercenary").values_list("name", flat=True)
    return all(name in counting and not counting[name].as_contingency for name in teams)


def _controllers(battle: Battle) -> set[tuple[int, int]]:
    """R13, R35: the armies and their controllers, each at its own deadline."""
    found: set[tuple[int, int]] = set()
    deadlines = {entry.army_id: last_moment(deadline_of(entry, battle)) for entry in battle.entries.all()}
    rows = Control.objects.filter(army__in=deadlines)
    for army, player, since, until in rows.values_list("army_id", "player_id", "since", "until"):
        when = deadlines[army]
        if since <= when and (until is None or until > when):
            found.add((army, player))
    return found


def receipt_of(strat: Strat) -> str:
    """R35: the receipt of a strat's text and requests as they are stored: its `sha256`, if nobody changed them."""
    return receipt(
        salt=strat.salt,
        text=strat.text,
        risk=strat.risk,
        runs=strat.runs,
        leaves=strat.leaves,
        leaves_to=strat.leaves_to,
    )
