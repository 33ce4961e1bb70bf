"""1.3: the judges' desk: Django's admin as its own site at `/judge/`, for judges and administrators only."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils import timezone
from django.utils.text import capfirst

from judging.books.reads import rounds_with_books
from judging.command.desk import command_queues
from judging.game import judge as desk
from judging.setup.reads import may_create_round, setups_of
from judging.turns.victories import proposals_for


class JudgeLogInForm(AdminAuthenticationForm):
    """1.3: the log-in of the desk. Somebody who judges nothing is told so."""

    error_messages = {
        **AdminAuthenticationForm.error_messages,
        "invalid_login": "That name and password do not fit together. Both are case-sensitive.",
        "no_judge": "You judge no round, so this desk is closed to you. The game itself has its own log-in.",
    }

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        super(AdminAuthenticationForm, self).confirm_login_allowed(user)  # type: ignore[arg-type]
        if not desk.may_enter(user):
            raise ValidationError(self.error_messages["no_judge"], code="no_judge")


class JudgeSite(AdminSite):
    """1.3: open to judges of any round and to administrators; each page decides what they may see."""

    site_header = "Judges' desk"
    site_title = "Judges' desk"
    index_title = "What is waiting"
    index_template = "judge/index.html"
    login_template = "judge/login.html"
    login_form = JudgeLogInForm
    site_url = "/"
    enable_nav_sidebar = False

    def has_permission(self, request: HttpRequest) -> bool:
        return desk.may_enter(request.user)

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [path("", include("judging.judge_urls")), *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The queue of the running round above the list of what can be looked up."""
        found = desk.queues(request.user, timezone.now())
        waiting: dict[str, Any] = {
            "queues": found,
            "victories": proposals_for(request.user),
            "books": rounds_with_books(request.user),
        }
        waiting |= {"setups": setups_of(request.user), "may_create": may_create_round(request.user)}
        waiting |= {"commands": command_queues(request.user, timezone.now()), "looks": self._looks()}
        return super().index(request, {**(extra_context or {}), **waiting})

    def _looks(self) -> list[dict[str, str]]:
        """What can be looked up, by title: `title`, `url`, and what it `says`."""
        found = [
            {
                "title": capfirst(str(model._meta.verbose_name_plural)),
                "url": reverse(f"{self.name}:{model._meta.app_label}_{model._meta.model_name}_changelist"),
                "says": getattr(table, "says", ""),
            }
            for model, table in self._registry.items()
        ]
        return sorted(found, key=lambda look: look["title"])


site = JudgeSite(name="judge")
