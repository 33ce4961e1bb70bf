from django.urls import path

from judging.log import api, views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/log/", views.log, name="log"),
    path(f"{ROUND}/log/<slug:key>/", views.entry, name="log-entry"),
]

api_urlpatterns = [
    path(f"{ROUND}/log/", api.LogOfRound.as_view(), name="api-log"),
]
