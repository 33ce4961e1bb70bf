"""4.1, 4.2: the strats of a turn's battles, and their judging."""

from collections import Counter
from dataclasses import dataclass, replace
from datetime import datetime
from random import Random

from django.db import transaction

from judging.battles.desk.publishing import publish_result
from judging.battles.desk.scoring import WHOLE, ScoreReason, lock_score
from judging.battles.models import Battle, BattleArmy
from judging.battles.resolution import criteria_of
from judging.battles.strats.queries import counting_strats
from judging.battles.strats.services import send_strat
from judging.common import locking
from judging.common.control import controllers_of
from judging.common.positions import position_of
from judging.demo import loading
from judging.demo.loading import Row
from judging.demo.times import PRESENT
from wargame.models import Judge
from wargame.rules.battle.criteria import MOST_APART
from wargame.rules.battle.four_dice import Why
from wargame.rules.book.risked_troops import Risk, why_no_risk
from wargame.rules.core.position import Army
from wargame.rules.core.sides import Side

FAR_STRONGER = 2
"""How many ranks higher an enemy must be before an army runs away."""

RISKY = {1: 1, 2: 1, 3: 1, PRESENT: 2}
"""How often each plan for a kill or a capture was used by the end of a turn, if it suits any army."""

FLIGHT = """\
{winner} came to the {terrain} at sunrise in full order and found warm ashes. {loser} had left in the night by three
roads at once, with the tents standing and the fires well fed, and what fighting there was took place between rear
guards who did not wish to be there either. The pursuit caught some carts, some stragglers and a quantity of soup. As
battles go it was short, and as retreats go it was tidy. {winner} holds the field and may keep the soup.
"""
"""4.2.6: the narrative of a battle from which one side ran away."""


@dataclass(frozen=True)
class Sending:
    """A strat to send: the army, the part of the turn, and whether a contingency helps out."""

    entry: BattleArmy
    at: float
    by_contingency: bool = False


def sendings(battles: list[Battle], number: int, rng: Random) -> list[Sending]:
    """4.1.1: who sends strats when in turn `number`.

    Of the present battles of the two teams the first has all, and the second those of one side. Before that one
    contingency helps out once (5.2.3), and once a strat is late.
    """
    entries = [
        (place, entry)
        for place, battle in enumerate(sorted(battles, key=_has_mercenaries) if number == PRESENT else battles)
        for entry in battle.entries.select_related("army", "battle").exclude(army__side="mercenary")
    ]
    if number == PRESENT:
        entries = [(place, entry) for place, entry in entries if place == 0 or (place, entry.side) == (1, 0)]
    result = [Sending(entry, rng.uniform(0.15, 0.68)) for _, entry in entries]
    if number == 2 and result:
        result[0] = replace(result[0], at=0.8, by_contingency=True)
    if number == 3 and len(battles) > 1:
        result[-1] = replace(result[-1], at=0.88)
    return result


def _has_mercenaries(battle: Battle) -> bool:
    return battle.entries.filter(army__side="mercenary").exists()


class StratTexts:
    """The texts of the demo, dealt so that none is repeated before all that suit are used."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._used: Counter[str] = Counter()

    def send(self, sending: Sending, now: datetime) -> None:
        """R35: the controller of the army sends a strat that suits it, or their contingency does."""
        battle, army = sending.entry.battle, sending.entry.army
        controller = controllers_of(army, now)[0]
        contingency = controller.contingency if sending.by_contingency else None
        strat = self._strat_for(battle, position_of(battle.turn).by_name[army.name])
        send_strat(
            battle=battle,
            army=army,
            player=contingency or controller,
            text=strat["text"],
            risk=strat["request"] if strat["request"] in list(Risk) else "",
            runs=strat["request"] == "run",
            leaves="",
            leaves_to="",
            token=f"demo-{sending.entry.pk}",
            now=now,
        )

    def score(self, battle: Battle, judge: Judge, now: datetime) -> None:
        """4.2.1: a bonus for the better plan; none where the rules give it (R36)."""
        entries = battle.entries.select_related("army")
        sides = {entry.name: entry.side for entry in entries}
        heard = {sides[name] for name in counting_strats(battle)}
        is_judged = all(entry.side in heard or entry.army.side == Side.MERCENARY for entry in entries)
        bonus = self._rng.randint(0, 7) if len(heard) == 2 else 0
        favours = self._rng.randint(0, 1) if bonus else None
        reasons = self._reasons(battle, bonus) if is_judged else {}
        lock_score(battle=battle, judge=judge, favours=favours, bonus=bonus, reasons=reasons, now=now)

    def _reasons(self, battle: Battle, bonus: int) -> dict[str, ScoreReason]:
        """R54: a reason, and marks near the bonus on the criteria of the round, one with a sentence; drawn apart
        from the war's own random numbers."""
        rng = Random(f"reasons of battle {battle.number} of turn {battle.turn.number}")
        whole, sentence = rng.sample(loading.read("history")["reasons"], 2)
        reasons = {WHOLE: ScoreReason(0, whole)}
        for place, criterion in enumerate(criteria_of(battle.turn.round) if bonus else ()):
            mark = bonus + rng.randint(-MOST_APART, MOST_APART)
            reasons[criterion.name] = ScoreReason(mark, "" if place else sentence)
        return reasons

    def publish(self, battle: Battle, judge: Judge, now: datetime) -> None:
        """4.2.5: the result, with a narrative that fits the winner."""
        winner, fled = _rehearse(battle, judge, now)
        names: tuple[list[str], list[str]] = ([], [])
        for entry in battle.entries.all():
            names[entry.side].append(entry.name)
        narrative = FLIGHT if fled else self._narrative_for(battle)
        narrative = narrative.format(
            winner=" and ".join(names[winner]), loser=" and ".join(names[1 - winner]), terrain=battle.terrain
        )
        publish_result(battle=battle, judge=judge, narrative=narrative, now=now)

    def _strat_for(self, battle: Battle, army: Army) -> Row:
        """A suitable strat, preferably one for a kill or a capture; if there is none, one that any army could have
        written. Only one army ever runs away."""
        strats = loading.read("history")["strats"]
        fitting = [strat for strat in strats if _suits(strat, battle, army)]
        fitting = [strat for strat in fitting if strat["request"] != "run" or not self._used[strat["title"]]]
        most = RISKY[battle.turn.number]
        risky = [strat for strat in fitting if strat["request"] in list(Risk) and self._used[strat["title"]] < most]
        if risky:
            return self._least_used(risky, "title")
        fitting = [strat for strat in fitting if strat["request"] not in list(Risk)]
        plain = [strat for strat in strats if strat["request"] == "none" and not strat["teams"]]
        return self._least_used(fitting or plain, "title")

    def _narrative_for(self, battle: Battle) -> str:
        narratives = loading.read("history")["narratives"]
        fitting = [row for row in narratives if not row["terrains"] or battle.terrain in row["terrains"]]
        return str(self._least_used(fitting, "text")["text"])

    def _least_used(self, rows: list[Row], key: str) -> Row:
        fewest = min(self._used[row[key]] for row in rows)
        row = self._rng.choice([row for row in rows if self._used[row[key]] == fewest])
        self._used[row[key]] += 1
        return row


def _suits(strat: Row, battle: Battle, army: Army) -> bool:
    """A strat is for some teams, terrains and colours; a kill or a capture must be possible (4.3.2, 4.5); few run."""
    position = position_of(battle.turn)
    fighters = (position.by_name[name] for name in position.battle_of[army.name].armies)
    enemies = [fighter for fighter in fighters if fighter.is_enemy(army)]
    if strat["request"] in list(Risk) and why_no_risk(army, Risk(strat["request"]), enemies):
        return False
    if strat["request"] == "run" and min(enemy.tier for enemy in enemies) > army.tier - FAR_STRONGER:
        return False
    if strat["colors"] and not set(strat["colors"]) & _colors(army):
        return False
    return (not strat["teams"] or army.side.value in strat["teams"]) and (
        not strat["terrains"] or battle.terrain in strat["terrains"]
    )


def _colors(army: Army) -> set[str]:
    kinds = [troop.colors for troop in army.troops]
    color_names = {color for colors in kinds for color in colors}
    return color_names | {"multicolor" for c in kinds if len(c) > 1} | {"colorless" for c in kinds if not c}


def _rehearse(battle: Battle, judge: Judge, now: datetime) -> tuple[int, bool]:
    """R38: who will win, and whether the others run away. Seed, strats and score decide it, so a result that is
    rolled back shows it."""
    with locking.transaction():
        result = publish_result(battle=battle, judge=judge, narrative="", now=now)
        transaction.set_rollback(True)
    return result.winner, result.outcome["why"] == Why.RAN.name
