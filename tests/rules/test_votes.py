"""1.4, R46: what the cases of votes can't show: what holds of every vote."""

from pathlib import Path
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wargame.cases.reading import CaseError
from wargame.cases.running import check_case, read_cases, show_case
from wargame.cases.votes import VOTES
from wargame.rules.command.votes import (
    GROUPS,
    Audience,
    Caller,
    CastBallot,
    Terms,
    VoteFault,
    VoteKind,
    Voter,
    count,
    group_title,
    objections,
    one_sided,
    points_of,
    roll,
    why_not,
)
from wargame.rules.core.sides import RANKS, Rank, Side

CASES = Path(__file__).parent.parent / "cases"
DOCUMENTS = list(read_cases(CASES / "1.4-voting.yaml"))
OPTIONS = ("North", "South", "Nowhere")
SIDES = (Side.COALITION, Side.PHYREXIA)
FACTIONS = ("red", "blue", "green")


@st.composite
def voters(draw: st.DrawFn) -> tuple[Voter, ...]:
    """Players of both teams with ranks of their own, or without."""
    found = []
    for number in range(draw(st.integers(1, 25))):
        side = draw(st.sampled_from(SIDES))
        claimed = draw(st.sets(st.sampled_from(FACTIONS))) if side is Side.COALITION else ()
        rank = draw(st.none() | st.sampled_from(RANKS[side]))
        found.append(Voter(f"Player {number:02}", side, rank, tuple(sorted(claimed))))
    return tuple(found)


@st.composite
def terms(draw: st.DrawFn) -> Terms:
    kind = draw(st.sampled_from(VoteKind))
    if kind is not VoteKind.SPECIAL:
        return Terms(kind)
    audience = Audience(
        side=draw(st.none() | st.sampled_from(SIDES)),
        groups=tuple(draw(st.sets(st.sampled_from(GROUPS)))),
        faction=draw(st.just("") | st.sampled_from(FACTIONS)),
    )
    return Terms(kind, audience, draw(st.dictionaries(st.sampled_from(GROUPS), st.integers(1, 10))))


CHOICES = st.lists(st.none() | st.integers(0, len(OPTIONS) - 1), min_size=25, max_size=25)
VOTED = st.lists(st.booleans(), min_size=25, max_size=25)
FEW = settings(max_examples=40)
"""A vote with all its people takes long to draw, and each of them is a case of its own."""


def ballots(held: Terms, asked: tuple[Voter, ...], choices: list[int | None], voted: list[bool]) -> list[CastBallot]:
    return [
        CastBallot(voter.name, points_of(held, voter), choice if has else None, has)
        for voter, choice, has in zip(asked, choices, voted, strict=False)
    ]


@FEW
@given(terms(), voters(), CHOICES, VOTED)
def test_the_points_add_up_and_nobody_is_counted_twice(
    held: Terms, players: tuple[Voter, ...], choices: list[int | None], voted: list[bool]
) -> None:
    asked = roll(held, players)
    found = count(OPTIONS, ballots(held, asked, choices, voted))
    everybody = [name for line in found.lines for name in line.voters] + [*found.abstained, *found.missing]
    assert sorted(everybody) == sorted(voter.name for voter in asked)
    weights = {voter.name: points_of(held, voter) for voter in asked}
    assert all(line.points == sum(weights[name] for name in line.voters) for line in found.lines)
    without = sum(weights[name] for name in (*found.abstained, *found.missing))
    assert found.points + without == found.of_points == sum(weights.values())
    assert found.voted + len(found.missing) == found.may_vote == len(asked)


@FEW
@given(terms(), voters(), CHOICES, VOTED, st.randoms(use_true_random=False))
def test_the_order_of_ballots_and_players_does_not_matter(
    held: Terms, players: tuple[Voter, ...], choices: list[int | None], voted: list[bool], rng: Random
) -> None:
    cast = ballots(held, roll(held, players), choices, voted)
    shuffled, mixed = list(cast), list(players)
    rng.shuffle(shuffled)
    rng.shuffle(mixed)
    assert count(OPTIONS, shuffled) == count(OPTIONS, cast)
    assert set(roll(held, mixed)) == set(roll(held, players))


@FEW
@given(terms(), voters(), CHOICES, VOTED)
def test_it_is_won_by_one_option_or_tied_or_nothing_was_voted_for(
    held: Terms, players: tuple[Voter, ...], choices: list[int | None], voted: list[bool]
) -> None:
    found = count(OPTIONS, ballots(held, roll(held, players), choices, voted))
    most = max(line.points for line in found.lines)
    assert [line.option for line in found.lines if most and line.points == most] == list(found.ahead)
    assert bool(found.winner) + found.is_tie + (found.points == 0) == 1


@FEW
@given(terms(), voters())
def test_everybody_who_is_asked_may_vote_and_nobody_else(held: Terms, players: tuple[Voter, ...]) -> None:
    asked = roll(held, players)
    for player in players:
        objection = why_not(held, player, was_asked=player in asked)
        assert (objection is None) == (player in asked)
        assert (points_of(held, player) > 0) or player not in asked


@FEW
@given(terms(), voters())
def test_a_vote_of_one_team_asks_nobody_of_the_other(held: Terms, players: tuple[Voter, ...]) -> None:
    """1.4.3."""
    asked = roll(held, players)
    side = one_sided(held, asked)
    assert side is None or {voter.side for voter in asked} <= {side}


@FEW
@given(terms(), voters(), st.integers(0, 24), st.booleans())
def test_nobody_calls_a_vote_of_the_other_team(
    held: Terms, players: tuple[Voter, ...], place: int, is_judge: bool
) -> None:
    """1.4.3, 1.3: a judge who plays is a player in what is a team's own."""
    caller = players[place % len(players)]
    wrong = objections(Caller(caller.name, caller, is_judge), held, players)
    side = one_sided(held, roll(held, players))
    assert side in (None, caller.side) or wrong


def test_two_ballots_of_one_player_are_an_error_and_so_is_no_option() -> None:
    """R46."""
    with pytest.raises(ValueError, match="one ballot"):
        count(OPTIONS, [CastBallot("Ana", 1, 0, True), CastBallot("Ana", 1, None, True)])
    for choice in (-1, len(OPTIONS)):
        with pytest.raises(ValueError, match="one of the options"):
            count(OPTIONS, [CastBallot("Ana", 1, choice, True)])


def test_a_ballot_of_somebody_without_a_vote_is_left_out() -> None:
    """1.4.2."""
    found = count(OPTIONS, [CastBallot("Ana", 0, 0, True), CastBallot("Bo", 0)])
    assert (found.points, found.may_vote, found.missing, found.ahead) == (0, 0, (), ())


def test_the_groups_of_ranks_have_the_titles_of_both_teams() -> None:
    """1.1.1, 1.1.2."""
    assert [group_title(group) for group in (1, 5, 7)] == [
        "General/Chief Praetor", "Lt. Commander/CPL", "Cadet/Drudge",
    ]  # fmt: skip
    assert {Voter("X", rank.side, rank).group for rank in Rank} == set(GROUPS[:-1])


@pytest.mark.parametrize("fault", list(VoteFault), ids=lambda fault: fault.name)
def test_a_reason_comes_about_in_a_case(fault: VoteFault) -> None:
    judged = [VOTES.outcome(document) for document in DOCUMENTS]
    told = [each for one in judged for each in (*one.wrong, *one.refused.values())]
    assert fault in {each.fault for each in told}
    assert not any("{" in each.sentence + each.cites for each in told)


def test_a_case_is_shown_with_its_points() -> None:
    shown = show_case(next(document for document in DOCUMENTS if document["case"] == "1.4.1-weights"))
    assert "War: 5 voting points" in shown["parts"][0]["told"]
    assert "War wins." in shown["parts"][0]["told"]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"kind": "secret"}, "not one of normal, leaders, special"),
        ({"ballots": {"Zed": "War"}}, "no player “Zed”"),
        ({"ballots": {"Ana": "Peace"}}, "not one of the options"),
        ({"to": {"teams": "coalition"}}, "the key “teams” is unknown"),
        ({"points": {1: "many"}}, "a whole number"),
        ({"players": [{"name": "Ana"}]}, "“team” is missing"),
    ],
)
def test_a_case_that_cannot_be_read_names_the_key(change: dict[str, object], named: str) -> None:
    vote = {"kind": "normal", "options": ["War", "Truce"], "players": [{"name": "Ana", "team": "coalition"}]}
    with pytest.raises(CaseError, match=named):
        check_case({"case": "a", "vote": vote | change, "expect": {}})
