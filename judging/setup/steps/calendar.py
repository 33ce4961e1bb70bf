"""R5: the step of the calendar, and the locks that come of it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, time, timedelta

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext, gettext_lazy, gettext_noop
from django.views.decorators.http import require_POST

from judging.common import locking
from judging.common.errors import Refused
from judging.common.forms import WholeNumber
from judging.setup.models import RoundSetup
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, held_setup, save_step
from judging.setup.step import Problem, SentForm, StepKind, StepPage, desk_for, logged_in, missing, sent_form, wrong
from judging.turns.calendar import FIELDS, MOST_APPEALS, MOST_TURNS, check_calendar
from wargame.models import Judge, Round
from wargame.models.choices import DiceMix, OverduePolicy, Press
from wargame.rules.battle.adjusting import MOST_PERCENT, USUAL_PART
from wargame.rules.battle.criteria import DEFAULT_CRITERIA, read_criteria
from wargame.rules.command.holidays import coming_locks, first_lock, read_holidays
from wargame.web.lengths import LengthField

SHOWN = 6
"""How many turns the preview shows."""


@dataclass(frozen=True)
class TurnTimes:
    """R5: the times of a turn that is to come."""

    number: int
    deadline: datetime
    lock: datetime


def lock_of_the_first_turn(setup: RoundSetup, now: datetime) -> datetime:
    """R5: when turn 1 locks if the round is started now. To be handed to `open_round`."""
    round_ = setup.round
    return first_lock(
        now,
        weekday=setup.weekday,
        at=setup.deadline_at,
        length=round_.turn_length,
        before=round_.deadline_before_lock,
        holidays=read_holidays(round_.holidays)[0],
    )


def preview_of(setup: RoundSetup, typed: Mapping[str, object], now: datetime) -> tuple[TurnTimes, ...]:
    """R5: the next deadlines and locks if the round is started now and no judge moves one.

    `typed` are fields of the set-up and of its round that are not saved. Refused for a calendar that can't be kept.
    """
    round_ = setup.round
    names = ("turn_length", "deadline_before_lock", "holidays")
    given = {**{name: getattr(round_, name) for name in names}, "weekday": setup.weekday, "at": setup.deadline_at}
    given |= {"at" if name == "deadline_at" else name: value for name, value in typed.items()}
    check_calendar(given)
    length, before = given["turn_length"], given["deadline_before_lock"]
    holidays = read_holidays(given["holidays"])[0]
    first = first_lock(now, weekday=given["weekday"], at=given["at"], length=length, before=before, holidays=holidays)
    locks = coming_locks(first, length, before, holidays, SHOWN)
    return tuple(TurnTimes(number, lock - before, lock) for number, lock in enumerate(locks, 1))


def find(prepared: Preparation) -> Iterator[Problem]:
    """R5: that the calendar was not decided yet, and lines of holidays that can't be read."""
    if not prepared.setup.version("calendar"):
        yield missing(gettext("Decide when battle deadlines are and how long a turn is."), "R5")
    for fault in read_holidays(prepared.round.holidays)[1]:
        yield wrong(fault.sentence, fault.cites)


STEP = StepKind(
    "calendar", gettext_noop("Calendar"), "R5", gettext_noop("The battle judge decides on the deadlines."), find
)


@locking.writes
def save_calendar(
    *,
    round: Round,
    judge: Judge,
    weekday: int | None,
    deadline_at: time,
    calendar: Mapping[str, object],
    base_version: int,
    now: datetime,
) -> None:
    """R5: when battle deadlines are (UTC; Monday is 0, None: any day), and what else `calendar` has of `FIELDS`.

    Refused for a calendar that can't be kept.
    """
    setup = held_setup(round, judge, "calendar", base_version)
    known = {name: value for name, value in calendar.items() if name in FIELDS}
    check_calendar({name: getattr(setup.round, name) for name in FIELDS} | known)
    for name, value in known.items():
        setattr(round, name, value)
        setattr(setup.round, name, value)
    setup.round.save(update_fields=list(known))
    setup.weekday, setup.deadline_at = weekday, deadline_at
    save_step(setup, "calendar", judge, now, weekday=weekday, deadline_at=f"{deadline_at:%H:%M}", **_as_text(known))


def _as_text(values: Mapping[str, object]) -> dict[str, str]:
    return {name: str(value) for name, value in values.items()}


WEEKDAYS = (
    gettext_lazy("Monday"),
    gettext_lazy("Tuesday"),
    gettext_lazy("Wednesday"),
    gettext_lazy("Thursday"),
    gettext_lazy("Friday"),
    gettext_lazy("Saturday"),
    gettext_lazy("Sunday"),
)

PLAIN = (
    *("after_lock_window", "judge_within", "overdue_policy", "may_lock_early", "press", "holidays"),
    *("criteria", "runner_least", "pair_least", "pair_most", "most_appeals"),
)
"""Fields of the form that are fields of the round as they are, besides its lengths."""


USUAL = (("runner_least", 1), ("pair_least", USUAL_PART[0]), ("pair_most", USUAL_PART[1]), ("most_appeals", 2))
"""R53, R57: what holds where a field is left empty."""

APPEAL_WITHIN = timedelta(hours=72)
"""R57: how long somebody may appeal, where nothing else is chosen."""

MIX_WITHIN = timedelta(hours=6)
"""R38: how long dice wait for what is mixed in, where nothing else is chosen."""


class CalendarForm(forms.Form):
    """R5: when things are due, and when they appear."""

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

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        for name, usual in USUAL:
            if name in cleaned and cleaned[name] is None:
                cleaned[name] = usual
        if cleaned.get("strats") == "later" and not cleaned.get("strats_turns") and "strats_turns" in cleaned:
            self.add_error("strats_turns", gettext("Enter the number of turns after the battle, such as 2 (R54)."))
        if cleaned.get("publishes") == "later" and not cleaned.get("publish_after") and "publish_after" in cleaned:
            self.add_error("publish_after", gettext("Enter how long the draft waits, such as 6 hours (R18)."))
        return cleaned

    def calendar(self) -> dict[str, object]:
        """The fields of the round, of a form that is valid."""
        given = self.cleaned_data
        names = ("turn_length", "deadline_before_lock", "sealed_before_lock", "contingency_before_deadline")
        waits = {"at_once": timedelta(0), "later": given["publish_after"], "judge": None}
        return {
            **{name: given[name] for name in (*names, *PLAIN)},
            "publish_after": waits[given["publishes"]],
            "press": given["press"] or Press.ALL.value,
            "dice_mix": given["dice_mix"] or DiceMix.WORDS.value,
            "mix_within": MIX_WITHIN if given["mix_within"] is None else given["mix_within"],
            "appeal_within": APPEAL_WITHIN if given["appeal_within"] is None else given["appeal_within"],
            "results_after_lock": given["results"] == "lock",
            "strats_after": {"result": 0, "later": given["strats_turns"]}.get(given["strats"]),
        }


class CalendarPage(StepPage):
    """R5: deadlines, lengths and holidays; a POST saves them, or shows what they would give."""

    key, template = "calendar", "setup/calendar.html"
    form: CalendarForm

    def __init__(self, sent: SentForm, desk: SetupDesk) -> None:
        super().__init__(sent, desk)
        self.form = CalendarForm(self.typed, initial=self._saved())

    @property
    def only_looks(self) -> bool:
        return self.pressed()[0] == "preview"

    def context(self) -> dict[str, object]:
        """The form and, unless what is typed can't be kept, the times that it gives."""
        typed: dict[str, object] = {}
        context: dict[str, object] = {"form": self.form, "round": self.round}
        if self.form.is_bound:
            if not self.form.is_valid():
                return context
            typed = {name: self.form.cleaned_data[name] for name in ("weekday", "deadline_at")} | self.form.calendar()
        try:
            turns = preview_of(self.setup, typed, self.common["now"])
        except Refused as error:
            return context | {"no_turns": error}
        return context | {"turns": turns, "is_saved": not self.form.is_bound}

    def act(self) -> str:
        save_calendar(
            weekday=self.form.cleaned_data["weekday"],
            deadline_at=self.form.cleaned_data["deadline_at"],
            calendar=self.form.calendar(),
            base_version=self.base_version,
            **self.common,
        )
        return gettext("The calendar is saved.")

    def _saved(self) -> dict[str, object]:
        """The calendar as it is saved, for the form."""
        waits = self.round.publish_after
        names = (
            *("turn_length", "deadline_before_lock", "sealed_before_lock", "contingency_before_deadline"),
            *("appeal_within", *PLAIN),
        )
        return {
            **{name: getattr(self.round, name) for name in names},
            "weekday": "" if self.setup.weekday is None else str(self.setup.weekday),
            "deadline_at": self.setup.deadline_at,
            "dice_mix": self.round.dice_mix,
            "mix_within": self.round.mix_within,
            "publishes": "judge" if waits is None else "later" if waits else "at_once",
            "publish_after": waits or None,
            "results": "lock" if self.round.results_after_lock else "",
            "strats": {None: "", 0: "result"}.get(self.round.strats_after, "later"),
            "strats_turns": self.round.strats_after or 1,
        }


@require_POST
@logged_in
def preview(request: HttpRequest, slug: str) -> HttpResponse:
    """R5: the next deadlines and locks of what is typed, as a fragment."""
    return render(request, "setup/_calendar.html", CalendarPage(sent_form(request), desk_for(request, slug)).context())
