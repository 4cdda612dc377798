"""The URLs of leaderboards and public profiles, under `/api/v1/`."""

from django.urls import path

from tournaments.leaderboards.api import views

urlpatterns = [
    path("leaderboards/<slug:game>", views.LeaderboardView.as_view(), name="leaderboard"),
    path("players/<str:username>", views.ProfileView.as_view(), name="player"),
    path("players/<str:username>/ratings", views.RatingsView.as_view(), name="ratings"),
    path("players/<str:username>/versus/<str:other>", views.VersusView.as_view(), name="versus"),
]
