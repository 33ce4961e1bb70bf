"""R18: the rows of what a turn was given, read in one statement, since a lock needs all of them."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import BigIntegerField, DateTimeField, Exists, FilteredRelation, OuterRef, Q, QuerySet

from judging.battles.models import Result
from judging.turns.models import Manifest, PostVersion
from wargame.models import Army, Turn
from wargame.world.bulk import Given, Together

Row = list[Any]


class GivenRows(NamedTuple):
    """`armies`: key, name, former names, turn of death, and a player who controlled it during the turn with his former
    names, since and until when. `posts`: number, player and his former names, text, times of the lines, and the army
    that a line without a name means. `manifests`: player and his former names, sender, receiver, entries, time.
    `results`: square, winning side, outcome."""

    armies: list[Row]
    posts: list[Row]
    manifests: list[Row]
    results: list[Row]


def given_rows(turn: Turn) -> GivenRows:
    """Everything that was handed in for a turn, as it is now."""
    return GivenRows(**_ROWS.read(turn=turn.pk, round=turn.round_id, opened_at=turn.opened_at))


def results_of(turn: Turn) -> QuerySet[Any, Any]:
    """4.2.5: the published results of the turn's battles, in their order."""
    return _results(turn.pk)


def _armies() -> QuerySet[Any, Any]:
    """The armies of the round, each once for every player who controlled it during the turn."""
    active = Q(controls__until__isnull=True) | Q(controls__until__gte=Given("opened_at", DateTimeField()))
    rows = Army.objects.filter(round_id=Given("round", BigIntegerField()))
    by = ("active__player__name", "active__player__former_names")
    columns = ("pk", "name", "former", "died_in", *by, "active__since", "active__until")
    controlled = rows.annotate(active=FilteredRelation("controls", condition=active))
    return controlled.order_by("name", by[0]).values_list(*columns)


def _posts() -> QuerySet[Any, Any]:
    """R7: the last versions of the posts that stand, in the order of the thread."""
    newer = PostVersion.objects.filter(post=OuterRef("post"), number__gt=OuterRef("number"))
    rows = PostVersion.objects.filter(~Exists(newer), post__turn_id=TURN, post__withdrawn_at=None)
    by = ("post__player__name", "post__player__former_names")
    return rows.order_by("post__number").values_list("post__number", *by, "text", "stamps", "own_army")


def _manifests() -> QuerySet[Any, Any]:
    rows = Manifest.objects.filter(turn_id=TURN).order_by("pk")
    by = ("player__name", "player__former_names")
    return rows.values_list(*by, "sender", "receiver", "entries", "sent_at")


def _results(turn: int | Given) -> QuerySet[Any, Any]:
    rows = Result.objects.filter(battle__turn_id=turn).order_by("battle__number")
    return rows.values_list("battle__at", "winner", "outcome")


TURN = Given("turn", BigIntegerField())
_ROWS = Together(lambda: {"armies": _armies(), "posts": _posts(), "manifests": _manifests(), "results": _results(TURN)})
