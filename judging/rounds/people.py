"""1.6: a person's record over the rounds of the site: only public facts, and nothing if they hide it.

People are found by the name under which they played or judged. A person with several names has a page for each: only
they may reveal that these are the same person. Two people of one name are distinguished.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.core.cache import cache
from django.db.models import Q

from judging.battles.models import Battle, BattleArmy, Result
from judging.battles.outcome_schema import StoredOutcome
from judging.common.control import last_moment
from judging.rounds.ending import punctuality_of
from judging.rounds.medals import Punctuality
from wargame.models import Control, Judge, Player, Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core.sides import Rank, Side

KEPT_SECONDS = 600
"""The time for which the counts of a settled turn's refused orders are cached."""


@dataclass
class PlayedRound:
    """1.1: a round that a person played. Battles count for the controller of the army at the turn's lock (R13);
    `kills` and `captures` are those that such an army had asked for and made (4.3, 4.5); `refused` are the person's
    orders that counted and were refused (R14). `has_won`: None while it is played."""

    round: Round
    name: str
    side: Side
    rank: str
    left: bool
    has_won: bool | None
    armies: list[str] = field(default_factory=list)
    battles: int = 0
    won: int = 0
    kills: int = 0
    captures: int = 0
    refused: int = 0
    punctuality: Punctuality | None = None

    @property
    def lost(self) -> int:
        return self.battles - self.won


@dataclass(frozen=True)
class JudgedRound:
    """1.3: a round that a person judged; `battles` are those whose results are theirs."""

    round: Round
    role: str
    is_head: bool
    battles: int


@dataclass(frozen=True)
class PersonView:
    """1.6: one person under one name, latest round first."""

    name: str
    played: tuple[PlayedRound, ...]
    judged: tuple[JudgedRound, ...]

    @property
    def rounds_won(self) -> int:
        return sum(bool(each.has_won) for each in self.played)

    @property
    def battles(self) -> int:
        return sum(each.battles for each in self.played)

    @property
    def won(self) -> int:
        return sum(each.won for each in self.played)

    @property
    def kills(self) -> int:
        return sum(each.kills for each in self.played)

    @property
    def captures(self) -> int:
        return sum(each.captures for each in self.played)


def users_called(name: str) -> list[int]:
    """1.6: the users who played or judged under a name, whatever its case, and don't hide it, by when they first
    did. Two statements."""
    seats = [
        row
        for model in (Player.objects, Judge.everybody)
        for row in model.filter(_is_shown(name)).values_list("round__created_at", "user")
    ]
    return list(dict.fromkeys(user for _, user in sorted(seats)))


def people_called(name: str, users: Sequence[int]) -> list[PersonView]:
    """1.6: the records of `users_called`, in their order. Nine statements, however many rounds there are."""
    condition = _is_shown(name) & Q(user__in=users)
    players = list(Player.objects.filter(condition).select_related("round").order_by("-round__created_at", "-pk"))
    judges = list(Judge.everybody.filter(condition).select_related("round").order_by("-round__created_at", "-pk"))
    played = _played(players)
    results = _judged_battles(judges)
    seats: list[Player | Judge] = [*players, *judges]
    return [
        PersonView(
            name=next(seat.name for seat in seats if seat.user_id == key),
            played=tuple(played[player.pk] for player in players if player.user_id == key),
            judged=tuple(
                JudgedRound(judge.round, judge.get_role_display(), judge.is_head, results.get(judge.pk, 0))
                for judge in judges
                if judge.user_id == key
            ),
        )
        for key in users
    ]


def _is_shown(name: str) -> Q:
    condition = Q(name__iexact=name, user__is_active=True) & ~Q(
        round__state__in=[RoundState.SETUP, RoundState.GIVEN_UP]
    )
    return condition & ~Q(user__account__hides_record=True)


def players_in(round_: Round) -> list[PlayedRound]:
    """1.1: the records of all present and former players of a round who don't hide them, by side and name. Six
    statements for any number."""
    rows = Player.objects.filter(round=round_, user__is_active=True).exclude(user__account__hides_record=True)
    players = list(rows.select_related("round").order_by("side", "name"))
    return list(_played(players).values())


def _played(players: Sequence[Player]) -> dict[int, PlayedRound]:
    by_player = {player.pk: _begun(player) for player in players}
    rounds = [player.round_id for player in players]
    turns = list(
        Turn.objects.filter(round__in=rounds, state=TurnState.SETTLED)
        .defer("position", "events", "sky")
        .order_by("number")
    )
    spans = list(Control.objects.filter(player__in=players).select_related("army").order_by("since", "pk"))
    for span in spans:
        armies = by_player[span.player_id].armies
        if span.army.name not in armies:
            armies.append(span.army.name)
    locks = {turn.pk: turn.lock_at for turn in turns}
    entries = BattleArmy.objects.filter(
        battle__turn__in=turns, battle__state=Battle.State.PUBLISHED, army__in=[span.army_id for span in spans]
    ).select_related("battle__result")
    for entry in entries:
        for key in _controllers(spans, entry.army_id, locks[entry.battle.turn_id]):
            _add(by_player[key], entry, entry.battle.result)
    punctual, refused = punctuality_of(turns, players), _refused(turns)
    for player in players:
        each = by_player[player.pk]
        each.punctuality = punctual.get(player.pk)
        player_turns = (turn for turn in turns if turn.round_id == player.round_id)
        each.refused = sum(refused[turn.pk].get(player.name_at(last_moment(turn.lock_at)), 0) for turn in player_turns)
    return by_player


def _refused(turns: Sequence[Turn]) -> dict[int, dict[str, int]]:
    """R14: the number of each player's refused orders in settled turns, by the turn's key and the player's name
    then. A turn's events are read again every ten minutes, or at once when a correction changes the map."""
    keys = {turn.pk: f"refused:{turn.pk}:{turn.next_hash}" for turn in turns}
    cached: dict[str, dict[str, int]] = cache.get_many(keys.values())
    missing = [pk for pk, key in keys.items() if key not in cached]
    rows = Turn.objects.filter(pk__in=missing).values_list("pk", "events") if missing else []
    fresh = {keys[pk]: dict(Counter(_refused_of(events))) for pk, events in rows}
    cache.set_many(fresh, KEPT_SECONDS)
    return {pk: (cached | fresh)[key] for pk, key in keys.items()}


def _refused_of(events: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    return (event["by"] for event in events if event["kind"] == "refused" and event["counts"])


def _begun(player: Player) -> PlayedRound:
    winner = player.round.winner
    return PlayedRound(
        round=player.round,
        name=player.name,
        side=Side(player.side),
        rank=Rank(player.rank).title if player.rank else "",
        left=player.left_at is not None,
        has_won=winner == player.side if winner else None,
    )


def _controllers(spans: Iterable[Control], army: int, when: datetime) -> set[int]:
    """5.2.1: the players among these who controlled an army at a moment."""
    rows = (span for span in spans if span.army_id == army and span.since <= when)
    return {span.player_id for span in rows if span.until is None or span.until > when}


def _add(played: PlayedRound, entry: BattleArmy, result: Result) -> None:
    outcome: StoredOutcome = result.outcome
    played.battles += 1
    played.won += entry.side == result.winner
    risks = [each["risk"] for each in outcome["attempts"] if each["army"] == entry.name and each["succeeded"]]
    played.kills += risks.count("kill")
    played.captures += risks.count("capture")


def _judged_battles(judges: Sequence[Judge]) -> dict[int, int]:
    """4.2.5: the number of published results by judge's key."""
    counts: dict[int, int] = {}
    for key in Result.objects.filter(judge__in=judges).values_list("judge_id", flat=True):
        counts[key] = counts.get(key, 0) + 1
    return counts
