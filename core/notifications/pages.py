"""The page behind the link that stops mails of a kind. It needs no log-in: the link is the proof."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from core.notifications import stopping


# Mail programs post to it without a cookie (RFC 8058, 3.2).
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def stop_mails(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows a button, so that programs that check links stop nothing. POST stops the mails."""
    try:
        player, kinds = stopping.read(token)
    except stopping.NoSuchLink:
        return render(request, "notifications/stop.html", {"unknown": True}, status=404)
    done = request.method == "POST"
    if done:
        stopping.stop(player, kinds)
    words = [stopping.WORDS[kind] for kind in kinds]
    response = render(request, "notifications/stop.html", {"words": words, "name": player.username, "done": done})
    response["Cache-Control"] = "no-store"
    return response


urlpatterns = [path("mail/stop/<str:token>", stop_mails, name="stop-mails")]
