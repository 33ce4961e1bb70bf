"""The addresses of setup."""

from django.urls import path

from judging.setup import pages
from judging.setup.steps import (
    armies_pages,
    basics_pages,
    mercenaries_pages,
    placement_pages,
    public_pages,
    sites_pages,
    start_pages,
    team_pages,
    terrain_pages,
)

SETUP = "rounds/<slug:slug>/setup"

urlpatterns = [
    path("new-round/", pages.new, name="round-new"),
    path(f"{SETUP}/", pages.overview, name="setup"),
    path(f"{SETUP}/give-up/", pages.given_up, name="setup-give-up"),
    path(f"{SETUP}/name/", basics_pages.name, name="setup-name"),
    path(f"{SETUP}/judges/", basics_pages.judges, name="setup-judges"),
    path(f"{SETUP}/calendar/", basics_pages.calendar, name="setup-calendar"),
    path(f"{SETUP}/calendar/preview/", basics_pages.calendar_preview, name="setup-calendar-preview"),
    path(f"{SETUP}/terrain/", terrain_pages.terrain, name="setup-terrain"),
    path(f"{SETUP}/terrain.txt", terrain_pages.download, name="setup-terrain-text"),
    path(f"{SETUP}/bases/", sites_pages.bases, name="setup-bases"),
    path(f"{SETUP}/bases/preview/", sites_pages.preview, {"step": "bases"}, name="setup-bases-preview"),
    path(f"{SETUP}/bases/shown/", sites_pages.shown, name="setup-shown"),
    path(f"{SETUP}/towns/", sites_pages.towns, name="setup-towns"),
    path(f"{SETUP}/towns/preview/", sites_pages.preview, {"step": "towns"}, name="setup-towns-preview"),
    path(f"{SETUP}/descriptions/", public_pages.descriptions, name="setup-descriptions"),
    path(f"{SETUP}/descriptions/<int:site_id>/", public_pages.description, name="setup-description"),
    path(f"{SETUP}/wins/", public_pages.wins, name="setup-wins"),
    path(f"{SETUP}/reveal/", public_pages.publish, name="setup-reveal"),
    path(f"{SETUP}/team/", team_pages.wish, name="setup-team"),
    path(f"{SETUP}/team/descriptions/", team_pages.descriptions, name="setup-team-descriptions"),
    path(f"{SETUP}/team/wins/", team_pages.wins, name="setup-team-wins"),
    path(f"{SETUP}/armies/", armies_pages.armies, name="setup-armies"),
    path(f"{SETUP}/proxies/", armies_pages.proxies, name="setup-proxies"),
    path(f"{SETUP}/proxies/<int:muster_id>/", armies_pages.proxy, name="setup-proxy"),
    path(f"{SETUP}/proxies/<int:muster_id>/preview/", armies_pages.preview, name="setup-proxy-preview"),
    path(f"{SETUP}/proxies/<int:muster_id>/find/", armies_pages.find, name="setup-proxy-find"),
    path(f"{SETUP}/placement/", placement_pages.placement, name="setup-placement"),
    path(f"{SETUP}/placement/preview/", placement_pages.preview, name="setup-placement-preview"),
    path(f"{SETUP}/mercenaries/", mercenaries_pages.mercenaries, name="setup-mercenaries"),
    path(f"{SETUP}/book/", start_pages.book, name="setup-book"),
    path(f"{SETUP}/control/", start_pages.control, name="setup-control"),
    path(f"{SETUP}/start/", start_pages.start, name="setup-start"),
    path(f"{SETUP}/starts/", start_pages.starts, name="setup-starts"),
]
