from django.urls import path

from judging.turns.done import api, views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{ROUND}/movement/done/", views.mark, name="done"),
    path(f"{ROUND}/movement/early-lock/", views.early, name="early-lock"),
]

api_urlpatterns = [
    path(f"{ROUND}/turns/<int:number>/done/", api.Done.as_view(), name="api-done"),
    path(f"{ROUND}/turns/<int:number>/early-lock/", api.EarlyLock.as_view(), name="api-early-lock"),
]
