"""`/healthz`: whether the service works, for monitors; `/livez`: whether this process answers, for proxies."""

from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from judging.health.checks import health_at
from wargame.web.requests import ALIVE


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """200 if all is well, else 503, with the problems in numbers."""
    health = health_at(timezone.now())
    return JsonResponse(health.as_json(), status=200 if health.is_well else 503)


@never_cache
@require_safe
def livez(request: HttpRequest) -> JsonResponse:
    """200 whenever this process answers; it checks nothing else. A restart because of a 503 of `/healthz` would not
    help: the database would still be unavailable. `Numbered` answers this before all else, for any host name."""
    return JsonResponse(ALIVE)
