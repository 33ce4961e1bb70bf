"""The addresses of the site."""

from django.urls import include, path

from judging.game.judge_site import site

urlpatterns = [
    path("judge/", site.urls),
    path("", include("judging.urls")),
]

handler500 = "judging.game.busy.server_error"

handler400 = "wargame.web.uploads.bad_request"
