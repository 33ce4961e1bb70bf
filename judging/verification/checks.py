"""R18, R38: a turn recomputed from its posts, strats and dice, and compared with the published data."""

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Any

from django.utils.translation import gettext

from judging.appeals.models import Appeal
from judging.battles.models import Battle
from judging.battles.outcome_schema import StoredMix, StoredOutcome, mixed_in
from judging.battles.resolution import FirstOfEquals, Strats, outcome_of, published_strats, rules_battle
from judging.battles.seed_contributions import ingredients
from judging.battles.strats.queries import receipt_of
from judging.common.models import LogEntry
from judging.common.positions import position_of
from judging.common.stored_messages import Words, words
from judging.formula_books.services import sealed_version, version_for
from judging.penalties.models import Penalty
from judging.turns.stages import sky_of
from judging.turns.turn_input import InputOfTurn
from wargame.models import Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules import settlement
from wargame.rules.battle import mixing, weather
from wargame.rules.battle.told_rolls import told_rolls
from wargame.rules.book.drawn_book import drawn_books
from wargame.rules.command.appeals import draw_of, drawn_judge
from wargame.rules.core import codec, dice
from wargame.rules.core.board import read_square
from wargame.rules.core.codec import digest
from wargame.rules.core.events import Event
from wargame.rules.core.position import Position
from wargame.rules.core.turn import DIE, draw_name
from wargame.rules.core.wording import headline
from wargame.rules.settling.events import ChangeRefused
from wargame.rules.telling.telling import event_to_json, read_all
from wargame.version import RULES


@dataclass(frozen=True, slots=True)
class Check:
    """R38: one comparison with the published data, mostly by hashes; `recomputed` is empty if it can't be recomputed
    at all. `differs` names the difference. `depends_on_rules` marks values that another version of the rules may
    settle differently."""

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
    """R38: a value that no outsider can recompute yet, and why it is still secret."""

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
    """R38: one roll of a battle by its name in docs/play/verify/dice.md, as published and as drawn again."""

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
        pattern = gettext("the battle on %(square)s: %(what)s")
        return tuple(pattern % {"square": self.at, "what": part} for part in wrong)


@dataclass(frozen=True, slots=True)
class TurnCheck:
    """R18, R38: a turn. `next_hash` and `seed` are empty until it is settled; `pending` is what is still secret.

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
        """Whether it was settled by another version of the rules: that alone may cause a difference."""
        return self.is_settled and self.rules != self.rules_here

    @property
    def is_wrong(self) -> bool:
        """Whether a difference can't come from another version of the rules; the chain seals the version that
        settled the turn."""
        return any(battle.differences for battle in self.battles) or any(
            not check.is_same and not (check.depends_on_rules and self.has_other_rules) for check in self.checks
        )

    @property
    def differences(self) -> tuple[str, ...]:
        """The differences in words; empty if all is the same."""
        return tuple(self._differences())

    def _differences(self) -> Iterator[str]:
        yield from (check.wrong for check in self.checks if not check.is_same)
        for battle in self.battles:
            yield from battle.differences


log = logging.getLogger(__name__)

LEAVING = ("leaves", "leaves_to")
"""4.4: the fields of an outcome that are the winners' secret until the turn is settled."""


def verify_round(round: Round) -> Iterator[TurnCheck]:
    """Every settled turn of a round, oldest first."""
    turns = Turn.objects.filter(round=round, state=TurnState.SETTLED).select_related("round").order_by("number")
    return (verify_turn(turn) for turn in turns)


def verify_turn(turn: Turn) -> TurnCheck:
    """R38: all checks of a turn. Of one that isn't settled: its opening, its book, and the battles with a published
    result. Stored data from which nothing can be recomputed is a difference like others."""
    is_settled = turn.state == TurnState.SETTLED
    checks, battles = _checks_of(turn, is_settled)
    return TurnCheck(
        turn=turn.number,
        is_settled=is_settled,
        position_hash=turn.position_hash,
        next_hash=turn.next_hash,
        seed=turn.seed if is_settled else "",
        checks=checks,
        battles=battles,
        pending=tuple(_pending(turn, battles)),
        rules=turn.rules if is_settled else "",
    )


def _checks_of(turn: Turn, is_settled: bool) -> tuple[tuple[Check, ...], tuple[BattleCheck, ...]]:
    checks: list[Check] = []
    battles: list[BattleCheck] = []
    try:
        checks.extend(_opening(turn))
        if is_settled:
            checks.extend(_sky(turn))
        book = book_checks(turn.round, turn.number)
        checks.extend(book)
        has_book = bool(book) and all(check.is_same for check in book)
        battles.extend(_battles(turn, has_book=has_book))
        if is_settled:
            checks.extend(_penalties(turn))
            checks.extend(_appeals(turn))
            checks.extend(_settlement(turn))
    except Exception:  # whatever is wrong with stored rows: one damaged turn must not hide what the others say
        log.exception("turn %s of %s can't be recomputed", turn.number, turn.round.slug)
        damaged = words("its stored data, which is damaged and can't be recomputed")
        checks.append(Check(words("Everything else"), "stored", "", damaged))
    return tuple(checks), tuple(battles)


def _opening(turn: Turn) -> Iterator[Check]:
    """The position in which the turn opened, which must be the one to which the turn before led."""
    before = Turn.objects.filter(round=turn.round_id, number=turn.number - 1).values_list("next_hash", flat=True)
    for led_to in before:
        title = words("Position after turn %(number)s", number=turn.number - 1)
        yield Check(
            title, turn.position_hash, led_to, words("its starting position, which isn't where the previous turn ended")
        )
    opened = codec.digest(turn.position)
    yield Check(
        words("Its starting position"),
        turn.position_hash,
        opened,
        words("its starting position"),
    )


def _sky(turn: Turn) -> Iterator[Check]:
    """4.1.2.5, R38: the turn's seed, and the weather drawn from it."""
    committed = dice.commitment(bytes.fromhex(turn.seed))
    yield Check(
        words("Its seed, compared with the commitment"),
        turn.commitment,
        committed,
        words("the commitment to its seed"),
    )
    skies = Turn.objects.filter(round=turn.round_id, number=turn.number - 1).values_list("sky", flat=True)
    sky = sky_of(turn.round, turn.number, turn.seed, skies.first() or ())
    published, recomputed = _hash(turn.sky), _hash(weather.sky_to_json(sky))
    yield Check(words("The turn's weather"), published, recomputed, words("the turn's weather"))


def _penalties(turn: Turn) -> Iterator[Check]:
    """5.4.1, R47: the dice of its penalties, including lifted ones."""
    turn_dice = InputOfTurn(turn).dice()
    for row in Penalty.objects.filter(turn=turn, roll__isnull=False).order_by("number"):
        name = draw_name(row.number)
        yield Check(
            words("Die roll of penalty %(number)s", number=row.number),
            str(row.roll),
            str(turn_dice.roll(name, DIE)),
            words("the draw %(name)s", name=name),
        )


def _appeals(turn: Turn) -> Iterator[Check]:
    """R57: the judges drawn for the appeals of the turn; those of hidden ones once the round is over."""
    turn_dice, filters = InputOfTurn(turn).dice(), {} if turn.round.state == RoundState.OVER else {"is_hidden": False}
    for row in Appeal.objects.filter(turn=turn, **filters).order_by("number"):
        for number, draw in enumerate(row.draws, 1):
            name, judge = draw_of(row.number, number), drawn_judge(draw["among"], turn_dice, row.number, number)
            yield Check(
                words("Judge drawn for appeal %(appeal)s, draw %(number)s", appeal=row.number, number=number),
                draw["drew"],
                judge,
                words("the draw %(name)s", name=name),
            )


def _settlement(turn: Turn) -> Iterator[Check]:
    """R18: the results of the turn."""
    turn_input = InputOfTurn(turn)
    settled = settlement.settle(turn_input.position, turn_input.for_settlement(), turn_input.dice())
    led_to = _digest_as_of(turn, settled.position)
    yield Check(
        words("Its final position"),
        turn.next_hash,
        led_to,
        words("its final position"),
        depends_on_rules=True,
    )
    stored = read_all(turn.events)
    stored_events = [event_to_json(event) for event in stored]
    events = [event_to_json(event) for event in as_stored_then(settled.events, stored)]
    yield Check(
        words("Its %(number)s events", number=len(stored_events)),
        _hash(stored_events),
        _hash(events),
        words("its events"),
        depends_on_rules=True,
    )


def _digest_as_of(turn: Turn, after: Position) -> str:
    """The position's digest; in the format of a turn settled before positions stored what armies sent away (R65), if
    that is what it led to."""
    led_to = codec.digest(codec.position_to_json(after))
    if not turn.rules and led_to != turn.next_hash and any(army.sent for army in after.armies):
        kept_less = replace(after, armies=tuple(army._replace(sent=()) for army in after.armies))
        earlier = codec.digest(codec.position_to_json(kept_less))
        return earlier if earlier == turn.next_hash else led_to
    return led_to


def as_stored_then(events: Sequence[Event], stored: Sequence[Event]) -> list[Event]:
    """These events; the reasons of a refused change in the format of a turn that stored them in words, if they are
    the same."""
    pairs = zip_longest(events, stored[: len(events)])
    return [_with_reasons_of(was, event) for event, was in pairs]


def _with_reasons_of(was: Event | None, event: Event) -> Event:
    match was, event:
        case ChangeRefused(), ChangeRefused() if was.compared == event.compared:
            return replace(event, why=was.why)
    return event


def _battles(turn: Turn, has_book: bool) -> Iterator[BattleCheck]:
    rows = Battle.objects.filter(turn=turn).exclude(state=Battle.State.CANCELLED).order_by("number")
    for battle in rows.select_related("result", "score"):
        battle.turn = turn
        fought = rules_battle(battle)
        announced = BattleCheck(
            id=battle.pk,
            number=battle.number,
            at=battle.at,
            headline=headline(*fought.sides, fought.defends),
            commitment=battle.commitment,
            checks=(_weather(battle),),
        )
        yield _with_result(announced, battle, has_book) if hasattr(battle, "result") else announced


def _with_result(announced: BattleCheck, battle: Battle, has_book: bool) -> BattleCheck:
    """R38: add the commitment, the strats' receipts, and the outcome from score, strats, seed and book.

    Without a book that matches its commitment (`has_book`), a differing outcome would tell nothing new.
    """
    published: StoredOutcome = battle.result.outcome
    strats = published_strats(battle, published["strats"])
    committed = dice.commitment(bytes.fromhex(battle.seed))
    label = words("Its seed, compared with the commitment")
    checks = [
        *announced.checks,
        Check(label, battle.commitment, committed, words("the commitment to its seed")),
    ]
    checks.extend(_receipts(battle, published["strats"], strats))
    checks.extend(_mix(battle, published.get("mix")))
    if has_book:
        outcomes = [*_outcomes(battle, strats)]
        if not all(check.is_same for check in outcomes):
            earlier = [*_outcomes(battle, strats, FirstOfEquals)]
            outcomes = earlier if all(check.is_same for check in earlier) else outcomes
        checks.extend(outcomes)
    receipts = tuple(StratCheck(name, sha256) for name, sha256 in sorted(published["strats"].items()))
    return replace(announced, seed=battle.seed, strats=receipts, rolls=_rolls(battle), checks=tuple(checks))


def _outcomes(battle: Battle, strats: Strats, dice_of: type[dice.Dice] = dice.Dice) -> Iterator[Check]:
    """4.2: the outcome from score, strats, seed and book; with FirstOfEquals for a battle that was published before
    an upgrade to rules 1.2."""
    published: StoredOutcome = battle.result.outcome
    # Only a battle that was judged anew with other strats keeps what was mixed in; else the rows say what it was.
    before = published if "mixed" in published else None
    again = partial(outcome_of, battle, battle.score, strats, before=before, dice_of=dice_of)
    hidden = () if battle.turn.state == TurnState.SETTLED else LEAVING
    title = words("Its outcome")
    if dice_of is FirstOfEquals:
        title = words("Its outcome, by the rules before 1.2, which didn't draw lots between equals")
    outcome = again(published["adjustments"])
    yield Check(title, _hash(published, hidden), _hash(outcome, hidden), words("its outcome"))
    if (rolled := battle.result.unchanged) is not None:
        differs = words("the result of the dice alone")
        yield Check(words("The result of the dice alone"), _hash(rolled, hidden), _hash(again(), hidden), differs)


def _receipts(battle: Battle, published: Mapping[str, str], strats: Strats) -> Iterator[Check]:
    """R35: the strats that counted. An archive of the public part of a running round has no texts."""
    is_archive = battle.turn.round.state == RoundState.ARCHIVE
    for name, sha256 in sorted(published.items()):
        label = words("The strat of %(army)s, compared with its receipt", army=name)
        if name not in strats:
            yield Check(label, sha256, "", words("a strat that counted, which is missing"))
        elif strats[name].salt or not is_archive:
            yield Check(label, sha256, receipt_of(strats[name]), words("a strat that doesn't match its receipt"))


def _mix(battle: Battle, mix: StoredMix | None) -> Iterator[Check]:
    """R38: the words against their seals, and the beacon's value against its signature and the lock of the score."""
    for each in mix["words"] if mix else ():
        if each["word"]:
            label = words("The word of %(army)s, compared with its seal", army=each["army"])
            yield Check(
                label,
                each["sha256"],
                mixing.seal_of(each["word"]),
                words("a word that doesn't match its seal"),
            )
    beacon = mix["beacon"] if mix else {}
    if beacon.get("number"):
        number = str(mixing.beacon_number(battle.score.locked_at))
        yield Check(
            words("The number of the beacon value"),
            beacon["number"],
            number,
            words("the beacon value, which has a different number"),
        )
        value = mixing.randomness(beacon["signature"])
        yield Check(
            words("The beacon value, compared with its signature"),
            beacon["randomness"],
            value,
            words("the beacon value"),
        )


def _rolls(battle: Battle) -> tuple[RollCheck, ...]:
    """R38: each published roll, drawn again only from the seed and the receipts, as a stranger would."""
    published: StoredOutcome = battle.result.outcome
    turn = battle.turn
    seed, receipts = bytes.fromhex(battle.seed), list(mixed_in(published).values())
    new_dice = dice.battle_dice(
        seed, turn.round.dice_name, turn.number, battle.number, receipts, ingredients(published.get("mix"))
    )
    rolls = told_rolls(published)
    return tuple(RollCheck(r.name, r.number, r.sides, r.value, new_dice.roll(r.name, r.sides, r.number)) for r in rolls)


def _weather(battle: Battle) -> Check:
    """4.1.2.5: the weather at the battle, from that over the turn."""
    turn, square = battle.turn, read_square(battle.at)
    recomputed = weather.weather_at(position_of(turn).board, square, weather.sky_from_json(turn.sky), turn.number)
    return Check(
        words("Its weather"),
        _hash(battle.weather),
        _hash(weather.weather_to_json(recomputed)),
        words("its weather"),
    )


def _pending(turn: Turn, battles: tuple[BattleCheck, ...]) -> Iterator[Pending]:
    """R38: the values that are still secret."""
    if turn.state != TurnState.SETTLED:
        yield Pending(
            words("Moves, draws and weather of the turn"),
            words("The turn's seed is secret until the turn is settled."),
        )
    for battle in battles:
        if not battle.seed:
            why = words("The seed of its dice is secret until its result is published.")
            yield Pending(words("The battle on %(square)s", square=battle.at), why)
    if turn.round.state != RoundState.OVER:
        yield Pending(
            words("Bonuses and losses"),
            words("The formula book is secret until the round is finished."),
        )
        if any(battle.strats for battle in battles):
            yield Pending(
                words("Strat receipts"),
                words("Their texts and salts are secret until the round is finished."),
            )


def _hash(data: Any, hidden: tuple[str, ...] = ()) -> str:
    """The SHA-256 of JSON; of an object without its `hidden` keys."""
    visible = {key: value for key, value in data.items() if key not in hidden} if isinstance(data, dict) else data
    return codec.digest(visible)


def book_checks(round: Round, turn: int) -> tuple[Check, ...]:
    """R38: the version for a turn, compared with its commitment, the log, and, if it was drawn, the draw from its salt.

    Every hash is salted: that of the formulas alone would let them be guessed while they are secret. An archive of the
    public part of a running round has only the commitment, and nothing to compare it with.
    """
    version = version_for(round, turn)
    if version is None:
        return (Check(words("Formula book"), "", "none", words("its formula book, which is missing")),)
    if round.state == RoundState.ARCHIVE and not version.salt:
        return ()
    title, wrong = (
        words("Formula book, version %(number)s", number=version.number),
        words("the commitment to its formula book"),
    )
    computed = digest(sealed_version(round, version))
    checks = [Check(title, version.commitment, computed, wrong)]
    logged = LogEntry.objects.filter(round=round, action="book.saved", data__number=version.number)
    in_log = [data["commitment"] for data in logged.values_list("data", flat=True)]
    if computed == version.commitment and computed not in in_log:
        checks.append(
            Check(
                words("%(title)s, according to the log", title=title),
                in_log[-1] if in_log else "",
                computed,
                wrong,
            )
        )
    if version.judge_id is None:
        digests = [digest(sealed_version(round, version, book.to_json())) for book in drawn_books(version.salt)]
        not_drawn = words("its formula book, which isn't the one that was drawn")
        expected = computed if computed in digests else digests[0]
        checks.append(Check(words("%(title)s, as drawn", title=title), computed, expected, not_drawn))
    return tuple(checks)
