"""3.1: the search form."""

from datetime import UTC, datetime, time

from django import forms
from django.utils.translation import gettext, gettext_lazy

from judging.common.forms import WholeNumber
from judging.search.queries import KINDS, SearchQuery, words_of
from wargame.models.choices import SIDES

LONGEST = 200
LARGEST_TURN = 10**6


def _kinds() -> list[tuple[str, str]]:
    return [("", gettext("everywhere")), *((kind, gettext(title)) for kind, title in KINDS.items())]


class SearchForm(forms.Form):
    """3.1: words and filters. All of it can be empty, and then there is no search."""

    q = forms.CharField(required=False, max_length=LONGEST, label=gettext_lazy("Words"))
    kind = forms.ChoiceField(required=False, choices=_kinds, label=gettext_lazy("Where"))
    by = forms.CharField(required=False, max_length=150, label=gettext_lazy("By"))
    side = forms.ChoiceField(
        required=False, choices=[("", gettext_lazy("either side")), *SIDES[:2]], label=gettext_lazy("Side")
    )
    turn = WholeNumber(required=False, min_value=1, max_value=LARGEST_TURN, label=gettext_lazy("Turn"))
    since = forms.DateField(
        required=False, label=gettext_lazy("Since"), widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )

    def asked(self) -> SearchQuery:
        data = self.cleaned_data
        since = data["since"]
        return SearchQuery(
            words=words_of(data["q"]),
            by=data["by"].strip(),
            side=data["side"],
            turn=data["turn"],
            since=datetime.combine(since, time.min, UTC) if since else None,
            kind=data["kind"],
        )
