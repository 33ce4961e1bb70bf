"""The addresses of letters, on the desk alone."""

from django.urls import path

from judging.game.judge_site import site
from judging.letters import pages

judge_urlpatterns = [
    path("letters/again/", site.admin_view(pages.again), name="letters-again"),
]
