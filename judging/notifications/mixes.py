"""R38: whose word the dice wait for is told, and the judge when they wait for nothing more."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from judging.battles.mixing import awaited, waits_until
from judging.battles.models import Battle
from judging.battles.strats.reads import counting_strats
from judging.game.telling import News
from judging.notifications.cast import Cast, of_battle, present_controllers
from wargame.models import Turn
from wargame.models.choices import DiceMix, Role

KINDS = ("word.due", "judge.roll")


def mix_news(turn: Turn, cast: Cast, now: datetime) -> Iterator[News]:
    """R38: of battles that are scored and not rolled. A word is handed over by who sealed it, or controls the army."""
    rows = Battle.objects.filter(turn=turn, state=Battle.State.SCORED).exclude(dice_mix=DiceMix.COMMITTED)
    for battle in rows.select_related("score").defer("weather"):
        battle.turn = turn
        counting = counting_strats(battle)
        waits = awaited(battle, counting, battle.score, now)
        data, until = of_battle(battle), waits_until(battle, battle.score)
        about = (turn.round_id, turn.number)
        if waits is None:
            if any(strat.word_sha256 for strat in counting.values()) or battle.dice_mix == DiceMix.BEACON:
                for user in cast.judges(Role.BATTLE):
                    yield News(user, "judge.roll", f"battle-{battle.pk}", now, *about, data)
            continue
        sealed = {name: counting[name] for name in waits.armies}
        control = present_controllers(strat.entry.army_id for strat in sealed.values())
        for name, strat in sealed.items():
            users = {*control.get(strat.entry.army_id, ()), *([strat.player.user_id] if strat.player else [])}
            told = data | {"army": name, "until": until.isoformat()}
            for user in sorted(users):
                yield News(user, "word.due", f"strat-{strat.pk}", now, *about, told, until)
