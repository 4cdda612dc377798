"""Everything the service holds about the caller, as one JSON document."""

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder
from django.http import StreamingHttpResponse
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request

from core import clock
from core.accounts import exporting
from core.accounts.authentication import player_of
from core.accounts.models import Player
from core.http.openapi import problems, ref
from core.http.throttling import limit
from core.http.views import ApiView


class ExportView(ApiView):
    @extend_schema(
        operation_id="export_my_account",
        tags=["me"],
        responses={200: ref("AccountExport"), **problems(400, 401, 429)},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Get everything the service holds about you: account, tokens without their secrets, games, ratings."""
        player = player_of(request)
        limit("export", str(player.pk))
        headers = {"Content-Disposition": 'attachment; filename="trey-account.json"', "Cache-Control": "no-store"}
        return StreamingHttpResponse(_document(player, clock.now()), content_type="application/json", headers=headers)


def _document(player: Player, now: datetime) -> Iterator[str]:
    before = "{"
    for name, part in exporting.parts_of(player, now):
        yield f"{before}{_text(name)}: "
        before = ",\n"
        if isinstance(part, Iterator):
            yield from _array(part)
        else:
            yield _text(part)
    yield "}\n"


def _array(items: Iterator[Any]) -> Iterator[str]:
    before = "["
    for item in items:
        yield f"{before}\n{_text(item)}"
        before = ","
    yield "[]" if before == "[" else "]"


def _text(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)
