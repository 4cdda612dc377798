"""The URLs of accounts in the browser, under /accounts/."""

from django.urls import include, path
from django.views.generic import RedirectView

from core.accounts.pages import views

urlpatterns = [
    path("", views.overview, name="account-page"),
    path("sessions/", views.list_sessions, name="account-sessions"),
    path("sessions/end/", views.end_session, name="account-sessions-end"),
    path("tokens/", views.list_tokens, name="account-tokens"),
    path("tokens/revoke/", views.revoke_token, name="account-tokens-revoke"),
    path("blocked/", views.list_blocked, name="account-blocked"),
    path("close/", views.close, name="account-close"),
    # The targets of allauth's own links.
    path("usersessions/", RedirectView.as_view(pattern_name="account-sessions"), name="usersessions_list"),
    path("", include("allauth.account.urls")),
    path("2fa/", include("allauth.mfa.urls")),
]
