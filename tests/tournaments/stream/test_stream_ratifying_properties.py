"""RT2 to RT4: whatever electors do, votes and decisions are those of a simple model that tries every missing vote."""

from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st
from proposal_scene import DAY, PEOPLE, Chamber
from stream_scene import by

from core.refusals import Refused
from tournaments.stream import Counts, entries
from tournaments.stream.ballot import carried, is_settled

VOTES = ("yes", "no", "abstain")
RATIFY = ("majority", "two_thirds", "unanimous", "organiser")


def is_carried(by: str, votes: list[str | None]) -> bool:
    """RT3 in its own words; None is a vote that was not cast."""
    yes, no = votes.count("yes"), votes.count("no")
    if by == "organiser" or not votes:
        return False
    if by == "unanimous":
        return yes == len(votes)
    quarter = Fraction(yes, len(votes)) >= Fraction(1, 4)
    share = Fraction(yes, yes + no) if yes + no else Fraction(0)
    return quarter and (share > Fraction(1, 2) if by == "majority" else share >= Fraction(2, 3))


def outcomes_left(by: str, votes: list[str | None]) -> set[bool]:
    """What it can still come to, over all votes that are missing; one may also stay away."""
    cast = [vote for vote in votes if vote is not None]
    missing = len(votes) - len(cast)
    return {is_carried(by, [*cast, *rest]) for rest in product((*VOTES, None), repeat=missing)}


@given(st.sampled_from(RATIFY), st.lists(st.sampled_from((*VOTES, None)), max_size=6))
def test_rt3_votes_come_to_what_the_ruling_says_and_are_settled_when_no_missing_one_matters(by, votes):
    counts = Counts(*(votes.count(vote) for vote in VOTES), electors=len(votes))
    assert carried(by, counts) == is_carried(by, votes)
    if by != "organiser":
        assert is_settled(by, counts) == (len(outcomes_left(by, votes)) == 1)


@dataclass
class Ballot:
    """A proposal as the model knows it."""

    opened: datetime
    closes: datetime
    votes: dict[str, str | None]
    changed: datetime = field(default=None)  # type: ignore[assignment]
    status: str = "open"

    def due(self, ratify: str) -> datetime:
        if ratify != "organiser" and len(outcomes_left(ratify, list(self.votes.values()))) == 1:
            return min(max(self.opened + DAY, self.changed or self.opened), self.closes)
        return self.closes


class Model:
    """Proposals and votes as plain lists."""

    def __init__(self, ratify: str) -> None:
        self.ratify = ratify
        self.ballots: dict[int, Ballot] = {}
        self.rules: int | None = None

    def open(self) -> dict[int, Ballot]:
        return {n: one for n, one in self.ballots.items() if one.status == "open"}

    def decide(self, now: datetime) -> None:
        for n, one in sorted(self.open().items(), key=lambda pair: (pair[1].due(self.ratify), pair[0])):
            if one.status == "open" and one.due(self.ratify) <= now:
                one.status = "rejected"
                if is_carried(self.ratify, list(one.votes.values())):
                    for other in self.open().values():
                        other.status = "overtaken"
                    one.status, self.rules = "ratified", n


VOTING = st.tuples(st.just("vote"), st.sampled_from(PEOPLE), st.sampled_from(("yes", *VOTES)))
STEPS = st.one_of(
    st.tuples(st.just("propose"), st.sampled_from(PEOPLE), st.integers(2, 9)),
    *[VOTING] * 4,
    st.tuples(st.just("leave"), st.sampled_from(PEOPLE), st.none()),
    st.tuples(st.just("wait"), st.none(), st.integers(1, 60)),
)


@pytest.mark.parametrize("ratify", RATIFY)
@settings(max_examples=50)
@given(steps=st.lists(STEPS, min_size=10, max_size=30), last=st.integers(0, 2))
def test_rt2_rt3_rt4_a_tournament_agrees_with_the_model(ratify, steps, last):
    it, model = Chamber(ratify=ratify), Model(ratify)
    keys = dict(zip(PEOPLE, ("e1", "e2", "e3", "e4"), strict=True))
    for step, name, what in [("propose", "ada", 7), *steps]:
        at = it.now
        try:
            if step == "propose":
                electors = {key: None for key in keys.values() if it.t.entrants[key].is_in}
                closes = at + what * DAY
                n = it.propose(name, options={"stalemate_after": 3 + it.t.proposed}, closes_at=closes.isoformat())
                model.ballots[n] = Ballot(it.now, closes, dict(electors), it.now)
            elif step == "vote":
                n = it.t.proposed - last if it.t.proposed > last else it.t.proposed
                before = it.proposal(n).counts if n else None
                it.vote(what, name, n=n)
                ballot = model.ballots[n]
                if ballot.votes[keys[name]] != what:
                    ballot.votes[keys[name]], ballot.changed = what, it.now
                else:
                    assert it.proposal(n).counts == before
            elif step == "leave":
                it.do(entries.withdraw(it.t, by(name), keys[name], resign=False, now=at))
                for one in model.open().values():
                    if one.votes.pop(keys[name], 0) != 0:
                        one.changed = it.now
            else:
                it.wait(hours=what)
                model.decide(it.now)
        except Refused:
            pass
        # The runner comes by, as it does after every command.
        model.decide(it.now)
        it.wait()
        assert {n: str(one.status) for n, one in it.t.proposals.items()} == {
            n: one.status for n, one in model.ballots.items()
        }
        for n, one in model.open().items():
            votes = list(one.votes.values())
            cast = {vote: votes.count(vote) for vote in VOTES}
            assert it.proposal(n).counts.as_json() == {**cast, "electors": len(votes)}
    assert it.t.rules.proposal == model.rules
    ends = [one.data["proposal"] for one in it.events if "counts" in one.data]
    assert len(ends) == len(set(ends)), "a proposal ended twice"
    event(", ".join(sorted({str(one.status) for one in it.t.proposals.values()})))
