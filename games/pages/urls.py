"""The URLs of games' pages, of rooms, guests, the bell and settings."""

from django.urls import path

from games.pages import views
from games.pages.lobby import guests, news, preferences, rooms, rule_book

urlpatterns = [
    path("games/<uuid:game_id>", views.table, name="game-page"),
    path("games/<uuid:game_id>/picture.png", views.picture, name="game-picture"),
    path("games/<uuid:game_id>/rules", rule_book.rules_at, name="game-rules-page"),
    path("games/<uuid:game_id>/moments", views.turning, name="game-moments"),
    path("games/<uuid:game_id>/data", views.data, {"part": "game"}, name="game-data"),
    path("games/<uuid:game_id>/data/events", views.data, {"part": "events"}, name="game-data-events"),
    path("games/<uuid:game_id>/data/record", views.data, {"part": "record"}, name="game-data-record"),
    path("games/<uuid:game_id>/data/fairness", views.data, {"part": "fairness"}, name="game-data-fairness"),
    path("games/<uuid:game_id>/data/history/<int:version>", views.data, {"part": "history"}, name="game-data-history"),
    path("sw.js", views.service_worker, name="service-worker"),
    path("rooms", rooms.rooms, name="rooms-page"),
    path("rooms/new", rooms.choose, name="new-room-page"),
    path("rooms/new/<slug:game>", rooms.open_room, name="open-room-page"),
    path("rooms/now/<slug:game>", rooms.play_now, name="play-now"),
    path("rooms/<uuid:room_id>", rooms.room, name="room-page"),
    path("rooms/<uuid:room_id>/rules", rooms.rules, name="room-rules-page"),
    path("rooms/<uuid:room_id>/<slug:what>", rooms.act, name="room-act"),
    path("rules/<slug:name>", rule_book.rules_of, name="rules-page"),
    path("me/device", guests.device, name="device-page"),
    path("me/keep", guests.keep, name="keep-page"),
    path("device/<str:secret>", guests.use_link, name="use-device-link"),
    path("me/notifications", news.notifications, name="notifications-page"),
    path("me/settings", preferences.settings_page, name="settings-page"),
]
