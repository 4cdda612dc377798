"""The bodies of the API of notifications that serializers cannot express."""

from typing import Annotated, Any

from msgspec import Meta, Struct, defstruct

from core.http.bodies import components, doc, schema
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
