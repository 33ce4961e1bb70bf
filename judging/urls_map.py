"""The addresses of the map and of the armies."""

from django.urls import path

from judging.views import armies, map

ROUND = "r/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/", map.present, name="map"),
    path(f"{ROUND}/map/fragment/", map.fragment, name="map-fragment"),
    path(f"{ROUND}/turns/<int:number>/map/", map.of_turn, name="map-turn"),
    path(f"{ROUND}/turns/<int:number>/squares/<str:at>/", map.square, name="map-square"),
    path(f"{ROUND}/armies/", armies.armies, name="armies"),
    path(f"{ROUND}/armies/<path:name>/", armies.army, name="army"),
]
