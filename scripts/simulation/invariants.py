"""All invariants of a settlement. Each gives what breaks it, in words; a name is a sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from scripts.simulation import invariants_of_mercenaries as mercenaries
from scripts.simulation import invariants_of_moves as moves
from scripts.simulation import invariants_of_order as order
from scripts.simulation import invariants_of_troops as troops
from scripts.simulation.played import PlayedTurn

Invariant = Callable[[PlayedTurn], Iterator[str]]

INVARIANTS: tuple[Invariant, ...] = (
    moves.nobody_is_off_the_map,
    moves.friends_share_a_square_in_joint_engagements_alone,
    moves.enemies_on_a_square_fight,
    moves.every_army_is_where_its_events_say,
    moves.nobody_goes_farther_than_its_rule_allows,
    moves.a_refused_army_stays,
    moves.who_fights_or_is_captive_stays,
    moves.only_the_killed_are_gone,
    troops.troops_are_between_none_and_strength,
    troops.troops_are_conserved,
    troops.losses_are_those_of_the_results,
    troops.days_grow_by_one_where_an_army_stays,
    mercenaries.no_two_mercenaries_choose_one_square,
    mercenaries.an_order_by_the_guidelines_is_legal,
    mercenaries.raiders_keep_away_from_what_is_built,
    mercenaries.armies_at_war_keep_away_from_bases,
    mercenaries.defenders_hold_their_towns,
    order.the_order_of_the_posts_is_irrelevant,
    order.the_teams_are_alike,
    order.the_draft_is_the_settlement_s_beginning,
    order.a_position_survives_being_written_down,
    order.an_order_that_is_written_reads_back,
)


def broken(turn: PlayedTurn) -> Iterator[tuple[str, str]]:
    """The invariants that a turn breaks: the name of each and what is wrong."""
    for invariant in INVARIANTS:
        for what in invariant(turn):
            yield invariant.__name__.replace("_", " "), what
