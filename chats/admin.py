"""The channels of a tournament, on its page of messages in the dashboard."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.views.decorators.http import require_POST

from chats.pages import ChannelForm, channel_of
from chats.services import MOST_CHANNELS
from chats.tournaments import TOURNAMENTS
from core.refusals import Refused
from games.admin import rights
from games.admin.site import site
from games.pages.lobby.page import answering
from tournaments.admin.people import MessageForm, beside_messages
from tournaments.admin.shared import refuse, url_of
from tournaments.hooks import BESIDE_MESSAGES
from tournaments.models import Tournament

CHANNELS = {
    "add": "Channel added; the entrants have been told. Test it below.",
    "test": "A test is on its way. Reload this page to see how it went.",
    "remove": "Channel removed; the entrants have been told.",
}


def channels_page(request: HttpRequest, t: Tournament, form: ChannelForm | None = None) -> Mapping[str, Any]:
    rows = TOURNAMENTS.shown(t, rights.user_of(request))
    return {
        "channels": rows,
        "channel_form": form or ChannelForm(),
        "may_add": len(rows) < MOST_CHANNELS and t.status not in ("finished", "cancelled"),
    }


@require_POST
@answering
def channel(request: HttpRequest, pk: UUID, what: str) -> HttpResponse:
    pages: Any = site.get_model_admin(Tournament)
    t = pages.tournament_of(request, pk)
    refused = change_channel(request, t, what)
    if refused is not None:
        shown = beside_messages(request, t) | {"channel_form": refused}
        page: HttpResponse = pages.page(request, t, "messages", form=MessageForm(), **shown)
        return page
    return HttpResponseRedirect(f"{url_of(t.pk, 'messages')}#channels")


def change_channel(request: HttpRequest, t: Tournament, what: str) -> ChannelForm | None:
    """Add, test or remove a channel, and report the outcome; return the form of one that is refused. Raises Http404."""
    if what not in CHANNELS:
        raise Http404
    channels, user = TOURNAMENTS, rights.user_of(request)
    said = CHANNELS[what]
    form = ChannelForm(request.POST) if what == "add" else None
    if form is not None and not form.is_valid():
        return form
    try:
        if form is not None:
            given = form.cleaned_data
            if (secret := channels.add(t.pk, user, given["service"], given["url"])[1]) is not None:
                said = f"Webhook added. Its secret, shown only once: {secret}"
        else:
            (channels.test if what == "test" else channels.remove)(t.pk, user, channel_of(request))
    except Refused as error:
        if form is not None:
            refuse(form, error)
            return form
        messages.error(request, error.said)
    else:
        messages.success(request, said)
    return None


site.add_page("tournaments/tournament/<uuid:pk>/channels/<str:what>/", channel, "tournament_channel")
BESIDE_MESSAGES.add(("chats/tournament.html", channels_page))
