"""The caller's own browsers and chat services."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of, session_key_of, token_of
from core.http.fields import Nothing
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.throttling import limit
from core.http.views import ApiView, ListView, checked
from core.notifications import chat, push, trying
from core.notifications.api.hooks import OldestFirst
from core.notifications.api.serializers import ChatChangeSerializer, ChatCreationSerializer, SubscriptionSerializer
from core.notifications.bodies import ChatBody, PushBody, PushKeyBody, chat_body, push_body
from core.notifications.chatting import SERVICES
from core.notifications.models import Chat, Subscription


class PushKeyView(ApiView):
    @extend_schema(operation_id="push_key", tags=["notifications"], responses={200: PushKeyBody, **problems(401)})
    def get(self, request: Request) -> Response:
        """Get the `applicationServerKey` with which browsers subscribe."""
        return Response(PushKeyBody(push.public_key()))


class WithEnded(OldestFirst):
    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        page = super().get_paginated_response_schema(schema)
        page["properties"]["ended"] = {
            "type": "array",
            "description": "The digests of browsers whose pushes you ended: a page does not begin them by itself.",
            "items": {"type": "string"},
        }
        page["required"].append("ended")
        return page


class PushView(ListView[Subscription]):
    queryset = Subscription.objects.none()
    pagination_class = WithEnded

    @extend_schema(
        operation_id="my_browsers",
        tags=["notifications"],
        responses={200: PushBody, **problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List your browsers that get pushes, and whether they work."""
        player = player_of(request)
        response = self.page_of(push.subscriptions_of(player), lambda page: [push_body(one) for one in page])
        response.data["ended"] = push.ended(player)
        return response

    @extend_schema(
        operation_id="subscribe_browser",
        tags=["notifications"],
        request=SubscriptionSerializer,
        responses={200: PushBody, 201: PushBody, **problems(400, 401, 413, 415)},
    )
    def post(self, request: Request) -> Response:
        """Have your notifications pushed to a browser: send its `PushSubscription` as it is.

        Sending it twice makes one. It ends with the session or the token of this call.
        """
        wanted = checked(SubscriptionSerializer, request)
        keys = wanted["keys"]
        one, new = push.subscribe(
            player_of(request),
            wanted["endpoint"],
            keys["p256dh"],
            keys["auth"],
            session=session_key_of(request),
            token=token_of(request),
        )
        return Response(push_body(one), status=201 if new else 200)


class BrowserView(ApiView):
    @extend_schema(
        operation_id="unsubscribe_browser",
        tags=["notifications"],
        request=None,
        responses={204: None, **problems(400, 401, 404)},
    )
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """End the pushes to one of your browsers."""
        checked(Nothing, request)
        push.unsubscribe(player_of(request), subscription_id)
        return Response(status=204)


class WithServices(OldestFirst):
    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        page = super().get_paginated_response_schema(schema)
        page["properties"]["services"] = {
            "type": "array",
            "description": "The services that the operator offers, and what an address of each looks like.",
            "items": {
                "type": "object",
                "required": ["service", "address"],
                "properties": {"service": {"type": "string"}, "address": {"type": "string"}},
            },
        }
        page["required"].append("services")
        return page


class ChatsView(ListView[Chat]):
    queryset = Chat.objects.none()
    pagination_class = WithServices

    @extend_schema(
        operation_id="my_chats",
        tags=["notifications"],
        responses={200: ChatBody, **problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List your chat addresses, whether they work, and which services there are."""
        own = Chat.objects.filter(player=player_of(request))
        response = self.page_of(own, lambda page: [chat_body(one) for one in page])
        response.data["services"] = [{"service": name, "address": SERVICES[name].address} for name in chat.offered()]
        return response

    @extend_schema(
        operation_id="create_chat",
        tags=["notifications"],
        request=ChatCreationSerializer,
        responses={201: ChatBody, **problems(400, 401, 413, 415, 422, 429)},
    )
    @once()
    def post(self, request: Request) -> Response:
        """Have your notifications posted to a chat service of your own. Its address is never shown again."""
        wanted = checked(ChatCreationSerializer, request)
        one = chat.create(player_of(request), wanted["service"], wanted["url"])
        return Response(chat_body(one), status=201)


class ChatView(ApiView):
    @extend_schema(operation_id="get_chat", tags=["notifications"], responses={200: ChatBody, **problems(401, 404)})
    def get(self, request: Request, chat_id: UUID) -> Response:
        """Get one of your chat addresses."""
        return Response(chat_body(chat.find(player_of(request), chat_id)))

    @extend_schema(
        operation_id="change_chat",
        tags=["notifications"],
        request=ChatChangeSerializer,
        responses={200: ChatBody, **problems(400, 401, 404, 413, 415)},
    )
    def patch(self, request: Request, chat_id: UUID) -> Response:
        """Change one of your chat addresses. One that was switched off can be switched on again."""
        wanted = checked(ChatChangeSerializer, request)
        return Response(chat_body(chat.change(player_of(request), chat_id, **wanted)))

    @extend_schema(
        operation_id="remove_chat",
        tags=["notifications"],
        request=None,
        responses={204: None, **problems(400, 401, 404)},
    )
    def delete(self, request: Request, chat_id: UUID) -> Response:
        """Remove one of your chat addresses."""
        checked(Nothing, request)
        chat.remove(player_of(request), chat_id)
        return Response(status=204)


class ChatTestView(ApiView):
    @extend_schema(
        operation_id="test_chat",
        tags=["notifications"],
        request=None,
        responses={202: ChatBody, **problems(400, 401, 404, 413, 415, 429)},
    )
    def post(self, request: Request, chat_id: UUID) -> Response:
        """Post a test to a chat address of yours. Afterwards `tested_at` is new, and `error` says what failed."""
        checked(Nothing, request)
        player = player_of(request)
        limit("test", str(player.pk))
        one = chat.find(player, chat_id)
        trying.put("chat", one)
        return Response(chat_body(one), status=202)
