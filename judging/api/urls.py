"""The addresses of the API and its documentation."""

from django.urls import path, re_path

from judging.api.views import (
    armies,
    battles,
    control,
    creatures,
    docs,
    index,
    neutrals,
    orders,
    posts,
    reach,
    rounds,
    turns,
    verifying,
)

ROUND = "api/v1/rounds/<slug:slug>"
TURN = f"{ROUND}/turns/<int:number>"

urlpatterns = [
    path("api/schema/", docs.schema, name="api-schema"),
    path("api/docs/", docs.Docs.as_view(), name="api-docs"),
    path("api/v1/", index.Index.as_view(), name="api-index"),
    path("api/v1/creatures/", creatures.Creatures.as_view(), name="api-creatures"),
    path("api/v1/rounds/", rounds.Rounds.as_view(), name="api-rounds"),
    path(f"{ROUND}/", rounds.OneRound.as_view(), name="api-round"),
    path(f"{ROUND}/map/", rounds.Map.as_view(), name="api-map"),
    path(f"{ROUND}/armies/", armies.Armies.as_view(), name="api-armies"),
    path(f"{ROUND}/armies/<str:name>/", armies.OneArmy.as_view(), name="api-army"),
    path(f"{ROUND}/armies/<str:name>/reach/", reach.Reach.as_view(), name="api-reach"),
    path(f"{ROUND}/control/", control.ControlList.as_view(), name="api-control"),
    path(f"{ROUND}/control/requests/", control.ControlRequests.as_view(), name="api-control-requests"),
    path(f"{ROUND}/turns/", turns.Turns.as_view(), name="api-turns"),
    path(f"{TURN}/", turns.OneTurn.as_view(), name="api-turn"),
    path(f"{TURN}/orders/", orders.Orders.as_view(), name="api-orders"),
    path(f"{TURN}/neutrals/", neutrals.NeutralsOfTurn.as_view(), name="api-neutrals-turn"),
    path(f"{ROUND}/neutrals/", neutrals.Neutrals.as_view(), name="api-neutrals"),
    path(f"{TURN}/posts/", posts.Posts.as_view(), name="api-posts"),
    path(f"{ROUND}/posts/preview/", posts.Preview.as_view(), name="api-post-preview"),
    path(f"{ROUND}/posts/<int:post_id>/", posts.OnePost.as_view(), name="api-post"),
    path(f"{TURN}/battles/", battles.Battles.as_view(), name="api-battles"),
    path(f"{TURN}/strats/mine/", battles.OwnStrats.as_view(), name="api-own-strats"),
    path(f"{ROUND}/battles/<int:battle_id>/", battles.OneBattle.as_view(), name="api-battle"),
    path(f"{ROUND}/battles/<int:battle_id>/strats/", battles.Strats.as_view(), name="api-strats"),
    path(f"{ROUND}/results/", battles.Results.as_view(), name="api-results"),
    path(f"{ROUND}/verify/", verifying.Verdicts.as_view(), name="api-verdicts"),
    path(f"{ROUND}/verify/<int:number>/", verifying.OneVerdict.as_view(), name="api-verdict"),
    path(f"{ROUND}/battles/<int:battle_id>/proof/", verifying.Proof.as_view(), name="api-proof"),
    re_path(r"^api/v1/", docs.NoAddress.as_view(), name="api-nothing"),
]
