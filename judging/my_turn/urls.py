"""The address of a player's own page, and the one that it had before."""

from django.urls import path

from judging.my_turn import api, pages

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/my-turn/", pages.my_turn, name="mine"),
    path(f"{ROUND}/mine/", pages.before, name="mine-before"),
]

api_urlpatterns = [
    path(f"{ROUND}/my-turn/", api.MyTurn.as_view(), name="api-my-turn"),
]
