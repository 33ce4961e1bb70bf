"""The addresses of commands in Discord."""

from django.urls import path

from judging.discord import pages

urlpatterns = [
    path("api/discord/", pages.interactions, name="api-discord"),
    path("accounts/discord/", pages.discord, name="discord"),
]
