"""The URL of a player's own page, and its former one."""

from django.urls import path

from judging.my_turn import api, views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/my-turn/", views.my_turn, name="mine"),
    path(f"{ROUND}/mine/", views.before, name="mine-before"),
]

api_urlpatterns = [
    path(f"{ROUND}/my-turn/", api.MyTurn.as_view(), name="api-my-turn"),
]
