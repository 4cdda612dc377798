"""The caller's own webhooks."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.fields import Nothing
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.pagination import CursorPages
from core.http.throttling import limit
from core.http.views import ApiView, ListView, checked
from core.notifications import hooks
from core.notifications.api.serializers import HookChangeSerializer, HookCreationSerializer, ReplaySerializer
from core.notifications.bodies import HookBody, NewHookBody, ReplayedBody, hook_body, new_hook_body
from core.notifications.models import Hook


class OldestFirst(CursorPages):
    ordering = ("created_at", "id")


class HooksView(ListView[Hook]):
    queryset = Hook.objects.none()
    pagination_class = OldestFirst

    @extend_schema(
        operation_id="my_webhooks",
        tags=["notifications"],
        responses={200: HookBody, **problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List your webhooks, and whether they work."""
        own = Hook.objects.filter(player=player_of(request))
        return self.page_of(own, lambda page: [hook_body(hook) for hook in page])

    @extend_schema(
        operation_id="create_webhook",
        tags=["notifications"],
        request=HookCreationSerializer,
        responses={201: NewHookBody, **problems(400, 401, 413, 415, 422, 429)},
    )
    @once(sealed="secret")
    def post(self, request: Request) -> Response:
        """Have your notifications posted to an address, signed by Standard Webhooks.

        The secret is shown only this once.
        """
        wanted = checked(HookCreationSerializer, request)
        created = hooks.create(player_of(request), wanted["url"], wanted.get("types"))
        return Response(new_hook_body(*created), status=201)


class HookView(ApiView):
    @extend_schema(operation_id="get_webhook", tags=["notifications"], responses={200: HookBody, **problems(401, 404)})
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """Get one of your webhooks."""
        return Response(hook_body(hooks.find(player_of(request), webhook_id)))

    @extend_schema(
        operation_id="change_webhook",
        tags=["notifications"],
        request=HookChangeSerializer,
        responses={200: HookBody, **problems(400, 401, 404, 413, 415)},
    )
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Change one of your webhooks. One that was switched off can be switched on again."""
        wanted = checked(HookChangeSerializer, request)
        return Response(hook_body(hooks.change(player_of(request), webhook_id, **wanted)))

    @extend_schema(
        operation_id="remove_webhook",
        tags=["notifications"],
        request=None,
        responses={204: None, **problems(400, 401, 404)},
    )
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """Remove one of your webhooks."""
        checked(Nothing, request)
        hooks.remove(player_of(request), webhook_id)
        return Response(status=204)


class RotateView(ApiView):
    @extend_schema(
        operation_id="rotate_webhook_secret",
        tags=["notifications"],
        request=None,
        responses={200: NewHookBody, **problems(400, 401, 404, 413, 415)},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Get a new secret, which is shown only this once. For a day, deliveries are signed with the old one, too."""
        checked(Nothing, request)
        return Response(new_hook_body(*hooks.rotate(player_of(request), webhook_id)))


class ReplayView(ApiView):
    @extend_schema(
        operation_id="replay_webhook",
        tags=["notifications"],
        request=ReplaySerializer,
        responses={200: ReplayedBody, **problems(400, 401, 404, 413, 415, 429)},
    )
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Resend everything that the webhook should have got since then, with the same ids."""
        player = player_of(request)
        limit("replay", str(player.pk))
        since = checked(ReplaySerializer, request)["since"]
        return Response(ReplayedBody(hooks.replay(player, webhook_id, since)))
