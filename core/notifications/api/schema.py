"""The bodies of the API of notifications that serializers cannot express."""

from typing import Any

from core.notifications.choices import CHANNELS, MOST_REMINDERS
from core.notifications.kinds import NAMES

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

COMPONENTS: dict[str, Any] = {
    "NotificationSettings": {
        "type": "object",
        "description": "What you are told, and where.",
        "required": ["matrix", "always", "reminders"],
        "properties": {
            "matrix": {
                "type": "object",
                "description": (
                    "For each kind and channel true or false; for mail also `fallback`: only if no other channel "
                    "reaches you. Webhooks have their own subscriptions."
                ),
                "required": list(NAMES),
                "properties": {
                    kind: {"type": "object", "required": list(CHANNELS), "properties": dict.fromkeys(CHANNELS, CELL)}
                    for kind in NAMES
                },
            },
            "always": {"type": "boolean", "description": "Tell me even if I have seen it."},
            "reminders": {
                "type": "array",
                "maxItems": MOST_REMINDERS,
                "items": {"type": "string", "pattern": "^([1-9][0-9]?%|[1-9][0-9]{0,4}(m|h|d))$"},
                "description": "When to be reminded of a turn: a share of its time left, or a span before its end.",
            },
        },
    },
}
