"""R18: everything that a turn was given, as the rules want it: lines, control, manifests and results."""

from __future__ import annotations

from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Exists, FilteredRelation, OuterRef, Q

from judging.models import Manifest, PostVersion, Result
from judging.selectors.control import Spans, controllers_at, last_moment
from judging.selectors.given_rulings import as_rules, counting_rows
from wargame import world
from wargame.models import Army, Turn
from wargame.rules import notation
from wargame.rules import turn as given
from wargame.rules.board import read_square
from wargame.rules.dice import Dice, turn_dice
from wargame.rules.naming import Names, names_of
from wargame.rules.orders import ReadOrder, Transfer
from wargame.rules.position import Position
from wargame.rules.rulings import Ruling


class GivenTurn:
    """R18: a turn with what it was given. Each part is read once, when it is first asked for.

    After the lock none of it changes any more, except that results are still published and rulings made.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn

    @cached_property
    def position(self) -> Position:
        return world.position_of_turn(self.turn)

    @cached_property
    def names(self) -> Names:
        """3.2.2.5: the names of the armies on the map."""
        return names_of(self.position.by_name)

    def dice(self) -> Dice:
        """R38: the turn's dice, unrolled."""
        return turn_dice(bytes.fromhex(self.turn.seed), self.turn.round.slug, self.turn.number)

    @cached_property
    def _armies(self) -> tuple[dict[str, int], Spans]:
        """The rows' keys of the armies that lived in the turn, and who controlled them during it."""
        active = Q(controls__until__isnull=True) | Q(controls__until__gte=self.turn.opened_at)
        lived = Q(died_in__isnull=True) | Q(died_in__gte=self.turn.number)
        armies = Army.objects.filter(lived, round_id=self.turn.round_id)
        rows = armies.annotate(active=FilteredRelation("controls", condition=active))
        ids: dict[str, int] = {}
        spans: Spans = {}
        for pk, name, player, since, until in rows.order_by("name", "active__player__name").values_list(
            "pk", "name", "active__player__name", "active__since", "active__until"
        ):
            ids[name] = pk
            if player is not None:
                spans.setdefault(name, []).append((player, since, until))
        return ids, spans

    @property
    def army_ids(self) -> dict[str, int]:
        """The keys of the armies' rows, by name."""
        return self._armies[0]

    @cached_property
    def control(self) -> dict[str, tuple[str, ...]]:
        """5.4.2, R13: the control list at the lock."""
        lock = last_moment(self.turn.lock_at)
        found = {army: controllers_at(self._armies[1], army, lock) for army in self._armies[1]}
        return {army: names for army, names in found.items() if names}

    @cached_property
    def lines(self) -> tuple[given.PostedLine, ...]:
        """R7, R8: the orders in the last versions of the turn's posts, in the order of the thread."""
        newer = PostVersion.objects.filter(post=OuterRef("post"), number__gt=OuterRef("number"))
        versions = PostVersion.objects.filter(~Exists(newer), post__turn=self.turn).order_by("post__number")
        rows = versions.values_list("post__number", "post__player__name", "text", "stamps", "own_army")
        return tuple(line for row in rows for line in self._lines_of_post(*row))

    def _lines_of_post(self, number: int, by: str, text: str, stamps: list[str], own: str) -> list[given.PostedLine]:
        lines = []
        for line in notation.read_post(text, self.names, own):
            if isinstance(line, ReadOrder):
                at = datetime.fromisoformat(stamps[line.number - 1])
                controlled = by in controllers_at(self._armies[1], line.army, at)
                place = (number, line.number)
                lines.append(posted_line(line, by, at, place, controlled))
        return lines

    @cached_property
    def manifests(self) -> tuple[given.Manifest, ...]:
        """3.2.4.2: what was to be sent; not asked for where nobody ordered a transfer."""
        if not any(isinstance(line.order, Transfer) for line in self.lines):
            return ()
        rows = Manifest.objects.filter(turn=self.turn).order_by("pk")
        return tuple(
            given.Manifest(by, sender, receiver, tuple(map(_entry, entries)), int(at.timestamp()))
            for by, sender, receiver, entries, at in rows.values_list(
                "player__name", "sender", "receiver", "entries", "sent_at"
            )
        )

    def results(self) -> tuple[given.Result, ...]:
        """4.2.5: the published results of the turn's battles; not asked for where there is no battle."""
        if not self.position.battles:
            return ()
        rows = Result.objects.filter(battle__turn=self.turn).order_by("battle__number")
        return tuple(self._result(*row) for row in rows.values_list("battle__at", "winner", "outcome"))

    def _result(self, at: str, winner: int, outcome: dict[str, Any]) -> given.Result:
        square = read_square(at)
        battle = next(battle for battle in self.position.battles if battle.at == square)
        leaves, to = outcome["leaves"], outcome["leaves_to"]
        return given.Result(
            at=square,
            winner=battle.sides[winner],
            losses=_all_lost(outcome),
            killed=tuple(outcome["killed"]),
            captured=tuple(outcome["captured"]),
            retreat={leaves: read_square(to)} if leaves and to else {},
            leaves=leaves or None,
        )

    def rulings(self) -> tuple[Ruling, ...]:
        """3.3.3: what judges ruled, as it counts now; not asked for where nobody has."""
        return as_rules(counting_rows(self.turn), self.names) if self.turn.is_ruled else ()

    def moves(self) -> given.TurnInput:
        """R18, steps 1 to 6: what the moves are worked out from."""
        return given.TurnInput(self.lines, self.control, self.manifests, rulings=self.rulings())

    def everything(self) -> given.TurnInput:
        """R18: what the settlement is worked out from."""
        return given.TurnInput(self.lines, self.control, self.manifests, self.results(), self.rulings())


def lines_of_turn(turn: Turn) -> tuple[given.PostedLine, ...]:
    """R7, R12: the orders of a turn as they stand now, sealed ones too, in the order of the thread."""
    return GivenTurn(turn).lines


def posted_line(line: ReadOrder, by: str, at: datetime, place: tuple[int, int], controlled: bool) -> given.PostedLine:
    """R7: an order that was read, as the rules want it. Its time counts in whole seconds."""
    seconds = int(at.timestamp())
    return given.PostedLine(by, line.army, line.order, seconds, place, controlled, line.text.strip())


def _all_lost(outcome: dict[str, Any]) -> dict[str, tuple[int, ...]]:
    """4.2.5, R39: the casualties of a battle, and the risked troops that died after it."""
    lost = {army: tuple(numbers) for army, numbers in outcome["losses"].items()}
    for attempt in outcome["attempts"]:
        army = attempt["army"]
        lost[army] = tuple(fell + risked for fell, risked in zip(lost[army], attempt["lost"], strict=True))
    return lost


def _entry(entry: dict[str, Any]) -> given.ManifestEntry:
    return given.ManifestEntry(entry["slot"], entry["number"], entry["creature"])
