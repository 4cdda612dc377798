"""The dashboard's site: staff and organisers may enter, and the home page says what needs attention."""

from functools import update_wrapper
from typing import TYPE_CHECKING, Any

from django.contrib import messages
from django.contrib.admin import AdminSite
from django.contrib.admin.options import TO_FIELD_VAR
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import SuspiciousOperation
from django.core.paginator import InvalidPage
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.shortcuts import render
from django.urls import URLPattern, path, reverse
from django.utils.http import url_has_allowed_host_and_scheme

from core.accounts.login import second_factor
from core.accounts.models import Player
from games.admin import rights

if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with a different look.
    Site = AdminSite
else:
    from unfold.sites import UnfoldAdminSite as Site

Page = tuple[str, Any, str]
# Django's pages that nothing here links to.
UNUSED = ("autocomplete", "view_on_site")


class Dashboard(Site):
    """The site under /admin/. Apps add pages that belong to no model with `add_page`."""

    index_template = "dashboard/home.html"
    index_title = "Home"

    def __init__(self) -> None:
        super().__init__()
        self._pages: list[Page] = []
        self._panels: list[Any] = []

    def has_permission(self, request: HttpRequest) -> bool:
        return rights.may_enter(request)

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """Show a sidebar also to somebody who sets up their first tournament and may not enter yet."""
        sidebar = self.get_sidebar_list(request)  # type: ignore[attr-defined]  # unfold has no types
        return super().each_context(request) | {"sidebar_navigation": sidebar}

    def admin_view(self, view: Any, cacheable: bool = False) -> Any:
        """A view for those who may enter.

        An empty name of the field to find objects by, on which Django fails, is a 400.
        """

        def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
            if "" in (request.GET.get(TO_FIELD_VAR), request.POST.get(TO_FIELD_VAR)):
                raise SuspiciousOperation("The name of the field is empty.")
            if isinstance(request.user, Player) and second_factor.is_missing(request.user):
                messages.warning(request, "The dashboard asks for a second factor. Add a passkey or an app first.")
                return HttpResponseRedirect(reverse("mfa_index"))
            return view(request, *args, **kwargs)

        return super().admin_view(update_wrapper(checked, view), cacheable)

    def add_page(self, route: str, view: Any, name: str) -> None:
        self._pages.append((route, view, name))

    def add_panel(self, panel: Any, template: str, *, first: bool = False) -> None:
        """A part of the home page: called with the request, it returns what its template needs."""
        self._panels.insert(0 if first else len(self._panels), (panel, template))

    def register(self, model_or_iterable: Any, admin_class: Any = None, **options: Any) -> None:
        """Make pages for a model, except those of django-allauth: an address is its owner's own business."""
        if admin_class is None or not admin_class.__module__.startswith("allauth."):
            super().register(model_or_iterable, admin_class, **options)

    def get_urls(self) -> list[Any]:
        own: list[URLPattern] = [path(route, self.admin_view(view), name=name) for route, view, name in self._pages]
        return [*own, *(one for one in super().get_urls() if getattr(one, "name", None) not in UNUSED)]

    def login(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The page to log in is that of accounts. A player who is logged in and may not enter is told why."""
        target = request.GET.get(REDIRECT_FIELD_NAME, "")
        if not url_has_allowed_host_and_scheme(target, {request.get_host()}):
            target = reverse("admin:index")
        if not request.user.is_authenticated:
            return redirect_to_login(target)
        if not self.has_permission(request):
            return render(request, "dashboard/no_entry.html", {"viewer": request.user}, status=403)
        return HttpResponseRedirect(target)

    def password_change(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        return HttpResponseRedirect(reverse("account_change_password"))

    def search(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        """The search among the dashboard's pages. Raises Http404 for a page of its results that does not exist."""
        try:
            return super().search(request, extra_context)  # type: ignore[misc]
        except (InvalidPage, ValueError):
            raise Http404 from None

    def index(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> Any:
        panels: dict[str, Any] = {"parts": [template for _, template in self._panels]}
        for panel, _ in self._panels:
            panels.update(panel(request))
        return super().index(request, {**panels, **(extra_context or {})})


site = Dashboard()
