"""5.2.2.1, 5.2.3, 5.3.2: Who may request changes of a control list, contingencies, and a player's own permission."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from django.utils.translation import gettext, ngettext

from judging.command.control.requests import MAX_WHY, checked_list_judge
from judging.command.control.services import hold_list, list_state, tell_list
from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.texts import checked_text
from judging.common.viewer import Viewer
from wargame.models import Judge, Player, Round
from wargame.rules.command.control import contingency_breaches
from wargame.rules.command.ranks import CHIEF
from wargame.rules.core.sides import RANKS, Rank, Side

HOLDERS = 2
"""5.2.1: How many players of a side have authority to request changes."""


@locking.writes
def transfer_power(*, round: Round, player: Player | None, giver: str, to: str, now: datetime) -> str:
    """5.2.2.1: Transfer the power to request changes from `giver` to another player of the side; without a giver, fill
    the second place. Returns the message.

    The General/Chief Praetor may transfer either, also to themselves; a holder, their own. Raises Refused otherwise.
    """
    if player is None or player.round_id != round.pk:
        raise Refused(gettext("Only players in this round can transfer that power."), "1.6")
    hold_list(round, now)
    state = list_state(round, Side(player.side), now)
    holders = state.listed.may_ask
    is_chief = _is_chief(player)
    if not is_chief and (player.name not in holders or giver != player.name):
        chief = RANKS[Side(player.side)][0].title
        raise Refused(
            gettext(
                "Only the %(chief)s can transfer other players' power. If you have this power, you can transfer "
                "your own."
            )
            % {"chief": chief},
            "5.2.2.1",
        )
    if giver and giver not in holders:
        raise Refused(gettext("%(giver)s doesn't have this power.") % {"giver": giver[:40]}, "5.2.2.1")
    if not giver and len(holders) >= HOLDERS:
        raise Refused(
            gettext("%(holders)s have this power. Choose who should lose it.")
            % {"holders": gettext(" and ").join(holders)},
            "5.2.2.1",
        )
    if to not in state.players:
        raise Refused(
            gettext("“%(to)s” doesn't play for %(title)s.") % {"to": to[:40], "title": Side(player.side).title}, "1.1"
        )
    if to in holders:
        raise Refused(gettext("%(to)s already has this power.") % {"to": to}, "5.2.2.1")
    new_holders = [name for name in holders if name != giver] + [to]
    _set_holders(state.players, new_holders)
    data: dict[str, object] = {"side": player.side, "from": giver, "to": to, "holders": new_holders}
    record(round, player.user, "control.power", data, now)
    tell_list(round, "power", {**data, "by": player.name, "reason": ""}, now)
    return gettext("%(to)s can now ask for changes to the control list.") % {"to": to}


@locking.writes
def authorise(
    *, round: Round, judge: Judge | None, side: Side, names: Sequence[str], reason: str, now: datetime
) -> None:
    """5.2.2.2: A judge authorises other people of a side to request changes: two at most, with a reason."""
    judge = checked_list_judge(round, judge)
    reason = checked_text(reason, what="reason", most=MAX_WHY, cites="5.2.2.2")
    hold_list(round, now)
    state = list_state(round, side, now)
    new_holders = list(dict.fromkeys(name for name in names if name))
    strangers = [name for name in new_holders if name not in state.players]
    if strangers:
        raise Refused(
            gettext("“%(strangers)s” doesn't play for %(title)s.")
            % {"strangers": strangers[0][:40], "title": side.title},
            "1.1",
        )
    if len(new_holders) > HOLDERS:
        raise Refused(gettext("Only two players on each side can have this power."), "5.2.2.1")
    _set_holders(state.players, new_holders)
    data: dict[str, object] = {"side": side.value, "holders": new_holders, "reason": reason}
    record(round, judge.user, "control.power", data, now)
    tell_list(round, "power", {**data, "by": judge.name}, now)


@locking.writes
def set_contingencies(*, round: Round, player: Player | None, wanted: Mapping[str, str], now: datetime) -> int:
    """5.2.3: Set the contingency section of a side's list: one other player for each, by name; empty for none.

    For those who may request changes of the list. Returns how many changed; raises Refused for others and for oneself.
    """
    if player is None or player.round_id != round.pk or not player.may_change_control:
        raise Refused(
            gettext("Contingencies are part of the control list. Only players who can change it can set them."),
            "5.2.2.1",
        )
    state = list_state(round, Side(player.side), now)
    changed = {}
    for name, to in wanted.items():
        if name not in state.players:
            raise Refused(
                gettext("“%(name)s” doesn't play for %(title)s.")
                % {"name": name[:40], "title": Side(player.side).title},
                "1.1",
            )
        if to and (breaches := contingency_breaches(state.listed, name, to)):
            raise Refused(breaches[0].sentence[:300], breaches[0].cites)
        target, contingency = state.players[name], state.players.get(to)
        if target.contingency_id != (contingency.pk if contingency else None):
            target.contingency = contingency
            target.save(update_fields=["contingency"])
            changed[name] = to
    if changed:
        data: dict[str, object] = {"side": player.side, "contingencies": changed}
        record(round, player.user, "control.contingency", data, now)
        tell_list(round, "contingency", {"side": player.side, "changed": list(changed.items())}, now)
    return len(changed)


def change_contingencies(viewer: Viewer, wanted: Mapping[str, str], now: datetime) -> str:
    """5.2.3: Set contingencies with `set_contingencies`; returns the message."""
    number = set_contingencies(round=viewer.round, player=viewer.player, wanted=wanted, now=now)
    if not number:
        return gettext("Nothing changed.")
    message = ngettext("You changed %(number)s contingency.", "You changed %(number)s contingencies.", number)
    return message % {"number": number}


@locking.writes
def permit_namesake(*, player: Player, permits: bool, now: datetime) -> None:
    """5.3.2: A player permits that others get their namesake army, or withdraws the permission."""
    if Player.objects.filter(pk=player.pk, permits_namesake=not permits).update(permits_namesake=permits):
        record(player.round, player.user, "player.permits", {"player": player.name, "permits": permits}, now)


def fill_power(player: Player) -> None:
    """5.2.2.1: Usually the General/Chief Praetor has the power: they get it with their rank, if fewer than two have
    it."""
    holders = Player.objects.filter(
        round=player.round_id, side=player.side, may_change_control=True, left_at__isnull=True
    ).count()
    if _is_chief(player) and holders < HOLDERS:
        player.may_change_control = True
        player.save(update_fields=["may_change_control"])


def _set_holders(players: Mapping[str, Player], wanted: Sequence[str]) -> None:
    """First those who lose it, so that there are never three."""
    for name, player in sorted(players.items(), key=lambda each: each[0] in wanted):
        if player.may_change_control is not (name in wanted):
            player.may_change_control = name in wanted
            player.save(update_fields=["may_change_control"])


def _is_chief(player: Player) -> bool:
    return bool(player.rank) and Rank(player.rank).tier == CHIEF
