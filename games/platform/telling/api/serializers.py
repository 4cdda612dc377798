"""The bodies of the calls on notifications."""

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.platform.http.fields import Choice, JSONObject, Number, Shape, Strict, Text, Truth, Whole
from games.platform.http.openapi import example, ref
from games.platform.telling.api.schema import CELL
from games.platform.telling.choices import MOST_REMINDERS
from games.platform.telling.kinds import HOOK_TYPES, NAMES
from games.platform.telling.models import Endpoint


@example({"up_to": 0})
class ReadSerializer(Strict):
    """Up to which notification you have read them all."""

    up_to = Whole(min_value=0, max_value=2**53, help_text="The number of a notification.")


class NotificationSerializer(serializers.Serializer[Any]):
    """Something you were told. Its text is composed when it is read."""

    number = serializers.IntegerField(help_text="Rises with each notification of yours.")
    kind = serializers.ChoiceField(NAMES)
    cause = serializers.CharField(help_text="The same on every channel, such as `turn:<game>:1:17`.")
    text = serializers.CharField()
    link = serializers.CharField(allow_null=True, help_text="What it is about, as it is now.")
    created_at = serializers.DateTimeField()
    read = serializers.BooleanField(help_text="Whether you have read it, or it lost its point.")
    channels = Shape(ref("NotificationFates"))


class UnreadSerializer(serializers.Serializer[Any]):
    """How many notifications are unread."""

    unread = serializers.IntegerField()


class EndpointSerializer(serializers.Serializer[Any]):
    """An address that something is posted to. It may hold a token, so only the host is shown."""

    id = serializers.UUIDField()
    host = serializers.CharField()
    created_at = serializers.DateTimeField()
    active = serializers.SerializerMethodField()
    off_because = serializers.CharField(
        allow_null=True,
        help_text="Why it is off: `gone` (it said so), `failing` (for three days), `by you`.",
    )
    failing_since = serializers.DateTimeField(allow_null=True)
    error = serializers.CharField(allow_null=True, help_text="The last error, while it fails.")

    @extend_schema_field({"type": "boolean"})
    def get_active(self, address: Endpoint) -> bool:
        return address.off_since is None


class HookSerializer(EndpointSerializer):
    """One of your webhooks."""

    types = serializers.ListField(child=serializers.ChoiceField(HOOK_TYPES))


class PushKeySerializer(serializers.Serializer[Any]):
    """What a browser subscribes with."""

    key = serializers.CharField(help_text="The public key of this server, in base64url. It stays the same.")


class PushSerializer(EndpointSerializer):
    """A browser of yours that gets pushes."""


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


class ChatSerializer(EndpointSerializer):
    """One of your chat addresses."""

    service = serializers.CharField()
    tested_at = serializers.DateTimeField(allow_null=True, help_text="When the last test was tried.")


@example({"service": "discord", "url": "https://discord.com/api/webhooks/1234567890/s3cret"})
class ChatCreationSerializer(Strict):
    """Where to post."""

    service = Text(max_length=20, help_text="One of those in docs/telling.md that the operator offers.")
    url = Text(max_length=2000, help_text="The webhook's address, with its token. https only, and public.")


class OwnChannelSerializer(EndpointSerializer):
    """How a channel that you gave does."""

    tested_at = serializers.DateTimeField(allow_null=True, help_text="When the last test was tried.")


class ChannelSerializer(serializers.Serializer[Any]):
    """What a room or a tournament posts to. Addresses are shown to nobody."""

    id = serializers.UUIDField()
    service = serializers.CharField(help_text="A chat service, or `webhook`.")
    own = OwnChannelSerializer(allow_null=True, help_text="How it does, for whoever gave it.")


class ChannelsSerializer(serializers.Serializer[Any]):
    """All that a room or a tournament posts to."""

    channels = ChannelSerializer(many=True)


class NewChannelSerializer(ChannelSerializer):
    """A channel, with a webhook's secret, which is shown this once."""

    secret = serializers.CharField(allow_null=True, help_text="It signs what a webhook gets, by Standard Webhooks.")


@example({"service": "discord", "url": "https://discord.com/api/webhooks/1234567890/s3cret"})
class ChannelCreationSerializer(Strict):
    """Where to post."""

    service = Text(max_length=20, help_text="A chat service that the operator offers, or `webhook`.")
    url = Text(max_length=2000, help_text="The address, with its token. https only, and public.")


@example({"active": True})
class ChatChangeSerializer(Strict):
    """What you may change of a chat address. Keys left out stay as they are."""

    url = Text(max_length=2000, required=False, help_text="https only, and public.")
    active = Truth(required=False, help_text="Switch it on again, or off.")


class NewHookSerializer(HookSerializer):
    """A webhook with its secret, which is shown this once."""

    secret = serializers.CharField(help_text="It signs every delivery, by Standard Webhooks.")


@example({"url": "https://example.org/trey", "types": ["game.turn", "game.finished"]})
class HookCreationSerializer(Strict):
    """Where to post what."""

    url = Text(max_length=2000, help_text="https only, and public.")
    types = serializers.ListField(
        child=Choice(HOOK_TYPES), required=False, min_length=1, help_text="Left out: all types."
    )


@example({"active": True})
class HookChangeSerializer(Strict):
    """What you may change of a webhook. Keys left out stay as they are."""

    url = Text(max_length=2000, required=False, help_text="https only, and public.")
    types = serializers.ListField(child=Choice(HOOK_TYPES), required=False, min_length=1)
    active = Truth(required=False, help_text="Switch it on again, or off.")


@example({"since": "2026-11-21T12:00:00Z"})
class ReplaySerializer(Strict):
    """Since when to send everything again."""

    since = serializers.DateTimeField()


class ReplayedSerializer(serializers.Serializer[Any]):
    """How much is sent again."""

    queued = serializers.IntegerField()


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
    """The marks of reminders, checked by `games.platform.telling.choices`."""

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
    """What you are told, and where. Keys and cells left out stay as they are."""

    matrix = MatrixField(required=False, help_text="Kinds of notifications, their channels, true or false.")
    always = Truth(required=False, help_text="Tell me although I have seen it.")
    reminders = MarksField(required=False, help_text='Such as "20%" of the time left, or "4h" before its end.')
