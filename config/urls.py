"""Every address of the service but /healthz, /readyz and /metrics, which config.middleware answers."""

from django.contrib import admin
from django.urls import include, path

from games.api.urls import nothing_else

urlpatterns = [
    path("admin/", admin.site.urls),
    path("api/v1/", include("games.api.urls")),
    nothing_else,
]

handler400 = "games.api.problems.bad_request"
handler404 = "games.api.problems.not_found"
handler500 = "games.api.problems.internal_error"
