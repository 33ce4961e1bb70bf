"""The address that open pages ask."""

from django.urls import path

from judging.live import pages

urlpatterns = [
    path("rounds/<slug:slug>/live/", pages.news, name="live"),
]
