"""1.3: the acts that the log keeps: how each is told, and until when it is secret that it was done.

An action that is not named in one of the tables is shown to nobody; a test finds it.
The acts of turns, battles, rulings, mercenaries and the formula book are here; those of people and of the set-up have a
module of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

from wargame.models.choices import Role
from wargame.rules.core.sides import Side

Data = Mapping[str, Any]
Told = str | Callable[[Data], str]

BATTLE, MOVEMENT, MERCENARY = Role.BATTLE.value, Role.MOVEMENT.value, Role.MERCENARY.value

LEADERS = "leaders"
"""The leaders of the act's side, and those who may ask for changes of its control list."""

CALENDAR = {
    "name": "the name",
    "turn_length": "the length of a turn",
    "deadline_before_lock": "the battle deadline",
    "sealed_before_lock": "the time for sealed orders",
    "contingency_before_deadline": "the time of contingencies",
    "publish_after": "when moves are published",
    "after_lock_window": "the window after the lock",
    "results_after_lock": "when results are published",
    "may_lock_early": "whether turns may be locked early",
    "press": "who may write private messages",
    "dice_mix": "what is mixed into the dice",
    "mix_within": "how long the dice wait for it",
    "second_score_threshold": "how far two scores may be apart",
    "criteria": "the criteria of a score",
    "strats_after": "when strats are published",
    "runner_least": "how low one judge may set the losses of a side that ran",
    "pair_least": "the least part of one of a pair",
    "pair_most": "the largest part of one of a pair",
    "judge_within": "the time for judging",
    "overdue_policy": "what an overdue battle does",
    "appeal_within": "the time for appeals",
    "most_appeals": "how many open appeals a player may have",
    "holidays": "the holidays",
}


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
    """Whose act it is, for somebody may judge and play (1.3). LIST: a judge's if it has a reason, else a player's.
    ADMINISTRATOR: whatever else he is here, and unnamed."""

    JUDGE = "judge"
    PLAYER = "player"
    EITHER = "either"
    LIST = "list"
    ADMINISTRATOR = "administrator"


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


def joined(names: Iterable[object] | None) -> str:
    """`A`, `A and B`, `A, B and C`; `nobody` for none."""
    found = [str(name) for name in names or ()]
    return " and ".join([", ".join(found[:-1]), found[-1]] if len(found) > 1 else found) or "nobody"


def battle_of(data: Data) -> str:
    """`battle 3 of turn 5`."""
    return f"battle {data.get('battle', '…')} of turn {data.get('turn', '…')}"


def number(count: object, one: str, many: str = "") -> str:
    """`1 army`, `3 armies`."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def place_of(data: Data) -> str:
    """1.3: of a judge who is named."""
    return "head" if data.get("head") else "assistant"


def role_of(data: Data) -> str:
    """1.3: the role of a judge who is named or dismissed, in words."""
    value = data.get("role")
    return Role(value).label if value in Role.values else "judge"


NO_STEP = Secret(When.AFTER_RESULT, "Before the result nobody knows how far its judge is (R38).", (BATTLE,))
NO_STRAT = Secret(When.AFTER_RESULT, "It tells that a strat claims or asks for something (R35).", (BATTLE,))
NO_ORDER = Secret(
    When.AFTER_SETTLEMENT,
    "Where the mercenaries are ordered otherwise than by their guidelines is secret until then (R48).",
    (MERCENARY,),
)
DRAFT = Secret(
    When.AFTER_MOVES,
    "The moves of a turn, and what is ruled on them, are the judges' until they are published (R18).",
    (MOVEMENT, BATTLE),
)
PROPOSAL = Secret(
    When.AFTER_NEXT,
    "A correction that is not applied is no part of the game: it is the judges' until it can't be any more.",
    (MOVEMENT, BATTLE),
)
LOCKING = Secret(
    When.AFTER_MOVES,
    "It is written when the moves are worked out, and a turn whose moves are not published is no more than locked.",
    (MOVEMENT,),
)
NOT_PUBLIC = Secret(
    When.AFTER_ROUND,
    "What it is against is no business of the other team before the end; its player and the judges know.",
    (MOVEMENT, BATTLE),
)
BOOK = Secret(
    When.AFTER_START,
    "While a round is set up nothing of it is public (2.5). The formulas themselves are not in the log (R38).",
    (BATTLE,),
)


def _moment(text: object) -> str:
    try:
        return f"{datetime.fromisoformat(str(text)).astimezone(UTC):%d %B %Y, %H:%M} UTC"
    except ValueError:
        return str(text)


def _opened(data: Data) -> str:
    return f"opened turn 1, which locks at {_moment(data.get('lock_at'))}"


def _locked(data: Data) -> str:
    """R8: with the lines that the service itself could not make out; line 0 is a whole post."""
    told = f"locked turn {data.get('turn', '…')}"
    unread = [f"line {line} of post {post}" if line else f"post {post}" for post, line in data.get("unread") or ()]
    return f"{told}; the service could not make out {joined(unread)}, which gave no order" if unread else told


def _settled(data: Data) -> str:
    told = f"settled turn {data.get('turn', '…')}"
    if won := data.get("won_by"):
        return f"{told}; by the rules {joined(Side(side).title for side in won)} won"
    return f"{told} and opened the next, which locks at {_moment(data.get('next_lock'))}"


def _early_lock(data: Data) -> str:
    told = f"brought the lock of turn {data.get('turn', '…')} forward to {_moment(data.get('lock_at'))}"
    return f"{told}, from {_moment(data.get('before'))}, as all are done"


def _lock_restored(data: Data) -> str:
    return f"put the lock of turn {data.get('turn', '…')} back to {_moment(data.get('lock_at'))}"


def _won(data: Data) -> str:
    winner = data.get("winner")
    return f"confirmed that {Side(winner).title if winner else 'a side'} won the round"


def _calendar(data: Data) -> str:
    changes = [f"{CALENDAR.get(name, name)} to {value or 'none'}" for name, value in data.items()]
    return f"changed {joined(changes)}" if changes else "saved the calendar as it was"


def _extended(data: Data) -> str:
    whose = data.get("army") or "everybody"
    return f"moved the deadline of {battle_of(data)} for {whose} to {_moment(data.get('until'))}"


def _extension_overruled(data: Data) -> str:
    whose = data.get("army") or "everybody"
    said = f"overruled the longer deadline of {battle_of(data)} for {whose}, given by {data.get('of', '…')}"
    return f"{said}: it is {_moment(data.get('until'))} again"


def _published(data: Data) -> str:
    return f"published the result of {battle_of(data)}"


def _second(data: Data) -> str:
    who = data.get("second")
    return f"asked {who} to score {battle_of(data)} too" if who else f"let {battle_of(data)} be scored by one judge"


def _seat(data: Data) -> str:
    does = {"first": "is to score", "second": "is to score too", "third": "decides over two scores of"}
    told = f"{data.get('name') or 'nobody'} {does.get(data.get('kind', ''), 'judges')} {battle_of(data)}"
    why = {"silence": ", who was silent", "leave": ", who is away", "conflict": ", who has a conflict"}
    of = f", in place of {data['of']}{why.get(data.get('cause', ''), '')}" if data.get("of") else ""
    return f"found that {told}{of}"


def _judge_decided(data: Data) -> str:
    return f"decided that {data.get('name', '…')} judges {battle_of(data)}, although all have a conflict"


def _of_battle(told: str) -> str:
    return told + " battle {battle} of turn {turn}"


def _correction(data: Data) -> str:
    numbers = data.get("rulings") or ()
    return f"corrected turn {data.get('turn', '…')} by ruling{'s' if len(numbers) > 1 else ''} {joined(numbers)}"


def _proposed(data: Data) -> str:
    return f"worked out a correction of turn {data.get('turn', '…')} with {number(data.get('rulings', 0), 'ruling')}"


def _appeal_answered(data: Data) -> str:
    how = {"upheld": "the decision stands", "mended": "mended", "anew": "judged anew"}
    return f"answered appeal {data.get('appeal', '…')} of {data.get('player', '…')}: {how.get(data['how'], '…')}"


def _appeal_passed_on(data: Data) -> str:
    told = f"passed appeal {data.get('appeal', '…')} on to {data.get('judge', '…')}"
    return f"{told}, as {data['before']} did not answer it" if data.get("before") else told


APPEALS: dict[str, tuple[Told, By]] = {
    "lodged": ("lodged appeal {appeal}, which {judge} was drawn to answer", By.PLAYER),
    "withdrawn": ("took back appeal {appeal}", By.PLAYER),
    "answered": (_appeal_answered, By.JUDGE),
    "passed_on": (_appeal_passed_on, By.JUDGE),
}


def _adjusted(told: str) -> Callable[[Data], str]:
    """R53: which change of a special case, with its army and number."""

    def words(data: Data) -> str:
        what = "the part in its side's losses" if data.get("kind") == "involved" else "the losses"
        return _of_battle(told).format_map(Words({**data, "what": what}))

    return words


def _anew(data: Data) -> str:
    """R53, R58: by the judge who agreed, where another one worked it out."""
    told = f"agreed with {data['of']} to judge" if data.get("of") else "judged"
    return _of_battle(f"{told} anew").format_map(Words(data))


def _anew_dropped(data: Data) -> str:
    told = _of_battle("dropped a new judgement of").format_map(Words(data))
    return f"{told}, worked out by {data['of']}" if data.get("of") else told


AFTER_THE_DICE: dict[str, Any] = {"kind": Kind.BATTLES, "cites": "R53", "secret": NO_STEP}

GAMES: dict[str, Act] = {
    **{f"appeal.{name}": Act(told, Kind.RULINGS, by, cites="R57") for name, (told, by) in APPEALS.items()},
    **{f"appeal.hidden_{name}": Act(told, Kind.RULINGS, by, NOT_PUBLIC, "R57") for name, (told, by) in APPEALS.items()},
    "appeal.holds": Act("let appeal {appeal} hold up the settlement of turn {turn}", Kind.RULINGS, cites="R57"),
    "round.opened": Act(_opened, Kind.TURNS, cites="3.1"),
    "round.changed": Act(_calendar, Kind.TURNS, cites="R5"),
    "round.won": Act(_won, Kind.TURNS, cites="1.7"),
    "turn.locked": Act(
        _locked,
        Kind.TURNS,
        secret=LOCKING,
        cites="3.1",
    ),
    "turn.early_lock": Act(_early_lock, Kind.TURNS, cites="R60"),
    "turn.lock_restored": Act(_lock_restored, Kind.TURNS, cites="R60"),
    "turn.settled": Act(_settled, Kind.TURNS, cites="R18"),
    "turn.stuck": Act("can't go on with turn {turn}; it tries again and again, and has told the judges", Kind.TURNS),
    "turn.retried": Act("had turn {turn} tried again at once", Kind.TURNS),
    "turn.unstuck": Act("goes on with turn {turn}", Kind.TURNS),
    "draft.published": Act("published the moves of turn {turn}", Kind.TURNS, cites="R18"),
    "book.saved": Act(
        "wrote version {number} of the formula book, for the battles of turn {from_turn} and later",
        Kind.TURNS,
        secret=BOOK,
        cites="R38",
    ),
    "battle.extended": Act(_extended, Kind.BATTLES, cites="R5"),
    "battle.extension_overruled": Act(_extension_overruled, Kind.BATTLES, cites="1.3"),
    "battle.overdue": Act(_of_battle("reminded the judges of"), Kind.BATTLES, cites="4.1.1"),
    "strat.accepted": Act(_of_battle("accepted the late strat of {army} in"), Kind.BATTLES, cites="R35"),
    "strat.overruled": Act(
        _of_battle("overruled {of}, who had accepted the late strat of {army} in"), Kind.BATTLES, cites="1.3"
    ),
    "strat.declined": Act(
        _of_battle("decided that the late strat of {army} does not count in"), Kind.BATTLES, cites="R35"
    ),
    "strat.released": Act(_of_battle("published the strat of {army} in"), Kind.BATTLES, cites="R35"),
    "battle.second_judge": Act(_second, Kind.BATTLES, cites="4.2.1", secret=NO_STEP),
    "battle.seat": Act(_seat, Kind.JUDGES, cites="R59", secret=NO_STEP),
    "battle.judge_decided": Act(_judge_decided, Kind.JUDGES, cites="R56"),
    "battle.opinion": Act(_of_battle("locked one of two scores of"), Kind.BATTLES, cites="4.2.1", secret=NO_STEP),
    "battle.scored": Act(_of_battle("locked the score of"), Kind.BATTLES, cites="4.2.1", secret=NO_STEP),
    "battle.score_overruled": Act(_of_battle("overruled the score of"), Kind.BATTLES, cites="1.3", secret=NO_STEP),
    "battle.strat_judged": Act(_of_battle("ruled on a strat in"), Kind.BATTLES, cites="4.1.2", secret=NO_STRAT),
    "battle.word": Act(_of_battle("handed over the word of {army} for"), Kind.BATTLES, cites="R38", secret=NO_STEP),
    "battle.beacon": Act(_of_battle("wrote down the beacon's value for"), Kind.BATTLES, cites="R38", secret=NO_STEP),
    "battle.odds_looked": Act(
        _of_battle("looked, before a score was locked, at what would follow from one in"),
        Kind.BATTLES,
        cites="R54",
        secret=NO_STEP,
    ),
    "battle.rolled": Act(_of_battle("rolled the dice of"), Kind.BATTLES, cites="4.2.4", secret=NO_STEP),
    "battle.adjusted": Act(_adjusted("set {what} of {army} to {percent} percent in"), **AFTER_THE_DICE),
    "battle.adjust_tried": Act(
        _adjusted("tried alone to set {what} of {army} to {percent} percent in"), **AFTER_THE_DICE
    ),
    "battle.adjust_asked": Act(_adjusted("asked to set {what} of {army} to {percent} percent in"), **AFTER_THE_DICE),
    "battle.adjust_agreed": Act(
        _adjusted("agreed with {of} to set {what} of {army} to {percent} percent in"), **AFTER_THE_DICE
    ),
    "battle.adjust_refused": Act(
        _adjusted("did not agree with {of} to set {what} of {army} to {percent} percent in"), **AFTER_THE_DICE
    ),
    "battle.adjust_withdrawn": Act(
        _adjusted("asked no more to set {what} of {army} to {percent} percent in"), **AFTER_THE_DICE
    ),
    "battle.published": Act(_published, Kind.BATTLES, cites="4.2.5"),
    "battle.anew_proposed": Act(_of_battle("worked out anew"), Kind.BATTLES, cites="R58", secret=PROPOSAL),
    "battle.anew_dropped": Act(_anew_dropped, Kind.BATTLES, cites="R58", secret=PROPOSAL),
    "battle.judged_anew": Act(_anew, Kind.BATTLES, cites="R58"),
    "battle.notes_shown": Act(_of_battle("showed the notes on"), Kind.BATTLES, cites="4.2.1", secret=NO_STEP),
    "battle.notes_hidden": Act(_of_battle("hid the notes on"), Kind.BATTLES, cites="4.2.1", secret=NO_STEP),
    "ruling.made": Act("made ruling {ruling} on turn {turn}", Kind.RULINGS, cites="3.3.3", secret=DRAFT),
    "ruling.withdrawn": Act("took back ruling {ruling} on turn {turn}", Kind.RULINGS, cites="3.3.3", secret=DRAFT),
    "ruling.overruled": Act(
        "overruled ruling {ruling} on turn {turn}, by {of}", Kind.RULINGS, cites="1.3", secret=DRAFT
    ),
    "correction.proposed": Act(_proposed, Kind.RULINGS, cites="3.3.3", secret=PROPOSAL),
    "correction.dropped": Act("dropped a correction of turn {turn}", Kind.RULINGS, cites="3.3.3", secret=PROPOSAL),
    "correction.applied": Act(_correction, Kind.RULINGS, cites="3.3.3"),
    "penalty.handed_down": Act(
        "handed down penalty {penalty} of turn {turn}, for {player}", Kind.RULINGS, cites="5.4.1"
    ),
    "penalty.lifted": Act("lifted penalty {penalty} of turn {turn}, for {player}", Kind.RULINGS, cites="5.4.1"),
    "mercenaries.ordered": Act(
        "decided about a mercenary in turn {turn}", Kind.MERCENARIES, cites="R48", secret=NO_ORDER
    ),
    "mercenaries.window_ended": Act(
        "said to change nothing after the lock of turn {turn}", Kind.MERCENARIES, cites="6.3.2", secret=NO_ORDER
    ),
    "mercenaries.window_kept": Act(
        "kept the window after the lock of turn {turn}", Kind.MERCENARIES, cites="6.3.2", secret=NO_ORDER
    ),
    "mercenaries.strat": Act(_of_battle("sent a strat for {army} in"), Kind.MERCENARIES, cites="R49"),
}
"""Turns, battles, rulings, mercenaries. A strat that was sent is public at once, by its receipt (R35)."""
