"""The caller's own tokens."""

from uuid import UUID

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts import tokens
from core.accounts.api.bodies import TokenInfoBody, token_info_body
from core.accounts.authentication import player_of, token_of
from core.accounts.models import Token
from core.http.fields import Nothing
from core.http.openapi import problems
from core.http.pagination import CursorPages
from core.http.views import ApiView, ListView, checked


class NewestFirst(CursorPages):
    ordering = ("-created", "-id")


class TokensView(ListView[Token]):
    queryset = Token.objects.none()
    pagination_class = NewestFirst

    @extend_schema(operation_id="my_tokens", tags=["me"], responses={200: TokenInfoBody, **problems(400, 401)})
    def get(self, request: Request) -> Response:
        """List your valid tokens, newest first."""
        current, valid = token_of(request), tokens.valid(player_of(request))
        return self.page_of(valid, lambda rows: [token_info_body(row, current) for row in rows])

    @extend_schema(
        operation_id="revoke_my_tokens", tags=["me"], request=None, responses={204: None, **problems(400, 401)}
    )
    def delete(self, request: Request) -> Response:
        """Log out everywhere. All your tokens are revoked, including the one of this call."""
        checked(Nothing, request)
        tokens.revoke_all(player_of(request))
        return Response(status=204)


class TokenView(ApiView):
    @extend_schema(
        operation_id="revoke_my_token", tags=["me"], request=None, responses={204: None, **problems(400, 401, 404)}
    )
    def delete(self, request: Request, token_id: UUID) -> Response:
        """Revoke one of your tokens."""
        checked(Nothing, request)
        if not tokens.revoke(player_of(request), token_id):
            raise Http404
        return Response(status=204)
