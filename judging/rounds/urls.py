"""The addresses of all rounds together."""

from django.urls import path

from judging.rounds import pages

urlpatterns = [
    path("rounds/", pages.rounds, name="rounds"),
]
