"""R18: all input of a turn, in the rules' form: orders, control, manifests, results and rulings.

The rules take it as one `TurnInput`. This module builds it from the rows of the turn: a lock needs nearly all of them,
so they are read in one query. The input from other capabilities is read in their own modules: accepted changes of
troops (`armies.changes`), penalties, and the acts of the mercenary judge.
"""

import logging
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, TypedDict

from django.db.models import BigIntegerField, DateTimeField, Exists, FilteredRelation, OuterRef, Q, QuerySet

from judging.armies.changes.settlement import changes_for
from judging.common.control import Spans, controllers_at, last_moment
from judging.common.positions import penalties_for
from judging.mercenaries.turn_input import acts_for
from judging.turns.battles import published_results, results_as_rules
from judging.turns.models import Correction, Manifest, PostVersion, Ruling
from wargame import world
from wargame.models import Army, Turn
from wargame.models.people import name_when
from wargame.rules.command.screen_names import called
from wargame.rules.core import rulings as ruling_rules
from wargame.rules.core import turn as rules
from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.names import Names
from wargame.rules.core.orders import READER_FAILED, Hold, Order, ReadOrder, Transfer, Unreadable
from wargame.rules.core.position import Position
from wargame.rules.posts import notation
from wargame.world.bulk import GivenLater, Together

logger = logging.getLogger(__name__)

FormerNames = list[list[str]]
"""1.6: a player's former names, each with the time until which it was valid (ISO, UTC)."""


class ControlledArmyRow(NamedTuple):
    """An army of the round, once for every player who controlled it during the turn; without one its last four are
    empty. `died_in` is the number of the turn in which it died."""

    pk: int
    name: str
    former: list[str]
    died_in: int | None
    player: str | None
    player_former: FormerNames
    since: datetime
    until: datetime | None


class PostRow(NamedTuple):
    """R7: the last version of a post that is not withdrawn: its number in the thread, its author, its text with the
    time of each line (ISO, UTC), and the army that a line without a name means (R10)."""

    number: int
    player: str
    player_former: FormerNames
    text: str
    stamps: list[str]
    own_army: str


class EntryJson(TypedDict):
    """3.2.4.2: an entry of a stored manifest; without a creature it means any in the slot."""

    slot: int
    number: int
    creature: str | None


class ManifestRow(NamedTuple):
    """3.2.4.2: a transfer manifest and its author."""

    player: str
    player_former: FormerNames
    sender: str
    receiver: str
    entries: list[EntryJson]
    sent_at: datetime


class InputRows(NamedTuple):
    """The stored input of a turn. `results` have the fields of `battles.PublishedResult`."""

    armies: list[ControlledArmyRow]
    posts: list[PostRow]
    manifests: list[ManifestRow]
    results: list[list[object]]


class ArmiesOfTurn(NamedTuple):
    """The armies of a turn by their names in it (2.6): the keys of their rows, and their controllers during the
    turn. `renamed` are players' names in the turn, by their other names (1.6); `buried` are all names of the armies
    that died before it."""

    ids: dict[str, int]
    spans: Spans
    renamed: dict[str, str]
    buried: tuple[str, ...]


class InputOfTurn:
    """R18: a turn with its input. Each part is read once, on first access.

    After the lock none of it changes any more, except that results are still published, rulings made and exceptions of
    control accepted (R44): the first two are read on every access. A caller that keeps one of these longer than a
    transaction must claim the turn's row by the values it read, as the stages do.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn

    @cached_property
    def position(self) -> Position:
        """The map as the turn opened, with players by their names in it (1.6)."""
        return called(world.position_of_turn(self.turn), self._armies.renamed)

    @property
    def names(self) -> Names:
        """3.2.2.5: the names of the armies on the map."""
        return world.position_of_turn(self.turn).names

    @cached_property
    def _rows(self) -> InputRows:
        return input_rows(self.turn)

    def dice(self) -> Dice:
        """R38: the turn's dice, unrolled."""
        return turn_dice(bytes.fromhex(self.turn.seed), self.turn.round.dice_name, self.turn.number)

    @cached_property
    def _armies(self) -> ArmiesOfTurn:
        opened = world.position_of_turn(self.turn)
        ids: dict[str, int] = {}
        spans: Spans = {}
        renamed: dict[str, str] = {}
        buried: list[str] = []
        for row in self._rows.armies:
            if row.died_in is not None and row.died_in < self.turn.number:
                buried += [row.name, *row.former]
                continue
            name = name_in(opened, row.name, row.former)
            ids[name] = row.pk
            if row.player is not None:
                in_turn = self._name(row.player, row.player_former)
                spans.setdefault(name, []).append((in_turn, row.since, row.until))
                renamed |= {other: in_turn for other, _ in row.player_former if other != in_turn}
        return ArmiesOfTurn(ids, spans, renamed, tuple(buried))

    @cached_property
    def _last_moment(self) -> datetime:
        """R4: the last time before the turn's lock."""
        return last_moment(self.turn.lock_at)

    def _name(self, player: str, former: FormerNames) -> str:
        """1.6: a player's name in this turn: their name at the lock, whatever it is later."""
        return name_when(player, former, self._last_moment)

    @property
    def army_ids(self) -> dict[str, int]:
        """The keys of the armies' rows, by their names in this turn."""
        return self._armies.ids

    @cached_property
    def control(self) -> dict[str, tuple[str, ...]]:
        """5.4.2, R13: the control list at the lock."""
        spans = self._armies.spans
        controllers = {army: tuple(sorted(controllers_at(spans, army, self._last_moment))) for army in spans}
        return {army: names for army, names in controllers.items() if names}

    @cached_property
    def lines(self) -> tuple[rules.PostedLine, ...]:
        """R7, R8: the orders in the last versions of the turn's posts that are not withdrawn, in thread order."""
        return tuple(line for post in self._rows.posts for line in self._lines_of_post(post))

    @cached_property
    def _unread(self) -> list[tuple[int, int]]:
        return []

    def _lines_of_post(self, post: PostRow) -> list[rules.PostedLine]:
        by = self._name(post.player, post.player_former)
        times = times_of(post.text, post.stamps)
        if times is None:
            self._unread.append((post.number, 0))
            return []
        lines = []
        for line in notation.read_post(post.text, self.names, self._present_name(post.own_army)):
            if isinstance(line, ReadOrder):
                at = times[line.number - 1]
                controlled = by in controllers_at(self._armies.spans, line.army, at)
                lines.append(posted_line(line, by, at, (post.number, line.number), controlled))
            elif isinstance(line, Unreadable) and line.fault == READER_FAILED:
                self._unread.append((post.number, line.number))
        return lines

    @property
    def unread(self) -> tuple[tuple[int, int], ...]:
        """R8: the parts of the posts that the service can't read: the number of the post with that of the line, or 0
        for a whole post whose row is damaged. None of it is an order."""
        _ = self.lines
        return tuple(self._unread)

    @cached_property
    def manifests(self) -> tuple[rules.Manifest, ...]:
        """3.2.4.2: the content of ordered transfers."""
        if not any(isinstance(line.order, Transfer) for line in self.lines):
            return ()
        return tuple(
            rules.Manifest(
                by=self._name(row.player, row.player_former),
                sender=self._present_name(row.sender),
                receiver=self._present_name(row.receiver),
                entries=tuple(rules.ManifestEntry(e["slot"], e["number"], e["creature"]) for e in row.entries),
                at=int(row.sent_at.timestamp()),
            )
            for row in self._rows.manifests
        )

    def results(self) -> tuple[rules.Result, ...]:
        """4.2.5: the published results of the turn's battles; read again if one was missing before."""
        was_read = "_rows" in self.__dict__
        rows = self._rows.results
        if was_read and len(rows) < len(self.position.battles):
            rows = list(published_results(self.turn.pk))
        return results_as_rules(rows, self.position)

    def rulings(self) -> tuple[ruling_rules.Ruling, ...]:
        """3.3.3: the rulings as they count now; no query if there are none."""
        return rulings_as_rules(counting_rulings(self.turn), self.names) if self.turn.is_ruled else ()

    def changes(self) -> tuple[rules.TroopChange, ...]:
        """2.3.2, 2.6: the changes accepted during the turn; no query if there are none."""
        return changes_for(self.turn, self.army_ids, self._name) if self.turn.changes else ()

    @cached_property
    def penalties(self) -> tuple[rules.Penalty, ...]:
        """5.4.1: the penalties that were not lifted; no query if there are none."""
        return penalties_for(self.turn, self.position) if self.turn.penalties else ()

    @property
    def _mercenary_acts(self) -> tuple[rules.MercenaryAct, ...]:
        """R48: the mercenary judge's acts; no query if there are none."""
        return acts_for(self.turn, self.names) if self.turn.mercenary_orders else ()

    def _present_name(self, army: str) -> str:
        """2.6: an army's name in this turn."""
        return self.names.get(army) or army

    def for_moves(self) -> rules.TurnInput:
        """R18, steps 1 to 6: the input of the moves."""
        return rules.TurnInput(
            lines=self.lines,
            control=self.control,
            manifests=self.manifests,
            rulings=self.rulings(),
            penalties=self.penalties,
            guidelines=self.turn.round.has_mercenaries,
            mercenaries=self._mercenary_acts,
        )

    def for_settlement(self) -> rules.TurnInput:
        """R18: the input of the settlement."""
        # Before all else: rows that are read now have the results as they are, and no second statement asks for them.
        results = self.results()
        return rules.TurnInput(
            lines=self.lines,
            control=self.control,
            manifests=self.manifests,
            results=results,
            rulings=self.rulings(),
            changes=self.changes(),
            buried=self._armies.buried,
            penalties=self.penalties,
            guidelines=self.turn.round.has_mercenaries,
            mercenaries=self._mercenary_acts,
        )


def name_in(position: Position, present: str, former: Sequence[str]) -> str:
    """2.6: an army's name on a map; names are never reused, so at most one of its names is there."""
    return next((name for name in (present, *former) if name in position.by_name), present)


def posted_line(line: ReadOrder, by: str, at: datetime, place: tuple[int, int], controlled: bool) -> rules.PostedLine:
    """R7: a parsed order in the rules' form. Its time counts in whole seconds; `place` is the number of its post in
    the thread and its own in the post."""
    seconds = int(at.timestamp())
    return rules.PostedLine(by, line.army, line.order, seconds, place, controlled, line.text.strip())


def times_of(text: str, stamps: Sequence[str]) -> list[datetime] | None:
    """R7: the time of the last change of each line; None, which is logged, if the stored stamps don't fit the text."""
    try:
        times = [datetime.fromisoformat(stamp) for stamp in stamps]
    except (TypeError, ValueError):
        times = []
    if len(times) == len(notation.split_lines(text)) and all(time.tzinfo for time in times):
        return times
    logger.error("A post has %d lines, but its timestamps don't match them.", len(notation.split_lines(text)))
    return None


def counting_rulings(turn: Turn) -> QuerySet[Ruling]:
    """3.3.3: the rulings of a turn that were not withdrawn, by number; of corrections' rulings only those applied."""
    in_force = Q(correction__isnull=True) | Q(correction__state=Correction.State.APPLIED)
    return Ruling.objects.filter(in_force, turn=turn, withdrawn_at__isnull=True).order_by("number")


def rulings_as_rules(rows: Iterable[Ruling], names: Names) -> tuple[ruling_rules.Ruling, ...]:
    """3.3.3: rulings in the rules' form; `names` are those of the armies on the map."""
    return tuple(_as_rule(row, _order_of(row, names)) for row in rows)


def what_is_ruled(row: Ruling) -> str:
    """3.3.3: the content of a ruling, as a sentence without its full stop."""
    text = _as_rule(row, Hold()).what.text
    return text[0].upper() + text[1:]


def _as_rule(row: Ruling, order: Order) -> ruling_rules.Ruling:
    """A row in the rules' form; `order` is the one in its text, for a ruling on one."""
    header = (row.number or 0, row.cites, row.reason, row.army)
    return ruling_rules.ruling_of(row.kind, header, row.square, row.data, order)


def _order_of(row: Ruling, names: Names) -> Order:
    if row.kind != Ruling.Kind.ORDER:
        return Hold()
    line = notation.read_line(row.data["order"], names, row.army)
    assert isinstance(line, ReadOrder), row.data["order"]
    return line.order


def input_rows(turn: Turn) -> InputRows:
    """R18: the current stored input of a turn. One query."""
    rows = _READ_TOGETHER.read(turn=turn.pk, round=turn.round_id, opened_at=turn.opened_at)
    return InputRows(
        armies=[ControlledArmyRow(*row) for row in rows["armies"]],
        posts=[PostRow(*row) for row in rows["posts"]],
        manifests=[ManifestRow(*row) for row in rows["manifests"]],
        results=rows["results"],
    )


def _armies() -> QuerySet[Any, Any]:
    """Rows as `ControlledArmyRow`. A player whose control ended before the turn opened has no say in it (5.4.2)."""
    active = Q(controls__until__isnull=True) | Q(controls__until__gte=GivenLater("opened_at", DateTimeField()))
    rows = Army.objects.filter(round_id=GivenLater("round", BigIntegerField()))
    by = ("active__player__name", "active__player__former_names")
    columns = ("pk", "name", "former", "died_in", *by, "active__since", "active__until")
    controlled = rows.annotate(active=FilteredRelation("controls", condition=active))
    return controlled.order_by("name", by[0]).values_list(*columns)


def _posts() -> QuerySet[Any, Any]:
    """R7: the fields of `PostRow`, in the order of the thread."""
    newer = PostVersion.objects.filter(post=OuterRef("post"), number__gt=OuterRef("number"))
    rows = PostVersion.objects.filter(~Exists(newer), post__turn_id=TURN, post__withdrawn_at=None)
    by = ("post__player__name", "post__player__former_names")
    return rows.order_by("post__number").values_list("post__number", *by, "text", "stamps", "own_army")


def _manifests() -> QuerySet[Any, Any]:
    """The fields of `ManifestRow`, in the order of submission: the last one of a sender counts (R28)."""
    rows = Manifest.objects.filter(turn_id=TURN).order_by("pk")
    by = ("player__name", "player__former_names")
    return rows.values_list(*by, "sender", "receiver", "entries", "sent_at")


TURN = GivenLater("turn", BigIntegerField())
_READ_TOGETHER = Together(
    lambda: {
        "armies": _armies(),
        "posts": _posts(),
        "manifests": _manifests(),
        "results": published_results(TURN),
    }
)
