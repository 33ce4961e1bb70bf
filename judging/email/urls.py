from django.urls import path

from judging.common.admin import site
from judging.email import api, views

judge_urlpatterns = [
    path("letters/again/", site.admin_view(views.again), name="letters-again"),
]


api_urlpatterns = [
    path("letters/again/", api.Again.as_view(), name="api-letters-again"),
]
