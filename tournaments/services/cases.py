"""What a ruling looks up: accounts, games, outages, and the record of its tournament."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID, uuid4

from core.calendars.calendar import Interval
from games.selectors import games_of, known_outages, row_of
from tournaments import selectors
from tournaments.rules import Record
from tournaments.services.seating import record_of
from tournaments.services.setting_up import invited_player, new_salt
from tournaments.stream import By, Playing, Tournament, TournamentGame, ruling
from tournaments.stream.events import Happened
from tournaments.stream.state import entrants_by_seat


@dataclass
class Case(ruling.Case):
    t: Tournament
    by: By
    now: datetime

    def events(self) -> Sequence[Happened]:
        return selectors.events_of(self.t.id, upto=self.t.version)

    def record(self) -> Record:
        return record_of(self.t)

    def outages(self, since: datetime) -> Sequence[Interval]:
        return known_outages(since, self.now)

    def player(self, name: str) -> Playing:
        player = invited_player(self.by.player, name)
        return Playing(player.pk, None, new_salt(), player.is_guest)

    def has_game(self, key: str) -> bool:
        return games_of(self.t.id).filter(pk=key).exists()

    def seated(self, game: TournamentGame) -> Sequence[str | None]:
        room = row_of(UUID(game.id)) if game.round is None else None
        if room is None:
            return game.entrants
        players = [seat.player_id for seat in room.seat_rows()]
        return entrants_by_seat(players, (room.belongs_to or {}).get("bots") or (), self.t.played_for)

    def to_move(self, game: str) -> Sequence[int]:
        row = row_of(UUID(game))
        return [] if row is None else [seat.index for seat in row.seat_rows() if seat.due_at is not None]

    def new_id(self) -> str:
        return str(uuid4())
