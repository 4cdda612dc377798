"""The bodies of calls on notifications and their addresses, and of the responses."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from msgspec import UNSET, Meta, Struct, UnsetType, defstruct

from core.http.bodies import Body, Moment, RequestBody, Url, components, doc, one_of, schema
from core.http.openapi import example
from core.notifications.kinds import HOOK_TYPES, NAMES
from core.notifications.models import Channel, State
from core.notifications.preferences import CHANNELS, MOST_REMINDERS
from core.values import LEFT_OUT, Value, value

_WHICH = doc("The address that got it.")
TESTED = doc("The time of the last test.")


class NotificationFateBody(Body):
    """The fate of a notification on one channel, with the reason."""

    state: Annotated[str, one_of(State.values)]
    at: Moment
    reason: (
        Annotated[
            str,
            doc(
                "Why it was skipped: `seen`, `played`, `played as planned`, `switched off`, `no address`, "
                "`not verified`, `bundled`, `told by push` (`by chat`, `by webhook`), `too many`, `present`, "
                "`gone`, `no longer yours`."
            ),
        ]
        | UnsetType
    ) = UNSET
    until: Annotated[Moment, doc("Held back until then.")] | UnsetType = UNSET
    error: Annotated[str, doc("The last error.")] | UnsetType = UNSET
    next_try: Moment | UnsetType = UNSET
    push: Annotated[UUID, _WHICH] | UnsetType = UNSET
    webhook: Annotated[UUID, _WHICH] | UnsetType = UNSET
    chat: Annotated[UUID, _WHICH] | UnsetType = UNSET


class NotificationFatesBody(Body):
    """For each channel what happened to it; a list if several addresses got it."""

    live: NotificationFateBody | UnsetType = UNSET
    push: NotificationFateBody | list[NotificationFateBody] | UnsetType = UNSET
    mail: NotificationFateBody | UnsetType = UNSET
    webhook: NotificationFateBody | list[NotificationFateBody] | UnsetType = UNSET
    chat: NotificationFateBody | list[NotificationFateBody] | UnsetType = UNSET

    def each(self) -> Iterator[tuple[str, NotificationFateBody]]:
        """The channels by name, with an entry for each address if several got it."""
        for channel in Channel.values:
            fates = getattr(self, channel)
            if fates is not UNSET:
                yield from ((channel, fate) for fate in (fates if isinstance(fates, list) else [fates]))


class NotificationBody(Body):
    """Something you were told. Its text is composed when it is read."""

    number: Annotated[int, doc("Increases with each of your notifications.")]
    kind: Annotated[str, one_of(NAMES)]
    cause: Annotated[str, doc("The same on every channel, such as `turn:<game>:1:17`.")]
    text: str
    link: Annotated[str | None, doc("The page that it is about.")]
    created_at: Moment
    read: Annotated[bool, doc("True if you have read it, or if it has become irrelevant.")]
    channels: NotificationFatesBody


class UnreadBody(Body):
    """The number of unread notifications."""

    unread: int


class EndpointBody(Body):
    """An address that something is posted to. It may hold a token, so only the host is shown."""

    id: UUID
    host: str
    created_at: Moment
    active: bool
    off_because: Annotated[
        str | None, doc("Why it is off: `gone` (the service said so), `failing` (for three days) or `by you`.")
    ]
    failing_since: Moment | None
    error: Annotated[str | None, doc("The last error, while it fails.")]


class HookBody(EndpointBody):
    """One of your webhooks."""

    types: Sequence[Annotated[str, one_of(HOOK_TYPES)]]


class NewHookBody(HookBody):
    """A webhook with its secret, which is shown only this once."""

    secret: Annotated[str, doc("Signs every delivery, as described by Standard Webhooks.")]


class ReplayedBody(Body):
    """The number of messages that are sent again."""

    queued: int


class CalendarAddressBody(Body):
    """The address at which programs read the caller's calendar; it is never shown again."""

    active: bool
    created_at: Moment | None
    read_at: Annotated[Moment | None, doc("When it was last read; null: not yet.")]


class NewCalendarAddressBody(Body):
    """A calendar's new address, which holds a secret."""

    url: Url


class PushKeyBody(Body):
    """The key with which a browser subscribes."""

    key: Annotated[str, doc("The public key of this server, in base64url. It stays the same.")]


class PushBody(EndpointBody):
    """A browser of yours that gets pushes."""

    digest: Annotated[str, doc("The SHA-256 of its address, so that a browser can find its own.")]


class ChatBody(EndpointBody):
    """One of your chat addresses."""

    service: str
    tested_at: Annotated[Moment | None, TESTED]


CELL: dict[str, Any] = {"anyOf": [{"type": "boolean"}, {"type": "string", "enum": ["fallback"]}]}
_Channels = defstruct("NotificationChannels", [(name, Annotated[Any, schema(CELL)]) for name in CHANNELS])
_Matrix = defstruct("NotificationMatrix", [(kind, _Channels) for kind in NAMES])
Mark = Annotated[str, Meta(pattern="^([1-9][0-9]?%|[1-9][0-9]{0,4}(m|h|d))$")]


class NotificationSettings(Struct):
    """Notification settings."""

    matrix: Annotated[
        _Matrix,  # type: ignore[valid-type]
        doc(
            "True or false for each kind and channel; for `mail` also `fallback`: only if no other channel reaches "
            "you. Webhooks have their own subscriptions."
        ),
    ]
    always: Annotated[bool, doc("Notify me even if I have already seen it.")]
    reminders: Annotated[
        list[Mark],
        Meta(max_length=MOST_REMINDERS),
        doc("When to be reminded of a turn: a share of its time left, or a span before its end."),
    ]


class _HookedData(Struct, kw_only=True):
    text: Annotated[str, doc("The text for people.")]
    link: Annotated[str | None, doc("Where to look: a path of this site, or a full URL in a group's channel.")]
    cause: Annotated[str, doc("What caused it; you are told once for each cause.")]
    version: Annotated[int | None, doc("The version that it is about.")]
    number: Annotated[int, doc("The notification's; a group's channel has none.")] | UnsetType = UNSET
    kind: Annotated[str, one_of(NAMES)] | UnsetType = UNSET
    topic: Annotated[str, doc("For what a group's channel is told.")] | UnsetType = UNSET


class HookedGameData(_HookedData, kw_only=True):
    """What a webhook is told of a game."""

    game: UUID


class HookedTournamentData(_HookedData, kw_only=True):
    """What a webhook is told of a tournament."""

    tournament: UUID


class _Hooked(Struct):
    timestamp: Annotated[Moment, doc("When you were first told, even if it is posted again.")]


class HookedGame(_Hooked):
    """What is posted to a webhook about a game."""

    type: Annotated[str, one_of(name for name in HOOK_TYPES if name.startswith("game."))]
    data: HookedGameData


class HookedTournament(_Hooked):
    """What is posted to a webhook about a tournament."""

    type: Annotated[str, one_of(name for name in HOOK_TYPES if name.startswith("tournament."))]
    data: HookedTournamentData


HOOKED = {name: "HookedGame" if name.startswith("game.") else "HookedTournament" for name in HOOK_TYPES}
"""The component of what is posted, by type."""
HOOK_HEADERS = [
    {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
    for name, text in (
        ("webhook-id", "The same each time this is posted: ignore ids that you already have."),
        ("webhook-timestamp", "When it was posted, in seconds since 1970."),
        (
            "webhook-signature",
            "As described by Standard Webhooks, over id, time and body. Several are separated by spaces.",
        ),
    )
]
HOOK_ANSWER = "Posted to your webhooks and your groups' channels. Any 2xx accepts it; 410 switches the webhook off."
COMPONENTS = components(NotificationSettings, HookedGame, HookedTournament)


PublicUrl = Annotated[str, Value(most=2000, help="https only, and public.")]
HookType = Annotated[str, Value(words=HOOK_TYPES)]


@example({"up_to": 0})
class ReadRequest(RequestBody):
    """The notification up to which you have read all."""

    up_to: int = value(least=0, most=2**53, help="The number of a notification.")


class SubscriptionKeysRequest(RequestBody):
    """A browser's keys."""

    p256dh: str = value(most=100)
    auth: str = value(most=40)


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
class SubscriptionRequest(RequestBody):
    """A browser's `PushSubscription`, as `toJSON()` gives it."""

    endpoint: PublicUrl
    expirationTime: float | None = value(LEFT_OUT, least=0)  # noqa: N815  the browsers' name
    keys: SubscriptionKeysRequest


@example({"service": "discord", "url": "https://discord.com/api/webhooks/1234567890/s3cret"})
class ChatCreationRequest(RequestBody):
    """The chat address to post to."""

    service: str = value(most=20, help="One of the services in docs/build/notifications.md that the operator offers.")
    url: str = value(most=2000, help="The webhook's address, with its token. https only, and public.")


@example({"active": True})
class ChatChangeRequest(RequestBody):
    """Changes to a chat address. Keys that you leave out stay as they are."""

    url: PublicUrl = LEFT_OUT
    active: bool = value(LEFT_OUT, help="Switch it on again, or off.")


@example({"url": "https://example.org/trey", "types": ["game.turn", "game.finished"]})
class HookCreationRequest(RequestBody):
    """A webhook's address, and the types of events to send there."""

    url: PublicUrl
    types: list[HookType] = value(LEFT_OUT, least=1, help="Left out: all types.")


@example({"active": True})
class HookChangeRequest(ChatChangeRequest):
    """Changes to a webhook. Keys that you leave out stay as they are."""

    types: list[HookType] = value(LEFT_OUT, least=1)


@example({"since": "2026-11-21T12:00:00Z"})
class ReplayRequest(RequestBody):
    """The time since which everything is sent again."""

    since: datetime


_MATRIX = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": CELL}}
_MARKS = {"type": "array", "items": {"type": "string"}, "maxItems": MOST_REMINDERS}


@example({"matrix": {"started": {"mail": False}}, "reminders": ["24h", "4h"]})
class SettingsChangeRequest(RequestBody):
    """Changes to your settings for notifications. Keys and cells that you leave out stay as they are."""

    matrix: dict[str, Any] = value(
        LEFT_OUT, schema=_MATRIX, help="Kinds of notifications, their channels, true or false."
    )
    always: bool = value(LEFT_OUT, help="Notify me even if I have already seen it.")
    reminders: list[Any] = value(
        LEFT_OUT, schema=_MARKS, help='Such as "20%" for a share of the time left, or "4h" for a span before its end.'
    )
