"""1.3: the judges' desk: Django's admin as its own site at `/judge/`, for judges and administrators only."""

from typing import Any

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import URLPattern, URLResolver, path
from django.utils import timezone

from judging.selectors import judge as desk
from judging.selectors.book_desk import rounds_with_books
from judging.selectors.victories import proposals_for


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
        from judging.views import books, drafts
        from judging.views import desk as acts
        from judging.views import judge as views
        from judging.views.judge_musters import addresses
        from judging.views.mercenary_strats import mercenary_strat
        from judging.views.victories import confirm

        own = [
            path("battles/<int:battle_id>/", self.admin_view(views.battle), name="battle"),
            path("battles/<int:battle_id>/strat/<str:army>/", self.admin_view(mercenary_strat), name="mercenary-strat"),
            path("battles/<int:battle_id>/do/<slug:act>/", self.admin_view(acts.act), name="battle-act"),
            path("battles/<int:battle_id>/press/<slug:act>/", self.admin_view(acts.press), name="battle-press"),
            path("turns/<int:turn_id>/draft/", self.admin_view(drafts.draft), name="draft"),
            path("turns/<int:turn_id>/corrections/", self.admin_view(drafts.corrections), name="corrections"),
            path("rulings/<int:ruling_id>/withdraw/", self.admin_view(drafts.withdraw), name="ruling-withdraw"),
            path("rounds/<int:round_id>/victory/", self.admin_view(confirm), name="victory"),
        ]
        book = [
            path("rounds/<int:round_id>/book/", self.admin_view(books.editor), name="book"),
            path("rounds/<int:round_id>/book/check/", self.admin_view(books.check), name="book-check"),
            path("rounds/<int:round_id>/book/plots/", self.admin_view(books.plots), name="book-plots"),
            path("rounds/<int:round_id>/book/<int:number>/", self.admin_view(books.version), name="book-version"),
        ]
        return [*own, *book, *addresses(self), *super().get_urls()]

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> TemplateResponse:
        """The queue of the running round above the list of what can be looked up."""
        found = desk.queues(request.user, timezone.now())
        waiting = {"queues": found, "victories": proposals_for(request.user), "books": rounds_with_books(request.user)}
        return super().index(request, {**(extra_context or {}), **waiting})


site = JudgeSite(name="judge")
