"""1.6: what somebody did over the rounds of the site: of it only what is public, and nothing if he does not want it.

A person is found by the name under which he played or judged. Who went by several names has a page for each: that they
are one and the same person is for him to tell. Two people of one name are told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Q

from judging.battles.models import Battle, BattleArmy, Result
from judging.battles.stored import StoredOutcome
from judging.rounds.ending import punctuality_of
from judging.rounds.medals import Punctuality
from wargame.models import Control, Judge, Player, Round, Turn
from wargame.models.choices import RoundState, TurnState
from wargame.rules.core.sides import Rank, Side


@dataclass
class PlayedRound:
    """1.1: a round that somebody played. Battles count under whoever controlled the army at the turn's lock (R13);
    `kills` and `captures` are those that such an army had asked for and made (4.3, 4.5). `has_won`: None while it is
    played."""

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
    punctuality: Punctuality | None = None


@dataclass(frozen=True)
class JudgedRound:
    """1.3: a round that somebody judged; `battles` are those whose results are his."""

    round: Round
    role: str
    is_head: bool
    battles: int


@dataclass(frozen=True)
class PersonView:
    """1.6: one person under one name, the latest round first."""

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


def people_called(name: str) -> list[PersonView]:
    """1.6: those who played or judged under that name, whatever its case, and don't hide it; who has played longest ago
    first. Eight statements, however many rounds there are."""
    seen = Q(name__iexact=name, user__is_active=True) & ~Q(round__state__in=[RoundState.SETUP, RoundState.GIVEN_UP])
    seen &= ~Q(user__account__hides_record=True)
    players = list(Player.objects.filter(seen).select_related("round").order_by("-round__created_at", "-pk"))
    judges = list(Judge.everybody.filter(seen).select_related("round").order_by("-round__created_at", "-pk"))
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
        for key in dict.fromkeys(seat.user_id for seat in sorted(seats, key=lambda seat: seat.round.created_at))
    ]


def _played(players: Sequence[Player]) -> dict[int, PlayedRound]:
    """What each player did in his round, by his key."""
    found = {player.pk: _begun(player) for player in players}
    rounds = [player.round_id for player in players]
    turns = list(
        Turn.objects.filter(round__in=rounds, state=TurnState.SETTLED)
        .defer("position", "events", "sky")
        .order_by("number")
    )
    spans = list(Control.objects.filter(player__in=players).select_related("army").order_by("since"))
    for span in spans:
        armies = found[span.player_id].armies
        if span.army.name not in armies:
            armies.append(span.army.name)
    locks = {turn.pk: turn.lock_at for turn in turns}
    entries = BattleArmy.objects.filter(
        battle__turn__in=turns, battle__state=Battle.State.PUBLISHED, army__in=[span.army_id for span in spans]
    ).select_related("battle__result")
    for entry in entries:
        for key in _controllers(spans, entry.army_id, locks[entry.battle.turn_id]):
            _add(found[key], entry, entry.battle.result)
    punctual = punctuality_of(turns, players)
    for key, each in found.items():
        each.punctuality = punctual.get(key)
    return found


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
    own = (span for span in spans if span.army_id == army and span.since <= when)
    return {span.player_id for span in own if span.until is None or span.until > when}


def _add(played: PlayedRound, entry: BattleArmy, result: Result) -> None:
    outcome: StoredOutcome = result.outcome
    played.battles += 1
    played.won += entry.side == result.winner
    made = [each["risk"] for each in outcome["attempts"] if each["army"] == entry.name and each["succeeded"]]
    played.kills += made.count("kill")
    played.captures += made.count("capture")


def _judged_battles(judges: Sequence[Judge]) -> dict[int, int]:
    """4.2.5: how many published results are each judge's, by his key."""
    found: dict[int, int] = {}
    for key in Result.objects.filter(judge__in=judges).values_list("judge_id", flat=True):
        found[key] = found.get(key, 0) + 1
    return found
