"""1.3: what a head judge does with the judges of a role, by a form or a program."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from judging.command.judges.services import Offer, decide_offer, dismiss_judge, name_judge, offer_lead
from judging.common.errors import Refused
from judging.common.form_views import number_of
from judging.common.judges import may_manage
from judging.common.texts import utc
from judging.common.viewer import Viewer
from wargame.models import Judge
from wargame.models.choices import Role


@dataclass(frozen=True)
class TypedSeat:
    """1.3: what was typed; `judge` is a key."""

    act: str
    judge: str = ""
    role: str = ""
    username: str = ""
    reason: str = ""


OFFERS = {"accept": Offer.ACCEPTED, "decline": Offer.DECLINED, "withdraw": Offer.WITHDRAWN}
"""1.3: what the buttons beside an offer do."""


def change_judges(viewer: Viewer, typed: TypedSeat, now: datetime) -> str:
    """1.3: names or dismisses a judge, offers the head's place, or decides about such an offer; the message."""
    if typed.act == "name":
        return _name(viewer, typed, now)
    if typed.act in OFFERS:
        row = decide_offer(round=viewer.round, role=typed.role, user=viewer.user_id, how=OFFERS[typed.act], now=now)
        facts = {"name": row.to.name, "of": row.head.name, "role": row.to.get_role_display()}
        if row.state == Offer.ACCEPTED:
            return gettext("%(name)s has replaced %(of)s as head %(role)s.") % facts
        return gettext("%(of)s stays head %(role)s.") % facts
    judge_id = number_of(typed.judge)
    chosen = Judge.objects.filter(round=viewer.round, pk=judge_id).first()
    by = _manager(viewer, chosen)
    if typed.act == "head":
        offer = offer_lead(round=viewer.round, by=by, judge_id=judge_id, reason=typed.reason, now=now)
        if offer is None:
            return gettext("%(name)s is now head %(role)s.") % _facts(chosen)
        told = gettext(
            "%(name)s has until %(until)s to accept and become head %(role)s. Nothing changes until they accept."
        )
        return told % {**_facts(chosen), "until": utc(offer.lapses_at)}
    gone = dismiss_judge(round=viewer.round, by=by, judge_id=judge_id, reason=typed.reason, now=now)
    return gettext("%(name)s is no longer a %(role)s.") % _facts(gone)


def _name(viewer: Viewer, typed: TypedSeat, now: datetime) -> str:
    if typed.role not in Role.values:
        raise Refused(gettext("Choose a role for the judge."), "1.3", "role")
    role, by = Role(typed.role), _seat_over(viewer, typed.role)
    made = name_judge(round=viewer.round, by=by, username=typed.username, role=role, reason=typed.reason, now=now)
    told = gettext("%(name)s is now head %(role)s.") if made.is_head else gettext("%(name)s is now a %(role)s.")
    return told % _facts(made)


def _facts(judge: Judge | None) -> dict[str, object]:
    return {"name": judge.name, "role": judge.get_role_display()} if judge else {}


def _manager(viewer: Viewer, chosen: Judge | None) -> Judge | None:
    """The seat in which the viewer acts on a judge: their own, if they act on themselves."""
    if chosen is None:
        return None
    return chosen if chosen.user_id == viewer.user_id else _seat_over(viewer, chosen.role)


def _seat_over(viewer: Viewer, role: str) -> Judge | None:
    """1.3: the viewer's seat that can name and dismiss judges of a role; None if they have none."""
    return next((judge for judge in viewer.seats if may_manage(judge, role)), None)
