"""The URLs of the public pages of tournaments."""

from django.urls import path

from tournaments.pages import views

urlpatterns = [path("t/<slug:slug>", views.tournament, name="tournament-page")]
