"""2.5.2.1: the step of the name and of the numbers of armies."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy, gettext_noop

from judging.common import locking
from judging.common.confusable_names import look_alike
from judging.common.errors import Refused
from judging.common.forms import WholeNumber
from judging.setup.preparation import Preparation
from judging.setup.services import SetupDesk, checked_name, held_setup, save_step
from judging.setup.step import Problem, SentForm, StepKind, StepPage, advice, missing, wrong
from wargame.models import Judge, Round
from wargame.rules.armies.numbers import MAXIMUM, RECOMMENDED, number_faults, rank_names
from wargame.rules.core.sides import Rank


def holders(prepared: Preparation) -> list[tuple[str, Rank]]:
    """2.5.2.1: the players who hold a rank, by name."""
    return [(player.name, Rank(player.rank)) for player in prepared.ranked]


def find(prepared: Preparation) -> Iterator[Problem]:
    """2.5.2.1: what is wrong with the name and the numbers, or that these were not chosen yet."""
    setup = prepared.setup
    if not setup.version("name"):
        yield missing(gettext("Choose how many armies of each rank a side has."), "2.5.2.1")
    if other := next((name for name in prepared.played_now if look_alike(name, setup.round.name)), ""):
        told = gettext(
            "A round called “%(other)s” is already being played. Choose another name, so that the two aren't "
            "mixed up in emails and lists."
        )
        yield wrong(told % {"other": other}, "2.5.2.1")
    for fault in number_faults(setup.armies, holders(prepared)):
        yield wrong(fault.sentence, fault.cites)
    if tuple(setup.armies) != RECOMMENDED:
        yield advice(
            gettext("We recommend %(numbers)s (%(sum)s armies).")
            % {"numbers": "/".join(map(str, RECOMMENDED)), "sum": sum(RECOMMENDED)},
            "2.5.2.1",
        )


STEP = StepKind(
    "name",
    gettext_noop("Name and armies"),
    "2.5.2.1",
    gettext_noop("The battle judge chooses how many armies of each rank there are."),
    find,
)


@locking.writes
def save_name(
    *, round: Round, judge: Judge, name: str, armies: Sequence[int], base_version: int, now: datetime
) -> None:
    """2.5.2.1: the round's name and the number of armies of each rank, the same for both sides.

    Refused for numbers above the maxima, or below the number of players who hold a rank.
    """
    setup = held_setup(round, judge, "name", base_version)
    name = checked_name(name)
    if faults := number_faults(armies, holders(Preparation(setup))):
        raise Refused(" ".join(fault.sentence for fault in faults), "2.5.2.1")
    round.name = setup.round.name = name
    setup.round.save(update_fields=["name"])
    setup.armies = list(armies)
    save_step(setup, "name", judge, now, name=name, armies=list(armies))


MOST_ARMIES = 240


class NameForm(forms.Form):
    """2.5.2.1: the round's name, and the number of armies of each rank, the highest first."""

    name = forms.CharField(
        max_length=80, label=gettext_lazy("Name of the round"), widget=forms.TextInput(attrs={"autocomplete": "off"})
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for tier, most in enumerate(MAXIMUM, 1):
            hint = gettext("no limit") if most is None else gettext("at most %(most)s") % {"most": most}
            self.fields[f"rank{tier}"] = WholeNumber(
                min_value=0, max_value=MOST_ARMIES, label=rank_names(tier), help_text=hint
            )

    @property
    def ranks(self) -> list[forms.BoundField]:
        """The fields with the numbers."""
        return [self[f"rank{tier}"] for tier in range(1, len(MAXIMUM) + 1)]

    def numbers(self) -> list[int]:
        """The numbers of a form that is valid."""
        return [self.cleaned_data[f"rank{tier}"] for tier in range(1, len(MAXIMUM) + 1)]


class NamePage(StepPage):
    """2.5.2.1: the round's name and the number of armies of each rank."""

    key, template = "name", "setup/name.html"
    form: NameForm

    def __init__(self, sent: SentForm, desk: SetupDesk) -> None:
        super().__init__(sent, desk)
        numbers = {f"rank{tier}": number for tier, number in enumerate(self.setup.armies, 1)}
        self.form = NameForm(self.typed, initial={"name": self.round.name, **numbers})

    def context(self) -> dict[str, object]:
        return {"form": self.form, "recommended": RECOMMENDED}

    def act(self) -> str:
        name, armies = self.form.cleaned_data["name"], self.form.numbers()
        save_name(name=name, armies=armies, base_version=self.base_version, **self.common)
        return gettext("Saved.")
