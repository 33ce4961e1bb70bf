"""A8, 5.3 to 5.5: what an ability does when it is resolved, and what is aimed at when it is declared."""

from __future__ import annotations

from dataclasses import replace

from tables.core import pile, selecting, values
from tables.core.decisions import AGREED
from tables.core.events import Event
from tables.core.lines.actions import Action
from tables.core.lists.cards import Ability
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Aim, Ref, Scope, State
from tables.games.altered import choosing, finding, statuses
from wargame.rules.core.saying import said


def resolve(play: Play, ability: Ability, scope: Scope) -> None:
    """A8: its decisions in the order of initiative, then its steps."""
    if ability.when is None and not values.holds(play.state, ability.test, scope):
        play.emit(Event("no effect", ("1.4.1.c",), scope.controller, play.state.things.get(scope.source.key)))
        return
    seats: tuple[str, ...] = (scope.controller,)
    if ability.each is not None:
        meant = selecting.seats_meant(play.state, ability.each, scope)
        seats = tuple(seat for seat in play.state.from_turn_player() if seat in meant)
    if ability.choose is None and not ability.may and ability.each is None:
        play.push(pile.Do(ability.do, scope))
        return
    as_each = ability.each is not None
    number = max(1, ability.choose.n) if ability.choose is not None else 1
    question = choosing.Question(ability.do, scope, ability.choose, number, ability.may, as_each)
    if ability.choose is None and not ability.may:
        play.push(choosing.Together(question, seats, tuple((seat, (AGREED,)) for seat in seats)))
    else:
        play.push(choosing.InOrder(question, seats))


def declare(play: Play, seat: str, action: Action, ability: Ability, scope: Scope) -> Scope:
    """A8, 1.4.1.c: the targets of what is played; where nothing can be aimed at, nothing is."""
    words = [word for word in (action.targets or ()) if word != "none"]
    declared: list[tuple[Aim, ...]] = []
    for at, target in enumerate(ability.targets, 1):
        legal = pile.legal_targets(play.state, target, scope)
        least, most = min(target.least, len(legal)), min(target.most, len(legal))
        later = sum(other.least for other in ability.targets[at:])
        mine = words[: max(0, min(most, len(words) - later))]
        words = words[len(mine) :]
        aims = finding.listed(play.state, seat, action, mine, legal, "A8")
        if len(aims) < least:
            raise Refused("A8", said("name its target: `; target #4`"))
        statuses.show_used(play, aims, target.where)
        declared.append(aims)
    if words:
        raise Refused("A8", said("“%(word)s” is one target too many", word=words[0]), action.column(words[0]))
    return replace(scope, targets=tuple(declared))


def tough_cost(state: State, scope: Scope) -> int:
    """5.5.c, A22, A40: by how much its targets make it cost more."""
    things = [state.thing(aim) for aims in scope.targets for aim in aims if isinstance(aim, Ref)]
    return sum(statuses.tough(state, thing) for thing in things if thing is not None)
