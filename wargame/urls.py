from django.urls import include, path

from judging.common.admin import site

urlpatterns = [
    path("judge/", site.urls),
    path("", include("judging.urls")),
]

handler500 = "judging.common.db_errors.server_error"

handler400 = "wargame.web.uploads.bad_request"
