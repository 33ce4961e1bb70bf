"""4.1.1, R35: Which strat counts for an army, and its deadline."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Exists, OuterRef, Q

from judging.battles.models import Battle, BattleArmy, Opinion, Score, Strat
from judging.common.control import held_in, last_moment
from wargame.models import Army as ArmyRow
from wargame.models import Control, Player, Round, Turn
from wargame.rules.battle.battle import receipt
from wargame.rules.core import clock
from wargame.rules.core.position import Army


def deadline_of(entry: BattleArmy, battle: Battle) -> datetime:
    """R5, 5.4.1: The deadline of an army's strat: its own extension, else the battle's deadline."""
    return max(entry.deadline, battle.deadline) if entry.deadline else battle.deadline


def last_deadline(battle: Battle) -> datetime:
    """R5: The latest deadline of a battle's armies."""
    return max((deadline_of(entry, battle) for entry in battle.entries.all()), default=battle.deadline)


MOST_PAST = 5
"""How many battles of an army are listed beside a strat."""


@dataclass(frozen=True)
class PastBattle:
    """4.2.5: A published battle of an army: its page's key, its turn, its square, its enemies, and the winner."""

    battle: int
    turn: int
    at: str
    against: tuple[str, ...]
    has_won: bool


def past_battles(round: Round, armies: Iterable[Army]) -> dict[str, tuple[PastBattle, ...]]:
    """4.2.5: The latest published battles of armies, by their current names, including those under former names
    (2.6). One query."""
    names = {old: army.name for army in armies for old in (army.name, *army.former)}
    entries = BattleArmy.objects.filter(battle=OuterRef("battle"), name__in=names)
    rows = BattleArmy.objects.filter(Exists(entries), battle__turn__round=round, battle__state=Battle.State.PUBLISHED)
    facts = rows.values_list("battle", "battle__turn__number", "battle__at", "battle__result__winner", "name", "side")
    fought: dict[tuple[int, int, str, int], list[tuple[str, int]]] = {}
    for battle, turn, at, winner, name, side in facts.order_by("-battle__turn__number", "-battle", "pk"):
        fought.setdefault((battle, turn, at, winner), []).append((name, side))
    by_army: dict[str, list[PastBattle]] = {name: [] for name in names.values()}
    for (battle, turn, at, winner), fighters in fought.items():
        for name, side in fighters:
            if name in names and len(by_army[names[name]]) < MOST_PAST:
                against = tuple(other for other, their in fighters if their != side)
                by_army[names[name]].append(PastBattle(battle, turn, at, against, winner == side))
    return {name: tuple(battles) for name, battles in by_army.items()}


def counting_strats(battle: Battle) -> dict[str, Strat]:
    """R35, 5.2.3: The strat that counts, by the army's name; an army without one is left out.

    It is the last one that came in time, or that a judge accepted, from a player who controls the army at the deadline,
    and the last of a contingency only if there is none; that of a contingency whose player no longer controls it is as
    void as the player's own (5.4.2). Before the deadline it is what would count now. A score that is locked before the
    deadline replaces it: nobody could send another strat after it (R74). A mercenary's is the last one of the mercenary
    judge (R49).
    """
    return counting_strats_of([battle])[battle.pk]


def counting_strats_of(battles: Collection[Battle]) -> dict[int, dict[str, Strat]]:
    """R35: `counting_strats` of several battles, by their keys, with as many queries as for one."""
    entries: dict[int, list[BattleArmy]] = {battle.pk: [] for battle in battles}
    for entry in BattleArmy.objects.filter(battle__in=battles).prefetch_related("strats"):
        entries[entry.battle_id].append(entry)
    return _counting_in(battles, entries, _spans(entries))


def counting_as_read_of(battles: Collection[Battle]) -> dict[int, dict[str, Strat]]:
    """R35: The same for battles that were read with their entries and strats: one query for all of them."""
    entries = {battle.pk: list(battle.entries.all()) for battle in battles}
    return _counting_in(battles, entries, _spans(entries))


def _spans(entries: Mapping[int, list[BattleArmy]]) -> list[Span]:
    fighters = {entry.army_id for fighting in entries.values() for entry in fighting}
    return list(Control.objects.filter(army__in=fighters).values_list("army_id", "player_id", "since", "until"))


def counting_as_read(battles: Collection[Battle]) -> dict[int, dict[str, Strat]]:
    """R35: The same for battles of one turn that were read with it, their entries and strats: the only query is for the
    control of armies in the turn, which other parts of a page need, too.

    For display only. To write, use `counting_strats`, which sees the latest changes.
    """
    entries = {battle.pk: list(battle.entries.all()) for battle in battles}
    turn = next((battle.turn for battle in battles), None)
    rows = held_in(turn) if turn else ()
    spans = [(one.army_id, one.player_id, one.since, one.until) for one in rows]
    return _counting_in(battles, entries, spans)


def _counting_in(
    battles: Collection[Battle], entries: Mapping[int, list[BattleArmy]], spans: list[Span]
) -> dict[int, dict[str, Strat]]:
    return {
        battle.pk: _counting(_in_time(entries[battle.pk]), _Control(battle, entries[battle.pk], spans))
        for battle in battles
    }


def _in_time(entries: Iterable[BattleArmy]) -> list[Strat]:
    """R35: The strats that came in time or were accepted, by their times."""
    strats = [strat for entry in entries for strat in entry.strats.all() if not strat.late or strat.accepted_at]
    return sorted(strats, key=lambda strat: (strat.sent_at, strat.pk))


def _counting(strats: list[Strat], control: _Control) -> dict[str, Strat]:
    own_strats: dict[str, Strat] = {}
    stand_ins: dict[str, Strat] = {}
    for strat in strats:
        if strat.player_id is None or strat.player_id in control.at_deadline(strat.entry.army_id):
            own_strats[strat.entry.name] = strat
        elif strat.as_contingency and control.stays(strat.entry.army_id, strat.sent_at):
            stand_ins[strat.entry.name] = strat
    return stand_ins | own_strats


def strats_closed(turn: Turn, army: ArmyRow, now: datetime) -> datetime | None:
    """4.1.1, R74: Since when nobody can send another strat for an army that fights in a turn: its deadline, or the
    first score of its battle. None if it doesn't fight, or somebody still can."""
    entries = BattleArmy.objects.filter(battle__turn=turn, army=army).exclude(battle__state=Battle.State.CANCELLED)
    entry = entries.select_related("battle").first()
    if entry is None:
        return None
    closed = min(clock.closes(deadline_of(entry, entry.battle)), _first_score(entry.battle) or now)
    return closed if closed < now else None


def _first_score(battle: Battle) -> datetime | None:
    """4.1.1: When the first score of a battle was locked; no strat is accepted after it."""
    locked = [*Opinion.objects.filter(battle=battle).values_list("locked_at", flat=True)]
    for score in Score.objects.filter(battle=battle):
        locked += [score.locked_at, *(datetime.fromisoformat(each["locked_at"]) for each in score.overruled)]
    return min(locked, default=None)


def all_sent(battle: Battle) -> bool:
    """4.1.1: Whether every army of a team has a strat of its controller, so that there is nothing to wait for."""
    teams = battle.entries.exclude(army__side="mercenary").values_list("name", flat=True)
    return are_sent(teams, counting_strats(battle))


def are_sent(teams: Iterable[str], counting: Mapping[str, Strat]) -> bool:
    """4.1.1: The same for teams' armies, by their names, with the `counting_strats` of their battle."""
    return all(name in counting and not counting[name].as_contingency for name in teams)


Span = tuple[int, int, datetime, datetime | None]
"""Control of an army: the army's key, the player's, since when, until when (None: still)."""


class _Control:
    """R13, R35, R74: Control of the armies of a battle, each at its own deadline or at an earlier moment."""

    def __init__(self, battle: Battle, entries: list[BattleArmy], spans: list[Span]) -> None:
        self._deadlines = {entry.army_id: last_moment(deadline_of(entry, battle)) for entry in entries}
        self._spans = [span for span in spans if span[0] in self._deadlines]
        changes = [moment for span in self._spans for moment in span[2:] if moment and moment > battle.announced_at]
        if changes and (first := _first_score(battle)):
            self._deadlines = {army: min(deadline, first) for army, deadline in self._deadlines.items()}

    def at_deadline(self, army: int) -> set[int]:
        """The keys of the players who control an army at its deadline."""
        return self._controllers_at(army, self._deadlines[army])

    def stays(self, army: int, when: datetime) -> bool:
        """5.2.3: Whether a player who controlled it at that moment still does at its deadline."""
        return bool(self._controllers_at(army, when) & self.at_deadline(army))

    def _controllers_at(self, army: int, when: datetime) -> set[int]:
        return {
            player
            for army_id, player, since, until in self._spans
            if army_id == army and since <= when and (until is None or until > when)
        }


def receipt_of(strat: Strat) -> str:
    """R35: The receipt of a strat's text and requests as they are stored: equal to its `sha256`, unless they were
    changed."""
    return receipt(
        salt=strat.salt,
        text=strat.text,
        risk=strat.risk,
        runs=strat.runs,
        leaves=strat.leaves,
        leaves_to=strat.leaves_to,
        word_sha256=strat.word_sha256,
    )


def battles_of(players: Sequence[Player]) -> dict[int, int]:
    """2.6: The number of judged battles in which players sent counting strats, by the players' keys; one query."""
    in_time = Q(late=False) | Q(accepted_at__isnull=False)
    fought = Strat.objects.filter(in_time, player__in=players, entry__battle__result__isnull=False).order_by()
    counts = fought.values("player").annotate(number=Count("entry__battle", distinct=True))
    return dict(counts.values_list("player", "number"))
