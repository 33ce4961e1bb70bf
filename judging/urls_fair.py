"""The addresses of what makes a round fair and followed: recomputing it, its log and judges, its feeds and calendar."""

from django.urls import path

from judging.views import feeds, judges, log, penalties, verifying

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/verify/", verifying.verify, name="verify"),
    path(f"{ROUND}/verify/<int:number>/", verifying.verify_turn, name="verify-turn"),
    path(f"{ROUND}/judges/", judges.judges, name="judges"),
    path(f"{ROUND}/log/", log.log, name="log"),
    path(f"{ROUND}/log/<slug:key>/", log.entry, name="log-entry"),
    path(f"{ROUND}/penalties/", penalties.penalties, name="penalties"),
    path(f"{ROUND}/feeds/<slug:name>/", feeds.feed, name="feed"),
    path(f"{ROUND}/calendar.ics", feeds.calendar, name="calendar"),
]
