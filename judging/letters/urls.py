"""The addresses of letters, on the desk alone."""

from django.urls import path

from judging.game.judge_site import site
from judging.letters import api, pages

judge_urlpatterns = [
    path("letters/again/", site.admin_view(pages.again), name="letters-again"),
]


api_urlpatterns = [
    path("letters/again/", api.Again.as_view(), name="api-letters-again"),
]
