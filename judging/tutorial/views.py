"""A turn that anybody may try, without an account: seven steps whose whole state is the input, in the URL.

Nothing is stored and no round is read, so that a step costs a few milliseconds of the rules' work and no query of its
own; requests from an IP address are limited all the same.
"""

from collections.abc import Mapping
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.accounts.throttling import is_too_often
from judging.common.rounds import running_round
from judging.svg.map import DRAWN, draw
from judging.svg.terrain import CELL
from judging.tutorial.lesson import (
    BONUS,
    CARDS,
    COMMITMENT,
    ENEMY,
    HIGH,
    LONGEST_ORDER,
    LONGEST_STRAT,
    OWN,
    POSITION,
    RIGHT,
    SEED,
    STRAT,
    WIDE,
    WRONG,
    Lesson,
    choices,
)
from wargame.rules.core.position import Army, Position
from wargame.rules.settlement import Settlement
from wargame.rules.telling.telling import tell_events

MOST, PER = 900, 600
"""The most steps that an IP address may request, and the seconds for it: enough for a class of thirty."""

TITLES = (
    gettext_noop("Your army"),
    gettext_noop("A refused order"),
    gettext_noop("An order that counts"),
    gettext_noop("The lock"),
    gettext_noop("A strat"),
    gettext_noop("The dice"),
    gettext_noop("The map afterwards"),
)
LOOK, WRONG_ORDER, RIGHT_ORDER, LOCK, STRAT_STEP, DICE, AFTER = range(1, len(TITLES) + 1)
MARGIN = 22
SHOWN_EVENTS = ("moved", "held", "engaged", "fought", "killed", "retreated", "healed", "day_counted")


@require_safe
@never_cache
def sandbox(request: HttpRequest) -> HttpResponse:
    """One step of the lesson: `?step=`, with the typed `order` and `strat`. A step that needs more than that is
    replaced by the one that asks for it."""
    if is_too_often(request, "sandbox", MOST, PER):
        return render(request, "sandbox/too_often.html", status=429)
    query = request.GET
    lesson = Lesson.of(query.get("order", ""), query.get("strat", ""))
    step = _step(query.get("step", ""), lesson)
    context = {
        "step": step,
        "titles": list(enumerate(map(gettext, TITLES), 1)),
        "title": gettext(TITLES[step - 1]),
        "lesson": lesson,
        "own": OWN,
        "enemy": ENEMY,
        "longest_order": LONGEST_ORDER,
        "longest_strat": LONGEST_STRAT,
        "address": {"back": _address(step - 1, lesson), "next": _address(step + 1, lesson)},
        "running": running_round(),
        "map": _corner(POSITION),
        "lacks_strat": step == STRAT_STEP and "strat" in query and not lesson.strat,
        **_PARTS[step](lesson),
    }
    return render(request, "sandbox/lesson.html", context)


def _step(text: str, lesson: Lesson) -> int:
    """The requested step, or the one that must come before it."""
    step = int(text) if text.isdecimal() and len(text) < 3 else LOOK
    step = min(max(step, LOOK), AFTER)
    if step >= LOCK and lesson.battle is None:
        return RIGHT_ORDER
    if step >= DICE and lesson.outcome is None:
        return STRAT_STEP
    return step


def _address(step: int, lesson: Lesson) -> str:
    params = {name: text for name, text in (("order", lesson.order), ("strat", lesson.strat)) if text}
    return f"{reverse('sandbox')}?{urlencode({'step': step, **params})}"


def _look(lesson: Lesson) -> dict[str, object]:
    return {"armies": [_army(army) for army in POSITION.armies if army.name in (OWN, ENEMY)]}


def _wrong_order(lesson: Lesson) -> dict[str, object]:
    """R14: a refused order; the next step begins without it."""
    address = _address(WRONG_ORDER, Lesson(WRONG))
    following = _address(RIGHT_ORDER, lesson if lesson.is_legal else Lesson(""))
    return {"shown": address, "example": WRONG, "address": {"back": _address(LOOK, lesson), "next": following}}


def _right_order(lesson: Lesson) -> dict[str, object]:
    goals = [{"choice": each, "address": _address(RIGHT_ORDER, Lesson(each.line))} for each in choices()]
    return {"shown": _address(RIGHT_ORDER, Lesson(RIGHT)), "example": RIGHT, "goals": goals}


def _lock(lesson: Lesson) -> dict[str, object]:
    """R18: the results of the visitor's order and those of the others, all at once."""
    return {**_settled(lesson.first), "battle": lesson.battle, "weather": lesson.weather, "commitment": COMMITMENT}


def _strat(lesson: Lesson) -> dict[str, object]:
    armies = [_army(lesson.met.by_name[name]) for name in (OWN, ENEMY)]
    address = _address(STRAT_STEP, Lesson(lesson.order, gettext(STRAT)))
    return {"armies": armies, "battle": lesson.battle, "weather": lesson.weather, "shown": address, "map": None}


def _dice(lesson: Lesson) -> dict[str, object]:
    """4.2.4: the dice, with each side's bonus, and the favoured side."""
    outcome, battle = lesson.outcome, lesson.battle
    assert outcome is not None
    assert battle is not None
    rounds = [
        [
            {
                "bare": pair,
                "total": (pair[0] + outcome.bonus[0].total, pair[1] + outcome.bonus[1].total),
            }
            for pair in zip(*rolled, strict=True)
        ]
        for rolled in outcome.rolls
    ]
    why, why_cites = outcome.why.told(winners=1, sent=True)
    return {
        "battle": battle,
        "outcome": outcome,
        "why": why,
        "why_cites": why_cites,
        "rounds": rounds,
        "bonus": BONUS,
        "losses": [(name, losses, sum(losses)) for name, losses in sorted(outcome.losses.items())],
        "map": None,
    }


def _after(lesson: Lesson) -> dict[str, object]:
    """R18, R38: where everybody ended, and the data to recompute the dice."""
    rolls = [roll for roll in lesson.dice.rolls if roll.name.startswith("d20")]
    return {
        **_settled(lesson.second),
        "seed": SEED.hex(),
        "commitment": COMMITMENT,
        "context": lesson.dice.context,
        "rolls": rolls,
        "numbers": max((roll.number for roll in rolls), default=0) + 1,
    }


_PARTS = {
    LOOK: _look,
    WRONG_ORDER: _wrong_order,
    RIGHT_ORDER: _right_order,
    LOCK: _lock,
    STRAT_STEP: _strat,
    DICE: _dice,
    AFTER: _after,
}


def _settled(settlement: Settlement | None) -> dict[str, object]:
    """The map at the end of a turn, with the ways of the moved armies, and its events in words."""
    assert settlement is not None
    events = tell_events(settlement.events)
    return {
        "map": _corner(settlement.position, [event for event in events if event["kind"] in DRAWN]),
        "told": [event for event in events if event["kind"] in SHOWN_EVENTS],
    }


def _corner(position: Position, events: list[dict[str, object]] | None = None) -> Mapping[str, object]:
    """The part of the map for the lesson."""
    box = f"{-MARGIN} {-MARGIN} {WIDE * CELL + MARGIN + 4} {HIGH * CELL + MARGIN + 4}"
    return {**draw(position, events or []), "box": box, "own": OWN}


def _army(army: Army) -> dict[str, object]:
    """2.1: an army with its creatures' abilities."""
    return {"army": army, "troops": [(troop, CARDS[troop.creature]) for troop in army.troops]}
