"""The URLs of notifications, under `/api/v1/`."""

from django.urls import path

from games.platform.http.openapi import add_codes, add_components
from games.platform.telling.api import hooks, views
from games.platform.telling.api.schema import CODES, COMPONENTS

add_components(COMPONENTS)
add_codes(CODES)

urlpatterns = [
    path("me/notifications", views.NotificationsView.as_view(), name="notifications"),
    path("me/notifications/read", views.ReadView.as_view(), name="notifications_read"),
    path("me/webhooks", hooks.HooksView.as_view(), name="webhooks"),
    path("me/webhooks/<uuid:webhook_id>", hooks.HookView.as_view(), name="webhook"),
    path("me/webhooks/<uuid:webhook_id>/rotate", hooks.RotateView.as_view(), name="webhook_rotate"),
    path("me/webhooks/<uuid:webhook_id>/replay", hooks.ReplayView.as_view(), name="webhook_replay"),
    path("me/notifications/settings", views.SettingsView.as_view(), name="notification_settings"),
]
