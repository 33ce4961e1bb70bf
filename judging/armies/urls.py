"""The addresses of armies."""

from django.urls import path

from judging.armies import api, views
from judging.armies.changes import views as changes_pages
from judging.armies.creatures import api as creatures_api
from judging.armies.creatures import views as creatures_pages
from judging.armies.musters import api as musters_api
from judging.armies.musters import views as musters_pages
from judging.common.admin import site

ROUND = "rounds/<slug:slug>"
MUSTER = f"{ROUND}/musters/<int:muster_id>"
ARMY = "<slug:how>/<path:name>"
_for_judges = site.admin_view

urlpatterns = [
    path(f"{ROUND}/armies/", views.armies, name="armies"),
    path(f"{ROUND}/armies/<path:name>/", views.army, name="army"),
    path("creatures/", creatures_pages.creatures, name="creatures"),
    path("creatures/<path:name>/", creatures_pages.creature, name="creature"),
    path(f"{ROUND}/musters/", musters_pages.musters, name="musters"),
    path(f"{ROUND}/musters/new/", musters_pages.new, name="muster-new"),
    path(f"{MUSTER}/", musters_pages.muster, name="muster"),
    path(f"{MUSTER}/preview/", musters_pages.preview, name="muster-preview"),
    path(f"{MUSTER}/find/", musters_pages.find, name="muster-find"),
    path(f"{MUSTER}/list.txt", musters_pages.download, name="muster-list"),
    path(f"{ROUND}/change/{ARMY}/", changes_pages.change, name="army-change"),
    path(f"{ROUND}/change-preview/{ARMY}/", changes_pages.preview, name="army-change-preview"),
    path(f"{ROUND}/change-find/{ARMY}/", changes_pages.find, name="army-change-find"),
    path(f"{ROUND}/newcomers/", changes_pages.newcomers_page, name="newcomers"),
]

judge_urlpatterns = [
    path("musters/", _for_judges(views.musters), name="musters"),
    path("musters/<int:muster_id>/", _for_judges(views.muster), name="muster"),
    path("changes/<int:request_id>/", _for_judges(views.change), name="change"),
]

api_urlpatterns = [
    path("creatures/", creatures_api.Creatures.as_view(), name="api-creatures"),
    path(f"{ROUND}/armies/", api.Armies.as_view(), name="api-armies"),
    path(f"{ROUND}/armies/<str:name>/", api.OneArmy.as_view(), name="api-army"),
    path(f"{ROUND}/armies/<str:name>/changes/<slug:how>/", musters_api.ArmyChange.as_view(), name="api-army-change"),
    path(f"{ROUND}/musters/", musters_api.Musters.as_view(), name="api-musters"),
    path(f"{ROUND}/musters/<int:muster_id>/", musters_api.OneMuster.as_view(), name="api-muster"),
    path(f"{ROUND}/musters/<int:muster_id>/verdict/", musters_api.MusterVerdict.as_view(), name="api-muster-verdict"),
    path(f"{ROUND}/changes/<int:request_id>/verdict/", musters_api.ChangeVerdict.as_view(), name="api-change-verdict"),
    path(f"{ROUND}/newcomers/", musters_api.Newcomers.as_view(), name="api-newcomers"),
]
