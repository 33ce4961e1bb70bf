"""Who answers what the rooms below ask: each question with the function above that answers it.

Apart from `apps`, because an app is imported before the rows, which all that answers stands on.
"""

from __future__ import annotations

from judging.accounts.second import reads as second
from judging.appeals import reads as appeals
from judging.battles import questions as of_battles
from judging.battles import reads as battles
from judging.game import judges, pages, positions, telling
from judging.live import reads as live
from judging.notices import reads as notices
from judging.notifications import writes as notifications
from judging.penalties import turn_input as penalties


def give() -> None:
    """Gives every question its answer."""
    _of_the_base()
    _of_armies_turns_and_battles()


def _of_the_base() -> None:
    judges.lacks_second_factor.is_answered_by(second.lacks_second_factor)
    judges.answers.is_answered_by(appeals.answers)
    pages.live_version.is_answered_by(live.live_version)
    positions.penalties_for.is_answered_by(penalties.penalties_for)
    telling.tell.is_answered_by(notifications.tell)
    telling.lapse.is_answered_by(notifications.lapse)
    notices.narratives_of.is_answered_by(battles.narratives_of)


def _of_armies_turns_and_battles() -> None:
    of_battles.open_appeals.is_answered_by(appeals.open_appeals)
    of_battles.appeals_against_result.is_answered_by(appeals.against_result)
