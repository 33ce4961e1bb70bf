"""R18: who may see the draft of a turn's moves."""

from __future__ import annotations

from datetime import datetime

from judging.battles.models import Draft
from judging.game.viewer import Viewer
from wargame.models.choices import Role


def is_published(draft: Draft, now: datetime) -> bool:
    """Whether everybody may see it."""
    return draft.publish_at is not None and draft.publish_at <= now


def may_see_draft(draft: Draft, viewer: Viewer, now: datetime) -> bool:
    """R18: before it is published, the moves are for movement and battle judges."""
    return may_rule(viewer) or is_published(draft, now)


def may_rule(viewer: Viewer) -> bool:
    """1.3, 3.3.3: movement and battle judges of the round."""
    return viewer.is_judge(Role.MOVEMENT) or viewer.is_judge(Role.BATTLE)
