"""HTTP that every API of the service shares: problems, parsing, paging, conditional requests, throttles, OpenAPI.

This room knows no game and no account. An app's API is built on it::

    class RoundsView(ApiView):
        @extend_schema(operation_id="list_rounds", responses={200: page_of(RoundBody), **problems(404)})
        def get(self, request: Request, tournament_id: UUID) -> Response: ...
"""
