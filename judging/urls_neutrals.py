"""R48: the addresses of the neutrals' ledger."""

from django.urls import path

from judging.views.neutrals import neutrals

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/neutrals/", neutrals, name="neutrals"),
    path(f"{ROUND}/neutrals/<int:number>/", neutrals, name="neutrals-turn"),
]
