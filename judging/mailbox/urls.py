"""The addresses of orders by mail."""

from django.urls import path

from judging.mailbox import api, pages

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/mailbox/", pages.mailbox, name="mailbox"),
]

api_urlpatterns = [
    path(f"{ROUND}/mailbox/", api.Mailbox.as_view(), name="api-mailbox"),
]
