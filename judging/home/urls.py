"""The addresses of the front door and the log-in."""

from django.urls import path

from judging.home import api, pages

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path("accounts/login/", pages.LogIn.as_view(), name="login"),
    path("accounts/password/", pages.ChangePassword.as_view(), name="password"),
    path("rounds/<slug:slug>/bases/", pages.places, name="places"),
    path("how-to-play/", pages.how_to_play, name="how-to-play"),
    *(path(f"{name}/", pages.host_page, {"name": name}, name=name) for name in ("imprint", "privacy")),
    path("logo/", pages.logo, name="logo"),
    path("app.webmanifest", pages.web_app_manifest, name="web-app-manifest"),
    path(".well-known/security.txt", pages.security_text, name="security-text"),
    path("", pages.home, name="home"),
]

api_urlpatterns = [
    path("rounds/", api.Rounds.as_view(), name="api-rounds"),
    path(f"{ROUND}/", api.OneRound.as_view(), name="api-round"),
]
