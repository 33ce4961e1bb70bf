"""R18, 3.3.3: the desk of the movement judge: the draft of a turn, and the corrections of the one before."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TypedDict

from django.contrib import messages
from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext

from judging.common.errors import Refused
from judging.common.form_views import Success
from judging.common.judges import User, judge_of, rounds_of, seats_of
from judging.common.positions import position_of
from judging.common.viewer import viewer_of
from judging.svg.map import draw
from judging.turns.drafts import is_published, may_rule, may_see_draft, publish_draft
from judging.turns.models import Correction, Draft, Ruling
from judging.turns.queries import SectionView, sections_of
from judging.turns.rulings.differences import FormerDraft, ToldEvent, difference_of_drafts
from judging.turns.rulings.services import (
    CorrectionView,
    NewRuling,
    RulingView,
    add_ruling,
    corrections_of_turn,
    may_withdraw,
    rows_of_turn,
    ruling_view,
    why_nots,
    withdraw_ruling,
)
from wargame.models import Judge, Round, Turn
from wargame.models.choices import Role, TurnState
from wargame.models.written import readable_places
from wargame.rules.core import clock, codec
from wargame.rules.core.board import Square, read_square
from wargame.rules.core.codec import Json
from wargame.rules.core.position import Army, Battle, Position
from wargame.rules.core.sides import Side
from wargame.rules.telling.coming_battles import ComingBattle, coming_battles
from wargame.rules.telling.telling import read_all, readable, tell_all

Event = Json
Drawing = Json

SUGGESTED = {
    "refused": Ruling.Kind.LIFTED,
    "contested": Ruling.Kind.WINNER,
    "plan_cancelled": Ruling.Kind.ORDER,
    "joint_failed": Ruling.Kind.ORDER,
    "moved_partially": Ruling.Kind.SQUARE,
    "pushed": Ruling.Kind.SQUARE,
    "intercepted": Ruling.Kind.SQUARE,
    "passed_by": Ruling.Kind.SQUARE,
}
"""The most likely ruling on a doubtful event, by the event's kind."""


class DeskDifference(TypedDict):
    """R18: the changes of a draft by the last ruling: armies that end elsewhere (name, square before, square now),
    battles that the moves no longer or only now cause, in words, and events that are gone or new."""

    places: list[list[str]]
    no_battles: list[str]
    battles: list[str]
    gone: list[ToldEvent]
    new: list[ToldEvent]


@dataclass(frozen=True)
class DoubtfulEvent:
    """A doubtful event, and the ruling with which its form starts."""

    event: Event
    kind: str
    army: str
    square: str


@dataclass(frozen=True)
class DraftDesk:
    """R18: the computed moves of a locked turn, doubtful events first, for a `judge` who rules on them, or for anybody
    once they are published.

    `battles` are those that the moves cause; `difference` is what the last ruling, made or withdrawn, changed of all
    that, None if nobody ruled yet.
    """

    turn: Turn
    judge: Judge | None
    digest: str
    computed_at: datetime
    publish_at: datetime | None
    is_published: bool
    may_publish: bool
    may_rule: bool
    difference: DeskDifference | None
    battles: tuple[ComingBattle, ...]
    has_old_battles: bool
    doubts: tuple[DoubtfulEvent, ...]
    sections: tuple[SectionView, ...]
    rulings: tuple[RulingView, ...]
    names: tuple[str, ...]
    before: Drawing
    after: Drawing

    def effect_of(self, number: int) -> str:
        """3.3.3: the effect of the ruling of that number, if it was the last, in a sentence."""
        ruling = next(one for one in self.rulings if one.number == number)
        if ruling.counts_later:
            return gettext("It takes effect at the settlement, after the battles. The moves don't change.")
        if ruling.why_not:
            return gettext("It has no effect: %(why_not)s.") % {"why_not": ruling.why_not}
        if self.difference and not any(self.difference.values()):
            return gettext("The draft was recomputed, and the outcome is the same.")
        return ""


@dataclass(frozen=True)
class CorrectionDesk:
    """3.3.3: the last settled turn, the proposed corrections of it, and the maps of the newest proposal."""

    turn: Turn
    judge: Judge
    following: Turn | None
    closed: str
    may_rule: bool
    proposed: tuple[CorrectionView, ...]
    decided: tuple[CorrectionView, ...]
    sections: tuple[SectionView, ...]
    names: tuple[str, ...]
    before: Drawing | None
    after: Drawing | None


def draft_desk(user: User, turn_id: int, now: datetime) -> DraftDesk:
    """R18: the draft of a turn of a round whose desk the user sees. Raises Http404 if they can't see one."""
    drafts = Draft.objects.select_related("turn__round").defer("turn__position", "turn__events")
    draft = drafts.filter(turn__pk=turn_id, turn__round__in=rounds_of(user)).first()
    viewer = viewer_of(user, draft.turn.round) if draft else None
    if draft is None or viewer is None or not may_see_draft(draft, viewer, now):
        raise Http404(gettext("There is no draft of that turn."))
    turn, position = draft.turn, position_of(draft.turn)
    judges, events = judges_who_rule(user, turn.round), tell_all(draft.events)
    reasons = why_nots(events)
    is_open = turn.state == TurnState.MOVED
    return DraftDesk(
        turn=turn,
        judge=next(iter(judges), None),
        digest=draft.digest,
        computed_at=draft.computed_at,
        publish_at=draft.publish_at,
        is_published=is_published(draft, now),
        may_publish=viewer.is_judge(Role.MOVEMENT) and not is_published(draft, now),
        may_rule=may_rule(viewer) and is_open,
        difference=_difference(draft, position) if may_rule(viewer) else None,
        battles=coming_battles(position, _squares(draft.places)),
        has_old_battles=bool(position.battles),
        doubts=tuple(_doubt(event) for event in events if event["important"] and event["kind"] != "ruled"),
        sections=tuple(map(_of_draft, sections_of(event for event in events if not event["important"]))),
        rulings=tuple(ruling_view(row, reasons, judges if is_open else ()) for row in rows_of_turn(turn)),
        names=tuple(position.by_name),
        before=draw(position),
        after=draw(after_moves(position, draft.places), events),
    )


def correction_desk(user: User, turn_id: int, now: datetime) -> CorrectionDesk:
    """3.3.3: the corrections of a settled turn, for its movement and battle judges. Raises Http404 for anybody else."""
    turns = Turn.objects.select_related("round").defer("position")
    turn = turns.filter(pk=turn_id, round__in=rounds_of(user), state=TurnState.SETTLED).first()
    judges = judges_who_rule(user, turn.round) if turn else []
    if turn is None or not judges:
        raise Http404(gettext("There is no such settled turn on your dashboard."))
    following = turns.filter(round=turn.round, number=turn.number + 1).first()
    corrections = corrections_of_turn(turn, public=False)
    proposed = tuple(one for one in corrections if one.state == Correction.State.PROPOSED)
    newest = Correction.objects.filter(pk=proposed[0].id).first() if proposed else None
    closed = _why_closed(turn, following, now)
    return CorrectionDesk(
        turn=turn,
        judge=judges[0],
        following=following,
        closed=closed,
        may_rule=not closed,
        proposed=proposed,
        decided=tuple(one for one in corrections if one not in proposed),
        sections=sections_of(tell_all(turn.events)),
        names=tuple(position_of(turn).by_name),
        **drawn_pair(newest),
    )


def judges_who_rule(user: User, round_: Round) -> list[Judge]:
    """1.3: the user as a judge who may rule in a round, the movement judge first."""
    roles = [Role.MOVEMENT, Role.BATTLE]
    seats = (seat for seat in seats_of(user) if seat.round_id == round_.pk and seat.role in roles)
    return sorted(seats, key=lambda judge: roles.index(Role(judge.role)))


def ruling_of(user: User, ruling_id: int) -> Ruling:
    """A ruling on a turn of a round in which the user rules. Raises Http404."""
    row = Ruling.objects.select_related("turn__round", "judge").filter(pk=ruling_id, correction=None).first()
    if row is None or not judges_who_rule(user, row.turn.round):
        raise Http404(gettext("There is no such ruling on your dashboard."))
    return row


def rule(user: User, desk: DraftDesk, ruling: NewRuling, token: str, now: datetime) -> Success:
    """3.3.3: the user rules on a draft that they see."""
    if desk.judge is None:
        raise Refused(gettext("Only movement and battle judges of this round can rule on its turns (1.3)."))
    new_ruling = add_ruling(turn=desk.turn, judge=desk.judge, ruling=ruling, token=token, now=now)
    effect = draft_desk(user, desk.turn.pk, now).effect_of(new_ruling.number or 0)
    fields = {"number": new_ruling.number, "effect": effect}
    to = f"{reverse('judge:draft', args=[desk.turn.pk])}#difference"
    if effect:
        return Success(gettext("Ruling %(number)s was added. %(effect)s") % fields, to, messages.WARNING)
    return Success(gettext("Ruling %(number)s was added, and the draft was recomputed.") % fields, to)


def withdraw(user: User, ruling: Ruling, reason: str, now: datetime) -> Success:
    """1.3, 3.3.3: the user withdraws a ruling that they see on their desk (`ruling_of`)."""
    judges = judges_who_rule(user, ruling.turn.round)
    able = (judge for judge in judges if may_withdraw(ruling, judge))
    withdraw_ruling(ruling=ruling, judge=next(able, judges[0]), reason=reason, now=now)
    message = gettext("Ruling %(number)s was withdrawn, and the draft was recomputed.") % {"number": ruling.number}
    return Success(message, f"{reverse('judge:draft', args=[ruling.turn_id])}#rulings")


def publish(user: User, turn: Turn, digest: str, now: datetime) -> str:
    """R18: the user, a movement judge of the round, publishes the draft of which they read that digest."""
    judge = judge_of(user, turn.round, Role.MOVEMENT)
    if judge is None:
        raise Refused(gettext("Only a movement judge of this round can publish its moves (1.3)."))
    publish_draft(turn=turn, judge=judge, now=now, digest=digest)
    return gettext("The moves of turn %(number)s are published.") % {"number": turn.number}


def _of_draft(section: SectionView) -> SectionView:
    """R18: a draft shows joint engagements; the battles that follow are listed separately."""
    return replace(section, title=gettext("Joint engagements")) if section.key == "new-battles" else section


def _difference(draft: Draft, position: Position) -> DeskDifference | None:
    """R18: the changes by the last ruling, without the ruling itself."""
    if not isinstance(draft.former, dict):  # there is none, or it is damaged
        return None
    was = readable_places(draft.former.get("places"))
    former: FormerDraft = {"places": was, "events": read_all(readable(draft.former.get("events")))}
    change = difference_of_drafts(former, draft.places, read_all(draft.events))
    old, new = (coming_battles(position, _squares(places)) for places in (was, draft.places))
    return {
        "places": change["places"],
        "no_battles": [battle.sentence for battle in old if battle not in new],
        "battles": [battle.sentence for battle in new if battle not in old],
        "gone": [event for event in change["gone"] if event["kind"] != "ruled"],
        "new": [event for event in change["new"] if event["kind"] != "ruled"],
    }


def _squares(places: Mapping[str, str]) -> dict[str, Square]:
    return {name: read_square(at) for name, at in places.items()}


def after_moves(position: Position, places: Mapping[str, str]) -> Position:
    """The map after the moves of a draft: where two sides meet, they are shown as fighting."""
    squares_of = _squares(places)
    armies = tuple(army._replace(at=squares_of.get(army.name, army.at)) for army in position.armies)
    squares: dict[Square, list[Army]] = {}
    for army in armies:
        squares.setdefault(army.at, []).append(army)
    return replace(position, armies=armies, battles=tuple(_meetings(squares)))


def drawn_pair(correction: Correction | None) -> dict[str, Drawing | None]:
    """The maps with and without a correction; the arrows lead from the armies' squares to the corrected ones."""
    if correction is None:
        return {"before": None, "after": None}
    old, new = (codec.position_from_json(json) for json in (correction.old_position, correction.position))
    pairs = ((army, old.by_name.get(army.name)) for army in new.armies)
    moves = [(army, was) for army, was in pairs if was and was.at != army.at]
    arrows = [{"kind": "moved", "armies": [a.name], "from": str(was.at), "to": str(a.at)} for a, was in moves]
    return {"before": draw(old), "after": draw(new, arrows)}


def _meetings(squares: Mapping[Square, list[Army]]) -> Iterable[Battle]:
    for square, armies in squares.items():
        sides = [tuple(army.name for army in armies if army.side is side) for side in Side]
        meeting = [names for names in sides if names]
        if len(meeting) > 1:
            yield Battle(square, (meeting[0], meeting[1]))


def _doubt(event: Event) -> DoubtfulEvent:
    army = event.get("army") or event.get("winner") or next(iter(event["armies"]), "")
    kind = SUGGESTED.get(event["kind"], Ruling.Kind.ORDER)
    square = str(event.get("at") or "") if kind == Ruling.Kind.WINNER else ""
    return DoubtfulEvent(event, kind.value, army, square)


def _why_closed(turn: Turn, following: Turn | None, now: datetime) -> str:
    if following is None:
        return gettext("This turn can't be corrected because no turn followed it.")
    if following.state == TurnState.OPEN and clock.is_in_time(now, following.lock_at):
        return ""
    return gettext("Turn %(number)s has locked, so you can't correct turn %(number2)s any more.") % {
        "number": following.number,
        "number2": turn.number,
    }
