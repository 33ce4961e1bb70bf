"""7, 9.F: the words of card texts in Seize: cards, Loot, players and their turns."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from tables.core import query
from tables.core.decisions import AskChoice, Then
from tables.core.effects import SHARED
from tables.core.effects.cards import changed, did, left, things_meant, who
from tables.core.events import Event
from tables.core.lists.cards import Effect, Filter, Selector
from tables.core.pile import carry
from tables.core.play import Play, Primitive
from tables.core.state import Aim, Lasting, Scope, Task, Thing, Tile
from tables.core.zones import zone_of
from tables.games.seize import damage, drawing, paying, rallying, reach, stats
from tables.games.seize.fight_words import FIGHT
from tables.games.seize.flow import MERCENARIES


def _draw(play: Play, effect: Effect, scope: Scope) -> None:
    """2, S6: from the deck into the hand."""
    number = query.number(play.state, effect.value("draw"), scope)
    count = sum(drawing.draw(play, seat, number, ("9.F",)) for seat in who(play, effect, scope))
    carry(play, scope, many=count, done=count > 0)


# --------------------------------------------------------------------------------------------- choices


@dataclass(frozen=True, slots=True)
class Given(Task):
    """9.F: one player gives up this many of the fitting cards: of their hand (discard), or mercenaries (sacrifice)."""

    seat: str
    among: tuple[Aim, ...]
    number: int
    word: str
    scope: Scope

    def run(self, play: Play) -> None:
        """As many as there are; if there is no choice, nothing is asked."""
        here = tuple(aim for aim in self.among if play.state.thing(aim) is not None)
        number = min(self.number, len(here))
        then = GivenThen(self.word, self.scope)
        if number == len(here):
            then.take(play, self.seat, here)
        elif number > 0:
            play.ask(AskChoice((self.seat,), here, number, number, then, "9.F", self.word, self.word))


@dataclass(frozen=True, slots=True)
class GivenThen(Then):
    """9.F: the chosen cards go to the discard pile."""

    word: str
    scope: Scope

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """All together."""
        things = [thing for aim in aims if (thing := play.state.thing(aim)) is not None]
        if self.word == "discard":
            for thing in things:
                play.move(thing.key, "discard", cites=("9.F",), event="discarded")
        else:
            damage.destroy(play, things, ("9.F",), "sacrificed")
        did(play, self.scope, left(play, things))


def _discard(play: Play, effect: Effect, scope: Scope) -> None:
    """9.F: cards of the hand: a number of their player's choice or at random, or given ones."""
    if isinstance(effect.get("discard"), Selector):
        things = things_meant(play, effect, scope)
        for thing in things:
            play.move(thing.key, "discard", cites=("9.F",), event="discarded")
        did(play, scope, left(play, things))
        return
    number = query.number(play.state, effect.value("discard"), scope)
    where = replace(effect.filter("of") or Filter(), zone="hand", whose="")
    for seat in who(play, effect, scope):
        hand = play.state.zone(zone_of(seat, "hand"))
        among: tuple[Aim, ...] = tuple(
            thing.ref for thing in hand if query.fits(play.state, thing, where, scope)
        )  # fmt: skip
        if effect.flag("random"):
            changed(play, scope, left(play, _at_random(play, seat, number)))
        else:
            play.push(Given(seat, among, number, "discard", scope))


def _at_random(play: Play, seat: str, number: int) -> list[Thing]:
    """T8.4: committed draws, from the hand sorted by its secret keys; the drawn cards, as they were in the hand."""
    things = []
    for _ in range(number):
        keys = sorted(play.state.zones.get(zone_of(seat, "hand"), ()))
        if keys:
            name = f"random {zone_of(seat, 'hand')}"
            key = keys[play.draw(name, play.count(name), len(keys)) - 1]
            things.append(play.state.things[key])
            play.move(key, "discard", cites=("9.F",), event="discarded")
    return things


def _destroy(play: Play, effect: Effect, scope: Scope) -> None:
    """6.C: mercenaries, treasures, events."""
    did(play, scope, damage.destroy(play, things_meant(play, effect, scope), ("9.F",)))


def _sacrifice(play: Play, effect: Effect, scope: Scope) -> None:
    """9.F: one's own mercenaries, of one's choice if there are more."""
    selector = effect.selector("sacrifice") or Selector("self")
    if selector.where is None:
        did(play, scope, damage.destroy(play, things_meant(play, effect, scope), ("9.F",), "sacrificed"))
        return
    number = query.number(play.state, effect.value("n"), scope, selector.n or 1)
    for seat in who(play, effect, scope):
        where = replace(selector.where, whose="you")
        among = query.fitting(play.state, where, replace(scope, controller=seat))
        among = tuple(aim for aim in among if paying.may_be_given(play.state, aim, "sacrifice"))
        play.push(Given(seat, among, len(among) if selector.word == "all" else number, "sacrifice", scope))


# --------------------------------------------------------------------------------------------- Loot


def _gain(play: Play, effect: Effect, scope: Scope) -> None:
    """1: add Loot to a Vault, or remove it; S44: nobody has one in the Arena."""
    sign = 1 if effect.word == "gain" else -1
    number, name = query.number(play.state, effect.value(effect.word), scope), effect.text("of") or "vault"
    changed = 0
    for seat in who(play, effect, scope):
        if name in dict(play.state.seat(seat).numbers):
            before = play.state.number(seat, name)
            play.add_number(seat, name, sign * number)
            changed += abs(play.state.number(seat, name) - before)
            play.emit(Event("gains" if sign > 0 else "loses", ("1", "9.F"), seat, amount=number, told=name))
    carry(play, scope, many=changed, done=changed > 0)


def _take(play: Play, effect: Effect, scope: Scope) -> None:
    """1: Loot from one Vault to another, as much as there is."""
    number, name = query.number(play.state, effect.value("take"), scope), effect.text("of") or "vault"
    total = 0
    for seat in query.seats_meant(play.state, effect.selector("from"), scope):
        amount = min(number, play.state.number(seat, name))
        play.add_number(seat, name, -amount)
        play.emit(Event("loses", ("1", "9.F"), seat, amount=amount, told=name))
        total += amount
    for seat in who(play, effect, scope)[:1]:
        play.add_number(seat, name, total)
        play.emit(Event("gains", ("1", "9.F"), seat, amount=total, told=name))
    carry(play, scope, many=total, done=total > 0)


# --------------------------------------------------------------------------------------------- into play


def _return(play: Play, effect: Effect, scope: Scope) -> None:
    """9.F: a mercenary enters the battlefield by an effect, on a tile of its player's choice; else to a zone."""
    if effect.text("to") != "battlefield":
        SHARED["return"](play, effect, scope)
        return
    things = [thing for thing in things_meant(play, effect, scope) if play.state.cards[thing.card].type == "mercenary"]
    play.push(*(Enter(scope.controller, thing) for thing in things if not thing.under))


@dataclass(frozen=True, slots=True)
class Enter(Task):
    """S3, S8: one mercenary onto one of the free back eight tiles; if there is no place, nothing happens."""

    seat: str
    thing: Thing

    def run(self, play: Play) -> None:
        """S8, 5.3: not a fourth one, and none in the Arena."""
        tiles: tuple[Aim, ...] = tuple(
            Tile(tile) for tile in reach.board(play.state).back(self.seat)
            if play.state.on_tile(tile) is None and reach.entry_refused(play.state, self.seat, tile) is None
        )  # fmt: skip
        if stats.arena(play.state) or not tiles or rallying.held(play.state, self.seat) >= MERCENARIES:
            play.emit(Event("fails", ("S8", "S3"), self.seat, self.thing))
        elif play.state.thing(self.thing.ref) is not None:
            play.ask(AskChoice((self.seat,), tiles, 1, 1, EnterThen(self.thing), "S3"))


@dataclass(frozen=True, slots=True)
class EnterThen(Then):
    """S3: on the chosen tile."""

    thing: Thing

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """S3: put the thing into play on the tile."""
        for aim in aims:
            if isinstance(aim, Tile):
                rallying.put_in(play, self.thing, seat, aim.name)


def _control(play: Play, effect: Effect, scope: Scope) -> None:
    """9.F, S8: give a mercenary to another player, unless that one has three already."""
    by = query.seats_meant(play.state, effect.selector("by"), scope)
    things = things_meant(play, effect, scope)
    for thing in things:
        if not by or len(stats.mercenaries(play.state, by[0])) >= MERCENARIES:
            continue
        if (until := effect.text("until")) == "turn":
            back = Effect("control back", (("by", Selector("they")),))
            reversal = Lasting(
                back, replace(scope, they=thing.controller), play.count("stamp"), (thing.ref,), None, until
            )  # fmt: skip
            play.state = replace(play.state, lasting=(*play.state.lasting, reversal))
        drawing.change_sides(play, thing, by[0])
    changed(play, scope, [one for one in things if play.state.things[one.key].controller != one.controller])


# --------------------------------------------------------------------------------------------- players


def _wins(play: Play, effect: Effect, scope: Scope) -> None:
    """5: a card makes a player win; all their opponents lose."""
    for seat in query.seats_meant(play.state, effect.selector("wins"), scope):
        for other in play.state.opponents(seat):
            damage.lose(play, other, "9.F")


def _loses(play: Play, effect: Effect, scope: Scope) -> None:
    """5: a card makes a player lose."""
    for seat in query.seats_meant(play.state, effect.selector("loses"), scope):
        damage.lose(play, seat, "9.F")


def _extra(play: Play, effect: Effect, scope: Scope) -> None:
    """11: another turn after this one."""
    for seat in who(play, effect, scope):
        if effect.text("extra") == "turn":
            play.count(f"extra {seat}")


PRIMITIVES: Mapping[str, Primitive] = {
    **SHARED, **FIGHT, "draw": _draw, "discard": _discard, "destroy": _destroy, "sacrifice": _sacrifice,
    "gain": _gain, "lose": _gain, "take": _take, "return": _return, "control": _control, "wins": _wins,
    "loses": _loses, "extra": _extra,
}  # fmt: skip
"""7: the effects of this game, by their word; an unknown word stops the table (K42)."""
