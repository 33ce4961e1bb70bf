"""R53, R57: Requests to a judge besides the battles of a turn.

Appeals that they must answer, and changes that need the consent of a second battle judge. One query reads all of it,
for the front page of the desk.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from django.db.models import BigIntegerField, Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse
from django.utils.translation import gettext

from judging.appeals.models import Appeal
from judging.battles.assignments.models import StatedConflict
from judging.battles.assignments.queries import conflict_of
from judging.battles.models import AdjustmentRequest, Battle, BattleArmy
from judging.battles.rejudging.models import Rejudgement
from judging.common.judges import User, judge_of
from judging.turns.models import Correction, Ruling
from wargame.models import Judge, Player, Turn
from wargame.models.choices import Role, RoundState, TurnState
from wargame.world.bulk import GivenLater, Together

Kind = Literal["appeal", "change", "anew", "correction"]
"""R57: an appeal; R53: a change after the dice, a second judgement of a battle, a correction of troops that fought."""


@dataclass(frozen=True)
class Request:
    """A request to a judge. `by` is who asks; `due` is the deadline, None if no turn is open that would end it.

    `key` is that of the appeal by its number, of the battle, or of the corrected turn; `number` is that of the appeal,
    the battle or the turn, `title` an appeal's kind or a battle's square.
    """

    kind: Kind
    round: str
    slug: str
    key: int
    number: int
    title: str
    by: str
    due: datetime | None

    @property
    def words(self) -> str:
        """The request in words, without who asks."""
        if self.kind == "appeal":
            return gettext("Answer appeal %(number)s, against %(title)s") % {"number": self.number, "title": self.title}
        if self.kind == "change":
            return gettext(
                "Agree or disagree with a change made after the dice of battle %(number)s on %(title)s were rolled"
            ) % {
                "number": self.number,
                "title": self.title,
            }
        if self.kind == "anew":
            return gettext("Agree or disagree with a new score for battle %(number)s on %(title)s") % {
                "number": self.number,
                "title": self.title,
            }
        return gettext(
            "Agree or disagree with a correction of turn %(number)s that changes troops who fought in it"
        ) % {"number": self.number}

    @property
    def cites(self) -> str:
        return "R57" if self.kind == "appeal" else "R53"

    @property
    def address(self) -> str:
        if self.kind == "appeal":
            return reverse("appeal", args=[self.slug, self.number])
        pages = {"change": "judge:battle", "anew": "judge:battle-anew", "correction": "judge:corrections"}
        return reverse(pages[self.kind], args=[self.key])


def asked_of(user: User, slug: str = "") -> tuple[Request, ...]:
    """R53, R57: Requests for the consent or the answer of a judge in all their rounds, or in one: most urgent first.
    One query; one or two more for each battle of a round in which they have stated a conflict (R56)."""
    if not user.pk:
        return ()
    groups = _READ_TOGETHER.read(user=int(user.pk))
    rows = [*_appeals(groups["appeals"]), *_of_battles("change", groups["changes"], user)]
    rows += [*_of_battles("anew", groups["anew"], user), *_corrections(groups["corrections"])]
    here = (row for row in rows if slug in ("", row.slug))
    return tuple(sorted(here, key=lambda row: (row.due is None, row.due or 0, row.kind, row.number)))


def _appeals(rows: list[list[Any]]) -> Iterator[Request]:
    for round_, slug, number, kind, player, applicant, due in rows:
        yield Request("appeal", round_, slug, number, number, str(Appeal.Kind(kind).label), player or applicant, due)


def _of_battles(kind: Kind, rows: list[list[Any]], user: User) -> Iterator[Request]:
    for round_, slug, key, number, at, by, stated, due in rows:
        if not (stated and _has_conflict(key, user)):
            yield Request(kind, round_, slug, key, number, at, by, due)


def _corrections(rows: list[list[Any]]) -> Iterator[Request]:
    for round_, slug, key, number, by, due in rows:
        yield Request("correction", round_, slug, key, number, "", by, due)


def _has_conflict(key: int, user: User) -> bool:
    """R56: A judge with a conflict in a battle can't agree to anything in it."""
    battle = Battle.objects.select_related("turn__round").defer("turn__position", "turn__events").get(pk=key)
    judge = judge_of(user, battle.turn.round, Role.BATTLE)
    return judge is not None and conflict_of(battle, judge) is not None


USER = GivenLater("user", BigIntegerField())


def _may_answer(round_: str) -> Q:
    """1.3: A player of a round can't judge in it."""
    plays = Player.objects.filter(round=OuterRef(round_), user=USER, left_at__isnull=True)
    return ~Exists(plays) & ~Q(**{f"{round_}__state": RoundState.GIVEN_UP})


def _may_agree(round_: str, **more: object) -> Q:
    """R53: Another battle judge of the round than the one who asks."""
    judges = Judge.objects.filter(round=OuterRef(round_), user=USER, role=Role.BATTLE, **more)
    return Exists(judges) & ~Q(judge__user=USER) & _may_answer(round_)


def _lock(round_: str) -> Subquery:
    """3.3.3, R58: The deadline for consent: the lock of the open turn."""
    opened = Turn.objects.filter(round=OuterRef(round_), state=TurnState.OPEN)
    return Subquery(opened.order_by("-number").values("lock_at")[:1])


def _stated(round_: str) -> Subquery:
    """R56: The key of a conflict that the judge has stated in the round; empty if none."""
    stated = StatedConflict.objects.filter(judge__user=USER, judge__round=OuterRef(round_), withdrawn_at__isnull=True)
    return Subquery(stated.order_by("pk").values("pk")[:1])


def _waiting_appeals() -> QuerySet[Any, Any]:
    rows = Appeal.objects.filter(_may_answer("round"), judge__user=USER, state=Appeal.State.OPEN)
    by = ("player__name", "admission__name")
    return rows.order_by("pk").values_list("round__name", "round__slug", "number", "kind", *by, "due_at")


OF_BATTLE = (*("battle__turn__round__name", "battle__turn__round__slug", "battle__pk", "battle__number", "battle__at"),)


def _waiting_changes() -> QuerySet[Any, Any]:
    """R53: changes after the dice."""
    where = "battle__turn__round"
    rows = AdjustmentRequest.objects.filter(_may_agree(where), answered_at=None, battle__state=Battle.State.ROLLED)
    return rows.order_by("pk").values_list(*OF_BATTLE, "judge__name", _stated(where), "battle__turn__lock_at")


def _waiting_anew() -> QuerySet[Any, Any]:
    """R53, R58: Locked scores that need a second judge, until the turn after theirs locks. Where another judge
    answers an appeal against the result, that judge decides."""
    where = "battle__turn__round"
    appeals = Appeal.objects.filter(battle=OuterRef("battle"), state=Appeal.State.OPEN)
    other = appeals.exclude(judge__user=OuterRef("judge__user"))
    following = Turn.objects.filter(round=OuterRef(where), number__gt=OuterRef("battle__turn__number"))
    is_over = Exists(following.exclude(state=TurnState.OPEN))
    rows = Rejudgement.objects.filter(_may_agree(where), ~Exists(other), ~is_over, state=Rejudgement.State.PROPOSED)
    return rows.order_by("pk").values_list(*OF_BATTLE, "judge__name", _stated(where), _lock(where))


def _waiting_corrections() -> QuerySet[Any, Any]:
    """R53: Corrections of the last settled turn that change troops which fought in it: for the head battle judge and
    a second battle judge."""
    fought = BattleArmy.objects.filter(battle__turn=OuterRef("turn"), name=OuterRef("army"))
    fought = fought.exclude(battle__state=Battle.State.CANCELLED)
    troops = Ruling.objects.filter(Exists(fought), correction=OuterRef("pk"), kind=Ruling.Kind.TROOPS)
    opened = Turn.objects.filter(
        round=OuterRef("turn__round"), number=OuterRef("turn__number") + 1, state=TurnState.OPEN
    )
    head = Q(judge__is_head=True) & _may_agree("turn__round")
    rows = Correction.objects.filter(
        head | _may_agree("turn__round", is_head=True),
        Exists(troops),
        Exists(opened),
        *(Q(state=Correction.State.PROPOSED), Q(judge__role=Role.BATTLE), Q(rejudgement__isnull=True)),
    )
    columns = ("turn__round__name", "turn__round__slug", "turn__pk", "turn__number", "judge__name")
    return rows.order_by("pk").values_list(*columns, Subquery(opened.values("lock_at")[:1]))


_READ_TOGETHER = Together(
    lambda: {
        "appeals": _waiting_appeals(),
        "changes": _waiting_changes(),
        "anew": _waiting_anew(),
        "corrections": _waiting_corrections(),
    }
)
