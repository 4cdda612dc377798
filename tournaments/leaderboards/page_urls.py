"""The URLs of the public pages."""

from django.urls import path

from tournaments.leaderboards import pages

urlpatterns = [
    path("leaderboards", pages.leaderboards, name="leaderboards-page"),
    path("leaderboards/<slug:game>", pages.leaderboard, name="leaderboard-page"),
    path("players/<str:username>", pages.player, name="player-page"),
]
