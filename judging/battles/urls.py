from django.urls import path

from judging.battles import api, views
from judging.battles.desk import api as desk_api
from judging.battles.desk import views as desk_views
from judging.battles.rejudging import api as rejudging_api
from judging.battles.rejudging import views as rejudging_views
from judging.battles.strats import views as strats_views
from judging.common.admin import site

ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view
TURN = f"{ROUND}/turns/<int:number>"
BATTLE = f"{ROUND}/battles/<int:battle_id>"
DESK = f"{ROUND}/desk/battles/<int:battle_id>"

urlpatterns = [
    path(f"{ROUND}/battles/", views.present, name="battles"),
    path(f"{ROUND}/turns/<int:number>/battles/", views.of_turn, name="battles-turn"),
    path(f"{ROUND}/battles/<int:battle_id>/", views.battle, name="battle"),
    path(f"{ROUND}/battles/<int:battle_id>/numbers/", views.numbers, name="battle-numbers"),
    path(f"{ROUND}/battles/<int:battle_id>/card.svg", views.card, {"kind": "svg"}, name="battle-card-svg"),
    path(f"{ROUND}/battles/<int:battle_id>/card.png", views.card, {"kind": "png"}, name="battle-card"),
    path(f"{ROUND}/battles/<int:battle_id>/strat/<str:army>/", strats_views.strat, name="strat"),
    path(f"{ROUND}/battles/<int:battle_id>/strat/<str:army>/draft/", strats_views.draft, name="strat-draft"),
    path(f"{ROUND}/battles/<int:battle_id>/word/<str:army>/", strats_views.word, name="word"),
    path(f"{ROUND}/results/", views.results, name="results"),
]

judge_urlpatterns = [
    path("battles/<int:battle_id>/", _for_judges(desk_views.battle), name="battle"),
    path("battles/<int:battle_id>/anew/", _for_judges(rejudging_views.anew), name="battle-anew"),
    path("battles/<int:battle_id>/next/", _for_judges(desk_views.to_next), name="battle-next"),
    path("battles/<int:battle_id>/blind/", _for_judges(desk_views.blind), name="battle-blind"),
    path("battles/<int:battle_id>/do/<slug:act>/", _for_judges(desk_views.act), name="battle-act"),
    path("battles/<int:battle_id>/press/<slug:act>/", _for_judges(desk_views.press), name="battle-press"),
]

api_urlpatterns = [
    path(f"{TURN}/battles/", api.Battles.as_view(), name="api-battles"),
    path(f"{TURN}/strats/mine/", api.OwnStrats.as_view(), name="api-own-strats"),
    path(f"{ROUND}/battles/<int:battle_id>/", api.OneBattle.as_view(), name="api-battle"),
    path(f"{ROUND}/battles/<int:battle_id>/strats/", api.Strats.as_view(), name="api-strats"),
    path(f"{ROUND}/battles/<int:battle_id>/words/", api.Words.as_view(), name="api-words"),
    path(f"{ROUND}/results/", api.Results.as_view(), name="api-results"),
    path(f"{BATTLE}/rejudgements/", rejudging_api.Rejudgements.as_view(), name="api-rejudgements"),
    path(
        f"{BATTLE}/rejudgements/<int:rejudgement_id>/", rejudging_api.OneRejudgement.as_view(), name="api-rejudgement"
    ),
    path(f"{DESK}/", desk_api.DeskBattle.as_view(), name="api-desk-battle"),
    path(f"{DESK}/narrative/", desk_api.DeskNarrative.as_view(), name="api-desk-narrative"),
    path(f"{DESK}/score/", desk_api.DeskScore.as_view(), name="api-desk-score"),
    path(f"{DESK}/roll/", desk_api.DeskRoll.as_view(), name="api-desk-roll"),
    path(f"{DESK}/acts/<slug:act>/", desk_api.DeskAct.as_view(), name="api-desk-act"),
    path(f"{DESK}/presses/<slug:act>/", desk_api.DeskPress.as_view(), name="api-desk-press"),
    path(f"{DESK}/publish/", desk_api.DeskPublish.as_view(), name="api-desk-publish"),
]
