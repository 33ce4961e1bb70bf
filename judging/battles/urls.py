"""The addresses of battles."""

from django.urls import path

from judging.battles import api, pages
from judging.battles.desk import pages as desk_pages
from judging.battles.strats import pages as strats_pages
from judging.game.judge_site import site

ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view
TURN = f"{ROUND}/turns/<int:number>"

urlpatterns = [
    path(f"{ROUND}/battles/", pages.present, name="battles"),
    path(f"{ROUND}/turns/<int:number>/battles/", pages.of_turn, name="battles-turn"),
    path(f"{ROUND}/battles/<int:battle_id>/", pages.battle, name="battle"),
    path(f"{ROUND}/battles/<int:battle_id>/strat/<str:army>/", strats_pages.strat, name="strat"),
    path(f"{ROUND}/battles/<int:battle_id>/strat/<str:army>/draft/", strats_pages.draft, name="strat-draft"),
    path(f"{ROUND}/results/", pages.results, name="results"),
]

judge_urlpatterns = [
    path("battles/<int:battle_id>/", _for_judges(desk_pages.battle), name="battle"),
    path("battles/<int:battle_id>/do/<slug:act>/", _for_judges(desk_pages.act), name="battle-act"),
    path("battles/<int:battle_id>/press/<slug:act>/", _for_judges(desk_pages.press), name="battle-press"),
]

api_urlpatterns = [
    path(f"{TURN}/battles/", api.Battles.as_view(), name="api-battles"),
    path(f"{TURN}/strats/mine/", api.OwnStrats.as_view(), name="api-own-strats"),
    path(f"{ROUND}/battles/<int:battle_id>/", api.OneBattle.as_view(), name="api-battle"),
    path(f"{ROUND}/battles/<int:battle_id>/strats/", api.Strats.as_view(), name="api-strats"),
    path(f"{ROUND}/results/", api.Results.as_view(), name="api-results"),
]
