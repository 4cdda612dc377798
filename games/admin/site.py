"""The dashboard's site: staff and organisers come in, and the home page says what needs attention."""

from __future__ import annotations

from collections.abc import Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, Any

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.admin.options import TO_FIELD_VAR
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path, reverse
from rest_framework.exceptions import Throttled

from games.admin import rights
from games.platform.accounts import attempts, hashing
from games.platform.accounts.models import Player
from games.platform.http.throttling import address_of, limit
from games.platform.refusals import Busy

if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with another look.
    Site = AdminSite
    Form = AdminAuthenticationForm
else:
    from unfold.forms import AuthenticationForm as Form
    from unfold.sites import UnfoldAdminSite as Site

Page = tuple[str, Any, str]
# Pages of Django's that nothing here leads to.
UNUSED = ("autocomplete", "view_on_site")


class LoginForm(Form):
    """Lets in whoever may enter, not staff alone."""

    def confirm_login_allowed(self, user: AbstractBaseUser) -> None:
        """Raises ValidationError for those who neither are staff nor organise anything."""
        if not user.is_active or not isinstance(user, Player):
            raise self.get_invalid_login_error()
        request = HttpRequest()
        request.user = user
        if not rights.may_enter(request):
            raise ValidationError(
                "The dashboard is for organisers of tournaments and for staff. Ask an organiser to name you, or set a "
                "tournament up in your client.",
                code="no_organiser",
            )


class Dashboard(Site):
    """The site under /admin/. Apps add pages that belong to no model with `add_page`."""

    index_template = "dashboard/home.html"
    index_title = "Home"
    login_template = "dashboard/login.html"

    def __init__(self) -> None:
        super().__init__()
        self._pages: list[Page] = []
        self._panels: list[Any] = []

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff and organisers."""
        return rights.may_enter(request)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """A view for those who may enter. Django fails on an empty name of a field to find objects by: 400."""

        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if "" in (request.GET.get(TO_FIELD_VAR), request.POST.get(TO_FIELD_VAR)):
                raise SuspiciousOperation("The name of the field is empty.")
            return view(request, *args, **kwargs)

        return super().admin_view(update_wrapper(checked, view), cacheable)

    def add_page(self, route: str, view: Any, name: str) -> None:
        """A page of its own, such as the event log's."""
        self._pages.append((route, view, name))

    def add_panel(self, panel: Any, template: str, *, first: bool = False) -> None:
        """A part of the home page: called with the request, it returns what its template needs."""
        self._panels.insert(0 if first else len(self._panels), (panel, template))

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Make pages of a model. Those that django-allauth brings are left out: an address is its owner's (AC3)."""
        if admin_class is None or not admin_class.__module__.startswith("allauth."):
            super().register(model_or_iterable, admin_class, **options)

    def get_urls(self) -> list[Any]:
        """The pages of models, and those that were added."""
        own: list[URLPattern] = [path(route, self.admin_view(view), name=name) for route, view, name in self._pages]
        return [*own, *(one for one in super().get_urls() if getattr(one, "name", None) not in UNUSED)]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The page to log in. Attempts are counted with those of the API, before a password is hashed.

        A browser that has logged in is known again.
        """
        if request.method != "POST":
            return super().login(request, extra_context)
        username = request.POST.get("username", "")

        def count() -> None:
            limit("login", address_of(request))
            attempts.count_name(request, username)

        response = self._judged(request, count, super().login, extra_context)
        if isinstance(request.user, Player):
            attempts.name_browser(request)
            attempts.logged_in(request, request.user)
            attempts.send_browser(request, response, reverse("admin:index"))
        return response

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The page to change one's password, which asks for the old one: limited like the log-in."""
        player = request.user
        if request.method != "POST" or not isinstance(player, Player):
            return super().password_change(request, extra_context)
        session = str(request.session.session_key)
        return self._judged(
            request, lambda: attempts.count_proof(player, f"session {session}"), super().password_change, extra_context
        )

    def _judged(self, request: HttpRequest, count: Callable[[], None], page: Any, extra_context: Any) -> Any:
        try:
            count()
            with hashing.slot():
                return page(request, extra_context)
        except Throttled as error:
            return HttpResponse(status=429, headers={"Retry-After": str(int(getattr(error, "wait", None) or 1))})
        except Busy as error:
            return HttpResponse(status=error.status, headers={"Retry-After": str(error.retry_after)})

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The home page."""
        panels: dict[str, Any] = {"parts": [template for _, template in self._panels]}
        for panel, _ in self._panels:
            panels.update(panel(request))
        return super().index(request, {**panels, **(extra_context or {})})


site = Dashboard()
