"""The addresses of books."""

from django.urls import path

from judging.books import api, pages
from judging.game.judge_site import site

ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view

urlpatterns = [
    path(f"{ROUND}/book/", pages.public, name="round-book"),
]

judge_urlpatterns = [
    path("rounds/<int:round_id>/book/", _for_judges(pages.editor), name="book"),
    path("rounds/<int:round_id>/book/check/", _for_judges(pages.check), name="book-check"),
    path("rounds/<int:round_id>/book/plots/", _for_judges(pages.plots), name="book-plots"),
    path("rounds/<int:round_id>/book/<int:number>/", _for_judges(pages.version), name="book-version"),
]


api_urlpatterns = [
    path(f"{ROUND}/book/", api.Book.as_view(), name="api-book"),
]
