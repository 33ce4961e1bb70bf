"""4.1.1, R35: a strat while it is being written: kept for its writer alone, with remarks on what it asks for.

Apart from `pages`, because keeping one is writing, and from `reads`, because the remarks look at a battle as its page
shows it, which itself reads strats.
"""

from __future__ import annotations

from datetime import datetime

from django.db import IntegrityError
from django.utils.translation import gettext

from judging.battles.models import Battle, BattleArmy, Strat, StratDraft
from judging.battles.shapes import BattleView, FighterView
from judging.battles.strats.writes import MAX_STRAT
from judging.game import locking
from judging.game.control import controllers_of
from judging.game.errors import Refused
from judging.game.texts import check_storable
from judging.game.viewer import Viewer
from wargame.models import Army, Player
from wargame.rules.book.risked_troops import RISKED, Risk, why_no_risk
from wargame.rules.core.saying import grouped
from wargame.rules.core.troops import alive_by_slot

Remark = tuple[str, str]
"""A sentence and the rule that it is about."""


@locking.writes
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
    form: str = "",
) -> StratDraft | None:
    """4.1.1: stores the draft on top of version `base_version` (0: none yet); the same again changes nothing. None, and
    nothing is stored, if the form of that name was sent meanwhile: what its page still keeps is void.

    Refused for somebody who neither controls the army nor is its controller's contingency (5.4.1), for a text that
    is too long, and where another window of the same writer has saved since.
    """
    check_storable(text, what="strat", cites="R35")
    if len(text) > MAX_STRAT:
        raise Refused(
            gettext("The strat has %(number)s characters; the limit is %(most)s.")
            % {"number": grouped(len(text)), "most": grouped(MAX_STRAT)},
            "R35",
        )
    entry = BattleArmy.objects.filter(battle=battle, army=army).first()
    if entry is None or player is None or not _may_write(army, player, now):
        raise Refused(
            gettext("You don't control %(name)s, so you can't write its strat.") % {"name": army.name}, "5.4.1"
        )
    if form and Strat.objects.filter(entry=entry, player=player, token=form).exists():
        return None
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
    # The version is compared by the update itself: of two windows that save at once, the second one is told.
    rows = StratDraft.objects.filter(pk=present.pk, version=base_version)
    if not rows.update(**typed, version=base_version + 1, saved_at=now):
        raise _stale(entry, player)
    return StratDraft.objects.get(pk=present.pk)


def strat_draft_of(view: BattleView, fighter: FighterView, viewer: Viewer) -> StratDraft | None:
    """R35: the viewer's own draft; nobody reads another's."""
    if viewer.player is None:
        return None
    drafts = StratDraft.objects.filter(entry__battle=view.id, entry__name=fighter.name)
    return drafts.filter(player=viewer.player).first()


def last_strat_of(view: BattleView, fighter: FighterView, viewer: Viewer) -> Strat | None:
    """R35: what the viewer sent last, which a new strat begins with: it replaces text and requests as a whole."""
    if viewer.player is None:
        return None
    strats = Strat.objects.filter(entry__battle=view.id, entry__name=fighter.name, player=viewer.player)
    return strats.order_by("sent_at", "pk").last()


def what_cannot_be_risked(view: BattleView, fighter: FighterView) -> dict[str, str]:
    """4.3.2, 4.5: why a kill or a capture can't be tried, by its name; what can be is not there."""
    enemies = [one.army for one in view.fighters if one.army.is_enemy(fighter.army)]
    found = {risk.value: why_no_risk(fighter.army, risk, enemies) for risk in Risk}
    return {name: f"{why.sentence} ({why.cites})" for name, why in found.items() if why}


def remarks_on(view: BattleView, fighter: FighterView, risk: str, runs: bool, leaves: str, to: str) -> list[Remark]:
    """R35: what is missing or can't be in a strat's requests, and what they will cost."""
    said: list[Remark] = []
    if risk in list(Risk):
        said.append(_on_risk(view, fighter, Risk(risk)))
    if runs:
        said.append(
            (gettext("If you run away, you cause no losses and lose the battle, but you take fewer losses."), "4.2.6")
        )
    if runs and risk:
        said.append(
            (gettext("A side that runs away wins nothing, so it can't risk troops for a kill or capture."), "R41")
        )
    side = view.sides[0] if fighter in view.sides[0] else view.sides[1]
    if len(side) > 1 and not leaves:
        asked = gettext("you named a square but no army") if to else gettext("you named neither army nor square")
        said.append(
            (
                gettext("If your side wins, one of its armies must leave. The choice is random, because %(asked)s.")
                % {"asked": asked},
                "4.4",
            )
        )
    return said


def _first(entry: BattleArmy, player: Player, typed: dict[str, object], now: datetime) -> StratDraft:
    """Two windows may save the first draft in the same moment: the database lets one row in, the other is told."""
    try:
        with locking.transaction():
            return StratDraft.objects.create(entry=entry, player=player, saved_at=now, **typed)
    except IntegrityError:
        raise _stale(entry, player) from None


def _stale(entry: BattleArmy, player: Player) -> Refused:
    present = StratDraft.objects.get(entry=entry, player=player)
    told = gettext(
        "You saved this draft in another window at %(time)s UTC. That text is shown below. What you type here "
        "will replace it."
    )
    return Refused(told % {"time": f"{present.saved_at:%H:%M:%S}"}, "R35")


def _may_write(army: Army, player: Player, now: datetime) -> bool:
    controllers = controllers_of(army, now)
    return player in controllers or player.pk in [controller.contingency_id for controller in controllers]


def _on_risk(view: BattleView, fighter: FighterView, risk: Risk) -> Remark:
    army = fighter.army
    why = why_no_risk(army, risk, [one.army for one in view.fighters if one.army.is_enemy(army)])
    slot = 4 if risk is Risk.KILL else 1
    alive, risked = alive_by_slot(army.troops)[slot - 1], RISKED[risk][slot - 1]
    if why:
        has = gettext("Slot %(slot)s of %(army)s holds %(number)s.")
        return f"{why.sentence} {has % {'army': army.name, 'number': grouped(alive), 'slot': slot}}", why.cites
    fields = {"risked": grouped(risked), "number": grouped(alive), "slot": slot}
    if risk is Risk.KILL:
        told = gettext(
            "%(risked)s of the %(number)s troops in slot %(slot)s won't fight. They may die if the kill fails or "
            "the battle is lost."
        )
        return told % fields, "R39"
    told = gettext(
        "%(risked)s of the %(number)s troops in slot %(slot)s won't fight. They may die if the capture fails or "
        "the battle is lost."
    )
    return told % fields, "R40"
