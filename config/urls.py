"""Every address of the service."""

from django.contrib import admin
from django.urls import include, path

from config import health
from games.api.urls import nothing_else

urlpatterns = [
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("metrics", health.show_metrics, name="metrics"),
    path("admin/", admin.site.urls),
    path("api/v1/", include("games.api.urls")),
    nothing_else,
]

handler400 = "games.api.problems.bad_request"
handler404 = "games.api.problems.not_found"
handler500 = "games.api.problems.internal_error"
