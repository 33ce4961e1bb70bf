"""R46: votes are called, cast, changed and withdrawn; at their end, missing voters are reminded and points recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext

from judging.common import locking
from judging.common.errors import Refused
from judging.common.log_entry import record
from judging.common.texts import check_storable, checked_text, checked_token, utc
from judging.votes.models import Ballot, Vote
from judging.votes.queries import (
    CALLED_IN,
    HELD_IN,
    is_held_here,
    is_open,
    open_at,
    players_to_ask,
    seats_of,
    terms_of,
    voter_of,
)
from wargame.models import Judge, Player, Round
from wargame.rules.command.votes import Caller, Terms, objections, one_sided, roll, why_not
from wargame.rules.core.names import key
from wargame.rules.core.saying import grouped

RULE = "1.4"
MAX_QUESTION, MAX_TEXT, MAX_OPTION = 200, 5_000, 100
FEWEST_OPTIONS, MOST_OPTIONS = 2, 20
SHORTEST, LONGEST = timedelta(hours=1), timedelta(days=60)
"""The least and the most time that a vote is open."""
MOST_OPEN = 10


@dataclass(frozen=True)
class Call:
    """1.4: the content of a call. `token` names the form that sent it."""

    question: str
    options: Sequence[str]
    closes_at: datetime
    terms: Terms
    token: str
    text: str = ""


@locking.writes
def call_vote(*, round: Round, by: Player | Judge | None, call: Call, now: datetime) -> Vote:
    """1.4: call a vote; the same form sent twice calls one. Those asked have their ballots from then on.

    Refused for anyone without the right (`rules.votes`), in a round that is over, for an invalid question or options,
    and for an end that is past, within the hour, or more than 60 days away. A vote of a single team is not in the log.
    """
    if by is None or by.round_id != round.pk or _is_gone(by):
        raise Refused(gettext("Only players and judges of this round can call votes."), "1.6")
    token = checked_token(call.token)
    # The round's row: one form sent twice at once makes one vote, and none is called as the round ends.
    locked_round = locking.hold(Round.objects, pk=round.pk)
    own_votes = Vote.objects.filter(player=by) if isinstance(by, Player) else Vote.objects.filter(judge=by)
    if previous := own_votes.filter(token=token).first():
        return previous
    if locked_round.state not in CALLED_IN:
        raise Refused(
            gettext("%(name)s is finished, so there is nothing left to vote on.") % {"name": locked_round.name}, "1.5"
        )
    vote = Vote(
        round=locked_round,
        player=by if isinstance(by, Player) else None,
        judge=by if isinstance(by, Judge) else None,
        question=_checked_question(call.question),
        text=_checked_background(call.text),
        options=checked_options(call.options),
        called_at=now,
        closes_at=_checked_end(call.closes_at, now),
        token=token,
    )
    if own_votes.filter(open_at(now)).count() >= MOST_OPEN:
        raise Refused(
            gettext("You already have %(most_open)s open votes. Wait until one closes.") % {"most_open": MOST_OPEN},
            RULE,
        )
    _ask(vote, by, call.terms)
    _record(vote, by, "vote.called", now)
    return vote


@locking.writes
def cast_ballot(*, vote: Vote, player: Player | None, choice: int | None, now: datetime) -> Ballot:
    """R46: a player's vote for an option, by its number from 0 on; None for an abstention. They can change it until
    the vote closes. Refused for a player who was not asked, or has no vote any more, and after its end."""
    locked_vote = _held_vote(vote, now)
    ballot = Ballot.objects.filter(vote=locked_vote, player=player).select_related("player").first() if player else None
    if player is None or ballot is None or player.round_id != locked_vote.round_id:
        raise Refused(
            gettext("You were not on the list of voters when this vote was called."), terms_of(locked_vote).kind.cites
        )
    objection = why_not(terms_of(locked_vote), voter_of(ballot.player), plays=ballot.player.left_at is None)
    if objection:
        raise Refused(objection.sentence, objection.cites)
    if choice is not None and not 0 <= choice < len(locked_vote.options):
        raise Refused(gettext("There is no such option. Choose one from the list, or abstain."), RULE, "choice")
    if ballot.cast_at is None or ballot.choice != choice:
        ballot.choice, ballot.cast_at = choice, now
        ballot.save(update_fields=["choice", "cast_at"])
    return ballot


@locking.writes
def withdraw_vote(*, vote: Vote, by: Player | Judge | None, now: datetime) -> None:
    """1.4: the caller withdraws a vote. Refused once anybody has voted, and after its end."""
    locked_vote = _held_vote(vote, now)
    caller = locked_vote.player or locked_vote.judge
    if by is None or caller is None or caller.user_id != by.user_id:
        raise Refused(gettext("Only the person who called a vote can withdraw it."), "1.6")
    if Ballot.objects.filter(vote=locked_vote, cast_at__isnull=False).exists():
        raise Refused(gettext("Someone has already voted, so you can't withdraw the vote."), RULE)
    locked_vote.withdrawn_at = now
    locked_vote.save(update_fields=["withdrawn_at"])
    _record(locked_vote, by, "vote.withdrawn", now)


def checked_options(options: Sequence[str]) -> list[str]:
    """1.4: the options of a vote. Refused for fewer than 2 or more than 20, for long ones and for duplicates."""
    cleaned = [" ".join(option.split()) for option in options]
    cleaned = [option for option in cleaned if option]
    if not FEWEST_OPTIONS <= len(cleaned) <= MOST_OPTIONS:
        raise Refused(
            gettext(
                "A vote must have %(fewest_options)s to %(most_options)s options, one per line. Yours has %(found)s."
            )
            % {"found": len(cleaned), "fewest_options": FEWEST_OPTIONS, "most_options": MOST_OPTIONS},
            RULE,
            "options",
        )
    keys: set[str] = set()
    for option in cleaned:
        check_storable(option, what="option", cites=RULE, field="options")
        if len(option) > MAX_OPTION:
            pattern = gettext("Options can have %(most)s characters; this one has %(length)s.")
            raise Refused(pattern % {"length": grouped(len(option)), "most": MAX_OPTION}, RULE, "options")
        if key(option) in keys:
            raise Refused(
                gettext("“%(option)s” is listed twice. Capital letters don't make a difference.") % {"option": option},
                RULE,
                "options",
            )
        keys.add(key(option))
    return cleaned


def _ask(vote: Vote, by: Player | Judge, terms: Terms) -> None:
    """1.4: store the vote with its terms, and a ballot for each player asked. Refused without the right to call it."""
    players = players_to_ask(vote.round)
    voters = [voter_of(player) for player in players]
    wrong = objections(_caller(vote.round, by), terms, voters)
    if wrong:
        cites = ", ".join(dict.fromkeys(each.cites for each in wrong))
        raise Refused(" ".join(each.sentence for each in wrong), cites, "terms")
    electorate, to = roll(terms, voters), terms.audience
    vote.kind, vote.side = terms.kind.value, one_sided(terms, electorate) or ""
    vote.audience = {
        "side": to.side.value if to.side else "",
        "groups": sorted(set(to.groups)),
        "faction": to.faction,
        "chosen": bool(to.players),
    }
    vote.points = {str(group): points for group, points in sorted(terms.points.items())}
    vote.save()
    names = {voter.name for voter in electorate}
    Ballot.objects.bulk_create(Ballot(vote=vote, player=player) for player in players if player.name in names)


def _is_gone(by: Player | Judge) -> bool:
    return by.left_at is not None if isinstance(by, Player) else by.dismissed_at is not None


def _caller(round: Round, by: Player | Judge) -> Caller:
    """1.3, 1.4: a judge who also plays is both."""
    player = Player.objects.filter(round=round, user_id=by.user_id, left_at__isnull=True).first()
    is_judge = Judge.objects.filter(round=round, user_id=by.user_id).exists()
    return Caller(by.name, voter_of(player) if player else None, is_judge)


def _checked_question(question: str) -> str:
    return checked_text(" ".join(question.split()), what="question", most=MAX_QUESTION, cites=RULE, field="question")


def _checked_background(text: str) -> str:
    return checked_text(text, what="text", most=MAX_TEXT, cites=RULE, field="text").strip() if text.strip() else ""


def _checked_end(closes_at: datetime, now: datetime) -> datetime:
    """R4: the end as a whole minute."""
    closes_at = closes_at.replace(second=0, microsecond=0)
    if not now + SHORTEST <= closes_at <= now + LONGEST:
        raise Refused(
            gettext(
                "A vote can run for 1 hour to %(days)s days. Choose a time between %(utc)s and %(utc2)s, not %(utc3)s."
            )
            % {"days": LONGEST.days, "utc": utc(now + SHORTEST), "utc2": utc(now + LONGEST), "utc3": utc(closes_at)},
            RULE,
            "closes",
        )
    return closes_at


def _held_vote(vote: Vote, now: datetime) -> Vote:
    """The vote, its row locked until the transaction ends. Refused if it is not open."""
    locked_vote = locking.hold(Vote.objects.select_related("round"), pk=vote.pk)
    if not is_held_here(locked_vote):
        raise Refused(
            gettext("%(round)s is the archive of a round played elsewhere; you can't vote here.")
            % {"round": locked_vote.round},
            "1.5",
        )
    if locked_vote.withdrawn_at is not None:
        raise Refused(gettext("This vote was withdrawn."), RULE)
    if not is_open(locked_vote, now):
        raise Refused(
            gettext("This vote closed on %(utc)s; you can't vote any more.") % {"utc": utc(locked_vote.closes_at)},
            "R46",
        )
    return locked_vote


def _record(vote: Vote, by: Player | Judge, action: str, now: datetime) -> None:
    """1.3: record it in the log, which every judge reads; a team's own votes are not recorded."""
    if not vote.side:
        record(vote.round, by.user, action, {"question": vote.question, "kind": vote.kind}, now)


def count_closed(now: datetime) -> int:
    """R46: give closed votes their points as of their last minute; return their number."""
    rows = Vote.objects.filter(withdrawn_at__isnull=True, counted_at__isnull=True, round__state__in=HELD_IN)
    rows = rows.exclude(open_at(now))
    return sum(_count(pk, now) for pk in rows.values_list("pk", flat=True))


@locking.writes
def _count(vote_id: int, now: datetime) -> bool:
    """The update claims the vote, so that it is done once."""
    vote = Vote.objects.select_related("round").prefetch_related("ballots__player").get(pk=vote_id)
    seats = seats_of(vote, now)
    if not Vote.objects.filter(pk=vote_id, counted_at__isnull=True).update(counted_at=now):
        return False
    for seat in seats:
        seat.ballot.rank = seat.voter.rank.value if seat.voter.rank else ""
        seat.ballot.points = seat.points
    Ballot.objects.bulk_update([seat.ballot for seat in seats], ["rank", "points"])
    return True
