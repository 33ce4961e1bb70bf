from django.urls import path

from judging.verification import api, views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/verify/", views.verify, name="verify"),
    path(f"{ROUND}/verify/chain/", views.verify_chain, name="verify-chain"),
    path(f"{ROUND}/verify/chain/stamps/<int:key>/", views.stamp, name="verify-stamp"),
    path(f"{ROUND}/verify/<int:number>/", views.verify_turn, name="verify-turn"),
]

api_urlpatterns = [
    path(f"{ROUND}/verify/", api.Verdicts.as_view(), name="api-verdicts"),
    path(f"{ROUND}/verify/chain/", api.OneChain.as_view(), name="api-chain"),
    path(f"{ROUND}/verify/<int:number>/", api.OneVerdict.as_view(), name="api-verdict"),
    path(f"{ROUND}/battles/<int:battle_id>/proof/", api.Proof.as_view(), name="api-proof"),
]
