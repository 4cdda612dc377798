"""Messages of organisers to all entrants, and the channels that a tournament posts to (NT7)."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core.accounts.models import Player
from core.notifications.endpoints import Act, Decide, Holder
from tournaments import access, models, selectors
from tournaments.services.commands import by_of, loaded, of_player
from tournaments.stream import By, Fact, Tournament, check_organiser, life


class Tournaments(Holder):
    subject = "tournament"

    def runs(self, one: Any, player: Player | None) -> bool:
        return access.organises(one, player)

    def change(self, holder_id: UUID, player: Player, decide: Decide, act: Act, now: datetime) -> None:  # noqa: ARG002
        """Raises Forbidden (not_an_organiser), Conflict (tournament_over)."""

        def facts(t: Tournament, by: By, _: datetime) -> list[Fact]:
            if act in (Act.ADD, Act.REMOVE):
                check_organiser(t, by)
            changes = decide(t.channels)
            if act is Act.ADD:
                return life.add_channel(t, by, *changes)
            return life.drop_channels(t, changes)

        role = "organiser" if act is not Act.CLOSE else "player"
        of_player(holder_id, player, facts, role=role)


TOURNAMENTS = Tournaments()


def drop_channels_of_staff(*, instance: Player, update_fields: Collection[str] | None, **_: Any) -> None:
    """An account was saved. If it is not staff, the channels go that it gave to tournaments that others organise."""
    if update_fields is not None and not {"is_staff", "is_superuser"} & set(update_fields):
        return
    if instance.is_staff or instance.is_superuser:
        return
    given = TOURNAMENTS.given_by(instance)
    own = models.Tournament.objects.filter(pk__in=given, organisers__contains=[instance.pk]) if given else ()
    lost = {pk: rows for pk, rows in given.items() if pk not in {one.pk for one in own}}
    TOURNAMENTS.drop(instance, lost, service_clock.now())


@dataclass(frozen=True, slots=True)
class Sent:
    told: int
    text: str
    version: int | None


def send_message(tournament_id: UUID, player: Player, text: str, *, dry_run: bool = False) -> Sent:
    """Write to all entrants, one paragraph of at most `life.MAX_MESSAGE` letters."""
    version = None
    if dry_run:
        t = loaded(tournament_id)
        life.send_message(t, by_of(player), text, now=service_clock.now())
    else:
        done = of_player(tournament_id, player, lambda t, by, at: life.send_message(t, by, text, now=at))
        t, version = done.tournament, done.events[-1].version
    told = sum(one != player.pk for one in selectors.written_to(t.id))
    return Sent(told, life.message_text(t.plan.title, text), version)
