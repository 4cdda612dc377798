"""The bodies of responses about notifications and their addresses."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Annotated, Any, TypeVar
from uuid import UUID

from msgspec import UNSET, UnsetType

from core.http.bodies import Body, Moment, doc, one_of
from core.notifications.kinds import HOOK_TYPES, NAMES
from core.notifications.models import Channel, Endpoint, GroupChannel, State

B = TypeVar("B", bound="EndpointBody")

_WHICH = doc("The address that got it.")
_TESTED = doc("The time of the last test.")


class NotificationFateBody(Body):
    """The fate of a notification on one channel, with the reason."""

    state: Annotated[str, one_of(State.values)]
    at: Moment
    reason: (
        Annotated[
            str,
            doc(
                "Why it was skipped: `seen`, `played`, `played as planned`, `switched off`, `no address`, "
                "`not verified`, `bundled`, `told by push` (`by chat`, `by webhook`), `no longer yours`."
            ),
        ]
        | UnsetType
    ) = UNSET
    until: Annotated[Moment, doc("Held until then.")] | UnsetType = UNSET
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

    number: Annotated[int, doc("Rises with each notification of yours.")]
    kind: Annotated[str, one_of(NAMES)]
    cause: Annotated[str, doc("The same on every channel, such as `turn:<game>:1:17`.")]
    text: str
    link: Annotated[str | None, doc("The page that it is about, as it is now.")]
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
        str | None, doc("The reason why it is off: `gone` (it said so), `failing` (for three days), `by you`.")
    ]
    failing_since: Moment | None
    error: Annotated[str | None, doc("The last error, while it fails.")]


class HookBody(EndpointBody):
    """One of your webhooks."""

    types: Sequence[Annotated[str, one_of(HOOK_TYPES)]]


class NewHookBody(HookBody):
    """A webhook with its secret, which is shown only this once."""

    secret: Annotated[str, doc("It signs every delivery, by Standard Webhooks.")]


class ReplayedBody(Body):
    """The number of messages that are sent again."""

    queued: int


class PushKeyBody(Body):
    """The key with which a browser subscribes."""

    key: Annotated[str, doc("The public key of this server, in base64url. It stays the same.")]


class PushBody(EndpointBody):
    """A browser of yours that gets pushes."""

    digest: Annotated[str, doc("The SHA-256 of its address, by which a browser finds its own.")]


class ChatBody(EndpointBody):
    """One of your chat addresses."""

    service: str
    tested_at: Annotated[Moment | None, _TESTED]


class OwnChannelBody(EndpointBody):
    """The state of a channel that you added."""

    tested_at: Annotated[Moment | None, _TESTED]


class ChannelBody(Body):
    """A channel that a room or a tournament posts to. Its address is shown to nobody."""

    id: UUID
    service: Annotated[str, doc("A chat service, or `webhook`.")]
    own: Annotated[OwnChannelBody | None, doc("Its state, for the person who added it.")]
    given_by: Annotated[str | None, doc("The name of that person, for those who run the room or tournament.")]


class NewChannelBody(ChannelBody):
    """A channel, with the secret of a webhook, which is shown only this once."""

    secret: Annotated[str | None, doc("It signs what a webhook gets, by Standard Webhooks.")]


class ChannelsBody(Body):
    """All that a room or a tournament posts to."""

    channels: Sequence[ChannelBody]


def body_of(kind: type[B], row: Endpoint, **more: Any) -> B:
    """A body of this kind: its fields are the row's, but those in `more`."""
    return kind(**{name: getattr(row, name) for name in kind.__struct_fields__ if name not in more}, **more)


def channel_body(row: GroupChannel) -> ChannelBody:
    """For whoever gave it."""
    own = body_of(OwnChannelBody, row)
    return ChannelBody(row.pk, row.service, own, row.player.username)


def new_channel_body(row: GroupChannel, secret: str | None) -> NewChannelBody:
    own = body_of(OwnChannelBody, row)
    return NewChannelBody(row.pk, row.service, own, row.player.username, secret)


def channels_body(shown: Iterable[Mapping[str, Any]]) -> ChannelsBody:
    """As `groups.Holder.shown` has them."""
    channels = []
    for one in shown:
        own = body_of(OwnChannelBody, one["own"]) if one["own"] is not None else None
        channels.append(ChannelBody(UUID(one["id"]), one["service"], own, one["given_by"]))
    return ChannelsBody(channels)
