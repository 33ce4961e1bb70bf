"""T12: the public part of card tables, their judges, rulings and card lists, at the judges' desk. A table's log
decides, so nothing is editable here; an administrator can mark a list as official."""

from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy

from judging.common.admin import ReadOnlyAdmin, ReadOnlyInline, site
from judging.common.judges import is_administrator
from judging.tables.cards import lists
from judging.tables.models import CardList, Entry, Seat, Table, TableJudge, TableRuling
from judging.tables.queries import seen_by


class SeatRows(ReadOnlyInline):
    """T6: the players at a table, with their clocks."""

    model = Seat
    fields = ("letter", "name", "sat_at", "bank", "missed", "asked_at")
    ordering = ("letter",)


class JudgeRows(ReadOnlyInline):
    """T11.4: the table's present and former judges."""

    model = TableJudge
    fields = ("name", "is_head", "named_at", "dismissed_at")


class TableAdmin(ReadOnlyAdmin):
    """T6: the public tables, without seed and invitation."""

    says = gettext_lazy("their games, clocks and chains; hidden parts stay hidden until the table is finished")
    list_display = ("name", "game", "format", "state", "opened_at", "due_at", "entries")
    list_filter = ("game", "state")
    search_fields = ("name", "slug")
    ordering = ("-opened_at",)
    fields = (
        *("name", "slug", "game", "format", "card_list", "state", "places", "cuts", "decision_time", "bank"),
        *("turn_time", "opened_at", "started_at", "ended_at", "stopped_at", "question", "due_at", "winner"),
        *("commitment", "head", "entries", "rules_version"),
    )
    inlines = (SeatRows, JudgeRows)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Table]:
        visible = seen_by(request.user).order_by().values("pk")
        return super().get_queryset(request).filter(pk__in=visible).defer("seed", "invitation")


class EntryAdmin(ReadOnlyAdmin):
    """T6: the chains of those tables; of a hidden entry only its hash."""

    says = gettext_lazy("every entry of every card table, as in its chain")
    list_display = ("table", "n", "at", "by", "kind")
    list_filter = ("kind",)
    list_select_related = ("table",)
    search_fields = ("table__slug",)
    ordering = ("-id",)
    fields = ("table", "n", "at", "by", "kind", "args", "secret", "prev", "hash")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Entry]:
        visible = seen_by(request.user).order_by().values("pk")
        return super().get_queryset(request).filter(table__in=visible).defer("table__seed", "table__invitation")


class TableRulingAdmin(ReadOnlyAdmin):
    """T11.3: the rulings at tables."""

    says = gettext_lazy("each ruling's rule, card and reason")
    list_display = ("entry", "game", "card", "cites", "program")
    list_filter = ("game",)
    list_select_related = ("entry",)
    search_fields = ("card", "cites", "reason")
    fields = ("entry", "game", "card", "cites", "program", "reason")


class OfficialForm(forms.ModelForm):  # type: ignore[type-arg]
    """T7: whether an administrator vouches for a list."""

    class Meta:
        model = CardList
        fields = ("is_official",)


class CardListAdmin(ReadOnlyAdmin):
    """T7: the card lists; an administrator marks those that they vouch for."""

    says = gettext_lazy("each version, who uploaded it, and whether it is official")
    form = OfficialForm
    list_display = ("name", "version", "game", "cards", "made_up", "is_official", "made_at")
    list_filter = ("game", "is_official", "made_up")
    search_fields = ("name", "key")
    ordering = ("key", "-version")
    fields = ("name", "key", "version", "game", "about", "hash", "cards", "made_up", "is_official", "made_at")
    readonly_fields = tuple(name for name in fields if name != "is_official")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return isinstance(obj, CardList) and is_administrator(request.user)

    def get_queryset(self, request: HttpRequest) -> QuerySet[CardList]:
        return super().get_queryset(request).defer("data")

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        context["show_save_and_continue"] = False
        return super().render_change_form(request, context, *args, **kwargs)

    def save_model(self, request: HttpRequest, obj: CardList, form: OfficialForm, change: bool) -> None:
        assert isinstance(request.user, User)
        lists.mark_list(
            card_list=obj, by=request.user, is_official=form.cleaned_data["is_official"], now=timezone.now()
        )


def register() -> None:
    """1.3: register these with the desk."""
    site.register(Table, TableAdmin)
    site.register(Entry, EntryAdmin)
    site.register(TableRuling, TableRulingAdmin)
    site.register(CardList, CardListAdmin)
