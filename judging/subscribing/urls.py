"""The addresses of the feeds and calendars of rounds, people, armies and players."""

from django.urls import path

from judging.subscribing import of_rounds, pages

FEEDS = "rounds/<slug:slug>/feeds"

urlpatterns = [
    path(f"{FEEDS}/<slug:name>/", of_rounds.feed, name="feed"),
    path("rounds/<slug:slug>/calendar.ics", of_rounds.calendar, name="calendar"),
    path(f"{FEEDS}/armies/<path:name>/", pages.army_feed, name="army-feed"),
    path(f"{FEEDS}/players/<path:name>/", pages.player_feed, name="player-feed"),
    path("tables/<slug:table>/feed/", pages.table_feed, name="table-feed"),
    path("accounts/feeds/", pages.own_feeds, name="own-feeds"),
    path("feeds/<slug:token>/calendar.ics", pages.own_calendar, name="own-calendar"),
    path("feeds/<slug:token>/news/", pages.own_feed, name="own-feed"),
    path("feeds/<slug:token>/rounds/<slug:slug>/<slug:board>/", pages.own_board_feed, name="own-board-feed"),
    path("feeds/<slug:token>/tables/<slug:table>/", pages.own_table_feed, name="own-table-feed"),
]
