"""1.3: The desk's front page, and the tables that judges can look up. Never shows seeds, strats and tokens."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin, messages
from django.db.models import DurationField, Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.dateparse import parse_duration
from django.utils.translation import gettext, gettext_lazy

from judging.accounts.forms import JudgeLogInForm
from judging.appeals import admin as appeals_admin
from judging.appeals.judge_requests import asked_of
from judging.battles.desk import admin as desk_admin
from judging.battles.desk.queue import queues
from judging.command.desk import command_queues
from judging.common.admin import ReadOnlyAdmin, ReadOnlyInline, site
from judging.common.errors import Refused
from judging.common.judges import is_administrator, may_change_round
from judging.common.models import LogEntry
from judging.common.stored_messages import reason_in
from judging.email.services import lost_letters
from judging.formula_books.services import rounds_with_books
from judging.log.actions import ACTS
from judging.log.queries import readable
from judging.setup.services import may_create_round, setups_of
from judging.tables import admin as tables_admin
from judging.tables.late_tables import troubles_for
from judging.turns.calendar import FIELDS, change_round, check_calendar
from judging.turns.damaged_rows import damaged_turns
from judging.turns.failures import stuck_turns
from judging.turns.models import Post, PostVersion
from judging.turns.posts.queries import posts_for_judges
from judging.turns.victories import proposals_for
from wargame.models import Army, Control, Player, Round, Troop, Turn
from wargame.web.lengths import LengthField

if TYPE_CHECKING:
    RoundModelForm = forms.ModelForm[Round]
else:
    RoundModelForm = forms.ModelForm

site.add_panels(
    stuck=stuck_turns,
    damaged=damaged_turns,
    tables=troubles_for,
    lost_letters=lost_letters,
    asked=lambda user, now: asked_of(user),
    queues=queues,
    victories=lambda user, now: proposals_for(user),
    books=lambda user, now: rounds_with_books(user),
    setups=lambda user, now: setups_of(user),
    may_create=lambda user, now: may_create_round(user),
    commands=command_queues,
    looks_after_people=lambda user, now: is_administrator(user),
)
site.login_form = JudgeLogInForm


NO_TIME = gettext_lazy("Write a length of time like 7 days or 36 hours (R5).")


class RoundLength(LengthField):
    """A duration in words, as in the set-up, or like a clock: `1 04:00:00`."""

    def to_python(self, value: object) -> timedelta | None:
        try:
            return super().to_python(value)
        except forms.ValidationError:
            try:
                length = parse_duration(str(value))
            except OverflowError:
                length = None
            if length is None:
                raise forms.ValidationError(NO_TIME) from None
            return length


class RoundForm(RoundModelForm):
    """R5: the calendar of a round, checked before anything is stored."""

    class Meta:
        model = Round
        fields = FIELDS
        field_classes = {
            field.name: RoundLength for field in Round._meta.get_fields() if isinstance(field, DurationField)
        }
        help_texts = {
            "turn_length": gettext_lazy("From unlock to lock, like 7 days or 90 min."),
            "deadline_before_lock": gettext_lazy("Strats are due this long before the lock: 1 day (3.1)."),
            "sealed_before_lock": gettext_lazy(
                "Players can send sealed orders from this long before the lock: 1 day 4 hours (3.1)."
            ),
            "contingency_before_deadline": gettext_lazy(
                "A contingency can send strats from this long before the deadline (5.2.3)."
            ),
            "after_lock_window": gettext_lazy(
                "The mercenary judge can change a raider's movement for this long after the lock: 2 hours "
                "(6.3.2). At most a tenth of a turn; 0 hours for never."
            ),
        }

    def clean(self) -> dict[str, object]:
        cleaned = super().clean() or self.cleaned_data
        for name, value in list(cleaned.items()):
            self._check({name: value}, name)
        if not self.errors:
            self._check(cleaned, "turn_length")
        return cleaned

    def _check(self, values: Mapping[str, object], field: str) -> None:
        try:
            check_calendar(values)
        except Refused as error:
            self.add_error(field, str(error))


@admin.register(Round, site=site)
class RoundAdmin(ReadOnlyAdmin):
    """1.5: a round; its judges may change its name and calendar."""

    says = gettext_lazy(
        "names, calendars and how results are published; each round's battle and movement judges can change these"
    )
    form = RoundForm
    list_display = ("name", "state", "turn_length", "publish_after", "winner")
    list_filter = ("state",)
    fields = (*FIELDS, "slug", "state", "winner", "created_at")
    readonly_fields = ("slug", "state", "winner", "created_at")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return isinstance(obj, Round) and may_change_round(request.user, obj)

    def render_change_form(self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any) -> Any:
        context["show_save_and_continue"] = False
        return super().render_change_form(request, context, *args, **kwargs)

    def response_change(self, request: HttpRequest, obj: Round) -> HttpResponse:
        message = gettext("You changed “%(name)s”. Its calendar applies from the next turn.") % {"name": obj.name}
        messages.success(request, message)
        return redirect("judge:wargame_round_change", obj.pk)

    def save_model(self, request: HttpRequest, obj: Round, form: RoundModelForm, change: bool) -> None:
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        if changes:
            change_round(round=obj, actor=request.user, changes=changes, now=timezone.now())


@admin.register(Turn, site=site)
class TurnAdmin(ReadOnlyAdmin):
    """3.1: the turns, with the hashes by which anybody can check them."""

    says = gettext_lazy("when each was opened, locked and settled, with its commitment and hashes")
    list_display = ("number", "round", "state", "opened_at", "deadline", "lock_at", "settled_at")
    list_filter = ("round", "state")
    list_select_related = ("round",)
    ordering = ("-round", "-number")
    fields = (
        *("round", "number", "state", "opened_at", "deadline", "lock_at", "locked_at", "settled_at"),
        *("commitment", "position_hash", "next_hash"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Turn]:
        return super().get_queryset(request).defer("position", "events")


class TroopRows(ReadOnlyInline):
    """2.1: an army's troops."""

    model = Troop
    fields = ("slot", "creature", "size", "alive", "of", "rested", "lost_in_day", "of_colors")
    readonly_fields = ("of_colors",)
    ordering = ("place",)

    @admin.display(description="colors")
    def of_colors(self, troop: Troop) -> str:
        """2.2.1.1: The army's colours, in words."""
        return ", ".join(map(gettext, troop.colors))


class ControlRows(ReadOnlyInline):
    """5.2: who controlled an army."""

    model = Control
    fields = ("player", "since", "until")
    ordering = ("-since",)


@admin.register(Army, site=site)
class ArmyAdmin(ReadOnlyAdmin):
    """2: The armies as they are now."""

    says = gettext_lazy("where each is now, its troops, its days and who has controlled it")
    list_display = ("name", "round", "side", "rank", "faction", "at", "days", "died_in")
    list_filter = ("round", "side", "rank", "faction")
    list_select_related = ("round",)
    search_fields = ("name", "at")
    ordering = ("round", "name")
    fields = (
        *("name", "round", "side", "rank", "faction", "at", "home", "of_colors", "legend"),
        *("namesake", "days", "winning_days", "died_in"),
    )
    readonly_fields = ("of_colors",)
    inlines = (TroopRows, ControlRows)

    @admin.display(description="colors")
    def of_colors(self, army: Army) -> str:
        """2.2.1.1: The army's colours, in words."""
        return ", ".join(map(gettext, army.colors))


@admin.register(Player, site=site)
class PlayerAdmin(ReadOnlyAdmin):
    """1.1: the players of both teams."""

    says = gettext_lazy("their teams, ranks and contingencies")
    list_display = ("name", "round", "side", "rank", "contingency", "may_change_control")
    list_filter = ("round", "side", "rank")
    list_select_related = ("round", "contingency")
    search_fields = ("name",)
    ordering = ("round", "name")
    fields = (*("name", "round", "side", "rank", "claims", "contingency", "may_change_control", "joined_at"),)
    readonly_fields = ("claims",)

    @admin.display(description="factions")
    def claims(self, player: Player) -> str:
        """1.1.2: the factions that a player claims, in words."""
        return ", ".join(player.factions)


@admin.register(Control, site=site)
class ControlAdmin(ReadOnlyAdmin):
    """5.2.1: the Proxy List, past and present."""

    says = gettext_lazy("which player controls or controlled each army, and until when")
    list_display = ("army", "player", "round", "since", "until")
    list_filter = ("round",)
    list_select_related = ("army", "player", "round")
    search_fields = ("army__name", "player__name")
    ordering = ("-since",)
    fields = ("army", "player", "round", "since", "until")


class VersionRows(ReadOnlyInline):
    """R7: every version of a post."""

    model = PostVersion
    fields = ("number", "at", "text")
    ordering = ("-number",)


@admin.register(Post, site=site)
class PostAdmin(ReadOnlyAdmin):
    """3.1: The movement thread; sealed orders appear at the lock (R6)."""

    says = gettext_lazy("the Orders threads with every version of each post; sealed posts appear at the lock")
    list_display = ("posted_at", "turn", "player", "sealed", "withdrawn_at")
    list_filter = ("sealed",)
    list_select_related = ("turn__round", "player")
    search_fields = ("player__name", "versions__text")
    ordering = ("-posted_at",)
    fields = ("turn", "player", "sealed", "posted_at", "withdrawn_at")
    inlines = (VersionRows,)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Post]:
        posts = posts_for_judges(super().get_queryset(request), timezone.now())
        return posts.defer("turn__position", "turn__events")


@admin.register(LogEntry, site=site)
class LogAdmin(ReadOnlyAdmin):
    """1.3: Who did what, and when; never changed. Leaves out what is still secret, like the page of the log."""

    says = gettext_lazy("who did what and when; entries never change")
    list_display = ("at", "round", "actor", "said")
    list_filter = ("round", "action")
    list_select_related = ("round", "actor")
    ordering = ("-id",)
    fields = ("at", "round", "actor", "said", "reason", "action")
    readonly_fields = ("said", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return readable(super().get_queryset(request), request.user, timezone.now())

    @admin.display(description="what")
    def said(self, entry: LogEntry) -> str:
        """1.3: The act as a sentence, as on the page of the log."""
        return ACTS[entry.action].sentence(entry.data) if entry.action in ACTS else entry.action

    @admin.display(description="reason")
    def reason(self, entry: LogEntry) -> str:
        """1.3: The stated reason."""
        return reason_in(entry.data)


desk_admin.register()
appeals_admin.register()
tables_admin.register()
