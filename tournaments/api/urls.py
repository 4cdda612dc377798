from django.urls import path, register_converter
from django.urls.converters import StringConverter

from core.http.openapi import add_components
from tournaments.api import (
    entries,
    proposals,
    results,
    rounds,
    rulings,
    standings,
    tournaments,
)
from tournaments.api.schema import COMPONENTS
from tournaments.stream.reading import ENTRANT

add_components(COMPONENTS | results.COMPONENTS)


class EntrantConverter(StringConverter):
    regex = ENTRANT.pattern


register_converter(EntrantConverter, "entrant")

ONE = "tournaments/<uuid:tournament_id>"
ENTRY = f"{ONE}/entries/<entrant:entrant>"

urlpatterns = [
    path("results", results.ResultsView.as_view(), name="results"),
    path("results/live", results.ResultsLiveView.as_view(), name="results_live"),
    path("me/results", results.OwnResultsView.as_view(), name="my_results"),
    path("tournaments", tournaments.TournamentsView.as_view(), name="tournaments"),
    path(ONE, tournaments.TournamentView.as_view(), name="tournament"),
    path(f"{ONE}/open", tournaments.OpenView.as_view(), name="tournament_open"),
    path(f"{ONE}/start", tournaments.StartView.as_view(), name="tournament_start"),
    path(f"{ONE}/next-round", tournaments.NextRoundView.as_view(), name="tournament_next_round"),
    path(f"{ONE}/finish", tournaments.FinishView.as_view(), name="tournament_finish"),
    path(f"{ONE}/cancel", tournaments.CancelView.as_view(), name="tournament_cancel"),
    path(f"{ONE}/reopen", tournaments.ReopenView.as_view(), name="tournament_reopen"),
    path(f"{ONE}/invitation", tournaments.InvitationView.as_view(), name="tournament_invitation"),
    path(f"{ONE}/organisers", tournaments.OrganisersView.as_view(), name="tournament_organisers"),
    path(f"{ONE}/organisers/accept", tournaments.AcceptToOrganiseView.as_view(), name="tournament_accept_to_organise"),
    path(f"{ONE}/entries", entries.EntriesView.as_view(), name="tournament_entries"),
    path(f"{ENTRY}/accept", entries.AcceptView.as_view(), name="tournament_accept"),
    path(f"{ENTRY}/withdraw", entries.WithdrawView.as_view(), name="tournament_withdraw"),
    path(f"{ENTRY}/link", entries.GuestLinkView.as_view(), name="tournament_guest_link"),
    path(f"{ENTRY}/check-in", entries.CheckInView.as_view(), name="tournament_check_in"),
    path(f"{ONE}/rounds", rounds.RoundsView.as_view(), name="tournament_rounds"),
    path(f"{ONE}/rounds/<int:number>", rounds.RoundView.as_view(), name="tournament_round"),
    path(f"{ONE}/draft", rounds.DraftView.as_view(), name="tournament_draft"),
    path(f"{ONE}/draft/publish", rounds.PublishView.as_view(), name="tournament_publish"),
    path(f"{ONE}/games", rounds.TournamentGamesView.as_view(), name="tournament_games"),
    path(f"{ONE}/standings", standings.StandingsView.as_view(), name="tournament_standings"),
    path(f"{ONE}/next-stage", standings.NextStageView.as_view(), name="tournament_next_stage"),
    path(f"{ONE}/record", standings.RecordView.as_view(), name="tournament_record"),
    path(f"{ONE}/events", standings.TournamentEventsView.as_view(), name="tournament_events"),
    path(f"{ONE}/proposals", proposals.ProposalsView.as_view(), name="tournament_proposals"),
    path(f"{ONE}/proposals/<int:n>", proposals.ProposalView.as_view(), name="tournament_proposal"),
    path(f"{ONE}/proposals/<int:n>/vote", proposals.VoteView.as_view(), name="tournament_vote"),
    path(f"{ONE}/proposals/<int:n>/decide", proposals.DecideView.as_view(), name="tournament_decide"),
    path(f"{ONE}/messages", tournaments.MessagesView.as_view(), name="tournament_messages"),
    path(f"{ONE}/rulings", rulings.RulingsView.as_view(), name="tournament_rulings"),
]
