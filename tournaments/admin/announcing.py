"""The organisers' messages to all entrants, and the channels that a tournament posts to (NT7)."""

from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest

from core.accounts.models import Player
from core.http.problems import Problem
from core.http.throttling import limit
from core.notifications.groups import MOST, WEBHOOK
from core.refusals import Refused
from games.admin import rights
from games.wording import counted
from tournaments import services
from tournaments.models import Tournament
from tournaments.stream.announcing import MAX_MESSAGE

CHANNELS = ("add", "test", "remove")


class MessageForm(forms.Form):
    """A message to all entrants: one paragraph."""

    text = forms.CharField(
        label="Message",
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Everybody who has a place, or waits for one, is told: on this site, and by push, mail or chat as "
        "they chose. One paragraph; five messages a day.",
    )

    def clean_text(self) -> str:
        """One paragraph: lines are joined."""
        return " ".join(str(self.cleaned_data["text"]).split())


class ChannelForm(forms.Form):
    service = forms.ChoiceField()
    url = forms.CharField(
        label="Address",
        max_length=2000,
        widget=forms.TextInput(attrs={"autocomplete": "off", "inputmode": "url"}),
        help_text="The webhook's address, with its token, as the chat service gives it. Nobody is shown it again.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        services_ = [*settings.TREY_CHAT_SERVICES, WEBHOOK]
        self.fields["service"] = forms.ChoiceField(choices=[(name, name.capitalize()) for name in services_])


def page(request: HttpRequest, t: Tournament) -> Mapping[str, Any]:
    rows = services.channels_shown(t, rights.user_of(request))
    return {
        "channels": rows,
        "channel_form": ChannelForm(),
        "may_add": len(rows) < MOST and t.status not in ("finished", "cancelled"),
    }


def send(request: HttpRequest, t: Tournament, form: MessageForm) -> services.Sent | None:
    """Send the form's message, or show how it would read, depending on the button. Return None if it is refused."""
    dry_run = "send" not in request.POST
    try:
        body = {"text": form.cleaned_data["text"], "dry_run": dry_run}
        sent = services.send_message(t.pk, rights.user_of(request), body)
    except Refused as error:
        form.add_error(None if error.errors == () else "text", error.detail)
        return None
    if not dry_run:
        messages.success(request, f"Sent. {counted(sent.told, 'player')} are told.")
    return sent


def change_channel(request: HttpRequest, t: Tournament, what: str) -> None:
    """Add, test or remove a channel, and report the outcome. Raises Http404."""
    acts: Mapping[str, Callable[[HttpRequest, Tournament, Player], str]] = {
        "add": _add,
        "test": _test,
        "remove": _remove,
    }
    if what not in acts:
        raise Http404
    try:
        messages.success(request, acts[what](request, t, rights.user_of(request)))
    except Refused as error:
        messages.error(request, " ".join(text for _, text in error.errors) or error.detail)
    except Problem as problem:
        messages.error(request, str(problem.detail))


def _add(request: HttpRequest, t: Tournament, user: Player) -> str:
    service, url = request.POST.get("service", ""), request.POST.get("url", "").strip()
    _, secret = services.add_channel(t.pk, user, service, url)
    if secret is not None:
        return f"The webhook is added. Its secret, which is shown this once: {secret}"
    return "The channel is added, and the entrants are told. Test it below."


def _test(request: HttpRequest, t: Tournament, user: Player) -> str:
    limit("test", str(user.pk))
    services.try_channel(t.pk, user, _channel_of(request))
    return "A test is on its way. Reload this page to see how it went."


def _remove(request: HttpRequest, t: Tournament, user: Player) -> str:
    services.remove_channel(t.pk, user, _channel_of(request))
    return "The channel is removed, and the entrants are told."


def _channel_of(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("channel", ""))
    except ValueError:
        raise Http404 from None
