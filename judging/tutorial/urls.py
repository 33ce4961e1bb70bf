from django.urls import path

from judging.tutorial import views

urlpatterns = [path("try/", views.sandbox, name="sandbox")]
