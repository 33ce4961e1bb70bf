from django.urls import path

from judging.feedback import api, views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/judges/numbers/", views.numbers, name="judge-numbers"),
    path(f"{ROUND}/battles/<int:battle_id>/feedback/", views.feedback, name="feedback"),
]

api_urlpatterns = [
    path(f"{ROUND}/judges/numbers/", api.Numbers.as_view(), name="api-judge-numbers"),
    path(f"{ROUND}/battles/<int:battle_id>/feedback/", api.Feedback.as_view(), name="api-feedback"),
]
