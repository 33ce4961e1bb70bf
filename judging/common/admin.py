"""1.3: The judges' admin site at /judge/, and its read-only tables."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.db.models import DurationField, Model
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy, pgettext_lazy

from judging.common.judges import has_role, may_enter
from wargame.web.lengths import length_words

Panel = Callable[[User | AnonymousUser, datetime], object]
"""The context of a front page panel for a user at a moment, for `judge/index.html` to lay out."""


logger = logging.getLogger(__name__)


class JudgeLogInForm(AdminAuthenticationForm):
    """1.3: The log-in of the desk. It rejects users who judge nothing."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": gettext_lazy("That name and password don't match. Both are case-sensitive."),
        "no_judge": gettext_lazy(
            "You don't judge any round, so you can't open this dashboard. The game itself has its own log-in."
        ),
    }

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        super(AdminAuthenticationForm, self).confirm_login_allowed(user)  # type: ignore[arg-type]
        if not has_role(user):
            raise ValidationError(self.error_messages["no_judge"], code="no_judge")


class JudgeSite(AdminSite):
    """1.3: open to judges of any round and to administrators; each page decides what they may see."""

    site_header = gettext_lazy("Judge dashboard")
    site_title = gettext_lazy("Judge dashboard")
    index_title = gettext_lazy("To do")
    index_template = "judge/index.html"
    login_template = "judge/login.html"
    login_form = JudgeLogInForm
    site_url = "/"
    enable_nav_sidebar = False

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self._panels: dict[str, Panel] = {}

    def add_panels(self, **panels: Panel) -> None:
        """Register panels for the front page, by their names in its template."""
        self._panels |= panels

    def has_permission(self, request: HttpRequest) -> bool:
        """Checked once a request: a user who was let in with a form sees its page, whatever the form has changed."""
        if not hasattr(request, "may_enter"):
            setattr(request, "may_enter", may_enter(request.user))  # noqa: B010
        return bool(getattr(request, "may_enter"))  # noqa: B009

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [path("", include("judging.judge_urls")), *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> TemplateResponse:
        """The user's waiting tasks, panel by panel, above the list of tables."""
        now = timezone.now()
        context: dict[str, object] = {}
        broken: list[str] = []
        for name, panel in self._panels.items():
            try:
                context[name] = panel(request.user, now)
            except Exception:
                # Whoever must mend what is broken does it from this desk, so one panel must not close it.
                logger.exception("The panel “%s” of the judge dashboard failed.", name)
                broken.append(name)
        context["broken"] = broken
        return super().index(request, {**(extra_context or {}), **context, "looks": self._looks()})

    def _looks(self) -> list[dict[str, str]]:
        """The tables of the site, by title: `title`, `url`, and what it `says`."""
        looks = [
            {
                "title": capfirst(str(model._meta.verbose_name_plural)),
                "url": reverse(f"{self.name}:{model._meta.app_label}_{model._meta.model_name}_changelist"),
                "says": getattr(table, "says", ""),
            }
            for model, table in self._registry.items()
        ]
        return sorted(looks, key=lambda look: look["title"])


site = JudgeSite(name="judge")


if TYPE_CHECKING:
    from django.utils.functional import _StrOrPromise

    AnyAdmin = admin.ModelAdmin[Any]
    AnyInline = admin.TabularInline[Any, Any]
else:
    AnyAdmin, AnyInline = admin.ModelAdmin, admin.TabularInline


ROW, COLUMN = "table of the desk", "column of the desk"
names: set[tuple[str, str]] = set()
"""The names of the tables and their columns, each in its translation context: scripts/messages.py collects them."""

_translated: set[tuple[object, str]] = set()


class ReadOnly:
    """Judges can only look; their decisions have pages of their own."""

    def has_add_permission(self, request: HttpRequest, *args: object) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return site.has_permission(request)


class ReadOnlyAdmin(ReadOnly, AnyAdmin):
    """A table to look things up in. Only `list_filter` filters it: no address can guess at a secret."""

    says: _StrOrPromise = ""
    """The contents of the table, for the desk's front page."""

    change_form_template = "judge/look_up.html"
    actions = None
    list_per_page = 50
    show_facets = admin.ShowFacets.NEVER

    def __init__(self, model: type[Model], admin_site: admin.AdminSite) -> None:
        super().__init__(model, admin_site)
        _translate_names(self)
        _tell_lengths(self)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return site.has_permission(request)

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> HttpResponse:
        """Use our own title, by the contents."""
        title = {"title": capfirst(str(self.opts.verbose_name_plural))}
        return super().changelist_view(request, title | (extra_context or {}))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Use the model's name as the title; the object's name is below."""
        title = {"title": capfirst(str(self.opts.verbose_name))}
        return super().changeform_view(request, object_id, form_url, title | (extra_context or {}))

    def get_fields(self, request: HttpRequest, obj: Model | None = None) -> list[Any]:
        """On read-only pages, durations are shown in words."""
        names = [*super().get_fields(request, obj)]
        if self.has_change_permission(request, obj):
            return names
        return [f"{name}_told" if hasattr(self, f"{name}_told") else name for name in names]

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        """All shown fields."""
        extra_fields = [name for name in self.get_fields(request, obj) if str(name).endswith("_told")]
        return [*super().get_readonly_fields(request, obj), *extra_fields]

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        endings = ("", "__exact", "__isnull", "__id__exact")
        return any(lookup == f"{name}{ending}" for name in self.list_filter for ending in endings)


def _translate_names(table: ReadOnlyAdmin) -> None:
    """Translate the table's title and columns, and those of its inlines, into the reader's language."""
    for part in (table, *table.inlines):
        options = part.model._meta
        _tell(options, "verbose_name", ROW)
        _tell(options, "verbose_name_plural", ROW)
        columns = (*getattr(part, "list_display", ()), *getattr(part, "list_filter", ()), *(part.fields or ()))
        for name in map(str, columns):
            if column := getattr(part, name, None):
                _tell(column, "short_description", COLUMN)
            elif "__" not in name:
                _tell(options.get_field(name), "verbose_name", COLUMN)


def _tell(thing: object, attribute: str, context: str) -> None:
    """Once only: a name that is already translated would be taken for a source text."""
    if (thing, attribute) not in _translated:
        _translated.add((thing, attribute))
        name = str(getattr(thing, attribute))
        names.add((context, name))
        getattr(thing, "__func__", thing).__dict__[attribute] = pgettext_lazy(context, name)


def _tell_lengths(table: ReadOnlyAdmin) -> None:
    """Show columns of durations in words, instead of Django's clock format."""
    lengths = {field.name: field for field in table.model._meta.get_fields() if isinstance(field, DurationField)}
    for name, field in lengths.items():
        setattr(table, f"{name}_told", _length(name, field.verbose_name))
    table.list_display = [f"{name}_told" if name in lengths else name for name in table.list_display]


def _length(name: str, title: _StrOrPromise) -> Callable[[Model], str]:
    @admin.display(description=title, ordering=name)
    def told(row: Model) -> str:
        length = getattr(row, name)
        return "" if length is None else length_words(length)

    return told


class ReadOnlyInline(ReadOnly, AnyInline):
    """Read-only rows below the object that they belong to."""

    extra = 0
    can_delete = False
