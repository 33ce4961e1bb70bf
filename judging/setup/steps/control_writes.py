"""2.5.2.3, 5.2.1: what a side's leaders ask for its armies: by which bases they start, and who controls the proxies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from judging.armies.musters.reads import is_leader
from judging.game.errors import Refused
from judging.game.log_entry import record
from judging.setup.steps.control import Start, starts_of
from judging.setup.steps.sites import is_revealed
from judging.setup.writes import open_setup
from wargame.models import Player, Round
from wargame.rules.core.sides import Side


@dataclass(frozen=True)
class Asked:
    """2.5.2.3, 5.2.1: for one army: the name of a base, empty for any; and the key of a player, None for nobody."""

    base: str = ""
    controller: int | None = None


@transaction.atomic
def ask_for_starts(*, round: Round, player: Player | None, asked: Mapping[int, Asked], now: datetime) -> int:
    """2.5.2.3, 5.2.1: keeps the requests of a leader, by the musters' keys; how many were changed.

    Refused for others, for a base before the bases are public, for one by which the army can't start, and for a player
    whose rank does not let him control it (5.3.1).
    """
    setup = open_setup(round)
    if player is None or player.round_id != round.pk or not is_leader(player):
        raise Refused("Only the leaders of a side ask where its armies start.", "2.5.2.3")
    starts = [start for start in starts_of(round, Side(player.side)) if start.muster.pk in asked]
    changed = [start.muster.name for start in starts if _change(start, asked[start.muster.pk], is_revealed(setup))]
    if changed:
        record(round, player.user, "setup.starts", {"side": player.side, "armies": len(changed)}, now)
    return len(changed)


def _change(start: Start, asked: Asked, is_public: bool) -> bool:
    muster = start.muster
    before = (muster.base, muster.controller_id)
    if asked.base != muster.base:
        _check_base(start, asked.base, is_public)
        muster.base = asked.base
    if muster.namesake is None and asked.controller != muster.controller_id:
        muster.controller = _able(start, asked.controller)
    if before == (muster.base, muster.controller_id):
        return False
    muster.save(update_fields=["base", "controller"])
    return True


def _check_base(start: Start, base: str, is_public: bool) -> None:
    name = start.muster.name
    if base and not is_public:
        raise Refused("Armies ask for bases once these are public.", "2.5.2.3")
    if base and base not in start.bases:
        own = f"a base of one of its colours ({', '.join(start.muster.colors)})" if start.muster.colors else "a portal"
        may = ", ".join(start.bases) or "there is none"
        raise Refused(f"{name} can't start by {base}: it starts by {own}: {may}.", "2.5.2.3")


def _able(start: Start, key: int | None) -> Player | None:
    if key is None:
        return None
    found = next((player for player in start.players if player.pk == key), None)
    if found is None:
        named = Player.objects.filter(pk=key, round_id=start.muster.round_id, side=start.muster.side).first()
        who = named.name if named else "Who is no player of your side"
        rank = start.rank.title
        raise Refused(f"{who} can't control {start.muster.name}, which is of rank {rank}: his own is lower.", "5.3.1")
    return found
