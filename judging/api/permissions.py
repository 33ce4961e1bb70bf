"""1.6: what a token may do: by the method of a request and by its address."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from judging.api.errors import Forbidden
from judging.api.models import Scope
from judging.common.accounts import lacks_second_factor
from judging.common.judges import has_role

if TYPE_CHECKING:
    from rest_framework.views import APIView


class MayByToken(BasePermission):
    """1.6: a token needs `read` to look and `post` for everything else, unless the address says otherwise.

    An address of the judges has `reads_by` or `writes_by` = `judge`, or a method with a `scope`; one that stores
    nothing writes by `read`. Sessions
    have no scopes: whoever is logged in on the site may do what they may.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        """Raises Forbidden with the scope that is missing, or for a role that is suspended."""
        scopes = _scopes_of(request)
        is_read = request.method in SAFE_METHODS
        method = getattr(view, (request.method or "").lower(), None)
        writes_by = getattr(method, "scope", "") or getattr(view, "writes_by", Scope.POST)
        scope = getattr(view, "reads_by", Scope.READ) if is_read else writes_by
        if scope in (Scope.JUDGE, Scope.OPERATE) and has_role(request.user) and lacks_second_factor(request.user):
            raise Forbidden(
                gettext("This site requires a second factor. Set yours up on your account page, then try again."), "1.6"
            )
        if scopes is not None and scope not in scopes:
            raise Forbidden(
                gettext(
                    "This token can't do this. It needs the scope “%(needed)s”. Make another one on your account page."
                )
                % {"needed": scope},
                "1.6",
            )
        return True


def may_judge(request: Request) -> bool:
    """1.3, 1.6: whether a request comes with its person's roles: a token without `judge` looks without them."""
    scopes = _scopes_of(request)
    return scopes is None or Scope.JUDGE in scopes


def _scopes_of(request: Request) -> list[str] | None:
    """Those of the token with which a request came; None if it came with none."""
    scopes: list[str] | None = getattr(request.auth, "scopes", None)
    return scopes
