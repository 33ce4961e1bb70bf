"""Vote cases (CASES.md): a vote that is called, the ballots, and what comes of them.

The key is `vote`. It has a `kind` (normal, leaders, special), `options`, and the `players` of the round, each with
`name`, `team`, `rank` (none for a Drudge or a Cadet) and `factions`. `by` is who calls it: a player, or `judge`, as
without the key; with `judge: true` the player judges besides. A special vote may say `to: {team, ranks, faction,
players}` and `points: {1: 3}`, both by groups of ranks from 1 (General, Chief Praetor) to 7 (Cadet, Drudge). `ballots`
are options, or `abstain`, by player. `later` is what has become of players when it closes: a rank, `drudge`, `cadet`,
or `left`.

`expect` may name `rules` (why it can't be called), `voters` (the points of everybody who was asked), `points` by
option, `winner`, `tie`, `abstained`, `missing`, `refused` (the rule under which a player may not vote), and `only` (the
team whose own the vote is, or `both`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wargame.cases.armies import CaseError, mapping, names, one_of, sequence, text, whole
from wargame.cases.errors import keys_of
from wargame.rules.command.vote_count import Cast, Count, count
from wargame.rules.command.votes import (
    Audience,
    Caller,
    Terms,
    VoteKind,
    Voter,
    objections,
    one_sided,
    points_of,
    roll,
    why_not,
)
from wargame.rules.core.faults import Finding
from wargame.rules.core.sides import Rank, Side

JUDGE, ABSTAIN, LEFT = "judge", "abstain", "left"
RANKLESS = ("drudge", "cadet")
VOTE_KEYS = ("kind", "options", "players", "by", "judge", "to", "points", "ballots", "later")
TO_KEYS = ("team", "ranks", "faction", "players")
PLAYER_KEYS = ("name", "team", "rank", "factions")
EXPECT_KEYS = ("rules", "voters", "points", "winner", "tie", "abstained", "missing", "refused", "only")


@dataclass(frozen=True)
class JudgedVote:
    """What comes of a vote case. `voters` are the points of those who were asked; `count` is None for a vote that can't
    be called."""

    wrong: tuple[Finding, ...]
    voters: Mapping[str, int]
    refused: Mapping[str, Finding]
    count: Count | None
    only: str


def check_vote_case(document: dict[str, Any]) -> list[str]:
    """CASES.md: what differs from the case's `expect`, in words. CaseError where the case can't be read."""
    judged = judge_vote_case(document)
    expect = keys_of(document["expect"], f"“{document['case']}”, expect", EXPECT_KEYS)
    told = "; ".join(each.sentence for each in (*judged.wrong, *judged.refused.values())) or "nothing is wrong"
    came = _outcome(judged)
    return [f"{key}: expected {expect[key]}, came {came[key]} ({told})" for key in expect if expect[key] != came[key]]


def show_vote_case(document: dict[str, Any]) -> list[dict[str, Any]]:
    """How the vote of a case goes."""
    judged = judge_vote_case(document)
    told = [f"{each.sentence} ({each.cites})" for each in (*judged.wrong, *judged.refused.values())]
    if judged.count:
        told += [f"{line.option}: {line.points} voting points" for line in judged.count.lines]
        told.append(f"{judged.count.winner} wins." if judged.count.winner else "Nothing is decided.")
    return [{"title": "Vote", "told": told, "outcome": _outcome(judged)}]


def judge_vote_case(document: dict[str, Any]) -> JudgedVote:
    """CASES.md: a vote case, carried out. Nothing is guessed: CaseError names the key that can't be read."""
    where = f"“{text(document.get('case'), 'case')}”"
    keys_of(document, where, ("case", "about", "vote", "expect"), ("case", "vote", "expect"))
    where += ", vote"
    data = keys_of(document["vote"], where, VOTE_KEYS, ("kind", "options", "players"))
    players = {each.name: each for each in (_player(entry, where) for entry in sequence(data["players"], where))}
    terms = _terms(data, where)
    asked = roll(terms, tuple(players.values()))
    only = one_sided(terms, asked) or "both"
    if wrong := objections(_caller(data, players, where), terms, tuple(players.values())):
        return JudgedVote(wrong, {}, {}, None, str(only))
    later = mapping(data.get("later", {}), f"{where}: later")
    was_asked = {voter.name for voter in asked}
    at_close = {name: _later(voter, later.get(name), f"{where}: later") for name, voter in players.items()}
    barred = {
        name: objection
        for name, voter in at_close.items()
        if (objection := why_not(terms, voter, was_asked=name in was_asked, plays=later.get(name) != LEFT))
    }
    options, ballots = names(data["options"], f"{where}: options"), _ballots(data, players, where)
    points = {name: 0 if name in barred else points_of(terms, at_close[name]) for name in was_asked}
    cast = [_cast(name, points[name], ballots.get(name), options, where) for name in points]
    refused = {name: barred[name] for name in ballots if name in barred}
    return JudgedVote((), points, refused, count(options, cast), str(only))


def _outcome(judged: JudgedVote) -> dict[str, Any]:
    found = judged.count
    return {
        "rules": list(dict.fromkeys(each.cites for each in judged.wrong)),
        "voters": dict(judged.voters),
        "refused": {name: each.cites for name, each in judged.refused.items()},
        "points": {line.option: line.points for line in found.lines} if found else {},
        "winner": found.winner if found else "",
        "tie": list(found.ahead) if found and found.is_tie else [],
        "abstained": list(found.abstained) if found else [],
        "missing": list(found.missing) if found else [],
        "only": judged.only,
    }


def _player(data: Any, where: str) -> Voter:
    entry = keys_of(data, f"{where}: players", PLAYER_KEYS, ("name", "team"))
    name = text(entry["name"], f"{where}: players: name")
    where = f"{where}: {name}"
    rank = one_of(Rank, entry["rank"], f"{where}: rank") if "rank" in entry else None
    side = one_of(Side, entry["team"], f"{where}: team")
    return Voter(name, side, rank, names(entry.get("factions", []), f"{where}: factions"))


def _terms(data: Mapping[str, Any], where: str) -> Terms:
    to = keys_of(data.get("to", {}), f"{where}: to", TO_KEYS)
    audience = Audience(
        side=one_of(Side, to["team"], f"{where}: team") if "team" in to else None,
        groups=tuple(whole(group, f"{where}: ranks") for group in to.get("ranks", [])),
        faction=str(to.get("faction", "")),
        players=names(to.get("players", []), f"{where}: to: players"),
    )
    given = mapping(data.get("points", {}), f"{where}: points")
    points = {whole(group, f"{where}: points"): whole(number, f"{where}: points") for group, number in given.items()}
    return Terms(_kind(data["kind"], where), audience, points)


def _kind(value: Any, where: str) -> VoteKind:
    kind = next((kind for kind in VoteKind if kind.value == value), None)
    if kind is None:
        raise CaseError(f"{where}: kind: {value!r} is none of {', '.join(VoteKind)}")
    return kind


def _caller(data: Mapping[str, Any], players: Mapping[str, Voter], where: str) -> Caller:
    name = text(data.get("by", JUDGE), f"{where}: by")
    return Caller(name, players.get(name), bool(data.get("judge", name == JUDGE)))


def _later(voter: Voter, now: Any, where: str) -> Voter:
    if now in (None, LEFT):
        return voter
    return voter._replace(rank=None if now in RANKLESS else one_of(Rank, now, f"{where}: {voter.name}"))


def _ballots(data: Mapping[str, Any], players: Mapping[str, Voter], where: str) -> dict[str, str]:
    ballots = mapping(data.get("ballots", {}), f"{where}: ballots")
    for name in ballots:
        if name not in players:
            raise CaseError(f"{where}: ballots: there is no player “{name}”")
    return {name: str(choice) for name, choice in ballots.items()}


def _cast(name: str, points: int, choice: str | None, options: tuple[str, ...], where: str) -> Cast:
    if choice is None or choice == ABSTAIN:
        return Cast(name, points, has_voted=choice == ABSTAIN)
    if choice not in options:
        raise CaseError(f"{where}: ballots: {name}: “{choice}” is none of the options")
    return Cast(name, points, options.index(choice), has_voted=True)
