"""3.1: the addresses of the boards."""

from django.urls import path

from judging.views import board_feeds, board_messages, boards

BOARDS = "rounds/<slug:slug>/boards"
BOARD = f"{BOARDS}/<slug:board>"
MESSAGE = f"{BOARD}/<int:number>"

urlpatterns = [
    path(f"{BOARDS}/", boards.boards, name="boards"),
    path(f"{BOARD}/", boards.board, name="board"),
    path(f"{BOARD}/preview/", boards.preview, name="board-preview"),
    path(f"{BOARD}/feed/", board_feeds.feed, name="board-feed"),
    path(f"{MESSAGE}/", boards.message, name="board-message"),
    path(f"{MESSAGE}/history/", board_messages.history, name="board-history"),
    path(f"{MESSAGE}/edit/", board_messages.edit, name="board-edit"),
    path(f"{MESSAGE}/withdraw/", board_messages.withdraw, name="board-withdraw"),
    path(f"{MESSAGE}/moderate/", board_messages.moderate, name="board-moderate"),
]
