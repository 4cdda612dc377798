"""What the pages of a tournament show, as plain values; each part is read when a page first asks for it.

Nothing of a running game's cards is among it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from games.platform import log
from games.platform.accounts.models import Player
from games.rules import GAMES
from tournaments import selectors
from tournaments.models import Entrant, Round, Tournament, TournamentGame
from tournaments.pages.names import Name, entrants_of, names_of
from tournaments.pages.ratifying import Ratifying, ratifying_of, rules_names
from tournaments.pages.rulings import RulingLine, rulings_of
from tournaments.pages.standings import (
    Crosstable,
    Details,
    StandingsRow,
    crosstable,
    details_of,
    has_crosstable,
    row_of,
)
from tournaments.pages.tables import RoundLine, TableLine, room_of, round_of
from tournaments.projections import happened
from tournaments.rules import read_record
from tournaments.rules.counting import tally
from tournaments.rules.record import Record
from tournaments.rules.tally import Tally
from tournaments.stream import Plan

KINDS = {"season": "Season", "rounds": "Rounds", "knockout": "Knockout"}
STATUSES = {
    "draft": "being set up",
    "registration": "open for registration",
    "running": "running",
    "finished": "finished",
    "cancelled": "cancelled",
}
# Why a tournament is over, where that is not what an organiser said.
ENDED = {
    "organiser": "An organiser ended it.",
    "final": "The final is played.",
    "rounds": "All rounds are played.",
    "no_round": "No further table could be seated.",
    "closed": "The season is over.",
}


class Sheet:
    """A tournament as of now."""

    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament
        self.game_title = GAMES[tournament.game].title
        self.kind = KINDS[tournament.kind]
        self.status = STATUSES[tournament.status]

    @cached_property
    def ended_why(self) -> str | None:
        """Why it is over, as a sentence."""
        why = self.tournament.ended_why
        return None if why is None else ENDED.get(why, why) if self.tournament.status == "finished" else why

    @cached_property
    def organisers(self) -> Sequence[str]:
        """The names of those who run it."""
        names = Player.objects.filter(pk__in=self.tournament.organisers).values_list("username", flat=True)
        return sorted(names, key=str.casefold)

    @cached_property
    def neighbours(self) -> tuple[Tournament | None, Sequence[Tournament]]:
        """The tournament that it follows, and those that follow it, as far as everybody may know of them (RT7)."""
        return selectors.neighbours_of(self.tournament, None)

    @cached_property
    def penalties(self) -> bool:
        """Whether less is better."""
        return Plan.from_json(self.tournament.plan).rules.less_is_better

    # Entrants and standings.

    @cached_property
    def entrant_rows(self) -> Sequence[Entrant]:
        """All entrants, in the order of entry."""
        return entrants_of(self.tournament)

    @cached_property
    def names(self) -> Mapping[str, Name]:
        """Their names, by key."""
        return names_of(self.entrant_rows)

    @cached_property
    def entrants(self) -> int:
        """How many have been in and were not removed."""
        return sum(one.entered_at is not None and one.standing != "removed" for one in self.entrant_rows)

    @cached_property
    def standings(self) -> Mapping[str, Any]:
        """`selectors.standings_for` as of now."""
        return selectors.standings_for(self.tournament.pk, self.tournament.version)

    @cached_property
    def rows(self) -> Sequence[StandingsRow]:
        """The standings."""
        return [row_of(row, self.names) for row in self.standings["standings"]]

    @cached_property
    def details(self) -> Sequence[Details]:
        """What every row opens to."""
        return [self._details(row) for row in self.standings["standings"]]

    def details_of(self, key: str) -> Details | None:
        """What the row of one entrant opens to, if it has one."""
        row = next((row for row in self.standings["standings"] if row["entrant"] == key), None)
        return None if row is None else self._details(row)

    def _details(self, row: Mapping[str, Any]) -> Details:
        bound = self.standings["bounds"].get(row["entrant"])
        return details_of(row, bound, self.record, self.counted, self.names)

    @cached_property
    def has_crosstable(self) -> bool:
        """Whether there is one."""
        return has_crosstable(len(self.standings["standings"]))

    @cached_property
    def crosstable(self) -> Crosstable | None:
        """Everybody against everybody, in the order of the standings."""
        return crosstable(self.counted, [row.name for row in self.rows]) if self.has_crosstable else None

    @cached_property
    def record(self) -> Record:
        """The record, read."""
        t = self.tournament
        past = [happened(event) for event in log.read(t.stream, upto=t.version)]
        return read_record(selectors.document(Plan.from_json(t.plan), t.shown_seed, past))

    @cached_property
    def counted(self) -> Tally:
        """The games that count."""
        return tally(self.record)

    # Rounds and games.

    @cached_property
    def round_rows(self) -> Sequence[Round]:
        """The rounds without their tables, newest first."""
        return list(Round.objects.filter(tournament=self.tournament).order_by("-number"))

    @cached_property
    def rounds(self) -> Sequence[RoundLine]:
        """All rounds with their tables, newest first."""
        return self.rounds_of(self.round_rows)

    def rounds_of(self, rows: Sequence[Round]) -> list[RoundLine]:
        """Some rounds with their tables."""
        marks = rules_names(self.tournament)
        return [round_of(now, self.names, marks) for now in selectors.rounds_now(self.tournament, rows)] if rows else []

    @cached_property
    def games(self) -> Sequence[TournamentGame]:
        """All games."""
        return list(TournamentGame.objects.filter(tournament=self.tournament))

    def rooms_of(self, rows: Sequence[TournamentGame]) -> list[TableLine]:
        """Some of a season's games."""
        marks = rules_names(self.tournament)
        return [room_of(now, self.names, marks) for now in selectors.games_now(self.tournament, rows)] if rows else []

    @cached_property
    def no_shows(self) -> Sequence[selectors.NoShow]:
        """Who did not turn up for their last game, and is still in."""
        return selectors.no_shows([self.tournament], self.games)

    # Rules and rulings.

    @cached_property
    def ratifying(self) -> Ratifying:
        """Which rules hold since when, and the proposals for others."""
        return ratifying_of(self.tournament, {key: name.text for key, name in self.names.items()})

    @cached_property
    def rulings(self) -> Sequence[RulingLine]:
        """All rulings, newest first."""
        return rulings_of(self.tournament, {key: name.text for key, name in self.names.items()}, self._places())

    def _places(self) -> dict[str, str]:
        """Games by where they are played."""
        rows = TournamentGame.objects.filter(tournament=self.tournament).values_list("game", "round", "table")
        return {
            str(game): f"The game at table {table} of round {number}" if number else "A free game"
            for game, number, table in rows
        }
