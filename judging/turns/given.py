"""R18: everything that a turn was given, as the rules want it: lines, control, manifests and results."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import cached_property
from typing import Any

from judging.armies.changes.given import changes_for
from judging.game.control import Spans, controllers_at, last_moment
from judging.mercenaries.given import acts_for
from judging.penalties.given import penalties_for
from judging.turns.given_rows import GivenRows, given_rows, results_of
from judging.turns.rulings.given import as_rules, counting_rows
from wargame import world
from wargame.models import Turn
from wargame.models.people import name_when
from wargame.rules.command.screen_names import called
from wargame.rules.core import turn as given
from wargame.rules.core.board import read_square
from wargame.rules.core.dice import Dice, turn_dice
from wargame.rules.core.names import Names
from wargame.rules.core.orders import ReadOrder, Transfer
from wargame.rules.core.position import Position
from wargame.rules.core.rulings import Ruling
from wargame.rules.core.turn import Penalty, TroopChange
from wargame.rules.posts import notation


class GivenTurn:
    """R18: a turn with what it was given. Each part is read once, when it is first asked for.

    After the lock none of it changes any more, except that results are still published and rulings made.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn

    @cached_property
    def position(self) -> Position:
        """The map as the turn opened, with the players called what they are called in it (1.6)."""
        return called(world.position_of_turn(self.turn), self._armies[2])

    @property
    def names(self) -> Names:
        """3.2.2.5: the names of the armies on the map."""
        return world.position_of_turn(self.turn).names

    @cached_property
    def _rows(self) -> GivenRows:
        return given_rows(self.turn)

    def dice(self) -> Dice:
        """R38: the turn's dice, unrolled."""
        return turn_dice(bytes.fromhex(self.turn.seed), self.turn.round.dice_name, self.turn.number)

    @cached_property
    def _armies(self) -> tuple[dict[str, int], Spans, dict[str, str], tuple[str, ...]]:
        """The rows' keys of the armies that lived in the turn, who controlled them during it, what those players are
        called in it, by the other names that they have had, and the names of the armies that were gone before it."""
        opened = world.position_of_turn(self.turn)
        ids: dict[str, int] = {}
        spans: Spans = {}
        renamed: dict[str, str] = {}
        buried: list[str] = []
        for pk, present, former, died_in, player, names, since, until in self._rows.armies:
            if died_in is not None and died_in < self.turn.number:
                buried += [present, *former]
                continue
            name = name_in(opened, present, former)
            ids[name] = pk
            if player is not None:
                now = self._name(player, names)
                spans.setdefault(name, []).append((now, since, until))
                renamed |= {other: now for other, _ in names if other != now}
        return ids, spans, renamed, tuple(buried)

    @cached_property
    def _locks(self) -> datetime:
        """R4: the last moment that the turn's lock lets in."""
        return last_moment(self.turn.lock_at)

    def _name(self, player: str, former: list[list[str]]) -> str:
        """1.6: what a player is called in this turn: his name at the lock, whatever it is later."""
        return name_when(player, former, self._locks)

    @property
    def army_ids(self) -> dict[str, int]:
        """The keys of the armies' rows, by the names that they have in this turn."""
        return self._armies[0]

    @cached_property
    def control(self) -> dict[str, tuple[str, ...]]:
        """5.4.2, R13: the control list at the lock."""
        spans = self._armies[1]
        found = {army: tuple(sorted(controllers_at(spans, army, self._locks))) for army in spans}
        return {army: names for army, names in found.items() if names}

    @cached_property
    def lines(self) -> tuple[given.PostedLine, ...]:
        """R7, R8: the orders in the last versions of the turn's posts that stand, in the order of the thread."""
        return tuple(
            line
            for number, player, former, text, stamps, own in self._rows.posts
            for line in self._lines_of_post(number, self._name(player, former), text, stamps, own)
        )

    def _lines_of_post(self, number: int, by: str, text: str, stamps: list[str], own: str) -> list[given.PostedLine]:
        lines = []
        for line in notation.read_post(text, self.names, self.names.get(own) or own):
            if isinstance(line, ReadOrder):
                at = datetime.fromisoformat(stamps[line.number - 1])
                controlled = by in controllers_at(self._armies[1], line.army, at)
                place = (number, line.number)
                lines.append(posted_line(line, by, at, place, controlled))
        return lines

    @cached_property
    def manifests(self) -> tuple[given.Manifest, ...]:
        """3.2.4.2: what was to be sent, where anybody ordered a transfer."""
        if not any(isinstance(line.order, Transfer) for line in self.lines):
            return ()
        return tuple(
            given.Manifest(
                by=self._name(by, former),
                sender=self._named(sender),
                receiver=self._named(receiver),
                entries=tuple(map(_entry, entries)),
                at=int(at.timestamp()),
            )
            for by, former, sender, receiver, entries, at in self._rows.manifests
        )

    def results(self) -> tuple[given.Result, ...]:
        """4.2.5: the published results of the turn's battles; asked for anew where one was missing before."""
        was_read = "_rows" in self.__dict__
        rows = self._rows.results
        if was_read and len(rows) < len(self.position.battles):
            rows = list(results_of(self.turn))
        return tuple(self._result(*row) for row in rows)

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

    def changes(self) -> tuple[TroopChange, ...]:
        """2.3.2, 2.6: the changes that were accepted while the turn was played; not asked for where there is none."""
        return changes_for(self.turn, self.army_ids, self._name) if self.turn.changes else ()

    @cached_property
    def penalties(self) -> tuple[Penalty, ...]:
        """5.4.1: what was handed down and not lifted; not asked for where nothing was."""
        return penalties_for(self.turn, self.position) if self.turn.penalties else ()

    def _named(self, army: str) -> str:
        """2.6: an army as it is called in this turn."""
        return self.names.get(army) or army

    def moves(self) -> given.TurnInput:
        """R18, steps 1 to 6: what the moves are worked out from."""
        more = {"penalties": self.penalties, **self._chapter_6}
        return given.TurnInput(self.lines, self.control, self.manifests, rulings=self.rulings(), **more)

    def everything(self) -> given.TurnInput:
        """R18: what the settlement is worked out from."""
        handed_in = (self.results(), self.rulings(), self.changes())
        more = {"buried": self._armies[3], "penalties": self.penalties, **self._chapter_6}
        return given.TurnInput(self.lines, self.control, self.manifests, *handed_in, **more)

    @property
    def _chapter_6(self) -> dict[str, Any]:
        """R48: whether the mercenaries play, and what their judge decided; not asked for where he decided nothing."""
        acts = acts_for(self.turn, self.names) if self.turn.mercenary_orders else ()
        return {"guidelines": self.turn.round.has_mercenaries, "mercenaries": acts}


def name_in(position: Position, present: str, former: Sequence[str]) -> str:
    """2.6: what an army is called on a map; names are never used again, so one of its names is there at most."""
    return next((name for name in (present, *former) if name in position.by_name), present)


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
