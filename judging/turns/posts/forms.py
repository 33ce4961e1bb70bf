"""3.1, R7, 3.2.4.2: the forms of the movement thread: a post, its edit, and the content of a transfer."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judging.common.errors import Refused
from judging.common.forms import LongText, WholeNumber, new_token
from judging.common.viewer import Viewer
from judging.turns.posts.services import (
    MAX_POST,
    send_manifest,
)
from wargame.models import Turn
from wargame.rules.core.saying import grouped
from wargame.rules.core.troops import Troop
from wargame.rules.core.turn import ManifestEntry


class PostForm(forms.Form):
    """3.1: a post for the movement thread. `turn` is the number of the turn in which the form was opened."""

    text = LongText(longest=MAX_POST, cites="3.1", rows=8, missing=gettext_lazy("Write at least one line."))
    token = forms.CharField(max_length=40, widget=forms.HiddenInput, required=False)
    turn = WholeNumber(widget=forms.HiddenInput, required=False, min_value=0)

    def clean_token(self) -> str:
        return self.cleaned_data["token"] or new_token()


class EditForm(forms.Form):
    """R7: an edit of a post. `base_version` is the number of the version on which the form was opened."""

    text = LongText(
        longest=MAX_POST, cites="R7", rows=12, missing=gettext_lazy("An edited post needs at least one line.")
    )
    base_version = WholeNumber(widget=forms.HiddenInput, min_value=1)


class ManifestForm(forms.Form):
    """3.2.4.2: the content of a transfer: its receiver, and how many of each of the sender's creatures."""

    receiver = forms.CharField(
        max_length=60,
        label=gettext_lazy("Receiving army"),
        widget=forms.TextInput(attrs={"list": "friends", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Name the army.")},
    )

    def __init__(self, *args: Any, troops: Sequence[Troop] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.troops = troops
        for place, troop in enumerate(troops):
            label = gettext("%(value)s, slot %(slot)s (%(alive)s alive)") % {
                "value": troop.creature or gettext("Troops"),
                "slot": troop.slot,
                "alive": grouped(troop.alive),
            }
            self.fields[f"n{place}"] = WholeNumber(min_value=0, required=False, label=label)

    @property
    def numbers(self) -> list[forms.BoundField]:
        """The fields with the numbers of troops, in the army's order."""
        return [self[f"n{place}"] for place in range(len(self.troops))]

    def entries(self) -> tuple[ManifestEntry, ...]:
        numbers = [(troop, self.cleaned_data.get(f"n{place}")) for place, troop in enumerate(self.troops)]
        return tuple(ManifestEntry(t.slot, number, t.creature or None) for t, number in numbers if number)


def check_turn(opened_in: str, turn: Turn) -> None:
    """3.1: a form acts in the turn for which it was opened, and in no other."""
    if opened_in in ("", str(turn.number)):
        return
    pattern = gettext(
        "You opened this form in turn %(opened_in)s, which is over. It is now turn %(number)s, and the map has "
        "changed. Your text is still below. Check it against the new map, then send it."
    )
    if not opened_in.isdecimal() or int(opened_in) > turn.number:
        pattern = gettext(
            "This form is for turn %(opened_in)s, which hasn't begun. It is now turn %(number)s. Your text is "
            "still below, and you can send it now."
        )
    raise Refused(pattern % {"opened_in": opened_in[:6], "number": turn.number}, "3.1")


def submit_manifest(viewer: Viewer, turn: Turn, sender: str, form: ManifestForm, opened_in: str, now: datetime) -> str:
    """3.2.4.2: send the manifest of a valid form; `opened_in` is the number of the turn in which it was opened."""
    check_turn(opened_in, turn)
    receiver, entries = form.cleaned_data["receiver"], form.entries()
    send_manifest(turn=turn, player=viewer.player, sender=sender, receiver=receiver, entries=entries, now=now)
    return gettext("Manifest submitted. The last one before the lock counts.")
