"""The addresses of what concerns somebody."""

from django.urls import path

from judging.notifications import api, pages

urlpatterns = [
    path("notifications/", pages.notifications, name="notifications"),
    path("notifications/bell/", pages.bell, name="notification-bell"),
    path("notifications/zone/", pages.zone, name="notification-zone"),
    path("notifications/<int:notification_id>/", pages.follow, name="notification"),
    path("notifications/push/", pages.push, name="notification-push"),
    path("notifications/push/renewed/", pages.push_renewed, name="notification-push-renewed"),
    path("notifications/devices/<int:push_subscription_id>/", pages.device, name="notification-device"),
    path("service-worker.js", pages.service_worker, name="service-worker"),
    path("accounts/notifications/", pages.settings, name="notification-settings"),
    path("unsubscribe/<str:token>/", pages.unsubscribe_page, name="unsubscribe"),
]

api_urlpatterns = [
    path("notifications/", api.Notifications.as_view(), name="api-notifications"),
    path("notifications/read/", api.Read.as_view(), name="api-notifications-read"),
    path("notifications/settings/", api.Settings.as_view(), name="api-notification-settings"),
]
