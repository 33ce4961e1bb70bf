"""3.1: the posts of a turn: who posts what and when, in his own hand, with table talk, second thoughts and edits.

Apart from `playing`, because it turns plans into text as people type it, and stores none of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from judging.demo.planner import TurnPlan
from wargame.rules.core.board import Square
from wargame.rules.core.orders import Hold, InBattle, Intercept, Move, Order, Step, Transfer
from wargame.rules.core.position import Position
from wargame.rules.moves.marches import shortest_paths

TALKS, EDITS, POSTS_TWICE = 0.4, 0.15, 0.3
"""How likely a player is to do each in a turn."""

SEALED_FROM = 0.86
"""R6: the part of a turn after which orders can be sealed."""

NEAR_SQUARES = ((0, 1), (1, 0), (0, -1), (-1, 0), (0, 2))
"""Rows and columns from an army to where it might have gone instead."""

Line = tuple[str, Order]
"""An army and what it is ordered to do."""


@dataclass(frozen=True)
class Hand:
    """How somebody types: his arrow, his separator, what he puts before a line, and his other habits."""

    arrow: str
    separator: str
    before: str
    lower_case: bool
    letter_first: bool
    leaves_off_own_name: bool
    likes_routes: bool
    hold: str
    in_battle: str

    def write(self, army: str, order: Order, own: str, rng: Random) -> str:
        """A line that is read as that order; `own` is the army whose name may be left off (R10)."""
        action = self._action(order, rng)
        name = "" if self.leaves_off_own_name and army == own else f"{army}: "
        line = f"{name}{action}"
        return self.before + (line.lower() if self.lower_case else line)

    def _action(self, order: Order, rng: Random) -> str:
        match order:
            case Move(steps):
                return self._square(steps[0].start) + "".join(self._step(step, order, rng) for step in steps)
            case Intercept(target):
                return f"intercept {target}"
            case Transfer(target, at):
                return f"transfer to {target} at {self._square(at)}"
            case Hold():
                return self.hold
            case InBattle():
                return self.in_battle

    def _step(self, step: Step, move: Move, rng: Random) -> str:
        suffix = " ".join(word for word in (step.suffix, step.target) if word)
        route = step.route
        if self.likes_routes and route is None and len(move.steps) == 1 and step.start.distance(step.to) in (2, 3):
            route = rng.choice(shortest_paths(step.start, step.to))
        way = f" ({' - '.join(map(self._square, route))})" if route else ""
        return f"{self.arrow}{self._square(step.to)}{way}{self.separator if suffix else ''}{suffix}"

    def _square(self, square: Square) -> str:
        text = str(square)
        return text[-1] + text[:-1] if self.letter_first else text


def hand_of(player: str) -> Hand:
    """The player's own hand, the same in every post."""
    rng = Random(f"{player}, by hand")
    return Hand(
        arrow=rng.choice((" > ", " > ", " > ", ">", " -> ", " → ")),
        separator=rng.choice(("; ", "; ", ", ")),
        before=rng.choice(("", "", "", "- ")),
        lower_case=rng.random() < 0.2,
        letter_first=rng.random() < 0.2,
        leaves_off_own_name=rng.random() < 0.5,
        likes_routes=rng.random() < 0.2,
        hold=rng.choice(("hold", "hold", "no move", "stay")),
        in_battle=rng.choice(("in battle", "fighting", "cannot move")),
    )


@dataclass(frozen=True)
class Writing:
    """A post that will be written: its versions, each with the part of the turn at which it is sent."""

    player: str
    versions: tuple[tuple[float, str], ...]
    sealed: bool = False


@dataclass
class Author:
    """A player at his desk. `lines` are his orders in the order in which he thinks of them."""

    name: str
    own: str
    hand: Hand
    lines: list[Line]

    def write(self, army: str, order: Order, rng: Random) -> str:
        """3.2.2.5: a line in his hand."""
        return self.hand.write(army, order, self.own, rng)


class Thread:
    """The movement thread of a turn, as it will be written. `talk` is what people say beside their orders."""

    def __init__(self, position: Position, plan: TurnPlan, talk: Iterator[str], rng: Random) -> None:
        self._position = position
        self._plan = plan
        self._talk = talk
        self._rng = rng

    def write(self, owners: Mapping[str, str], *, with_sealed: bool) -> list[Writing]:
        """The turn's posts by the players of `owners`; one of them seals his orders if there is a time for it."""
        authors, rng = self._authors(owners), self._rng
        sealing = rng.choice(authors).name if with_sealed else ""
        careless = rng.choice([author for author in authors if author.name != sealing])
        posts = []
        for author in authors:
            if author.name == sealing:
                text = "\n".join(author.write(*line, rng) for line in author.lines)
                posts.append(Writing(author.name, ((rng.uniform(SEALED_FROM, 0.98), text),), sealed=True))
            else:
                posts.extend(self._open_posts(author, self._slip(author) if author is careless else ""))
        return posts

    def _authors(self, owners: Mapping[str, str]) -> list[Author]:
        authors: dict[str, Author] = {}
        given = [(owners[army], army, order) for army, order in sorted(self._plan.orders.items())]
        for player, army, order in [*given, *self._plan.strangers]:
            if player not in authors:
                own = player if player in self._position.by_name else ""
                authors[player] = Author(player, own, hand_of(player), [])
            authors[player].lines.append((army, order))
        for author in authors.values():
            self._rng.shuffle(author.lines)
        return [authors[player] for player in sorted(authors)]

    def _slip(self, author: Author) -> str:
        """R8: a line that can't be read."""
        army = author.lines[0][0]
        return _garbled(army, self._position.by_name[army].at, self._rng.randint(0, 2))

    def _open_posts(self, author: Author, slip: str) -> Iterator[Writing]:
        """One or two posts of an author. In the second one he may think better of an order of the first."""
        lines, later, rng = author.lines, list[Line](), self._rng
        replaces = False
        if rng.random() < POSTS_TWICE:
            cut = rng.randint(1, len(lines))
            lines, later = lines[:cut], lines[cut:]
            if not later:
                lines, later, replaces = [self._at_first(*lines[0]), *lines[1:]], lines[:1], True
        at = rng.uniform(0.03, 0.6)
        edited = not replaces and rng.random() < EDITS
        yield self._post(author, lines, at, slip, edited=edited)
        if later:
            yield self._post(author, later, rng.uniform(at + 0.05, 0.8))

    def _post(self, author: Author, lines: list[Line], at: float, slip: str = "", *, edited: bool = False) -> Writing:
        """A post; if it is edited (R7), its first order was another one before."""
        first, *rest = [author.write(*line, self._rng) for line in lines] + ([slip] if slip else [])
        chat = next(self._talk) if self._rng.random() < TALKS else ""
        opens = self._rng.random() < 0.5
        versions = [(at, _text([first, *rest], chat, opens))]
        if edited:
            before = author.write(*self._at_first(*lines[0]), self._rng)
            later = self._rng.uniform(at + 0.02, 0.84)
            versions = [(at, _text([before, *rest], chat, opens)), (later, versions[0][1])]
        return Writing(author.name, tuple(versions))

    def _at_first(self, army: str, order: Order) -> Line:
        """What he meant to do before he thought again: a move to another of the empty squares near his army."""
        at = self._position.by_name[army].at
        near = [Square(at.row + row, at.column + column) for row, column in NEAR_SQUARES]
        free = [square for square in near if square.on_map and square not in self._position.by_square]
        others = [Move((Step(at, square),)) for square in free]
        return army, self._rng.choice([other for other in others if other != order] or [order])


def _garbled(army: str, at: Square, number: int) -> str:
    """R8: a line for an army that can't be read: a misspelt name, no square, or a square that is none."""
    wrong = (
        f"{army[:2]}{army[3:]}: {at} > {Square(at.row, at.column + 1)}",
        f"{army}: {at} >",
        f"{army}: {at} > east of {at}",
    )
    return wrong[number % len(wrong)]


def _text(lines: list[str], chat: str, opens: bool) -> str:
    """The lines of a post, with what he says before or after them."""
    parts = ["\n".join(lines)]
    if chat:
        parts.insert(0 if opens else 1, chat)
    return "\n\n".join(parts)
