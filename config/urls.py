"""Every address of the service but /healthz, /readyz and /metrics, which config.ops.middleware answers."""

from django.contrib import admin
from django.urls import include, path
from django.views.generic import RedirectView

from games.api.urls import nothing_else

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="api:docs")),
    path("admin/", admin.site.urls),
    path("api/v1/", include("games.api.urls")),
    nothing_else,
]

handler400 = "games.api.problems.bad_request"
handler404 = "games.api.problems.not_found"
handler500 = "games.api.problems.internal_error"
