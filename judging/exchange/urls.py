"""The addresses of rounds as files."""

from django.urls import path

from judging.exchange import api, pages
from judging.game.judge_site import site

_for_judges = site.admin_view

urlpatterns = [
    path("rounds/<slug:slug>/export/", pages.export, name="export"),
]

judge_urlpatterns = [
    path("files/", _for_judges(pages.files), name="files"),
]

api_urlpatterns = [
    path("import-round/", api.TakeIn.as_view(), name="api-import-round"),
]
