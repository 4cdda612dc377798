"""The bodies of the calls on notifications."""

from typing import Annotated, Any

from drf_spectacular.utils import extend_schema_field
from msgspec import Meta, Struct, defstruct
from rest_framework import serializers

from core.http.bodies import components, doc, schema
from core.http.fields import Choice, JSONObject, Number, Strict, Text, Truth, Whole
from core.http.openapi import example
from core.notifications.kinds import HOOK_TYPES, NAMES
from core.notifications.preferences import CHANNELS, MOST_REMINDERS

CODES = (
    "bad_settings",
    "no_such_number",
    "bad_webhook",
    "webhook_limit",
    "bad_subscription",
    "bad_chat",
    "chat_limit",
    "channel_limit",
)
CELL: dict[str, Any] = {"anyOf": [{"type": "boolean"}, {"type": "string", "enum": ["fallback"]}]}
_Channels = defstruct("NotificationChannels", [(name, Annotated[Any, schema(CELL)]) for name in CHANNELS])
_Matrix = defstruct("NotificationMatrix", [(kind, _Channels) for kind in NAMES])
Mark = Annotated[str, Meta(pattern="^([1-9][0-9]?%|[1-9][0-9]{0,4}(m|h|d))$")]


class NotificationSettings(Struct):
    """What you are told, and where."""

    matrix: Annotated[
        _Matrix,  # type: ignore[valid-type]
        doc(
            "For each kind and channel true or false; for mail also `fallback`: only if no other channel reaches you. "
            "Webhooks have their own subscriptions."
        ),
    ]
    always: Annotated[bool, doc("Tell me even if I have seen it.")]
    reminders: Annotated[
        list[Mark],
        Meta(max_length=MOST_REMINDERS),
        doc("When to be reminded of a turn: a share of its time left, or a span before its end."),
    ]


COMPONENTS = components(NotificationSettings)


@example({"up_to": 0})
class ReadSerializer(Strict):
    """The notification up to which you have read all."""

    up_to = Whole(min_value=0, max_value=2**53, help_text="The number of a notification.")


class SubscriptionKeysSerializer(Strict):
    """A browser's keys."""

    p256dh = Text(max_length=100)
    auth = Text(max_length=40)


@example(
    {
        "endpoint": "https://push.example.org/send/8f2c",
        "expirationTime": None,
        "keys": {
            "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
            "auth": "BTBZMqHH6r4Tts7J_aSIgg",
        },
    }
)
class SubscriptionSerializer(Strict):
    """A browser's `PushSubscription`, as `toJSON()` gives it."""

    endpoint = Text(max_length=2000, help_text="https only, and public.")
    expirationTime = Number(required=False, allow_null=True, min_value=0)  # noqa: N815  the browsers' name
    keys = SubscriptionKeysSerializer()


@example({"service": "discord", "url": "https://discord.com/api/webhooks/1234567890/s3cret"})
class ChatCreationSerializer(Strict):
    """The chat address to post to."""

    service = Text(max_length=20, help_text="One of those in docs/notifications.md that the operator offers.")
    url = Text(max_length=2000, help_text="The webhook's address, with its token. https only, and public.")


@example({"service": "discord", "url": "https://discord.com/api/webhooks/1234567890/s3cret"})
class ChannelCreationSerializer(Strict):
    """The channel to post to."""

    service = Text(max_length=20, help_text="A chat service that the operator offers, or `webhook`.")
    url = Text(max_length=2000, help_text="The address, with its token. https only, and public.")


@example({"active": True})
class ChatChangeSerializer(Strict):
    """Changes to a chat address. Keys left out stay as they are."""

    url = Text(max_length=2000, required=False, help_text="https only, and public.")
    active = Truth(required=False, help_text="Switch it on again, or off.")


@example({"url": "https://example.org/trey", "types": ["game.turn", "game.finished"]})
class HookCreationSerializer(Strict):
    """A webhook's address, and the types of events to send there."""

    url = Text(max_length=2000, help_text="https only, and public.")
    types = serializers.ListField(
        child=Choice(HOOK_TYPES), required=False, min_length=1, help_text="Left out: all types."
    )


@example({"active": True})
class HookChangeSerializer(Strict):
    """Changes to a webhook. Keys left out stay as they are."""

    url = Text(max_length=2000, required=False, help_text="https only, and public.")
    types = serializers.ListField(child=Choice(HOOK_TYPES), required=False, min_length=1)
    active = Truth(required=False, help_text="Switch it on again, or off.")


@example({"since": "2026-11-21T12:00:00Z"})
class ReplaySerializer(Strict):
    """The time since which everything is sent again."""

    since = serializers.DateTimeField()


@extend_schema_field(
    {
        "type": "object",
        "additionalProperties": {
            "type": "object",
            "additionalProperties": CELL,
        },
    }
)
class MatrixField(JSONObject):
    """A part of the matrix."""


@extend_schema_field({"type": "array", "items": {"type": "string"}, "maxItems": MOST_REMINDERS})
class MarksField(serializers.Field[Any, Any, Any, Any]):
    """The marks of reminders, checked by `core.notifications.preferences`."""

    def to_internal_value(self, data: Any) -> Any:
        if not isinstance(data, list):
            raise serializers.ValidationError(
                f'Must be a list of at most {MOST_REMINDERS} marks, such as "20%" or "4h".'
            )
        return data

    def to_representation(self, value: Any) -> Any:
        return value


@example({"matrix": {"started": {"mail": False}}, "reminders": ["24h", "4h"]})
class SettingsChangeSerializer(Strict):
    """Changes to your settings for notifications. Keys and cells left out stay as they are."""

    matrix = MatrixField(required=False, help_text="Kinds of notifications, their channels, true or false.")
    always = Truth(required=False, help_text="Tell me even if I have seen it.")
    reminders = MarksField(required=False, help_text='Such as "20%" of the time left, or "4h" before its end.')
