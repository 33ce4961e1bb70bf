"""The addresses of boards."""

from django.urls import path

from judging.boards import api, feeds, message_pages, pages

BOARDS = "rounds/<slug:slug>/boards"
BOARD = f"{BOARDS}/<slug:board>"
MESSAGE = f"{BOARD}/<int:number>"
ROUND = "rounds/<slug:slug>"

urlpatterns = [
    path(f"{BOARDS}/", pages.boards, name="boards"),
    path(f"{BOARD}/", pages.board, name="board"),
    path(f"{BOARD}/preview/", pages.preview, name="board-preview"),
    path(f"{BOARD}/feed/", feeds.feed, name="board-feed"),
    path(f"{MESSAGE}/", pages.message, name="board-message"),
    path(f"{MESSAGE}/history/", message_pages.history, name="board-history"),
    path(f"{MESSAGE}/edit/", message_pages.edit, name="board-edit"),
    path(f"{MESSAGE}/withdraw/", message_pages.withdraw, name="board-withdraw"),
    path(f"{MESSAGE}/moderate/", message_pages.moderate, name="board-moderate"),
]

api_urlpatterns = [
    path(f"{ROUND}/boards/", api.Boards.as_view(), name="api-boards"),
    path(f"{ROUND}/boards/<slug:board>/messages/", api.Messages.as_view(), name="api-messages"),
    path(f"{ROUND}/boards/<slug:board>/messages/<int:number>/", api.OneMessage.as_view(), name="api-message"),
    path(f"{ROUND}/boards/<slug:board>/read/", api.ReadBoard.as_view(), name="api-board-read"),
]
