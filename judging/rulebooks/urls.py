"""The URLs of the card games' books. They must come before the one that takes any number of the war game."""

from django.urls import path, register_converter
from django.urls.converters import StringConverter

from judging.rulebooks import documents, views
from judging.rulebooks.books import TITLES


class BookConverter(StringConverter):
    regex = "|".join(TITLES)


class DocumentConverter(StringConverter):
    regex = "|".join(documents.TITLES)


register_converter(BookConverter, "book")
register_converter(DocumentConverter, "document")

urlpatterns = [
    path("dice/", views.dice, name="dice"),
    path("help/", views.help, name="help"),
    path("help/<path:page>/", views.help, name="help-page"),
    path("rules/<document:name>/", views.document, name="document"),
    path("rules/tables/<str:number>/", views.section, name="document-number"),
    path("rules/<book:game>/", views.book, name="rulebook"),
    path("rules/<book:game>/<str:number>/", views.number, name="rulebook-number"),
]
