"""All URLs of the service but /healthz, /readyz and /metrics, which config.ops.middleware serves."""

from django.contrib import admin
from django.urls import include, path, re_path
from django.views.generic import RedirectView

from games.http.problems import not_found

# Every app's API has its URLs here, in one namespace.
api = [
    path("", include("games.accounts.api.urls")),
    path("", include("games.api.urls")),
    path("", include("games.http.urls")),
]

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="api:docs")),
    path("admin/", admin.site.urls),
    path("api/v1/", include((api, "api"))),
    # Last: any other URL under /api/ is a problem document, not a page.
    re_path(r"^api(/.*)?$", not_found),
]

handler400 = "games.http.problems.bad_request"
handler404 = "games.http.problems.not_found"
handler500 = "games.http.problems.internal_error"
