"""The addresses of the service's health."""

from django.urls import path

from judging.health import pages

urlpatterns = [
    path("healthz", pages.healthz, name="healthz"),
    path("livez", pages.livez, name="livez"),
]
