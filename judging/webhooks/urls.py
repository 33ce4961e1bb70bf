from django.urls import path

from judging.webhooks import api, views

urlpatterns = [
    path("accounts/webhooks/", views.hooks, name="hooks"),
    path("accounts/webhooks/<int:hook_id>/", views.hook, name="hook"),
]

api_urlpatterns = [
    path("webhooks/", api.Hooks.as_view(), name="api-hooks"),
    path("webhooks/<int:hook_id>/", api.OneHook.as_view(), name="api-hook"),
    path("webhooks/<int:hook_id>/secret/", api.Secret.as_view(), name="api-hook-secret"),
    path("webhooks/<int:hook_id>/messages/", api.Messages.as_view(), name="api-hook-messages"),
    path("webhooks/<int:hook_id>/messages/<int:message_id>/", api.Again.as_view(), name="api-hook-again"),
]
