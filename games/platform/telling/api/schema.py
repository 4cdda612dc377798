"""The bodies of the API of notifications that serializers cannot express."""

from typing import Any

from games.platform.telling.choices import CHANNELS, MOST_REMINDERS
from games.platform.telling.kinds import NAMES
from games.platform.telling.models import Channel, State

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
_TIME = {"type": "string", "format": "date-time"}
_FATE: dict[str, Any] = {
    "type": "object",
    "description": "What became of it on one channel, and why.",
    "required": ["state", "at"],
    "properties": {
        "state": {"type": "string", "enum": State.values},
        "at": _TIME,
        "reason": {
            "type": "string",
            "description": (
                "Why it was skipped: `seen`, `played`, `played as planned`, `switched off`, `no address`, "
                "`not verified`, `bundled`."
            ),
        },
        "until": {**_TIME, "description": "Held until then."},
        "error": {"type": "string", "description": "The last error."},
        "next_try": _TIME,
        **{
            channel.value: {"type": "string", "format": "uuid", "description": "Which of your addresses got it."}
            for channel in (Channel.PUSH, Channel.WEBHOOK, Channel.CHAT)
        },
    },
}
CELL: dict[str, Any] = {"anyOf": [{"type": "boolean"}, {"type": "string", "enum": ["fallback"]}]}

COMPONENTS: dict[str, Any] = {
    "NotificationFates": {
        "type": "object",
        "description": "For each channel what became of it; a list where several addresses got it.",
        "properties": {
            **{channel.value: _FATE for channel in (Channel.LIVE, Channel.MAIL)},
            **{
                channel.value: {"anyOf": [_FATE, {"type": "array", "items": _FATE}]}
                for channel in (Channel.PUSH, Channel.WEBHOOK, Channel.CHAT)
            },
        },
    },
    "NotificationSettings": {
        "type": "object",
        "description": "What you are told, and where.",
        "required": ["matrix", "always", "reminders"],
        "properties": {
            "matrix": {
                "type": "object",
                "description": (
                    "For each kind and channel true or false; of mail also `fallback`: only where no other channel "
                    "reaches you. Webhooks have their own subscriptions."
                ),
                "required": list(NAMES),
                "properties": {
                    kind: {"type": "object", "required": list(CHANNELS), "properties": dict.fromkeys(CHANNELS, CELL)}
                    for kind in NAMES
                },
            },
            "always": {"type": "boolean", "description": "Tell me although I have seen it."},
            "reminders": {
                "type": "array",
                "maxItems": MOST_REMINDERS,
                "items": {"type": "string", "pattern": "^([1-9][0-9]?%|[1-9][0-9]{0,4}(m|h|d))$"},
                "description": "When to be reminded of a turn: a share of its time left, or a span before its end.",
            },
        },
    },
}
