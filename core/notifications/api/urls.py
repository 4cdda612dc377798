"""The URLs of notifications, under `/api/v1/`."""

from django.urls import path

from core.http.openapi import add_codes, add_components
from core.notifications.api import views
from core.notifications.api.serializers import CODES, COMPONENTS

add_components(COMPONENTS)
add_codes(CODES)

urlpatterns = [
    path("me/notifications", views.NotificationsView.as_view(), name="notifications"),
    path("me/notifications/read", views.ReadView.as_view(), name="notifications_read"),
    path("me/webhooks", views.HooksView.as_view(), name="webhooks"),
    path("me/webhooks/<uuid:webhook_id>", views.HookView.as_view(), name="webhook"),
    path("me/webhooks/<uuid:webhook_id>/rotate", views.RotateView.as_view(), name="webhook_rotate"),
    path("me/webhooks/<uuid:webhook_id>/replay", views.ReplayView.as_view(), name="webhook_replay"),
    path("me/push", views.PushView.as_view(), name="push"),
    path("me/push/key", views.PushKeyView.as_view(), name="push_key"),
    path("me/push/<uuid:subscription_id>", views.BrowserView.as_view(), name="browser"),
    path("me/chat", views.ChatsView.as_view(), name="chats"),
    path("me/chat/<uuid:chat_id>", views.ChatView.as_view(), name="chat"),
    path("me/chat/<uuid:chat_id>/test", views.ChatTestView.as_view(), name="chat_test"),
    path("me/notifications/settings", views.SettingsView.as_view(), name="notification_settings"),
]
