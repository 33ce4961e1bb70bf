"""The addresses of a game that is run."""

from django.urls import include, path

from judging.views import home
from judging.views.health import healthz

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", healthz, name="healthz"),
    path("", include("judging.urls_accounts")),
    path("", include("judging.urls_map")),
    path("", include("judging.urls_threads")),
    path("", include("judging.urls_musters")),
    path("", include("judging.urls_command")),
    path("", include("judging.urls_boards")),
    path("", include("judging.urls_votes")),
    path("", include("judging.urls_fair")),
    path("", include("judging.urls_neutrals")),
    path("", include("judging.urls_setup")),
    path("", include("judging.urls_exchange")),
    path("", include("judging.api.urls")),
]
