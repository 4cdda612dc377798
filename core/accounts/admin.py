"""The dashboard's pages about accounts. Tokens can only be revoked: anybody who had one could see its owner's cards."""

from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models.functions import Lower
from django.forms.widgets import Script
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from core.accounts import auditing, services
from core.accounts.login import sessions, tokens, way_in
from core.accounts.models import Audit, Player
from core.dashboard import AuditedForms, BigList, moment
from core.refusals import Refused

if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with a different look.
    Accounts = UserAdmin[Player]
else:
    from unfold.admin import ModelAdmin

    class Accounts(UserAdmin, ModelAdmin):
        """Django's pages of accounts, with unfold's look."""


JUDGEMENTS = {"suspend": services.suspend, "let_back": services.let_back, "revoke": services.revoke_access}
DONE = {"suspend": "suspended", "let_back": "reinstated", "revoke": "logged out everywhere"}


class PlayerAdmin(AuditedForms, BigList, Accounts):
    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff")
    search_fields = ("username", "email")
    search_help_text = "Part of the name, or the full address"
    add_text = "Add an account"
    ordering = ("username",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        ("Rights", {"fields": ("is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_in", "here_since")}),
    )
    readonly_fields = ("last_in", "here_since")

    class Media:
        js = (Script("site/times.js", type="module"),)

    @admin.display(description="Last seen in the dashboard")
    def last_in(self, player: Player) -> str:
        return moment(player.last_login) if player.last_login is not None else "never"

    @admin.display(description="Joined")
    def here_since(self, player: Player) -> str:
        return moment(player.date_joined)

    def has_view_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        return request.user.is_active and (request.user.is_staff or request.user.is_superuser)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Player | None = None) -> bool:
        """Superusers may change all accounts, other staff with the right only those of people who are not staff."""
        if obj is not None and obj.acts_as_staff and not request.user.is_superuser:
            return False
        return super().has_change_permission(request, obj)

    def has_delete_permission(self, *_: Any) -> bool:
        """Never: an account must leave its games before it is deleted (`core.accounts.services.close`)."""
        return False

    def get_readonly_fields(self, request: HttpRequest, obj: Player | None = None) -> Any:
        rights = () if request.user.is_superuser else ("is_staff", "is_superuser", "groups", "user_permissions")
        return (*self.readonly_fields, *rights)

    def get_search_results(self, request: HttpRequest, queryset: Any, search_term: str) -> tuple[Any, bool]:
        """By a part of the name, or by the whole address: nobody is to find out addresses by trying."""
        term = search_term.strip()
        if "@" in term:
            return queryset.filter(email__iexact=term), False
        if not term:
            return queryset, False
        return queryset.alias(lowered=Lower("username")).filter(lowered__contains=term.lower()), False

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        return [
            path("<uuid:player_id>/edit/", wrap(self.edit), name="accounts_player_edit"),
            path("<uuid:player_id>/judge/<str:what>/", wrap(self.judge), name="accounts_player_judge"),
            path("<uuid:player_id>/way-in/", wrap(self.give_way_in), name="accounts_player_way_in"),
            path("<uuid:player_id>/token/<uuid:token_id>/", wrap(self.revoke), name="accounts_player_token"),
            path("<uuid:player_id>/session/<slug:name>/", wrap(self.end_session), name="accounts_player_session"),
            *super().get_urls(),
        ]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        return self._shown(request, self._player(request, object_id))

    def _shown(self, request: HttpRequest, player: Player, **more: Any) -> HttpResponse:
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "title": player.username,
            "player": player,
            "tokens": tokens.valid(player).order_by("-last_used_at"),
            "sessions": [(sessions.name_of(one), one.expire_date) for one in sessions.valid(player)],
            "may_judge": isinstance(request.user, Player) and services.may_judge(player, request.user),
            "may_edit": self.has_change_permission(request, player),
            "audit": Audit.objects.filter(subject=f"player {player.pk}").order_by("-at", "-id")[:20],
            "may_give_way_in": isinstance(request.user, Player) and way_in.may_give(player, request.user),
            **self.about(player),
            **more,
        }
        return render(request, "dashboard/player.html", context)

    def about(self, player: Player) -> dict[str, Any]:
        return {}

    def edit(self, request: HttpRequest, player_id: UUID) -> HttpResponse:
        player = self._player(request, player_id)
        if not self.has_change_permission(request, player):
            raise PermissionDenied
        return super().change_view(request, str(player_id))

    def user_change_password(self, request: HttpRequest, id: str, form_url: str = "") -> HttpResponse:  # noqa: A002
        """For superusers only: whoever sets a player's password can log in as the player and see the hand."""
        if not request.user.is_superuser:
            raise PermissionDenied
        response = super().user_change_password(request, id, form_url)
        if request.method == "POST" and response.status_code == 302:
            player = Player.objects.get(pk=id)
            # People who need a new password from an operator may have lost the old one to somebody else.
            services.password_changed(player, session=request.session.session_key if player == request.user else None)
        return response

    @method_decorator(require_POST)
    def judge(self, request: HttpRequest, player_id: UUID, what: str) -> HttpResponse:
        player, by = self._judged(request, player_id)
        if what not in JUDGEMENTS:
            raise Http404
        try:
            JUDGEMENTS[what](player, by, request.POST.get("reason", "").strip())
        except Refused as error:
            messages.error(request, error.detail)
        else:
            messages.success(request, f"{player.username} has been {DONE[what]}.")
        return self._back(player)

    @method_decorator(never_cache)
    @method_decorator(require_POST)
    def give_way_in(self, request: HttpRequest, player_id: UUID) -> HttpResponse:
        """Make a link with which the member sets a new password, and show it: it is not stored."""
        player, by = self._judged(request, player_id)
        try:
            secret, until = way_in.give(player, by, request.POST.get("reason", "").strip())
        except Refused as error:
            messages.error(request, error.detail)
            return self._back(player)
        address = request.build_absolute_uri(reverse("account-new-password", args=[secret]))
        return self._shown(request, player, way_in=address, way_in_until=until)

    @method_decorator(require_POST)
    def revoke(self, request: HttpRequest, player_id: UUID, token_id: UUID) -> HttpResponse:
        player, by = self._judged(request, player_id)
        with transaction.atomic():
            if tokens.revoke(player, token_id):
                auditing.write(by, auditing.Action.REVOKED_TOKEN, f"player {player.pk}")
                messages.success(request, "The token has been revoked.")
        return self._back(player)

    @method_decorator(require_POST)
    def end_session(self, request: HttpRequest, player_id: UUID, name: str) -> HttpResponse:
        player, by = self._judged(request, player_id)
        with transaction.atomic():
            if sessions.revoke(player, name):
                auditing.write(by, auditing.Action.ENDED_SESSION, f"player {player.pk}")
                messages.success(request, "The session has been ended.")
        return self._back(player)

    def _judged(self, request: HttpRequest, player_id: UUID) -> tuple[Player, Player]:
        player = self._player(request, player_id)
        if not isinstance(request.user, Player) or not services.may_judge(player, request.user):
            raise PermissionDenied
        return player, request.user

    def _player(self, request: HttpRequest, player_id: object) -> Player:
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            return Player.objects.get(pk=UUID(str(player_id)))
        except (ValueError, Player.DoesNotExist):
            raise Http404 from None

    def _back(self, player: Player) -> HttpResponse:
        return HttpResponseRedirect(reverse("admin:accounts_player_change", args=[player.pk]))
