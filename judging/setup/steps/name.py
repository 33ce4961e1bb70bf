"""2.5.2.1: the step of the name and of the numbers of armies."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judging.common import locking
from judging.common.confusable_names import look_alike
from judging.common.errors import Refused
from judging.common.forms import WholeNumber
from judging.setup.preparation import Preparation
from judging.setup.services import checked_name
from judging.setup.step import Problem, StepForm, advice, missing, wrong
from wargame.rules.armies.numbers import MAXIMUM, RECOMMENDED, number_faults, rank_names
from wargame.rules.core.sides import Rank

MOST_ARMIES = 240


def holders(prepared: Preparation) -> list[tuple[str, Rank]]:
    """2.5.2.1: the players who hold a rank, by name."""
    return [(player.name, Rank(player.rank)) for player in prepared.ranked]


def problems(prepared: Preparation) -> Iterator[Problem]:
    """2.5.2.1: what is wrong with the name and the numbers, or that these were not chosen yet."""
    setup = prepared.setup
    if not setup.version("name"):
        yield missing(gettext("Choose how many armies of each rank a side has."), "2.5.2.1")
    if other := next((name for name in prepared.played_now if look_alike(name, setup.round.name)), ""):
        told = gettext(
            "A round called “%(other)s” is already being played. Choose another name, so that the two aren't "
            "mixed up in emails and lists."
        )
        yield wrong(told, "2.5.2.1", other=other)
    for fault in number_faults(setup.armies, holders(prepared)):
        yield wrong(fault.sentence, fault.cites)
    if tuple(setup.armies) != RECOMMENDED:
        numbers, told = "/".join(map(str, RECOMMENDED)), gettext("We recommend %(numbers)s (%(sum)s armies).")
        yield advice(told, "2.5.2.1", numbers=numbers, sum=sum(RECOMMENDED))


class NameForm(StepForm):
    """2.5.2.1: the round's name, and the number of armies of each rank, the highest first, the same for both sides."""

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

    def saved(self) -> dict[str, Any]:
        return {"name": self.round.name, **{f"rank{tier}": n for tier, n in enumerate(self.setup.armies, 1)}}

    @property
    def ranks(self) -> list[forms.BoundField]:
        return [self[f"rank{tier}"] for tier in range(1, len(MAXIMUM) + 1)]

    @locking.writes
    def save(self) -> str:
        """Refused for numbers above the maxima, or below the number of players who hold a rank."""
        setup, name = self.held(), checked_name(self.cleaned_data["name"])
        armies = [self.cleaned_data[field.name] for field in self.ranks]
        if faults := number_faults(armies, holders(Preparation(setup))):
            raise Refused(" ".join(fault.sentence for fault in faults), "2.5.2.1")
        self.round.name = setup.round.name = name
        setup.round.save(update_fields=["name"])
        setup.armies = armies
        self.store(setup, name=name, armies=armies)
        return gettext("Saved.")
