from django.urls import path

from judging.common.admin import site
from judging.formula_books import api, views

ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view

urlpatterns = [
    path(f"{ROUND}/book/", views.public, name="round-book"),
]

judge_urlpatterns = [
    path("rounds/<int:round_id>/book/", _for_judges(views.editor), name="book"),
    path("rounds/<int:round_id>/book/check/", _for_judges(views.check), name="book-check"),
    path("rounds/<int:round_id>/book/plots/", _for_judges(views.plots), name="book-plots"),
    path("rounds/<int:round_id>/book/<int:number>/", _for_judges(views.version), name="book-version"),
]


api_urlpatterns = [
    path(f"{ROUND}/book/", api.Book.as_view(), name="api-book"),
]
