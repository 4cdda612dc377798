"""The URLs of rooms and games, under `/api/v1/`."""

from django.urls import path

from core.http.openapi import add_codes, add_components
from core.notifications.group_views import channel_paths
from games.api import document, history, lessons, lobby, notes, playing, reviews, rooms, talk

add_components(document.COMPONENTS)
add_codes(document.CODES)

urlpatterns = [
    path("me/turns", rooms.TurnsView.as_view(), name="turns"),
    path("me/live", history.MyLiveView.as_view(), name="my_live"),
    path("rulesets", rooms.RulesetsView.as_view(), name="rulesets"),
    path("lessons", lessons.LessonsView.as_view(), name="lessons"),
    path("lessons/<slug:game>", lessons.LessonView.as_view(), name="lesson"),
    path("games", rooms.GamesView.as_view(), name="games"),
    path("games/<uuid:game_id>", rooms.GameView.as_view(), name="game"),
    path("games/<uuid:game_id>/moves", playing.MovesView.as_view(), name="moves"),
    path("games/<uuid:game_id>/lay_out", playing.LayOutView.as_view(), name="lay_out"),
    path("games/<uuid:game_id>/plan", playing.PlanView.as_view(), name="plan"),
    path("games/<uuid:game_id>/plan/try", playing.TryPlanView.as_view(), name="try_plan"),
    path("games/<uuid:game_id>/note", notes.NoteView.as_view(), name="note"),
    path("games/<uuid:game_id>/talk", talk.TalkView.as_view(), name="talk"),
    path("games/<uuid:game_id>/talk/read", talk.TalkReadView.as_view(), name="talk_read"),
    path("games/<uuid:game_id>/talk/quiet", talk.TalkQuietView.as_view(), name="talk_quiet"),
    path("games/<uuid:game_id>/talk/<int:number>", talk.TalkMessageView.as_view(), name="talk_message"),
    path("games/<uuid:game_id>/talk/<int:number>/report", talk.ReportView.as_view(), name="talk_report"),
    path("games/<uuid:game_id>/talk/<int:number>/hide", talk.HideView.as_view(), name="talk_hide"),
    path("me/talk", talk.OwnTalksView.as_view(), name="my_talks"),
    path("games/<uuid:game_id>/review", reviews.ReviewView.as_view(), name="review"),
    path("games/<uuid:game_id>/join", lobby.JoinView.as_view(), name="join"),
    path("games/<uuid:game_id>/leave", lobby.LeaveView.as_view(), name="leave"),
    path("games/<uuid:game_id>/bots", lobby.BotsView.as_view(), name="bots"),
    path("games/<uuid:game_id>/return", lobby.ReturnView.as_view(), name="return"),
    path("games/<uuid:game_id>/kick", lobby.KickView.as_view(), name="kick"),
    path("games/<uuid:game_id>/start", lobby.StartView.as_view(), name="start"),
    path("games/<uuid:game_id>/cancel", lobby.CancelView.as_view(), name="cancel"),
    path("games/<uuid:game_id>/rematch", lobby.RematchView.as_view(), name="rematch"),
    path("games/<uuid:game_id>/clock", rooms.ClockView.as_view(), name="clock"),
    path("games/<uuid:game_id>/invite", lobby.InviteView.as_view(), name="invite"),
    path("games/<uuid:game_id>/seen", lobby.SeenView.as_view(), name="seen"),
    *channel_paths(lobby.RoomChannelsApi, "games/<uuid:game_id>"),
    path("games/<uuid:game_id>/events", history.EventsView.as_view(), name="events"),
    path("games/<uuid:game_id>/live", history.GameLiveView.as_view(), name="live"),
    path("games/<uuid:game_id>/history/<int:version>", history.HistoryView.as_view(), name="history"),
    path("games/<uuid:game_id>/record", history.RecordView.as_view(), name="record"),
    path("games/<uuid:game_id>/fairness", history.FairnessView.as_view(), name="fairness"),
]
