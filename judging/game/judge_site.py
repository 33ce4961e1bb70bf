"""1.3: the judges' desk: Django's admin as its own site at `/judge/`, for judges and administrators only.

Its front page is made of panels, one for each kind of work. The site knows none of them: `judging.admin`, which Django
loads at the start, says which there are.
"""

import logging
from collections.abc import Callable
from datetime import datetime

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, include, path, reverse
from django.utils import timezone
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from judging.game.judges import has_role, may_enter

Panel = Callable[[User | AnonymousUser, datetime], object]
"""What a panel of the front page shows to a user at a moment, for `judge/index.html` to lay out."""


logger = logging.getLogger(__name__)


class JudgeLogInForm(AdminAuthenticationForm):
    """1.3: the log-in of the desk. Somebody who judges nothing is told so."""

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
        """Panels for the front page, by the name under which its template has them."""
        self._panels |= panels

    def has_permission(self, request: HttpRequest) -> bool:
        """Asked once a request: who was let in with a form sees its page, whatever he wrote meanwhile."""
        if not hasattr(request, "may_enter"):
            setattr(request, "may_enter", may_enter(request.user))  # noqa: B010
        return bool(getattr(request, "may_enter"))  # noqa: B009

    def get_urls(self) -> list[URLPattern | URLResolver]:
        return [path("", include("judging.judge_urls")), *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, object] | None = None) -> TemplateResponse:
        """What waits for the user, panel by panel, above the list of what can be looked up."""
        now = timezone.now()
        waiting: dict[str, object] = {}
        broken: list[str] = []
        for name, panel in self._panels.items():
            try:
                waiting[name] = panel(request.user, now)
            except Exception:
                # Whoever must mend what is broken does it from this desk, so one panel must not close it.
                logger.exception("The panel “%s” of the judge dashboard failed.", name)
                broken.append(name)
        waiting["broken"] = broken
        return super().index(request, {**(extra_context or {}), **waiting, "looks": self._looks()})

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
