"""The addresses of the rulebook, and the one that keeps what is typed."""

from django.urls import path

from judging.game import pages, rulebook

urlpatterns = [
    path("rounds/<slug:slug>/unsent/", pages.unsent, name="unsent"),
    path("words/<str:language>.js", pages.words, name="words"),
    path("rules/", rulebook.rules, name="rules"),
    path("rules/<str:number>/", rulebook.rule, name="rule"),
]
