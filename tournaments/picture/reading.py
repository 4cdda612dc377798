"""A tournament as of now, as plain values that pages draw; each part is read when it is first used.

It holds nothing about the cards of running games.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import dropwhile
from typing import Any

from django.db.models import Min, QuerySet

from core import clock as service_clock
from core.refusals import Conflict
from games.rules.words import listed
from tournaments import selectors
from tournaments.models import Entrant, Round, Tournament, TournamentGame
from tournaments.picture.bracket import Bracket, bracket_of
from tournaments.picture.chart import Chart, totals_chart
from tournaments.picture.open_games import NoShow, games_now, no_shows
from tournaments.picture.ratifying import Ratifying, ratifying_of
from tournaments.picture.ruled import RulingLine, rulings_of
from tournaments.picture.standings import (
    MOST_IN_CROSSTABLE,
    Crosstable,
    Details,
    StageTable,
    StandingsRow,
    Sums,
    crosstable,
    lead_in,
    moved_since,
    row_of,
    stage_tables,
    sums_of,
)
from tournaments.picture.tables import RoundLine, TableLine, corrected, progress_of, room_of, rounds_of, where_played
from tournaments.picture.wording import Name, names_of
from tournaments.projections import state_of
from tournaments.rules.settings import Settings
from tournaments.stream import Plan, Standing, Status, entries

_PASSED = {"withdrew": "withdrew", "removed": "was removed", "no_place": "has no place"}


class Reading:
    def __init__(self, tournament: Tournament) -> None:
        self.tournament = tournament

    @property
    def is_over(self) -> bool:
        return self.tournament.status in (Status.FINISHED, Status.CANCELLED)

    @property
    def has_started(self) -> bool:
        return self.tournament.started_at is not None

    @cached_property
    def organisers(self) -> Sequence[str]:
        names = selectors.usernames(self.tournament.organisers)
        return [names[pk] for pk in self.tournament.organisers if pk in names]

    @cached_property
    def neighbours(self) -> tuple[Tournament | None, Sequence[Tournament]]:
        """The tournament that it follows, and those that follow it, if they are public (RT7)."""
        return selectors.neighbours_of(self.tournament, None)

    @property
    def posts_to(self) -> Sequence[str]:
        return sorted({one["service"] for one in self.tournament.state.channels})

    @cached_property
    def penalties(self) -> bool:
        return self.settings.less_is_better

    @cached_property
    def plan(self) -> Plan:
        return self.tournament.state.plan

    @cached_property
    def settings(self) -> Settings:
        return self.plan.rules

    @cached_property
    def invited(self) -> int:
        return sum(one.standing == "invited" for one in self.entrant_rows)

    @cached_property
    def closed(self) -> str | None:
        """Why nobody can enter now."""
        try:
            entries.check_entries(state_of(self.tournament), service_clock.now())
        except Conflict as error:
            return error.detail
        return None

    @property
    def entries_open(self) -> bool:
        return self.closed is None and self.plan.entry != "organiser"

    @property
    def takes_guests_by_name(self) -> bool:
        """Whether anybody who reads the page can enter, as a guest."""
        return self.plan.guests and self.plan.entry == "open" and self.tournament.visibility == "public"

    @property
    def is_full(self) -> bool:
        limit = self.plan.limit
        return limit is not None and self.tournament.state.places >= limit

    # Entrants and standings.

    @cached_property
    def entrant_rows(self) -> Sequence[Entrant]:
        return selectors.entrants_of(self.tournament)

    @cached_property
    def names(self) -> Mapping[str, Name]:
        return names_of(self.entrant_rows)

    @cached_property
    def texts(self) -> Mapping[str, str]:
        return {key: name.text for key, name in self.names.items()}

    @cached_property
    def holders(self) -> Sequence[tuple[Name, bool]]:
        """Those who hold a place, in the order of entry, and whether each is in: with a check-in, checked in."""
        there = [one for one in self.entrant_rows if one.standing in (Standing.IN, Standing.REGISTERED)]
        return [(self.names[one.key], one.standing == Standing.IN) for one in there]

    @property
    def queue(self) -> Sequence[Name]:
        return [self.names[key] for key in self.tournament.state.queue]

    @cached_property
    def withdrawn(self) -> int:
        gone = [one for one in self.entrant_rows if one.standing == Standing.WITHDRAWN and one.entered_at is not None]
        return len(gone) if self.has_started else 0

    @cached_property
    def reckoning(self) -> selectors.Reckoning:
        return selectors.reckoning_for(self.tournament)

    @cached_property
    def bounds(self) -> Mapping[str, Any]:
        """Empty once nothing more can happen: at the end, and in the break before the next stage."""
        over = self.is_over or self.tournament.state.break_ends is not None
        return {} if over else selectors.bounds_for(self.tournament)

    @cached_property
    def has_games(self) -> bool:
        """Whether anybody has played, in whatever stage."""
        return any(stage.games for stage in self.reckoning.stages)

    @cached_property
    def _moved(self) -> tuple[str, Mapping[str, int | None]]:
        return moved_since(self.tournament, self.reckoning)

    @property
    def moved(self) -> str:
        """What has changed places, if any have."""
        return self._moved[0] if any(row.moved for row in self.rows) else ""

    @cached_property
    def rows(self) -> Sequence[StandingsRow]:
        found, above = list[StandingsRow](), 0
        line = self._below_the_cut
        for row in self.reckoning.standings:
            key, stage = row["entrant"], row.get("stage", 0)
            # The first of those who fell out of a stage, by the stage of each row, never by counting.
            fell_out_of = self.tournament.state.stage_title(stage) if stage < above else None
            was, cut = self._moved[1].get(key), self._cut_said(key)
            about: Any = {"fell_out_of": fell_out_of, "cut": cut, "late": self.late.get(key)}
            found.append(row_of(row, self.names, was, first_outside=key == line, **about))
            above = stage
        return found

    @cached_property
    def late(self) -> Mapping[str, tuple[str, datetime]]:
        """Those who came in after the first game: before which round, which a season does not have, and when."""
        t, began = self.tournament, self.tournament.started_at
        entered = {one.key: one.entered_at for one in self.entrant_rows}
        came = {key: at for key, at in entered.items() if at is not None and began is not None and at > began}
        if not came or t.state.plan.all_stages[0]["kind"] == "season":
            first = TournamentGame.objects.filter(tournament=t).aggregate(at=Min("since"))["at"] if came else None
            return {key: ("", at) for key, at in came.items() if first is not None and at > first}
        seated = [one.state.seated_at for one in self.round_rows[::-1]]
        before = {key: 1 + sum(moment < at for moment in seated) for key, at in came.items()}
        # Nobody enters a later stage, so that its number says which round.
        return {key: (f"round {number}", came[key]) for key, number in before.items() if number > 1}

    def _cut_said(self, key: str) -> str:
        cut, t = self.cuts.get(key), self.tournament.state
        if cut == "out":
            return "outside the cut" if t.break_ends else f"cannot reach {t.stage_title(t.stage + 1)}"
        return "through" if cut == "through" else ""

    @cached_property
    def _below_the_cut(self) -> str | None:
        """In the break, who is the first that does not go on; None if others who do stand below."""
        cuts = [(row["entrant"], self.cuts.get(row["entrant"])) for row in self.reckoning.standings]
        out = [key for key, cut in dropwhile(lambda one: one[1] != "out", cuts)]
        is_line = self.tournament.state.break_ends is not None and out
        return out[0] if is_line and all(self.cuts.get(key) != "through" for key in out) else None

    @property
    def moved_up(self) -> str:
        """In the break: who does not go on though others below do, and why."""
        t = self.tournament
        if t.state.break_ends is None or not self.cuts:
            return ""
        passed = selectors.next_stage_for(t)["passed"]
        gone = [f"{self.texts[one['entrant']]} {_PASSED[one['why']]}" for one in passed]
        return f"{listed(gone)}, so the next in line go through." if gone else ""

    @cached_property
    def cuts(self) -> Mapping[str, str]:
        """Who goes on to a next stage, if that can be said (SG8): through, open or out by entrant."""
        return {} if self.is_over or not self.plan.stages else selectors.cuts_for(self.tournament)

    @cached_property
    def stages(self) -> Sequence[StageTable]:
        """The standings of each stage by itself, the last first; none in a tournament of a kind."""
        titles = self.plan.stage_names
        return stage_tables(self.reckoning.stages, titles, self.names)[::-1] if titles else []

    @cached_property
    def leaders(self) -> Sequence[StandingsRow]:
        """Those in first place, once there is a result; in a knockout only at the end. None if it was called off."""
        status = self.tournament.status
        if status == Status.CANCELLED:
            return []
        if status == Status.RUNNING and (self.tournament.kind == "knockout" or not self.reckoning.games):
            return []
        return [row for row in self.rows if row.place == 1 and row.status != "removed"] if self.has_games else []

    @cached_property
    def lead(self) -> str | None:
        return lead_in(self.reckoning.standings) if len(self.leaders) == 1 else None

    @cached_property
    def details(self) -> Sequence[Details]:
        return [self._details(row) for row in self.reckoning.standings]

    def details_of(self, key: str) -> Details | None:
        row = next((row for row in self.reckoning.standings if row["entrant"] == key), None)
        return None if row is None else self._details(row)

    def _details(self, row: Mapping[str, Any]) -> Details:
        key, found = row["entrant"], list[Sums]()
        for (title, settings, carries), stage in zip(self._stages, self.reckoning.stages, strict=False):
            if (own := next((one for one in stage.standings if one["entrant"] == key), None)) is not None:
                if carries:
                    found.pop()  # its games are among those of this stage (SG6)
                found.append(sums_of(own, stage, title, settings, self.names, where=self.where))
        return Details(row_of(row, self.names, late=self.late.get(key)), found[::-1], self.bounds.get(key, {}))

    @cached_property
    def _stages(self) -> Sequence[tuple[str | None, Settings, bool]]:
        """Of each stage its title, its settings, and whether it carries the one before; no title without stages."""
        stages = self.plan.stages
        if not stages:
            return [(None, self.settings, False)]
        plans = [self.plan.at_stage(number, None) for number in range(1, len(stages) + 1)]
        return [
            (title, plan.rules, stage["carry"])
            for title, stage, plan in zip(self.plan.stage_names, stages, plans, strict=True)
        ]

    @cached_property
    def has_crosstable(self) -> bool:
        return 2 <= len(self.reckoning.standings) <= MOST_IN_CROSSTABLE

    @cached_property
    def crosstable(self) -> Crosstable | None:
        if not self.has_crosstable:
            return None
        games = {game.id: game for stage in self.reckoning.stages for game in stage.games}
        return crosstable(games.values(), [row.name for row in self.rows])

    # Rounds and games.

    @cached_property
    def round_rows(self) -> Sequence[Round]:
        if not self.tournament.state.seated:
            return []
        return list(self.tournament.rounds.order_by("-number"))

    @cached_property
    def rounds(self) -> Sequence[RoundLine]:
        return self.rounds_of(self.round_rows)

    def rounds_of(self, rows: Sequence[Round]) -> list[RoundLine]:
        return rounds_of(self.tournament, rows, self.names) if rows else []

    @cached_property
    def bracket(self) -> Bracket | None:
        if self.tournament.kind != "knockout":
            return None
        return self._bracket(self._of_stage[::-1])

    def _bracket(self, rounds: Sequence[RoundLine]) -> Bracket | None:
        first = {row.name.key for row in self.rows if row.place == 1}
        state = self.tournament.state
        seeds = state.begun[-1].seeds if state.begun else state.seeds or ()
        return bracket_of(rounds, self.settings, first, seeds=seeds, before=state.seated_before)

    @property
    def folds_standings(self) -> bool:
        """Whether the drawn bracket says first what the standings say of a knockout that goes on."""
        return self.bracket is not None and not self.is_over

    @property
    def _of_stage(self) -> Sequence[RoundLine]:
        """The rounds of the present stage."""
        return [one for one in self.rounds if one.number > self.tournament.state.seated_before]

    @cached_property
    def last_two_rounds(self) -> Bracket | None:
        """The end of a knockout that is over, drawn for a phone; None if those are all rounds."""
        rounds = self._of_stage
        if self.bracket is None or not self.is_over or len(rounds) < 3:
            return None
        return self._bracket(rounds[1::-1])

    @cached_property
    def chart(self) -> Chart | None:
        t, reckoning = self.tournament, self.reckoning
        stage = t.state.stage
        while self._stages[stage - 1][2]:
            stage -= 1  # what it carries is drawn, too
        before, by_round = t.state.seated_before_stage(stage), t.kind == "rounds"
        return totals_chart(reckoning.leaders, reckoning.course, self.texts, by_round=by_round, before=before)

    @cached_property
    def games(self) -> Sequence[TournamentGame]:
        return list(TournamentGame.objects.filter(tournament=self.tournament))

    def rooms_of(self, rows: Sequence[TournamentGame]) -> list[TableLine]:
        t = self.tournament
        return [room_of(t, now, self.names) for now in corrected(t, games_now(t, rows))] if rows else []

    @property
    def progress(self) -> dict[str, Any] | None:
        names, called_off = [row.name for row in self.rows], self.tournament.status == Status.CANCELLED
        return progress_of(self.rounds, self.games, names, called_off=called_off)

    @cached_property
    def no_shows(self) -> Sequence[NoShow]:
        return no_shows([self.tournament], self.games)

    # Rules and rulings.

    @cached_property
    def ratifying(self) -> Ratifying:
        return ratifying_of(self.tournament, self.texts)

    @cached_property
    def rulings(self) -> Sequence[RulingLine]:
        return rulings_of(self.tournament, self.texts, self._places())

    @cached_property
    def where(self) -> Mapping[str, str]:
        """Where each game was played, by its id."""
        t = self.tournament
        per_table = [stage["settings"]["games_per_table"] for stage in t.state.plan.all_stages]
        return {
            str(row.game): where_played(
                t, row, several=row.round is not None and per_table[t.state.stage_of(row.round) - 1] > 1
            )
            for row in self._game_rows()
        }

    def _places(self) -> dict[str, str]:
        t = self.tournament
        return {
            str(row.game): f"The game at table {row.table} of {t.state.round_name(row.round)}"
            if row.round
            else where_played(t, row)
            for row in self._game_rows()
        }

    def _game_rows(self) -> QuerySet[TournamentGame]:
        rows = TournamentGame.objects.filter(tournament=self.tournament)
        return rows.only("game", "round", "table", "number", "source", "since")
