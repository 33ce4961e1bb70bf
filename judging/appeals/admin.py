"""1.3: Appeals on the judges' desk: only those that everybody may read, of all rounds."""

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from judging.appeals.models import Appeal
from judging.appeals.queries import JOINED, LEFT_OUT, title_of
from judging.common.admin import ReadOnlyAdmin, site
from wargame.models.choices import RoundState


class AppealAdmin(ReadOnlyAdmin):
    """R57: The appeals with their answers. A hidden one is listed once its round is over, because a judge of one
    round may play in another."""

    says = gettext_lazy("each appeal with its rule and reason, the judge picked at random to answer it, and the answer")
    list_display = ("number", "round", "kind", "by", "cites", "against", "judge", "state", "lodged_at")
    list_display_links = ("number", "kind")
    list_filter = ("round", "kind", "state")
    list_select_related = JOINED
    search_fields = ("player__name", "cites", "answer_cites", "reason", "answer")
    ordering = ("-lodged_at",)
    fields = (
        *("round", "number", "what", "by", "cites", "reason", "lodged_at", "against", "judge", "drawn", "due_at"),
        *("state", "answer_cites", "answer", "answered_at"),
    )
    readonly_fields = ("what", "by", "drawn")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Appeal]:
        public = super().get_queryset(request).filter(Q(is_hidden=False) | Q(round__state=RoundState.OVER))
        return public.select_related(*JOINED).defer(*LEFT_OUT)

    @admin.display(description="player")
    def by(self, appeal: Appeal) -> str:
        """R57: The name of the person who lodged the appeal."""
        return appeal.lodger.name

    @admin.display(description="decision")
    def what(self, appeal: Appeal) -> str:
        """R57: The contested decision."""
        return title_of(appeal)

    @admin.display(description="drawn")
    def drawn(self, appeal: Appeal) -> str:
        """R38: All draws of the judge who answers, one a line; the last one counts."""
        return "\n".join(
            gettext("%(drew)s, drawn from %(among)s: %(name)s") % {**one, "among": ", ".join(one["among"])}
            for one in appeal.draws
        )


def register() -> None:
    """1.3: Add this table to the desk."""
    site.register(Appeal, AppealAdmin)
