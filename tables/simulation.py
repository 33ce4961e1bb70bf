"""Card games played at random, and the invariants after every entry."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from tables.core import answering, engine
from tables.core.entries import Entry
from tables.core.lists.cards import Card
from tables.core.lists.decks import Deck
from tables.core.lists.formats import FORMATS
from tables.core.offering import offered
from tables.core.pace import stops
from tables.core.play import Rules
from tables.core.proof.draws import Draws
from tables.core.reducer import step
from tables.core.setup import Dealt, deal
from tables.core.state import Options, Ref, State
from tables.core.views import SPECTATOR, knows, view
from tables.core.zones import kind_of
from tables.games.altered.agreements import all_suggested

TRIED = 12
"""The number of lines tried for each seat when refusals are compared."""


class Broken(AssertionError):
    """An invariant that a step breaks, with the table's seed and the entry."""


def check(rules: Rules, start: State, state: State, seed: int, number: int) -> None:
    """The invariants: cards conserved, each in one place, exactly one thing awaited, consistent states."""
    where = f"seed {seed}, entry {number}"
    card_keys = {key for key, thing in state.things.items() if not state.cards[thing.card].token}
    if card_keys != {key for key, thing in start.things.items() if not start.cards[thing.card].token}:
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
    """Appendix B: every awaited seat has a default that can be carried out, except where only a judge can go on."""
    seats, kind = engine.waits_for(state)
    for seat in seats:
        outcome = step(rules, state, Entry("tick", "service", seat=seat))
        if outcome.reason is not None:
            raise Broken(f"{where}: the default of {kind} is refused: {outcome.reason}")


# --------------------------------------------------------------------------------------------- what is hidden


def hidden_change(rules: Rules, state: State, viewer: str, random: Random) -> State:
    """A state that differs only in what a viewer doesn't know: unknown cards change places."""
    things = dict(state.things)
    decision = state.decision
    option_keys = {
        aim.key
        for aim in getattr(decision, "among", ())
        if isinstance(aim, Ref) and decision and decision.hears(viewer)
    }
    for owner in [seat.letter for seat in state.seats]:
        hidden = [thing for thing in state.things.values() if thing.owner == owner and not knows(rules, thing, viewer)]
        keys = [thing.key for thing in hidden if not thing.known and thing.key not in option_keys]
        names = [state.things[key].card for key in keys]
        random.shuffle(names)
        for key, name in zip(keys, names, strict=True):
            things[key] = replace(things[key], card=name)
    return replace(state, things=things)


def same_views(rules: Rules, state: State, random: Random) -> list[str]:
    """T5.2: the viewers whose view, legal lines or refusals change when only facts unknown to them do; empty if all
    is well."""
    viewers = []
    for viewer in [*(seat.letter for seat in state.seats), SPECTATOR]:
        other = hidden_change(rules, state, viewer, random)
        same = json.dumps(view(rules, state, viewer)) == json.dumps(view(rules, other, viewer))
        if viewer != SPECTATOR:
            same = same and offered(rules, state, viewer) == offered(rules, other, viewer)
            lines = lines_to_try(rules, state, viewer, random)
            same = same and refusals(rules, state, viewer, lines) == refusals(rules, other, viewer, lines)
        if not same:
            viewers.append(viewer)
    return viewers


def refusals(rules: Rules, state: State, seat: str, lines: Sequence[str]) -> list[object]:
    """T5.2: the reason why each of the lines is refused to a seat now; None where it is carried out."""
    return [step(rules, state, Entry("act", seat, (line,))).reason for line in lines]


def lines_to_try(rules: Rules, state: State, seat: str, random: Random) -> list[str]:
    """T5.2: lines that a seat might write to find something out: legal ones, and those that name cards they can't
    see."""
    names = sorted(state.cards)
    numbers = [thing.number for thing in state.things.values() if thing.number is not None] or [1]
    name, other, number = random.choice(names), random.choice(names), random.choice(numbers)
    letter = random.choice([one.letter for one in state.seats])
    owned = [thing.card for thing in state.things.values() if thing.owner != seat] or names
    hidden = random.choice(owned)
    legal = offered(rules, state, seat)
    tried = [
        *random.sample(list(legal), min(3, len(legal))), f"cast {name}", f"cast {hidden}; target {other}",
        f"cast {name}; target 11y {random.randint(1, 7)} of {letter}", f"use #{number}; target {hidden} of {letter}",
        f"attack with #{number} > 11y {random.randint(1, 7)}", f"block with #{number}", f"choose {hidden}",
        f"choose 11y {random.randint(1, 7)} of {letter}", f"target {hidden}", f"discard {name}", f"soul {hidden}",
        f"recursion: {hidden}", "11y: cast", "11y: ability", f"energy w from #{number}", "take back", "accept 1",
        f"propose: {hidden} dies", f"propose: {hidden} of {letter} to hand", f"propose: 11y 1 of {letter} to hand",
    ]  # fmt: skip
    return random.sample(tried, min(TRIED, len(tried)))


__all__ = ["Broken", "Tally", "opening", "play_one", "played", "replay"]

DECK = 50
MOST_ENTRIES = 6000
EVERY = 20
"""How often the views are compared with a state that differs only in secrets."""
KINDS: Mapping[str, Sequence[tuple[Sequence[str], str]]] = {
    "seize": (
        ("AB", "standard"), (("A1", "B1", "A2", "B2"), "standard"), ("ABC", "guild master"), ("AB", "arena"),
        ("AB", "draft"), (("A1", "B1", "A2", "B2"), "arena"), ("ABCD", "guild master"), ("AB", "guild master"),
    )
}  # fmt: skip
"""T5: the tables that random play of a game cycles through: seats and format."""
PASSES = 0.35
"""How often the holder of priority passes though they could act."""


@dataclass
class Tally:
    """How many tables were played, and their outcomes. `visits`: how often a seat had to come by, at tables of two
    that began with the default stops, and `visited` the turns of these."""

    games: int = 0
    entries: int = 0
    turns: int = 0
    visits: int = 0
    visited: int = 0
    results: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)

    @property
    def visits_a_turn(self) -> float:
        """T10: visits a turn for each of two players; 0 where no table had stops."""
        return self.visits / self.visited / 2 if self.visited else 0.0


def random_deck(
    rules: Rules, cards: Mapping[str, Card], random: Random, options: Options
) -> tuple[list[str], tuple[tuple[str, str], ...]]:
    """4, T5: as many random cards as the format asks for, of one class if it says so, and the extras: a Champion, a
    Guild Master, or a Hero, which a seat may lack (4.1.f)."""
    names = sorted(name for name, card in cards.items() if _in_decks(card))
    format = FORMATS.get((rules.name, options.format))
    if format is None or not format.extra:
        fixed = format.least if format is not None and rules.name != "kryptik" else 0
        heroes = sorted(name for name, card in cards.items() if card.type == "hero")
        hero = random.choice([*heroes, ""]) if heroes else ""
        return random.choices(names, k=fixed or DECK), (("hero", hero),) if hero else ()
    class_ = random.choice(sorted({cards[name].class_ for name in names if cards[name].type == "mercenary"}))
    if format.one_class:
        names = [name for name in names if cards[name].class_ in ("", "generic", class_)]
    stars = [name for name in names if cards[name].type == "mercenary" and cards[name].stars >= format.extra_stars]
    return random.choices(names, k=format.least), (("beside", random.choice(stars)),)


def opening(rules: Rules, cards: Mapping[str, Card], seed: int, seats: Sequence[str], options: Options) -> State:
    """2: a table before its set-up, with random decks of the given cards, shuffled by the table's own draws."""
    random = Random(seed)
    draws = Draws(f"simulated {seed}".encode().ljust(32, b".")[:32], f"simulated-{seed}")
    decks = {}
    for seat in seats:
        main, extra = random_deck(rules, cards, random, options)
        decks[seat] = Deck(Counter(main), extra=extra)
    return deal(rules, cards, options, draws, [Dealt(seat, deck) for seat, deck in decks.items()]).state


def _in_decks(card: Card) -> bool:
    return not card.token and not card.manual and card.type not in ("hero", "tumult")


def stopped(rules: Rules, state: State) -> State:
    """T10.5: a table at which every seat has the default stops."""
    usual = stops.default(rules)
    return replace(state, seats=tuple(replace(seat, stops=usual) for seat in state.seats))


def begun(rules: Rules, state: State) -> State:
    """T6: a table advanced to its first question."""
    play = engine.started(rules, state)
    answering.automatic(play)
    return play.state


def play_one(rules: Rules, state: State, seed: int, tally: Tally) -> list[Entry]:
    """Play one table at random to its end and return its entries. Broken names the invariant that doesn't hold."""
    random, hidden = Random(seed), Random(seed + 1)
    start, state = state, begun(rules, state)
    entries: list[Entry] = []
    here, visits = "", 0
    for number in range(MOST_ENTRIES):
        where = f"seed {seed}, entry {number}"
        check(rules, start, state, seed, number)
        if number % EVERY == 0:
            defaults_hold(rules, state, where)
            if viewers := same_views(rules, state, hidden):
                raise Broken(f"{where}: what {', '.join(viewers)} can't know changes what they see")
        if state.result is not None:
            break
        seats, kind = engine.waits_for(state)
        seat = here if here in seats else random.choice(seats)
        visits += seat != here
        here = seat
        tally.kinds[kind] += 1
        entry, state = _entry(rules, state, seat, number, random, where)
        entries.append(entry)
    _count(tally, start, state, len(entries), visits)
    if replay(rules, start, entries) != state:
        raise Broken(f"seed {seed}: replaying the entries gives another state")
    return entries


def _entry(rules: Rules, state: State, seat: str, number: int, random: Random, where: str) -> tuple[Entry, State]:
    """One entry of the seat that is asked: a random line of those offered; each must be accepted."""
    if engine.waits_for(state)[1] == "manual":
        entry = Entry("ruling", "judge", ("nothing happens",), number, "K42", "simulated")
        return entry, step(rules, state, entry).state
    entry = Entry("act", seat, (random.choice(_lines(rules, state, seat, random)),), number)
    outcome = step(rules, state, entry)
    if outcome.reason is not None:
        raise Broken(f"{where}: “{entry.lines[0]}” was offered but is refused: {outcome.reason}")
    return entry, outcome.state


def _count(tally: Tally, start: State, state: State, entries: int, visits: int) -> None:
    tally.games += 1
    tally.entries += entries
    tally.turns += state.turn.number
    tally.results[f"won by {state.result.cites}" if state.result else "unfinished"] += 1
    if len(start.seats) == 2 and start.seats[0].stops is not None:
        tally.visits += visits
        tally.visited += state.turn.number


def _lines(rules: Rules, state: State, seat: str, random: Random) -> Sequence[str]:
    lines = offered(rules, state, seat)
    return lines[:1] if state.decision is None and random.random() < PASSES else lines


def replay(rules: Rules, state: State, entries: Sequence[Entry]) -> State:
    """T6: the state as a fold of the entries."""
    state = begun(rules, state)
    for entry in entries:
        state = step(rules, state, entry).state
    return state


def played(rules: Rules, cards: Mapping[str, Card], games: int, first: int = 1) -> Tally:
    """Play a number of random tables: Kryptik's of two seats, each fourth of three (Krucible), each third limited,
    every other one with the default stops. Of Seize every format in turn, with two, three and four seats."""
    tally = Tally()
    for seed in range(first, first + games):
        if (kinds := KINDS.get(rules.name)) is not None:
            seats, format = kinds[seed % len(kinds)]
            play_one(rules, opening(rules, cards, seed, seats, Options(format)), seed, tally)
            continue
        options = Options("limited" if seed % 3 == 0 else "constructed")
        seats = "ABC" if seed % 4 == 0 else "AB"
        if rules.name == "altered":
            options, seats = Options("default", agreed=all_suggested()), "AB"
        state = opening(rules, cards, seed, seats, options)
        play_one(rules, stopped(rules, state) if seed % 2 and rules.name != "altered" else state, seed, tally)
    return tally
