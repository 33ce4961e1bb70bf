"""1.4, R46: votes that are called, cast, changed and closed, and who sees what of them."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail
from django.db import IntegrityError, transaction

from judging.command.people.admission import accept_admission, ask_admission, leave_team
from judging.command.people.ranks import give_rank
from judging.command.people.screen_names import ask_name, decide_name
from judging.common.errors import Refused
from judging.common.models import LogEntry
from judging.common.viewer import Viewer, viewer_of
from judging.import_export.exporting import Everything, Public, round_file
from judging.import_export.importing import import_round
from judging.notifications.delivery import deliver
from judging.notifications.reminders import remind_missing
from judging.tasks import count_votes
from judging.votes import services
from judging.votes.models import Ballot, Vote
from judging.votes.queries import (
    LAST_CALL,
    VoteView,
    closed_votes,
    count_of,
    open_votes,
    seats_of,
    vote_for,
    votes_seen_by,
    waiting_votes,
)
from judging.votes.services import MOST_OPEN, cast_ballot, withdraw_vote
from tests.services.polls import CALLED, DAY, LEADERS, call, cast, person, seen, special
from tests.services.teams import make_teams, player, stranger
from tests.services.world_of_tests import HOUR, World, token
from wargame.models import Player, Round
from wargame.rules.command.votes import Count
from wargame.rules.core.sides import Rank, Side

pytestmark = pytest.mark.django_db
CLOSES = CALLED + 2 * DAY
LAST_SECOND = CLOSES + timedelta(seconds=59)
CLOSED = CLOSES + timedelta(minutes=1)
COALITION = special(side=Side.COALITION)
PHYREXIA = special(side=Side.PHYREXIA)
PEOPLE = ("Ana", "Bo", "Cem", "Dot", "Vorn", "Skar", "movement", "battle", "mercenary")


@pytest.fixture
def world(db: None) -> World:
    return make_teams()


def viewer(world: World, name: str) -> Viewer:
    found = person(world, name)
    assert found is not None
    return viewer_of(found.user, world.round)


def shown(world: World, vote: Vote, by: str, now: datetime = CALLED) -> VoteView:
    found = seen(world, vote, by, now)
    assert found is not None
    return found


def counted(vote: Vote, now: datetime = CLOSED) -> Count:
    row = Vote.objects.prefetch_related("ballots__player").get(pk=vote.pk)
    return count_of(row, seats_of(row, now))


def give(world: World, name: str, rank: Rank | None, now: datetime) -> None:
    """By the battle judge."""
    judge = world.judges["battle"]
    give_rank(round=world.round, by=judge, player=player(world, name), rank=rank, reason="So.", now=now)


def test_a_normal_vote_counts_by_rank_and_is_closed_by_the_clock(world: World) -> None:
    """1.4.1, R4: no job runs in between."""
    vote = call(world, "Dot")
    for name, choice in (("Ana", 0), ("Vorn", 1), ("Bo", 1), ("Cem", None)):
        cast(world, vote, name, choice)
    cast(world, vote, "Dot", 1, LAST_SECOND)
    before, after = shown(world, vote, "Skar", LAST_SECOND), shown(world, vote, "Skar", CLOSED)
    assert (before.is_open, before.count) == (True, None)
    assert not after.is_open
    assert after.count is not None
    assert [(line.option, line.points) for line in after.count.lines] == [("Yes", 3), ("No", 5)]
    assert (after.count.winner, after.count.abstained, after.missing) == ("No", ("Cem",), ("Skar",))
    with pytest.raises(Refused, match="closed on") as refused:
        cast(world, vote, "Skar", 0, CLOSED)
    assert refused.value.cites == "R46"


def test_a_vote_is_changeable_until_it_closes_and_there_is_one_a_player(world: World) -> None:
    """R46."""
    vote = call(world, "Dot")
    for choice in (0, 1, None, 1):
        cast(world, vote, "Ana", choice, LAST_SECOND)
    assert Ballot.objects.filter(vote=vote, player__name="Ana").count() == 1
    assert [line.points for line in counted(vote).lines] == [0, 3]
    with pytest.raises(IntegrityError), transaction.atomic():
        Ballot.objects.create(vote=vote, player=player(world, "Ana"))


def test_the_same_ballot_again_changes_nothing(world: World) -> None:
    vote = call(world, "Dot")
    first = cast(world, vote, "Ana", 0)
    assert cast(world, vote, "Ana", 0, CALLED + HOUR).cast_at == first.cast_at == CALLED


def test_the_same_form_twice_calls_one_vote(world: World) -> None:
    first = call(world, "Dot", form="once")
    assert call(world, "Dot", form="once", question="Another?") == first
    assert call(world, "Cem", form="once") != first
    assert Vote.objects.count() == 2
    assert Ballot.objects.filter(vote=first).count() == 6


def test_only_leaders_have_a_ballot_in_a_vote_of_the_leaders(world: World) -> None:
    """1.4.2."""
    vote = call(world, "Vorn", LEADERS)
    assert sorted(vote.ballots.values_list("player__name", flat=True)) == ["Ana", "Vorn"]
    with pytest.raises(Refused, match="not on the list of voters when this vote was called") as refused:
        cast(world, vote, "Cem", 0)
    assert refused.value.cites == "1.4.2"
    with pytest.raises(Refused, match="Cem is not a team leader"):
        call(world, "Cem", LEADERS)
    assert call(world, "mercenary", LEADERS).judge == world.judges["mercenary"]


def test_who_leads_no_more_has_no_vote_among_the_leaders(world: World) -> None:
    """1.4.2: neither before the end nor in the result."""
    vote = call(world, "Vorn", LEADERS)
    cast(world, vote, "Ana", 0)
    give(world, "Ana", Rank.COMMANDER, CALLED + HOUR)
    with pytest.raises(Refused, match="Ana is no longer a leader"):
        cast(world, vote, "Ana", 1, CALLED + 2 * HOUR)
    assert counted(vote).ahead == ()
    assert [voter.points for voter in shown(world, vote, "Vorn", CLOSED).voters] == [0, 1]


def test_the_weights_are_those_of_the_ranks_at_the_close(world: World) -> None:
    """1.4.1, R46: a change after it changes nothing, whether the votes are counted by then or not."""
    vote = call(world, "Dot")
    cast(world, vote, "Cem", 0)
    give(world, "Cem", Rank.ADMIRAL, CALLED + HOUR)
    assert [line.points for line in counted(vote).lines] == [2, 0]
    give(world, "Cem", Rank.LIEUTENANT, CLOSED + HOUR)
    assert [line.points for line in counted(vote, CLOSED + 2 * HOUR).lines] == [2, 0]
    assert services.count_closed(CLOSED + 3 * HOUR) == 1
    give(world, "Cem", Rank.COMMANDER, CLOSED + 4 * HOUR)
    assert [line.points for line in counted(vote, CLOSED + 5 * HOUR).lines] == [2, 0]
    cem = next(v for v in shown(world, vote, "Dot", CLOSED + 5 * HOUR).voters if v.name == "Cem")
    assert (cem.title, cem.points) == ("Admiral", 2)


def test_who_leaves_before_the_close_has_no_vote_and_who_leaves_after_it_keeps_his(world: World) -> None:
    early, late = call(world, "Dot"), call(world, "Dot", closes=CALLED + 5 * DAY)
    for vote in (early, late):
        cast(world, vote, "Cem", 0)
    leave_team(player=player(world, "Cem"), now=CLOSED + HOUR)
    assert [line.points for line in counted(early, CLOSED + 2 * HOUR).lines] == [1, 0]
    assert counted(late, CALLED + 9 * DAY).ahead == ()
    with pytest.raises(Refused, match="Cem no longer plays"):
        cast(world, late, "Cem", 1, CLOSED + 2 * HOUR)
    cem = next(v for v in shown(world, late, "Dot", CLOSED + 2 * HOUR).voters if v.name == "Cem")
    assert cem.why_not is not None
    assert cem.points == 0


def test_the_result_stays_when_somebody_comes_back_after_it_was_counted(world: World) -> None:
    vote = call(world, "Dot")
    cast(world, vote, "Cem", 0)
    leave_team(player=player(world, "Cem"), now=CALLED + HOUR)
    assert services.count_closed(CLOSED) == 1
    assert services.count_closed(CLOSED) == 0
    Player.objects.filter(name="Cem").update(left_at=None)
    assert counted(vote, CLOSED + HOUR).ahead == ()


def test_who_joins_later_was_not_asked(world: World) -> None:
    """1.1, 1.4: leaders admit players, and could fill a vote that goes on."""
    vote = call(world, "Dot")
    asked = ask_admission(
        round=world.round, user=stranger(), side="coalition", name="Newt", text="Me.", factions=(), token=token(),
        now=CALLED,
    )  # fmt: skip
    accept_admission(admission=asked, by=player(world, "Ana"), rank=Rank.LIEUTENANT, now=CALLED + HOUR)
    with pytest.raises(Refused, match="not on the list of voters when this vote was called"):
        cast(world, vote, "Newt", 0, CALLED + 2 * HOUR)
    cast(world, call(world, "Newt", now=CALLED + 2 * HOUR), "Newt", 0, CALLED + 2 * HOUR)


def test_names_in_a_result_are_those_of_its_end(world: World) -> None:
    """1.6."""
    vote = call(world, "Dot")
    cast(world, vote, "Dot", 0)
    change = ask_name(player=player(world, "Dot"), name="Dotty", now=CLOSED + HOUR)
    decide_name(change=change, judge=world.judges["battle"], grant=True, reason="", now=CLOSED + HOUR)
    view = shown(world, vote, "Ana", CLOSED + 2 * HOUR)
    assert view.caller == "Dot"
    assert "Dot" in [voter.name for voter in view.voters]


def test_a_special_vote_weighs_what_its_caller_says(world: World) -> None:
    """1.4.3."""
    vote = call(world, "Vorn", special({1: 4, 6: 2}, side=Side.PHYREXIA))
    cast(world, vote, "Vorn", 0)
    cast(world, vote, "Skar", 1)
    assert [line.points for line in counted(vote).lines] == [4, 2]
    view = shown(world, vote, "Skar")
    assert (view.asked, view.weights) == (
        "players of Phyrexia", "General/Chief Praetor 4, Lieutenant/Centurion 2, everyone else 1",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("by", "terms", "who"),
    [
        ("Vorn", PHYREXIA, ("Vorn", "Skar")),
        ("Dot", COALITION, ("Ana", "Bo", "Cem", "Dot")),
        ("Cem", special(faction="red"), ("Bo", "Cem")),
        ("Ana", special(faction="red"), ("Ana", "Bo", "Cem")),
        ("Dot", special(players=("Ana", "Cem")), ("Ana", "Cem", "Dot")),
        ("battle", PHYREXIA, ("Vorn", "Skar", "battle")),
        ("Dot", special(groups=(3, 6)), PEOPLE),
        ("Dot", special(players=("Ana", "Vorn")), PEOPLE),
        ("Dot", None, PEOPLE),
        ("Vorn", LEADERS, PEOPLE),
    ],
)
def test_a_vote_of_one_team_is_seen_by_those_asked_and_its_caller_alone(
    world: World, by: str, terms: object, who: tuple[str, ...]
) -> None:
    """1.4.3: not by the judges either."""
    vote = call(world, by, terms)  # type: ignore[arg-type]
    for name in PEOPLE:
        listed = [view.row.pk for view in open_votes(viewer(world, name), CALLED)]
        assert (seen(world, vote, name) is not None) == (listed == [vote.pk]) == (name in who), name
    public = Viewer(None, world.round)
    assert votes_seen_by(public).exists() == (who == PEOPLE)


def test_who_has_left_the_team_sees_its_votes_no_more(world: World) -> None:
    vote = call(world, "Dot", COALITION)
    leave_team(player=player(world, "Cem"), now=CALLED + HOUR)
    leave_team(player=player(world, "Dot"), now=CALLED + HOUR)
    users = [Player.objects.get(name=name).user for name in ("Cem", "Dot")]
    assert not any(votes_seen_by(viewer_of(user, world.round)).exists() for user in users)
    assert shown(world, vote, "Ana").caller == "Dot"


def test_a_private_vote_is_not_in_the_log_and_a_public_one_is(world: World) -> None:
    """1.3: every judge reads the log."""
    call(world, "Dot", COALITION, question="SECRET?")
    vote = call(world, "Dot", question="Public?")
    withdraw_vote(vote=vote, by=player(world, "Dot"), now=CALLED)
    kept = LogEntry.objects.filter(action__startswith="vote.").order_by("pk")
    assert [(entry.action, entry.data["question"]) for entry in kept] == [
        ("vote.called", "Public?"), ("vote.withdrawn", "Public?"),
    ]  # fmt: skip


def test_what_others_voted_is_shown_to_those_who_voted_and_to_all_when_it_is_closed(world: World) -> None:
    vote = call(world, "Dot")
    cast(world, vote, "Ana", 0)
    cast(world, vote, "Bo", None)
    for name in ("Dot", "Vorn", "battle"):
        view = shown(world, vote, name)
        assert view.count is None
        assert [voter.choice for voter in view.voters] == [None] * 6
        assert not any(voter.abstains for voter in view.voters)
        assert view.missing == ("Cem", "Dot", "Vorn", "Skar")
    for name, now in (("Bo", CALLED), ("Vorn", CLOSED), ("battle", CLOSED)):
        view = shown(world, vote, name, now)
        assert [voter.choice for voter in view.voters] == ["Yes", *[None] * 5]
        assert [voter.name for voter in view.voters if voter.abstains] == ["Bo"]


def test_its_caller_withdraws_a_vote_until_somebody_has_voted(world: World) -> None:
    vote = call(world, "Dot")
    with pytest.raises(Refused, match="Only the person who called a vote can withdraw it"):
        withdraw_vote(vote=vote, by=player(world, "Ana"), now=CALLED)
    assert shown(world, vote, "Dot").may_withdraw
    assert not shown(world, vote, "Ana").may_withdraw
    withdraw_vote(vote=vote, by=player(world, "Dot"), now=CALLED)
    with pytest.raises(Refused, match="was withdrawn"):
        cast(world, vote, "Ana", 0)
    assert not open_votes(viewer(world, "Ana"), CALLED)
    assert list(closed_votes(viewer(world, "Ana"), CALLED)) == [vote]
    other = call(world, "battle")
    cast(world, other, "Ana", None)
    with pytest.raises(Refused, match="Someone has already voted, so you can't withdraw the vote"):
        withdraw_vote(vote=other, by=world.judges["battle"], now=CALLED)
    assert services.count_closed(CLOSED) == 1


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"question": " \n "}, "question is empty"),
        ({"question": "x" * 10_000}, "10,000 characters; the limit is 200"),
        ({"question": "Who\0?"}, "question has a character in line 1 that isn't text"),
        ({"text": "x" * 5_001}, "5,001 characters; the limit is 5,000"),
        ({"options": ("Yes",)}, "2 to 20 options, one per line. Yours has 1"),
        ({"options": ()}, "2 to 20 options, one per line. Yours has 0"),
        ({"options": tuple(f"No. {n}" for n in range(200))}, "2 to 20 options, one per line. Yours has 200"),
        ({"options": ("Yes", "yes ")}, "listed twice"),
        ({"options": ("Yes", "y" * 101)}, "can have 100 characters; this one has 101"),
        ({"options": ("Yes", "N\0")}, "option has a character in line 1 that isn't text"),
        ({"closes": CALLED - HOUR}, "between"),
        ({"closes": CALLED + timedelta(minutes=59)}, "between"),
        ({"closes": CALLED + 61 * DAY}, "60 days"),
        ({"closes": datetime.max.replace(tzinfo=UTC)}, "60 days"),
        ({"form": "é"}, "Something went wrong with this form"),
        ({"terms": PHYREXIA}, "can only be called by players of that team"),
        ({"terms": special(players=("Nobody",))}, "Nobody doesn't match the other conditions you set for voters"),
        ({"terms": special(groups=(99,))}, "no rank group 99"),
        ({"terms": special({1: 11})}, "1 to 10 voting points, not 11"),
    ],
)
def test_a_vote_that_cannot_be_is_refused_with_why(world: World, typed: dict[str, object], told: str) -> None:
    with pytest.raises(Refused, match=told):
        call(world, "Dot", **{"form": token(), **typed})  # type: ignore[arg-type]
    assert not Vote.objects.exists()
    assert not Ballot.objects.exists()


@pytest.mark.parametrize("choice", [-1, 2, 99_999])
def test_an_option_that_does_not_exist_is_refused(world: World, choice: int) -> None:
    vote = call(world, "Dot")
    with pytest.raises(Refused, match="no such option"):
        cast(world, vote, "Dot", choice)
    assert shown(world, vote, "Dot").missing


def test_strangers_and_people_of_other_rounds_neither_call_nor_vote(world: World) -> None:
    vote = call(world, "Dot")
    with pytest.raises(Refused, match="Only players and judges of this round can call votes"):
        call(world, "Fencesitter")
    with pytest.raises(Refused, match="not on the list of voters when this vote was called"):
        cast(world, vote, "Fencesitter", 0)
    other = Round.objects.create(name="Other", slug="other", terrain="", created_at=CALLED)
    Vote.objects.filter(pk=vote.pk).update(round=other)
    with pytest.raises(Refused, match="not on the list of voters when this vote was called"):
        cast(world, vote, "Ana", 0)
    assert seen(world, vote, "Ana") is None


def test_nobody_has_more_than_ten_votes_open(world: World) -> None:
    for _ in range(MOST_OPEN):
        call(world, "Dot")
    with pytest.raises(Refused, match="You already have 10 open votes"):
        call(world, "Dot")
    call(world, "Cem")
    call(world, "Dot", now=CLOSED)


def test_a_round_that_is_over_has_no_new_votes(world: World) -> None:
    Round.objects.filter(pk=world.round.pk).update(state="over")
    with pytest.raises(Refused, match="Trial is finished"):
        call(world, "Dot")


def test_votes_go_over_with_their_round_and_nobody_votes_in_an_archive(world: World) -> None:
    """1.5: the votes of an archive go on where it is played."""
    vote = call(world, "Ana", special({1: 4}, side=Side.COALITION))
    cast(world, vote, "Ana", 1)
    archive = import_round(b"".join(round_file(Everything(world.round))), slug="elsewhere").round
    moved = Vote.objects.get(round=archive)
    cem = Player.objects.get(round=archive, name="Cem")
    view = vote_for(viewer_of(cem.user, archive), moved.pk, CALLED)
    assert view is not None
    assert (view.number_voted, view.may_vote, view.caller) == (1, False, "Ana")
    assert not waiting_votes(viewer_of(cem.user, archive), CALLED)
    with pytest.raises(Refused, match="is the archive of a round played elsewhere"):
        cast_ballot(vote=moved, player=cem, choice=0, now=CALLED)
    assert services.count_closed(CLOSED) == 1
    assert b"Shall we meet?" not in b"".join(round_file(Public(world.round, CLOSED)))


def test_a_judge_who_was_dismissed_calls_none_and_does_not_see_a_team_s(world: World) -> None:
    """1.3."""
    judge = world.judges["movement"]
    call(world, "movement", COALITION)
    assert votes_seen_by(viewer(world, "movement")).exists()
    judge.dismissed_at, judge.is_head = CALLED, False
    judge.save()
    assert not votes_seen_by(viewer_of(judge.user, world.round)).exists()
    with pytest.raises(Refused, match="Only players and judges of this round can call votes"):
        call(world, "movement")


def test_those_who_are_missing_are_reminded_in_the_last_day(world: World) -> None:
    """R46."""
    vote = call(world, "Dot")
    call(world, "Dot", closes=CALLED + 30 * DAY)
    cast(world, vote, "Ana", 0)
    before, after = CLOSES - timedelta(hours=25), CLOSES - timedelta(hours=23)
    assert [len(waiting_votes(viewer(world, "Bo"), now, LAST_CALL)) for now in (before, after, CLOSED)] == [0, 1, 0]
    assert len(waiting_votes(viewer(world, "Bo"), before)) == 2
    assert not waiting_votes(viewer(world, "Ana"), after, LAST_CALL)
    assert not waiting_votes(viewer(world, "battle"), after)


def test_letters_go_once_to_those_missing_one_each(world: World) -> None:
    """R46: the mails of those who voted, and of the other team, are not needed."""
    for name in ("Ana", "Bo", "Cem", "Vorn"):
        user = player(world, name).user
        user.email = f"{name.lower()}@example.org"
        user.save()
    vote = call(world, "Bo", COALITION, question="Where do we strike?")
    cast(world, vote, "Ana", 0)
    assert remind_missing(CLOSES - 25 * HOUR) == 0
    assert remind_missing(CLOSES - 23 * HOUR) == 1
    assert remind_missing(CLOSES - 22 * HOUR) == 0
    deliver(CLOSES - 22 * HOUR)
    deliver(CLOSES - 21 * HOUR)
    assert sorted(letter.to for letter in mail.outbox) == [["bo@example.org"], ["cem@example.org"]]
    assert "Where do we strike?" in mail.outbox[0].body
    assert f"/votes/{vote.pk}/" in mail.outbox[0].body


def test_a_letter_that_cannot_be_sent_stops_nothing(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(letter: object) -> None:
        raise OSError("no way")

    monkeypatch.setattr(mail.EmailMessage, "send", fails)
    user = player(world, "Dot").user
    user.email = "dot@example.org"
    user.save()
    vote = call(world, "Dot")
    assert remind_missing(CLOSES - HOUR) == 1
    deliver(CLOSES - HOUR)
    assert Vote.objects.get(pk=vote.pk).reminded_at == CLOSES - HOUR


def test_a_job_counts_what_is_closed(world: World) -> None:
    vote = call(world, "Dot")
    count_votes()
    assert Vote.objects.get(pk=vote.pk).counted_at is not None
    assert set(vote.ballots.values_list("points", flat=True)) == {1, 3}
