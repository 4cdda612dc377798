"""The URLs of accounts, under `/api/v1/`."""

from django.urls import path

from games.platform.accounts.api.schema import CODES, COMPONENTS
from games.platform.accounts.api.views import export, me, signing, tokens
from games.platform.http.openapi import add_codes, add_components

add_components(COMPONENTS)
add_codes(CODES)

urlpatterns = [
    path("players", signing.PlayersView.as_view(), name="players"),
    path("auth/login", signing.LoginView.as_view(), name="login"),
    path("auth/logout", signing.LogoutView.as_view(), name="logout"),
    path("me", me.MeView.as_view(), name="me"),
    path("me/password", me.PasswordView.as_view(), name="password"),
    path("me/close", me.CloseView.as_view(), name="close"),
    path("me/export", export.ExportView.as_view(), name="export"),
    path("me/tokens", tokens.TokensView.as_view(), name="tokens"),
    path("me/tokens/<uuid:token_id>", tokens.TokenView.as_view(), name="token"),
]
