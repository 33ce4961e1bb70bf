from django.urls import path

from judging.search import api, views

urlpatterns = [
    path("search/", views.of_all, name="search-all"),
    path("rounds/<slug:slug>/search/", views.of_round, name="search"),
]

api_urlpatterns = [
    path("search/", api.SearchAll.as_view(), name="api-search-all"),
    path("rounds/<slug:slug>/search/", api.SearchRound.as_view(), name="api-search"),
]
