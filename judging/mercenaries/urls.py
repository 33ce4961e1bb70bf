from django.urls import path

from judging.common.admin import site
from judging.mercenaries import api, views

ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view
TURN = f"{ROUND}/turns/<int:number>"

urlpatterns = [
    path(f"{ROUND}/neutrals/", views.neutrals, name="neutrals"),
    path(f"{ROUND}/neutrals/<int:number>/", views.neutrals, name="neutrals-turn"),
]

judge_urlpatterns = [
    path(
        "battles/<int:battle_id>/strat/<str:army>/",
        _for_judges(views.mercenary_strat),
        name="mercenary-strat",
    ),
    path("turns/<int:turn_id>/mercenaries/", _for_judges(views.mercenaries), name="mercenaries"),
]

api_urlpatterns = [
    path(f"{TURN}/neutrals/", api.NeutralsOfTurn.as_view(), name="api-neutrals-turn"),
    path(f"{TURN}/mercenaries/", api.Mercenaries.as_view(), name="api-mercenaries"),
    path(
        f"{ROUND}/battles/<int:battle_id>/mercenaries/<str:army>/strat/",
        api.MercenaryStrat.as_view(),
        name="api-mercenary-strat",
    ),
    path(f"{ROUND}/neutrals/", api.Neutrals.as_view(), name="api-neutrals"),
]
