"""The dashboard's site: staff and organisers come in, and the home page says what needs attention."""

from __future__ import annotations

from functools import update_wrapper
from typing import TYPE_CHECKING, Any

from django.contrib.admin import AdminSite
from django.contrib.admin.forms import AdminAuthenticationForm
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import SuspiciousOperation, ValidationError
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from rest_framework.exceptions import Throttled

from games.accounts import hashing, services
from games.accounts.models import Player
from games.admin import rights
from games.http.throttling import address_of, limit
from games.refusals import Busy

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

    def __init__(self) -> None:
        super().__init__()
        self._pages: list[Page] = []
        self._panels: list[Any] = []

    def has_permission(self, request: HttpRequest) -> bool:
        """Staff and organisers."""
        return rights.may_enter(request)

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """A view for those who may enter. A query with a NUL is refused: PostgreSQL stores none and fails on it."""

        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if any("\0" in text for key, values in request.GET.lists() for text in (key, *values)):
                raise SuspiciousOperation("A query holds a NUL character.")
            return view(request, *args, **kwargs)

        return super().admin_view(update_wrapper(checked, view), cacheable)

    def add_page(self, route: str, view: Any, name: str) -> None:
        """A page of its own, such as the event log's."""
        self._pages.append((route, view, name))

    def add_panel(self, panel: Any, template: str, *, first: bool = False) -> None:
        """A part of the home page: called with the request, it returns what its template needs."""
        self._panels.insert(0 if first else len(self._panels), (panel, template))

    def get_urls(self) -> list[Any]:
        """The pages of models, and those that were added."""
        own: list[URLPattern] = [path(route, self.admin_view(view), name=name) for route, view, name in self._pages]
        return [*own, *(one for one in super().get_urls() if getattr(one, "name", None) not in UNUSED)]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The page to log in. Attempts are counted with those of the API, before a password is hashed."""
        return self._judged(request, request.POST.get("username", ""), super().login, extra_context)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The page to change one's password, which asks for the old one: limited like the log-in."""
        return self._judged(request, request.user.get_username(), super().password_change, extra_context)

    def _judged(self, request: HttpRequest, username: str, page: Any, extra_context: Any) -> Any:
        if request.method != "POST":
            return page(request, extra_context)
        try:
            limit("login", address_of(request))
            limit("login_name", services.counted_name(username))
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
