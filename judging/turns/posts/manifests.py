"""3.2.4.2: transfer manifests. Before the settlement only their author and the movement judges see them."""

from __future__ import annotations

from datetime import datetime

from judging.game.control import armies_of
from judging.game.rounds import position_of
from judging.game.viewer import Viewer
from judging.turns.models import Manifest
from wargame.models import Turn
from wargame.rules.core.position import Army


def transferring_armies(turn: Turn, viewer: Viewer, now: datetime) -> list[Army]:
    """3.2.4.1: the viewer's armies that may send troops: on the map, and not within a base, portal or town."""
    position = position_of(turn)
    names = armies_of(viewer.player, now) if viewer.player else ()
    armies = [position.by_name[name] for name in names if name in position.by_name]
    return [army for army in armies if not position.board.is_built(army.at)]


def sent_manifests(turn: Turn, viewer: Viewer) -> list[Manifest]:
    """R28: the viewer's own manifests of a turn, the one that counts for its army first."""
    if viewer.player is None:
        return []
    return list(Manifest.objects.filter(turn=turn, player=viewer.player).order_by("-pk"))
