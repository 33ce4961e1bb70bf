"""2.5: the addresses of the set-up of a round. A step's page is called `setup-<key>`."""

from django.urls import path

from judging.views import (
    rounds,
    setup,
    setup_armies,
    setup_basics,
    setup_land,
    setup_mercenaries,
    setup_placement,
    setup_public,
    setup_start,
    setup_team,
    setup_terrain,
)

SETUP = "rounds/<slug:slug>/setup"

urlpatterns = [
    path("rounds/", rounds.rounds, name="rounds"),
    path("new-round/", setup.new, name="round-new"),
    path("rounds/<slug:slug>/bases/", rounds.places, name="places"),
    path(f"{SETUP}/", setup.overview, name="setup"),
    path(f"{SETUP}/give-up/", setup.given_up, name="setup-give-up"),
    path(f"{SETUP}/name/", setup_basics.name, name="setup-name"),
    path(f"{SETUP}/judges/", setup_basics.judges, name="setup-judges"),
    path(f"{SETUP}/calendar/", setup_basics.calendar, name="setup-calendar"),
    path(f"{SETUP}/calendar/preview/", setup_basics.calendar_preview, name="setup-calendar-preview"),
    path(f"{SETUP}/terrain/", setup_terrain.terrain, name="setup-terrain"),
    path(f"{SETUP}/terrain.txt", setup_terrain.download, name="setup-terrain-text"),
    path(f"{SETUP}/bases/", setup_land.bases, name="setup-bases"),
    path(f"{SETUP}/bases/preview/", setup_land.preview, {"step": "bases"}, name="setup-bases-preview"),
    path(f"{SETUP}/bases/shown/", setup_land.shown, name="setup-shown"),
    path(f"{SETUP}/towns/", setup_land.towns, name="setup-towns"),
    path(f"{SETUP}/towns/preview/", setup_land.preview, {"step": "towns"}, name="setup-towns-preview"),
    path(f"{SETUP}/descriptions/", setup_public.descriptions, name="setup-descriptions"),
    path(f"{SETUP}/descriptions/<int:site_id>/", setup_public.description, name="setup-description"),
    path(f"{SETUP}/wins/", setup_public.wins, name="setup-wins"),
    path(f"{SETUP}/reveal/", setup_public.publish, name="setup-reveal"),
    path(f"{SETUP}/team/", setup_team.wish, name="setup-team"),
    path(f"{SETUP}/team/descriptions/", setup_team.descriptions, name="setup-team-descriptions"),
    path(f"{SETUP}/team/wins/", setup_team.wins, name="setup-team-wins"),
    path(f"{SETUP}/armies/", setup_armies.armies, name="setup-armies"),
    path(f"{SETUP}/proxies/", setup_armies.proxies, name="setup-proxies"),
    path(f"{SETUP}/proxies/<int:muster_id>/", setup_armies.proxy, name="setup-proxy"),
    path(f"{SETUP}/proxies/<int:muster_id>/preview/", setup_armies.preview, name="setup-proxy-preview"),
    path(f"{SETUP}/proxies/<int:muster_id>/find/", setup_armies.find, name="setup-proxy-find"),
    path(f"{SETUP}/placement/", setup_placement.placement, name="setup-placement"),
    path(f"{SETUP}/placement/preview/", setup_placement.preview, name="setup-placement-preview"),
    path(f"{SETUP}/mercenaries/", setup_mercenaries.mercenaries, name="setup-mercenaries"),
    path(f"{SETUP}/book/", setup_start.book, name="setup-book"),
    path(f"{SETUP}/control/", setup_start.control, name="setup-control"),
    path(f"{SETUP}/start/", setup_start.start, name="setup-start"),
    path(f"{SETUP}/starts/", setup_start.starts, name="setup-starts"),
]
