"""The address of a round as one file."""

from django.urls import path

from judging.views import exchange

urlpatterns = [
    path("rounds/<slug:slug>/export/", exchange.export, name="export"),
]
