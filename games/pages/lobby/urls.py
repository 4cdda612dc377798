"""The URLs of rooms, of guests, of the bell and of settings."""

from django.urls import path

from games.pages.lobby import app, channels, guests, preferences, rooms, rule_book, told

urlpatterns = [
    path("sw.js", app.service_worker, name="service-worker"),
    path("rooms", rooms.rooms, name="rooms-page"),
    path("rooms/new", rooms.choose, name="new-room-page"),
    path("rooms/new/<slug:game>", rooms.open_room, name="open-room-page"),
    path("rooms/<uuid:room_id>", rooms.room, name="room-page"),
    path("rooms/<uuid:room_id>/rules", rooms.rules, name="room-rules-page"),
    path("rooms/<uuid:room_id>/channels", channels.room_channels, name="room-channels-page"),
    path("rooms/<uuid:room_id>/<slug:what>", rooms.act, name="room-act"),
    path("rules/<slug:name>", rule_book.rules_of, name="rules-page"),
    path("me/device", guests.device, name="device-page"),
    path("me/keep", guests.keep, name="keep-page"),
    path("device/<str:secret>", guests.use_link, name="use-device-link"),
    path("me/notifications", told.notifications, name="notifications-page"),
    path("me/settings", preferences.settings_page, name="settings-page"),
]
