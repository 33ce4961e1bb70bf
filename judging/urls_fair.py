"""The addresses of what makes a round fair and followed: recomputing it, its feeds and its calendar."""

from django.urls import path

from judging.views import feeds, verifying

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/verify/", verifying.verify, name="verify"),
    path(f"{ROUND}/verify/<int:number>/", verifying.verify_turn, name="verify-turn"),
    path(f"{ROUND}/feeds/<slug:name>/", feeds.feed, name="feed"),
    path(f"{ROUND}/calendar.ics", feeds.calendar, name="calendar"),
]
