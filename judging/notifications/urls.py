from django.urls import path

from judging.notifications import api, views

urlpatterns = [
    path("notifications/", views.notifications, name="notifications"),
    path("notifications/bell/", views.bell, name="notification-bell"),
    path("notifications/zone/", views.zone, name="notification-zone"),
    path("notifications/<int:notification_id>/", views.follow, name="notification"),
    path("notifications/push/", views.push, name="notification-push"),
    path("notifications/push/renewed/", views.push_renewed, name="notification-push-renewed"),
    path("notifications/devices/<int:push_subscription_id>/", views.device, name="notification-device"),
    path("service-worker.js", views.service_worker, name="service-worker"),
    path("accounts/notifications/", views.settings, name="notification-settings"),
    path("unsubscribe/<str:token>/", views.unsubscribe_page, name="unsubscribe"),
]

api_urlpatterns = [
    path("notifications/", api.Notifications.as_view(), name="api-notifications"),
    path("notifications/read/", api.Read.as_view(), name="api-notifications-read"),
    path("notifications/settings/", api.Settings.as_view(), name="api-notification-settings"),
]
