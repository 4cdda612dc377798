"""Presence at a table, told to all who watch it: `present`, and once `together`.

This process records its streams for the others; one query per second then finds who is present at all tables. Events,
bodies and ETags hold nothing of it.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from core import clock
from core.live.database import AWAY, Database, in_thread
from core.live.streams import server_sent
from core.notifications.models import Gathering, Watching
from games.live.tables import WatchedTable, closing_on_error
from games.notifications import presence
from games.projections import Snapshot

# Seconds between two looks.
EVERY = 1.0
# How long a record that somebody watches is valid, and after which time it is renewed.
HOLDS = timedelta(seconds=45)
RENEWED = timedelta(seconds=15)
# After being away for this long, a player has to be waited for again.
AWAY_FOR = timedelta(minutes=10)
# The interval at which the last presence of those who are there is recorded.
NOTED = timedelta(seconds=30)
KEPT = timedelta(days=1)

Pair = tuple[UUID, UUID]

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Company:
    """The people of a table, for deciding on `together`. Pure."""

    armed: bool = True
    last: dict[UUID, datetime] = field(default_factory=dict)
    noted_at: datetime | None = None
    here: frozenset[UUID] = frozenset()

    def step(self, people: set[UUID], here: frozenset[UUID], now: datetime) -> bool:
        for player in here:
            if player not in self.last or now - self.last[player] >= AWAY_FOR:
                self.armed = True
            self.last[player] = now
        together = self.armed and len(people) >= presence.FEWEST and people <= here
        if together:
            self.armed = False
        return together

    def is_news(self, here: frozenset[UUID], now: datetime) -> bool:
        return here != self.here or (bool(here) and (self.noted_at is None or now - self.noted_at >= NOTED))


class Presence:
    def __init__(self, database: Database, tables: Mapping[UUID, WatchedTable]) -> None:
        self._database, self._tables = database, tables
        self._process = uuid4()
        self._written: set[Pair] = set()
        self._renewed_at: datetime | None = None
        self._companies: dict[UUID, Company] = {}
        self._reachable = True

    async def follow(self) -> None:
        """Look every second until cancelled; afterwards nobody counts as watching here."""
        try:
            while True:
                await asyncio.sleep(EVERY)
                try:
                    await self.look()
                    self._reachable = True
                except AWAY as error:
                    if self._reachable:
                        logger.warning("presence at tables is not known while the database is away: %s", error)
                    self._reachable = False
        finally:
            # If the database is away, the records expire when they are not renewed.
            with suppress(*AWAY):
                await asyncio.shield(asyncio.create_task(in_thread(_forget, self._process)))

    async def look(self) -> None:
        """Record who watches, and tell the tables who is there. Raises one of AWAY."""
        now = clock.now()
        await self._write(now)
        if not self._tables and not self._companies:
            return
        here: dict[UUID, set[UUID]] = {}
        for game_id, player in await self._database.fetch(presence.OF_ALL, presence.values(now)):
            here.setdefault(game_id, set()).add(player)
        for game_id in [one for one in self._companies if one not in self._tables]:
            del self._companies[game_id]
        for game_id, table in list(self._tables.items()):
            async with closing_on_error(table):
                await self._tell(game_id, table, frozenset(here.get(game_id, ())), now)

    async def _write(self, now: datetime) -> None:
        watching = {pair for game_id, table in self._tables.items() for pair in table.sitting(game_id)}
        due = self._renewed_at is None or now - self._renewed_at >= RENEWED
        if watching == self._written and not (due and watching):
            return
        renewed = watching if due else watching - self._written
        await in_thread(_note, self._process, renewed, self._written - watching, now)
        self._written = watching
        if due:
            self._renewed_at = now

    async def _tell(self, game_id: UUID, table: WatchedTable, here: frozenset[UUID], now: datetime) -> None:
        game = table.game
        if game is None:
            return
        company = self._companies.get(game_id)
        if company is None:
            if not here:
                return
            company = self._companies[game_id] = await in_thread(_company, game_id)
        together = company.step(presence.people(game), here, now) if game.is_running else False
        if company.is_news(here, now) or together:
            company.here, company.noted_at = here, now
            await in_thread(_keep, game_id, company, now)
        table.say_present(here, server_sent("present", _body(game, here)))
        if together:
            table.say(server_sent("together", _body(game, here)))


def _body(game: Snapshot, here: Iterable[UUID]) -> dict[str, Any]:
    there = set(here)
    return {
        "present": [
            {"seat": index, "player": {"id": account.pk, "username": account.username}}
            for index, seat in enumerate(game.players)
            if seat.player in there and (account := game.account_of(seat)) is not None
        ]
    }


def _note(process: UUID, watching: Iterable[Pair], gone: Iterable[Pair], now: datetime) -> None:
    rows = [
        Watching(subject_id=game_id, player_id=player, process=process, until=now + HOLDS)
        for game_id, player in sorted(watching)
    ]
    with transaction.atomic():
        Watching.objects.bulk_create(
            rows, update_conflicts=True, unique_fields=["subject_id", "player", "process"], update_fields=["until"]
        )
        for game_id, player in gone:
            Watching.objects.filter(subject_id=game_id, player=player, process=process).delete()
        Watching.objects.filter(until__lt=now - KEPT).delete()


def _forget(process: UUID) -> None:
    Watching.objects.filter(process=process).delete()


def _company(game_id: UUID) -> Company:
    row = Gathering.objects.filter(pk=game_id).first()
    if row is None:
        return Company()
    return Company(row.armed, {UUID(player): datetime.fromisoformat(at) for player, at in row.last.items()})


def _keep(game_id: UUID, company: Company, now: datetime) -> None:
    last = {str(player): at.isoformat() for player, at in company.last.items()}
    row = Gathering(subject_id=game_id, armed=company.armed, last=last, at=now)
    Gathering.objects.bulk_create(
        [row], update_conflicts=True, unique_fields=["subject_id"], update_fields=["armed", "last", "at"]
    )
