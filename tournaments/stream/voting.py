"""The fold of proposals and votes: it copies facts, as `evolve` does."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from tournaments.stream.ballot import Counts, Elector, Ending, Proposal, Rules
from tournaments.stream.state import Tournament

Data = Mapping[str, Any]


def proposed(t: Tournament, data: Data, at: datetime) -> Tournament:
    n = data["proposal"]
    proposal = Proposal(
        n=n,
        by=UUID(data["player"]),
        entrant=data["entrant"],
        title=data["title"],
        reason=data["reason"],
        ruleset=data["ruleset"],
        options=data["options"],
        opened_at=at,
        first_day_ends=datetime.fromisoformat(data["first_day_ends"]),
        closes_at=datetime.fromisoformat(data["closes_at"]),
        changed_at=at,
        counts=Counts(electors=len(data["electors"])),
    )
    return replace(
        t,
        proposed=n,
        open_proposals=(*t.open_proposals, n),
        proposals=t.proposals.put({n: proposal}),
        electors=t.electors.put({(n, key): Elector(n, key) for key in data["electors"]}),
    )


def voted(t: Tournament, data: Data, at: datetime) -> Tournament:
    elector = t.electors[data["proposal"], data["entrant"]]
    return _with_vote(t, replace(elector, vote=data["vote"]), at)


def lose_votes(t: Tournament, key: str, at: datetime) -> Tournament:
    """RT2: the entrant is no longer an elector of any open proposal."""
    for n in t.open_proposals:
        elector = t.electors.get((n, key))
        if elector is not None and not elector.lost:
            t = _with_vote(t, replace(elector, vote=None, lost=True), at)
    return t


def ended(how: Ending) -> Callable[[Tournament, Data, datetime], Tournament]:
    def apply(t: Tournament, data: Data, at: datetime) -> Tournament:
        proposal = t.proposals[data["proposal"]]
        over = replace(proposal, status=how, ended_at=at, ended_why=data.get("reason"))
        still_open = tuple(n for n in t.open_proposals if n != proposal.n)
        return replace(t, open_proposals=still_open, proposals=t.proposals.put({over.n: over}))

    return apply


def ratified(t: Tournament, data: Data, at: datetime) -> Tournament:
    rules = Rules(data["ruleset"], data["options"], at, data["proposal"])
    return replace(ended(Ending.RATIFIED)(t, data, at), ratified=(*t.ratified, rules))


def _with_vote(t: Tournament, elector: Elector, at: datetime) -> Tournament:
    before, proposal = t.electors[elector.proposal, elector.entrant], t.proposals[elector.proposal]
    counts = proposal.counts.moved(before.vote, elector.vote)
    counts = replace(counts, electors=counts.electors - (elector.lost and not before.lost))
    counted = replace(proposal, counts=counts, changed_at=at)
    return replace(
        t,
        proposals=t.proposals.put({counted.n: counted}),
        electors=t.electors.put({(elector.proposal, elector.entrant): elector}),
    )
