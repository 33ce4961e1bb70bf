"""The addresses of what is said of judging."""

from django.urls import path

from judging.feedback import api, pages

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/judges/numbers/", pages.numbers, name="judge-numbers"),
    path(f"{ROUND}/battles/<int:battle_id>/feedback/", pages.feedback, name="feedback"),
]

api_urlpatterns = [
    path(f"{ROUND}/judges/numbers/", api.Numbers.as_view(), name="api-judge-numbers"),
    path(f"{ROUND}/battles/<int:battle_id>/feedback/", api.Feedback.as_view(), name="api-feedback"),
]
