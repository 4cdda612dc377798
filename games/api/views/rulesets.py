"""The games and their rulesets."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.bodies import GameRulesBody, rules_body
from games.platform.http.bodies import page_of
from games.platform.http.openapi import problems
from games.platform.http.views import PublicView
from games.rules import GAMES


class RulesetsView(PublicView):
    @extend_schema(
        operation_id="list_rulesets",
        tags=["rulesets"],
        responses={200: page_of(GameRulesBody), **problems(400)},
    )
    def get(self, request: Request) -> Response:
        """List the games with their rulesets, options and plans.

        Options and plans are JSON Schemas, from which a client can draw a form. There is only one page.
        """
        body = page_of(GameRulesBody)([rules_body(rules) for rules in GAMES.values()], None, None)
        return Response(body, headers={"Cache-Control": "public, max-age=300"})
