"""The addresses of notices."""

from django.urls import path

from judging.notices import api, feeds, live

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/live/", live.news, name="live"),
    path(f"{ROUND}/feeds/<slug:name>/", feeds.feed, name="feed"),
    path(f"{ROUND}/calendar.ics", feeds.calendar, name="calendar"),
]

api_urlpatterns = [
    path("events/", api.Events.as_view(), name="api-events"),
]
