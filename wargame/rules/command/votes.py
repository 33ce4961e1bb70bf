"""1.4, R46: the three kinds of votes: who calls one, who votes, and the weight of each vote.

1.4 says what is counted and leaves open who may call what. It is read like this:

- players and judges call votes, since 1.4.3 speaks of whoever posted it, and nobody else posts in a round (1.1,
  1.3);
- any of them may call a normal vote (1.4.1);
- a vote of the leaders alone is called by a leader of either team, or by a judge (1.4.2);
- a special vote of one team alone is called by its own players, as the Chief Praetor asks the Phyrexians in 1.4.3,
  and one of a faction by its members or by the leaders, who run it (1.1.2). A judge calls either, except a playing
  judge (1.3), who has a player's rights.

The voters are fixed when the vote is called: leaders admit players (1.1), and could fill a running vote. The weight of
a vote follows from the rank that its voter has when the vote closes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, Self

from wargame.rules.command.ranks import is_leading
from wargame.rules.core.board import COLORS
from wargame.rules.core.faults import Fault, Finding
from wargame.rules.core.saying import marked, said
from wargame.rules.core.sides import RANKS, TEAMS, Rank, Side


class VoteFault(Fault):
    """1.4: the faults of votes; `{rule}` stands for the paragraph of the vote's kind. The facts are texts."""

    NO_CALLER = "1.4", "{by} neither plays nor judges here; only players and judges can call votes."
    NOT_A_LEADER = (
        "1.4.2",
        "{by} is not a team leader; only leaders and judges can call a vote of the leaders.",
    )
    OTHER_TEAM = (
        "1.4.3",
        ("A vote of {side} alone can only be called by players of that team or by a judge who doesn't play."),
    )
    NOT_OF_FACTION = "1.4.3", "{by} is not a member of the {faction} faction or a leader of the Coalition."
    NO_FACTION = "1.1.2", "“{faction}” is not one of the seven factions of the Coalition."
    NO_FACTIONS = "1.1.2", "Only the Coalition has factions."
    NOT_SPECIAL = "{rule}", "You can only choose voters and voting points for special votes."
    NO_GROUP = "1.1", "There is no rank group {group}. Use 1 (General, Chief Praetor) to 7 (Cadet, Drudge)."
    BAD_WEIGHT = "1.4.3", "A vote must be worth 1 to {most} voting points, not {points}."
    NOT_AMONG = "1.4.3", "{player} doesn't match the other conditions you set for voters."
    NOBODY = "{rule}", "No one could vote."

    NOT_ASKED = "{rule}", "{player} was not among the voters when the vote was called."
    HAS_LEFT = "{rule}", "{player} no longer plays."
    LEADS_NO_MORE = "1.4.2", "{player} is no longer a leader, and only leaders can vote here."


RANKLESS = 7
"""1.1.1, 1.1.2: the group of the Drudges and Cadets; 1 to 6 are the tiers of the ranks of both teams."""

GROUPS = tuple(range(1, RANKLESS + 1))
NORMAL_POINTS = {1: 3, 2: 2}
"""1.4.1: the weight of the votes of the highest two ranks; all others have 1."""

MOST_POINTS = 10
"""1.4.3: the maximum weight of one vote, if its caller says more than 1."""


class Voter(NamedTuple):
    """1.4: a player, as far as a vote needs to know."""

    name: str
    side: Side
    rank: Rank | None = None
    factions: tuple[str, ...] = ()

    @property
    def group(self) -> int:
        """1.1: the player's group of ranks, 1 to 7."""
        return self.rank.tier if self.rank else RANKLESS


class Caller(NamedTuple):
    """1.4: the caller of a vote: a player, a judge, or both; `player` is None for a judge who does not play."""

    name: str
    player: Voter | None = None
    is_judge: bool = False


class Audience(NamedTuple):
    """1.4.3: the audience of a special vote: those who meet all conditions. Empty ones are no condition.

    `groups` are groups of ranks, `players` names.
    """

    side: Side | None = None
    groups: tuple[int, ...] = ()
    faction: str = ""
    players: tuple[str, ...] = ()


@dataclass(frozen=True)
class KindRules:
    """1.4: all that is particular to a kind of vote; its sentences are English, and said in the reader's language.

    `asks` says whether a vote that is called now asks a player, `weighs` the points of one who was asked. The form has
    `about`, the vote's page `voters` and `weights`, which are empty where its caller chooses. `not_a_leader` is the
    fault of a caller who neither leads nor judges, `lost` that of a voter without points.
    """

    cites: str
    title: str
    about: str
    asks: Callable[["Terms", Voter], bool]
    weighs: Callable[["Terms", Voter], int]
    voters: str = ""
    weights: str = ""
    not_a_leader: VoteFault | None = None
    lost: VoteFault | None = None


def _is_in_audience(terms: "Terms", voter: Voter) -> bool:
    to = terms.audience
    return (
        to.side in (None, voter.side)
        and (not to.groups or voter.group in to.groups)
        and (not to.faction or (voter.side is Side.COALITION and to.faction in voter.factions))
        and (not to.players or voter.name in to.players)
    )


class VoteKind(StrEnum):
    """1.4.1 to 1.4.3."""

    rules: KindRules

    NORMAL = (
        "normal",
        KindRules(
            cites="1.4.1",
            title=marked("normal"),
            about=marked(
                "all players. The General and the Chief Praetor have 3 voting points, Admirals and Praetors 2, "
                "everyone else 1."
            ),
            voters=marked("all players"),
            weights=marked("General and Chief Praetor 3, Admirals and Praetors 2, everyone else 1"),
            asks=lambda terms, voter: True,
            weighs=lambda terms, voter: NORMAL_POINTS.get(voter.group, 1),
        ),
    )
    LEADERS = (
        "leaders",
        KindRules(
            cites="1.4.2",
            title=marked("leaders only"),
            about=marked(
                "the General, the Chief Praetor, Admirals and Praetors, 1 voting point each. Leaders and judges can "
                "call this vote."
            ),
            voters=marked("the leaders of both teams"),
            weights=marked("1 for everyone"),
            asks=lambda terms, voter: is_leading(voter.rank),
            weighs=lambda terms, voter: int(is_leading(voter.rank)),
            not_a_leader=VoteFault.NOT_A_LEADER,
            lost=VoteFault.LEADS_NO_MORE,
        ),
    )
    SPECIAL = (
        "special",
        KindRules(
            cites="1.4.3",
            title=marked("special"),
            about=marked("the players you choose below, 1 voting point each unless you set another number."),
            asks=_is_in_audience,
            weighs=lambda terms, voter: terms.points.get(voter.group, 1),
        ),
    )

    def __new__(cls, code: str, *rules: KindRules) -> Self:  # one, but a kind is looked up by its code alone
        kind = str.__new__(cls, code)
        kind._value_, (kind.rules,) = code, rules
        return kind

    @property
    def cites(self) -> str:
        return self.rules.cites

    @property
    def title(self) -> str:  # type: ignore[override]
        return said(self.rules.title)


@dataclass(frozen=True)
class Terms:
    """1.4: the terms of a vote. `points`: the weight of a vote by its voter's group, if the caller of a special one
    sets it."""

    kind: VoteKind
    audience: Audience = Audience()
    points: Mapping[int, int] = field(default_factory=dict)


def roll(terms: Terms, players: Iterable[Voter]) -> tuple[Voter, ...]:
    """1.4: the players whom a vote asks, each once (R46), in the order given."""
    voters = {player.name: player for player in players if terms.kind.rules.asks(terms, player)}
    return tuple(voters.values())


def points_of(terms: Terms, voter: Voter) -> int:
    """1.4.1 to 1.4.3: the voting points of a player who was asked; 0 for a former leader in a vote of leaders alone."""
    return terms.kind.rules.weighs(terms, voter)


def why_not(terms: Terms, voter: Voter, *, was_asked: bool = True, plays: bool = True) -> Finding | None:
    """1.4: why a player may not vote; None if they may. `was_asked` when the vote was called; `plays` now."""
    facts = {"rule": terms.kind.cites, "player": voter.name}
    if not was_asked:
        return Finding(VoteFault.NOT_ASKED, facts)
    if not plays:
        return Finding(VoteFault.HAS_LEFT, facts)
    lost = terms.kind.rules.lost
    return Finding(lost, facts) if lost and not points_of(terms, voter) else None


def one_sided(terms: Terms, asked: Sequence[Voter]) -> Side | None:
    """1.4.3: the team to which a special vote belongs, because it asks nobody else; None for a vote of both."""
    to = terms.audience
    if terms.kind is not VoteKind.SPECIAL:
        return None
    if to.side or to.faction:
        return to.side or Side.COALITION
    sides = {voter.side for voter in asked}
    return sides.pop() if to.players and len(sides) == 1 else None


def objections(caller: Caller, terms: Terms, players: Sequence[Voter]) -> tuple[Finding, ...]:
    """1.4: the objections to calling such a vote among these players."""
    wrong = tuple(_of_terms(terms, players))
    return wrong or tuple(_of_caller(caller, terms, roll(terms, players)))


def group_title(group: int) -> str:
    """1.1.1, 1.1.2: a group of ranks in words, the Coalition's first: `General/Chief Praetor`."""
    if group == RANKLESS:
        return "Cadet/Drudge"
    return "/".join(RANKS[side][group - 1].title for side in TEAMS)


def _of_terms(terms: Terms, players: Sequence[Voter]) -> Iterator[Finding]:
    """1.4.3: impossible choices, by any caller."""
    rule, to = {"rule": terms.kind.cites}, terms.audience
    if terms.kind is not VoteKind.SPECIAL and (to != Audience() or terms.points):
        yield Finding(VoteFault.NOT_SPECIAL, rule)
        return
    for group in (*to.groups, *terms.points):
        if group not in GROUPS:
            yield Finding(VoteFault.NO_GROUP, {"group": str(group)[:20]})
    for points in terms.points.values():
        if not 1 <= points <= MOST_POINTS:
            yield Finding(VoteFault.BAD_WEIGHT, {"points": str(points)[:20], "most": str(MOST_POINTS)})
    if to.faction and to.faction not in COLORS:
        yield Finding(VoteFault.NO_FACTION, {"faction": to.faction[:30]})
    elif to.faction and to.side is Side.PHYREXIA:
        yield Finding(VoteFault.NO_FACTIONS)
    names = [voter.name for voter in roll(terms, players)]
    strangers = [name for name in to.players if name not in names]
    if strangers:
        yield Finding(VoteFault.NOT_AMONG, {"player": strangers[0][:40]})
    elif not names:
        yield Finding(VoteFault.NOBODY, rule)


def _of_caller(caller: Caller, terms: Terms, voters: Sequence[Voter]) -> Iterator[Finding]:
    """1.4: whether the vote is within the caller's rights, as the module reads them."""
    by, player = {"by": caller.name}, caller.player
    if player is None and not caller.is_judge:
        yield Finding(VoteFault.NO_CALLER, by)
        return
    leads = player is not None and is_leading(player.rank)
    not_a_leader = terms.kind.rules.not_a_leader
    if not_a_leader and not (leads or caller.is_judge):
        yield Finding(not_a_leader, by)
    side, faction = one_sided(terms, voters), terms.audience.faction
    if player is None or side is None:
        return
    if side is not player.side:
        yield Finding(VoteFault.OTHER_TEAM, by | {"side": side.title})
    elif faction and not leads and faction not in player.factions:
        yield Finding(VoteFault.NOT_OF_FACTION, by | {"faction": faction})


class CastBallot(NamedTuple):
    """R46: the ballot of a player who was asked. `points` are 0 for a player without a vote; `choice` is the number
    of an option from 0 on, or None: without one the player abstains if `has_voted`, and is missing if not."""

    voter: str
    points: int
    choice: int | None = None
    has_voted: bool = False


class OptionLine(NamedTuple):
    """1.4: the votes for an option, and their voters."""

    option: str
    points: int
    voters: tuple[str, ...]

    @property
    def votes(self) -> int:
        return len(self.voters)


@dataclass(frozen=True)
class Count:
    """1.4: the result: a line an option, in their order. `ahead` are the options with the most points; none if none has
    any. `of_points` are the points of all who may vote."""

    lines: tuple[OptionLine, ...]
    abstained: tuple[str, ...]
    missing: tuple[str, ...]
    ahead: tuple[str, ...]
    of_points: int

    @property
    def points(self) -> int:
        return sum(line.points for line in self.lines)

    @property
    def voted(self) -> int:
        """The number of voters, including abstentions."""
        return sum(line.votes for line in self.lines) + len(self.abstained)

    @property
    def may_vote(self) -> int:
        """The number of players with a vote."""
        return self.voted + len(self.missing)

    @property
    def winner(self) -> str:
        """The option with more points than any other, or empty."""
        return self.ahead[0] if len(self.ahead) == 1 else ""

    @property
    def tie(self) -> tuple[str, ...]:
        """The options with the most points, if there are several."""
        return self.ahead if self.is_tie else ()

    @property
    def is_tie(self) -> bool:
        """Several options have the most points: nothing is decided."""
        return len(self.ahead) > 1


def count(options: tuple[str, ...], ballots: Iterable[CastBallot]) -> Count:
    """1.4, R46: the result of the ballots, one for each player. A ballot without points, of a player who no longer has
    a vote, is left out.

    Names are sorted, whatever the order of the ballots. ValueError if a player has two ballots, or if one is for an
    unknown option.
    """
    cast = sorted((ballot for ballot in ballots if ballot.points), key=lambda ballot: ballot.voter)
    names = [ballot.voter for ballot in cast]
    if len(set(names)) < len(names):
        raise ValueError("a player has one ballot (R46)")
    if any(ballot.choice is not None and not 0 <= ballot.choice < len(options) for ballot in cast):
        raise ValueError("a ballot is for one of the options, or for none")
    lines = tuple(_line(option, [b for b in cast if b.choice == place]) for place, option in enumerate(options))
    most = max((line.points for line in lines), default=0)
    blank_ballots = [ballot for ballot in cast if ballot.choice is None]
    return Count(
        lines=lines,
        abstained=tuple(ballot.voter for ballot in blank_ballots if ballot.has_voted),
        missing=tuple(ballot.voter for ballot in blank_ballots if not ballot.has_voted),
        ahead=tuple(line.option for line in lines if most and line.points == most),
        of_points=sum(ballot.points for ballot in cast),
    )


def _line(option: str, ballots: list[CastBallot]) -> OptionLine:
    return OptionLine(option, sum(ballot.points for ballot in ballots), tuple(ballot.voter for ballot in ballots))
