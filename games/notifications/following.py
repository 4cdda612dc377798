"""The reactor that tells players what happened in their games.

What a look at the log finds is told with a few statements, in the transaction that moves its checkpoint, so each event
counts once even if the process dies. Who sits where is read of the game as it is now; an event says which turns began
with it. One older than `STALE` when it is read is not told.
"""

from collections.abc import Callable, Collection, Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core import log
from core.accounts import blocking
from core.notifications import services as telling
from core.notifications.kinds import URGENT, Kind
from core.notifications.models import Notification, Seen
from games import events
from games.models import Game, Seat
from games.notifications import turns
from games.notifications.kinds import (
    BEFORE_THE_END,
    CHANGED,
    FINISHED,
    FULL,
    INVITED,
    RULING,
    SEAT,
    STARTED,
    TIMED_OUT,
    TURN,
)
from games.notifications.turns import AS_PLANNED, Turn, say, say_turn, turn_at
from games.projections import Snapshot, load_all
from games.projections.vocabulary import PLANNED, TIMING
from games.rules.events import EVENTS, Event
from games.services.lobby import blocked_at

# As long as a delivery is tried, so that following an old log from its beginning tells nobody old news.
STALE = timedelta(days=3)
# The number of events that one transaction tells.
TOGETHER = 100


@log.batch_reactor("telling of games", kinds=["game"], batch=TOGETHER)
def tell_players(events: Sequence[log.Event]) -> None:
    games = {game.id: game for game in load_all(list({UUID(event.stream_key) for event in events}))}
    all_news = [News(games[UUID(event.stream_key)], event) for event in events]
    planned_appends: set[UUID] = set()
    for news in all_news:
        if news.data.get(PLANNED) is True:
            planned_appends.add(news.game.id)
        telling_of = TELLS.get(EVENTS[news.event.type])
        if telling_of is not None and not news.stale:
            telling_of(news)
        news.turns(planned=news.game.id in planned_appends)
        if TIMING in news.data:
            planned_appends.discard(news.game.id)
    now = service_clock.now()
    begun = [each for news in all_news for each in news.begun]
    # The reminders' rows are locked before the inboxes, in the order in which reminding takes them.
    turns.put_reminders([turn for news in all_news for turn in news.reminded])
    of_turns = iter(turns.news(begun, now))
    told = [one for news in all_news for one in (*news.told, *(next(of_turns) for _ in news.begun))]
    telling.tell_all([one for one in told if one is not None], now)
    # In the order in which a player who says *seen* takes them.
    telling.look_all(one for news in all_news for one in news.looks)
    telling.lose([one for news in all_news for one in news.lost])


class News:
    """One event, its game as it is now, and what players are told of it.

    told, lost, looks: what to tell, what has become pointless, what was seen. begun: turns that are told unless a plan
    plays them. reminded: turns whose reminders are to be queued.
    """

    def __init__(self, game: Snapshot, event: log.Event) -> None:
        self.game = game
        # Those for whom a bot plays included.
        self.people = tuple(seat.player for seat in game.players if seat.player is not None)
        self.event = event
        self.data = event.data
        self.game_id = game.id
        self.stale = service_clock.now() - event.recorded_at > STALE
        actor = event.actor
        # The player who did it: moves that the server makes for a player count as the player's, too.
        by_player = actor is not None and actor.kind in ("player", "forced") and actor.id is not None
        # A plan or the server may move for somebody who is not there.
        self._by_hand = actor is not None and actor.kind == "player" and event.data.get(PLANNED) is not True
        self.hand = UUID(actor.id) if actor is not None and actor.id is not None and by_player else None
        self.told: list[Notification] = []
        self.lost: list[telling.Loss] = []
        self.looks: list[Seen] = []
        self.begun: list[Turn] = []
        self.reminded: list[Turn] = []

    def tell(
        self, players: Collection[UUID | None], kind: Kind, cause: str, *, lost: str | None = None, **data: Any
    ) -> None:
        """Tell these players, except the one who did it. `lost`: only list it, for those who know it."""
        if self.game.is_practice:
            return
        version, by = self.event.version, self.hand if kind is INVITED else None
        self.told += [
            telling.news(player, kind, cause, self.game_id, version, data=data, lost=lost, by=by)
            for player in dict.fromkeys(players)
            if player is not None and (lost is not None or player != self.hand)
        ]

    def cause(self, what: str) -> str:
        return f"game:{self.game_id}:{what}"

    def at_version(self, what: str) -> str:
        return f"game:{self.game_id}:{what}:{self.event.version}"

    def turns(self, *, planned: bool) -> None:
        """Note which turns the append ends and begins. `planned`: a plan made the append."""
        reason = AS_PLANNED if planned else telling.PLAYED
        if self.event.type in (events.Finished.type, events.CalledOff.type):
            self.lost.append(telling.Loss(None, self.game_id, telling.PLAYED, kinds=BEFORE_THE_END))
        elif TIMING in self.data:
            duties = self.data[TIMING]["duties"]
            for index, seat in enumerate(self.game.players):
                duty = duties.get(str(index))
                upto = duty["turn"] - 1 if duty is not None else self.event.version
                if seat.player is not None:
                    self.lost.append(telling.Loss(seat.player, self.game_id, reason, upto=upto, kinds=URGENT))
                if duty is not None and duty["turn"] == self.event.version:
                    self.turn_began(Turn(self.game, index, duty["turn"]))
        if self.hand is not None and "move" in self.data:
            # A move implies that its player has seen the resulting version.
            self.lost.append(telling.Loss(self.hand, self.game_id, telling.SEEN, upto=self.event.version))
            if self._by_hand:
                version, at = self.event.version, self.event.recorded_at
                self.looks.append(Seen(player_id=self.hand, subject_id=self.game_id, version=version, at=at))
        if self.event.type in (events.DeadlineMoved.type, events.TurnExtended.type):
            turn = turn_at(self.game, self.event.seat or 0)
            self.reminded += [turn] if turn is not None else []

    def hands_over(self, old: UUID | None) -> None:
        """The seat changes hands in its turn: it ends for the one, and begins for the other."""
        if old is not None:
            self.lost.append(telling.Loss(old, self.game_id, telling.PLAYED, kinds=URGENT))
        turn = turn_at(self.game, self.event.seat or 0)
        if turn is not None:
            self.turn_began(turn)

    def turn_began(self, turn: Turn) -> None:
        """Tell it to its owner, or list it if it began by the owner's own move."""
        if turn.owner is None or self.stale or self.game.is_practice:
            return
        if turn.owner == self.hand:
            self.tell([turn.owner], TURN, turn.name, lost=telling.SEEN, turn=turn.name)
            say_turn(turn)
        else:
            self.begun.append(turn)
        self.reminded.append(turn)


def _opened(news: News) -> None:
    if news.data["rematch_of"] is None:
        return
    # The old table's people; it is over, so its rows are as they were at its end.
    old = Seat.objects.filter(game_id=UUID(news.data["rematch_of"]), player__isnull=False)
    refusing = blocking.those_who_blocked(UUID(news.data["opener"])) | blocked_at(news.game)
    others = [player for player in old.values_list("player_id", flat=True) if str(player) != news.data["opener"]]
    players = [player for player in others if player not in refusing]
    news.tell(players, INVITED, news.cause("rematch"), by=news.data["opener"], rematch=True)


def _joined(news: News) -> None:
    game = news.game
    if news.data["player"] is not None:
        # Sitting down reads the invitation.
        kinds = [INVITED.name]
        news.lost.append(telling.Loss(UUID(news.data["player"]), news.game_id, telling.PLAYED, kinds=kinds))
    # The opener, who is told, knows of what they filled themselves.
    if game.is_full and game.start == Game.Start.OPENER and (news.event.seat or 0) + 1 == game.seats:
        news.tell([game.opener], FULL, news.at_version("full"))


def _left(news: News) -> None:
    # The table is not full any more.
    news.lost.append(telling.Loss(None, news.game_id, telling.PLAYED, upto=news.event.version, kinds=[FULL.name]))


def _kicked(news: News) -> None:
    _left(news)
    if news.data["player"] is not None:
        news.tell([UUID(news.data["player"])], SEAT, news.at_version("kicked"), how="kicked")


def _started(news: News) -> None:
    kinds = [FULL.name, INVITED.name]
    news.lost.append(telling.Loss(None, news.game_id, telling.PLAYED, kinds=kinds))
    news.tell(news.people, STARTED, news.cause("started"))


def _finished(news: News) -> None:
    _say_result(news.game)
    cause = news.cause("finished")
    news.tell(news.people, FINISHED, cause)
    if news.hand is not None and news.hand in news.people:
        news.tell([news.hand], FINISHED, cause, lost=telling.SEEN)


def _call_off_wanted(news: News) -> None:
    """It takes all of these, who may have no turn soon."""
    asked = [seat.player for seat in news.game.players if not (seat.bot or seat.resigned or seat.agrees_to_cancel)]
    if news.game.is_running:
        news.tell(asked, CHANGED, news.at_version("call_off"), call_off_by=str(news.hand))


def _called_off(news: News) -> None:
    _say_result(news.game)
    news.tell(news.people, FINISHED, news.cause("called_off"), called_off=True)


def _say_result(game: Snapshot) -> None:
    say(game, "result", f"game:{game.id}:result", game.version)


def _timed_out(news: News) -> None:
    player = news.game.players[news.event.seat or 0].player
    news.tell([player], TIMED_OUT, news.at_version("timed_out"), action=news.data["action"])


def _bot_seated(news: News) -> None:
    # After a timeout, `timed_out` has said so.
    if news.data["reason"] != "timeout":
        player = news.game.players[news.event.seat or 0].player
        news.tell([player], SEAT, news.at_version("seat"), how="bot", reason=news.data["reason"])
    news.hands_over(news.game.players[news.event.seat or 0].player)


def _returned(news: News) -> None:
    news.tell([news.game.players[news.event.seat or 0].player], SEAT, news.at_version("seat"), how="back")
    news.hands_over(None)


def _replaced(news: News) -> None:
    old, new, reason = news.data["was"], news.data["player"], news.data["reason"]
    cause = news.at_version("seat")
    news.tell([UUID(old) if old else None], SEAT, cause, how="replaced", reason=reason)
    news.tell([UUID(new) if new else None], SEAT, cause, how="taken", reason=reason)
    news.hands_over(UUID(old) if old else None)


def _extended(news: News) -> None:
    # A tournament tells its own ruling.
    if news.game.belongs_to is None:
        _ruled([news.game.players[news.event.seat or 0].player], news, "extended")


def _ruled(concerned: Collection[UUID | None], news: News, what: str) -> None:
    news.tell(concerned, RULING, news.at_version("ruling"), what=what, reason=news.data["reason"])


TELLS: dict[type[Event], Callable[[News], None] | None] = {
    events.Opened: _opened,
    events.Joined: _joined,
    events.Left: _left,
    events.Kicked: _kicked,
    events.Started: _started,
    events.Finished: _finished,
    events.CancelAgreed: _call_off_wanted,
    events.CalledOff: _called_off,
    events.TimedOut: _timed_out,
    events.BotSeated: _bot_seated,
    events.PlayerReturned: _returned,
    events.PlayerReplaced: _replaced,
    events.Changed: lambda news: telling.put_change(news.event),
    events.ChannelsChanged: lambda news: telling.put_change(news.event),
    events.TurnExtended: _extended,
    # The turn's reminders move with it.
    events.DeadlineMoved: None,
    events.Voided: lambda news: _ruled(news.people, news, "voided"),
    events.Restored: lambda news: _ruled(news.people, news, "restored"),
}
"""Whom each event of the service tells; None: nobody by itself."""
