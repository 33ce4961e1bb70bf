"""1.3: A head judge's changes of the judges of a role, by a form or the API."""

from datetime import datetime

from django.utils.translation import gettext

from judging.command.judges.services import Offer, decide_offer, dismiss_judge, name_judge, offer_lead
from judging.common.errors import Refused
from judging.common.forms import RawForm, RawText, RowKey
from judging.common.judges import may_manage
from judging.common.texts import utc
from judging.common.viewer import Viewer
from wargame.models import Judge
from wargame.models.choices import Role

OFFERS = {"accept": Offer.ACCEPTED, "decline": Offer.DECLINED, "withdraw": Offer.WITHDRAWN}
"""1.3: The outcomes of the buttons beside an offer."""


class SeatForm(RawForm):
    """1.3: what a head judge does with the judges of a role."""

    act, role, username, reason = (RawText() for _ in range(4))
    judge = RowKey()

    def do(self, viewer: Viewer, now: datetime) -> str:
        """Names or dismisses a judge, offers the head's place, or decides about such an offer; the message."""
        act, role = self.cleaned_data["act"], self.cleaned_data["role"]
        if act == "name":
            return self._name(viewer, now)
        if act in OFFERS:
            row = decide_offer(round=viewer.round, role=role, user=viewer.user_id, how=OFFERS[act], now=now)
            facts = {"name": row.to.name, "of": row.head.name, "role": row.to.get_role_display()}
            if row.state == Offer.ACCEPTED:
                return gettext("%(name)s has replaced %(of)s as head %(role)s.") % facts
            return gettext("%(of)s stays head %(role)s.") % facts
        judge_id, reason = self.cleaned_data["judge"], self.cleaned_data["reason"]
        chosen = Judge.objects.filter(round=viewer.round, pk=judge_id).first()
        by = _manager(viewer, chosen)
        if act == "head":
            offer = offer_lead(round=viewer.round, by=by, judge_id=judge_id, reason=reason, now=now)
            if offer is None:
                return gettext("%(name)s is now head %(role)s.") % _facts(chosen)
            told = gettext(
                "%(name)s has until %(until)s to accept and become head %(role)s. Nothing changes until they accept."
            )
            return told % {**_facts(chosen), "until": utc(offer.lapses_at)}
        gone = dismiss_judge(round=viewer.round, by=by, judge_id=judge_id, reason=reason, now=now)
        return gettext("%(name)s is no longer a %(role)s.") % _facts(gone)

    def _name(self, viewer: Viewer, now: datetime) -> str:
        if self.cleaned_data["role"] not in Role.values:
            raise Refused(gettext("Choose a role for the judge."), "1.3", "role")
        role = Role(self.cleaned_data["role"])
        username, reason = self.cleaned_data["username"], self.cleaned_data["reason"]
        by = _seat_over(viewer, role)
        made = name_judge(round=viewer.round, by=by, username=username, role=role, reason=reason, now=now)
        told = gettext("%(name)s is now head %(role)s.") if made.is_head else gettext("%(name)s is now a %(role)s.")
        return told % _facts(made)


def _facts(judge: Judge | None) -> dict[str, object]:
    return {"name": judge.name, "role": judge.get_role_display()} if judge else {}


def _manager(viewer: Viewer, judge: Judge | None) -> Judge | None:
    """The seat in which the viewer acts on a judge: their own, if they act on themselves."""
    if judge is None:
        return None
    return judge if judge.user_id == viewer.user_id else _seat_over(viewer, judge.role)


def _seat_over(viewer: Viewer, role: str) -> Judge | None:
    """1.3: the viewer's seat that can name and dismiss judges of a role; None if they have none."""
    return next((judge for judge in viewer.seats if may_manage(judge, role)), None)
