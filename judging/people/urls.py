"""The addresses of the administrators' pages about people."""

from django.urls import path

from judging.people import api, own_data, own_pages, pages

urlpatterns = [
    path("accounts/data/", own_data.own_file, name="account-data"),
    path("accounts/delete/", own_pages.delete, name="account-delete"),
    path("administration/people/", pages.people, name="people"),
    path("administration/people/log/", pages.log, name="people-log"),
    path("administration/people/heads/", pages.heads, name="people-heads"),
    path("administration/people/<int:person>/", pages.person, name="person"),
]


api_urlpatterns = [
    path("administration/heads/", api.Heads.as_view(), name="api-heads"),
    path("administration/people/<int:person>/", api.Person.as_view(), name="api-person"),
]
