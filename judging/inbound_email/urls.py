from django.urls import path

from judging.inbound_email import api, views

ROUND = "rounds/<slug:slug>"
TABLE = "tables/<slug:table>"

urlpatterns = [
    path(f"{ROUND}/mailbox/", views.mailbox, name="mailbox"),
    path(f"{TABLE}/mailbox/", views.table_mailbox, name="table-mailbox"),
]

api_urlpatterns = [
    path(f"{ROUND}/mailbox/", api.Mailbox.as_view(), name="api-mailbox"),
    path(f"{TABLE}/mailbox/", api.TableMailbox.as_view(), name="api-table-mailbox"),
]
