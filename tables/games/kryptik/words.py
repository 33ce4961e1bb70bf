"""G: the glossary's verbs in Kryptik."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.core import query
from tables.core.decisions import AskChoice, AskMay, Then
from tables.core.effects import SHARED
from tables.core.effects.cards import changed, did, left, things_meant, who
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lists.cards import Effect, Filter, Selector
from tables.core.pile import carry
from tables.core.play import Play, Primitive
from tables.core.state import Aim, Lasting, Ref, Scope, State, Task, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.kryptik import citizens
from tables.games.kryptik.casting import cast_by_effect, overlords
from tables.games.kryptik.engaging import engage
from tables.games.kryptik.piles import discard, draw, plunderable


@dataclass(frozen=True, slots=True)
class Discard(Task):
    """G: Discard: one player discards this many of their choice; 10.3: as many as there are."""

    seat: str
    number: int
    scope: Scope
    where: Filter | None = None
    cites: str = "G: Discard"

    def run(self, play: Play) -> None:
        """If there is no choice, nothing is asked."""
        where = replace(self.where, zone="hand", whose="") if self.where is not None else None
        hand: tuple[Aim, ...] = tuple(
            thing.ref for thing in play.state.zone(zone_of(self.seat, "hand"))
            if where is None or query.fits(play.state, thing, where, self.scope)
        )  # fmt: skip
        number = min(self.number, len(hand))
        then = DiscardThen(self.scope, self.cites)
        if number == len(hand):
            then.take(play, self.seat, hand)
        elif number > 0:
            ask = AskChoice((self.seat,), hand, number, number, then, self.cites, "discard", "discard")
            play.ask(ask)


@dataclass(frozen=True, slots=True)
class DiscardThen(Then):
    """G: Discard: the chosen cards go to limbo."""

    scope: Scope
    cites: str

    def is_clean_up(self, state: State) -> bool:
        """4.6: neither a card asks for it nor an agreement."""
        return not self.scope.card and self.scope.source.key in state.things

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """In the order in which they were named."""
        things = [thing for aim in aims if (thing := play.state.thing(aim)) is not None]
        for thing in things:
            discard(play, thing, (self.cites,))
        did(play, self.scope, left(play, things))


def _draw(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Draw."""
    number = query.number(play.state, effect.value("draw"), scope)
    count = sum(draw(play, seat, number, ("G: Draw",)) for seat in who(play, effect, scope))
    carry(play, scope, many=count, done=count > 0)


def _discard(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Discard: a number of their choice (or at random), or given cards."""
    if isinstance(effect.get("discard"), Selector):
        things = things_meant(play, effect, scope)
        for thing in things:
            discard(play, thing)
        changed(play, scope, left(play, things))
        return
    number = query.number(play.state, effect.value("discard"), scope)
    seats = who(play, effect, scope)
    if not effect.flag("random"):
        play.push(*(Discard(seat, number, scope, effect.filter("of")) for seat in seats))
        return
    picks = []
    for seat in seats:
        for _ in range(number):
            keys = sorted(play.state.zones.get(zone_of(seat, "hand"), ()))
            if keys:
                name = f"random {zone_of(seat, 'hand')}"
                picks.append(play.state.things[keys[play.draw(name, play.count(name), len(keys)) - 1]])
                discard(play, picks[-1])
    changed(play, scope, left(play, picks))


def _destroy(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Destroyed/Dies, 6.1."""
    selector = effect.selector("destroy")
    aims = query.meant(play.state, selector, scope) if selector else ()
    did(play, scope, citizens.destroy(play, aims, ("G: Destroyed/Dies",)))


def _sacrifice(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Sacrifice: citizens of one's own; a player who must choose one is asked."""
    selector = effect.selector("sacrifice") or Selector("self")
    if selector.where is None:
        things = [
            thing for thing in things_meant(play, effect, scope)
            if kind_of(thing.zone) == "island" and not thing.under
        ]  # fmt: skip
        did(play, scope, citizens.kill(play, things, ("G: Sacrifice",), "sacrificed"))
        return
    number = query.number(play.state, effect.value("n"), scope, selector.n or 1)
    play.push(*(Sacrifice(seat, selector, number, scope) for seat in who(play, effect, scope)))


@dataclass(frozen=True, slots=True)
class Sacrifice(Task):
    """G: Sacrifice: one player chooses among their citizens."""

    seat: str
    selector: Selector
    number: int
    scope: Scope

    def run(self, play: Play) -> None:
        """10.3: as many as they have."""
        where = self.selector.where or Filter(type="citizen")
        scope = replace(self.scope, controller=self.seat)
        aims = query.fitting(play.state, replace(where, whose="you"), scope)
        if play.state.version >= 5:
            aims = tuple(aim for aim in aims if not _is_kept(play.state, aim))
        number = len(aims) if self.selector.word == "all" else min(self.number, len(aims))
        then = SacrificeThen(self.scope)
        if number == len(aims):
            then.take(play, self.seat, aims)
        elif number:
            play.ask(AskChoice((self.seat,), aims, number, number, then, "G: Sacrifice"))


@dataclass(frozen=True, slots=True)
class SacrificeThen(Then):
    """G: Sacrifice: the chosen citizens die."""

    scope: Scope

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """All together."""
        things = [thing for aim in aims if (thing := play.state.thing(aim)) is not None]
        did(play, self.scope, citizens.kill(play, things, ("G: Sacrifice",), "sacrificed"))


def _is_kept(state: State, aim: Aim) -> bool:
    """10.2: whether it can't be sacrificed."""
    thing = state.thing(aim)
    return thing is not None and bool(query.forbids(state, "sacrifice", thing))


def _damage(play: Play, effect: Effect, scope: Scope) -> None:
    """7.1, K15, K22: damage to citizens and players; the first point of a toxic source's is lethal."""
    selector = effect.selector("to")
    aims = query.meant(play.state, selector, scope) if selector else ()
    number = query.number(play.state, effect.value("damage"), scope)
    source = play.state.known(scope.source)
    record = play.state.gone.get(scope.source)
    toxic = source is not None and "toxic" in (record.keywords if record else query.keywords(play.state, source))
    dealt = 0
    for aim in aims:
        once = deal = citizens.deal(play, source, aim, number, ("10",), lethal=toxic and isinstance(aim, Ref))
        dealt += deal
        toxic = toxic and not (once and isinstance(aim, Ref))
    carry(play, scope, many=dealt, done=dealt > 0)


def _heal(play: Play, effect: Effect, scope: Scope) -> None:
    """T7: remove damage."""
    things = [thing for thing in things_meant(play, effect, scope, "to") if thing.damage]
    for thing in things:
        play.change(thing.key, damage=max(0, thing.damage - query.number(play.state, effect.value("heal"), scope)))
    changed(play, scope, things)


def _engage(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Engage."""
    things = [thing for thing in things_meant(play, effect, scope) if not thing.engaged]
    engaged = [engage(play, thing, ()) for thing in things]
    did(play, scope, [thing for thing in engaged if thing.engaged or play.state.version < 5])


def _disengage(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Disengage."""
    things = [
        thing for thing in things_meant(play, effect, scope)
        if thing.engaged and not query.forbids(play.state, "disengage", thing)
    ]  # fmt: skip
    for thing in things:
        play.change(thing.key, engaged=False)
        play.emit(Event("disengaged", ("G: Disengage",), thing.controller, thing))
    did(play, scope, things)


def _weary(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Weary: given or taken."""
    weary = effect.word == "give"
    things = things_meant(play, effect, scope, "to" if weary else "from") if effect.text(effect.word) == "weary" else []
    for thing in things:
        play.change(thing.key, weary=weary)
    changed(play, scope, [thing for thing in things if thing.weary is not weary])


def _control(play: Play, effect: Effect, scope: Scope) -> None:
    """7.1, G: Controller: to the new controller's side in its current state, and weary."""
    by = query.seats_meant(play.state, effect.selector("by"), scope)
    things = things_meant(play, effect, scope)
    for thing in things:
        if by and kind_of(thing.zone) == "island" and not thing.under:
            change_sides(play, thing, by[0])
            if (until := effect.text("until")) == "turn":
                back = Effect("control back", (("by", Selector("they")),))
                new_scope = replace(scope, they=thing.controller)
                modifier = Lasting(back, new_scope, play.count("stamp"), (thing.ref,), None, until)
                play.state = replace(play.state, lasting=(*play.state.lasting, modifier))
    changed(play, scope, [one for one in things if play.state.things[one.key].controller != one.controller])


def change_sides(play: Play, thing: Thing, seat: str) -> None:
    """7.1, 5.3.1: a citizen is weary for the player who gains control of it; cards beneath it stay, and move along."""
    if thing.controller == seat:
        return
    if query.forbids(play.state, "gain", thing):
        return
    zone = zone_of(seat, "island")
    new_thing = replace(thing, controller=seat, zone=zone, weary=True)
    along = [replace(under, controller=seat, zone=zone) for under in play.state.beneath(thing.key)]
    by_key = {one.key: one for one in (new_thing, *along)}
    play.zone_set(thing.zone, tuple(key for key in play.state.zones[thing.zone] if key not in by_key))
    play.zone_set(zone, (*play.state.zones.get(zone, ()), *by_key))
    play.state = replace(play.state, things={**play.state.things, **by_key})
    play.emit(Event("control", ("7.1", "G: Weary"), seat, new_thing))
    overlords(play, new_thing)


def _plunder(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Plunder, K31: as an effect, as many as there are."""
    number = query.number(play.state, effect.value("plunder"), scope)
    play.push(*(Plunder(seat, number, effect.filter("of"), scope) for seat in who(play, effect, scope)))


@dataclass(frozen=True, slots=True)
class Plunder(Task):
    """G: Plunder: one player abolishes cards from their limbo pile."""

    seat: str
    number: int
    where: Filter | None
    scope: Scope

    def run(self, play: Play) -> None:
        among = plunderable(play, self.seat, self.where, self.scope)
        number = min(self.number, len(among))
        if number == len(among):
            PlunderThen(self.scope).take(play, self.seat, among)
        elif number:
            play.ask(AskChoice((self.seat,), among, number, number, PlunderThen(self.scope), "G: Plunder"))


@dataclass(frozen=True, slots=True)
class PlunderThen(Then):
    """G: Plunder: the chosen cards are abolished."""

    scope: Scope

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """G: Abolish: abolish the chosen cards."""
        things = [thing for aim in aims if (thing := play.state.thing(aim)) is not None]
        for thing in things:
            play.move(thing.key, "abolished", cites=("G: Plunder", "G: Abolish"), event="plundered")
        did(play, self.scope, left(play, things))


def _probe(play: Play, effect: Effect, scope: Scope) -> None:
    """G: Probe, K30: all X or none; as many are discarded as were drawn."""
    number = query.number(play.state, effect.value("probe"), scope)
    for seat in who(play, effect, scope):
        if number:
            play.ask(AskMay((seat,), ProbeThen(number, scope), f"Probe {number}"))


@dataclass(frozen=True, slots=True)
class ProbeThen(Then):
    """G: Probe: draw, then discard."""

    number: int
    scope: Scope

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """K30: draw, then discard as many as were drawn; if nothing was chosen, nothing happens."""
        if aims:
            count = draw(play, seat, self.number, ("G: Probe",))
            if play.state.version >= 5:
                carry(play, self.scope, many=count, done=count > 0)
            play.push(Discard(seat, count, self.scope, cites="G: Probe"))

    def words(self, state: State) -> tuple[str, ...]:
        """T10: the verb, and its card."""
        return ("probe", self.scope.card, naming.called(state, self.scope.source, self.scope.card))


def _out_of_combat(play: Play, effect: Effect, scope: Scope) -> None:
    """4.4: take the attacker or a blocker out of combat."""
    fight = play.state.fight
    if fight is None:
        return
    keys = {thing.key for thing in things_meant(play, effect, scope)}
    if fight.attacker.key in keys:
        play.state = replace(play.state, fight=replace(fight, attacker=Ref(fight.attacker.key, 0)))
    else:
        blockers = tuple(ref for ref in fight.blockers if ref.key not in keys)
        play.state = replace(play.state, fight=replace(fight, blockers=blockers))


def _again(play: Play, effect: Effect, scope: Scope) -> None:
    """10.1, K41: it may attack once more this combat phase."""
    for thing in things_meant(play, effect, scope):
        mark = f"attacked {thing.key} {thing.stamp}"
        play.state = replace(play.state, marks=tuple(other for other in play.state.marks if other != mark))


def _wins(play: Play, effect: Effect, scope: Scope) -> None:
    """3, 10.1: a card makes a player win: all their opponents are destroyed."""
    for seat in query.seats_meant(play.state, effect.selector("wins"), scope):
        for other in play.state.opponents(seat):
            citizens.lose(play, other, "10.1")


def _loses(play: Play, effect: Effect, scope: Scope) -> None:
    """3.1, 10.1: a card destroys a player."""
    for seat in query.seats_meant(play.state, effect.selector("loses"), scope):
        citizens.lose(play, seat, "10.1")


def _extra(play: Play, effect: Effect, scope: Scope) -> None:
    """10.1: another turn after this one."""
    if effect.text("extra") == "turn":
        for seat in who(play, effect, scope):
            play.count(f"extra {seat}")


def _cast_free(play: Play, effect: Effect, scope: Scope) -> None:
    """8.1.4: cast for free: the additional cost is still due."""
    for thing in things_meant(play, effect, scope, effect.word):
        cast_by_effect(play, scope.controller, thing)


def _lose_energy(play: Play, effect: Effect, scope: Scope) -> None:
    """8.2.2: lose soul energy."""
    for seat in who(play, effect, scope):
        play.change_seat(replace(play.state.seat(seat), energy=()))


PRIMITIVES: Mapping[str, Primitive] = {
    **SHARED,
    "draw": _draw, "discard": _discard, "destroy": _destroy, "sacrifice": _sacrifice, "damage": _damage, "heal": _heal,
    "engage": _engage, "disengage": _disengage, "exhaust": _engage, "ready": _disengage, "give": _weary,
    "remove": _weary,
    "control": _control, "plunder": _plunder, "probe": _probe, "out of combat": _out_of_combat, "attack again": _again,
    "wins": _wins, "loses": _loses, "extra": _extra, "cast": _cast_free, "play": _cast_free, "lose": _lose_energy,
    "create": citizens.create,
}  # fmt: skip
