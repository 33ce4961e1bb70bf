"""Vote cases (docs/develop/cases.md): a vote that is called, the ballots, and the result.

The key is `vote`. It has a `kind` (normal, leaders, special), `options`, and the `players` of the round, each with
`name`, `team`, `rank` (none for a Drudge or a Cadet) and `factions`. `by` is the caller: a player, or `judge`, as
without the key; with `judge: true` the player is also a judge. A special vote may say `to: {team, ranks, faction,
players}` and `points: {1: 3}`, both by groups of ranks from 1 (General, Chief Praetor) to 7 (Cadet, Drudge). `ballots`
are options, or `abstain`, by player. `later` is the state of players when it closes: a rank, `drudge`, `cadet`, or
`left`.

`expect` may name `rules` (why it can't be called), `voters` (the points of everybody who was asked), `points` by
option, `winner`, `tie`, `abstained`, `missing`, `refused` (the rule under which a player may not vote), and `only` (the
team to which the vote belongs, or `both`).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, NamedTuple

from wargame.cases.control import read_rank
from wargame.cases.kinds import Kind, Part
from wargame.cases.reading import CaseError, Free, among, built, differences
from wargame.rules.command.votes import (
    Audience,
    Caller,
    CastBallot,
    Count,
    Terms,
    VoteKind,
    Voter,
    count,
    objections,
    one_sided,
    points_of,
    roll,
    why_not,
)
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Rank, Side

JUDGE, ABSTAIN, LEFT = "judge", "abstain", "left"


class PlayerTable(NamedTuple):
    name: str
    team: Side
    rank: Rank | None = None
    factions: tuple[str, ...] = ()


class AudienceTable(NamedTuple):
    """1.4.3: the audience of a special vote, its ranks by their groups."""

    team: Side | None = None
    ranks: list[int] = []
    faction: Free = ""
    players: tuple[str, ...] = ()


def _later(value: object, where: str) -> Rank | None | str:
    return LEFT if value == LEFT else read_rank(value, where)


class VoteTable(NamedTuple):
    """A vote, the ballots by player, and the state of players when it closes."""

    kind: VoteKind
    options: tuple[str, ...]
    players: list[PlayerTable]
    by: str = JUDGE
    judge: bool | None = None
    to: AudienceTable = AudienceTable()
    points: Mapping[int, int] = {}
    ballots: Mapping[str, Free] = {}
    later: Mapping[str, Annotated[Rank | None | str, _later]] = {}


class Expected(NamedTuple):
    rules: list[str] | None = None
    voters: Mapping[str, int] | None = None
    points: Mapping[str, int] | None = None
    winner: Free | None = None
    tie: list[str] | None = None
    abstained: list[str] | None = None
    missing: list[str] | None = None
    refused: Mapping[str, Free] | None = None
    only: str | None = None


@dataclass(frozen=True)
class JudgedVote:
    """The outcome of a vote case. `voters` are the points of everybody who was asked; `count` is None for a vote
    that can't be called."""

    wrong: tuple[Finding, ...]
    voters: Mapping[str, int]
    refused: Mapping[str, Finding]
    count: Count | None
    only: str


def _judge(table: VoteTable) -> JudgedVote:
    players = {one.name: Voter(one.name, one.team, one.rank, one.factions) for one in table.players}
    to = table.to
    terms = Terms(table.kind, Audience(to.team, tuple(to.ranks), to.faction, to.players), table.points)
    voters = roll(terms, tuple(players.values()))
    only = one_sided(terms, voters) or "both"
    caller = Caller(table.by, players.get(table.by), table.by == JUDGE if table.judge is None else table.judge)
    if wrong := objections(caller, terms, tuple(players.values())):
        return JudgedVote(wrong, {}, {}, None, str(only))
    was_asked = {voter.name for voter in voters}
    at_close = {name: _at_close(voter, table) for name, voter in players.items()}
    barred = {
        name: objection
        for name, voter in at_close.items()
        if (objection := why_not(terms, voter, was_asked=name in was_asked, plays=table.later.get(name) != LEFT))
    }
    ballots = {among(players, name, "player"): choice for name, choice in table.ballots.items()}
    points = {one.name: 0 if one.name in barred else points_of(terms, at_close[one.name]) for one in voters}
    cast = [_cast(name, points[name], ballots.get(name), table.options) for name in points]
    refused = {name: barred[name] for name in ballots if name in barred}
    return JudgedVote((), points, refused, count(table.options, cast), str(only))


class VoteCase(NamedTuple):
    case: str
    vote: Annotated[JudgedVote, built(VoteTable, _judge)]
    expect: Expected
    about: Free = ""


def _differences(case: VoteCase, judged: JudgedVote) -> list[str]:
    reasons = "; ".join(each.sentence for each in (*judged.wrong, *judged.refused.values())) or "nothing is wrong"
    return differences(case.expect, _outcome(judged), reasons)


def _parts(case: VoteCase, judged: JudgedVote) -> list[Part]:
    lines = [f"{each.sentence} ({each.cites})" for each in (*judged.wrong, *judged.refused.values())]
    if judged.count:
        lines += [f"{line.option}: {line.points} voting points" for line in judged.count.lines]
        lines.append(f"{judged.count.winner} wins." if judged.count.winner else "Nothing is decided.")
    return [Part("Vote", lines, {"outcome": _outcome(judged)})]


VOTES = Kind(VoteCase, lambda case: case.vote, _differences, _parts)


def _outcome(judged: JudgedVote) -> dict[str, object]:
    result = judged.count
    return {
        "rules": list(dict.fromkeys(each.cites for each in judged.wrong)),
        "voters": dict(judged.voters),
        "refused": {name: each.cites for name, each in judged.refused.items()},
        "points": {line.option: line.points for line in result.lines} if result else {},
        "winner": result.winner if result else "",
        "tie": list(result.ahead) if result and result.is_tie else [],
        "abstained": list(result.abstained) if result else [],
        "missing": list(result.missing) if result else [],
        "only": judged.only,
    }


def _at_close(voter: Voter, table: VoteTable) -> Voter:
    now = table.later.get(voter.name, LEFT)
    return voter._replace(rank=now) if isinstance(now, Rank) or now is None else voter


def _cast(name: str, points: int, choice: str | None, options: tuple[str, ...]) -> CastBallot:
    if choice is None or choice == ABSTAIN:
        return CastBallot(name, points, has_voted=choice == ABSTAIN)
    if choice not in options:
        raise CaseError(f"ballots: {name}: “{choice}” is not one of the options")
    return CastBallot(name, points, options.index(choice), has_voted=True)
