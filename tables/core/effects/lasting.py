"""T7: effects that last for a while: changes of statistics and keywords, permissions and restrictions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from tables.core import query
from tables.core.effects.cards import did
from tables.core.events import Event
from tables.core.lists.cards import Change, Effect, Number, Selector
from tables.core.lists.vocabulary import STATS
from tables.core.play import Primitive
from tables.core.reacting import triggers
from tables.core.state import Aim, Lasting, Player, Ref, Scope, State

if TYPE_CHECKING:
    from tables.core.play import Play


def hold(play: Play, effect: Effect, scope: Scope) -> None:
    """T5.3: apply an effect from now on, to what is meant now, until it ends."""
    on = effect.selector("on")
    aims: tuple[Aim, ...] = ()
    if on is not None:
        aims = query.meant(play.state, on, scope)
    elif (seats := effect.selector("who")) is not None:
        aims = tuple(Player(seat) for seat in query.seats_meant(play.state, seats, scope))
    else:
        aims = (scope.source,)
    if not aims:
        return
    modifier = Lasting(
        fixed_effect(play.state, effect, scope), scope, play.count("stamp"), aims, None, effect.text("until")
    )
    play.state = replace(play.state, lasting=(*play.state.lasting, modifier))
    play.emit(Event("lasting", ("10",), scope.controller, told=effect.word))
    did(play, scope, [thing for aim in aims if (thing := play.state.thing(aim)) is not None])


def _passive(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: an effect's lasting passive: each of its modifiers applies to what it names."""
    for part in effect.effects("passive"):
        keys = {key for key, _ in part.args}
        more = tuple((key, value) for key, value in effect.args if key in ("on", "who", "until") and key not in keys)
        hold(play, Effect(part.word, (*part.args, *more)), scope)


def _on_self(play: Play, effect: Effect, scope: Scope) -> None:
    hold(play, effect, scope)


def _prevent(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: prevent this much of the next damage to what is meant."""
    selector = effect.selector("to") or Selector("self")
    args = tuple((key, value) for key, value in effect.args if key != "to")
    hold(play, Effect(effect.word, (*args, ("on", selector))), scope)


def prevented(play: Play, aim: Aim, amount: int) -> int:
    """T7: `prevent`: what is used up is gone."""
    for one in play.state.lasting:
        if one.effect.word != "prevent" or aim not in one.on:
            continue
        most = query.number(play.state, one.effect.value("prevent"), one.scope)
        reduction = min(most, amount)
        remainder = _less(one, most - reduction)
        rest = tuple(other for other in play.state.lasting if other is not one)
        play.state = replace(play.state, lasting=(*rest, remainder) if remainder else rest)
        return reduction
    return 0


def _less(one: Lasting, number: int) -> Lasting | None:
    if number <= 0:
        return None
    args = tuple((key, Number(number) if key == "prevent" else value) for key, value in one.effect.args)
    return replace(one, effect=Effect(one.effect.word, args))


def _later(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: a delayed trigger."""
    triggers.delay(play, effect, scope)


LASTING: Mapping[str, Primitive] = {
    **dict.fromkeys((*STATS, "keyword", "can't", "costs", "limit", "instead of"), _on_self),
    "passive": _passive, "prevent": _prevent, "later": _later,
}  # fmt: skip


def fixed_effect(state: State, effect: Effect, scope: Scope) -> Effect:
    """T10: a lasting effect keeps the numbers of the moment it resolved."""

    def now(value: object) -> object:
        if isinstance(value, Change):
            return Change(value.how, Number(query.number(state, value.by, scope)))
        return value

    return Effect(effect.word, tuple((key, now(value)) for key, value in effect.args))  # type: ignore[misc]


def expire(state: State, until: str, of: str = "") -> State:
    """4.6: the state without the lasting effects that end now, all together."""
    others = tuple(one for one in state.lasting if not (one.until == until and (not of or one.scope.controller == of)))
    alive = tuple(one for one in others if _alive(state, one))
    return replace(state, lasting=alive)


def _alive(state: State, lasting: Lasting) -> bool:
    refs = [aim for aim in lasting.on if isinstance(aim, Ref)]
    return not refs or any(state.thing(ref) is not None for ref in refs) or len(refs) < len(lasting.on)
