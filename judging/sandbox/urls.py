"""The address of the sandbox."""

from django.urls import path

from judging.sandbox import pages

urlpatterns = [path("try/", pages.sandbox, name="sandbox")]
