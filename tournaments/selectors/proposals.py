"""Proposals as readers may see them: who has voted is shown at once, how they voted only at the end (RT2)."""

from dataclasses import dataclass
from typing import Any

from core.accounts.models import Player
from games.rules import GAMES
from games.rules.shedding.sentences import differences
from tournaments import models
from tournaments.projections import ELECTORS
from tournaments.stream import Counts, Elector, Plan, Proposal, Rules, Tournament
from tournaments.stream.proposals import complete, table_sizes


@dataclass(frozen=True, slots=True)
class Change:
    option: str
    before: Any
    after: Any
    description: str
    seats: tuple[int, ...] | None = None
    """The table sizes for which it is meant; None: all."""


def changes_of(t: Tournament, proposal: Proposal) -> list[Change]:
    """What a proposal changes, option by option, and for which number of seats (RT5)."""
    # The rules that held when it was opened: it ends once others are ratified (RT4).
    return changes_between(t.plan, t.rules_at(proposal.opened_at), proposal.rules)


def changes_between(plan: Plan, before: Rules, after: Rules) -> list[Change]:
    """What is different under other rules, option by option: a ruleset is only a name for options."""
    found: list[Change] = []
    if plan.game not in GAMES:
        old, new = (rules.options["rules"] for rules in (before, after))
        said = differences(old, new) or ["The title or the description of the game differs."]
        return [Change("rules", old, new, " ".join(said))] if old != new else []
    tables = [(seats, complete(plan, before, seats), complete(plan, after, seats)) for seats in table_sizes(plan)]
    for name, option in GAMES[plan.game].options_of(after.ruleset).items():
        pairs = [(seats, (old.get(name), new.get(name))) for seats, old, new in tables]
        differing = [(seats, pair) for seats, pair in pairs if pair[0] != pair[1]]
        for pair in [pair for n, (_, pair) in enumerate(differing) if pair not in [one for _, one in differing[:n]]]:
            seats_of = tuple(seats for seats, one in differing if one == pair)
            everywhere = len(seats_of) == len(tables)
            found.append(Change(name, *pair, option.help, None if everywhere else seats_of))
    return found


def counts_shown(t: Tournament, proposal: Proposal, *, organiser: bool) -> Counts | None:
    """Return the counts of a vote: for all once it has ended, before that only for organisers who decide it (RT2)."""
    return proposal.counts if not proposal.is_open or (organiser and t.plan.ratify == "organiser") else None


def electors_on(tournament: models.Tournament, *numbers: int) -> dict[int, list[Elector]]:
    """In the order of entry, by proposal; without those who are no longer electors."""
    found: dict[int, list[Elector]] = {n: [] for n in numbers}
    for one in ELECTORS.of(tournament.pk, proposal__in=numbers, lost=False):
        found[one.proposal].append(one)
    return {n: sorted(electors, key=lambda one: int(one.entrant[1:])) for n, electors in found.items()}


def votes_of(player: Player) -> list[dict[str, Any]]:
    entries = models.Entrant.objects.filter(player=player).values_list("tournament", "number")
    found = []
    for tournament, number in entries:
        found += [
            {"tournament": tournament, "proposal": one.proposal, "entrant": one.entrant, "vote": one.vote}
            for one in ELECTORS.of(tournament, entrant=f"e{number}")
            if one.vote is not None
        ]
    return found


def own_vote(t: Tournament, proposal: Proposal, player: Player | None) -> Elector | None:
    own = t.entrant_of(player.pk) if player is not None else None
    elector = t.electors.get((proposal.n, own.key)) if own is not None else None
    return None if elector is None or elector.lost else elector
