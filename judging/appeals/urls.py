from django.urls import path

from judging.appeals import api, views

APPEALS = "rounds/<slug:slug>/appeals"

urlpatterns = [
    path(f"{APPEALS}/", views.appeals, name="appeals"),
    path(f"{APPEALS}/new/", views.new, name="appeal-new"),
    path(f"{APPEALS}/<int:number>/", views.appeal, name="appeal"),
]

api_urlpatterns = [
    path("rounds/<slug:slug>/desk/asked/", api.AskedOf.as_view(), name="api-desk-asked"),
    path(f"{APPEALS}/", api.Appeals.as_view(), name="api-appeals"),
    path(f"{APPEALS}/<int:number>/", api.OneAppeal.as_view(), name="api-appeal"),
    path(f"{APPEALS}/<int:number>/answer/", api.AppealAnswer.as_view(), name="api-appeal-answer"),
]
