"""1.1, 5.2: the addresses of joining, ranks and the control list."""

from django.urls import path

from judging.views import command, control, joining, roster, service

COMMAND = "rounds/<slug:slug>/command"

urlpatterns = [
    path(f"{COMMAND}/", command.lists, name="command"),
    path(f"{COMMAND}/armies/<path:name>/", command.army, name="command-army"),
    path(f"{COMMAND}/players/", roster.players, name="players"),
    path(f"{COMMAND}/players/<path:name>/", roster.player, name="player"),
    path(f"{COMMAND}/join/", joining.join, name="join"),
    path(f"{COMMAND}/admissions/", joining.admissions, name="admissions"),
    path(f"{COMMAND}/service/", service.service, name="service"),
    path(f"{COMMAND}/request/", control.request_page, name="control-request"),
    path(f"{COMMAND}/request/check/", control.check, name="control-check"),
    path(f"{COMMAND}/requests/", control.requests, name="control-requests"),
    path(f"{COMMAND}/contingencies/", control.contingencies, name="contingencies"),
    path(f"{COMMAND}/power/", control.power, name="control-power"),
]
