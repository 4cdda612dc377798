"""The caller's own address, which nobody else sees (AC3)."""

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts import codes, owning
from core.accounts.api.bodies import CodeAskedBody, OwnAddressBody
from core.accounts.api.serializers import AddressChangeSerializer, CodeSerializer, ProofSerializer
from core.accounts.api.views.codes import code_sent
from core.accounts.api.views.me import check_password
from core.accounts.authentication import access_of, player_of
from core.accounts.models import Code, Player
from core.http.openapi import problems
from core.http.throttling import limit
from core.http.views import ApiView, checked


class AddressView(ApiView):
    @extend_schema(operation_id="my_address", tags=["me"], responses={200: OwnAddressBody, **problems(401)})
    def get(self, request: Request) -> Response:
        """Get your mail address. Nobody else sees it."""
        return _own(player_of(request))

    @extend_schema(
        operation_id="change_my_address",
        tags=["me"],
        request=AddressChangeSerializer,
        responses={202: CodeAskedBody, **problems(400, 401, 403, 413, 415, 429)},
    )
    def put(self, request: Request) -> Response:
        """Have a code sent to your new address. Your old address stays until you send the code."""
        player = player_of(request)
        wanted = checked(AddressChangeSerializer, request)
        check_password(player, access_of(request), wanted.get("password"))
        limit("code", str(player.pk))
        return code_sent(codes.ask(request, Code.Purpose.VERIFY, wanted["address"], player))

    @extend_schema(
        operation_id="remove_my_address",
        tags=["me"],
        request=ProofSerializer,
        responses={204: None, **problems(400, 401, 403, 413, 415, 429)},
    )
    def delete(self, request: Request) -> Response:
        """Remove the address from your account. The address gets a mail about it."""
        player = player_of(request)
        check_password(player, access_of(request), checked(ProofSerializer, request).get("password"))
        owning.remove(player)
        return Response(status=204)


class VerifyView(ApiView):
    @extend_schema(
        operation_id="verify_my_address",
        tags=["me"],
        request=CodeSerializer,
        responses={200: OwnAddressBody, **problems(400, 401, 403, 413, 415, 429)},
    )
    def post(self, request: Request) -> Response:
        """Verify your new address with the code. The old address gets a mail about it."""
        player = player_of(request)
        limit("login_name", f"{player.pk} verifies")
        wanted = checked(CodeSerializer, request)
        code = codes.use(Code.Purpose.VERIFY, wanted["request"], wanted["code"], player)
        owning.verified(player, code.address)
        return _own(player)


def _own(player: Player) -> Response:
    row = owning.address_of(player)
    return Response(OwnAddressBody(None, verified=False) if row is None else OwnAddressBody(row.email, row.verified))
