"""What every table keeps, whatever is played: cards conserved, one thing waited for, and nobody learns what he can't
know, neither by what he sees, nor by what he may do, nor by why he is refused."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from random import Random

from tables.core import engine
from tables.core.entries import Entry
from tables.core.offering import offered
from tables.core.play import Rules
from tables.core.state import Ref, State
from tables.core.stepping import step
from tables.core.views import SPECTATOR, knows, view
from tables.core.zones import kind_of

TRIED = 12
"""So many lines are tried for each seat where refusals are held against each other."""


class Broken(AssertionError):
    """An invariant that a step breaks, with the table's seed and the entry."""


def check(rules: Rules, start: State, state: State, seed: int, number: int) -> None:
    """The invariants: cards conserved, each in one place, exactly one thing waited for, states that make sense."""
    where = f"seed {seed}, entry {number}"
    kept = {key for key, thing in state.things.items() if not state.cards[thing.card].token}
    if kept != {key for key, thing in start.things.items() if not start.cards[thing.card].token}:
        raise Broken(f"{where}: cards were lost or made")
    lying = Counter(key for keys in state.zones.values() for key in keys)
    if lying != Counter(dict.fromkeys(state.things, 1)):
        raise Broken(f"{where}: a card lies in two zones or in none")
    if any(key not in state.zones.get(thing.zone, ()) for key, thing in state.things.items()):
        raise Broken(f"{where}: a card lies elsewhere than it says")
    waits = (state.result is not None) + (state.decision is not None or state.priority is not None)
    if waits != 1:
        raise Broken(f"{where}: {waits} things are waited for")
    if state.decision is not None and not set(state.decision.of) <= set(state.living):
        raise Broken(f"{where}: who is destroyed is asked")
    _things(rules, state, where)


def _things(rules: Rules, state: State, where: str) -> None:
    for thing in state.things.values():
        public = rules.zones[kind_of(thing.zone)].public
        if public is (thing.number is None):
            raise Broken(f"{where}: {thing.card} in {thing.zone} has the number {thing.number}")
        if thing.under and state.things[thing.under].zone != thing.zone:
            raise Broken(f"{where}: a card lies beneath nothing")
    numbers = Counter(thing.number for thing in state.things.values() if thing.number is not None)
    if numbers and max(numbers.values()) > 1:
        raise Broken(f"{where}: two things have one number")


def defaults_hold(rules: Rules, state: State, where: str) -> None:
    """Appendix B: whoever is waited for has a default that can be carried out, but where only a judge goes on."""
    seats, kind = engine.waits_for(state)
    for seat in seats:
        outcome = step(rules, state, Entry("tick", "service", seat=seat))
        if outcome.reason is not None:
            raise Broken(f"{where}: the default of {kind} is refused: {outcome.reason}")


# --------------------------------------------------------------------------------------------- what is hidden


def hidden_change(rules: Rules, state: State, viewer: str, random: Random) -> State:
    """A state that differs from another only in what a viewer doesn't know: unknown cards change places."""
    things = dict(state.things)
    decision = state.decision
    offered = {
        aim.key
        for aim in getattr(decision, "among", ())
        if isinstance(aim, Ref) and decision and decision.hears(viewer)
    }
    for owner in [seat.letter for seat in state.seats]:
        hidden = [thing for thing in state.things.values() if thing.owner == owner and not knows(rules, thing, viewer)]
        keys = [thing.key for thing in hidden if not thing.known and thing.key not in offered]
        names = [state.things[key].card for key in keys]
        random.shuffle(names)
        for key, name in zip(keys, names, strict=True):
            things[key] = replace(things[key], card=name)
    return replace(state, things=things)


def same_views(rules: Rules, state: State, random: Random) -> list[str]:
    """T5.2: the viewers whose view, legal lines or refusals change when only what they don't know does; empty if all is
    well."""
    found = []
    for viewer in [*(seat.letter for seat in state.seats), SPECTATOR]:
        other = hidden_change(rules, state, viewer, random)
        same = json.dumps(view(rules, state, viewer)) == json.dumps(view(rules, other, viewer))
        if viewer != SPECTATOR:
            same = same and offered(rules, state, viewer) == offered(rules, other, viewer)
            lines = lines_to_try(rules, state, viewer, random)
            same = same and refusals(rules, state, viewer, lines) == refusals(rules, other, viewer, lines)
        if not same:
            found.append(viewer)
    return found


def refusals(rules: Rules, state: State, seat: str, lines: Sequence[str]) -> list[object]:
    """T5.2: why each of the lines is refused to a seat now; None where it is carried out."""
    return [step(rules, state, Entry("act", seat, (line,))).reason for line in lines]


def lines_to_try(rules: Rules, state: State, seat: str, random: Random) -> list[str]:
    """T5.2: lines that a seat might write to find something out: legal ones, and such as name cards that he can't
    see."""
    names = sorted(state.cards)
    numbers = [thing.number for thing in state.things.values() if thing.number is not None] or [1]
    name, other, number = random.choice(names), random.choice(names), random.choice(numbers)
    theirs = random.choice([one.letter for one in state.seats])
    owned = [thing.card for thing in state.things.values() if thing.owner != seat] or names
    hidden = random.choice(owned)
    legal = offered(rules, state, seat)
    tried = [
        *random.sample(list(legal), min(3, len(legal))), f"cast {name}", f"cast {hidden}; target {other}",
        f"cast {name}; target 11y {random.randint(1, 7)} of {theirs}", f"use #{number}; target {hidden} of {theirs}",
        f"attack with #{number} > 11y {random.randint(1, 7)}", f"block with #{number}", f"choose {hidden}",
        f"choose 11y {random.randint(1, 7)} of {theirs}", f"target {hidden}", f"discard {name}", f"soul {hidden}",
        f"recursion: {hidden}", "11y: cast", "11y: ability", f"energy w from #{number}", "take back", "accept 1",
        f"propose: {hidden} dies", f"propose: {hidden} of {theirs} to hand", f"propose: 11y 1 of {theirs} to hand",
    ]  # fmt: skip
    return random.sample(tried, min(TRIED, len(tried)))
