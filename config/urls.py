"""All URLs of the service, except /healthz, /readyz and /metrics, which config.ops.middleware serves."""

from django.contrib import admin
from django.urls import include, path, re_path

from config import pages
from core.http.documents import IndexView
from core.notifications import views as notifications

# Every app's API has its URLs here, in one namespace. Django tries them in order, so the most frequent ones come first.
api = [
    path("", include("games.api.urls")),
    path("", include("core.accounts.me")),
    path("", include(notifications.api)),
    path("", include("tournaments.api.urls")),
    path("", include("tournaments.leaderboards.api")),
    path("", include("core.http.documents")),
]

urlpatterns = [
    path("api/v1/", include((api, "api"))),
    path("api/v1", IndexView.as_view()),
    path("admin/", admin.site.urls),
    path("offline", pages.offline),
    path("problems/<slug:code>", pages.problem, name="problem"),
    path("favicon.ico", pages.icon),
    path("", include("core.accounts.oauth.views")),
    path("", include("games.pages.urls")),
    path("", include(notifications.pages)),
    path("accounts/", include("core.accounts.pages")),
    path("", include("tournaments.pages.urls")),
    path("", include("tournaments.leaderboards.pages")),
    # Last under /api/.
    re_path(r"^api(?:/.*)?$", pages.api_not_found),
]

handler400 = "config.pages.bad_request"
handler403 = "config.pages.permission_denied"
handler404 = "config.pages.not_found"
handler500 = "config.pages.server_error"
