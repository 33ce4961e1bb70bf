from django.urls import path

from judging.common.admin import site
from judging.penalties import api, views

ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view

urlpatterns = [
    path(f"{ROUND}/penalties/", views.penalties, name="penalties"),
]

judge_urlpatterns = [
    path("rounds/<int:round_id>/penalties/", _for_judges(views.penalties_desk), name="penalties"),
]

api_urlpatterns = [
    path(f"{ROUND}/penalties/", api.Penalties.as_view(), name="api-penalties"),
    path(f"{ROUND}/penalties/new/", api.HandDown.as_view(), name="api-penalty-new"),
    path(f"{ROUND}/penalties/<int:penalty_id>/lift/", api.Lift.as_view(), name="api-penalty-lift"),
]
