"""The rules, each with the time from which it held, and the proposals for others (RT5)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from games.rules.words import listed
from games.wording import hint_of, in_words, label_of
from tournaments import selectors
from tournaments.hooks import Simulated, simulated
from tournaments.models import Tournament
from tournaments.projections import state_of
from tournaments.stream import Counts, Elector, Proposal, Rules
from tournaments.stream import Tournament as State
from tournaments.stream.proposals import LONG_ENOUGH

RATIFIED_BY = {
    "majority": "more yes than no, and yes from at least a quarter of the electors",
    "two_thirds": "yes from two thirds of those who vote yes or no, and from at least a quarter of the electors",
    "unanimous": "yes from every elector",
    "organiser": "a decision by an organiser, with votes as advice",
}
ELECTORATE = (
    f"You can vote if you were in when the vote opened, and had entered at least {LONG_ENOUGH} days before or had "
    "a game that counts. Guests cannot vote. Everyone can see who has voted, and after the vote also how."
)
ENDED = {
    "ratified": "Ratified",
    "rejected": "Rejected",
    "overtaken": "Overtaken",
    "withdrawn": "Withdrawn",
    "closed": "Closed by an organiser",
}


@dataclass(frozen=True, slots=True)
class ChangeLine:
    """A difference between rules, option by option; `about` is a sentence of the docs."""

    option: str
    before: str
    after: str
    about: str


@dataclass(frozen=True, slots=True)
class RulesLine:
    name: str
    ruleset: str
    since: datetime | None
    holds: bool
    changes: Sequence[ChangeLine]


@dataclass(frozen=True, slots=True)
class ProposalLine:
    proposal: Proposal
    who: str
    changes: Sequence[ChangeLine]
    takes: str
    effect: str
    electorate: str
    by_organiser: bool
    voted: Sequence[str]
    votes: Sequence[tuple[str, str]]
    counts: Counts | None
    """None while they are secret, whatever the proposal's own are (RT2)."""
    ended: str
    simulated: str
    """What simulated games say of it, as HTML, if they were played."""


@dataclass(frozen=True, slots=True)
class Ratifying:
    """The rules of a tournament, those that hold first, and its proposals, the newest first."""

    rules: Sequence[RulesLine]
    proposals: Sequence[ProposalLine]

    @property
    def is_open(self) -> bool:
        return any(one.proposal.is_open for one in self.proposals)


def ratifying_of(tournament: Tournament, names: Mapping[str, str], *, organiser: bool = False) -> Ratifying:
    """What the page tells; `names` are the entrants'. Organisers see the counts where they decide (RT2)."""
    t = state_of(tournament)
    proposals = sorted(t.proposals.values(), key=lambda one: -one.n) if t.proposed else []
    people = selectors.usernames({one.by for one in proposals})
    numbers = [one.n for one in proposals]
    electors = selectors.electors_on(tournament, *numbers) if proposals else {}
    figures = simulated(tournament, *numbers) if proposals else {}
    return Ratifying(
        _rules(t),
        [
            _proposal(
                t,
                one,
                people.get(one.by, selectors.NOBODY),
                electors[one.n],
                names,
                figures=figures.get(one.n),
                organiser=organiser,
            )
            for one in proposals
        ],
    )


def name_of_rules(proposal: int | None) -> str:
    return "first rules" if proposal is None else f"rules of proposal {proposal}"


def _rules(t: State) -> list[RulesLine]:
    lines = []
    before: Rules | None = None
    for rules in t.all_rules:
        changes = changes_as_shown(selectors.changes_between(t.plan, before, rules)) if before is not None else []
        lines.append(RulesLine(name_of_rules(rules.proposal), rules.ruleset, rules.since, rules == t.rules, changes))
        before = rules
    return lines[::-1]


def _proposal(
    t: State,
    one: Proposal,
    who: str,
    electors: Sequence[Elector],
    names: Mapping[str, str],
    *,
    figures: Simulated | None,
    organiser: bool,
) -> ProposalLine:
    cast = [(names.get(elector.entrant, elector.entrant), elector.vote) for elector in electors if elector.vote]
    return ProposalLine(
        proposal=one,
        who=who,
        changes=changes_as_shown(selectors.changes_of(t, one)),
        takes=RATIFIED_BY[t.plan.ratify],
        effect=effect_of(t),
        electorate=electorate_of(t),
        by_organiser=t.plan.ratify == "organiser",
        voted=[name for name, _ in cast],
        votes=[] if one.is_open else [(name, str(vote)) for name, vote in cast],
        counts=selectors.counts_shown(t, one, organiser=organiser),
        ended=ENDED.get(one.status.value, ""),
        simulated="" if figures is None else figures.drawn(is_open=one.is_open),
    )


def effect_of(t: State) -> str:
    """When it is decided (RT3), and what becomes of games once other rules are ratified (RT4)."""
    from_then = "games opened" if t.plan.kind == "season" else "rounds seated"
    early = "The vote ends as soon as no missing vote can change the outcome, but not on its first day. "
    return (
        f"{'' if t.plan.ratify == 'organiser' else early}Ratified rules apply at once, to {from_then} from then on. "
        "Running games keep their rules."
    )


def electorate_of(t: State) -> str:
    """Who votes, and when votes are shown (RT2)."""
    return f"{ELECTORATE} Organisers see the counts at any time." if t.plan.ratify == "organiser" else ELECTORATE


def changes_as_shown(changes: Sequence[selectors.Change]) -> list[ChangeLine]:
    return [
        ChangeLine("Rules", "", one.description, "")
        if isinstance(one.after, Mapping)
        else ChangeLine(
            label_of(one.option) if one.seats is None else f"{label_of(one.option)} ({_at_tables_of(one.seats)})",
            shown_value(one.before),
            shown_value(one.after),
            hint_of(one.option, one.description, (one.before, one.after)),
        )
        for one in changes
    ]


def _at_tables_of(seats: Sequence[int]) -> str:
    in_a_row = len(seats) > 2 and seats[-1] - seats[0] == len(seats) - 1
    return f"tables of {f'{seats[0]} to {seats[-1]}' if in_a_row else listed([str(one) for one in seats])}"


def shown_value(value: Any) -> str:
    return "the default" if value is None else in_words(value)
