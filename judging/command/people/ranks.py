"""1.1.1, 1.1.2, 2.5.2.1, R45: Giving ranks, and the consequences of a demotion.

5.3.4: A demotion that left too few armies no longer excuses anybody once there are enough again.
"""

from datetime import datetime

from django.utils.translation import gettext

from judging.command.control.powers import fill_power
from judging.command.control.services import ListState, hold_list, list_state, set_controllers, tell_list
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.texts import checked_text
from wargame.models import Judge, Player, RankChange, Round
from wargame.models.choices import Role, RoundState
from wargame.rules.command.control import Demotion, change_rank
from wargame.rules.command.last_armies import no_longer_excess
from wargame.rules.command.ranks import faction_breaches, rank_breaches, rank_title
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Rank, Side

MAX_REASON = 2_000


def end_excesses(round: Round, now: datetime) -> None:
    """5.3.4: Mark demotions after which there are enough armies again: somebody was promoted or has left, or armies
    were captured."""
    demoted = Player.objects.filter(round=round, made_excess=True)
    for side in demoted.order_by("side").values_list("side", flat=True).distinct():
        state = list_state(round, Side(side), now)
        for name in no_longer_excess(state.listed):
            demoted.filter(pk=state.players[name].pk).update(made_excess=False)


@locking.writes
def end_all_excesses(now: datetime) -> None:
    """5.3.4: Call `end_excesses` for every running round. A job does this after settlements, which capture armies."""
    for round_ in Round.objects.filter(state=RoundState.RUNNING, players__made_excess=True).distinct():
        end_excesses(round_, now)


@locking.writes
def give_rank(
    *,
    round: Round,
    by: Player | Judge | None,
    player: Player,
    rank: Rank | None,
    now: datetime,
    reason: str = "",
    shown: str | None = None,
) -> Demotion:
    """1.1.1, 1.1.2: Give a player another rank; None makes them a Drudge or a Cadet. Armies above it become free (R45).

    `shown`, if given, is the value of the rank that the form showed. Raises Refused without permission, beyond the
    maximum number of a rank (2.5.2.1), for a second Captain of a faction, and for the current rank. A judge must give a
    reason.
    """
    actor = checked_giver(round, by, player.side)
    turn_held = hold_list(round, now)
    side = Side(player.side)
    state = list_state(round, side, now)
    person = state.listed.person.get(player.name)
    if person is None or player.round_id != round.pk:
        raise Refused(
            gettext("%(name)s no longer plays for %(title)s.") % {"name": player.name, "title": side.title},
            "1.1",
        )
    if shown is not None and shown != state.players[player.name].rank:
        raise Refused(
            gettext("%(name)s is now %(rank_title)s. Reload the page and try again.")
            % {"name": player.name, "rank_title": rank_title(person.rank, side)},
            "1.1",
        )
    if rank == person.rank:
        raise Refused(
            gettext("%(name)s is already %(rank_title)s.")
            % {"name": player.name, "rank_title": rank_title(rank, side)},
            "1.1",
        )
    if isinstance(by, Judge):
        reason = checked_text(reason, what="reason", most=MAX_REASON, cites="1.3")
    check_breaches(rank_breaches(state.listed, "" if isinstance(by, Judge) else actor.name, player.name, rank))
    outcome = change_rank(state.listed, player.name, rank, now)
    target = state.players[player.name]
    target.made_excess = outcome.listed.person[player.name].made_excess
    set_rank(target, rank, by=actor, reason=reason, now=now)
    free_armies(state, outcome, now)
    end_excesses(round, now)
    data: dict[str, object] = {
        "player": player.name, "before": person.rank.value if person.rank else "", "after": rank.value if rank else "",
        "freed": list(outcome.freed), "reason": reason, "turn": turn_held.number if turn_held else None,
    }  # fmt: skip
    record(round, actor.user, "player.rank", data, now)
    if outcome.freed:
        _tell_freed(round, side, outcome, data, now)
    return outcome


def set_rank(player: Player, rank: Rank | None, *, by: Player | Judge, reason: str, now: datetime) -> None:
    """1.1: Set a player's rank, and record it in the history of their ranks. Checks nothing."""
    before, player.rank = player.rank, rank.value if rank else ""
    player.save(update_fields=["rank", "made_excess"])
    keep_change(player, before, by=by, reason=reason, now=now)
    fill_power(player)


def keep_change(player: Player, before: str, *, by: Player | Judge, reason: str, now: datetime) -> None:
    """1.1: Record a player's former rank, and who changed it."""
    role = by.role if isinstance(by, Judge) else ""
    RankChange.objects.create(
        player=player, before=before, after=player.rank, by=by.name, role=role, reason=reason, at=now
    )


def free_armies(state: ListState, outcome: Demotion, now: datetime) -> None:
    """5.3.1, R45: The freed armies become uncontrolled, unless another player also controlled them."""
    for name in outcome.freed:
        controllers = outcome.listed.army[name].controllers
        set_controllers(state.armies[name], [state.players[each] for each in controllers], now)


@locking.writes
def claim_factions(*, player: Player, factions: tuple[str, ...], now: datetime) -> None:
    """1.1.2: Set the up to three factions that a player is a member of; they hold their rank in the first.

    Their armies don't change (2.4). Raises Refused for a Captain whose faction has another one.
    """
    hold_list(player.round, now)
    control_list = list_state(player.round, Side(player.side), now).listed
    new_factions = tuple(dict.fromkeys(factions))
    person = control_list.person.get(player.name)
    if person is None:
        raise Refused(gettext("Only players in this round can claim factions."), "1.6")
    check_breaches(faction_breaches(control_list, person._replace(factions=new_factions)))
    if list(new_factions) == player.factions:
        return
    data = {"player": player.name, "before": player.factions, "after": list(new_factions)}
    player.factions = list(new_factions)
    player.save(update_fields=["factions"])
    record(player.round, player.user, "player.factions", data, now)


def checked_giver(round: Round, by: Player | Judge | None, side: str) -> Player | Judge:
    """1.1, 1.3: A player of that side, or a battle judge of the round. Raises Refused otherwise."""
    if isinstance(by, Judge):
        if by.round_id != round.pk or by.role != Role.BATTLE:
            raise Refused(gettext("Only battle judges of this round can decide that for a team."), "1.3")
        return by
    if by is None or by.round_id != round.pk or by.left_at is not None:
        raise Refused(gettext("Only a team's leaders can decide who belongs to it and what rank they have."), "1.1")
    if by.side != side:
        raise Refused(
            gettext("%(name)s doesn't play for %(title)s.") % {"name": by.name, "title": Side(side).title}, "1.1"
        )
    return by


def check_breaches(breaches: tuple[Finding, ...]) -> None:
    """Raise Refused with all breaches, if there are any."""
    if breaches:
        cites = ", ".join(dict.fromkeys(breach.cites for breach in breaches))
        raise Refused(" ".join(breach.sentence for breach in breaches), cites)


def told_rank(player: str, rank: Rank | None, side: Side, outcome: Demotion) -> str:
    """1.1, 5.3.1: The result of giving a rank, for the giver."""
    message = gettext("%(player)s is now %(rank)s.") % {"player": player, "rank": rank_title(rank, side)}
    if not outcome.freed:
        return message
    freed = gettext("No one controls %(armies)s now (5.3.1).") % {"armies": gettext(" and ").join(outcome.freed)}
    return f"{message} {freed}"


def _tell_freed(round: Round, side: Side, outcome: Demotion, data: dict[str, object], now: datetime) -> None:
    freed = {"side": side.value, "player": data["player"], "armies": list(outcome.freed)}
    record(round, None, "control.freed", freed, now)
    tell_list(round, "freed", {**data, "side": side.value, "needs_army": outcome.needs_army}, now)
