"""The URL that open pages poll."""

from django.urls import path

from judging.polling import views

urlpatterns = [
    path("rounds/<slug:slug>/live/", views.news, name="live"),
]
