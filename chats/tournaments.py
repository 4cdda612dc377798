"""The channels of tournaments, and what they are told."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.utils.text import capfirst

from chats.models import Posting
from chats.services import Act, Decide, Holder
from core import clock as service_clock
from core.accounts.models import Player
from core.chatting import Message
from core.notifications.posting import absolute
from games.rules.words import counted, listed
from tournaments import access, models, selectors
from tournaments.picture.wording import decimals, texts_of
from tournaments.projections import TABLES
from tournaments.services.commands import of_player
from tournaments.stream import By, Fact, Tournament, check_organiser, life

FIRST = 5
MOST_TABLES = 12
MOST_NAMED = 16
"""The most rows and tables in a message; the page has the rest."""
_TYPES = {"round": "tournament.round", "standings": "tournament.round", "result": "tournament.finished"}


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

    def announce(self, posting: Posting, service: str, now: datetime) -> Message:  # noqa: ARG002
        return announcement(posting)


TOURNAMENTS = Tournaments()


def drop_channels_of_staff(*, instance: Player, update_fields: Collection[str] | None, **_: Any) -> None:
    """An account was saved. If it is not staff, the channels go that it gave to tournaments that others organise."""
    if update_fields is not None and not {"is_staff", "is_superuser"} & set(update_fields):
        return
    if instance.acts_as_staff:
        return
    given = TOURNAMENTS.given_by(instance)
    own = models.Tournament.objects.filter(pk__in=given, organisers__contains=[instance.pk]) if given else ()
    lost = {pk: rows for pk, rows in given.items() if pk not in {one.pk for one in own}}
    TOURNAMENTS.drop(instance, lost, service_clock.now())


def announcement(posting: Posting) -> Message:
    """What happened, which stays true. Whole rounds and standings name their players without mentioning them."""
    row = models.Tournament.objects.filter(pk=posting.subject_id).first()
    if row is None:
        return Message(("A tournament that no longer exists.",), type=_TYPES[posting.topic])
    link = absolute(row.get_absolute_url())
    return Message((_sentence(row, posting),), link, type=_TYPES[posting.topic])


def _sentence(row: models.Tournament, posting: Posting) -> str:
    match posting.data["what"]:
        case "began":
            return f"{row.title} has begun."
        case "cancelled":
            return f"{row.title} was cancelled. Reason: {row.state.ended_why}"
        case "finished" | "closed" as what:
            closed = "" if what == "finished" else f"{capfirst(row.state.round_name(posting.data['round']))} of "
            return f"{closed}{row.title} is over. {_first_places(row, posting.version)}".strip()
        case "over" | "staged" as what:
            stage = row.state.stage_title(posting.data["stage"])
            said = "is over. Through as things stand" if what == "over" else "begins. Its entrants, best first"
            return f"{stage} of {row.title} {said}: {_listed(row, posting.data['seeds'])}."
    number, names = posting.data["round"], texts_of(row)
    tables = TABLES.of(row.pk, round=number)
    told = [f"Table {table.number}: {', '.join(names[key] for key in table.entrants)}." for table in tables]
    left = len(told) - MOST_TABLES
    more = f" {counted(left, 'more table is', 'more tables are')} on the page." if left > 0 else ""
    return f"{capfirst(row.state.round_name(number))} of {row.title} begins. {' '.join(told[:MOST_TABLES])}{more}"


def _listed(row: models.Tournament, keys: Sequence[str]) -> str:
    names = texts_of(row)
    more = len(keys) - MOST_NAMED
    return listed([*(names[key] for key in keys[:MOST_NAMED]), *([f"{more} more"] if more > 0 else ())])


def _first_places(row: models.Tournament, version: int) -> str:
    """The first places at a version, if there are any; in a knockout they are known only at the end."""
    if row.kind == "knockout" and row.status == "running":
        return ""
    names = texts_of(row)
    standings: Sequence[Mapping[str, Any]] = selectors.standings_for(row.pk, version)["standings"]
    placed = [one for one in standings if one["place"] is not None][:FIRST]
    told = ", ".join(f"{one['place']}. {names[one['entrant']]} {decimals(one['total'])}" for one in placed)
    return f"{told}." if told else ""
