"""Notifications: the list, reading them, and the settings."""

from typing import Any

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.fields import TruthFilter
from core.http.openapi import problems, ref
from core.http.pagination import CursorPages
from core.http.views import ApiView, ListView, checked
from core.notifications import selectors, services
from core.notifications.api.serializers import ReadSerializer, SettingsChangeSerializer
from core.notifications.bodies import NotificationBody, UnreadBody
from core.notifications.models import Notification


class NewestFirst(CursorPages):
    ordering = ("-number",)

    def get_paginated_response_schema(self, schema: dict[str, Any]) -> dict[str, Any]:
        page = super().get_paginated_response_schema(schema)
        page["properties"]["unread"] = {"type": "integer", "description": "The number of all that are unread."}
        page["required"].append("unread")
        return page


class NotificationFilters(filters.FilterSet):
    unread = TruthFilter(method="only_unread", help_text="Only those that you have not read.")

    def only_unread(self, rows: QuerySet[Notification], name: str, value: bool) -> QuerySet[Notification]:
        return rows  # the view chooses them: it knows the player


class NotificationsView(ListView[Notification]):
    queryset = Notification.objects.none()
    pagination_class = NewestFirst
    filterset_class = NotificationFilters

    @extend_schema(
        operation_id="my_notifications",
        tags=["notifications"],
        responses={200: NotificationBody, **problems(400, 401)},
    )
    def get(self, request: Request) -> Response:
        """List your notifications, newest first, with what happened to each on every channel."""
        player = player_of(request)
        rows = selectors.notifications_of(player, unread=request.query_params.get("unread") == "true")
        response = self.page_of(rows, lambda page: selectors.bodies(player, page))
        response.data["unread"] = selectors.unread_count(player)
        return response


class ReadView(ApiView):
    @extend_schema(
        operation_id="read_my_notifications",
        tags=["notifications"],
        request=ReadSerializer,
        responses={200: UnreadBody, **problems(400, 401, 413, 415, 422)},
    )
    def post(self, request: Request) -> Response:
        """Say that you have read all notifications up to a number."""
        player = player_of(request)
        services.read(player, checked(ReadSerializer, request)["up_to"])
        return Response(UnreadBody(selectors.unread_count(player)))


class SettingsView(ApiView):
    @extend_schema(
        operation_id="my_notification_settings",
        tags=["notifications"],
        responses={200: ref("NotificationSettings"), **problems(401)},
    )
    def get(self, request: Request) -> Response:
        """Get what you are told and where, defaults included."""
        return Response(services.choices_of(player_of(request).pk).as_json())

    @extend_schema(
        operation_id="change_my_notification_settings",
        tags=["notifications"],
        request=SettingsChangeSerializer,
        responses={200: ref("NotificationSettings"), **problems(400, 401, 413, 415)},
    )
    def patch(self, request: Request) -> Response:
        """Change what you are told and where. Keys and cells left out stay as they are."""
        wanted = checked(SettingsChangeSerializer, request)
        return Response(services.choose(player_of(request), wanted).as_json())
