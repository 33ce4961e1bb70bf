from django.urls import path

from judging.announcements import api

api_urlpatterns = [
    path("events/", api.Events.as_view(), name="api-events"),
]
