"""The page of the queue: what waits, and what was given up, which staff can restart."""

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.accounts import auditing
from core.jobs import services as work
from core.jobs.models import Work
from games.admin import rights
from games.admin.site import site

MOST = 100


@require_safe
def queue(request: HttpRequest) -> HttpResponse:
    """Each kind of work in figures, and the newest pieces that were given up, with the reason."""
    if not rights.is_staff(request):
        raise PermissionDenied
    rows = work.figures()
    busy = [row for row in rows if row.waiting or row.given_up]
    dead = Work.objects.filter(given_up_at__isnull=False).order_by("-given_up_at", "-pk")
    context = {
        **site.each_context(request),
        "title": "Queue",
        "kinds": busy,
        "idle": [row.kind for row in rows if row not in busy],
        "dead": dead.defer("data")[:MOST],
        "more": max(0, sum(row.given_up for row in rows) - MOST),
    }
    return render(request, "dashboard/queue.html", context)


@require_POST
def send_again(request: HttpRequest) -> HttpResponse:
    """Have one piece that was given up tried again, or all of a kind (`kind`)."""
    if not rights.is_staff(request):
        raise PermissionDenied
    kind, piece = request.POST.get("kind", ""), request.POST.get("piece", "")
    dead = Work.objects.filter(given_up_at__isnull=False)
    if kind:
        dead = dead.filter(kind=kind)
    else:
        whole = piece.isascii() and piece.isdecimal() and len(piece) < 19
        dead = dead.filter(pk=int(piece)) if whole else dead.none()
    with transaction.atomic():
        # In one statement, so that what is done meanwhile is not counted.
        ids = list(dead.order_by("pk").select_for_update().values_list("pk", flat=True))
        done = work.give_again(ids) if ids else 0
        if done:
            subject = f"queue {kind or piece}"[:80]
            auditing.write(rights.user_of(request), auditing.Action.SENT_AGAIN, subject, reason=f"{done} in all")
    if done:
        messages.success(request, f"{done} {'piece' if done == 1 else 'pieces'} of work will be tried again now.")
    else:
        messages.warning(request, "There was nothing to try again: it may have been done meanwhile.")
    return HttpResponseRedirect(reverse("admin:queue"))


site.add_page("queue/", queue, "queue")
site.add_page("queue/again/", send_again, "queue_again")
