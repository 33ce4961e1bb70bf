"""The addresses of the front door, the log-in, and the pages of a player's own."""

from django.urls import path

from judging.home import api, pages

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path("accounts/login/", pages.LogIn.as_view(), name="login"),
    path("accounts/password/", pages.ChangePassword.as_view(), name="password"),
    path(f"{ROUND}/mine/", pages.mine, name="mine"),
    path("rounds/<slug:slug>/bases/", pages.places, name="places"),
    path("", pages.home, name="home"),
]

api_urlpatterns = [
    path("rounds/", api.Rounds.as_view(), name="api-rounds"),
    path(f"{ROUND}/", api.OneRound.as_view(), name="api-round"),
]
