"""Parts of several bodies."""

from collections.abc import Mapping
from typing import Annotated, Any

from django.db.models import Q

from core.http.bodies import AnyObject, Body, Moment, doc, schema
from core.http.openapi import ref
from games.api.bodies import PlayerRefBody
from tournaments import selectors
from tournaments.models import Entrant, Tournament
from tournaments.stream import Plan, Rules
from tournaments.stream.proposals import complete

Bot = Annotated[dict[str, Any], schema(ref("Bot"))]
BY_RULES = "The proposal by whose rules it is played; null: the first rules of the tournament."


class NamedEntrantBody(Body):
    """An entrant and who plays for it."""

    entrant: str
    name: str | None


class RulesBody(Body):
    """Rules of a tournament, and since when they hold."""

    proposal: Annotated[int | None, doc("The proposal that put them in place; null: the first rules.")]
    ruleset: str
    options: Annotated[AnyObject, doc("Complete, for a table of the wished size.")]
    since: Annotated[Moment | None, doc("For the first rules the start; null before it.")]


def rules_body(plan: Plan, rules: Rules) -> RulesBody:
    """Rules of a tournament and since when they hold: `options` for a table of the wished size."""
    options = dict(sorted(complete(plan, rules, plan.size).items()))
    return RulesBody(rules.proposal, rules.ruleset, options, rules.since)


def player_ref(player_id: Any, names: Mapping[Any, str]) -> PlayerRefBody | None:
    """A player as others see them; a name of null: the account was deleted."""
    return None if player_id is None else PlayerRefBody(player_id, names.get(player_id))


def names_of(row: Tournament, keys: set[str]) -> dict[str, str]:
    """The names of these entrants."""
    numbers = [int(key[1:]) for key in keys]
    entrants = Entrant.objects.filter(Q(number__in=numbers), tournament=row).select_related("player")
    names = {one.player_id: one.player.username for one in entrants if one.player_id and one.player}
    return {one.key: selectors.name_of(one, names) for one in entrants}


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
