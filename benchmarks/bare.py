"""Baselines of `benchmarks/request_cost.py`: two bare DRF views with Trey's own authentication, beside all of Trey."""

from typing import ClassVar

from django.db import models
from django.urls import path
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from config import urls
from core.http.views import object_of

handler400, handler403, handler404, handler500 = urls.handler400, urls.handler403, urls.handler404, urls.handler500


class Row(models.Model):
    """One small row."""

    objects: ClassVar[models.Manager["Row"]] = models.Manager()

    text = models.TextField()

    class Meta:
        app_label = "bare"
        managed = False

    def __str__(self) -> str:
        return self.text


@extend_schema(exclude=True)
class RowView(APIView):
    """Read one row, or insert one durably."""

    def get(self, request: Request) -> Response:  # noqa: ARG002  DRF's signature
        """Return the row with the id 1."""
        row = Row.objects.get(pk=1)
        return Response({"id": row.pk, "text": row.text})

    def post(self, request: Request) -> Response:
        """Insert a row. Its commit is on disk before the response."""
        row = Row.objects.create(text=object_of(request)["text"])
        return Response({"id": row.pk, "text": row.text}, status=201)


# At an address of the API: others have the middlewares of pages, and wait for their one thread.
urlpatterns = [path("api/bare", RowView.as_view()), *urls.urlpatterns]
