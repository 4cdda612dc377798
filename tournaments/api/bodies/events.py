"""The events of a tournament, and messages to its entrants."""

from typing import Annotated

from core.http.bodies import AnyObject, Body, Moment, doc
from games.api.bodies import PlayerRefBody


class TournamentEventBody(Body):
    """An event of a tournament. Secrets are null."""

    version: int
    type: str
    data: AnyObject
    by: Annotated[PlayerRefBody | None, doc("null: the service.")]
    recorded_at: Moment


class SentBody(Body):
    """A message that was sent, or would be."""

    told: Annotated[int, doc("The number of players who are told: those who have a place or wait for one.")]
    text: Annotated[str, doc("As they read it.")]
    version: Annotated[int | None, doc("Of its event; null with `dry_run`.")]
