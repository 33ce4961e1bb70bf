from django.urls import path

from judging.sharing import views

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path("oembed/", views.oembed, name="oembed"),
    path(f"{ROUND}/share/", views.posts, name="share"),
    path(f"{ROUND}/share/posts/<int:notice_id>/", views.post, name="share-post"),
    path(f"{ROUND}/share/turns/<int:number>/", views.position, name="share-position"),
    path(f"{ROUND}/share/armies/<path:name>/", views.army, name="share-army"),
    path(f"{ROUND}/turns/<int:number>/card.svg", views.card, {"kind": "svg"}, name="turn-card-svg"),
    path(f"{ROUND}/turns/<int:number>/card.png", views.card, {"kind": "png"}, name="turn-card"),
    path(f"{ROUND}/signatures/<path:name>.svg", views.signature, {"kind": "svg"}, name="signature-svg"),
    path(f"{ROUND}/signatures/<path:name>.png", views.signature, {"kind": "png"}, name="signature"),
]
