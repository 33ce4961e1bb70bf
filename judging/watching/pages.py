"""`/metrics`: figures for Prometheus, for those addresses alone that the host has named."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from judging.watching.reads import figures
from wargame.web import metrics
from wargame.web.visitors import address


class OfDatabase(Collector):
    """Asks the database at each scrape."""

    def collect(self) -> Iterator[GaugeMetricFamily]:
        for figure in figures(timezone.now()):
            family = GaugeMetricFamily(figure.name, figure.meaning, labels=[figure.label] if figure.label else None)
            for label, value in figure.values.items():
                family.add_metric([label] if figure.label else [], value)
            yield family


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """The figures. To anybody who is not named in METRICS_FROM there is no such page."""
    if not _may_read(address(request)):
        raise Http404
    registry = CollectorRegistry()
    registry.register(OfDatabase())
    return HttpResponse(metrics.written(metrics.counted(), registry), content_type=CONTENT_TYPE_LATEST)


def _may_read(who: str | None) -> bool:
    try:
        visitor = ipaddress.ip_address(who or "")
    except ValueError:
        return False
    return any(visitor in ipaddress.ip_network(network) for network in settings.METRICS_FROM)
