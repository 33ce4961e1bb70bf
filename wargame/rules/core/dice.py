"""R38: every draw from one committed seed, recorded. `docs/play/verify/dice.md` explains how to recompute it."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import NamedTuple, TypeVar

T = TypeVar("T")

WORD = 1 << 32
BLOCK_BYTES = 64
SCHEME = "wargame-dice-1"
"""The first line of every message: any change to how a draw is made changes this name."""

MIXED = "wargame-dice-2"
"""The same, for battles whose dice are mixed with something received after the score was locked."""

NONE = "-"
"""The placeholder in a message for no battle or no strat."""

# the two pads of HMAC, laid over every byte that a key may have
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_words: Callable[[bytes], tuple[int, ...]] = Struct(">8I").unpack


class Roll(NamedTuple):
    """R38: one draw: its name, the number of outcomes, the outcome from 1, and its number."""

    name: str
    sides: int
    value: int
    number: int = 1


@dataclass
class Dice:
    """R38: draws from HMAC-SHA256 of a seed over a context, the draw's name and its number.

    The digest is read as 32-bit big-endian words; a word at or above the largest multiple of `sides` is thrown away (so
    that every outcome is equally likely), and after eight words a further digest is made. A name and number give the
    same outcome however many other draws there were before it.
    """

    seed: bytes
    context: str
    rolls: list[Roll] = field(default_factory=list)

    def __post_init__(self) -> None:
        # HMAC (RFC 2104) by hand: with the seed and context hashed once, a draw costs a third of hmac.digest.
        key = hashlib.sha256(self.seed).digest() if len(self.seed) > BLOCK_BYTES else self.seed
        key = key.ljust(BLOCK_BYTES, b"\0")
        self._inner = hashlib.sha256(key.translate(_INNER) + self.context.encode())
        self._outer = hashlib.sha256(key.translate(_OUTER))

    def roll(self, name: str, sides: int, number: int = 1) -> int:
        """A number from 1 to `sides`, each equally likely. Name and context are one line each."""
        if not 1 <= sides <= WORD:
            raise ValueError(f"a draw has 1 to {WORD} outcomes, not {sides}")
        limit, block = WORD - WORD % sides, 0
        while True:
            inner, outer = self._inner.copy(), self._outer.copy()
            inner.update(f"\n{name}\n{number}\n{block}".encode())
            outer.update(inner.digest())
            for word in _words(outer.digest()):
                if word < limit:
                    value = 1 + word % sides
                    self.rolls.append(Roll(name, sides, value, number))
                    return value
            block += 1

    def choose(self, name: str, options: Sequence[T], number: int = 1) -> T:
        """R16, R22, R27: one of the options, each equally likely; nothing is drawn when there is one."""
        if len(options) == 1:
            return options[0]
        return options[self.roll(name, len(options), number) - 1]


def battle_dice(
    seed: bytes, round_slug: str, turn: int, battle: int, strat_hashes: Sequence[str], mix: Sequence[str] = ()
) -> Dice:
    """R38: the dice of one battle. The SHA-256 hashes (hex) of the strats that count are mixed in, sorted, and so
    are those in `mix`, which came after the score was locked: without any, the dice are the plain ones."""
    strats = _line(strat_hashes) or NONE
    if not mix:
        return Dice(seed, _context(round_slug, turn, str(battle), strats))
    return Dice(seed, f"{_context(round_slug, turn, str(battle), strats, MIXED)}\n{_line(mix)}")


def _line(hashes: Sequence[str]) -> str:
    return " ".join(sorted(each.lower() for each in hashes))


def turn_dice(seed: bytes, round_slug: str, turn: int) -> Dice:
    """R16, R22, R27: the dice of a settlement's draws outside the battles."""
    return Dice(seed, _context(round_slug, turn, NONE, NONE))


def setup_dice(seed: bytes, round_slug: str) -> Dice:
    """2.5, R38: the dice of the draws before a round's first turn: they count as turn 0."""
    return Dice(seed, _context(round_slug, 0, NONE, NONE))


def commitment(seed: bytes) -> str:
    """R38: the hash that is published before anybody can influence the outcome of the seed."""
    return hashlib.sha256(seed).hexdigest()


def _context(round_slug: str, turn: int, battle: str, strats: str, scheme: str = SCHEME) -> str:
    return f"{scheme}\n{round_slug}\n{turn}\n{battle}\n{strats}"
