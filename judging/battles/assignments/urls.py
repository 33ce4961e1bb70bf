from django.urls import path

from judging.battles.assignments import api, views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/judges/mine/", views.of_mine, name="judges-mine"),
]

api_urlpatterns = [
    path(f"{ROUND}/judges/", api.Judges.as_view(), name="api-judges"),
    path(f"{ROUND}/judges/conflicts/", api.Conflicts.as_view(), name="api-judges-conflicts"),
    path(f"{ROUND}/judges/conflicts/<int:conflict_id>/", api.OneConflict.as_view(), name="api-judges-conflict"),
    path(f"{ROUND}/judges/leave/", api.Leave.as_view(), name="api-judges-leave"),
    path(f"{ROUND}/judges/deputy/", api.DeputyOf.as_view(), name="api-judges-deputy"),
    path(f"{ROUND}/desk/", api.Desk.as_view(), name="api-desk"),
]
