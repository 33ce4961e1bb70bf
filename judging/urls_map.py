"""The addresses of the map and of the armies."""

from django.urls import path

from judging.views import armies, map, map_refresh, numbers, what_if

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/", map.present, name="map"),
    path(f"{ROUND}/map/fragment/", map_refresh.fragment, name="map-fragment"),
    path(f"{ROUND}/turns/<int:number>/map/", map.of_turn, name="map-turn"),
    path(f"{ROUND}/map/what-if/", what_if.what_if, name="what-if"),
    path(f"{ROUND}/turns/<int:number>/what-if/", what_if.what_if, name="what-if-turn"),
    path(f"{ROUND}/map/compare/", map.compare, name="map-compare"),
    path(f"{ROUND}/turns/<int:number>/squares/<str:at>/", map.square, name="map-square"),
    path(f"{ROUND}/numbers/", numbers.numbers, name="numbers"),
    path(f"{ROUND}/armies/", armies.armies, name="armies"),
    path(f"{ROUND}/armies/<path:name>/", armies.army, name="army"),
]
