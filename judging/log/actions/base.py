"""1.3: an act of the log: its sentence, its subject, its actor, and until when it is secret."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from django.utils.translation import gettext, gettext_noop, pgettext

from judging.common.stored_messages import Facts
from judging.common.texts import utc
from wargame.models.choices import Role

Data = Mapping[str, Any]


Told = str | Callable[[Data], str]


BATTLE, MOVEMENT, MERCENARY = Role.BATTLE.value, Role.MOVEMENT.value, Role.MERCENARY.value

LEADERS = "leaders"
"""The leaders of the act's side, and those who can ask for changes of its control list."""


class Kind(Enum):
    """The subject of an act: the value is used in addresses, the words in the list of the filter."""

    TURNS = "turns", gettext_noop("Turns and the round")
    BATTLES = "battles", gettext_noop("Battles")
    RULINGS = "rulings", gettext_noop("Rulings and corrections")
    CONTROL = "control", gettext_noop("Control")
    PLAYERS = "players", gettext_noop("Players and ranks")
    JUDGES = "judges", gettext_noop("Judges")
    ARMIES = "armies", gettext_noop("Armies and troops")
    MERCENARIES = "mercenaries", gettext_noop("Mercenaries")
    BOARDS = "boards", gettext_noop("Votes and boards")
    SETUP = "set-up", gettext_noop("Set-up")

    def __init__(self, key: str, words: str) -> None:
        self.key = key
        self.english = words

    @property
    def words(self) -> str:
        return gettext(self.english)

    @property
    def small(self) -> str:
        return self.words.lower() if self.words == self.english else self.words


class When(Enum):
    """When an act becomes public. The turn and the battle are those of its data."""

    AT_ONCE = gettext_noop("right away")
    AFTER_START = gettext_noop("the round has begun")
    AFTER_MOVES = gettext_noop("the moves of its turn are published")
    AFTER_RESULT = gettext_noop("the result of its battle is published")
    AFTER_SETTLEMENT = gettext_noop("its turn is settled")
    AFTER_NEXT = gettext_noop("the next turn is settled")
    AFTER_ROUND = gettext_noop("the round is finished")


class By(Enum):
    """The role in which a person acts, because one can judge and play (1.3). LIST: a judge's act if it has a reason,
    else a player's. ADMINISTRATOR: whatever else they are here, and unnamed."""

    JUDGE = "judge"
    PLAYER = "player"
    EITHER = "either"
    LIST = "list"
    ADMINISTRATOR = "administrator"


@dataclass(frozen=True)
class Secret:
    """Until when an act is secret, and `because` of what; `early` are those who can read it before: judges of these
    roles, or LEADERS. Its author can always read it."""

    until: When
    because: str
    early: tuple[str, ...] = ()


OPEN = Secret(When.AT_ONCE, "")


@dataclass(frozen=True)
class Act:
    """An action. `told` continues the sentence after the actor's name."""

    told: Told
    kind: Kind
    by: By = By.JUDGE
    secret: Secret = OPEN
    cites: str = ""

    @property
    def when(self) -> When:
        return self.secret.until

    @property
    def early(self) -> tuple[str, ...]:
        return self.secret.early

    def sentence(self, data: Data) -> str:
        """The act as a sentence, without the actor's name and without a full stop. Data of an imported file can be
        anything; they are left out."""
        try:
            return self.told(data) if callable(self.told) else gettext(self.told).format_map(Facts(data))
        except (AttributeError, KeyError, TypeError, ValueError):
            return gettext("did something (%(kind)s) that can't be read any more") % {"kind": self.kind.small}


def joined(names: Iterable[object] | None) -> str:
    """`A`, `A and B`, `A, B and C`; `nobody` for none."""
    words = [str(name) for name in names or ()]
    if not words:
        return pgettext("in a log", "no one")
    return gettext(" and ").join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def battle_of(data: Data) -> str:
    """`battle 3 of turn 5`."""
    place = {"battle": data.get("battle", "…"), "turn": data.get("turn", "…")}
    return gettext("battle %(battle)s of turn %(turn)s") % place


def place_of(data: Data) -> str:
    """1.3: the place that a judge was given: head or assistant."""
    return pgettext("a judge", "head") if data.get("head") else pgettext("a judge", "assistant")


def role_of(data: Data) -> str:
    """1.3: the role of a judge who is named or dismissed, in words."""
    value = data.get("role")
    return str(Role(value).label) if value in Role.values else gettext("judge")


def moment_in_words(text: object) -> str:
    """A stored moment in words; anything else stays unchanged."""
    try:
        moment = datetime.fromisoformat(str(text)).astimezone(UTC)
    except ValueError:
        return str(text)
    return utc(moment.replace(second=0, microsecond=0))


SET_UP = Secret(
    When.AFTER_START,
    "While a round is set up nothing of it is public (2.5.1.3).",
    (BATTLE,),
)
