"""Who answers what the rooms below ask: each question with the function above that answers it.

Apart from `apps`, because an app is imported before the rows, which all that answers stands on.
"""

from __future__ import annotations

from judging.accounts.second import reads as second
from judging.appeals import reads as appeals
from judging.armies import questions as of_armies
from judging.battles import of_turn
from judging.battles import questions as of_battles
from judging.battles import reads as battles
from judging.battles.strats import reads as strats
from judging.command.control import reads as control
from judging.command.control import writes as control_list
from judging.command.people import invitations
from judging.exchange import questions as of_files
from judging.game import judges, pages, positions, telling
from judging.live import reads as live
from judging.mercenaries import turn_input as mercenaries
from judging.notices import reads as notices
from judging.notifications import writes as notifications
from judging.penalties import turn_input as penalties
from judging.setup import reads as setup
from judging.tables.archive import importing as table_files
from judging.turns import battles as asked
from judging.turns import questions as of_turns


def give() -> None:
    """Gives every question its answer."""
    _of_the_base()
    _of_armies_turns_and_battles()
    _of_a_turn_to_its_battles()
    of_files.table_taken_in.is_answered_by(table_files.table_taken_in)


def _of_the_base() -> None:
    judges.lacks_second_factor.is_answered_by(second.lacks_second_factor)
    judges.answers.is_answered_by(appeals.answers)
    pages.live_version.is_answered_by(live.live_version)
    positions.penalties_for.is_answered_by(penalties.penalties_for)
    telling.tell.is_answered_by(notifications.tell)
    telling.lapse.is_answered_by(notifications.lapse)
    notices.narratives_of.is_answered_by(battles.narratives_of)


def _of_armies_turns_and_battles() -> None:
    of_armies.places_of.is_answered_by(setup.places_of)
    of_armies.handed_in_earlier.is_answered_by(invitations.handed_in_earlier)
    of_armies.battles_of.is_answered_by(strats.battles_of)
    of_turns.mercenary_acts_for.is_answered_by(mercenaries.acts_for)
    of_turns.enlist.is_answered_by(control_list.enlist)
    of_turns.present_players.is_answered_by(control.present_players)
    of_battles.open_appeals.is_answered_by(appeals.open_appeals)
    of_battles.appeals_against_result.is_answered_by(appeals.against_result)


def _of_a_turn_to_its_battles() -> None:
    asked.battles_of_turn.is_answered_by(battles.battles_of_turn)
    asked.unfought_battles.is_answered_by(of_turn.unfought_battles)
    asked.results_since.is_answered_by(of_turn.results_since)
    asked.published_results.is_answered_by(of_turn.published_results)
    asked.open_battles.is_answered_by(of_turn.open_battles)
    asked.open_late_battles.is_answered_by(of_turn.open_late_battles)
    asked.strats_due.is_answered_by(of_turn.strats_due)
    asked.bring_deadlines_forward.is_answered_by(of_turn.bring_deadlines_forward)
    asked.put_deadlines_back.is_answered_by(of_turn.put_deadlines_back)
    asked.held_battles.is_answered_by(of_turn.held_battles)
    asked.cancel_battles.is_answered_by(of_turn.cancel_battles)
    asked.is_of_a_battle.is_answered_by(of_turn.is_of_a_battle)
    asked.set_opponents.is_answered_by(of_turn.set_opponents)
