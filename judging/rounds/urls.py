"""The addresses of all rounds together, of a round's end, and of people."""

from django.urls import path

from judging.rounds import api, pages

urlpatterns = [
    path("rounds/", pages.rounds, name="rounds"),
    path("rounds/<slug:slug>/end/", pages.end, name="round-end"),
    path("rounds/<slug:slug>/plays-by/", pages.plays_by, name="plays-by"),
    path("rounds/<slug:slug>/records/", pages.records, name="records"),
    path("people/<path:name>/", pages.person, name="record"),
]

api_urlpatterns = [
    path("rounds/<slug:slug>/end/", api.End.as_view(), name="api-round-end"),
    path("people/<path:name>/", api.Records.as_view(), name="api-record"),
]
