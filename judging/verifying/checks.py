"""R38: what recomputing a turn or a battle gave, thing by thing, and what can't be recomputed by everybody yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.utils.translation import gettext

from judging.game.words import Words
from wargame.version import RULES


@dataclass(frozen=True, slots=True)
class Check:
    """R38: one thing that was held against what was published, mostly by hashes; `recomputed` is empty where it can't
    be recomputed at all. `differs` names the difference. `depends_on_rules` marks what other rules may settle
    otherwise."""

    named: Words
    published: str
    recomputed: str
    differs: Words
    depends_on_rules: bool = False

    @property
    def what(self) -> str:
        return str(self.named)

    @property
    def wrong(self) -> str:
        return str(self.differs)

    @property
    def is_same(self) -> bool:
        return self.published == self.recomputed


@dataclass(frozen=True, slots=True)
class Pending:
    """R38: what nobody outside can recompute yet, and why it is still secret."""

    named: Words
    because: Words

    @property
    def what(self) -> str:
        return str(self.named)

    @property
    def why(self) -> str:
        return str(self.because)


@dataclass(frozen=True, slots=True)
class RollCheck:
    """R38: one roll of a battle as docs/play/verify/dice.md names it, published and drawn anew."""

    name: str
    number: int
    sides: int
    published: int
    recomputed: int

    @property
    def is_same(self) -> bool:
        return self.published == self.recomputed


@dataclass(frozen=True, slots=True)
class StratCheck:
    """R35: a strat that counted in a battle: its receipt, by its army."""

    army: str
    sha256: str


@dataclass(frozen=True, slots=True)
class BattleCheck:
    """R38: a battle. `seed`, `strats` and `rolls` are empty, and there are fewer `checks`, until its result is
    published."""

    id: int
    number: int
    at: str
    headline: str
    commitment: str
    seed: str = ""
    strats: tuple[StratCheck, ...] = ()
    rolls: tuple[RollCheck, ...] = ()
    checks: tuple[Check, ...] = ()

    @property
    def differences(self) -> tuple[str, ...]:
        wrong = [check.wrong for check in self.checks if not check.is_same]
        if not all(roll.is_same for roll in self.rolls):
            wrong.append(gettext("its dice"))
        told = gettext("the battle on %(square)s: %(what)s")
        return tuple(told % {"square": self.at, "what": what} for what in wrong)


@dataclass(frozen=True, slots=True)
class TurnCheck:
    """R18, R38: a turn. `next_hash` and `seed` are empty until it is settled; `pending` is what is secret still.

    `rules` is the version of the rules that settled it, empty until then; `rules_here` the one that recomputed it.
    """

    turn: int
    is_settled: bool
    position_hash: str
    next_hash: str
    seed: str
    checks: tuple[Check, ...]
    battles: tuple[BattleCheck, ...]
    pending: tuple[Pending, ...] = ()
    rules: str = ""
    rules_here: str = RULES

    @property
    def has_other_rules(self) -> bool:
        """Whether other rules settled it than recomputed it: a difference may come from that alone."""
        return self.is_settled and self.rules != self.rules_here

    @property
    def is_wrong(self) -> bool:
        """Whether something differs that no other rules explain; the chain seals which rules settled the turn."""
        return any(battle.differences for battle in self.battles) or any(
            not check.is_same and not (check.depends_on_rules and self.has_other_rules) for check in self.checks
        )

    @property
    def differences(self) -> tuple[str, ...]:
        """What differs, in words; nothing: all is the same."""
        return tuple(self._differences())

    def _differences(self) -> Iterator[str]:
        yield from (check.wrong for check in self.checks if not check.is_same)
        for battle in self.battles:
            yield from battle.differences
