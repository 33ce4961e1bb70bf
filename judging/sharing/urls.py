"""The addresses of what is carried elsewhere."""

from django.urls import path

from judging.sharing import oembed, pages

ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path("oembed/", oembed.oembed, name="oembed"),
    path(f"{ROUND}/share/", pages.posts, name="share"),
    path(f"{ROUND}/share/posts/<int:notice_id>/", pages.post, name="share-post"),
    path(f"{ROUND}/share/turns/<int:number>/", pages.position, name="share-position"),
    path(f"{ROUND}/share/armies/<path:name>/", pages.army, name="share-army"),
    path(f"{ROUND}/turns/<int:number>/card.svg", pages.card, {"kind": "svg"}, name="turn-card-svg"),
    path(f"{ROUND}/turns/<int:number>/card.png", pages.card, {"kind": "png"}, name="turn-card"),
    path(f"{ROUND}/signatures/<path:name>.svg", pages.signature, {"kind": "svg"}, name="signature-svg"),
    path(f"{ROUND}/signatures/<path:name>.png", pages.signature, {"kind": "png"}, name="signature"),
]
