"""All URLs of the service, except /healthz, /readyz and /metrics, which config.ops.middleware serves."""

from django.apps import apps
from django.contrib import admin
from django.urls import URLResolver, include, path, re_path

from config import pages
from core.http.documents import IndexView
from core.notifications import views as notifications


def of_features(kind: str) -> list[URLResolver]:
    """The URLs that features name in their `AppConfig`."""
    named = [getattr(app, kind, None) for app in apps.get_app_configs()]
    return [path("", include(module)) for module in named if isinstance(module, str)]


# Every app's API has its URLs here, in one namespace. Django tries them in order, so the most frequent ones come first.
api = [
    path("", include("games.api.urls")),
    path("", include("core.accounts.api.me")),
    path("", include(notifications.api)),
    path("", include("tournaments.api.urls")),
    *of_features("api"),
    path("", include("core.http.documents")),
]

urlpatterns = [
    path("api/v1/", include((api, "api"))),
    path("api/v1", IndexView.as_view()),
    path("admin/", admin.site.urls),
    path("offline", pages.offline),
    path("problems", pages.problems, name="problems"),
    path("problems/<slug:code>", pages.problem, name="problem"),
    path("favicon.ico", pages.icon),
    path("", include("core.accounts.oauth.views")),
    # Before `rooms/ID/ACT`.
    *of_features("pages"),
    path("", include("games.pages.urls")),
    path("", include(notifications.pages)),
    path("accounts/", include("core.accounts.pages.views")),
    path("", include("tournaments.pages.urls")),
    # Last under /api/.
    re_path(r"^api(?:/.*)?$", pages.api_not_found),
]

handler400 = "config.pages.bad_request"
handler403 = "config.pages.permission_denied"
handler404 = "config.pages.not_found"
handler500 = "config.pages.server_error"
