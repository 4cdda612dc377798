"""A tournament as one reader sees it, and what they may do now: asked of the code that decides it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any
from uuid import UUID

from django.conf import settings

from core import clock as service_clock
from core.accounts.models import Player
from core.refusals import Refused
from games import selectors as games
from games.rules.game import seat_limits
from games.rules.words import counted
from games.selectors.people import people_of
from tournaments import access, selectors
from tournaments.picture.standings import Details, StandingsRow
from tournaments.picture.tables import table_name
from tournaments.picture.wording import ordinal
from tournaments.picture.words import Picture, points
from tournaments.projections import state_of
from tournaments.stream import Elector, Entrant, Proposal, Standing, Status, entries
from tournaments.stream.facts import By, check_season
from tournaments.stream.proposals import electors_of


@dataclass(frozen=True, slots=True)
class OwnTable:
    game: UUID
    where: str
    others: Sequence[str]
    is_open: bool
    to_act: bool
    """The game waits for the reader: not while a bot plays for them."""
    until: datetime | None
    bot_plays: bool


class Viewer:
    def __init__(self, picture: Picture, player: Player, invitation: str | None = None) -> None:
        self.picture, self.player, self.invitation = picture, player, invitation
        self.state = state_of(picture.tournament)
        self.now = service_clock.now()
        self.by = By(player.pk)

    @cached_property
    def entrant(self) -> Entrant | None:
        """The own entry, unless it was given up before it began."""
        found = self.state.entrant_of(self.player.pk)
        return None if found is None or found.standing is Standing.GONE else found

    @cached_property
    def organises(self) -> bool:
        return access.organises(self.picture.tournament, self.player)

    @property
    def is_in(self) -> bool:
        return self.entrant is not None and self.entrant.standing in (Standing.IN, Standing.REGISTERED)

    @cached_property
    def waiting(self) -> int | None:
        if self.entrant is None or self.entrant.key not in self.state.queue:
            return None
        return self.state.queue.index(self.entrant.key) + 1

    # The reader's rights.

    @cached_property
    def entering(self) -> str | None:
        return self._refused(
            lambda: entries.enter(self.state, self.by, salt="-", invitation=self.invitation, now=self.now)
        )

    @property
    def may_enter(self) -> bool:
        return not self.is_in and self.waiting is None and not self.is_invited and self.entering is None

    @property
    def is_invited(self) -> bool:
        return self.entrant is not None and self.entrant.standing is Standing.INVITED and not self.state.is_over

    @property
    def invited(self) -> list[str]:
        asked = [one.key for one in self.state.entrants.values() if one.standing is Standing.INVITED]
        return [self.picture.names[key].text for key in asked] if self.organises and not self.state.is_over else []

    @property
    def door(self) -> str | None:
        """The path by which others come into a season that the reader is alone in."""
        alone = self.state.plan.kind == "season" and self.state.places == 1
        return self.picture.tournament.door if alone and self.is_in and not self.state.is_over else None

    @cached_property
    def my_people(self) -> list[str]:
        """Whom one tap invites: the organiser's people who have no entry."""
        if not self.organises or self.is_draft or self.picture.closed:
            return []
        inside = {one.player for one in self.state.entrants.values() if one.standing is not Standing.GONE}
        return [person.username for person in people_of(self.player) if person.id not in inside]

    @property
    def is_concerned(self) -> bool:
        """True if there is anything to tell the reader: when it is over, those who entered or ran it."""
        own = self.entrant is not None or self.organises or self.may_be_organiser
        return not self.state.is_over or own or bool(self.tables)

    @property
    def is_draft(self) -> bool:
        return self.state.status is Status.DRAFT

    @property
    def may_be_organiser(self) -> bool:
        return self.player.pk in self.state.asked_organisers

    @property
    def may_step_down(self) -> bool:
        return self.player.pk in self.state.organisers and len(self.state.organisers) > 1

    @property
    def offers(self) -> list[tuple[str, str, datetime, str]]:
        """The entrants for whom an organiser asks the reader to play on: key and name, until when, why."""
        own = [one for one in self.state.offers if one["player"] == str(self.player.pk) and not self.state.is_over]
        found = [(one, datetime.fromisoformat(one["until"])) for one in own]
        names = self.picture.names
        return [(one["entrant"], names[one["entrant"]].text, to, one["reason"]) for one, to in found if to > self.now]

    @property
    def asked_for_name(self) -> str:
        key = self.entrant.asked_for if self.entrant is not None else None
        return self.picture.names[key].text if key else ""

    @property
    def seats(self) -> tuple[int, int]:
        return seat_limits(self.state.played, self.state.rules.ruleset, self.state.rules.options)

    @property
    def is_asked(self) -> bool:
        return self.entrant is not None and self.entrant.asked_for is not None and not self.state.is_over

    @cached_property
    def may_check_in(self) -> bool:
        own = self.entrant
        if own is None or own.checked_in or own.standing is Standing.IN:
            return False
        return self._refused(lambda: entries.check_in(self.state, self.by, own.key, now=self.now)) is None

    @property
    def check_in_opens(self) -> datetime | None:
        opens = entries.check_in_opens(self.state.plan)
        registered = self.entrant is not None and self.entrant.standing is Standing.REGISTERED
        return opens if registered and opens is not None and self.now < opens else None

    @property
    def is_out(self) -> bool:
        return self.details is not None and self.details.row.status == "out"

    @cached_property
    def may_withdraw(self) -> bool:
        own = self.entrant
        if own is None or own.standing is Standing.REMOVED or self.is_out:
            return False
        return self._refused(lambda: entries.withdraw(self.state, self.by, own.key, resign=False, now=self.now)) is None

    @cached_property
    def may_open_game(self) -> bool:
        own = self.entrant
        return own is not None and own.is_in and self._refused(lambda: check_season(self.state, self.now)) is None

    @cached_property
    def room(self) -> UUID | None:
        """The room of the season in which the reader can sit down now, or could after accepting."""
        may_play = self.state.plan.kind == "season" and self.state.status is Status.RUNNING and not self.tables
        if not may_play or not (self.is_invited or self.may_open_game):
            return None
        return games.free_room_of(self.state.id, self.player)

    @property
    def may_propose(self) -> bool:
        """True if the reader may propose rules (RT1); other obstacles are reported when it is tried."""
        who = self.state.plan.proposals
        if self.state.status is not Status.RUNNING or who == "none":
            return False
        return self.organises or (who == "entrants" and self._is_elector)

    @property
    def _is_elector(self) -> bool:
        """Whether the reader had a vote on a proposal that was opened now (RT2)."""
        if self.entrant is None or self.is_out or self.player.is_guest:
            return False
        return self.entrant in electors_of(self.state, self.now, timedelta(seconds=settings.TREY_PROPOSAL_DAY))

    @cached_property
    def votes(self) -> list[tuple[Proposal, Elector | None]]:
        found = [self.state.proposals[n] for n in self.state.open_proposals]
        return [(one, selectors.own_vote(self.state, one, self.player)) for one in found]

    # Where the reader stands.

    @cached_property
    def details(self) -> Details | None:
        return self.picture.details_of(self.entrant.key) if self.entrant is not None else None

    @property
    def standing(self) -> str:
        if self.is_in:
            return self._over() if self.state.is_over else self._going_on()
        if self.waiting:
            if self.state.is_over:
                return "You were on the waiting list until the end."
            return f"You are number {self.waiting} on the waiting list."
        if self.is_invited:
            return "You are invited to play."
        if self.entrant is not None and self.entrant.standing is Standing.REMOVED:
            return "You were removed. The reason is in the rulings."
        return "You have withdrawn."

    def _over(self) -> str:
        row = self.details.row if self.details is not None else None
        called_off = self.state.status is Status.CANCELLED
        if row is None or row.place is None or not row.games:
            return "You entered." if called_off else "You entered, but played no game."
        if called_off:
            return f"You were ranked {ordinal(row.place)}{self._from(row)}."
        return f"You came {ordinal(row.place)}{self._from(row)}."

    def _going_on(self) -> str:
        if self.entrant is not None and self.entrant.standing is Standing.REGISTERED:
            return "You have a place. Check in to keep it."
        if self.details is None or self.state.status is Status.REGISTRATION:
            checked_in = " and checked in" if self.entrant is not None and self.entrant.checked_in else ""
            return f"You are in{checked_in}. The tournament has not started yet."
        row = self.details.row
        if self.is_out:
            return f"You are out{'' if row.place is None else f', ranked {ordinal(row.place)}'}."
        if not self.details.games or row.place is None:
            return "You are in."
        if self.state.plan.kind == "knockout":
            return "You are still in."
        said = [f"You are in, ranked {ordinal(row.place)}{self._from(row)}.", self.details.bounds, self._at_the_cut()]
        return " ".join(filter(None, said))

    def _at_the_cut(self) -> str:
        """Whether the reader goes on to the next stage, if that can be said (SG8)."""
        cut = self.picture.cuts.get(self.entrant.key) if self.entrant is not None else None
        if cut not in ("through", "out"):
            return ""
        title = self.state.stage_title(self.state.stage + 1)
        if self.state.break_ends is not None:
            return f"As it stands, you are {f'through to {title}' if cut == 'through' else 'outside the cut'}."
        return f"You are through to {title}." if cut == "through" else f"You can no longer reach {title}."

    def _from(self, row: StandingsRow) -> str:
        if self.state.plan.kind == "knockout":
            return ""  # its points are those of the last table
        games_ = counted(row.games, "game")
        return f" with {points(row.total, penalties=self.picture.penalties)} from {games_}"

    @cached_property
    def tables(self) -> list[OwnTable]:
        """The games that the reader plays here now: those that wait for the reader first."""
        own = list(games.with_people(games.unfinished_of(self.player, self.picture.tournament.pk)))
        outages = games.outages_for(own)
        found = [self._table(game, outages) for game in own]
        return sorted(found, key=lambda table: (not table.to_act, table.until or self.now))

    def _table(self, game: games.GameRow, outages: Sequence[tuple[datetime, datetime]]) -> OwnTable:
        seats = game.seat_rows()
        own = next(seat for seat in seats if seat.player_id == self.player.pk)
        others = [seat.player.username if seat.player else "a bot" for seat in seats if seat is not own]
        at: dict[str, Any] = dict(game.belongs_to or {})
        t = self.picture.tournament
        where = table_name(t.state, at["round"], at["table"]) if at.get("round") else f"Game {at.get('number') or ''}"
        to_act = own.to_act and own.bot is None
        until = games.deadline_of(game.clock, own, outages) if to_act else None
        return OwnTable(game.pk, where.strip(), others, game.status == "open", to_act, until, own.bot is not None)

    def _refused(self, act: Callable[[], object]) -> str | None:
        try:
            act()
        except Refused as error:
            return error.detail
        return None
