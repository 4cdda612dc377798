"""The addresses of live streams, which another process serves (`config.live`)."""

from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from core.http.addresses import live_url
from core.http.problems import Problem
from core.http.views import ApiView


class GameLiveView(ApiView):
    # games.api.schema.live documents what the other process does.
    schema = None
    query_keys = ("after", "invitation")

    def get(self, request: Request, game_id: UUID) -> Response:
        raise elsewhere(f"games/{game_id}/live")


class MyLiveView(ApiView):
    schema = None
    query_keys = ("after",)

    def get(self, request: Request) -> Response:
        raise elsewhere("me/live")


def elsewhere(path: str) -> Problem:
    """The 421 (RFC 9110, 15.5.20) for a request that this process does not serve."""
    detail = f"Live streams have a server of their own. This one is at {live_url(path)}."
    return Problem("misdirected", detail, status=421, headers={"Content-Location": live_url(path)})
