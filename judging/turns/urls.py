from django.urls import path

from judging.common.admin import site
from judging.turns import api, views
from judging.turns.done import urls as done
from judging.turns.posts import api as posts_api
from judging.turns.posts import views as posts_views
from judging.turns.rulings import api as rulings_api
from judging.turns.rulings import views as rulings_views

ROUND = "rounds/<slug:slug>"
_for_judges = site.admin_view
TURN = f"{ROUND}/turns/<int:number>"

urlpatterns = [
    *done.urlpatterns,
    path(f"{ROUND}/movement/", posts_views.present, name="movement"),
    path(f"{ROUND}/turns/<int:number>/movement/", posts_views.of_turn, name="movement-turn"),
    path(f"{ROUND}/movement/post/", posts_views.new, name="post-new"),
    path(f"{ROUND}/movement/preview/", posts_views.preview, name="post-preview"),
    path(f"{ROUND}/posts/<int:post_id>/", posts_views.history, name="post"),
    path(f"{ROUND}/posts/<int:post_id>/edit/", posts_views.edit, name="post-edit"),
    path(f"{ROUND}/posts/<int:post_id>/withdraw/", posts_views.withdraw, name="post-withdraw"),
    path(f"{ROUND}/movement/manifest/", posts_views.manifest, name="manifest-new"),
    path(f"{ROUND}/turns/", views.turns, name="turns"),
    path(f"{ROUND}/turns/<int:number>/", views.turn, name="turn"),
    path(f"{ROUND}/turns/<int:number>/update.txt", views.update_text, name="turn-text"),
    path(f"{ROUND}/turns/<int:number>/before/<int:correction_id>/", rulings_views.before, name="turn-before"),
    path(f"{ROUND}/rulings/", rulings_views.rulings, name="rulings"),
]

judge_urlpatterns = [
    path("turns/<int:turn_id>/draft/", _for_judges(rulings_views.draft), name="draft"),
    path("turns/<int:turn_id>/corrections/", _for_judges(rulings_views.corrections), name="corrections"),
    path("turns/<int:turn_id>/retry/", _for_judges(views.retry), name="retry"),
    path("rulings/<int:ruling_id>/withdraw/", _for_judges(rulings_views.withdraw), name="ruling-withdraw"),
    path("rounds/<int:round_id>/victory/", _for_judges(views.confirm_win), name="victory"),
]

api_urlpatterns = [
    *done.api_urlpatterns,
    path(f"{ROUND}/turns/", api.Turns.as_view(), name="api-turns"),
    path(f"{TURN}/", api.OneTurn.as_view(), name="api-turn"),
    path(f"{TURN}/rulings/", rulings_api.Rulings.as_view(), name="api-rulings"),
    path(f"{TURN}/rulings/<int:ruling_id>/withdrawal/", rulings_api.OneRuling.as_view(), name="api-ruling"),
    path(f"{TURN}/publishing/", rulings_api.Publishing.as_view(), name="api-publishing"),
    path(f"{TURN}/corrections/", rulings_api.Corrections.as_view(), name="api-corrections"),
    path(f"{TURN}/corrections/<int:correction_id>/", rulings_api.OneCorrection.as_view(), name="api-correction"),
    path(f"{TURN}/retry/", rulings_api.Retry.as_view(), name="api-retry"),
    path(f"{ROUND}/victory/", rulings_api.Win.as_view(), name="api-victory"),
    path(f"{ROUND}/manifests/", posts_api.Manifests.as_view(), name="api-manifests"),
    path(f"{TURN}/orders/", posts_api.Orders.as_view(), name="api-orders"),
    path(f"{TURN}/posts/", posts_api.Posts.as_view(), name="api-posts"),
    path(f"{ROUND}/posts/preview/", posts_api.Preview.as_view(), name="api-post-preview"),
    path(f"{ROUND}/posts/<int:post_id>/", posts_api.OnePost.as_view(), name="api-post"),
]
