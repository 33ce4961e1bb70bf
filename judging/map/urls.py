"""The addresses of map."""

from django.urls import path
from django.views.generic import RedirectView

from judging.map import api, pages, what_if_pages

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/", pages.present, name="map"),
    path(f"{ROUND}/map/", RedirectView.as_view(pattern_name="map"), name="map-too"),
    path(f"{ROUND}/map/fragment/", pages.fragment, name="map-fragment"),
    path(f"{ROUND}/card.svg", pages.card, {"kind": "svg"}, name="round-card-svg"),
    path(f"{ROUND}/card.png", pages.card, {"kind": "png"}, name="round-card"),
    path(f"{ROUND}/turns/<int:number>/small.svg", pages.small, name="map-small"),
    path(f"{ROUND}/turns/<int:number>/map/", pages.of_turn, name="map-turn"),
    path(f"{ROUND}/map/what-if/", what_if_pages.what_if, name="what-if"),
    path(f"{ROUND}/turns/<int:number>/what-if/", what_if_pages.what_if, name="what-if-turn"),
    path(f"{ROUND}/map/compare/", pages.compare, name="map-compare"),
    path(f"{ROUND}/turns/<int:number>/squares/<str:at>/", pages.square, name="map-square"),
    path(f"{ROUND}/numbers/", pages.numbers, name="numbers"),
]

api_urlpatterns = [
    path(f"{ROUND}/map/", api.Map.as_view(), name="api-map"),
    path(f"{ROUND}/armies/<str:name>/reach/", api.Reach.as_view(), name="api-reach"),
]
