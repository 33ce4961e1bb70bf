"""The addresses of boards."""

from django.urls import path

from judging.boards import api, feeds, pages, press_api, press_pages, report_pages, topic_pages

ROUND = "rounds/<slug:slug>"
BOARDS = "rounds/<slug:slug>/boards"
BOARD = f"{BOARDS}/<slug:board>"
MESSAGE = f"{BOARD}/<int:number>"
TOPIC = f"{BOARD}/topics/<int:topic>"

urlpatterns = [
    path(f"{BOARDS}/", pages.boards, name="boards"),
    path(f"{BOARD}/", pages.board, name="board"),
    path(f"{BOARD}/preview/", pages.preview, name="board-preview"),
    path(f"{BOARD}/feed/", feeds.feed, name="board-feed"),
    path(f"{BOARD}/topics/", topic_pages.topics, name="board-topics"),
    path(f"{BOARD}/topics/new/", topic_pages.new, name="board-topic-new"),
    path(f"{TOPIC}/", pages.board, name="board-topic"),
    path(f"{TOPIC}/moderate/", topic_pages.moderate, name="board-topic-moderate"),
    path(f"{TOPIC}/feed/", feeds.topic_feed, name="board-topic-feed"),
    path(f"{BOARD}/leave/", press_pages.leave, name="press-leave"),
    path(f"{MESSAGE}/", pages.message, name="board-message"),
    path(f"{MESSAGE}/history/", pages.history, name="board-history"),
    path(f"{MESSAGE}/edit/", pages.edit, name="board-edit"),
    path(f"{MESSAGE}/withdraw/", pages.withdraw, name="board-withdraw"),
    path(f"{MESSAGE}/moderate/", pages.moderate, name="board-moderate"),
    path(f"{MESSAGE}/report/", report_pages.of_message, name="board-report"),
    path(f"{ROUND}/press/", press_pages.press, name="press"),
    path(f"{ROUND}/press/new/", press_pages.new, name="press-new"),
    path(f"{ROUND}/reports/", report_pages.reports, name="reports"),
    path(f"{ROUND}/reports/<int:report_id>/", report_pages.report, name="report"),
    path(f"{ROUND}/posts/<int:post_id>/report/", report_pages.of_post, name="post-report"),
    path(f"{ROUND}/blocks/", report_pages.blocks, name="blocks"),
]

api_urlpatterns = [
    path(f"{ROUND}/boards/", api.Boards.as_view(), name="api-boards"),
    path(f"{ROUND}/boards/<slug:board>/messages/", api.Messages.as_view(), name="api-messages"),
    path(f"{ROUND}/boards/<slug:board>/messages/<int:number>/", api.OneMessage.as_view(), name="api-message"),
    path(f"{ROUND}/boards/<slug:board>/messages/<int:number>/hiding/", api.Hiding.as_view(), name="api-hiding"),
    path(f"{ROUND}/boards/<slug:board>/read/", api.ReadBoard.as_view(), name="api-board-read"),
    path(f"{ROUND}/boards/<slug:board>/topics/", api.Topics.as_view(), name="api-topics"),
    path(f"{ROUND}/boards/<slug:board>/topics/<int:topic>/", api.OneTopic.as_view(), name="api-topic"),
    path(f"{ROUND}/press/", press_api.Press.as_view(), name="api-press"),
    path(f"{ROUND}/press/<slug:board>/", press_api.OneConversation.as_view(), name="api-conversation"),
    path(f"{ROUND}/reports/", press_api.Reports.as_view(), name="api-reports"),
    path(f"{ROUND}/reports/<int:report_id>/", press_api.OneReport.as_view(), name="api-report"),
    path(f"{ROUND}/blocks/", press_api.Blocks.as_view(), name="api-blocks"),
    path(f"{ROUND}/blocks/<int:block_id>/", press_api.OneBlock.as_view(), name="api-block"),
]
