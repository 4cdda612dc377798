"""Entering a tournament and leaving it."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of, session_key_of, token_of
from core.http import scopes
from core.http.bodies import Nothing
from core.http.idempotency import once
from core.http.openapi import path_parameter
from core.http.problems import invalid
from core.http.views import ListView, checked
from core.text import whole_in
from tournaments import services
from tournaments.api.base import (
    InOrderOfEntry,
    TournamentApi,
    caller,
    for_change,
    root_of,
    tournament_of,
)
from tournaments.api.bodies import EntryBody, GuestLinkBody, entry_body
from tournaments.api.requests import AnswerRequest, NewEntryRequest, WithdrawRequest
from tournaments.models import Entrant, Tournament
from tournaments.stream import Standing

_ENTRANT = [path_parameter("entrant", "e1")]
_ONE = {200: EntryBody}


class EntriesView(TournamentApi, ListView[Entrant]):
    queryset = Entrant.objects.none()
    pagination_class = InOrderOfEntry

    @extend_schema(operation_id="list_entries", responses={200: EntryBody})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the entries, in the order of entry."""
        row = tournament_of(request, tournament_id)
        entries = Entrant.objects.filter(tournament=row).exclude(standing=Standing.GONE).select_related("player")
        return self.page_of(entries, lambda found: [_body(row, entrant, request) for entrant in found])

    @extend_schema(operation_id="enter_tournament", request=NewEntryRequest, responses={201: EntryBody})
    @once()
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Enter a tournament. Organisers can also add a `player`, who is invited until they accept, or a `bot`."""
        player, body = player_of(request), checked(NewEntryRequest, request)
        for_change(request, tournament_id, body.get("invitation"))
        other, bot = body.get("player"), body.get("bot")
        if other is not None and bot is not None:
            raise invalid([("bot", "Give either a player or a bot.")])
        if other is not None or bot is not None:
            scopes.check(request, "organise")
        if bot is not None:
            done = services.add_bot(tournament_id, player, bot)
        elif other is not None:
            done = services.invite(tournament_id, player, other)
        else:
            invitation, salt = body.get("invitation"), body.get("salt")
            done = services.enter(tournament_id, player, invitation=invitation, salt=salt)
        return answer_entry(request, tournament_id, done.entrant, 201)


class AcceptView(TournamentApi):
    @extend_schema(operation_id="accept_invitation", parameters=_ENTRANT, request=AnswerRequest, responses=_ONE)
    def post(self, request: Request, tournament_id: UUID, entrant: str) -> Response:
        """Accept an invitation to play.

        If you were asked to replace an entrant, name that entrant; on the waiting list, name your own. The response is
        the entry that you play for. With `{"accept": false}`, you decline, and leave the waiting list if you are on it.
        """
        for_change(request, tournament_id)
        accept = checked(AnswerRequest, request)["accept"]
        done = services.accept(tournament_id, player_of(request), entrant, accept=accept)
        return answer_entry(request, tournament_id, done.entrant)


class WithdrawView(TournamentApi):
    @extend_schema(operation_id="withdraw", parameters=_ENTRANT, request=WithdrawRequest, responses=_ONE)
    def post(self, request: Request, tournament_id: UUID, entrant: str) -> Response:
        """Withdraw from a tournament. Running games go on unless `resign` is true. Organisers can do it for others."""
        for_change(request, tournament_id)
        resign = checked(WithdrawRequest, request)["resign"]
        _check_own(request, tournament_id, entrant)
        services.withdraw(tournament_id, player_of(request), entrant, resign=resign)
        return answer_entry(request, tournament_id, entrant)


class CheckInView(TournamentApi):
    @extend_schema(operation_id="check_in", parameters=_ENTRANT, request=None, responses=_ONE)
    def post(self, request: Request, tournament_id: UUID, entrant: str) -> Response:
        """Check in shortly before the start. Organisers can do it for others."""
        for_change(request, tournament_id)
        checked(Nothing, request)
        _check_own(request, tournament_id, entrant)
        services.check_in(tournament_id, player_of(request), entrant)
        return answer_entry(request, tournament_id, entrant)


class GuestLinkView(TournamentApi):
    @extend_schema(operation_id="new_guest_link", parameters=_ENTRANT, request=None, responses={201: GuestLinkBody})
    def post(self, request: Request, tournament_id: UUID, entrant: str) -> Response:
        """Make a link for a guest who lost the browser.

        It works once, within a day, and ends the guest's other sessions. A newer link replaces it. It stops working
        when the session or token that made it ends.
        """
        for_change(request, tournament_id)
        checked(Nothing, request)
        secret, expires_at = services.new_guest_link(
            tournament_id, player_of(request), entrant, session=session_key_of(request), token=token_of(request)
        )
        return Response(GuestLinkBody(f"{root_of(request)}/device/{secret}", expires_at), status=201)


def _check_own(request: Request, tournament_id: UUID, key: str) -> None:
    """AP2: acting for an entrant that is not one's own needs `organise`, too, once the entrant is found."""
    found = Entrant.objects.filter(tournament=tournament_id, number=whole_in(key[1:]) or 0).first()
    if found is not None and found.player_id != player_of(request).pk:
        scopes.check(request, "organise")


def answer_entry(request: Request, tournament_id: UUID, key: str, status: int = 200) -> Response:
    row = Tournament.objects.get(pk=tournament_id)
    entrant = Entrant.objects.select_related("player").get(tournament=row, number=int(key[1:]))
    return Response(_body(row, entrant, request), status=status)


def _body(row: Tournament, entrant: Entrant, request: Request) -> EntryBody:
    return entry_body(row, entrant, caller(request))
