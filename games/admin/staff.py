"""Pages that only staff see: the audit log, the queue, and groups of rights."""

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.contrib.auth.admin import GroupAdmin as DjangoGroups
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from core.accounts import auditing
from core.accounts.models import Audit, Player
from core.dashboard import AuditedForms, BigList, OnlyShownFilters, filter_by
from core.jobs import services as work
from core.jobs.models import Work
from core.text import whole_in
from games.admin import rights
from games.admin.rights import ReadOnly, StaffSee
from games.admin.site import site


@admin.register(Audit, site=site)
class AuditAdmin(ReadOnly, StaffSee, BigList):
    list_display = ("at", "who", "action", "subject", "reason")
    list_display_links = None
    search_help_text = "The game or player that it is about, and its id"
    list_filter = (filter_by("action", lambda: [(action.value, action.value) for action in auditing.Action]),)
    search_fields = ("=subject",)
    ordering = ("-at", "-id")
    fields = ("at", "by", "action", "subject", "reason")

    def get_queryset(self, request: HttpRequest):  # type: ignore[no-untyped-def]
        from django.db.models import OuterRef, Subquery

        name = Player.objects.filter(pk=OuterRef("by")).values("username")
        return super().get_queryset(request).annotate(name=Subquery(name))

    @admin.display(description="By")
    def who(self, entry: Audit) -> str:
        return str(getattr(entry, "name", None) or entry.by)


if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with a different look.
    Groups = DjangoGroups
else:
    from unfold.admin import ModelAdmin

    class Groups(DjangoGroups, ModelAdmin):
        """Django's pages of groups, with unfold's look."""


@admin.register(Group, site=site)
class GroupAdmin(AuditedForms, OnlyShownFilters, Groups):
    def has_module_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        return request.user.is_active and request.user.is_superuser

    has_view_permission = has_add_permission = has_change_permission = has_delete_permission = has_module_permission


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
    is_known = kind in {row.kind for row in work.figures()}
    dead = dead.filter(kind=kind) if is_known else dead.filter(pk=whole_in(piece, 2**63 - 1) or 0)
    with transaction.atomic():
        # In one statement, so that what is done meanwhile is not counted.
        ids = list(dead.order_by("pk").select_for_update().values_list("pk", flat=True))
        done = work.give_again(ids) if ids else 0
        if done:
            subject = f"queue {kind or piece}"[:80]
            auditing.write(rights.user_of(request), auditing.Action.SENT_AGAIN, subject, reason=f"{done} in all")
    if done:
        messages.success(request, f"{done} {'task' if done == 1 else 'tasks'} will be retried now.")
    else:
        messages.warning(request, "There was nothing to retry. It may have been done in the meantime.")
    return HttpResponseRedirect(reverse("admin:queue"))


site.add_page("queue/", queue, "queue")
site.add_page("queue/again/", send_again, "queue_again")
