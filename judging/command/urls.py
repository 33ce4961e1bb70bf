"""The addresses of command."""

from django.urls import path

from judging.command import desk_pages
from judging.command.control import api, pages
from judging.command.judges import pages as judges_pages
from judging.command.people import pages as people_pages
from judging.game.judge_site import site

COMMAND = "rounds/<slug:slug>/command"
ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view

urlpatterns = [
    path(f"{COMMAND}/", pages.lists, name="command"),
    path(f"{COMMAND}/armies/<path:name>/", pages.army, name="command-army"),
    path(f"{COMMAND}/players/", people_pages.players, name="players"),
    path(f"{COMMAND}/players/<path:name>/", people_pages.player, name="player"),
    path(f"{COMMAND}/join/", people_pages.join, name="join"),
    path(f"{COMMAND}/invitation/", people_pages.invitation, name="invitation"),
    path(f"{COMMAND}/admissions/", people_pages.admissions, name="admissions"),
    path(f"{COMMAND}/service/", people_pages.service, name="service"),
    path(f"{COMMAND}/request/", pages.request_page, name="control-request"),
    path(f"{COMMAND}/request/check/", pages.check, name="control-check"),
    path(f"{COMMAND}/requests/", pages.requests, name="control-requests"),
    path(f"{COMMAND}/contingencies/", pages.contingencies, name="contingencies"),
    path(f"{COMMAND}/power/", pages.power, name="control-power"),
    path(f"{ROUND}/judges/", judges_pages.judges, name="judges"),
]

judge_urlpatterns = [
    path("rounds/<int:round_id>/command/", _for_judges(desk_pages.command), name="command"),
]

api_urlpatterns = [
    path(f"{ROUND}/control/", api.ControlList.as_view(), name="api-control"),
    path(f"{ROUND}/control/requests/", api.ControlRequests.as_view(), name="api-control-requests"),
]
