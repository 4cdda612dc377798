"""The channels that a room or a tournament posts to: the same calls for both."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, ClassVar
from uuid import UUID

from django.urls import URLPattern, path
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework.request import Request
from rest_framework.response import Response

from chats.models import GroupChannel
from chats.rooms import ROOMS
from chats.services import Holder
from chats.tournaments import TOURNAMENTS
from core.accounts.login.authentication import app_of, player_of
from core.accounts.models import Player
from core.http.bodies import Body, Moment, Nothing, RequestBody, doc, made_from
from core.http.idempotency import once
from core.http.openapi import example, problems
from core.http.views import ApiView, checked
from core.notifications.bodies import TESTED, EndpointBody
from core.values import value
from games.api.games import OneGameView
from games.projections import Snapshot
from tournaments.api.base import TournamentApi, caller, for_change, tournament_of
from tournaments.models import Tournament


class OwnChannelBody(EndpointBody):
    """The state of a channel that you added."""

    tested_at: Annotated[Moment | None, TESTED]


class ChannelBody(Body):
    """A channel that a room or a tournament posts to. Its address is never shown."""

    id: UUID
    service: Annotated[str, doc("A chat service, or `webhook`.")]
    own: Annotated[OwnChannelBody | None, doc("The channel's state, for the person who added it.")]
    given_by: Annotated[
        str | None,
        doc("The name of the person who added it, for the opener of the room or the organisers of the tournament."),
    ]


class NewChannelBody(ChannelBody):
    """A channel, with the secret of a webhook, which is shown only this once."""

    secret: Annotated[str | None, doc("The secret that signs webhook deliveries, as described by Standard Webhooks.")]


class ChannelsBody(Body):
    """All that a room or a tournament posts to."""

    channels: Sequence[ChannelBody]


def _channel_body(row: GroupChannel) -> ChannelBody:
    return ChannelBody(row.pk, row.service, made_from(OwnChannelBody, row), row.player.username)


def _new_channel_body(row: GroupChannel, secret: str | None) -> NewChannelBody:
    return NewChannelBody(row.pk, row.service, made_from(OwnChannelBody, row), row.player.username, secret)


def _channels_body(shown: Iterable[Mapping[str, Any]]) -> ChannelsBody:
    channels = []
    for one in shown:
        own = made_from(OwnChannelBody, one["own"]) if one["own"] is not None else None
        channels.append(ChannelBody(UUID(one["id"]), one["service"], own, one["given_by"]))
    return ChannelsBody(channels)


@example({"service": "discord", "url": "https://discord.com/api/webhooks/1234567890/s3cret"})
class ChannelCreationRequest(RequestBody):
    """The channel to post to."""

    service: str = value(most=20, help="A chat service that the operator offers, or `webhook`.")
    url: str = value(most=2000, help="The address, with its token. It must be public and use https.")


class HolderApi(ApiView):
    """Who holds channels, and how the document speaks of it: `place` posts `posts`, and `told` are told of changes."""

    holder: ClassVar[Holder]
    place: ClassVar[str]
    posts: ClassVar[str]
    told: ClassVar[str]
    refused: ClassVar[Sequence[int]] = ()
    """The statuses with which a look at it is refused, besides 404."""

    def look(self, request: Request, holder_id: UUID) -> tuple[Any, Player | None]:
        """The room or tournament, and who looks at it. Raises NotFound."""
        raise NotImplementedError

    def for_change(self, request: Request, holder_id: UUID) -> Player:
        """Who wants to change it. Raises NotFound."""
        return player_of(request)


class _Channels(HolderApi):
    def get(self, request: Request, **ids: UUID) -> Response:
        [holder_id] = ids.values()
        return Response(_channels_body(self.holder.shown(*self.look(request, holder_id))))

    @once(sealed=True)
    def post(self, request: Request, /, **ids: UUID) -> Response:
        [holder_id] = ids.values()
        player = self.for_change(request, holder_id)
        wanted = checked(ChannelCreationRequest, request)
        row, secret = self.holder.add(holder_id, player, wanted["service"], wanted["url"], app=app_of(request))
        return Response(_new_channel_body(row, secret), status=201)


class _Channel(HolderApi):
    def delete(self, request: Request, channel_id: UUID, **ids: UUID) -> Response:
        checked(Nothing, request)
        [holder_id] = ids.values()
        self.holder.remove(holder_id, self.for_change(request, holder_id), channel_id)
        return Response(status=204)


class _Test(HolderApi):
    def post(self, request: Request, channel_id: UUID, **ids: UUID) -> Response:
        checked(Nothing, request)
        [holder_id] = ids.values()
        row = self.holder.test(holder_id, self.for_change(request, holder_id), channel_id)
        return Response(_channel_body(row), status=202)


def _paths(api: type[HolderApi], route: str, name: str = "") -> list[URLPattern]:
    """The paths below that of what holds channels; `name` begins those of its views."""
    subject = api.holder.subject
    tags = [f"{subject}s"]
    channels: Any = extend_schema_view(
        get=extend_schema(
            operation_id=f"channels_of_{subject}",
            tags=tags,
            summary=f"List the channels of a {api.place}",
            description="Anyone who can see it also sees which chat services and webhooks it posts to.",
            responses={200: ChannelsBody, **problems(*api.refused)},
        ),
        post=extend_schema(
            operation_id=f"add_channel_of_{subject}",
            tags=tags,
            request=ChannelCreationRequest,
            summary=f"Add a channel to your {api.place}",
            description=f"It posts {api.posts} there. {api.told} told.",
            responses={201: NewChannelBody, **problems(403, 409, 429)},
        ),
    )(type("ChannelsView", (_Channels, api), {}))
    channel: Any = extend_schema_view(
        delete=extend_schema(
            operation_id=f"remove_channel_of_{subject}",
            tags=tags,
            request=None,
            summary=f"Remove a channel from your {api.place}",
            description=f"{api.told} told.",
            responses={204: None, **problems(403)},
        )
    )(type("ChannelView", (_Channel, api), {}))
    test: Any = extend_schema_view(
        post=extend_schema(
            operation_id=f"test_channel_of_{subject}",
            tags=tags,
            request=None,
            summary="Post a test to a channel",
            description="You must have added the channel. Afterwards `tested_at` is set, and `error` says what failed.",
            responses={202: ChannelBody, **problems(429)},
        )
    )(type("ChannelTestView", (_Test, api), {}))
    return [
        path(f"{route}/channels", channels.as_view(), name=f"{name}channels"),
        path(f"{route}/channels/<uuid:channel_id>", channel.as_view(), name=f"{name}channel"),
        path(f"{route}/channels/<uuid:channel_id>/test", test.as_view(), name=f"{name}channel_test"),
    ]


class RoomChannelsApi(OneGameView, HolderApi):
    holder, place, posts, told = ROOMS, "room", "turns and the result", "Everyone at the table is"
    refused = (403,)

    def look(self, request: Request, holder_id: UUID) -> tuple[Snapshot, Player]:
        return self.game(request, holder_id), player_of(request)


class TournamentChannelsApi(HolderApi, TournamentApi):
    holder, place, told = TOURNAMENTS, "tournament", "Entrants are"
    posts = "turns, results, rounds and standings"
    change_failures = ()

    def look(self, request: Request, holder_id: UUID) -> tuple[Tournament, Player | None]:
        return tournament_of(request, holder_id), caller(request)

    def for_change(self, request: Request, holder_id: UUID) -> Player:
        player = player_of(request)
        for_change(request, holder_id)
        return player


urlpatterns = [
    *_paths(RoomChannelsApi, "games/<uuid:game_id>"),
    *_paths(TournamentChannelsApi, "tournaments/<uuid:tournament_id>", "tournament_"),
]
