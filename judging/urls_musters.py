"""The addresses of chapter 2: creatures, musters, and armies that change."""

from django.urls import path

from judging.views import changes, creatures, musters

ROUND = "rounds/<slug:slug>"
MUSTER = f"{ROUND}/musters/<int:muster_id>"
ARMY = "<slug:how>/<path:name>"

urlpatterns = [
    path("creatures/", creatures.creatures, name="creatures"),
    path(f"{ROUND}/musters/", musters.musters, name="musters"),
    path(f"{ROUND}/musters/new/", musters.new, name="muster-new"),
    path(f"{MUSTER}/", musters.muster, name="muster"),
    path(f"{MUSTER}/preview/", musters.preview, name="muster-preview"),
    path(f"{MUSTER}/find/", musters.find, name="muster-find"),
    path(f"{MUSTER}/list.txt", musters.download, name="muster-list"),
    path(f"{ROUND}/change/{ARMY}/", changes.change, name="army-change"),
    path(f"{ROUND}/change-preview/{ARMY}/", changes.preview, name="army-change-preview"),
    path(f"{ROUND}/change-find/{ARMY}/", changes.find, name="army-change-find"),
    path(f"{ROUND}/newcomers/", changes.newcomers_page, name="newcomers"),
]
