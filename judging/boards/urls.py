from django.urls import path

from judging.boards import api, press_api, press_views, report_views, views

ROUND = "rounds/<slug:slug>"
BOARDS = "rounds/<slug:slug>/boards"
BOARD = f"{BOARDS}/<slug:board>"
MESSAGE = f"{BOARD}/<int:number>"
TOPIC = f"{BOARD}/topics/<int:topic>"

urlpatterns = [
    path(f"{BOARDS}/", views.boards, name="boards"),
    path(f"{BOARD}/", views.board, name="board"),
    path(f"{BOARD}/preview/", views.preview, name="board-preview"),
    path(f"{BOARD}/topics/", views.topics, name="board-topics"),
    path(f"{BOARD}/topics/new/", views.new_topic, name="board-topic-new"),
    path(f"{TOPIC}/", views.board, name="board-topic"),
    path(f"{TOPIC}/moderate/", views.moderate_topic, name="board-topic-moderate"),
    path(f"{BOARD}/leave/", press_views.leave, name="press-leave"),
    path(f"{MESSAGE}/", views.message, name="board-message"),
    path(f"{MESSAGE}/history/", views.history, name="board-history"),
    path(f"{MESSAGE}/edit/", views.edit, name="board-edit"),
    path(f"{MESSAGE}/withdraw/", views.withdraw, name="board-withdraw"),
    path(f"{MESSAGE}/moderate/", views.moderate, name="board-moderate"),
    path(f"{MESSAGE}/report/", report_views.of_message, name="board-report"),
    path(f"{ROUND}/press/", press_views.press, name="press"),
    path(f"{ROUND}/press/new/", press_views.new, name="press-new"),
    path(f"{ROUND}/reports/", report_views.reports, name="reports"),
    path(f"{ROUND}/reports/<int:report_id>/", report_views.report, name="report"),
    path(f"{ROUND}/posts/<int:post_id>/report/", report_views.of_post, name="post-report"),
    path(f"{ROUND}/blocks/", report_views.blocks, name="blocks"),
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
