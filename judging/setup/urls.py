"""The addresses of a set-up."""

from django.urls import path
from django.views.decorators.http import require_safe

from judging.setup import api, views
from judging.setup.steps import (
    armies,
    bases_and_towns,
    book,
    calendar,
    control,
    descriptions,
    judges,
    mercenaries,
    name,
    placement,
    proxies,
    terrain,
    wins,
)
from judging.setup.team import WishPage, team_view
from judging.setup.views import step_view

SETUP = "rounds/<slug:slug>/setup"
PROXY = f"{SETUP}/proxies/<int:muster_id>"

urlpatterns = [
    path("new-round/", views.new, name="round-new"),
    path(f"{SETUP}/", views.overview, name="setup"),
    path(f"{SETUP}/give-up/", views.given_up, name="setup-give-up"),
    path(f"{SETUP}/name/", step_view(name.NamePage), name="setup-name"),
    path(f"{SETUP}/judges/", step_view(judges.JudgesPage), name="setup-judges"),
    path(f"{SETUP}/calendar/", step_view(calendar.CalendarPage), name="setup-calendar"),
    path(f"{SETUP}/calendar/preview/", calendar.preview, name="setup-calendar-preview"),
    path(f"{SETUP}/terrain/", step_view(terrain.TerrainPage), name="setup-terrain"),
    path(f"{SETUP}/terrain.txt", terrain.download, name="setup-terrain-text"),
    path(f"{SETUP}/bases/", step_view(bases_and_towns.BasesPage), name="setup-bases"),
    path(f"{SETUP}/bases/preview/", bases_and_towns.preview, {"step": "bases"}, name="setup-bases-preview"),
    path(f"{SETUP}/bases/shown/", bases_and_towns.shown, name="setup-shown"),
    path(f"{SETUP}/towns/", step_view(bases_and_towns.TownsPage), name="setup-towns"),
    path(f"{SETUP}/towns/preview/", bases_and_towns.preview, {"step": "towns"}, name="setup-towns-preview"),
    path(f"{SETUP}/descriptions/", step_view(descriptions.DescriptionsPage), name="setup-descriptions"),
    path(f"{SETUP}/descriptions/<int:site_id>/", step_view(descriptions.DescriptionPage), name="setup-description"),
    path(f"{SETUP}/wins/", step_view(wins.WinsPage), name="setup-wins"),
    path(f"{SETUP}/reveal/", step_view(bases_and_towns.RevealPage), name="setup-reveal"),
    path(f"{SETUP}/team/", team_view(WishPage), name="setup-team"),
    path(f"{SETUP}/team/descriptions/", team_view(descriptions.TeamDescriptionsPage), name="setup-team-descriptions"),
    path(f"{SETUP}/team/wins/", team_view(wins.TeamWinsPage), name="setup-team-wins"),
    path(f"{SETUP}/armies/", step_view(armies.ArmiesPage), name="setup-armies"),
    path(f"{SETUP}/proxies/", step_view(proxies.ProxiesPage), name="setup-proxies"),
    path(f"{PROXY}/", step_view(proxies.ProxyPage), name="setup-proxy"),
    path(f"{PROXY}/preview/", proxies.preview, name="setup-proxy-preview"),
    path(f"{PROXY}/find/", proxies.find_creatures, name="setup-proxy-find"),
    path(f"{SETUP}/placement/", step_view(placement.PlacementPage), name="setup-placement"),
    path(f"{SETUP}/placement/preview/", placement.preview, name="setup-placement-preview"),
    path(f"{SETUP}/mercenaries/", step_view(mercenaries.MercenariesPage), name="setup-mercenaries"),
    path(f"{SETUP}/book/", step_view(book.BookPage), name="setup-book"),
    path(f"{SETUP}/control/", require_safe(step_view(control.ControlPage)), name="setup-control"),
    path(f"{SETUP}/start/", views.start, name="setup-start"),
    path(f"{SETUP}/starts/", team_view(control.StartsPage), name="setup-starts"),
]


api_urlpatterns = [
    path("new-round/", api.NewRound.as_view(), name="api-round-new"),
    path(f"{SETUP}/steps/<slug:step>/", api.SetupStep.as_view(), name="api-setup-step"),
    path(f"{SETUP}/steps/<slug:what>/<int:key>/", api.SetupOne.as_view(), name="api-setup-one"),
    path(f"{SETUP}/team/<slug:page>/", api.SetupTeam.as_view(), name="api-setup-team"),
    path(f"{SETUP}/start/", api.Start.as_view(), name="api-setup-start"),
    path(f"{SETUP}/give-up/", api.GivingUp.as_view(), name="api-setup-give-up"),
]
