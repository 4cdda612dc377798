"""The URLs of games' pages."""

from django.urls import path

from games.pages import views

urlpatterns = [
    path("games/<uuid:game_id>", views.table, name="game-page"),
    path("games/<uuid:game_id>/picture.png", views.picture, name="game-picture"),
    path("games/<uuid:game_id>/data", views.data, {"part": "game"}, name="game-data"),
    path("games/<uuid:game_id>/data/events", views.data, {"part": "events"}, name="game-data-events"),
    path("games/<uuid:game_id>/data/record", views.data, {"part": "record"}, name="game-data-record"),
    path("games/<uuid:game_id>/data/fairness", views.data, {"part": "fairness"}, name="game-data-fairness"),
    path("games/<uuid:game_id>/data/history/<int:version>", views.data, {"part": "history"}, name="game-data-history"),
]
