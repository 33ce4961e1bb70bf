"""R5, R35, R54: Actions of a battle's sheet on its strats: more time, late ones, and those published early."""

from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judging.battles.desk.actions import ACTS, GONE, Act, Choices, reason_field, sent
from judging.battles.strats.extensions import (
    accept_late,
    decline_late,
    extend_strats,
    overrule_extension,
    overrule_late,
    release_strat,
    what_it_moves,
)
from judging.common.errors import Refused
from judging.common.texts import utc
from wargame.models import Judge

__all__ = ["ACTS"]
"""All acts of the sheet by their keys, those of `actions` and these."""


class UtcTime(forms.DateTimeField):
    """R4: A moment in UTC, to the minute, in the format of a browser's own field."""

    def __init__(self, **kwargs: object) -> None:
        widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format="%Y-%m-%dT%H:%M")
        formats = ["%Y-%m-%dT%H:%M", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S"]
        super().__init__(widget=widget, input_formats=formats, **kwargs)  # type: ignore[arg-type]
        self.error_messages["invalid"] = gettext_lazy("Enter a date and time in UTC, like 2026-03-15 05:00.")

    def to_python(self, value: str | datetime | date | None) -> datetime | None:
        moment = super().to_python(value)
        return moment.replace(tzinfo=UTC) if moment else None


class Extend(Act):
    """R5, 5.4.1: More time for strats: until when, for whom and why. Movement judges may give it too.

    It has a preview; an extension beyond the lock delays the turn, and is given only with explicit confirmation.
    """

    key = "extend"
    place = "time"

    army = forms.ChoiceField(required=False, label=gettext_lazy("For"), error_messages=GONE)
    until = UtcTime(label=gettext_lazy("Until (UTC)"), error_messages={"required": gettext_lazy("Enter an end time.")})
    reason = reason_field()
    holds = forms.BooleanField(
        required=False, label=gettext_lazy("Do this even if it delays the settlement of the turn")
    )

    @property
    def judge(self) -> Judge | None:
        return self.sheet.extender

    def offered(self) -> Mapping[str, Choices]:
        """Those who can still get it. For any other army that is sent, the service explains the refusal."""
        everybody = ("", *(fighter.name for fighter in self.sheet.view.fighters))
        names = everybody if self.is_bound else [name for name in everybody if name in self.sheet.extendable]
        return {"army": [(name, name or "everybody") for name in names]}

    def do(self, judge: Judge, now: datetime) -> str:
        army, until, reason = self.chosen_army(), self.cleaned_data["until"], self.cleaned_data["reason"]
        if until > self.sheet.battle.turn.lock_at and not self.cleaned_data["holds"]:
            warning = " ".join(self.look(now))
            raise Refused(
                gettext("%(found)s Confirm that below, or choose an earlier time.") % {"found": warning}, "R5", "until"
            )
        extend_strats(battle=self.sheet.battle, judge=judge, army=army, until=until, reason=reason, now=now)
        if not army:
            return gettext("All strats are due by %(time)s.") % {"time": utc(until)}
        return gettext("The strat of %(army)s is due by %(time)s.") % {"army": army, "time": utc(until)}

    def look(self, now: datetime) -> Sequence[str]:
        """R5: The times that it moves, the turn that it delays, and whom it notifies."""
        return what_it_moves(self.sheet.view, self.sheet.battle, self.cleaned_data["army"], self.cleaned_data["until"])


class AcceptLate(Act):
    """R35: Accepts a late strat."""

    key = "accept"
    place = "time"

    strat = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Late strat"), error_messages=GONE)
    reason = reason_field()

    def offered(self) -> Mapping[str, Choices]:
        return {"strat": sent(self.sheet.late_strats)}

    def do(self, judge: Judge, now: datetime) -> str:
        strat = self.chosen_strat()
        accept_late(strat=strat, judge=judge, reason=self.cleaned_data["reason"], now=now)
        return gettext("The late strat of %(name)s is accepted. You can read it now.") % {"name": strat.entry.name}


class DeclineLate(Act):
    """R35: Declines a late strat."""

    key = "decline"
    place = "time"

    strat = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Late strat"), error_messages=GONE)
    reason = reason_field()

    def offered(self) -> Mapping[str, Choices]:
        return {"strat": sent(self.sheet.sealed_strats)}

    def do(self, judge: Judge, now: datetime) -> str:
        strat = self.chosen_strat()
        decline_late(strat=strat, judge=judge, reason=self.cleaned_data["reason"], now=now)
        return gettext("The late strat of %(name)s doesn't count. You can read it now.") % {"name": strat.entry.name}


class OverruleExtension(Act):
    """1.3, R5: Overrules an extended deadline. The head of the movement judges may do it too."""

    key = "shorten"
    place = "time"

    army = forms.ChoiceField(required=False, label=gettext_lazy("For"), error_messages=GONE)
    reason = reason_field()

    @property
    def judge(self) -> Judge | None:
        return self.sheet.extender

    def offered(self) -> Mapping[str, Choices]:
        """The armies with a moved deadline. For any other army that is sent, the service explains the refusal."""
        everybody = ("", *(fighter.name for fighter in self.sheet.view.fighters))
        return {"army": [(n, n or gettext("everyone")) for n in (everybody if self.is_bound else self.sheet.extended)]}

    def do(self, judge: Judge, now: datetime) -> str:
        army, reason = self.chosen_army(), self.cleaned_data["reason"]
        until = overrule_extension(battle=self.sheet.battle, judge=judge, army=army, reason=reason, now=now)
        if not army:
            return gettext("All strats are due by %(time)s again.") % {"time": utc(until)}
        return gettext("The strat of %(army)s is due by %(time)s again.") % {"army": army, "time": utc(until)}


class OverruleLate(Act):
    """1.3, R35: Overrules the acceptance of a late strat."""

    key = "unaccept"
    place = "time"

    strat = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Accepted strat"), error_messages=GONE)
    reason = reason_field()

    def offered(self) -> Mapping[str, Choices]:
        return {"strat": sent(self.sheet.accepted_strats)}

    def do(self, judge: Judge, now: datetime) -> str:
        strat = self.chosen_strat()
        overrule_late(strat=strat, judge=judge, reason=self.cleaned_data["reason"], now=now)
        return gettext("The late strat of %(name)s doesn't count.") % {"name": strat.entry.name}


class ReleaseStrat(Act):
    """R35, R54: Publishes a strat before the round does."""

    key = "release"
    place = "strats"

    strat = forms.TypedChoiceField(coerce=int, label=gettext_lazy("Strat"), error_messages=GONE)
    reason = reason_field()

    def offered(self) -> Mapping[str, Choices]:
        return {"strat": sent(self.sheet.hidden_strats)}

    def do(self, judge: Judge, now: datetime) -> str:
        strat = self.chosen_strat()
        release_strat(strat=strat, judge=judge, reason=self.cleaned_data["reason"], now=now)
        return gettext("The strat of %(name)s is public now.") % {"name": strat.entry.name}
