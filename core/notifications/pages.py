"""The page of one's webhooks and chats, and the one behind the link that stops mails of a kind."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import path
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from core.accounts.models import Player
from core.notifications import endpoints, preferences
from core.notifications.kinds import WORDS


@never_cache
@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_endpoints(request: HttpRequest) -> HttpResponse:
    """Webhooks and chats, to end them; after a new password they are kept or ended in one tap (AC6)."""
    player = cast("Player", request.user)
    if request.method == "POST":
        if decision := request.POST.get("decide"):
            endpoints.decide(player, stay=decision == "keep")
        else:
            endpoints.end(player, request.POST.get("end", ""))
        return redirect("account-endpoints")
    own = endpoints.of(player)
    context = {"viewer": player, "endpoints": own, "in_question": [one for one in own if one.in_question]}
    return render(request, "notifications/endpoints.html", context)


# The link is the proof, so it needs no log-in. Mail programs post to it without a cookie (RFC 8058, 3.2).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows a button, so that programs that check links stop nothing. POST stops the mails."""
    try:
        player, kinds = preferences.read_stop(token)
    except preferences.NoSuchLink:
        return render(request, "notifications/stop.html", {"unknown": True}, status=404)
    done = request.method == "POST"
    if done:
        preferences.stop_mails(player, kinds)
    words = [WORDS[kind].mails for kind in kinds]
    response = render(request, "notifications/stop.html", {"words": words, "name": player.username, "done": done})
    response["Cache-Control"] = "no-store"
    return response


urlpatterns = [
    path("accounts/endpoints/", list_endpoints, name="account-endpoints"),
    path("mail/stop/<str:token>", stop_mails, name="stop-mails"),
]
