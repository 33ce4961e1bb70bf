"""4.3.3, 4.3.4, 4.5, R39, R40: whether a kill or a capture succeeds, and whether the risked troops die."""

from __future__ import annotations

from wargame.rules.book.book import Book
from wargame.rules.book.formulas import MOST_EDGE


def kill_edge(book: Book, own: int, target: int, enemy_lost: int = 0) -> int:
    """4.3.4: what is added to the d20 of an army that goes for the kill.

    `own` and `target` are the living top troops that both have left, `enemy_lost` is percent of the target's troops
    that fell in the battle: doing heavy damage makes it easier.
    """
    return book.whole("kill_edge", top=own, enemy_top=target, enemy_lost=enemy_lost)


def capture_edge(book: Book, own: int, target: int, enemy_lost: int = 0) -> int:
    """4.5, R40: the same for a capture, which is never as likely as a kill in the same battle."""
    kill = kill_edge(book, own, target, enemy_lost)
    edge = book.whole("capture_edge", top=own, enemy_top=target, enemy_lost=enemy_lost, kill=kill)
    return min(edge, kill - 1)


def kill_succeeds(book: Book, own: int, target: int, roll: int, against: int, enemy_lost: int = 0) -> bool:
    """4.3.3, R39: a pair of d20: the army's own with its edge beats its target's."""
    return roll + kill_edge(book, own, target, enemy_lost) > against


def capture_succeeds(book: Book, own: int, target: int, roll: int, against: int, enemy_lost: int = 0) -> bool:
    """4.5, R40: the same with the edge of a capture."""
    return roll + capture_edge(book, own, target, enemy_lost) > against


def risked_lost(book: Book, fate: int, won: bool = True) -> bool:
    """4.3.3, R39: the risked troops die, but for a small chance. `fate` is 1 to 100, `won` whether the battle was."""
    return fate > book.whole("risked_kept", won=int(won))


def edge_chance(edge: int) -> int:
    """4.3.3: how likely an edge beats the other d20, in percent, rounded down."""
    faces = range(1, MOST_EDGE + 1)
    return sum(own + edge > other for own in faces for other in faces) * 100 // (MOST_EDGE * MOST_EDGE)
