"""4.4, 4.4.1 to 4.4.5: combat: command, block, damage; K9: each begins with its commands, then comes priority."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tables.core import query
from tables.core.blanks import GOES_ON, Blank, OpenLine, with_names
from tables.core.decisions import AskChoice, Decision, Then
from tables.core.engine import go_to
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.play import Play
from tables.core.reacting import replacing
from tables.core.reasons import NotFound, NotOffered, Refused
from tables.core.state import Aim, Fight, Player, Ref, State, Task, Thing
from tables.core.zones import kind_of, zone_of
from tables.games.kryptik import citizens
from tables.games.kryptik.engaging import engage
from wargame.rules.core.saying import said

# ------------------------------------------------------------------------------------ 4.4.2 the command


def attack_begins(play: Play) -> None:
    """4.4.2: ask the turn player for an attack (K58)."""
    play.state = replace(play.state, fight=None)
    play.ask(AskAttack((play.state.turn.of,)))


def attack_targets(state: State, seat: str) -> tuple[Aim, ...]:
    """K10: 11 year cards of opponents; for an opponent without any, the player."""
    aims: list[Aim] = []
    for other in state.opponents(seat):
        row = state.zone(zone_of(other, "eleven"))
        aims += [thing.ref for thing in row] or [Player(other)]
    return tuple(aims)


def attack_refused(state: State, seat: str, thing: Thing) -> Refused | None:
    """4.4.2, G: Eager: why a thing may not attack; None if it may: weary ones only if they are eager."""
    if kind_of(thing.zone) != "island" or thing.under or thing.controller != seat:
        return Refused("4.4.2", said("only your own citizens on the island can attack"))
    if thing.engaged:
        return Refused("4.4.2", said("it is engaged"))
    if f"attacked {thing.key} {thing.stamp}" in state.marks:
        return Refused(("4.4.2", "K41"), said("it has already attacked in this combat phase"))
    if thing.weary and not query.has(state, thing, "eager"):
        return Refused("G: Weary", said("it is weary"))
    if card := query.forbids(state, "attack", thing) or query.forbids(state, "attack", seat):
        return Refused("10.2", said("%(card)s forbids it", card=card))
    return None


@dataclass(frozen=True, slots=True)
class AskAttack(Decision):
    """4.4.2: one citizen and its targets, or none."""

    kind = "attack"
    takes = ("attack",)
    cites = "4.4.2"
    open_to_all = True

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """4.4.2: it engages (G: Steadfast: it does not), and is attacking."""
        if action.thing == "none":
            play.emit(Event("no attack", ("4.4.2",), seat))
            go_to(play, "combat.end")
            return
        state = play.state
        refs = tuple(thing.ref for thing in state.zone(zone_of(seat, "island")))
        thing = state.thing(naming.find(state, seat, action, action.thing, refs))
        if thing is None:
            raise Refused("4.4.2", said("only citizens can attack"))
        if (refused := attack_refused(state, seat, thing)) is not None:
            raise refused
        aims = _targets(state, seat, action, thing)
        play.mark(f"attacked {thing.key} {thing.stamp}")
        if replacing.of_thing(play, "attacks", thing, seat):
            return
        if not query.has(state, thing, "steadfast"):
            engage(play, thing, ("4.4.2",))
        first = state.thing(aims[0])
        defender = aims[0].seat if isinstance(aims[0], Player) else first.owner if first else ""
        ravenous = len(aims) > 1
        play.state = replace(play.state, fight=Fight(thing.ref, seat, defender, aims, ravenous=ravenous))
        attacking = play.state.things[thing.key]
        play.emit(Event("attacks", ("4.4.2",), seat, attacking, amount=len(aims)))
        play.emit(Event("is attacked", (), defender, other=attacking))

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer declares none."""
        return Action("attack", thing="none")

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """4.4.2, G: Ravenous: each possible attacker, and its targets: a ravenous one two cards."""
        state = play.state
        able = [thing for thing in state.zone(zone_of(seat, "island")) if attack_refused(state, seat, thing) is None]
        names = tuple(naming.call(state, aim) for aim in attack_targets(state, seat))
        return tuple(
            OpenLine(Action("attack", thing=thing.number or 0), (Blank(GOES_ON, names, 1, most),))
            for thing in able
            for most in (min(2, len(names)) if query.has(state, thing, "ravenous") else 1,)
        )

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        able = [thing for thing in state.zone(zone_of(seat, "island")) if attack_refused(state, seat, thing) is None]
        aims = attack_targets(state, seat)
        attacks = [
            with_names(Action("attack", thing=thing.number or 0), (naming.call(state, aim),))
            for thing in able
            for aim in aims
        ]
        return (self.default(state, seat), *attacks[:60])


def _targets(state: State, seat: str, action: Action, thing: Thing) -> tuple[Aim, ...]:
    """K10, G: Ravenous: one card of one opponent by its place, two if ravenous; the player only if they have none."""
    legal = attack_targets(state, seat)
    aims: list[Aim] = []
    for name in action.targets or ():
        try:
            aim = naming.find(state, seat, action, name, legal)
        except NotFound as refused:
            raise Refused("K10", refused.reason.told) from None
        if aim not in legal:
            raise Refused("K10", said("you can only attack an 11 year card, or an opponent who has none"))
        aims.append(aim)
    if not aims:
        raise Refused("K10", said("name what you attack"))
    if len(aims) > 1 and (len(aims) > 2 or not query.has(state, thing, "ravenous")):
        raise Refused("G: Ravenous", said("only a ravenous citizen can attack two cards"))
    owners = {target.owner for aim in aims if (target := state.thing(aim)) is not None}
    if len(set(aims)) < len(aims) or len(owners) > 1:
        raise Refused("K10", said("choose two different cards of one opponent"))
    return tuple(aims)


def attacker(state: State) -> Thing | None:
    """K12: the attacker, if it is still there under the attacking player's control."""
    thing = state.thing(state.fight.attacker) if state.fight else None
    return thing if thing and state.fight and thing.controller == state.fight.by and not thing.under else None


def lost_ravenous(play: Play) -> bool:
    """G: Ravenous, K50: for an attacker that loses ravenous, one of its two targets is chosen, at once."""
    fight, thing = play.state.fight, attacker(play.state)
    if fight is None or not fight.ravenous or thing is None or query.has(play.state, thing, "ravenous"):
        return False
    remaining = tuple(aim for aim in fight.at if play.state.thing(aim) is not None)
    play.state = replace(play.state, fight=replace(fight, ravenous=False, at=remaining))
    if len(remaining) > 1:
        play.ask(AskChoice((fight.by,), remaining, 1, 1, OneTarget(), "G: Ravenous"))
    return True


@dataclass(frozen=True, slots=True)
class OneTarget(Then):
    """K50: the other target is no longer one."""

    def take(self, play: Play, seat: str, aims: tuple[Aim, ...]) -> None:
        """It stays that way, even if ravenous is regained."""
        play.emit(Event("chosen", ("G: Ravenous", "K50"), seat, amount=len(aims)))
        if play.state.fight is not None:
            play.state = replace(play.state, fight=replace(play.state.fight, at=aims))


# ------------------------------------------------------------------------------------ 4.4.3 the block


def block_begins(play: Play) -> None:
    """4.4.3: ask the attacked player; K53: an attacker that is gone is not blocked."""
    fight = play.state.fight
    if fight is None or attacker(play.state) is None or fight.of not in play.state.living:
        go_to(play, "attack")
        return
    play.ask(AskBlock((fight.of,)))


def block_refused(state: State, seat: str, thing: Thing) -> Refused | None:
    """4.4.3: why a thing may not block the attacker; None if it may."""
    attacking = attacker(state)
    if kind_of(thing.zone) != "island" or thing.under or thing.controller != seat:
        return Refused("4.4.3", said("only your own citizens on the island can block"))
    if thing.engaged:
        return Refused("4.4.3", said("it is engaged"))
    if card := query.forbids(state, "block", thing) or query.forbids(state, "block", seat):
        return Refused("10.2", said("%(card)s forbids it", card=card))
    if attacking and (card := query.forbids(state, "be blocked", attacking)):
        return Refused("10.2", said("%(card)s forbids it", card=card))
    if attacking and query.has(state, attacking, "sidestep") and not query.has(state, thing, "sidestep"):
        return Refused("G: Sidestep", said("only a citizen with sidestep can block it"))
    return None


@dataclass(frozen=True, slots=True)
class AskBlock(Decision):
    """4.4.3: any disengaged citizens, weary ones too, or none."""

    kind = "block"
    takes = ("block",)
    cites = "4.4.3"
    open_to_all = True

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """4.4.3, K14, K44: any number of them; they engage, so a citizen blocks again only if something disengages
        it; the attacker is blocked whatever happens afterwards."""
        state, fight = play.state, play.state.fight
        if fight is None:
            return
        refs = tuple(thing.ref for thing in state.zone(zone_of(seat, "island")))
        if action.attacker and naming.find(state, seat, action, action.attacker, (fight.attacker,)) != fight.attacker:
            raise Refused("4.4.3", said("this citizen isn't attacking"))
        blockers: list[Thing] = []
        for name in action.things:
            aim = naming.find(state, seat, action, name, refs, [thing.ref for thing in blockers])
            thing = state.thing(aim)
            refused = block_refused(state, seat, thing) if thing else Refused("4.4.3", said("only citizens can block"))
            if refused is not None or thing is None or thing in blockers:
                raise refused or Refused("4.4.3", said("name each blocker once"))
            blockers.append(thing)
        attacking = attacker(state)
        if len(blockers) == 1 and attacking and query.has(state, attacking, "tenacious"):
            raise Refused("G: Tenacious", said("block it with two or more citizens, or not at all"))
        _block(play, seat, blockers)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: a player who does not answer declares none."""
        return Action("block")

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """4.4.3: any number of possible blockers; G: Tenacious: two or more."""
        state, attacking = play.state, attacker(play.state)
        able = [thing for thing in state.zone(zone_of(seat, "island")) if block_refused(state, seat, thing) is None]
        least = 2 if attacking is not None and query.has(state, attacking, "tenacious") else 1
        if attacking is None or len(able) < max(2, least):
            return ()
        names = tuple(f"#{thing.number}" for thing in able)
        block = Action("block", attacker=attacking.number or 0)
        return (OpenLine(block, (Blank(GOES_ON, names, least, len(names)),)),)

    def options(self, state: State, seat: str) -> tuple[Action, ...]:
        able = [thing for thing in state.zone(zone_of(seat, "island")) if block_refused(state, seat, thing) is None]
        attacking = attacker(state)
        if attacking is None:
            return (Action("block"),)
        alone = [] if query.has(state, attacking, "tenacious") else [(thing,) for thing in able]
        pairs: list[tuple[Thing, ...]] = [*alone, *combinations(able[:8], 2)]
        blocks = [
            Action("block", attacker=attacking.number or 0, things=tuple(thing.number or 0 for thing in pair))
            for pair in pairs[:40]
        ]
        return (Action("block"), *blocks)


def _block(play: Play, seat: str, blockers: Sequence[Thing]) -> None:
    fight = play.state.fight
    if not blockers or fight is None:
        play.emit(Event("no block", ("4.4.3",), seat))
        return
    blockers = [thing for thing in blockers if not replacing.of_thing(play, "blocks", thing, seat)]
    if not blockers:
        return
    for thing in blockers:
        engage(play, thing, ("4.4.3",))
    refs = tuple(thing.ref for thing in blockers)
    play.state = replace(play.state, fight=replace(fight, blocked=True, blockers=refs))
    attacking = attacker(play.state)
    for thing in blockers:
        play.emit(Event("blocks", ("4.4.3",), seat, play.state.things[thing.key], attacking))
    if attacking is not None:
        play.emit(Event("is blocked", (), attacking.controller, attacking, amount=len(blockers)))


# ------------------------------------------------------------------------------------ 4.4.4 the damage


def damage_begins(play: Play) -> None:
    """4.4.4: the order of damage if two or more block; K12: an attacker that is gone deals and takes none."""
    if attacker(play.state) is None:
        go_to(play, "attack")
        return
    play.push(Strike())
    if len(blocking(play.state)) > 1 and play.state.fight is not None:
        play.ask(AskOrder((play.state.fight.by,)))


def blocking(state: State) -> tuple[Thing, ...]:
    """4.4.3: the blockers that are still there, in the chosen order."""
    if state.fight is None:
        return ()
    things = [state.thing(ref) for ref in state.fight.blockers]
    return tuple(
        thing for thing in things if thing is not None and thing.controller == state.fight.of and not thing.under
    )


@dataclass(frozen=True, slots=True)
class AskOrder(Decision):
    """4.4.4.1: the order in which the blockers get the attacker's damage."""

    kind = "order"
    takes = ("order",)
    cites = "4.4.4.1"

    def answer(self, play: Play, seat: str, action: Action) -> None:
        """4.4.4.1: each blocker once."""
        refs = tuple(thing.ref for thing in blocking(play.state))
        try:
            order = naming.listed(play.state, seat, action, naming.names(action), refs)
        except NotOffered as refused:
            raise Refused("4.4.4.1", refused.reason.told) from None
        if len(order) != len(refs) or play.state.fight is None:
            raise Refused("4.4.4.1", said("name each blocker once"))
        blockers = tuple(ref for ref in order if isinstance(ref, Ref))
        play.state = replace(play.state, fight=replace(play.state.fight, blockers=blockers))
        play.emit(Event("damage order", ("4.4.4.1",), seat))

    def open_lines(self, play: Play, seat: str) -> tuple[OpenLine, ...]:
        """4.4.4.1: in any order."""
        names = tuple(naming.call(play.state, thing.ref) for thing in blocking(play.state))
        return (OpenLine(Action("order"), (Blank(GOES_ON, names, len(names), len(names), True),)),)

    def default(self, state: State, seat: str) -> Action:
        """Appendix B: in their current order."""
        return naming.action(state, "order", [thing.ref for thing in blocking(state)])


def assigned(state: State, attacking: Thing, blockers: Sequence[Thing]) -> list[tuple[Thing, int, bool]]:
    """4.4.4.1, K13, K15: the damage of each blocker, and whether a point of it is lethal.

    Each is filled up to its defense (with the damage on it) before the next; the rest goes to the last. The first point
    of a toxic attacker's is lethal to the first of several.
    """
    remaining = query.attack(state, attacking)
    toxic = query.has(state, attacking, "toxic")
    shares: list[tuple[Thing, int, bool]] = []
    for at, thing in enumerate(blockers):
        need = max(0, query.defense(state, thing) - thing.damage)
        lethal = toxic and at == 0
        share = remaining if at == len(blockers) - 1 else min(remaining, 1 if lethal else need)
        shares.append((thing, share, lethal))
        remaining -= share
    return shares


@dataclass(frozen=True, slots=True)
class Strike(Task):
    """4.4.4.3: both sides deal their damage simultaneously; an unblocked attacker hits its targets."""

    def run(self, play: Play) -> None:
        """4.4.4.1, 4.4.4.2, 4.4.4.3: the attacker's damage in order, the blockers' attack together on the attacker."""
        state, fight, attacking = play.state, play.state.fight, attacker(play.state)
        if fight is None or attacking is None:
            return
        if not fight.blocked:
            _hit(play, fight, attacking)
            return
        blockers = blocking(state)
        if not blockers:
            play.emit(Event("still blocked", ("4.4.3",), fight.by, attacking))
            return
        shares = assigned(state, attacking, blockers)
        back = [(thing, query.attack(state, thing), query.has(state, thing, "toxic")) for thing in blockers]
        play.emit(
            Event("damage assigned", ("4.4.4.1",), fight.by, attacking, amount=sum(share for _, share, _ in shares))
        )
        play.emit(
            Event("damage assigned", ("4.4.4.2",), fight.of, attacking, amount=sum(share for _, share, _ in back))
        )
        for thing, share, lethal in shares:
            citizens.deal(play, attacking, thing.ref, share, ("4.4.4.3",), lethal=lethal)
        for thing, share, toxic in back:
            citizens.deal(play, thing, attacking.ref, share, ("4.4.4.3",), lethal=toxic)


def _hit(play: Play, fight: Fight, attacking: Thing) -> None:
    """4.4.4.3, 6.1.1, K11, K46: more than 0 destroys the attacked cards or player, if still there."""
    amount = query.attack(play.state, attacking)
    if amount == 0:
        play.emit(Event("no damage", ("4.4.4.3",), fight.by, attacking))
        return
    for aim in fight.at:
        if isinstance(aim, Player):
            citizens.deal(play, attacking, aim, amount, ("4.4.4.3",))
    cards = [thing for aim in fight.at if (thing := play.state.thing(aim)) is not None]
    cards = [thing for thing in cards if kind_of(thing.zone) == "eleven"]
    if cards:
        play.emit(Event("deals damage", ("4.4.4.3",), fight.by, attacking, amount=amount))
        citizens.destroy_eleven(play, cards, ("6.1.1",))
