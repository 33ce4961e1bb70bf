"""4.1.1: the draft of a strat, for its writer, and what is to be said of what it asks for before it is sent."""

from __future__ import annotations

from judging.models import Strat, StratDraft
from judging.selectors.battle_views import BattleView, FighterView
from judging.selectors.viewer import Viewer
from wargame.rules.book.risked_troops import RISKED, Risk, why_no_risk
from wargame.rules.core.troops import alive_by_slot

Remark = tuple[str, str]
"""A sentence and the rule that it is about."""


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


def remarks_on(view: BattleView, fighter: FighterView, risk: str, runs: bool, leaves: str, to: str) -> list[Remark]:
    """R35: what is missing or can't be in a strat's requests, and what they will cost."""
    found: list[Remark] = []
    if risk in list(Risk):
        found.append(_on_risk(view, fighter, Risk(risk)))
    if runs:
        found.append(("Whoever runs deals no losses, takes fewer, and loses the battle.", "4.2.6"))
    if runs and risk:
        found.append(("A side that runs away wins nothing, so it risks no troops: the kill or capture is off.", "R41"))
    side = view.sides[0] if fighter in view.sides[0] else view.sides[1]
    if len(side) > 1 and not leaves:
        asked = "you named a square but no army" if to else "you named neither army nor square"
        found.append((f"If your side wins, one of you leaves; {asked}, so it is drawn.", "4.4"))
    return found


def _on_risk(view: BattleView, fighter: FighterView, risk: Risk) -> Remark:
    army = fighter.army
    why = why_no_risk(army, risk, [one.army for one in view.fighters if one.army.is_enemy(army)])
    slot = 4 if risk is Risk.KILL else 1
    alive, risked = alive_by_slot(army.troops)[slot - 1], RISKED[risk][slot - 1]
    if why:
        return f"{why.sentence} {army.name} has {alive:,} in slot {slot}.", why.cites
    return (
        f"{risked:,} of the {alive:,} in slot {slot} don't fight; they may die if the {risk.value} fails or the "
        "battle is lost.",
        "R39" if risk is Risk.KILL else "R40",
    )
