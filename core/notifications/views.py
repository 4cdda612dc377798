"""The REST API of notifications, of the caller's own webhooks, browsers, chats and calendar, and their pages."""

import hashlib
from typing import ClassVar, cast
from uuid import UUID

from django.contrib.auth.decorators import login_required
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core import clock as service_clock
from core.accounts.login.authentication import app_of, player_of, session_key_of, token_of
from core.accounts.models import Player
from core.chatting import SERVICES
from core.http.bodies import Nothing, made_from
from core.http.conditional import if_none_match
from core.http.fields import TruthFilter
from core.http.idempotency import once
from core.http.openapi import add_components, add_webhooks, problems, ref
from core.http.pagination import CursorPages
from core.http.throttling import limit
from core.http.views import ApiView, ListView, checked
from core.notifications import endpoints, ics, preferences, push, selectors, senders, services
from core.notifications.bodies import (
    COMPONENTS,
    HOOK_ANSWER,
    HOOK_HEADERS,
    HOOKED,
    CalendarAddressBody,
    ChatBody,
    ChatChangeRequest,
    ChatCreationRequest,
    HookBody,
    HookChangeRequest,
    HookCreationRequest,
    NewCalendarAddressBody,
    NewHookBody,
    NotificationBody,
    PushBody,
    PushKeyBody,
    ReadRequest,
    ReplayedBody,
    ReplayRequest,
    SettingsChangeRequest,
    SubscriptionRequest,
    UnreadBody,
)
from core.notifications.kinds import WORDS
from core.notifications.models import Chat, Hook, Notification, Subscription


class NewestFirst(CursorPages):
    ordering = ("-number",)
    more: ClassVar = {"unread": {"type": "integer", "description": "The total number of unread notifications."}}


class NotificationFilters(filters.FilterSet):
    unread = TruthFilter(method="only_unread", help_text="Only unread notifications.")

    def only_unread(self, rows: QuerySet[Notification], name: str, value: bool) -> QuerySet[Notification]:
        return selectors.unread(rows, cast("Player", self.request.user)) if value and self.request else rows


class NotificationsView(ListView[Notification]):
    queryset = Notification.objects.none()
    pagination_class = NewestFirst
    filterset_class = NotificationFilters

    @extend_schema(operation_id="my_notifications", responses={200: NotificationBody})
    def get(self, request: Request) -> Response:
        """List your notifications, newest first. Each says what happened to it on every channel."""
        player = player_of(request)
        response = self.page_of(selectors.notifications_of(player), lambda page: selectors.bodies(player, page))
        response.data["unread"] = selectors.unread_count(player)
        return response


class ReadView(ApiView):
    @extend_schema(
        operation_id="read_my_notifications", request=ReadRequest, responses={200: UnreadBody, **problems(422)}
    )
    def post(self, request: Request) -> Response:
        """Mark your notifications as read, up to a number."""
        player = player_of(request)
        services.read(player, checked(ReadRequest, request)["up_to"])
        return Response(UnreadBody(selectors.unread_count(player)))


class SettingsView(ApiView):
    @extend_schema(operation_id="my_notification_settings", responses={200: ref("NotificationSettings")})
    def get(self, request: Request) -> Response:
        """Get your notification settings, defaults included."""
        return Response(preferences.preferences_of(player_of(request).pk).as_json())

    @extend_schema(
        operation_id="change_my_notification_settings",
        request=SettingsChangeRequest,
        responses={200: ref("NotificationSettings")},
    )
    def patch(self, request: Request) -> Response:
        """Change your notification settings. Keys and cells that you leave out stay as they are."""
        wanted = checked(SettingsChangeRequest, request)
        return Response(preferences.prefer(player_of(request), wanted).as_json())


class OldestFirst(CursorPages):
    ordering = ("created_at", "id")


class HooksView(ListView[Hook]):
    queryset = Hook.objects.none()
    pagination_class = OldestFirst

    @extend_schema(operation_id="my_webhooks", responses={200: HookBody})
    def get(self, request: Request) -> Response:
        """List your webhooks, and whether they work."""
        own = Hook.objects.filter(player=player_of(request))
        return self.page_of(own, lambda page: [made_from(HookBody, hook) for hook in page])

    @extend_schema(
        operation_id="create_webhook", request=HookCreationRequest, responses={201: NewHookBody, **problems(429)}
    )
    @once(sealed=True)
    def post(self, request: Request) -> Response:
        """Create a webhook.

        Your notifications are posted to its address, signed by Standard Webhooks. The secret is shown only this once.
        """
        wanted = checked(HookCreationRequest, request)
        hook, secret = endpoints.create_webhook(
            player_of(request), wanted["url"], wanted.get("types"), app=app_of(request)
        )
        return Response(made_from(NewHookBody, hook, secret=secret), status=201)


class HookView(ApiView):
    @extend_schema(operation_id="get_webhook", responses={200: HookBody})
    def get(self, request: Request, webhook_id: UUID) -> Response:
        """Get one of your webhooks."""
        return Response(made_from(HookBody, endpoints.find(Hook, player_of(request), webhook_id)))

    @extend_schema(operation_id="change_webhook", request=HookChangeRequest, responses={200: HookBody})
    def patch(self, request: Request, webhook_id: UUID) -> Response:
        """Change one of your webhooks. One that was switched off can be switched on again."""
        wanted = checked(HookChangeRequest, request)
        return Response(
            made_from(HookBody, endpoints.change(Hook, player_of(request), webhook_id, app=app_of(request), **wanted))
        )

    @extend_schema(operation_id="remove_webhook", request=None, responses={204: None})
    def delete(self, request: Request, webhook_id: UUID) -> Response:
        """Remove one of your webhooks."""
        checked(Nothing, request)
        endpoints.find(Hook, player_of(request), webhook_id).delete()
        return Response(status=204)


class RotateView(ApiView):
    @extend_schema(operation_id="rotate_webhook_secret", request=None, responses={200: NewHookBody})
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Replace the secret of a webhook.

        The new one is shown only this once. For a day, deliveries are signed with the old one, too.
        """
        checked(Nothing, request)
        hook, secret = endpoints.rotate(player_of(request), webhook_id, app=app_of(request))
        return Response(made_from(NewHookBody, hook, secret=secret))


class ReplayView(ApiView):
    @extend_schema(operation_id="replay_webhook", request=ReplayRequest, responses={200: ReplayedBody, **problems(429)})
    def post(self, request: Request, webhook_id: UUID) -> Response:
        """Resend what a webhook missed. Deliveries since `since` are sent again, with the same ids."""
        player = player_of(request)
        limit("replay", str(player.pk))
        since = checked(ReplayRequest, request)["since"]
        return Response(ReplayedBody(endpoints.replay(player, webhook_id, since)))


class PushKeyView(ApiView):
    @extend_schema(operation_id="push_key", responses={200: PushKeyBody})
    def get(self, request: Request) -> Response:
        """Get the `applicationServerKey` with which browsers subscribe."""
        return Response(PushKeyBody(push.public_key()))


class WithEnded(OldestFirst):
    more: ClassVar = {
        "ended": {
            "type": "array",
            "description": "The digests of browsers whose pushes you ended. Pages do not turn these on again.",
            "items": {"type": "string"},
        }
    }


class PushView(ListView[Subscription]):
    queryset = Subscription.objects.none()
    pagination_class = WithEnded

    @extend_schema(operation_id="my_browsers", responses={200: PushBody})
    def get(self, request: Request) -> Response:
        """List your browsers that get pushes, and whether they work."""
        player = player_of(request)
        response = self.page_of(push.subscriptions_of(player), lambda page: [made_from(PushBody, one) for one in page])
        response.data["ended"] = push.ended(player)
        return response

    @extend_schema(
        operation_id="subscribe_browser", request=SubscriptionRequest, responses={200: PushBody, 201: PushBody}
    )
    def post(self, request: Request) -> Response:
        """Push your notifications to a browser.

        Send its `PushSubscription` as it is. Sending it again changes nothing. It ends with the session or token of
        this call.
        """
        wanted = checked(SubscriptionRequest, request)
        keys = wanted["keys"]
        one, new = push.subscribe(
            player_of(request),
            wanted["endpoint"],
            keys["p256dh"],
            keys["auth"],
            session=session_key_of(request),
            token=token_of(request),
        )
        return Response(made_from(PushBody, one), status=201 if new else 200)


class BrowserView(ApiView):
    @extend_schema(operation_id="unsubscribe_browser", request=None, responses={204: None})
    def delete(self, request: Request, subscription_id: UUID) -> Response:
        """End the pushes to one of your browsers."""
        checked(Nothing, request)
        push.unsubscribe(player_of(request), subscription_id)
        return Response(status=204)


class WithServices(OldestFirst):
    more: ClassVar = {
        "services": {
            "type": "array",
            "description": "The services that the operator offers, and what their addresses look like.",
            "items": {
                "type": "object",
                "required": ["service", "address"],
                "properties": {"service": {"type": "string"}, "address": {"type": "string"}},
            },
        }
    }


class ChatsView(ListView[Chat]):
    queryset = Chat.objects.none()
    pagination_class = WithServices

    @extend_schema(operation_id="my_chats", responses={200: ChatBody})
    def get(self, request: Request) -> Response:
        """List your chat addresses. You also see whether they work, and which services the operator offers."""
        own = Chat.objects.filter(player=player_of(request))
        response = self.page_of(own, lambda page: [made_from(ChatBody, one) for one in page])
        response.data["services"] = [
            {"service": name, "address": SERVICES[name].address} for name in endpoints.offered()
        ]
        return response

    @extend_schema(operation_id="create_chat", request=ChatCreationRequest, responses={201: ChatBody, **problems(429)})
    @once()
    def post(self, request: Request) -> Response:
        """Post your notifications to a chat service. Its address is never shown again."""
        wanted = checked(ChatCreationRequest, request)
        one = endpoints.create_chat(player_of(request), wanted["service"], wanted["url"], app=app_of(request))
        return Response(made_from(ChatBody, one), status=201)


class ChatView(ApiView):
    @extend_schema(operation_id="get_chat", responses={200: ChatBody})
    def get(self, request: Request, chat_id: UUID) -> Response:
        """Get one of your chat addresses."""
        return Response(made_from(ChatBody, endpoints.find(Chat, player_of(request), chat_id)))

    @extend_schema(operation_id="change_chat", request=ChatChangeRequest, responses={200: ChatBody})
    def patch(self, request: Request, chat_id: UUID) -> Response:
        """Change one of your chat addresses. One that was switched off can be switched on again."""
        wanted = checked(ChatChangeRequest, request)
        return Response(
            made_from(ChatBody, endpoints.change(Chat, player_of(request), chat_id, app=app_of(request), **wanted))
        )

    @extend_schema(operation_id="remove_chat", request=None, responses={204: None})
    def delete(self, request: Request, chat_id: UUID) -> Response:
        """Remove one of your chat addresses."""
        checked(Nothing, request)
        endpoints.find(Chat, player_of(request), chat_id).delete()
        return Response(status=204)


class ChatTestView(ApiView):
    @extend_schema(operation_id="test_chat", request=None, responses={202: ChatBody, **problems(429)})
    def post(self, request: Request, chat_id: UUID) -> Response:
        """Post a test to a chat address of yours. Afterwards `tested_at` is set, and `error` says what failed."""
        checked(Nothing, request)
        one = endpoints.find(Chat, player_of(request), chat_id)
        senders.put_test(one)
        return Response(made_from(ChatBody, one), status=202)


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_endpoints(request: HttpRequest) -> HttpResponse:
    """Webhooks and chats, to end them; after a new password they are kept or ended in one tap."""
    player = cast("Player", request.user)
    if request.method == "POST":
        if decision := request.POST.get("decide"):
            endpoints.decide(player, stay=decision == "keep")
        else:
            endpoints.end(player, request.POST.get("end", ""))
        return redirect("account-endpoints")
    own = endpoints.of(player)
    context = {"viewer": player, "endpoints": own, "in_question": [one for one in own if one.in_question]}
    return render(request, "notifications/endpoints.html", context)


# The link is the proof, so it needs no log-in. Mail programs post to it without a cookie (RFC 8058, 3.2).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows a button, so that programs that check links stop nothing. POST stops the mails."""
    player, kinds = preferences.read_stop(token)
    if player is None:
        return render(request, "notifications/stop.html", {"unknown": True}, status=404)
    done = request.method == "POST"
    if done:
        preferences.stop_mails(player, kinds)
    words = [WORDS[kind].mails for kind in kinds]
    response = render(request, "notifications/stop.html", {"words": words, "name": player.username, "done": done})
    response["Cache-Control"] = "no-store"
    return response


class CalendarView(ApiView):
    @extend_schema(operation_id="my_calendar", responses={200: CalendarAddressBody})
    def get(self, request: Request) -> Response:
        """Get the state of your calendar's address. You see when it was created and last read."""
        row = ics.of(player_of(request))
        if row is None:
            return Response(CalendarAddressBody(active=False, created_at=None, read_at=None))
        return Response(CalendarAddressBody(active=True, created_at=row.created_at, read_at=row.read_at))

    @extend_schema(operation_id="create_calendar", request=None, responses={201: NewCalendarAddressBody})
    def post(self, request: Request) -> Response:
        """Give your calendar a new address.

        Calendar programs read it there, and the previous address stops working. It is shown only this once. Anyone who
        has it can see your turns and dates, but never a card.
        """
        checked(Nothing, request)
        return Response(NewCalendarAddressBody(ics.make(player_of(request), app=app_of(request))), status=201)

    @extend_schema(operation_id="remove_calendar", request=None, responses={204: None})
    def delete(self, request: Request) -> Response:
        """Remove the address of your calendar."""
        checked(Nothing, request)
        ics.drop(player_of(request))
        return Response(status=204)


@require_safe
def show_calendar(request: HttpRequest, secret: str) -> HttpResponse:
    """AP28. The secret in the address is the proof: no token or cookie is looked at, and the log has no such path."""
    now = service_clock.now()
    player = ics.reader_of(secret, now)
    if player is None:
        raise Http404
    content = ics.calendar_of(player, now)
    headers = {"ETag": f'"{hashlib.sha256(content).hexdigest()[:32]}"', "Cache-Control": "private, no-cache"}
    if if_none_match(request, headers["ETag"]):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(content, content_type="text/calendar; charset=utf-8", headers=headers)


add_components(COMPONENTS)
add_webhooks(HOOKED, HOOK_ANSWER, HOOK_HEADERS)

api = [
    path("me/notifications", NotificationsView.as_view(), name="notifications"),
    path("me/notifications/read", ReadView.as_view(), name="notifications_read"),
    path("me/webhooks", HooksView.as_view(), name="webhooks"),
    path("me/webhooks/<uuid:webhook_id>", HookView.as_view(), name="webhook"),
    path("me/webhooks/<uuid:webhook_id>/rotate", RotateView.as_view(), name="webhook_rotate"),
    path("me/webhooks/<uuid:webhook_id>/replay", ReplayView.as_view(), name="webhook_replay"),
    path("me/push", PushView.as_view(), name="push"),
    path("me/push/key", PushKeyView.as_view(), name="push_key"),
    path("me/push/<uuid:subscription_id>", BrowserView.as_view(), name="browser"),
    path("me/chat", ChatsView.as_view(), name="chats"),
    path("me/chat/<uuid:chat_id>", ChatView.as_view(), name="chat"),
    path("me/chat/<uuid:chat_id>/test", ChatTestView.as_view(), name="chat_test"),
    path("me/ics", CalendarView.as_view(), name="calendar"),
    path("me/notifications/settings", SettingsView.as_view(), name="notification_settings"),
]

pages = [
    path("accounts/endpoints/", list_endpoints, name="account-endpoints"),
    path("ics/<str:secret>.ics", show_calendar, name="ics"),
    path("mail/stop/<str:token>", stop_mails, name="stop-mails"),
]
