"""What holds of a turn that is settled again: in another order, in a mirror, from what was written down."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import TypeVar

from scripts.simulation.mirror import mirrored, outline, told
from scripts.simulation.played import PlayedTurn
from wargame.rules.core.codec import position_from_json, position_to_json
from wargame.rules.core.orders import ReadOrder
from wargame.rules.posts.notation import read_line
from wargame.rules.settlement import settle

T = TypeVar("T")


def the_order_of_the_posts_is_irrelevant(turn: PlayedTurn) -> Iterator[str]:
    """3.3.1, 3.3.4: time and place decide, never the order in which lines, manifests and results are given."""
    random = Random(turn.number)
    given = replace(
        turn.given,
        lines=_shuffled(random, turn.given.lines),
        manifests=_shuffled(random, turn.given.manifests),
        results=_shuffled(random, turn.given.results),
        control=dict(_shuffled(random, tuple(turn.given.control.items()))),
    )
    again = settle(turn.before, given, turn.dice())
    if again != turn.settled:
        yield f"shuffled, it ends in {_difference(turn.settled, again)}"


def the_teams_are_alike(turn: PlayedTurn) -> Iterator[str]:
    """1.1: with the teams swapped, the same happens. Draws go by names, and those stay."""
    other = settle(mirrored(turn.before), turn.given, turn.dice())
    ours, theirs = outline(turn.after), outline(mirrored(other.position))
    for part, value in ours.items():
        if theirs[part] != value:
            yield f"swapped, the {part} are {theirs[part]} and not {value}"
    ours_told, theirs_told = told(turn.settled.events, swapped=False), told(other.events, swapped=True)
    if ours_told != theirs_told:
        yield f"swapped, these differ: {sorted(set(ours_told) ^ set(theirs_told))}"


def the_draft_is_the_settlement_s_beginning(turn: PlayedTurn) -> Iterator[str]:
    """R18: what the movement judge saw after step 6 is what the settlement does."""
    draft = [event for event in turn.moves.events if event.kind != "drawn"]
    if draft != list(turn.settled.events[: len(draft)]):
        yield "the draft's events are not the first ones of the settlement"


def a_position_survives_being_written_down(turn: PlayedTurn) -> Iterator[str]:
    """R38: so that every turn can be recomputed."""
    if position_from_json(position_to_json(turn.after)) != turn.after:
        yield "the position that is read back is another one"


def an_order_that_is_written_reads_back(turn: PlayedTurn) -> Iterator[str]:
    """3.2.2.5."""
    names = tuple(turn.before.by_name)
    for line in turn.given.lines:
        read = read_line(line.text, names)
        if not isinstance(read, ReadOrder) or (read.army, read.order) != (line.army, line.order):
            yield f"“{line.text}” is read as {read}"


def _shuffled(random: Random, things: tuple[T, ...]) -> tuple[T, ...]:
    return tuple(random.sample(things, len(things)))


def _difference(one: object, other: object) -> str:
    """The first place where two values differ, with what is around it."""
    first, second = repr(one), repr(other)
    place = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), 0)
    return f"…{second[max(0, place - 80) : place + 80]}… and not …{first[max(0, place - 80) : place + 80]}…"
