from django.urls import path

from judging.home import api, views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path("accounts/login/", views.LogIn.as_view(), name="login"),
    path("accounts/password/", views.ChangePassword.as_view(), name="password"),
    path("rounds/<slug:slug>/bases/", views.places, name="places"),
    path("how-to-play/", views.how_to_play, name="how-to-play"),
    *(path(f"{name}/", views.host_page, {"name": name}, name=name) for name in ("imprint", "privacy")),
    path("logo/", views.logo, name="logo"),
    path("app.webmanifest", views.web_app_manifest, name="web-app-manifest"),
    path(".well-known/security.txt", views.security_text, name="security-text"),
    path("", views.home, name="home"),
]

api_urlpatterns = [
    path("rounds/", api.Rounds.as_view(), name="api-rounds"),
    path(f"{ROUND}/", api.OneRound.as_view(), name="api-round"),
]
