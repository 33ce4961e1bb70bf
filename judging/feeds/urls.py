from django.urls import path

from judging.feeds import views

FEEDS = "rounds/<slug:slug>/feeds"

TABLE_CALENDAR = path("tables/deadlines/<str:token>/calendar.ics", views.table_calendar, name="table-calendar")

urlpatterns = [
    TABLE_CALENDAR,
    path(f"{FEEDS}/<slug:name>/", views.feed, name="feed"),
    path("rounds/<slug:slug>/calendar.ics", views.calendar, name="calendar"),
    path(f"{FEEDS}/armies/<path:name>/", views.army_feed, name="army-feed"),
    path(f"{FEEDS}/players/<path:name>/", views.player_feed, name="player-feed"),
    path("rounds/<slug:slug>/boards/<slug:board>/feed/", views.board_feed, name="board-feed"),
    path("rounds/<slug:slug>/boards/<slug:board>/topics/<int:topic>/feed/", views.board_feed, name="board-topic-feed"),
    path("tables/<slug:table>/feed/", views.table_feed, name="table-feed"),
    path("accounts/feeds/", views.own_feeds, name="own-feeds"),
    path("feeds/<slug:token>/calendar.ics", views.own_calendar, name="own-calendar"),
    path("feeds/<slug:token>/news/", views.own_feed, name="own-feed"),
    path("feeds/<slug:token>/rounds/<slug:slug>/<slug:board>/", views.own_board_feed, name="own-board-feed"),
    path("feeds/<slug:token>/tables/<slug:table>/", views.own_table_feed, name="own-table-feed"),
]

api_urlpatterns = [TABLE_CALENDAR]
