from django.urls import path

from core.accounts.api import me, signing
from core.accounts.api.bodies import CODES, COMPONENTS
from core.http.openapi import add_codes, add_components

add_components(COMPONENTS)
add_codes(CODES)

urlpatterns = [
    path("players", signing.PlayersView.as_view(), name="players"),
    path("auth/login", signing.LoginView.as_view(), name="login"),
    path("auth/logout", signing.LogoutView.as_view(), name="logout"),
    path("auth/code", signing.CodeView.as_view(), name="code"),
    path("auth/code/login", signing.CodeLoginView.as_view(), name="code_login"),
    path("auth/reset", signing.ResetCodeView.as_view(), name="reset"),
    path("auth/reset/password", signing.ResetView.as_view(), name="reset_password"),
    path("me/address", me.AddressView.as_view(), name="address"),
    path("me/address/verify", me.VerifyView.as_view(), name="verify_address"),
    path("me/blocked", me.BlockedListView.as_view(), name="blocked"),
    path("me/blocked/<str:username>", me.BlockedView.as_view(), name="block"),
    path("me", me.MeView.as_view(), name="me"),
    path("me/password", me.PasswordView.as_view(), name="password"),
    path("me/close", me.CloseView.as_view(), name="close"),
    path("me/export", me.ExportView.as_view(), name="export"),
    path("me/tokens", me.TokensView.as_view(), name="tokens"),
    path("me/tokens/<uuid:token_id>", me.TokenView.as_view(), name="token"),
]
