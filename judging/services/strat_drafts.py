"""4.1.1: a strat while it is being written, kept for its writer alone."""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError, transaction

from judging.models import Battle, BattleArmy, StratDraft
from judging.selectors.control import controllers_of
from judging.services.errors import Refused
from judging.services.strats import MAX_STRAT
from judging.services.texts import check_storable
from wargame.models import Army, Player
from wargame.rules.book.risked_troops import Risk


def keep_strat_draft(
    *,
    battle: Battle,
    army: Army,
    player: Player | None,
    text: str,
    risk: str,
    runs: bool,
    leaves: str,
    leaves_to: str,
    base_version: int,
    now: datetime,
) -> StratDraft:
    """4.1.1: stores the draft on top of version `base_version` (0: none yet); the same again changes nothing.

    Refused for somebody who neither controls the army nor is its controller's contingency (5.4.1), for a text that
    is too long, and where another window of the same writer has saved since.
    """
    check_storable(text, what="strat", cites="R35")
    if len(text) > MAX_STRAT:
        raise Refused(f"The strat has {len(text):,} characters; it may have at most {MAX_STRAT:,}.", "R35")
    entry = BattleArmy.objects.filter(battle=battle, army=army).first()
    if entry is None or player is None or not _may_write(army, player, now):
        raise Refused(f"You don't control {army.name}, so you can't write its strat.", "5.4.1")
    typed = {
        "text": text.replace("\r\n", "\n").replace("\r", "\n"),
        "risk": risk if risk in list(Risk) else "",
        "runs": runs,
        "leaves": leaves[:40],
        "leaves_to": leaves_to[:3],
    }
    present = StratDraft.objects.filter(entry=entry, player=player).first()
    if present is not None and all(getattr(present, field) == value for field, value in typed.items()):
        return present
    if present is None:
        return _first(entry, player, typed, now)
    rows = StratDraft.objects.filter(pk=present.pk, version=base_version)
    if not rows.update(**typed, version=base_version + 1, saved_at=now):
        raise _stale(entry, player)
    return StratDraft.objects.get(pk=present.pk)


def _first(entry: BattleArmy, player: Player, typed: dict[str, object], now: datetime) -> StratDraft:
    try:
        with transaction.atomic():
            return StratDraft.objects.create(entry=entry, player=player, saved_at=now, **typed)
    except IntegrityError:
        raise _stale(entry, player) from None


def _stale(entry: BattleArmy, player: Player) -> Refused:
    present = StratDraft.objects.get(entry=entry, player=player)
    return Refused(
        f"Another window of yours saved this draft at {present.saved_at:%H:%M:%S} UTC. Its text is shown below; what "
        "you type here replaces it from now on.",
        "R35",
    )


def _may_write(army: Army, player: Player, now: datetime) -> bool:
    controllers = controllers_of(army, now)
    return player in controllers or player.pk in [controller.contingency_id for controller in controllers]
