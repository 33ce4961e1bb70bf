"""The addresses of penalties."""

from django.urls import path

from judging.penalties import api, views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/penalties/", views.penalties, name="penalties"),
]

api_urlpatterns = [
    path(f"{ROUND}/penalties/", api.Penalties.as_view(), name="api-penalties"),
]
