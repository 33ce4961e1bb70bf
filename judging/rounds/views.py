"""1.5, 1.6, 11: The pages of all rounds, of a round's end and settings, and of a person over the rounds."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from django.contrib.auth.models import AnonymousUser, User
from django.core.paginator import Page, Paginator
from django.db.models import Case, Exists, IntegerField, Max, Min, OuterRef, Q, QuerySet, Subquery, Value, When
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.functional import Promise
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_safe

from judging.command.models import Admission
from judging.command.people.admission import open_invitations
from judging.common import rulebook
from judging.common.pagination import paged
from judging.common.shortcuts import viewer_for
from judging.home.queries import own_setups
from judging.rounds.ending import end_of
from judging.rounds.people import people_called, players_in, users_called
from judging.setup.models import RoundSetup
from judging.setup.services import may_create_round
from wargame.models import Judge, Player, Round, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.rules.core.sides import TEAMS, Side
from wargame.web.lengths import length_words

A_PAGE = 20
ORDER = (RoundState.RUNNING, RoundState.SETUP, RoundState.OVER, RoundState.ARCHIVE)
"""The states of the listed rounds, in order."""


@dataclass(frozen=True)
class SideSeats:
    """2.5.2.1: the number of a team's players; `of` are its planned armies, None if there is no plan."""

    side: Side
    players: int
    of: int | None

    @property
    def free(self) -> int:
        """The number of players that the team still seeks."""
        return max((self.of or 0) - self.players, 0)


@dataclass(frozen=True)
class RoundCard:
    """1.5: a round in the list. `mine` are the viewer's roles in it, as `battle judge` or a team's title.

    `turn` is the number of its last turn, `next_lock` when that locks if it is open; `began` and `ended` are the
    opening of its first turn and the settlement of its last one. `seats` are shown while it seeks players.
    """

    round: Round
    turn: int | None
    next_lock: datetime | None
    began: datetime | None
    ended: datetime | None
    seats: tuple[SideSeats, ...]
    judges: tuple[tuple[str, str], ...]
    mine: tuple[str, ...]

    @property
    def state(self) -> RoundState:
        return RoundState(self.round.state)

    @property
    def players(self) -> int:
        return sum(each.players for each in self.seats)

    @property
    def free(self) -> int:
        """2.5.2.1: the seats that are free while it is set up."""
        return sum(each.free for each in self.seats) if self.state is RoundState.SETUP else 0


@dataclass(frozen=True)
class RoundList:
    """1.5: a page of the rounds: the viewer's own first, then by state; `page` leads to the others."""

    page: Page[Round]
    own: tuple[RoundCard, ...]
    others: tuple[tuple[RoundState, tuple[RoundCard, ...]], ...]

    @property
    def is_empty(self) -> bool:
        return not (self.own or self.others)


def round_list(user: User | AnonymousUser, number: str | None) -> RoundList:
    """1.5: a page of `A_PAGE` rounds; the nearest one if the number is out of range. Eight statements."""
    page = Paginator(_listed(user), A_PAGE).get_page(number)
    cards = _cards(list(page.object_list), user)
    groups = ((state, tuple(card for card in cards if card.state is state and not card.mine)) for state in ORDER)
    other_groups = tuple((state, members) for state, members in groups if members)
    return RoundList(page, tuple(card for card in cards if card.mine), other_groups)


def _listed(user: User | AnonymousUser) -> QuerySet[Round]:
    """The public rounds: those that are set up here, and all that have begun."""
    key = user.pk or 0
    seats = Player.objects.filter(round=OuterRef("pk"), user=key, left_at__isnull=True)
    desks = Judge.objects.filter(round=OuterRef("pk"), user=key)
    admissions = Admission.objects.filter(round=OuterRef("pk"), user=key, state=Admission.State.ASKED)
    rows = Round.objects.filter(Q(state__in=ORDER) & (Q(setup__isnull=False) | ~Q(state=RoundState.SETUP)))
    places = [When(state=state, then=Value(place)) for place, state in enumerate(ORDER)]
    rows = rows.annotate(
        is_own=Case(When(Exists(seats) | Exists(desks) | Exists(admissions), then=Value(0)), default=Value(1)),
        place=Case(*places, output_field=IntegerField()),
    )
    return rows.order_by("is_own", "place", "-created_at", "-pk").defer("terrain")


def _cards(rounds: Sequence[Round], user: User | AnonymousUser) -> list[RoundCard]:
    last = Turn.objects.filter(round=OuterRef("round")).order_by("-number")
    turns = {
        row["round"]: row
        for row in Turn.objects.filter(round__in=rounds)
        .values("round")
        .annotate(last=Max("number"), began=Min("opened_at"), ended=Max("settled_at"))
        .annotate(lock_at=Subquery(last.values("lock_at")[:1]), state=Subquery(last.values("state")[:1]))
        .order_by()
    }
    planned = dict(RoundSetup.objects.filter(round__in=rounds).values_list("round_id", "armies"))
    playing = Counter(Player.objects.filter(round__in=rounds, left_at__isnull=True).values_list("round_id", "side"))
    judges = _judges(rounds)
    parts = _parts(rounds, user, judges)
    return [
        RoundCard(
            round=each,
            turn=turns[each.pk]["last"] if each.pk in turns else None,
            next_lock=_next_lock(each, turns[each.pk]) if each.pk in turns else None,
            began=turns[each.pk]["began"] if each.pk in turns else None,
            ended=turns[each.pk]["ended"] if each.pk in turns else None,
            seats=tuple(_seats(side, playing[each.pk, side.value], planned.get(each.pk)) for side in TEAMS),
            judges=tuple((judge.name, judge.get_role_display()) for judge in judges if judge.round_id == each.pk),
            mine=tuple(parts.get(each.pk, ())),
        )
        for each in rounds
    ]


def _next_lock(round: Round, turn: Mapping[str, Any]) -> datetime | None:
    """3.1: when the present turn of a running round locks; None once its thread is locked."""
    is_open = round.state == RoundState.RUNNING and turn["state"] == TurnState.OPEN
    return turn["lock_at"] if is_open else None


def _seats(side: Side, players: int, planned: list[int] | None) -> SideSeats:
    return SideSeats(side, players, sum(planned) if planned is not None else None)


def _judges(rounds: Iterable[Round]) -> list[Judge]:
    """1.3: the judges of these rounds, battle judges first, heads first."""
    order = {role: place for place, role in enumerate((Role.BATTLE, Role.MOVEMENT, Role.MERCENARY))}
    rows = Judge.objects.filter(round__in=list(rounds)).order_by("name")
    return sorted(rows, key=lambda judge: (order.get(Role(judge.role), 9), not judge.is_head))


def _parts(rounds: Sequence[Round], user: User | AnonymousUser, judges: Iterable[Judge]) -> dict[int, list[str]]:
    """1.1, 1.3: the user's roles in each of these rounds, in words."""
    parts: dict[int, list[str]] = {}
    if not user.is_authenticated:
        return parts
    for judge in judges:
        if judge.user_id == user.pk:
            parts.setdefault(judge.round_id, []).append(judge.get_role_display())
    players = Player.objects.filter(round__in=rounds, user=user, left_at__isnull=True)
    for round_id, side in players.values_list("round_id", "side"):
        parts.setdefault(round_id, []).append(gettext("you play for %(side)s") % {"side": Side(side).title})
    admissions = Admission.objects.filter(round__in=rounds, user=user, state=Admission.State.ASKED)
    for round_id, side in admissions.values_list("round_id", "side"):
        parts.setdefault(round_id, []).append(
            gettext("you have asked %(side)s for admission") % {"side": Side(side).title}
        )
    return parts


OPTIONS: tuple[tuple[Promise, tuple[tuple[str, Promise, str], ...]], ...] = (
    (gettext_lazy("Calendar"), (
        ("turn_length", gettext_lazy("Turn length"), "1.5"),
        ("deadline_before_lock", gettext_lazy("Time from battle deadline to lock"), "R5"),
        ("sealed_before_lock", gettext_lazy("How early sealed orders are accepted (time before the lock)"), "R6"),
        ("contingency_before_deadline", gettext_lazy("How long before the deadline a contingency can act"), "5.2.3"),
        ("may_lock_early", gettext_lazy("Turns can be locked early"), "R60"),
        ("after_lock_window", gettext_lazy("Time after the lock in which a raider can be moved"), "R61"),
        ("holidays", gettext_lazy("Holidays"), "R5"),
    )),
    (gettext_lazy("Results and judges"), (
        ("publish_after", gettext_lazy("How long a draft of the moves waits for the movement judge"), "3.3.3"),
        ("results_after_lock", gettext_lazy("Results are published only after the lock"), "4.1.1"),
        ("judge_within", gettext_lazy("How long a battle can wait for its result after the lock"), "4.1.1"),
        ("overdue_policy", gettext_lazy("If a battle waits longer"), "4.1.1"),
        ("criteria", gettext_lazy("Scoring criteria"), "R54"),
        ("second_score_threshold", gettext_lazy("Two scores can differ by up to"), "R55"),
        ("strats_after", gettext_lazy("When strats are published (turns after the battle)"), "R54"),
        ("runner_least", gettext_lazy("Minimum losses for a side that ran away, in percent"), "R53"),
        ("pair_least", gettext_lazy(
            "Two armies on one side: the least one can lose, in percent of its usual share"
        ), "R53"),
        ("pair_most", gettext_lazy(
            "Two armies on one side: the most one can lose, in percent of its usual share"
        ), "R53"),
        ("appeal_within", gettext_lazy("Time for appeals"), "R57"),
        ("most_appeals", gettext_lazy("Open appeals per player"), "R57"),
    )),
    (gettext_lazy("Dice and messages"), (
        ("dice_mix", gettext_lazy("Mixed into the dice"), "R38"),
        ("mix_within", gettext_lazy("How long the dice wait for words or the beacon"), "R38"),
        ("press", gettext_lazy("Private messages"), "1.6"),
        ("has_mercenaries", gettext_lazy("Mercenaries (chapter 6)"), "2.5.3"),
    )),
)  # fmt: skip
"""1.5: the options of a round in the order of the page: the field, its title, and where it is documented."""

_STARTS = re.compile(r"\*\*(R\d+)\.(?: (.+?)\.)?\*\*")
_SENTENCE = re.compile(r".+?[.:](?= |$)")
EMPTY = {
    "publish_after": gettext_lazy(
        "until the judge publishes it"
    ), "strats_after": gettext_lazy("when the round ends"),
    "holidays": gettext_lazy("none"),
}  # fmt: skip
"""The meaning of an empty option."""


@dataclass(frozen=True)
class Option:
    """1.5: an option of a round. `default`: it has the default value."""

    name: str
    title: str
    holds: tuple[str, ...]
    cites: str
    default: bool


@dataclass(frozen=True)
class Heading:
    """1.5: a group of options."""

    title: str
    options: tuple[Option, ...]


@dataclass(frozen=True)
class NumberedRuling:
    """A ruling by its number: its subject, and its first sentence."""

    number: str
    title: str
    begins: str


def options_of(round_: Round) -> tuple[Heading, ...]:
    """1.5: every option of a round, with its value there."""
    return tuple(
        Heading(str(title), tuple(_option(round_, *one) for one in options)) for title, options in OPTIONS
    )  # fmt: skip


def _option(round_: Round, name: str, title: Promise, cites: str) -> Option:
    value = getattr(round_, name)
    return Option(name, str(title), tuple(_words(round_, name, value)), cites, value == getattr(Round(), name))


def _words(round_: Round, name: str, value: object) -> Iterator[str]:
    if value is None or value == "":
        yield str(EMPTY.get(name, gettext("none")))
    elif isinstance(value, bool):
        yield gettext("yes") if value else gettext("no")
    elif isinstance(value, timedelta):
        yield length_words(value) if value else gettext("not at all")
    elif isinstance(value, str) and "\n" in value.strip():
        yield from (line.strip() for line in value.splitlines() if line.strip())
    else:
        display = getattr(round_, f"get_{name}_display", None)
        yield str(display() if display else value)


@cache
def rulings() -> tuple[NumberedRuling, ...]:
    """Every ruling of the war game by its number, in the order of the rules' page, which has its full text."""
    rows = []
    for block in rulebook.RULINGS.read_text(encoding="utf-8").split("\n\n"):
        if match := _STARTS.match(block):
            text = " ".join(block[match.end() :].split())
            first = _SENTENCE.match(text)
            rows.append(NumberedRuling(match[1], match[2] or "", first[0] if first else text))
    return tuple(rows)


@require_safe
def rounds(request: HttpRequest) -> HttpResponse:
    """1.5: the rounds that are played, those that seek players, and those of the past; the user's own first."""
    context = {
        "list": round_list(request.user, request.GET.get("page")),
        "may_create": may_create_round(request.user),
        "invitations": open_invitations(request.user),
        "own": own_setups(request.user),
    }
    return render(request, "rounds/rounds.html", context)


@require_safe
def end(request: HttpRequest, slug: str) -> HttpResponse:
    """1.5: the end of a round, once it is over."""
    viewer = viewer_for(request, slug)
    view = end_of(viewer.round)
    if view is None:
        raise Http404(gettext("%(name)s isn't finished yet.") % {"name": viewer.round.name})
    return render(request, "rounds/end.html", {"round": viewer.round, "viewer": viewer, "end": view})


@require_safe
def plays_by(request: HttpRequest, slug: str) -> HttpResponse:
    """1.5, 11: a round's settings: its options, the rulings by number, and where its judges ruled otherwise."""
    viewer = viewer_for(request, slug)
    context = {
        "round": viewer.round, "viewer": viewer, "headings": options_of(viewer.round),
        "rulings": rulings(),
    }  # fmt: skip
    return render(request, "rounds/plays_by.html", context)


@require_safe
def records(request: HttpRequest, slug: str) -> HttpResponse:
    """1.1: the players of a round in one table: armies, battles won and lost, refused orders, punctuality."""
    viewer = viewer_for(request, slug)
    context = {"round": viewer.round, "viewer": viewer, "players": players_in(viewer.round)}
    return render(request, "rounds/records.html", context)


@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    """1.6: the people who played or judged under a name, over all rounds; those who hide their record are not found."""
    users = users_called(name) if "\0" not in name else []
    if not users:
        raise Http404(gettext("There is no public record for “%(name)s”.") % {"name": name[:60]})
    people = paged(users, A_PAGE, request.GET.get("page", ""), lambda each: people_called(name, each))
    return render(request, "rounds/person.html", {"name": people.rows[0].name, "people": people})
