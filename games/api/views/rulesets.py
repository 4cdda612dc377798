"""The games and their rulesets."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.http.bodies import page_of
from core.http.openapi import problems
from core.http.views import PublicView
from games.api.bodies import GameRulesBody, rules_body
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
