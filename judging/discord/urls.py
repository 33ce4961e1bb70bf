from django.urls import path

from judging.discord import views

urlpatterns = [
    path("api/discord/", views.interactions, name="api-discord"),
    path("accounts/discord/", views.discord, name="discord"),
]
