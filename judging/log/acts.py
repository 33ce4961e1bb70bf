"""1.3: the acts that the log keeps: how each is told, and until when it is secret that it was done.

An action that is not named in one of the tables is shown to nobody; a test finds it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from wargame.models.choices import Role

Data = Mapping[str, Any]
Told = str | Callable[[Data], str]


class Kind(Enum):
    """What an act is about: the value stands in addresses, the words in the list of the filter."""

    TURNS = "turns", "Turns and the round"
    BATTLES = "battles", "Battles"
    RULINGS = "rulings", "Rulings and corrections"
    CONTROL = "control", "Control"
    PLAYERS = "players", "Players and ranks"
    JUDGES = "judges", "Judges"
    ARMIES = "armies", "Armies and troops"
    MERCENARIES = "mercenaries", "Mercenaries"
    BOARDS = "boards", "Votes and boards"
    SETUP = "set-up", "Set-up"

    def __init__(self, key: str, words: str) -> None:
        self.key = key
        self.words = words


class When(Enum):
    """Until when an act is secret. The turn and the battle are those of its data."""

    AT_ONCE = "at once"
    AFTER_START = "the round has begun"
    AFTER_MOVES = "the moves of its turn are published"
    AFTER_RESULT = "the result of its battle is published"
    AFTER_SETTLEMENT = "its turn is settled"
    AFTER_NEXT = "the turn after its own is settled"
    AFTER_ROUND = "the round is over"


class By(Enum):
    """Whose act it is, for somebody may judge and play (1.3). LIST: a judge's if it has a reason, else a player's."""

    JUDGE = "judge"
    PLAYER = "player"
    EITHER = "either"
    LIST = "list"


BATTLE, MOVEMENT, MERCENARY = Role.BATTLE.value, Role.MOVEMENT.value, Role.MERCENARY.value
LEADERS = "leaders"
"""The leaders of the act's side, and those who may ask for changes of its control list."""


@dataclass(frozen=True)
class Secret:
    """Until when an act is secret, and `because` of what; `early` are those who read of it before: judges of these
    roles, or LEADERS. Who did it always reads of it."""

    until: When
    because: str
    early: tuple[str, ...] = ()


OPEN = Secret(When.AT_ONCE, "")


@dataclass(frozen=True)
class Act:
    """An action. `told` goes on after the name of who did it."""

    told: Told
    kind: Kind
    by: By = By.JUDGE
    secret: Secret = OPEN
    cites: str = ""

    @property
    def when(self) -> When:
        """From when on everybody reads of it."""
        return self.secret.until

    @property
    def early(self) -> tuple[str, ...]:
        """Who reads of it before."""
        return self.secret.early

    def sentence(self, data: Data) -> str:
        """What was done, without the name of who did it and without a full stop. What an imported file says may be
        anything; it is not told."""
        try:
            return self.told(data) if callable(self.told) else self.told.format_map(Words(data))
        except (AttributeError, KeyError, TypeError, ValueError):
            return f"did something about {self.kind.words.lower()} that can't be read any more"


class Words(dict[str, Any]):
    """What an act's data have, in words; what is missing is left out, for rounds that were played elsewhere."""

    def __missing__(self, key: str) -> str:
        return "…"


def joined(names: Any) -> str:
    """`A`, `A and B`, `A, B and C`; `nobody` for none."""
    found = [str(name) for name in names or ()]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found) or "nobody"


def battle_of(data: Data) -> str:
    """`battle 3 of turn 5`."""
    return f"battle {data.get('battle', '…')} of turn {data.get('turn', '…')}"


def number(count: Any, one: str, many: str = "") -> str:
    """`1 army`, `3 armies`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def place_of(data: Data) -> str:
    """1.3: of a judge who is named."""
    return "head" if data.get("head") else "assistant"


def role_of(data: Data) -> str:
    """1.3: the role of a judge who is named or dismissed, in words."""
    value = data.get("role")
    return Role(value).label if value in Role.values else "judge"
