"""The addresses of api."""

from django.urls import path

from judging.api import docs, index

urlpatterns = [
    path("api/schema/", docs.Schema.as_view(), name="api-schema"),
    path("api/docs/", docs.Docs.as_view(), name="api-docs"),
]

api_urlpatterns = [
    path("", index.Index.as_view(), name="api-index"),
]
