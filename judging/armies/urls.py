from django.urls import path

from judging.armies import api, views
from judging.armies.changes import views as changes_views
from judging.armies.creatures import api as creatures_api
from judging.armies.creatures import views as creatures_views
from judging.armies.musters import api as musters_api
from judging.armies.musters import views as musters_views
from judging.common.admin import site

ROUND = "rounds/<slug:slug>"
MUSTER = f"{ROUND}/musters/<int:muster_id>"
ARMY = "<slug:how>/<path:name>"
_for_judges = site.admin_view

urlpatterns = [
    path(f"{ROUND}/armies/", views.armies, name="armies"),
    path(f"{ROUND}/armies/<path:name>/", views.army, name="army"),
    path("creatures/", creatures_views.creatures, name="creatures"),
    path("creatures/<path:name>/", creatures_views.creature, name="creature"),
    path(f"{ROUND}/musters/", musters_views.musters, name="musters"),
    path(f"{ROUND}/musters/new/", musters_views.new, name="muster-new"),
    path(f"{MUSTER}/", musters_views.muster, name="muster"),
    path(f"{MUSTER}/preview/", musters_views.preview, name="muster-preview"),
    path(f"{MUSTER}/find/", musters_views.find, name="muster-find"),
    path(f"{MUSTER}/list.txt", musters_views.download, name="muster-list"),
    path(f"{ROUND}/change/{ARMY}/", changes_views.change, name="army-change"),
    path(f"{ROUND}/change-preview/{ARMY}/", changes_views.preview, name="army-change-preview"),
    path(f"{ROUND}/change-find/{ARMY}/", changes_views.find, name="army-change-find"),
    path(f"{ROUND}/newcomers/", changes_views.newcomers_page, name="newcomers"),
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
