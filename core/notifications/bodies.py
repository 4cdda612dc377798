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

_WHICH = doc("The address that it was sent to.")
TESTED = doc("The time of the last test.")


class NotificationFateBody(Body):
    """What happened to a notification on one channel, and why."""

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
    """What happened to it on each channel; a list if it was sent to several addresses."""

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
    """One of your notifications. Its text is composed when you read it."""

    number: Annotated[int, doc("Counts your notifications, starting with 1.")]
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
    """An address that notifications are posted to. It may hold a token, so only its host is shown."""

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
    """The number of deliveries that are sent again."""

    queued: int


class CalendarAddressBody(Body):
    """The address of the caller's calendar, for calendar programs. It is never shown again."""

    active: bool
    created_at: Moment | None
    read_at: Annotated[Moment | None, doc("When it was last read; null if it has not been read yet.")]


class NewCalendarAddressBody(Body):
    """The new address of the caller's calendar. It holds a secret."""

    url: Url


class PushKeyBody(Body):
    """The key that browsers need to subscribe."""

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
        doc("When to be reminded of a turn: a share of its time left, or a time before its end."),
    ]


class _HookedData(Struct, kw_only=True):
    text: Annotated[str, doc("The text to show to people.")]
    link: Annotated[str | None, doc("The page to open: a path on this site, or a full URL in a group's channel.")]
    cause: Annotated[str, doc("What caused it. You are notified only once for each cause.")]
    version: Annotated[int | None, doc("The version of the game or tournament that it is about.")]
    number: Annotated[int, doc("The number of the notification; left out in a group's channel.")] | UnsetType = UNSET
    kind: Annotated[str, one_of(NAMES)] | UnsetType = UNSET
    topic: Annotated[str, doc("Only in a group's channel: the topic.")] | UnsetType = UNSET


class HookedGameData(_HookedData, kw_only=True):
    """The data that webhooks get about a game."""

    game: UUID


class HookedTournamentData(_HookedData, kw_only=True):
    """The data that webhooks get about a tournament."""

    tournament: UUID


class _Hooked(Struct):
    timestamp: Annotated[Moment, doc("When it was first posted, even if it is posted again.")]


class HookedGame(_Hooked):
    """What webhooks get about a game."""

    type: Annotated[str, one_of(name for name in HOOK_TYPES if name.startswith("game."))]
    data: HookedGameData


class HookedTournament(_Hooked):
    """What webhooks get about a tournament."""

    type: Annotated[str, one_of(name for name in HOOK_TYPES if name.startswith("tournament."))]
    data: HookedTournamentData


HOOKED = {name: "HookedGame" if name.startswith("game.") else "HookedTournament" for name in HOOK_TYPES}
"""The component of what is posted, by type."""
HOOK_HEADERS = [
    {"name": name, "in": "header", "required": True, "description": text, "schema": {"type": "string"}}
    for name, text in (
        ("webhook-id", "Stays the same if this is posted again, so ignore ids that you already have."),
        ("webhook-timestamp", "The time of this posting, in seconds since 1970."),
        (
            "webhook-signature",
            "The signatures of id, time and body, as described by Standard Webhooks, separated by spaces.",
        ),
    )
]
HOOK_ANSWER = (
    "Posted to your webhooks and your groups' channels. Answer with any 2xx to accept it, or with 410 to switch the "
    "webhook off."
)
COMPONENTS = components(NotificationSettings, HookedGame, HookedTournament)


PublicUrl = Annotated[str, Value(most=2000, help="It must be public and use https.")]
HookType = Annotated[str, Value(words=HOOK_TYPES)]


@example({"up_to": 0})
class ReadRequest(RequestBody):
    """The newest notification that you have read."""

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
    url: str = value(most=2000, help="The webhook's address, with its token. It must be public and use https.")


@example({"active": True})
class ChatChangeRequest(RequestBody):
    """Changes to a chat address. Keys that you leave out stay as they are."""

    url: PublicUrl = LEFT_OUT
    active: bool = value(LEFT_OUT, help="True switches it on again, false off.")


@example({"url": "https://example.org/trey", "types": ["game.turn", "game.finished"]})
class HookCreationRequest(RequestBody):
    """A webhook's address, and the types of events to send there."""

    url: PublicUrl
    types: list[HookType] = value(LEFT_OUT, least=1, help="Default: all types.")


@example({"active": True})
class HookChangeRequest(ChatChangeRequest):
    """Changes to a webhook. Keys that you leave out stay as they are."""

    types: list[HookType] = value(LEFT_OUT, least=1)


@example({"since": "2026-11-21T12:00:00Z"})
class ReplayRequest(RequestBody):
    """The time from which to send everything again."""

    since: datetime


_MATRIX = {"type": "object", "additionalProperties": {"type": "object", "additionalProperties": CELL}}
_MARKS = {"type": "array", "items": {"type": "string"}, "maxItems": MOST_REMINDERS}


@example({"matrix": {"started": {"mail": False}}, "reminders": ["24h", "4h"]})
class SettingsChangeRequest(RequestBody):
    """Changes to your notification settings. Keys and cells that you leave out stay as they are."""

    matrix: dict[str, Any] = value(
        LEFT_OUT, schema=_MATRIX, help="For each kind of notification, its channels with true or false."
    )
    always: bool = value(LEFT_OUT, help="Notify me even if I have already seen it.")
    reminders: list[Any] = value(
        LEFT_OUT, schema=_MARKS, help='Such as "20%" for a share of the time left, or "4h" for a time before its end.'
    )
