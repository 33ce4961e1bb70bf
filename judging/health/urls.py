from django.urls import path

from judging.health import views

urlpatterns = [
    path("healthz", views.healthz, name="healthz"),
    path("livez", views.livez, name="livez"),
]
