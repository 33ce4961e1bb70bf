"""1.3: The log of a round as a viewer can read it: who did what, when and why, and what is still secret."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import overload

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop

from judging.accounts.bans import deleted_among
from judging.battles.models import Battle, BattleArmy
from judging.common.control import is_leader
from judging.common.models import LogEntry
from judging.common.request_cache import request_cached
from judging.common.stored_messages import reason_in
from judging.common.viewer import Viewer, viewer_of
from judging.log.actions import ACTS, LEADERS, Act, By, Data, Kind, When
from judging.svg.crests import short_side
from judging.turns.models import Draft, Ruling
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState

ROLES = tuple(role.value for role in (Role.BATTLE, Role.MOVEMENT, Role.MERCENARY))


def visible(viewer: Viewer, now: datetime) -> Q:
    """1.3: the entries that a viewer can read: those that are public now, their own, and those that their role
    allows."""
    round_ = viewer.round
    if round_.state == RoundState.OVER:
        return Q(action__in=ACTS)
    condition = _public(round_, now)
    if viewer.user_id is not None:
        condition |= Q(actor=viewer.user_id, action__in=ACTS)
    roles = [role for role in ROLES if viewer.is_judge(role)]
    condition |= Q(action__in=[name for name, act in ACTS.items() if set(act.early) & set(roles)])
    player = viewer.player
    if player is not None and (is_leader(player) or player.may_change_control):
        action_names = [name for name, act in ACTS.items() if LEADERS in act.early]
        condition |= Q(action__in=action_names, data__side=player.side)
    return condition


@request_cached
def _public(round_: Round, now: datetime) -> Q:
    """The public entries. An act whose turn or battle is unknown is not shown before the end."""
    turns = Turn.objects.filter(round=round_).order_by("number")
    settled = turns.filter(state=TurnState.SETTLED).values_list("number", flat=True).last() or 0
    drafted = Draft.objects.filter(turn__round=round_, publish_at__lte=now, turn__number__gt=settled)
    open_battles = Battle.objects.filter(
        turn__round=round_, turn__number__gt=settled, state=Battle.State.PUBLISHED
    ).values_list("turn__number", "number")
    condition = _acts_secret_until(When.AT_ONCE) | _acts_secret_until(When.AFTER_SETTLEMENT) & Q(
        data__turn__lte=settled
    )
    condition |= _acts_secret_until(When.AFTER_NEXT) & Q(data__turn__lt=settled)
    moves = Q(data__turn__lte=settled)
    for turn in drafted.values_list("turn__number", flat=True):
        moves |= Q(data__turn=turn)
    condition |= _acts_secret_until(When.AFTER_MOVES) & moves
    results = Q(data__turn__lte=settled)
    by_turn: dict[int, list[int]] = {}
    for turn, number in open_battles:
        by_turn.setdefault(turn, []).append(number)
    for turn, numbers in by_turn.items():
        results |= Q(data__turn=turn, data__battle__in=numbers)
    condition |= _acts_secret_until(When.AFTER_RESULT) & results
    return condition if round_.state == RoundState.SETUP else condition | _acts_secret_until(When.AFTER_START)


def _acts_secret_until(when: When) -> Q:
    return Q(action__in=[name for name, act in ACTS.items() if act.when is when])


Place = tuple[object, object]
"""A turn's number, and the number of a battle or ruling in it."""

SERVICE = gettext_noop("The service")
ADMINISTRATOR = gettext_noop("An administrator")
"""The name of an administrator, who manages people (1.6)."""
NO_SEAT = gettext_noop("Someone not in this round")
"""An administrator, or a former judge from the set-up: log-in names are not public."""


@dataclass(frozen=True)
class Link:
    words: str
    address: str


@dataclass(frozen=True)
class LogLine:
    """1.3: who did what, when and why, in the round of that `slug`.

    `seat` is the actor's role then, in words; `turn` the one in which it was done, 0: before the first. `waits` says
    until when it is secret; empty: it is public.
    """

    slug: str
    key: str
    action: str
    kind: Kind
    at: datetime
    who: str
    seat: str
    sentence: str
    why: str
    cites: str
    turn: int
    links: tuple[Link, ...]
    waits: str

    @property
    def what(self) -> str:
        """The act, with its full stop; a question keeps its own mark."""
        return self.sentence if self.sentence.endswith(("?", "!", ".")) else f"{self.sentence}."


@dataclass
class NamedInLog:
    """The people and things that a round's entries name, read once."""

    viewer: Viewer
    now: datetime
    _opened: list[tuple[int, datetime]] = field(init=False)

    def __post_init__(self) -> None:
        turns = Turn.objects.filter(round=self.viewer.round).order_by("number")
        self._opened = list(turns.values_list("number", "opened_at"))

    @cached_property
    def _players(self) -> dict[int, Player]:
        return {player.user_id: player for player in Player.objects.filter(round=self.viewer.round)}

    @cached_property
    def _judges(self) -> dict[int, list[Judge]]:
        by_user: dict[int, list[Judge]] = {}
        for judge in Judge.everybody.filter(round=self.viewer.round):
            by_user.setdefault(judge.user_id, []).append(judge)
        return by_user

    @cached_property
    def _gone(self) -> set[int]:
        """1.6: users with deleted accounts, whose names have changed."""
        return deleted_among(player.user_id for player in self._players.values() if player.former_names)

    def span(self, turn: int) -> tuple[datetime | None, datetime | None]:
        """The start (exclusive) and end of a turn; 0: before the first."""
        opened = dict(self._opened)
        return opened.get(turn), opened.get(turn + 1)

    def turn_at(self, when: datetime) -> int:
        """The turn at that moment. Acts that open a turn belong to the one before."""
        return next((number for number, opened in reversed(self._opened) if opened < when), 0)

    def who(self, row: LogEntry) -> tuple[str, str]:
        """The actor's name at that time, and their seat."""
        act = ACTS[row.action]
        if act.by is By.ADMINISTRATOR:
            return gettext(ADMINISTRATOR), ""
        if row.actor_id is None:
            return gettext(SERVICE), ""
        player, judges = self._players.get(row.actor_id), self._judges.get(row.actor_id, [])
        as_judge = act.by is By.JUDGE or (act.by is By.LIST and "reason" in row.data)
        if judges and (as_judge or (act.by is By.EITHER and player is None)):
            judge = self._seat(judges, act, row.data)
            return judge.name, judge.get_role_display()
        if player is not None and act.by is not By.JUDGE:
            name = player.name if player.user_id in self._gone else player.name_at(row.at)
            return name, short_side(player.side)
        nobody = gettext(NO_SEAT)
        return (str(row.data.get("name") or nobody) if act.by is By.PLAYER else nobody), ""

    def actors(self) -> list[str]:
        """Everybody who has a seat, by name."""
        names = {player.name for player in self._players.values()}
        names |= {judge.name for judges in self._judges.values() for judge in judges}
        return sorted({*names, gettext(SERVICE)}, key=str.casefold)

    def called(self, name: str) -> list[int]:
        """The people who have or had that name (1.6), unless their accounts are deleted."""
        players = [
            player.user_id
            for player in self._players.values()
            if name == player.name
            or (player.user_id not in self._gone and name in (old for old, _ in player.former_names))
        ]
        return [*players, *(pk for pk, judges in self._judges.items() if any(judge.name == name for judge in judges))]

    def battles_with(self, army: str) -> set[Place]:
        """Turn and number of every battle in which an army of that name fights."""
        rows = BattleArmy.objects.filter(battle__turn__round=self.viewer.round, name=army)
        return set(rows.values_list("battle__turn__number", "battle__number"))

    def rulings_on(self, army: str) -> set[Place]:
        """Turn and number of every ruling on an army of that name."""
        rows = Ruling.objects.filter(turn__round=self.viewer.round, army=army, number__isnull=False)
        return set(rows.values_list("turn__number", "number"))

    def texts(self, rows: list[LogEntry]) -> list[str]:
        rulings = self._rulings(rows)
        return [
            f"{self.who(row)[0]} {ACTS[row.action].sentence(row.data)} {_why(row, _ruling(row, rulings), rulings)}"
            for row in rows
        ]

    def lines(self, rows: Iterable[LogEntry]) -> list[LogLine]:
        entries = list(rows)
        public = self._public_keys(entries)
        battles, rulings = self._battles(entries), self._rulings(entries)
        return [self._line(row, row.pk in public, battles, rulings) for row in entries]

    def _public_keys(self, rows: list[LogEntry]) -> set[int]:
        if all(ACTS[row.action].when is When.AT_ONCE for row in rows):
            return {row.pk for row in rows}
        everybody = visible(Viewer(None, self.viewer.round), self.now)
        public_rows = LogEntry.objects.filter(everybody, round=self.viewer.round, pk__in=[row.pk for row in rows])
        return set(public_rows.values_list("pk", flat=True))

    def _battles(self, rows: list[LogEntry]) -> dict[Place, int]:
        turns = {row.data["turn"] for row in rows if "battle" in row.data and "turn" in row.data}
        if not turns:
            return {}
        battles = Battle.objects.filter(turn__round=self.viewer.round, turn__number__in=turns)
        return {(turn, number): pk for turn, number, pk in battles.values_list("turn__number", "number", "pk")}

    def _rulings(self, rows: list[LogEntry]) -> dict[Place, Ruling]:
        turns = {row.data.get("turn") for row in rows if ACTS[row.action].kind is Kind.RULINGS}
        if not turns:
            return {}
        rulings = Ruling.objects.filter(turn__round=self.viewer.round, turn__number__in=turns, number__isnull=False)
        joined = rulings.select_related("turn").defer("turn__position", "turn__events", "turn__sky")
        return {(row.turn.number, row.number or 0): row for row in joined}

    def _line(self, row: LogEntry, is_public: bool, battles: dict[Place, int], rulings: dict[Place, Ruling]) -> LogLine:
        act, data = ACTS[row.action], row.data
        actor, seat = self.who(row)
        ruling = _ruling(row, rulings)
        return LogLine(
            slug=self.viewer.round.slug,
            key=row.key,
            action=row.action,
            kind=act.kind,
            at=row.at,
            who=actor,
            seat=seat,
            sentence=act.sentence(data),
            why=_why(row, ruling, rulings),
            cites=ruling.cites if ruling and row.action == "ruling.made" else str(data.get("cites") or act.cites),
            turn=self.turn_at(row.at),
            links=tuple(self._links(act, data, battles)),
            waits="" if is_public else gettext(act.when.value),
        )

    def _links(self, act: Act, data: Data, battles: dict[Place, int]) -> Iterable[Link]:
        slug = self.viewer.round.slug
        turn, battle, ruling = data.get("turn"), data.get("battle"), data.get("ruling")
        if key := battles.get((turn, battle)):
            yield Link(gettext("Battle %(number)s") % {"number": battle}, reverse("battle", args=[slug, key]))
        elif isinstance(turn, int) and turn in dict(self._opened):
            place = f"#ruling-{turn}-{ruling}" if ruling else "#ruled" if act.kind is Kind.RULINGS else ""
            yield Link(gettext("Turn %(number)s") % {"number": turn}, reverse("turn", args=[slug, turn]) + place)
        if data.get("army") and act.kind is not Kind.SETUP:
            yield Link(str(data["army"]), reverse("command-army", args=[slug, data["army"]]))
        if act.kind is Kind.CONTROL:
            yield Link(gettext("Control list"), reverse("command", args=[slug]))
        elif act.kind is Kind.PLAYERS and data.get("player") in self._player_names:
            yield Link(str(data["player"]), reverse("player", args=[slug, data["player"]]))
        elif act.kind is Kind.JUDGES:
            yield Link(gettext("Judges"), reverse("judges", args=[slug]))
        elif act.kind is Kind.BOARDS and "question" in data:
            yield Link(gettext("Votes"), reverse("votes", args=[slug]))
        elif act.kind is Kind.MERCENARIES and "battle" not in data and turn:
            yield Link(gettext("Mercenaries"), reverse("neutrals-turn", args=[slug, turn]))
        elif "commitment" in data and "number" in data:
            yield Link(gettext("Formula book"), reverse("round-book", args=[slug]))

    @cached_property
    def _player_names(self) -> set[str]:
        return {player.name for player in self._players.values()}

    def _seat(self, judges: list[Judge], act: Act, data: Data) -> Judge:
        """The seat in which a judge acted: the recorded one, else the first that fits."""
        role = data.get("seat") or (act.early[0] if act.early and act.early[0] in ROLES else "")
        by_role = {judge.role: judge for judge in judges}
        return by_role.get(role) or next(by_role[each] for each in ROLES if each in by_role)


def _ruling(row: LogEntry, rulings: dict[Place, Ruling]) -> Ruling | None:
    """3.3.3: the ruling of which an entry tells."""
    turn, number = row.data.get("turn"), row.data.get("ruling")
    return rulings.get((turn, number)) if isinstance(turn, int) and isinstance(number, int) else None


def _why(row: LogEntry, ruling: Ruling | None, rulings: dict[Place, Ruling]) -> str:
    """The given reason. A ruling's reason is in the ruling itself (3.3.3)."""
    if ruling is not None:
        return ruling.reason if row.action == "ruling.made" else ruling.withdrawn_reason
    if row.action == "correction.applied":
        numbers = [(row.data.get("turn"), number) for number in row.data.get("rulings") or ()]
        return "\n".join(rulings[place].reason for place in numbers if place in rulings)
    return reason_in(row.data)


@dataclass(frozen=True)
class LogFilter:
    """The filter of a log. Empty or None: everything."""

    who: str = ""
    kind: str = ""
    army: str = ""
    turn: int | None = None
    words: str = ""

    @property
    def is_narrow(self) -> bool:
        return bool(self.who or self.kind or self.army or self.words) or self.turn is not None


class Log(Sequence[LogLine]):
    """1.3: a viewer's part of a log, newest first. Lines are composed lazily."""

    def __init__(self, viewer: Viewer, now: datetime, asked: LogFilter | None = None) -> None:
        self._cast, asked = NamedInLog(viewer, now), asked or LogFilter()
        rows = LogEntry.objects.filter(visible(viewer, now), round=viewer.round).order_by("-at", "-pk")
        self._rows: QuerySet[LogEntry] | list[LogEntry] = _chosen(rows, asked, self._cast)

    def __len__(self) -> int:
        return self._number

    @cached_property
    def _number(self) -> int:
        return len(self._rows) if isinstance(self._rows, list) else self._rows.count()

    @overload
    def __getitem__(self, place: int) -> LogLine: ...
    @overload
    def __getitem__(self, place: slice) -> list[LogLine]: ...
    def __getitem__(self, place: int | slice) -> LogLine | list[LogLine]:
        if isinstance(place, int):
            return self._cast.lines([self._rows[place]])[0]
        return self._cast.lines(self._rows[place])

    def actors(self) -> list[str]:
        """1.3: the actors of the entries that the viewer may read, by name."""
        return self._cast.actors()


def readable(rows: QuerySet[LogEntry], user: AbstractBaseUser | AnonymousUser, now: datetime) -> QuerySet[LogEntry]:
    """1.3: the entries of all rounds that the user may read."""
    condition = Q(pk__in=())
    for round_ in Round.objects.all():
        condition |= Q(round=round_) & visible(viewer_of(user, round_), now)
    return rows.filter(condition)


def line_of(viewer: Viewer, key: str, now: datetime) -> LogLine | None:
    """1.3: one entry by the key in its address; None if there is none that the viewer may read."""
    rows = LogEntry.objects.filter(visible(viewer, now), round=viewer.round, key=key)
    lines = NamedInLog(viewer, now).lines(rows)
    return lines[0] if lines else None


def _chosen(rows: QuerySet[LogEntry], filters: LogFilter, cast: NamedInLog) -> QuerySet[LogEntry] | list[LogEntry]:
    """The filtered entries. Armies and words are in the composed text, so they are searched for in Python."""
    if filters.kind:
        rows = rows.filter(action__in=[name for name, act in ACTS.items() if act.kind.key == filters.kind])
    if filters.turn is not None:
        since, until = cast.span(filters.turn)
        rows = rows.filter(at__gt=since) if since else rows
        rows = rows.filter(at__lte=until) if until else rows
    if filters.who:
        people = cast.called(filters.who)
        is_service = filters.who in (SERVICE, gettext(SERVICE))
        rows = rows.filter(actor=None) if is_service else rows.filter(actor__in=people)
        # Who of the players or judges is the administrator is nobody's business, and the filter must not tell it.
        rows = rows.exclude(action__in=[name for name, act in ACTS.items() if act.by is By.ADMINISTRATOR])
    if not filters.army and not filters.words.strip():
        return rows
    entries = list(rows)
    if filters.army:
        battles, rulings = cast.battles_with(filters.army), cast.rulings_on(filters.army)
        entries = [row for row in entries if _concerns(row.data, filters.army, battles, rulings)]
    words = filters.words.casefold().split()
    if not words:
        return entries
    pairs = zip(entries, cast.texts(entries), strict=True)
    return [row for row, text in pairs if all(word in text.casefold() for word in words)]


def _concerns(data: Data, army: str, battles: set[Place], rulings: set[Place]) -> bool:
    """Whether an act is about an army: it is named in it, fights in its battle, or was ruled on."""
    if army in (data.get("army"), *(data.get("armies") or ()), *(data.get("freed") or ())):
        return True
    changes = data.get("changes") or ()
    control = data.get("control") or {}
    is_changed = any(isinstance(change, dict) and change.get("army") == army for change in changes)
    if is_changed or army in control or (data.get("turn"), data.get("battle")) in battles:
        return True
    return isinstance(data.get("ruling"), int) and (data.get("turn"), data.get("ruling")) in rulings
