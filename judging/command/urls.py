from django.urls import path

from judging.command import desk_api, desk_views
from judging.command.control import api
from judging.command.control import views as control_views
from judging.command.judges import api as judges_api
from judging.command.judges import views as judges_views
from judging.command.people import api as people_api
from judging.command.people import views as people_views
from judging.common.admin import site

COMMAND = "rounds/<slug:slug>/command"
ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view

urlpatterns = [
    path(f"{COMMAND}/", control_views.lists, name="command"),
    path(f"{COMMAND}/armies/<path:name>/", control_views.army, name="command-army"),
    path(f"{COMMAND}/players/", people_views.players, name="players"),
    path(f"{COMMAND}/players/<path:name>/", people_views.player, name="player"),
    path(f"{COMMAND}/give/<path:name>/", control_views.give_army, name="give-army"),
    path(f"{COMMAND}/join/", people_views.join, name="join"),
    path(f"{COMMAND}/invitation/", people_views.invitation, name="invitation"),
    path(f"{COMMAND}/admissions/", people_views.admissions, name="admissions"),
    path(f"{COMMAND}/service/", people_views.service, name="service"),
    path(f"{COMMAND}/request/", control_views.request_page, name="control-request"),
    path(f"{COMMAND}/request/check/", control_views.check, name="control-check"),
    path(f"{COMMAND}/requests/", control_views.requests, name="control-requests"),
    path(f"{COMMAND}/contingencies/", control_views.contingencies, name="contingencies"),
    path(f"{COMMAND}/power/", control_views.power, name="control-power"),
    path(f"{ROUND}/judges/", judges_views.judges, name="judges"),
]

judge_urlpatterns = [
    path("rounds/<int:round_id>/command/", _for_judges(desk_views.command), name="command"),
]

api_urlpatterns = [
    path(f"{ROUND}/control/", api.ControlList.as_view(), name="api-control"),
    path(f"{ROUND}/control/requests/", api.ControlRequests.as_view(), name="api-control-requests"),
    path(f"{ROUND}/control/requests/<int:request_id>/", api.OneControlRequest.as_view(), name="api-control-request"),
    path(f"{ROUND}/control/give/<str:name>/", api.Give.as_view(), name="api-control-give"),
    path(f"{ROUND}/control/contingencies/", api.Contingencies.as_view(), name="api-contingencies"),
    path(f"{ROUND}/control/power/", api.Power.as_view(), name="api-control-power"),
    path(f"{ROUND}/admission/", people_api.OwnAdmission.as_view(), name="api-admission"),
    path(f"{ROUND}/admissions/invited/", people_api.InvitedAdmissions.as_view(), name="api-admissions-invited"),
    path(f"{ROUND}/admissions/<int:admission_id>/", people_api.OneAdmission.as_view(), name="api-admissions"),
    path(f"{ROUND}/invitation/", people_api.OwnInvitation.as_view(), name="api-invitation"),
    path(f"{ROUND}/players/<str:name>/", people_api.OnePlayer.as_view(), name="api-player"),
    path(f"{ROUND}/service/", people_api.Service.as_view(), name="api-service"),
    path(f"{ROUND}/judges/seats/", judges_api.Seats.as_view(), name="api-judges-seats"),
    path(f"{ROUND}/command/", desk_api.Command.as_view(), name="api-command"),
]
