"""9, 12: abilities: instants, attack abilities, events, and the active abilities of things on the battlefield."""

from collections.abc import Sequence
from dataclasses import replace

from tables.core import pile, query
from tables.core.engine import hand_over
from tables.core.events import Event
from tables.core.lines import naming
from tables.core.lines.actions import Action
from tables.core.lists.cards import Ability, Card, Effect, Target
from tables.core.play import Play
from tables.core.reasons import Refused
from tables.core.state import Aim, Item, Scope, State, Thing
from tables.core.zones import kind_of
from tables.games.seize import attacks, damage, fight_words, paying, reach, stats, statuses
from tables.games.seize.damage import GENERIC
from tables.games.seize.flow import MOVES
from tables.games.seize.moving import timely
from wargame.rules.core.saying import said

# --------------------------------------------------------------------------------------------- targets


def declare(play: Play, seat: str, action: Action, ability: Ability, scope: Scope) -> Scope:
    """12: the scope with the targets that a line names, in order; an earlier one may determine a later one."""
    terms = list(action.targets or ())
    for at, target in enumerate(ability.targets, 1):
        later = sum(other.least for other in ability.targets[at:])
        chunk = terms[: max(0, min(target.most, len(terms) - later))]
        terms = terms[len(chunk) :]
        aims: list[Aim] = []
        legal = pile.legal_targets(play.state, target, scope)
        for term in chunk:
            aim = naming.find(play.state, seat, action, term, legal, aims)
            if aim not in legal or aim in aims:
                raise _illegal(play.state, target, aim, scope)
            aims.append(aim)
        if len(aims) < target.least:
            raise Refused(("12", "9.F"), said("name a legal target"))
        scope = replace(scope, targets=(*scope.targets, tuple(aims)))
    if terms:
        raise Refused(("12", "9.F"), said("“%(word)s” is one target too many", word=terms[0]), action.column(terms[0]))
    return scope


def _illegal(state: State, target: Target, aim: Aim, scope: Scope) -> Refused:
    """13.8.5: the most specific number that forbids a target."""
    thing = state.thing(aim)
    if thing is not None and aim in pile.candidates(state, target, scope):
        if stats.count(thing, "stealth") and stats.enemies(state, thing.controller, scope.controller):
            return Refused(("13.8.5", "S40"), said("it is stealthed and can't be targeted"))
        return Refused("9.F", said("it can't be targeted"))
    if scope.by is not None:
        return Refused(("9.2", "9.F"), said("this is not a legal target for the attack ability"))
    return Refused(("12", "9.F"), said("this is not a legal target"))


def chosen_x(ability: Ability | None, card: Card, action: Action) -> int:
    """9.C: the X of a cost, given by the line."""
    price = card.cost if ability is None else ability.cost
    has_x = any(not hasattr(stone.n, "n") for stone in price.stones)
    if has_x and (action.x is None or action.x < 0):
        raise Refused(paying.CITES, said("give a value for X: `; X = 2`"))
    return action.x or 0


def paragraphs(card: Card) -> tuple[Ability, ...]:
    """9.F, K42: the effects of an ability card; text that is not in the vocabulary stops the table."""
    spells = tuple(ability for ability in card.abilities if ability.kind == "spell")
    if not spells and card.manual:
        return (Ability("spell", do=(Effect("manual", (("manual", card.text or card.name),)),)),)
    return spells


def headings(parts: Sequence[Ability]) -> tuple[str, ...]:
    """13: the headings of what a card is about to do: those who may answer read them when it is played."""
    codes = []
    for effect in [effect for ability in parts for effect in ability.do]:
        if effect.word == "damage":
            codes.append(damage.KINDS.get(effect.text("type"), "S32"))
        elif effect.word in ("give", "remove"):
            kind = effect.text(effect.word)
            codes.append(fight_words.MEND.get(kind.rpartition(" ")[2], statuses.NUMBERS.get(kind, "13")))
    return tuple(dict.fromkeys(codes))


# --------------------------------------------------------------------------------------------- cards


def class_refused(state: State, seat: str, card: Card) -> Refused | None:
    """9.1, 13.8.4, S39, S81: why one has no mercenary of the class to play a card; None if one has."""
    if card.class_ in GENERIC:
        return None
    mercenaries = [thing for thing in stats.mercenaries(state, seat) if state.cards[thing.card].class_ == card.class_]
    if not mercenaries:
        return Refused(
            ("9.1", "9.3") if card.kind == "event" else "9.1", said("you control no %(kind)s", kind=card.class_)
        )
    if all(stats.count(thing, "silence") for thing in mercenaries):
        return Refused(("13.8.4", "9.1", "S39"), said("all your %(kind)s mercenaries are silenced", kind=card.class_))
    return None


def _card(state: State, seat: str, action: Action, kind: str, cites: tuple[str, ...]) -> tuple[Thing, Card]:
    """2, 9: a card of the hand that is an ability of that kind."""
    thing = naming.hand_card(state, seat, action, action.card)
    card = state.cards[thing.card]
    if card.type != "ability" or (card.kind or "instant") != kind:
        raise Refused(cites, said("you can't play %(name)s like this", name=card.name))
    if taboo := query.forbids(state, "play", seat):
        raise Refused("9.F", said("%(taboo)s forbids it", taboo=taboo))
    return thing, card


def instant(play: Play, seat: str, action: Action) -> None:
    """9.1: whenever one has priority, with a mercenary of its class; its cost is paid as it is played."""
    thing = naming.hand_card(play.state, seat, action, action.card)
    card = play.state.cards[thing.card]
    if card.type == "ability" and card.kind == "event":
        event(play, seat, action)
        return
    if card.type != "ability":
        raise Refused(
            ("11.4", "8" if card.type == "treasure" else "6"), said("you can't play %(name)s like this", name=card.name)
        )
    _card(play.state, seat, action, "instant", ("9.2", "S14"))
    if (refused := class_refused(play.state, seat, card)) is not None:
        raise refused
    _put(play, seat, action, thing, card, None, ("9.1", "12"))


def attack_card(play: Play, seat: str, action: Action) -> None:
    """9.2, S14, S16: in one's own Attack Phase, by a mercenary of its class, besides its attack, with line of sight."""
    timely(play.state, seat, ("attack",), ("9.2", "S14", "11.6"))
    thing, card = _card(play.state, seat, action, "attack", ("9.2", "9"))
    by = _attacker(play.state, seat, action, card)
    unseen = stats.count(by, "stealth") > 0
    scope = Scope(thing.ref, thing.card, seat, by=by.ref, unseen=unseen)
    trial = Play(play.rules, play.state)
    for ability in paragraphs(card):
        declared = declare(trial, seat, action, ability, scope)
        if refused := sight_refused(play.state, declared):
            raise refused
    _put(play, seat, action, thing, card, scope, ("9.2", "12"))


def _attacker(state: State, seat: str, action: Action, card: Card) -> Thing:
    """9.2, S16: the mercenary that plays an attack ability, or why it can't."""
    refs = tuple(thing.ref for thing in stats.mercenaries(state, seat))
    by = state.thing(naming.find(state, seat, action, action.thing, refs))
    if by is None or by.ref not in refs:
        raise Refused(("9.2", "6"), said("name one of your own mercenaries to play it"))
    if card.class_ not in GENERIC and state.cards[by.card].class_ != card.class_:
        raise Refused("9.2", said("%(card)s is not a %(kind)s", card=by.card, kind=card.class_))
    if stats.count(by, "silence"):
        raise Refused(("13.8.4", "9.2", "S39"), said("it is silenced"))
    own_attacks = stats.did(state, "own", by)
    if stats.count(by, "exhaust") > min(1, own_attacks):
        raise Refused(("13.7.1", "S16", "11.6"), said("it was exhausted by something other than its own attack"))
    if stats.frozen(state, by):
        raise Refused(("13.8.2", "S37"), said("it has three frost counters and can't attack"))
    if taboo := query.forbids(state, "attack", by):
        raise Refused("9.F", said("%(taboo)s forbids it", taboo=taboo))
    return by


def sight_refused(state: State, scope: Scope) -> Refused | None:
    """13.1, 9.2, S83: the target of an attack ability that the attacker can't see; None if it sees all."""
    by = state.thing(scope.by) if scope.by is not None else None
    if by is None:
        return Refused(("S21", "9.2"), said("the attacker is gone")) if scope.by is not None else None
    for aims in scope.targets:
        for aim in aims:
            target = state.thing(aim)
            if target is None or not stats.on_battlefield(state, target) or target.key == by.key:
                continue
            if blocking := reach.sight_blocked(state, by.at, target.at):
                return Refused(
                    ("13.1", "9.2", "S19"), said("the tile in between, %(blocking)s, is not free", blocking=blocking)
                )
    return None


def event(play: Play, seat: str, action: Action) -> None:
    """9.3, S13, S81: in one's own Rally and Movement Phases, with a mercenary of its class."""
    timely(play.state, seat, ("rally", *MOVES), ("9.3", "S13"))
    thing, card = _card(play.state, seat, action, "event", ("9.3", "9"))
    if (refused := class_refused(play.state, seat, card)) is not None:
        raise refused
    _put(play, seat, action, thing, card, None, ("9.3", "12"))


def _put(
    play: Play, seat: str, action: Action, thing: Thing, card: Card, scope: Scope | None, cites: tuple[str, ...]
) -> None:  # fmt: skip
    """12, 9.C: onto the stack with its targets, paid at once; the next player has priority."""
    before = replace(scope or Scope(thing.ref, thing.card, seat), x=chosen_x(None, card, action))
    parts = paragraphs(card) or (Ability("spell"),)
    remaining = action
    declared = []
    for ability in parts:
        declared.append(declare(play, seat, _share(remaining, ability, parts), ability, before).targets)
        remaining = replace(remaining, targets=(remaining.targets or ())[sum(len(aims) for aims in declared[-1]) :])
    more = query.cost_change(play.state, seat, thing)
    new_thing = play.move(thing.key, "pile", seat=seat, cites=(*cites, *headings(parts)), event="played")
    paying.pay(play, seat, card.cost, replace(before, source=new_thing.ref), action, more)
    if not _by(play, before, declared):
        play.move(new_thing.key, "discard", cites=("13.7.3", "12"), event="done")
        hand_over(play, seat)
        return
    for ability, targets in reversed(list(zip(parts, declared, strict=True))):
        item_scope = replace(before, source=new_thing.ref, targets=targets)
        pile.put(play, Item(play.count("item"), "card", seat, new_thing.ref, card.name, item_scope, ability), ("12",))
    hand_over(play, seat)


def _share(action: Action, ability: Ability, parts: Sequence[Ability]) -> Action:
    """12: of a card with several paragraphs each takes its targets in turn; the last takes the rest."""
    if len(parts) < 2 or ability is parts[-1]:
        return action
    most = sum(target.most for target in ability.targets)
    return replace(action, targets=(action.targets or ())[:most])


def _by(play: Play, scope: Scope, declared: Sequence[tuple[tuple[Aim, ...], ...]]) -> bool:
    """13.8.5, S71, 13.7.3: a mercenary that attacks by a card loses stealth, and flips a coin if it is blinded."""
    by = play.state.thing(scope.by) if scope.by is not None else None
    if by is None:
        return True
    statuses.reveal(play, by)
    now = play.state.things[by.key]
    play.emit(Event("attacks", ("9.2",), scope.controller, now))
    for aim in dict.fromkeys(aim for targets in declared for aims in targets for aim in aims):
        target = play.state.thing(aim)
        if target is not None and stats.enemies(play.state, target.controller, scope.controller):
            play.emit(Event("is attacked", (), target.controller, target, now))
    return attacks.sees(play, now)


def resolve_card(play: Play, item: Item) -> None:
    """12, S21, S59: resolve an ability; an event is placed beside the Warchest; an attack ability is checked again."""
    card = play.state.cards[item.card]
    if item.scope.by is not None and sight_refused(play.state, item.scope) is not None:
        play.push(pile.Finish(item.id))
        play.emit(Event("fails", ("S21", "9.2"), item.controller, play.state.things.get(item.source.key)))
        return
    if card.kind == "event":
        pile.take_off(play, item.id)
        thing = play.state.thing(item.source)
        if thing is not None and kind_of(thing.zone) == "pile":
            play.move(thing.key, "events", cites=("9.3", "S59"), event="enters")
        if item.ability is not None and item.ability.do:
            play.push(pile.Do(item.ability.do, item.scope))
        return
    pile.resolve(play, item)


# --------------------------------------------------------------------------------------------- abilities


def use(play: Play, seat: str, action: Action) -> None:
    """6.F.1, 8.E: an active ability, at instant speed: its cost is paid at once, its effect waits on the stack."""
    thing = _used(play.state, seat, action)
    number, ability = _active(play.state, thing, action)
    if (refused := use_refused(play.state, thing, ability, number)) is not None:
        raise refused
    scope = Scope(thing.ref, thing.card, seat, unseen=stats.count(thing, "stealth") > 0)
    scope = replace(scope, x=chosen_x(ability, play.state.cards[thing.card], action))
    scope = declare(play, seat, action, ability, scope)
    paying.pay(play, seat, ability.cost, scope, action)
    play.mark(stats.mark(f"used {number}", thing))
    play.emit(Event("used", ("6.F.1",), seat, thing, amount=number + 1))
    if (now := play.state.thing(thing.ref)) is not None and stats.on_battlefield(play.state, now):
        statuses.reveal(play, now)
    pile.put(play, Item(play.count("item"), "ability", seat, thing.ref, thing.card, scope, ability), ("12",))
    hand_over(play, seat)


def _used(state: State, seat: str, action: Action) -> Thing:
    refs: list[Aim] = []
    for thing in state.things.values():
        if thing.controller == seat and kind_of(thing.zone) in ("battlefield", "events"):
            refs.append(thing.ref)
    target = state.thing(naming.find(state, seat, action, action.thing, refs))
    if target is None or target.ref not in refs:
        raise Refused(("6.F.1", "8.E"), said("you can only use cards you control on the battlefield"))
    return target


def _active(state: State, thing: Thing, action: Action) -> tuple[int, Ability]:
    every = [(at, one) for at, one in enumerate(query.abilities(state, thing)) if one.kind == "active"]
    if not every:
        raise Refused("6.F.1", said("it has no active ability"))
    if action.ability == 0 and len(every) > 1:
        raise Refused("6.F.1", said("name one of its abilities"))
    if action.ability > len(every):
        raise Refused("6.F.1", said("it has no such ability"))
    return every[max(0, action.ability - 1)]


def use_refused(state: State, thing: Thing, ability: Ability, number: int) -> Refused | None:
    """6.F.1, S17, S42: why an active ability can't be used now, apart from its cost and targets; None if it can."""
    bearer = state.things[thing.under] if thing.under else thing
    if not query.works_here(state, thing, ability):
        return Refused(("6.F.1", "8.E"), said("its abilities don't work where it is"))
    if stats.count(bearer, "exhaust"):
        return Refused(("13.7.1", "S17", "11.6"), said("it is exhausted"))
    limit = ability.limit or (1 if ability.cost.free or ability.solo else 0)
    if limit and stats.did(state, f"used {number}", thing) >= limit:
        return Refused(("6.F.1", "S42"), said("you can only use it once a turn"))
    if card := query.forbids(state, "use", thing) or query.forbids(state, "use", thing.controller):
        return Refused("9.F", said("%(card)s forbids it", card=card))
    if not query.holds(state, ability.test, Scope(thing.ref, thing.card, thing.controller)):
        return Refused("6.F.1", said("its condition isn't met"))
    return None
