"""R5: the step of the calendar, and the resulting locks."""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judging.common import locking
from judging.common.errors import Refused
from judging.common.forms import WholeNumber
from judging.setup.models import RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.step import Problem, StepForm, missing, wrong
from judging.turns.calendar import FIELDS, MOST_APPEALS, MOST_TURNS, check_calendar
from wargame.models.choices import DiceMix, OverduePolicy, Press
from wargame.rules.battle.adjusting import MOST_PERCENT, USUAL_PART
from wargame.rules.battle.criteria import DEFAULT_CRITERIA, read_criteria
from wargame.rules.command.holidays import coming_locks, first_lock, read_holidays
from wargame.web.lengths import LengthField

SHOWN = 6
"""The number of turns in the preview."""


class TurnTimes(NamedTuple):
    """R5: the times of a future turn."""

    number: int
    deadline: datetime
    lock: datetime


def lock_of_the_first_turn(setup: RoundSetup, now: datetime) -> datetime:
    """R5: when turn 1 locks if the round is started now. To be passed to `open_round`."""
    return _first_lock(_times(setup), now)


def _times(setup: RoundSetup) -> dict[str, Any]:
    """What decides on deadlines and locks, as it is saved."""
    times = {name: getattr(setup.round, name) for name in ("turn_length", "deadline_before_lock", "holidays")}
    return {**times, "weekday": setup.weekday, "deadline_at": setup.deadline_at}


def _first_lock(times: dict[str, Any], now: datetime) -> datetime:
    return first_lock(
        now,
        weekday=times["weekday"],
        at=times["deadline_at"],
        length=times["turn_length"],
        before=times["deadline_before_lock"],
        holidays=read_holidays(times["holidays"])[0],
    )


def problems(prepared: Preparation) -> Iterator[Problem]:
    """R5: that the calendar was not decided yet, and lines of holidays that can't be read."""
    if not prepared.setup.version("calendar"):
        yield missing(gettext("Decide when battle deadlines are and how long a turn is."), "R5")
    for fault in read_holidays(prepared.round.holidays)[1]:
        yield wrong(fault.sentence, fault.cites)


WEEKDAYS = (
    gettext_lazy("Monday"),
    gettext_lazy("Tuesday"),
    gettext_lazy("Wednesday"),
    gettext_lazy("Thursday"),
    gettext_lazy("Friday"),
    gettext_lazy("Saturday"),
    gettext_lazy("Sunday"),
)

USUAL: dict[str, object] = {
    "runner_least": 1,
    "pair_least": USUAL_PART[0],
    "pair_most": USUAL_PART[1],
    "press": Press.ALL.value,
    "dice_mix": DiceMix.WORDS.value,
    "mix_within": timedelta(hours=6),
    "appeal_within": timedelta(hours=72),
    "most_appeals": 2,
}
"""R38, R53, R57: what holds where a field is left empty."""


class CalendarForm(StepForm):
    """R5: when battle deadlines are (UTC), how long turns are, when things appear, and on which days nothing is due.

    Fields that are called as in `turns.calendar.FIELDS` are the round's; `clean` adds those that several fields make.
    """

    PUBLISHES = [
        ("at_once", gettext_lazy("right away")),
        ("later", gettext_lazy("after the time below, unless the movement judge publishes it earlier")),
        ("judge", gettext_lazy("when the movement judge publishes it")),
    ]
    RESULTS = [("", gettext_lazy("as soon as a battle is judged")), ("lock", gettext_lazy("not before the lock"))]
    STRATS = [
        ("", gettext_lazy("when the round ends")),
        ("result", gettext_lazy("with the result")),
        ("later", gettext_lazy("a number of turns after the battle")),
    ]

    weekday = forms.TypedChoiceField(
        choices=[("", gettext_lazy("Any day")), *((str(place), name) for place, name in enumerate(WEEKDAYS))],
        coerce=int,
        empty_value=None,
        required=False,
        label=gettext_lazy("Battle deadlines are on"),
    )
    deadline_at = forms.TimeField(
        label=gettext_lazy("at (UTC)"), widget=forms.TimeInput(attrs={"type": "time"}, format="%H:%M")
    )
    turn_length = LengthField(label=gettext_lazy("Turn length"))
    deadline_before_lock = LengthField(label=gettext_lazy("Time from battle deadline to lock"))
    sealed_before_lock = LengthField(label=gettext_lazy("How early sealed orders are accepted (time before the lock)"))
    contingency_before_deadline = LengthField(
        label=gettext_lazy("How long before the deadline a contingency can send a strat")
    )
    publishes = forms.ChoiceField(
        choices=PUBLISHES, widget=forms.RadioSelect, label=gettext_lazy("The draft of the moves is published")
    )
    publish_after = LengthField(required=False, label=gettext_lazy("How long the draft waits"))
    results = forms.ChoiceField(
        choices=RESULTS,
        widget=forms.RadioSelect,
        required=False,
        label=gettext_lazy("Battle results are published"),
    )
    may_lock_early = forms.BooleanField(
        required=False,
        label=gettext_lazy(
            "A judge can lock a turn early once all active players are done and no strat is due. They must "
            "announce it an hour before (R60)"
        ),
    )
    press = forms.ChoiceField(
        choices=Press,
        widget=forms.RadioSelect,
        required=False,
        label=gettext_lazy("Players who can send private messages (1.6)"),
    )
    after_lock_window = LengthField(
        label=gettext_lazy("Time after the lock in which the mercenary judge can change one raider's movement"),
        help_text=gettext_lazy("At most a tenth of a turn. Enter 0 hours to turn this off."),
    )
    dice_mix = forms.ChoiceField(
        choices=DiceMix,
        widget=forms.RadioSelect,
        required=False,
        label=gettext_lazy("Mixed into the dice of a battle (R38)"),
    )
    mix_within = LengthField(
        required=False,
        label=gettext_lazy("How long the dice wait for words or the beacon after the score is locked"),
        help_text=gettext_lazy("At most an eighth of a turn. After that, anything missing counts as empty."),
    )
    judge_within = LengthField(
        label=gettext_lazy("When judges are reminded of battles without a result (time after the lock)")
    )
    overdue_policy = forms.ChoiceField(
        choices=OverduePolicy, widget=forms.RadioSelect, label=gettext_lazy("If a result takes even longer")
    )
    criteria = forms.CharField(
        required=False,
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "true"}),
        label=gettext_lazy("Criteria that judges use to explain each bonus (R54)"),
        help_text=gettext_lazy(
            "3 to 6 criteria, one per line. Add a weight if one counts more, like “Plan against this enemy: 2”."
        ),
    )
    strats = forms.ChoiceField(
        choices=STRATS,
        widget=forms.RadioSelect,
        required=False,
        label=gettext_lazy("Strats that counted are published (R54)"),
    )
    strats_turns = WholeNumber(
        required=False, min_value=1, max_value=MOST_TURNS, label=gettext_lazy("How many turns later"), initial=1
    )
    runner_least = WholeNumber(
        required=False,
        min_value=1,
        max_value=100,
        label=gettext_lazy("Lowest losses that one judge can set for a side that ran away (percent)"),
    )
    pair_least = WholeNumber(
        required=False,
        min_value=0,
        max_value=100,
        label=gettext_lazy("In a pair, one judge can lower an army's share of the losses to (percent)"),
    )
    pair_most = WholeNumber(
        required=False, min_value=100, max_value=MOST_PERCENT, label=gettext_lazy("and raise it to (percent)")
    )
    appeal_within = LengthField(
        required=False,
        label=gettext_lazy("How long affected players can appeal"),
        help_text=gettext_lazy("The judge has the same time to answer. 1 hour to 30 days (R57)."),
    )
    most_appeals = WholeNumber(
        required=False,
        min_value=0,
        max_value=MOST_APPEALS,
        label=gettext_lazy("Open appeals per player at a time"),
        help_text=gettext_lazy("0: no appeals in this round"),
    )
    holidays = forms.CharField(
        required=False, max_length=8000, widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"})
    )

    def clean_holidays(self) -> str:
        text = str(self.cleaned_data["holidays"]).replace("\r\n", "\n").strip()
        if faults := read_holidays(text)[1]:
            raise forms.ValidationError([fault.sentence for fault in faults])
        return text

    def clean_criteria(self) -> str:
        text = "\n".join(self.cleaned_data["criteria"].split("\n")).replace("\r", "").strip() or DEFAULT_CRITERIA
        if faults := read_criteria(text)[1]:
            raise forms.ValidationError(list(faults))
        return text

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        cleaned |= {name: usual for name, usual in USUAL.items() if cleaned.get(name, usual) in (None, "")}
        if cleaned.get("strats") == "later" and not cleaned.get("strats_turns") and "strats_turns" in cleaned:
            self.add_error("strats_turns", gettext("Enter the number of turns after the battle, such as 2 (R54)."))
        if cleaned.get("publishes") == "later" and not cleaned.get("publish_after") and "publish_after" in cleaned:
            self.add_error("publish_after", gettext("Enter how long the draft waits, such as 6 hours (R18)."))
        if not self.errors:
            waits = {"at_once": timedelta(0), "later": cleaned["publish_after"], "judge": None}
            cleaned["publish_after"] = waits[cleaned["publishes"]]
            cleaned["results_after_lock"] = cleaned["results"] == "lock"
            cleaned["strats_after"] = {"result": 0, "later": cleaned["strats_turns"]}.get(cleaned["strats"])
        return cleaned

    def saved(self) -> dict[str, Any]:
        waits, strats_after = self.round.publish_after, self.round.strats_after
        return {
            **{name: getattr(self.round, name) for name in FIELDS},
            "weekday": "" if self.setup.weekday is None else str(self.setup.weekday),
            "deadline_at": self.setup.deadline_at,
            "publishes": "judge" if waits is None else "later" if waits else "at_once",
            "publish_after": waits or None,
            "results": "lock" if self.round.results_after_lock else "",
            "strats": {None: "", 0: "result"}.get(strats_after, "later"),
            "strats_turns": strats_after or 1,
        }

    @property
    def only_looks(self) -> bool:
        return self.pressed()[0] == "preview"

    def context(self) -> dict[str, object]:
        context: dict[str, object] = {"form": self, "round": self.round, "is_saved": not self.is_bound}
        if self.is_bound and not self.is_valid():
            return context
        times = _times(self.setup) | (self.cleaned_data if self.is_bound else {})
        try:
            check_calendar(times)
        except Refused as error:
            return context | {"no_turns": error}
        first, before, holidays = _first_lock(times, self.now), times["deadline_before_lock"], times["holidays"]
        locks = coming_locks(first, times["turn_length"], before, read_holidays(holidays)[0], SHOWN)
        return context | {"turns": [TurnTimes(number, lock - before, lock) for number, lock in enumerate(locks, 1)]}

    @locking.writes
    def save(self) -> str:
        """Refused for a calendar that can't be kept."""
        setup, given = self.held(), self.cleaned_data
        calendar = {name: given[name] for name in FIELDS if name in given}
        check_calendar({name: getattr(setup.round, name) for name in FIELDS} | calendar)
        for name, value in calendar.items():
            setattr(self.round, name, value)
            setattr(setup.round, name, value)
        setup.round.save(update_fields=list(calendar))
        setup.weekday, setup.deadline_at = given["weekday"], given["deadline_at"]
        texts = {name: str(value) for name, value in calendar.items()}
        self.store(setup, weekday=setup.weekday, deadline_at=f"{setup.deadline_at:%H:%M}", **texts)
        return gettext("The calendar is saved.")
