"""The addresses of api."""

from django.urls import path

from judging.api import views

urlpatterns = [
    path("api/schema/", views.Schema.as_view(), name="api-schema"),
    path("api/docs/", views.Docs.as_view(), name="api-docs"),
]

api_urlpatterns = [
    path("", views.Index.as_view(), name="api-index"),
]
