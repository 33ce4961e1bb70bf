"""1.5: rounds and their turns, found by what pages and jobs know of them; maps are in `judging.common.positions`."""

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext

from judging.common import prepared
from judging.common.models import LogEntry
from judging.common.request_cache import request_cached
from judging.common.texts import day_of
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import RoundState

GIVEN_UP = "setup.given_up"
"""2.5: the act in the log by which a round ended before it began, with the `reason`, which is public."""


def running_round(user: User | AnonymousUser | None = None) -> Round | None:
    """The round that is played now; None if none is. Of several it is one in which the user plays, or else one that he
    judges, or else any; and of those the newest one."""
    rounds = Round.objects.filter(state=RoundState.RUNNING)
    if user is None or user.pk is None:
        return rounds.order_by("-created_at", "-pk").first()
    plays = Exists(Player.objects.filter(round=OuterRef("pk"), user=user.pk, left_at=None))
    judges = Exists(Judge.objects.filter(round=OuterRef("pk"), user=user.pk))
    return rounds.order_by(plays.desc(), judges.desc(), "-created_at", "-pk").first()


@request_cached
def round_by_slug(slug: str) -> Round | None:
    """The round of that slug, or None; None too for one that was given up (2.5), of which `why_no_round` tells."""
    return next(iter(_by_slug(slug)), None)


def why_no_round(slug: str) -> str:
    """Why `round_by_slug` has none of that slug, in a sentence: there is none, or it was given up (2.5)."""
    round_ = Round.objects.filter(slug=slug, state=RoundState.GIVEN_UP).first()
    if round_ is None:
        return gettext("There is no round “%(round)s”.") % {"round": slug[:60]}
    act = LogEntry.objects.filter(round=round_, action=GIVEN_UP).last()
    if act is None:
        return gettext("“%(round)s” was cancelled before it began.") % {"round": round_.name}
    said = " ".join(str(act.data["reason"]).split()).rstrip(".")
    sentence = gettext("“%(round)s” was cancelled on %(day)s, before it began, for this reason: “%(reason)s”.")
    return sentence % {"round": round_.name, "day": day_of(act.at), "reason": said}


@request_cached
def current_turn(round: Round) -> Turn | None:
    """The last turn of a round: the one that is played, or the one that ended it. None before the first."""
    return next(iter(_last_turn(round.pk)), None)


@request_cached
def turn_by_number(round: Round, number: int) -> Turn | None:
    """The turn of that number, or None. Its position is read from the database only when somebody asks for it.

    The present turn, which the frame of every page asks for, is read first: it is mostly the one that is meant.
    """
    current = current_turn(round)
    if current is None or current.number <= number:
        return current if current and current.number == number else None
    return next(iter(_turn(round.pk, number)), None)


@prepared.statement
def _by_slug(slug: str) -> QuerySet[Round]:
    return Round.objects.exclude(state=RoundState.GIVEN_UP).filter(slug=slug)


@prepared.statement
def _last_turn(round: int) -> QuerySet[Turn]:
    return _turns(round).order_by("-number")[:1]


@prepared.statement
def _turn(round: int, number: int) -> QuerySet[Turn]:
    return _turns(round).filter(number=number)


def _turns(round: int) -> QuerySet[Turn]:
    return Turn.objects.filter(round=round).select_related("round").defer("position")
