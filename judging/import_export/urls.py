from django.urls import path

from judging.common.admin import site
from judging.import_export import api, views

_for_judges = site.admin_view

urlpatterns = [
    path("rounds/<slug:slug>/export/", views.export, name="export"),
]

judge_urlpatterns = [
    path("files/", _for_judges(views.files), name="files"),
]

api_urlpatterns = [
    path("import-round/", api.TakeIn.as_view(), name="api-import-round"),
]
