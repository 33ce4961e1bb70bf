"""1.3: the desk's front page, and what judges can look up there. Seeds, strats and tokens are shown nowhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from judging.battles.desk.queue import queues
from judging.books.reads import rounds_with_books
from judging.command.desk import command_queues
from judging.game.errors import Refused
from judging.game.judge_site import site
from judging.game.judges import may_change_round
from judging.game.models import LogEntry
from judging.letters.reads import lost_letters
from judging.log.reads import readable
from judging.people.forms import JudgeLogInForm
from judging.people.reads import is_administrator
from judging.setup.reads import may_create_round, setups_of
from judging.turns.calendar import FIELDS, change_round, check_calendar
from judging.turns.failures import stuck_turns
from judging.turns.models import Post, PostVersion
from judging.turns.posts.reads import posts_for_judges
from judging.turns.victories import proposals_for
from wargame.models import Army, Control, Player, Round, Troop, Turn

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
    RoundModelForm = forms.ModelForm[Round]
else:
    AnyAdmin, AnyInline, RoundModelForm = admin.ModelAdmin, admin.TabularInline, forms.ModelForm

site.add_panels(
    stuck=stuck_turns,
    lost_letters=lost_letters,
    queues=queues,
    victories=lambda user, now: proposals_for(user),
    books=lambda user, now: rounds_with_books(user),
    setups=lambda user, now: setups_of(user),
    may_create=lambda user, now: may_create_round(user),
    commands=command_queues,
    looks_after_people=lambda user, now: is_administrator(user),
)
site.login_form = JudgeLogInForm


class ReadOnly:
    """Judges look; what they decide goes through its own page."""

    def has_add_permission(self, request: HttpRequest, *args: Any) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return site.has_permission(request)


class LookUp(ReadOnly, AnyAdmin):
    """A table to look things up in. Only `list_filter` filters it: no address can guess at a secret."""

    says = ""
    """What is found there, for the desk's front page."""

    actions = None
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER

    def has_module_permission(self, request: HttpRequest) -> bool:
        return site.has_permission(request)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        endings = ("", "__exact", "__isnull", "__id__exact")
        return any(lookup == f"{name}{ending}" for name in self.list_filter for ending in endings)


class LookUpRows(ReadOnly, AnyInline):
    """Rows below the thing that they belong to."""

    extra = 0
    can_delete = False


class RoundForm(RoundModelForm):
    """R5: the calendar of a round, checked before anything is stored."""

    class Meta:
        model = Round
        fields = FIELDS
        help_texts = {
            "turn_length": "From unlock to lock, like 7 00:00:00 (days, then hours).",
            "deadline_before_lock": "How long before the lock strats are due: 1 00:00:00 (3.1).",
            "sealed_before_lock": "How long before the lock orders may be sent sealed: 1 04:00:00 (3.1).",
            "contingency_before_deadline": "How long before the deadline a contingency may send (5.2.3).",
            "after_lock_window": "How long the mercenary judge may change a raider's movement after the lock (6.3.2): "
            "02:00:00. At most a tenth of a turn; 0: not at all.",
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
class RoundAdmin(LookUp):
    """1.5: a round; its judges may change its name and calendar."""

    says = "names, calendars and how results are published, which the battle and movement judges of each may change"
    form = RoundForm
    list_display = ("name", "state", "turn_length", "publish_after", "winner")
    list_filter = ("state",)
    fields = (*FIELDS, "slug", "state", "winner", "created_at")
    readonly_fields = ("slug", "state", "winner", "created_at")

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return isinstance(obj, Round) and may_change_round(request.user, obj)

    def save_model(self, request: HttpRequest, obj: Round, form: RoundModelForm, change: bool) -> None:
        changes = {name: form.cleaned_data[name] for name in form.changed_data}
        if changes:
            change_round(round=obj, actor=request.user, changes=changes, now=timezone.now())


@admin.register(Turn, site=site)
class TurnAdmin(LookUp):
    """3.1: the turns, with the hashes by which anybody can check them."""

    says = "when each was opened, locked and settled, with its commitment and hashes"
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


class TroopRows(LookUpRows):
    """2.1: an army's troops."""

    model = Troop
    fields = ("slot", "creature", "size", "alive", "of", "rested", "colors")
    ordering = ("place",)


class ControlRows(LookUpRows):
    """5.2: who controlled an army."""

    model = Control
    fields = ("player", "since", "until")
    ordering = ("-since",)


@admin.register(Army, site=site)
class ArmyAdmin(LookUp):
    """2: the armies as they stand now."""

    says = "where each stands now, its troops, its days, and who has controlled it"
    list_display = ("name", "round", "side", "rank", "faction", "at", "days", "died_in")
    list_filter = ("round", "side", "rank", "faction")
    list_select_related = ("round",)
    search_fields = ("name", "at")
    ordering = ("round", "name")
    fields = (
        *("name", "round", "side", "rank", "faction", "at", "home", "colors", "legend"),
        *("namesake", "days", "winning_days", "died_in"),
    )
    inlines = (TroopRows, ControlRows)


@admin.register(Player, site=site)
class PlayerAdmin(LookUp):
    """1.1: the players of both teams."""

    says = "their teams, ranks and contingencies"
    list_display = ("name", "round", "side", "rank", "contingency", "may_change_control")
    list_filter = ("round", "side", "rank")
    list_select_related = ("round", "contingency")
    search_fields = ("name",)
    ordering = ("round", "name")
    fields = (*("name", "round", "side", "rank", "factions", "contingency", "may_change_control", "joined_at"),)


@admin.register(Control, site=site)
class ControlAdmin(LookUp):
    """5.2.1: the Proxy List, past and present."""

    says = "who controls which army, and who did until when"
    list_display = ("army", "player", "round", "since", "until")
    list_filter = ("round",)
    list_select_related = ("army", "player", "round")
    search_fields = ("army__name", "player__name")
    ordering = ("-since",)
    fields = ("army", "player", "round", "since", "until")


class VersionRows(LookUpRows):
    """R7: every version of a post."""

    model = PostVersion
    fields = ("number", "at", "text")
    ordering = ("-number",)


@admin.register(Post, site=site)
class PostAdmin(LookUp):
    """3.1: the movement thread; sealed orders appear at the lock (R6)."""

    says = "the movement threads with every version of each post; sealed ones from the lock on"
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
class LogAdmin(LookUp):
    """1.3: who did what, when; nothing in it is ever changed. What is still secret is left out, as on its page."""

    says = "who did what, when; nothing in it is ever changed"
    list_display = ("at", "round", "actor", "action", "data")
    list_filter = ("round", "action")
    list_select_related = ("round", "actor")
    ordering = ("-id",)
    fields = ("at", "round", "actor", "action", "data")

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        return readable(super().get_queryset(request), request.user, timezone.now())
