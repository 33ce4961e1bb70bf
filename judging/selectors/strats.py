"""4.1.1, R35: which strat counts for an army."""

from __future__ import annotations

from django.db.models import Q

from judging.models import Battle, Strat
from judging.selectors.control import last_moment
from wargame.models import Control


def counting_strats(battle: Battle) -> dict[str, Strat]:
    """R35, 5.2.3: the strat that counts, by the army's name; an army without one is not among them.

    It is the last one that came in time from somebody who controls the army at the deadline, and the last of
    a contingency only if there is none. Before the deadline it is what would count now. A mercenary's is the
    last one of the mercenary judge (R49).
    """
    rows = Strat.objects.filter(entry__battle=battle, late=False).select_related("entry__army")
    controllers = _controllers(battle)
    found: dict[str, Strat] = {}
    for strat in rows.order_by("sent_at", "pk"):
        army, before = strat.entry.army, found.get(strat.entry.army.name)
        is_own = strat.player_id is None or (army.pk, strat.player_id) in controllers
        if strat.as_contingency and (before is None or before.as_contingency) or is_own and not strat.as_contingency:
            found[army.name] = strat
    return found


def all_sent(battle: Battle) -> bool:
    """4.1.1: whether every army of a team has a strat of its controller, so that nothing need be waited for."""
    counting = counting_strats(battle)
    teams = battle.entries.exclude(army__side="mercenary").values_list("army__name", flat=True)
    return all(name in counting and not counting[name].as_contingency for name in teams)


def _controllers(battle: Battle) -> set[tuple[int, int]]:
    """R13, R35: the armies and their controllers at the battle's deadline."""
    when = last_moment(battle.deadline)
    rows = Control.objects.filter(Q(until__isnull=True) | Q(until__gt=when), since__lte=when)
    return set(rows.filter(army__battle_entries__battle=battle).values_list("army_id", "player_id"))
