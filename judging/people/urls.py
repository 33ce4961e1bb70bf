"""The addresses of the administrators' pages about people."""

from django.urls import path

from judging.people import own_pages, pages

urlpatterns = [
    path("accounts/delete/", own_pages.delete, name="account-delete"),
    path("administration/people/", pages.people, name="people"),
    path("administration/people/log/", pages.log, name="people-log"),
    path("administration/people/heads/", pages.heads, name="people-heads"),
    path("administration/people/<int:person>/", pages.person, name="person"),
]
