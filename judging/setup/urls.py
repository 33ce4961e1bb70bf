from collections.abc import Iterator

from django.urls import URLPattern, path
from django.views.decorators.http import require_safe

from judging.setup import api, views
from judging.setup.overview import STEPS, TEAM_PAGES
from judging.setup.step import Step
from judging.setup.steps import proxies

SETUP = "rounds/<slug:slug>/setup"
PROXY = f"{SETUP}/proxies/<int:muster_id>"


def _addresses(step: Step) -> Iterator[URLPattern]:
    base, name = f"{SETUP}/{step.key}", f"setup-{step.key}"
    if step.form:
        view = views.step_view(step, step.form)
        yield path(f"{base}/", view if step.form.saves else require_safe(view), name=name)
        if step.preview:
            yield path(f"{base}/preview/", views.preview_view(step, step.form), name=f"{name}-preview")
    if step.part:
        yield path(f"{base}/<int:{step.part.row}>/", views.step_view(step, step.part), name=f"setup-{step.part.part}")


urlpatterns = [
    path("new-round/", views.new, name="round-new"),
    path(f"{SETUP}/", views.overview, name="setup"),
    path(f"{SETUP}/give-up/", views.given_up, name="setup-give-up"),
    *(address for step in STEPS for address in _addresses(step)),
    *(path(f"{SETUP}/{page.address}", views.team_view(page), name=page.name) for page in TEAM_PAGES),
    path(f"{SETUP}/terrain.txt", views.download_terrain, name="setup-terrain-text"),
    path(f"{SETUP}/bases/shown/", views.shown, name="setup-shown"),
    path(f"{PROXY}/preview/", proxies.preview, name="setup-proxy-preview"),
    path(f"{PROXY}/find/", proxies.find_creatures, name="setup-proxy-find"),
    path(f"{SETUP}/start/", views.start, name="setup-start"),
]


api_urlpatterns = [
    path("new-round/", api.NewRound.as_view(), name="api-round-new"),
    path(f"{SETUP}/steps/<slug:step>/", api.SetupStep.as_view(), name="api-setup-step"),
    path(f"{SETUP}/steps/<slug:what>/<int:key>/", api.SetupOne.as_view(), name="api-setup-one"),
    path(f"{SETUP}/team/<slug:page>/", api.SetupTeam.as_view(), name="api-setup-team"),
    path(f"{SETUP}/start/", api.Start.as_view(), name="api-setup-start"),
    path(f"{SETUP}/give-up/", api.GivingUp.as_view(), name="api-setup-give-up"),
]
