"""Messages about a tournament to its channels (NT7): rounds, standings, the end.

Its games post the rest there, as those of a room do: whose turn it is, and how they end (`games.notifications.groups`).
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django.urls import reverse

from core.chatting import Message
from core.notifications.endpoints import RESULT, ROUND, STANDINGS
from core.notifications.models import Posting
from core.notifications.posting import absolute
from tournaments import models, selectors
from tournaments.picture.names import entrants_of, names_of
from tournaments.picture.numbers import decimals

FIRST = 5
MOST_TABLES = 12
"""The most rows and tables in a message; the page has the rest."""
_TYPES = {ROUND: "tournament.round", STANDINGS: "tournament.round", RESULT: "tournament.finished"}


def announcement(posting: Posting) -> Message:
    """What happened, which stays true. Whole rounds and standings name their players without mentioning them."""
    row = models.Tournament.objects.filter(pk=posting.subject_id).first()
    if row is None:
        return Message(("A tournament that is gone.",), type=_TYPES[posting.topic])
    text = _SENTENCES[posting.data["what"]](row, posting)
    return Message((text,), absolute(_page(row)), type=_TYPES[posting.topic])


def _page(row: models.Tournament) -> str:
    return reverse("tournament-page", args=[row.slug])


def _began(row: models.Tournament, _: Posting) -> str:
    return f"{row.title} has begun."


def _seated(row: models.Tournament, posting: Posting) -> str:
    number, names = posting.data["round"], names_of(entrants_of(row))
    tables = models.Table.objects.filter(tournament=row, round=number).order_by("number")
    told = [f"Table {table.number}: {', '.join(names[key].text for key in table.entrants)}." for table in tables]
    more = f" {len(told) - MOST_TABLES} more tables are on the page." if len(told) > MOST_TABLES else ""
    return f"Round {number} of {row.title} begins. {' '.join(told[:MOST_TABLES])}{more}"


def _closed(row: models.Tournament, posting: Posting) -> str:
    return f"Round {posting.data['round']} of {row.title} is over. {_first(row, posting.version)}".strip()


def _finished(row: models.Tournament, posting: Posting) -> str:
    return f"{row.title} is over. {_first(row, posting.version)}".strip()


def _cancelled(row: models.Tournament, _: Posting) -> str:
    return f"{row.title} was cancelled. Reason: {row.ended_why}"


def _first(row: models.Tournament, version: int) -> str:
    """The first places at a version; in a knockout they are known only at the end."""
    if row.kind == "knockout" and row.status == "running":
        return ""
    names = names_of(entrants_of(row))
    standings: Sequence[Mapping[str, Any]] = selectors.standings_for(row.pk, version)["standings"]
    placed = [one for one in standings if one["place"] is not None][:FIRST]
    return ", ".join(f"{one['place']}. {names[one['entrant']].text} {decimals(one['total'])}" for one in placed) + "."


_SENTENCES: Mapping[str, Callable[[models.Tournament, Posting], str]] = {
    "began": _began,
    "seated": _seated,
    "closed": _closed,
    "finished": _finished,
    "cancelled": _cancelled,
}
