"""The URLs of accounts, under `/api/v1/`."""

from django.urls import path

from games.accounts.api import views
from games.accounts.api.schema import COMPONENTS
from games.http.openapi import add_components

add_components(COMPONENTS)

urlpatterns = [
    path("players", views.PlayersView.as_view(), name="players"),
    path("auth/login", views.LoginView.as_view(), name="login"),
    path("auth/logout", views.LogoutView.as_view(), name="logout"),
    path("me", views.MeView.as_view(), name="me"),
]
