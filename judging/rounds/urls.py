from django.urls import path

from judging.rounds import api, views

urlpatterns = [
    path("rounds/", views.rounds, name="rounds"),
    path("rounds/<slug:slug>/end/", views.end, name="round-end"),
    path("rounds/<slug:slug>/plays-by/", views.plays_by, name="plays-by"),
    path("rounds/<slug:slug>/records/", views.records, name="records"),
    path("people/<path:name>/", views.person, name="record"),
]

api_urlpatterns = [
    path("rounds/<slug:slug>/end/", api.End.as_view(), name="api-round-end"),
    path("people/<path:name>/", api.Records.as_view(), name="api-record"),
]
