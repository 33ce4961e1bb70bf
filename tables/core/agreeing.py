"""T11.1: what no rule does: agreed by the players or ruled by a judge, in the same primitives, with a citation."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tables.core import costs, manual_actions, pile
from tables.core.decisions import Decision
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lines.forms import COUNTED
from tables.core.lines.writing import write_sentence
from tables.core.lists.cards import Change, Effect, Game, Number, Selector
from tables.core.reasons import Refused
from tables.core.state import Aim, OnPile, Player, Proposal, Ref, Scope, Settled, Task
from tables.core.zones import kind_of
from wargame.rules.core.saying import said

if TYPE_CHECKING:
    from tables.core.entries import Entry
    from tables.core.play import Play

_STATES = {"engages": "engage", "disengages": "disengage", "exhausts": "exhaust", "readies": "ready"}


def propose(play: Play, seat: str, action: Action) -> None:
    """T11.1: one proposes, the other accepts, changes or refuses. A senseless proposal is refused at once."""
    tasks_of(play, seat, action)
    number = play.count("proposal")
    proposal = Proposal(number, seat, action.changes, action.text, (seat,))
    play.state = replace(play.state, proposals=(*play.state.proposals, proposal))
    play.emit(Event("proposed", (play.rules.floor,), seat, amount=number))


def _open(play: Play, number: int) -> Proposal:
    for proposal in play.state.proposals:
        if proposal.number == number and not proposal.closed:
            return proposal
    raise Refused(play.rules.floor, said("there is no open proposal %(number)s", number=number))


def _put(play: Play, proposal: Proposal) -> None:
    changed = tuple(proposal if old.number == proposal.number else old for old in play.state.proposals)
    play.state = replace(play.state, proposals=changed)


def accept(play: Play, seat: str, action: Action) -> None:
    """T11.1: when all have accepted, carry it out; this settles what waited for it (K42)."""
    proposal = _open(play, action.n)
    if seat in proposal.accepted:
        raise Refused(play.rules.floor, said("you have already accepted it"))
    proposal = replace(proposal, accepted=(*proposal.accepted, seat))
    play.emit(Event("accepted", (play.rules.floor,), seat, amount=proposal.number))
    if set(play.state.living) <= set(proposal.accepted):
        proposal = replace(proposal, closed=True)
        game: Game = play.state.game  # type: ignore[assignment]
        cites = play.rules.floor
        _remember(play, "; ".join(write_sentence(change, game) for change in proposal.changes), cites)
        carry_out(play, proposal.by, Action("propose", changes=proposal.changes), (cites,))
    _put(play, proposal)


def refuse(play: Play, seat: str, action: Action) -> None:
    """T11.1: a seat refuses the open proposal; one refusal closes it."""
    _put(play, replace(_open(play, action.n), closed=True))
    play.emit(Event("refused", (play.rules.floor,), seat, amount=action.n))


def rule(play: Play, action: Action, entry: Entry) -> None:
    """T11.1: a judge's ruling: primitives, a citation, a reason; it settles a waiting `manual`."""
    play.emit(Event("ruling", (entry.cites,), told=entry.reason))
    _remember(play, entry.lines[0], entry.cites)
    carry_out(play, play.state.turn.of, action, (entry.cites,))


def _remember(play: Play, program: str, cites: str) -> None:
    """T11.1: remember how a text was settled, to offer it when the same text waits again."""
    decision = play.state.decision
    if decision is None or decision.kind != "manual":
        return
    card, text = decision.about()
    remaining = tuple(one for one in play.state.settled if (one.card, one.text) != (card, text))
    play.state = replace(play.state, settled=(*remaining, Settled(card, text, program, cites)))


def carry_out(play: Play, seat: str, action: Action, cites: tuple[str, ...]) -> None:
    """T11.1: each sentence in order; this settles a waiting `manual`, and closes all other proposals, so that nobody
    accepts later what was meant for this text."""
    decision, tasks = play.state.decision, tasks_of(play, seat, action)
    if decision is not None:
        play.state = replace(play.state, decision=None)
        if decision.kind != "manual" and not decision.renewed:
            play.push(Reask(decision))
        if decision.kind == "manual" and play.state.version >= 4:
            closed = tuple(replace(one, closed=True) for one in play.state.proposals)
            play.state = replace(play.state, proposals=closed)
    play.push(*tasks)


@dataclass(frozen=True, slots=True)
class Reask(Task):
    """T11.1: ask again what was pending when something was agreed or ruled."""

    decision: Decision

    def run(self, play: Play) -> None:
        """T11.1: ask those who still play again; 3: if they are one side alone, it has won."""
        living, seats = play.state.living, self.decision.of
        absent_seats = tuple(seat for seat in seats if seat not in living)
        if play.state.version >= 5 and len({play.state.side(seat) for seat in living}) <= 1:
            play.rules.check(play)
        elif play.state.version >= 5 and absent_seats:
            self._ask_the_rest(play, absent_seats)
        else:
            self.decision.ask_again(play)

    def _ask_the_rest(self, play: Play, absent_seats: tuple[str, ...]) -> None:
        """3.2: a player out before the first turn keeps what they have; later nobody asks for their decision."""
        if play.state.turn.at == play.rules.setup:
            play.ask(self.decision)
            for seat in absent_seats:
                if (decision := play.state.decision) is not None and seat in decision.of:
                    decision.leaves(play, seat)
        elif rest := tuple(seat for seat in self.decision.of if seat not in absent_seats):
            replace(self.decision, of=rest).ask_again(play)


def tasks_of(play: Play, seat: str, action: Action) -> Sequence[Task]:
    """T11.1: the sentences of a proposal or ruling as tasks; Refused if one means nothing on this table."""
    return [task for change in action.changes for task in _tasks(play, seat, change)]


def _tasks(play: Play, seat: str, change: Action) -> list[Task]:
    source = Ref("ruling", 0)
    if change.kind == "nothing":
        return []
    if change.kind in ("expedition", "end", "agreement"):
        return _of_table(play, seat, change, source)
    if change.kind in manual_actions.KINDS:
        return [manual_actions.task(play, seat, change, (play.rules.floor,))]
    if change.kind in ("draws", "discards", "wins", "loses", "gains"):
        player = naming.seat_called(play.state, change.to)
        if not player:
            raise Refused(play.rules.floor, said("no one sits at %(to)s", to=change.to))
        return _of_player(play, player, change, source)
    aim = _aim_of(play, seat, change)
    scope = Scope(source, "", seat, chosen=(aim,))
    selector = Selector("chosen")
    match change.kind:
        case "dies":
            return [pile.Do((Effect("destroy", (("destroy", selector),)),), scope)]
        case "moves":
            kind = kind_of(change.origin) or change.to
            if kind not in play.rules.zones:
                raise Refused(play.rules.floor, said("there is no zone %(kind)s", kind=kind))
            return [pile.Do((Effect("move", (("move", selector), ("to", kind))),), scope)]
        case "gains status":
            return [pile.Do((Effect("give", (("give", change.do), ("to", selector))),), scope)]
        case "loses status":
            return [pile.Do((Effect("remove", (("remove", change.do), ("from", selector))),), scope)]
        case "counter":
            return [pile.Do((Effect("counter", (("counter", selector),)),), scope)]
    if change.kind == "number":
        return [SetNumber(aim, change.stat, change.n)]
    if (verb := _STATES.get(change.kind)) is not None:
        return [pile.Do((Effect(verb, ((verb, selector),)),), scope)]
    raise Refused(play.rules.floor, said("“%(kind)s” doesn't mean anything at this table", kind=change.kind))


@dataclass(frozen=True, slots=True)
class SetNumber(Task):
    """T11.1: a number of a thing, as agreed or ruled."""

    aim: Aim
    name: str
    n: int

    def run(self, play: Play) -> None:
        """Refused where the game knows no such number."""
        thing = play.state.thing(self.aim)
        if thing is None or play.rules.set_number is None:
            raise Refused(play.rules.floor, said("“%(name)s” isn't a number at this table", name=self.name))
        play.rules.set_number(play, thing, self.name, self.n)


def _aim_of(play: Play, seat: str, change: Action) -> Aim:
    items: tuple[Aim, ...] = (
        tuple(OnPile(item.id) for item in reversed(play.state.pile)) if change.kind == "counter" else ()
    )
    return naming.find(play.state, seat, change, change.thing, items)


def _of_table(play: Play, seat: str, change: Action, source: Ref) -> list[Task]:
    """A12, A13, A33: an agreement is changed, counters of expeditions move, or a phase is ended."""
    if change.kind == "agreement":
        fields = (("agreement", change.text), ("n", Number(change.n)))
        return [pile.Do((Effect("agreement", fields),), Scope(source, "", seat))]
    if change.kind == "end":
        return [pile.Do((Effect("end", (("end", change.do),)),), Scope(source, "", seat))]
    player = naming.seat_called(play.state, change.to)
    if not player:
        raise Refused(play.rules.floor, said("no one sits at %(to)s", to=change.to))
    by = Change("add", Number(change.n if change.do == "forward" else -change.n))
    return [pile.Do((Effect("expedition", (("expedition", by), ("which", change.stat))),), Scope(source, "", player))]


def _of_player(play: Play, player: str, change: Action, source: Ref) -> list[Task]:
    scope = Scope(source, "", player)
    match change.kind:
        case "draws":
            return [pile.Do((Effect("draw", (("draw", Number(change.n)),)),), scope)]
        case "discards":
            return [pile.Do((Effect("discard", (("discard", Number(change.n)),)),), scope)]
        case "wins":
            return [pile.Do((Effect("wins", (("wins", Selector("you")),)),), scope)]
        case "loses" if not change.stat:
            return [pile.Do((Effect("loses", (("loses", Selector("you")),)),), scope)]
    if change.stat in play.rules.numbers:
        verb = "gain" if change.kind == "gains" else "lose"
        return [pile.Do((Effect(verb, ((verb, Number(change.n)), ("of", change.stat))),), scope)]
    is_new = play.state.version >= 5 or change.stat not in COUNTED  # what earlier versions could not read
    if not play.rules.has_rules and is_new:
        return [manual_actions.ByHand(replace(change, do=change.stat), player, Player(player), (play.rules.floor,))]
    colour = change.stat.removeprefix("energy.").strip() or costs.GENERIC
    if is_new:
        colour = costs.GENERIC if colour == "energy" else colour
        if colour not in play.rules.energy:
            message = said("players have no “%(name)s” here", name=change.stat)
            raise Refused(play.rules.floor, message)
    number = change.n if change.kind == "gains" else -change.n
    return [pile.Do((Effect("energy", (("energy", colour), ("n", Number(number)))),), scope)]


def concession(play: Play, seat: str) -> Player:
    """3.2: the player who concedes."""
    if seat not in play.state.living:
        raise Refused("3.2", said("that player is out of the game"))
    return Player(seat)
