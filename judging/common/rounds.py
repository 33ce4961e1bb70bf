"""1.5: lookups of rounds and their turns; maps are in `judging.common.positions`."""

from collections.abc import Iterable

from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Exists, OuterRef
from django.utils.translation import gettext

from judging.common.models import LogEntry
from judging.common.request_cache import request_cached
from judging.common.texts import day_of
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import RoundState

GIVEN_UP = "setup.given_up"
"""2.5: the log action of a round that ended before it began, with the `reason`, which is public."""

_COLUMNS = ", ".join(str(field.column) for field in Turn._meta.concrete_fields if field.name != "position")
LAST_TURN = f"SELECT {_COLUMNS} FROM wargame_turn WHERE round_id = %s ORDER BY number DESC LIMIT 1"
"""Every page and every operation of the API reads it. Django takes five times as long to write it as to read it."""


def running_round(user: User | AnonymousUser | None = None) -> Round | None:
    """The round that is played now, or None. Of several, the newest one in which the user plays, else the newest
    that they judge, else the newest."""
    rounds = Round.objects.filter(state=RoundState.RUNNING)
    if user is None or user.pk is None:
        return rounds.order_by("-created_at", "-pk").first()
    plays = Exists(Player.objects.filter(round=OuterRef("pk"), user=user.pk, left_at=None))
    judges = Exists(Judge.objects.filter(round=OuterRef("pk"), user=user.pk))
    return rounds.order_by(plays.desc(), judges.desc(), "-created_at", "-pk").first()


@request_cached
def round_by_slug(slug: str) -> Round | None:
    """The round of that slug, or None; None too for one that was given up (2.5), which `why_no_round` explains."""
    for found in Round.objects.filter(slug=slug):
        return None if found.state == RoundState.GIVEN_UP else found
    return None


def why_no_round(slug: str) -> str:
    """The reason why `round_by_slug` finds no round, as a sentence: there is no such round, or it was given up
    (2.5)."""
    round_ = Round.objects.filter(slug=slug, state=RoundState.GIVEN_UP).first()
    if round_ is None:
        return gettext("There is no round “%(round)s”.") % {"round": slug[:60]}
    act = LogEntry.objects.filter(round=round_, action=GIVEN_UP).last()
    if act is None:
        return gettext("“%(round)s” was cancelled before it began.") % {"round": round_.name}
    reason = " ".join(str(act.data["reason"]).split()).rstrip(".")
    sentence = gettext("“%(round)s” was cancelled on %(day)s, before it began, for this reason: “%(reason)s”.")
    return sentence % {"round": round_.name, "day": day_of(act.at), "reason": reason}


@request_cached
def current_turn(round: Round) -> Turn | None:
    """The last turn of a round: the one that is played, or the one that ended it. None before the first."""
    return _with_round(Turn.objects.raw(LAST_TURN, [round.pk]), round)


@request_cached
def turn_by_number(round: Round, number: int) -> Turn | None:
    """The turn of that number, or None. Its position is loaded lazily.

    The present turn, which the frame of every page needs, is read first: usually it is the one that is meant.
    """
    current = current_turn(round)
    if current is None or current.number <= number:
        return current if current and current.number == number else None
    return _with_round(Turn.objects.filter(round=round, number=number).defer("position"), round)


def _with_round(turns: Iterable[Turn], round: Round) -> Turn | None:
    for turn in turns:
        turn.round = round
        return turn
    return None
