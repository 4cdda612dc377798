"""The channels that a room posts to: everybody who may know of it sees the services, its opener changes them."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from chats.rooms import ROOMS
from chats.services import MOST_CHANNELS
from core.accounts.models import Player
from core.chatting import SERVICES, name_of
from core.notifications import endpoints
from core.notifications.endpoints import WEBHOOK
from core.refusals import Refused
from core.text import uuid_in
from games import selectors
from games.pages.lobby.cards import game_url
from games.pages.lobby.page import done, logged_in, player_of, shown
from games.projections import Snapshot
from games.selectors import game_title

OVER = ("finished", "cancelled")
ACTS: Mapping[str, tuple[Callable[[UUID, Player, UUID], object], str]] = {
    "test": (ROOMS.test, "A test is on its way. Reload this page to see how it went."),
    "remove": (ROOMS.remove, "Removed. Everyone at the table has been told."),
}


def channel_of(request: HttpRequest) -> UUID:
    if (channel := uuid_in(request.POST.get("channel"))) is None:
        raise Http404
    return channel


class ChannelForm(forms.Form):
    service = forms.ChoiceField(label="Service")
    url = forms.URLField(
        label="Address",
        max_length=2000,
        assume_scheme="https",
        help_text="The address of an incoming webhook of your chat. It holds a secret and is never shown again.",
        widget=forms.URLInput(attrs={"autocomplete": "off"}),
        error_messages={"invalid": "This address is incomplete. It must begin with https:// and a host name."},
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        offered = [(name, name_of(name)) for name in endpoints.offered()]
        self.fields["service"].choices = [*offered, (WEBHOOK, "Your own webhook")]  # type: ignore[attr-defined]

    @staticmethod
    def addresses() -> list[tuple[str, str]]:
        return [(name_of(name), SERVICES[name].address) for name in endpoints.offered()]


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def room_channels(request: HttpRequest, room_id: UUID) -> HttpResponse:
    """List what a room posts to; as its opener add, test and remove."""
    player = player_of(request)
    game = selectors.game_for(player, room_id)
    form, secret = ChannelForm(), None
    if request.method == "POST":
        what = request.POST.get("what", "")
        if what == "add":
            asked = ChannelForm(request.POST)
            secret = _added(asked, room_id, player)
            if asked.errors:
                form = asked
            elif secret is None:
                messages.success(request, "Added. Everyone at the table has been told.")
                return redirect(request.path)
        elif what in ACTS:
            act, said = ACTS[what]
            channel = channel_of(request)
            return done(request, request.path, lambda: act(room_id, player, channel), said)
        else:
            raise Http404
        game = selectors.game_for(player, room_id)
    context = _context(game, player) | {"form": form, "secret": secret}
    return shown(request, "chats/room.html", context, status=400 if form.errors else 200)


def _added(form: ChannelForm, room_id: UUID, player: Player) -> str | None:
    if not form.is_valid():
        return None
    try:
        return ROOMS.add(room_id, player, form.cleaned_data["service"], form.cleaned_data["url"])[1]
    except Refused as no:
        errors: Mapping[str, str] = dict(no.errors) or {"": no.detail}
        for field, detail in errors.items():
            form.add_error(field if field in form.fields else None, detail)
    return None


def _context(game: Snapshot, player: Player) -> dict[str, Any]:
    opens = game.opener == player.pk and game.belongs_to is None
    listed = ROOMS.shown(game, player)
    return {
        "title": game_title(game),
        "back": reverse("room-page", args=[game.id]) if game.status == "open" else game_url(game.id),
        "channels": [{**one, "name": name_of(one["service"])} for one in listed],
        "opens": opens,
        "adds": opens and game.status not in OVER and len(listed) < MOST_CHANNELS,
        "most": MOST_CHANNELS,
        "addresses": ChannelForm.addresses(),
        "tournament": game.belongs_to is not None,
    }


urlpatterns = [path("rooms/<uuid:room_id>/channels", room_channels, name="room-channels-page")]
