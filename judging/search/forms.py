"""3.1: what is typed to search by."""

from __future__ import annotations

from datetime import UTC, datetime, time

from django import forms

from judging.search.reads import KINDS, Asked, words_of
from wargame.models.choices import SIDES

LONGEST = 200
LARGEST_TURN = 10**6


class SearchForm(forms.Form):
    """3.1: words and what narrows them. All of it may be empty, and then nothing is looked for."""

    q = forms.CharField(required=False, max_length=LONGEST, label="Words")
    kind = forms.ChoiceField(required=False, choices=[("", "everywhere"), *KINDS.items()], label="Where")
    by = forms.CharField(required=False, max_length=150, label="By")
    side = forms.ChoiceField(required=False, choices=[("", "either side"), *SIDES[:2]], label="Side")
    turn = forms.IntegerField(required=False, min_value=1, max_value=LARGEST_TURN, label="Turn")
    since = forms.DateField(
        required=False, label="Since", widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def asked(self) -> Asked:
        """What is looked for, of a form that is valid."""
        given = self.cleaned_data
        since = given["since"]
        return Asked(
            words=words_of(given["q"]),
            by=given["by"].strip(),
            side=given["side"],
            turn=given["turn"],
            since=datetime.combine(since, time.min, UTC) if since else None,
            kind=given["kind"],
        )
