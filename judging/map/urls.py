from django.urls import path
from django.views.generic import RedirectView

from judging.map import api, views, what_if_views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/", views.present, name="map"),
    path(f"{ROUND}/map/", RedirectView.as_view(pattern_name="map"), name="map-too"),
    path(f"{ROUND}/map/fragment/", views.fragment, name="map-fragment"),
    path(f"{ROUND}/card.svg", views.card, {"kind": "svg"}, name="round-card-svg"),
    path(f"{ROUND}/card.png", views.card, {"kind": "png"}, name="round-card"),
    path(f"{ROUND}/turns/<int:number>/small.svg", views.small, name="map-small"),
    path(f"{ROUND}/turns/<int:number>/map/", views.of_turn, name="map-turn"),
    path(f"{ROUND}/map/what-if/", what_if_views.what_if, name="what-if"),
    path(f"{ROUND}/turns/<int:number>/what-if/", what_if_views.what_if, name="what-if-turn"),
    path(f"{ROUND}/map/compare/", views.compare, name="map-compare"),
    path(f"{ROUND}/turns/<int:number>/squares/<str:at>/", views.square, name="map-square"),
    path(f"{ROUND}/numbers/", views.numbers, name="numbers"),
]

api_urlpatterns = [
    path(f"{ROUND}/map/", api.Map.as_view(), name="api-map"),
    path(f"{ROUND}/armies/<str:name>/reach/", api.Reach.as_view(), name="api-reach"),
]
