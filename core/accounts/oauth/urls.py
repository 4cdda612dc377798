"""The addresses of AP7."""

from allauth.idp.oidc.views import jwks
from django.urls import path
from django.views.decorators.http import require_safe

from core.accounts.oauth import views

urlpatterns = [
    path(".well-known/openid-configuration", views.discovery, name="oauth-discovery"),
    path(".well-known/oauth-authorization-server", views.discovery),
    path("oauth/authorize", views.authorize, name="oauth-authorize"),
    path("oauth/token", views.token, name="oauth-token"),
    path("oauth/device/code", views.device_code, name="oauth-device-code"),
    path("oauth/device", views.device, name="oauth-device"),
    path("oauth/revoke", views.revoke, name="oauth-revoke"),
    path("oauth/userinfo", views.userinfo, name="oauth-userinfo"),
    path("oauth/jwks", views.offered(require_safe(jwks)), name="oauth-jwks"),
]
