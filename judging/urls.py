"""The addresses of a game that is run."""

from django.contrib.auth.views import LogoutView
from django.urls import include, path

from judging.views import health, home
from judging.views.health import healthz

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("accounts/login/", home.LogIn.as_view(), name="login"),
    path("accounts/password/", home.ChangePassword.as_view(), name="password"),
    path("accounts/logout/", LogoutView.as_view(), name="logout"),
    path("healthz", health.healthz, name="healthz"),
    path("", include("judging.urls_map")),
    path("", include("judging.urls_threads")),
    path("", include("judging.urls_musters")),
    path("", include("judging.api.urls")),
]
