"""4.2.5, 1.3: The shapes of the JSON in a battle's rows.

Nothing is decoded: an outcome is stored, hashed and published unchanged (R38), so outsiders read these keys, too, and
they must stay. Numbers are whole, armies have their names in the turn, sides are 0 and 1.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any, NotRequired, TypedDict, cast, get_args, get_origin, get_type_hints, is_typeddict

from django.db import models

from wargame.rules.battle.four_dice import Why

if TYPE_CHECKING:
    JsonField = models.JSONField[Any, Any]
else:
    JsonField = models.JSONField

logger = logging.getLogger(__name__)

DAMAGED = "damaged"
"""The key of a stored outcome whose other values are not valid: see `OutcomeField`."""


class StoredAttempt(TypedDict):
    """4.3, 4.5: An attempt at a kill or a capture. `target` is empty if nobody was left to be taken; then, or if the
    battle was lost, `top` and `rolls` are empty too. `fate` is the roll for the risked troops, 0: none; `lost` are
    their dead, by slot."""

    army: str
    risk: str
    target: str
    top: list[int]
    rolls: list[int]
    succeeded: bool
    fate: int
    lost: list[int]


class _Adjusted(TypedDict):
    kind: str
    army: str
    percent: int
    reason: str
    by: str


class StoredAdjustment(_Adjusted, total=False):
    """4.2.6, R42: A special case that a judge changed: `kind` is `losses` or `involved`, `by` the judge's name.
    `cites` is the rule behind it, `agreed` the name of the second judge who had to agree (R53), empty if one may do
    it alone; data of older services has neither, and a runner's losses were rounded down then."""

    cites: str
    agreed: str


class StoredRiskRuling(TypedDict):
    """4.3, 4.5: A judge's ruling on a kill or a capture before the roll; `target` is empty if it is void."""

    army: str
    risk: str
    is_void: bool
    target: str
    cites: str
    reason: str
    by: str


class StoredWord(TypedDict):
    """R38: A strat's sealed word by its army; `word` is empty if it was not handed over."""

    army: str
    sha256: str
    word: str


class StoredMix(TypedDict):
    """R38: The mix for the dice. `beacon` is empty, or has chain, number, signature and randomness, which are empty
    if the value did not come."""

    words: list[StoredWord]
    beacon: dict[str, str]


class _Outcome(TypedDict):
    """4.2: The outcome of a battle. `why` names the member of `Why` that decided; `bonus` has each side's bonuses by
    kind, with their `total`. `rolls` are, for each round of dice, the faces of both sides; `losses` and `risked` are
    by army and slot; `took_part` leaves out stratless halves of pairs (4.4). `strats` are the receipts of those that
    counted, by army (R35). `leaves` is the army that leaves the square, `leaves_to` the square that it goes to;
    empty: drawn."""

    winner: int
    why: str
    bonus: list[dict[str, int]]
    rolls: list[list[list[int]]]
    dice_won: list[int]
    losses: dict[str, list[int]]
    risked: dict[str, list[int]]
    took_part: list[str]
    killed: list[str]
    captured: list[str]
    attempts: list[StoredAttempt]
    strats: dict[str, str]
    leaves: str
    leaves_to: str
    adjustments: list[StoredAdjustment]
    risk_rulings: list[StoredRiskRuling]


class StoredDraw(TypedDict):
    """R38: A draw between equals (R70, R75) as docs/play/verify/dice.md describes it."""

    name: str
    sides: int
    value: int
    number: int


class StoredOutcome(_Outcome, total=False):
    """4.2: The same, with the rest of the mix for the dice (R38), and with draws between equals; missing if there
    was none."""

    mix: StoredMix
    draws: list[StoredDraw]


def is_damaged(outcome: StoredOutcome) -> bool:
    """Whether a stored outcome can no longer be read. It must decide nothing then."""
    return DAMAGED in outcome


class OutcomeField(JsonField):
    """A stored outcome. A malformed one is read as an empty one that is DAMAGED, and logged: a damaged row must not
    break the pages of a round. A settlement refuses to use it."""

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> object:
        outcome = super().from_db_value(value, expression, connection)
        # None: the row was joined and is not there.
        if value is None or getattr(expression, "target", None) is not self or _is_outcome(outcome):
            return outcome
        logger.error("A stored outcome can't be read.")
        return _nothing()

    def deconstruct(self) -> Any:
        """A plain JSON column, so that migrations don't depend on this class."""
        name, _, arguments, keywords = super().deconstruct()
        return name, "django.db.models.JSONField", arguments, keywords


def _is_outcome(value: Any) -> bool:
    """Whether a value has the shape of a StoredOutcome; takes 30 microseconds."""
    fits = _fits(value, StoredOutcome) and value["winner"] in (0, 1) and value["why"] in Why.__members__
    return fits and len(value["bonus"]) == len(value["dice_won"]) == 2


def _fits(value: Any, hint: Any) -> bool:
    if is_typeddict(hint):
        hints = get_type_hints(hint)
        required = hint.__required_keys__
        return isinstance(value, dict) and all(
            _fits(value[key], inner) if key in value else key not in required for key, inner in hints.items()
        )
    if get_origin(hint) is list:
        return isinstance(value, list) and all(_fits(item, get_args(hint)[0]) for item in value)
    if get_origin(hint) is dict:
        return isinstance(value, dict) and all(_fits(item, get_args(hint)[1]) for item in value.values())
    return type(value) is hint


def _nothing() -> dict[str, object]:
    lists = ("rolls", "took_part", "killed", "captured", "attempts", "adjustments", "risk_rulings")
    return {
        **{key: [] for key in lists},
        **{key: {} for key in ("losses", "risked", "strats")},
        "winner": 0,
        "why": "",
        "bonus": [{}, {}],
        "dice_won": [0, 0],
        "leaves": "",
        "leaves_to": "",
        DAMAGED: True,
    }


class OutcomeAnew(StoredOutcome):
    """R58: The outcome of a battle that was judged again with other strats. `mixed` are still the receipts in its
    dice: those of the strats that counted when they were rolled."""

    mixed: dict[str, str]


def mixed_in(outcome: StoredOutcome) -> dict[str, str]:
    """R38, R58: The receipts that were mixed into a battle's dice, by army."""
    return cast(OutcomeAnew, outcome)["mixed"] if "mixed" in outcome else outcome["strats"]


class StoredReason(TypedDict):
    """R54: A judge's reason on a criterion of the round: `number` is how much it favours the side that gets the
    bonus, 0 to 10, or below 0 for the other one; `weight` is the criterion's. The one reason of a score has no
    criterion, but the bonus that the marks suggested, and why it `departs` from that; scores of older services have
    none."""

    judge: str
    criterion: str
    weight: int
    number: int
    text: str
    departs: NotRequired[str]


class _Overruled(TypedDict):
    judge: str
    favours: int | None
    bonus: int
    how: str
    locked_at: str
    by: str
    at: str
    reason: str


class OverruledScore(_Overruled, total=False):
    """1.3: A former score, and by whom, when and why it was overruled. Times are ISO 8601. Its `reasons` are those
    of a score (R54); older services stored none."""

    reasons: list[StoredReason]


class OverruledRiskRuling(TypedDict):
    """1.3: A ruling on a kill or a capture that another judge replaced. `made_at` is ISO 8601."""

    judge: str
    target: str
    cites: str
    reason: str
    made_at: str
