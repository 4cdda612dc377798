"""Sentences about a tournament: what goes on, and how it is played."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import cached_property
from itertools import pairwise

from django.utils.text import capfirst

from games.rules import game_of
from games.rules.shedding.sentences import sentences
from games.rules.words import counted, listed, number_word
from games.selectors import title_by
from games.wording import label_of
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.picture.ratifying import shown_value
from tournaments.picture.reading import Reading
from tournaments.projections import state_of
from tournaments.stream import Begun, Plan, Rules
from tournaments.stream.entries import check_in_opens
from tournaments.stream.plan import OWN, SETTINGS, TITLES, WHAT_COUNTS

STATUSES = {
    "draft": "being set up",
    "registration": "open for entries",
    "running": "running",
    "finished": "finished",
    "cancelled": "cancelled",
}
# Why a tournament is over, unless an organiser gave the reason.
ENDED = {
    "organiser": "An organiser ended it.",
    "final": "The final has been played.",
    "rounds": "All rounds have been played.",
    "no_round": "No more tables could be seated.",
    "closed": "The season is over.",
    "too few": "Too few would have gone through.",
}
_ENTRY = {
    "open": "Anyone can enter.",
    "invitation": "You need an invitation.",
    "organiser": "The organisers choose who plays.",
}


def put_off(plan: Plan) -> str:
    return f"too few had {'entered' if plan.check_in is None else 'checked in'}"


def points(total: str, *, penalties: bool) -> str:
    return f"{total} penalty points a round" if penalties else f"{total} point{'' if total == '1' else 's'}"


def _then(t: Tournament, plan: Plan, ends: datetime | None) -> Sequence[tuple[str, datetime | None]]:
    """By when a season names those who go on, and the next stage begins."""
    number = len(t.state.begun)
    if ends is None or t.state.break_ends is not None or number + 1 >= len(plan.stages):
        return []
    stage, following = plan.stages[number : number + 2]
    named = (f"best {stage['take']} named by", ends)
    if following["kind"] != "season" and following["pace"] == "manual":
        return [named]
    return [named, (f"{plan.stage_names[number + 1]} begins by", ends + timedelta(seconds=stage["break"]))]


def in_the_break(t: Tournament) -> str:
    following = t.state.stage_title(t.state.stage + 1)
    begins = f"{following} begins on {t.state.break_ends:%-d %B %Y, %H:%M} UTC."
    if t.state.awaits_draft:
        begins = f"The organisers seat the first round of {following}."
    return f"{t.state.stage_title(t.state.stage)} is over. {begins}"


def _rules(t: Tournament, plan: Plan) -> str:
    rules = state_of(t).rules if t.state.ratified else Rules(plan.ruleset, plan.options, None)
    game = game_of(plan.game, rules.options)
    said = title_by(game)
    if len(game.rulesets) > 1:
        said = f"{said}, {rules.ruleset}. {game.rulesets[rules.ruleset]}".rstrip(".")
    if game.digest:
        return f"{said}. {' '.join(sentences(rules.options['rules']))}".rstrip(".")
    if not rules.options:
        return said
    changes = selectors.changes_between(plan, Rules(rules.ruleset, {}, None), rules)
    # What is asked for holds at all tables, although what it differs from depends on their size.
    own = {label_of(one.option): shown_value(one.after) for one in changes}
    return ". ".join([said, *(f"{label}: {value}" for label, value in own.items())])


def terms_in_short(plan: Plan) -> list[tuple[str, str]]:
    return [
        ("Mode", capfirst(course_of(plan) or _mode_in_short(plan))),
        ("Pace", capfirst(", ".join(_said(plan, "Pace")))),
    ]


def _mode_in_short(plan: Plan) -> str:
    if plan.kind == "season":
        return "open games at any time"
    if plan.kind == "knockout":
        on = (
            "the best of each goes through"
            if plan.rules.advance == 1
            else f"the best {plan.rules.advance} of each go through"
        )
        return f"tables of {plan.size}; {on}"
    rounds = counted(plan.rounds or 0, "round")
    return f"{rounds if plan.rounds else 'rounds until the organiser ends it'} at tables of about {plan.size}"


def course_of(plan: Plan) -> str:
    """All stages in a line: "5 rounds at tables of about 4, then the best 8 in a knockout"; empty for one kind."""
    said, take = "", None
    for number, stage in enumerate(plan.stages, 1):
        own = plan.at_stage(number, None)
        what = {"season": "a season of open games", "knockout": f"a knockout at tables of {own.size}"}
        mode = what.get(own.kind) or _mode_in_short(own)
        said += f", then the best {take} in {mode}" if take else mode
        take = stage["take"]
    return said if len(plan.stages) > 1 else ""


def stages_of(kind: str, plan: Plan, begun: Sequence[Begun], seated: int) -> str:
    """The present stage and those to come: "rounds 4 of 5, then a knockout of 8", later "Final, round 1"; or empty."""
    stages = plan.stages
    if len(stages) < 2:
        return ""
    said, of = TITLES[kind].lower(), plan.settings["rounds"]
    seated -= begun[-1].seated if begun else 0
    counts = bool(of) and kind == "rounds"
    at = f"{seated} of {of}" if counts else str(seated)
    if begun:
        said = plan.stage_names[len(begun)] + (f", round {at}" if seated > 0 else "")
    elif seated > 0:
        said += f" {at}" if counts else f", round {at}"
    for before, stage in pairwise(stages[len(begun) :]):
        said += f", then {_A_STAGE[stage['kind']]} of {before['take']}"
    return said


def kind_of(row: Tournament) -> str:
    """What is played, from the first stage to the last: "rounds, then a knockout of 8"."""
    first = row.state.plan.all_stages[0]["kind"]
    return stages_of(first, row.state.plan, (), 0) or TITLES[first].lower()


_A_STAGE = {"season": "a season", "rounds": "rounds", "knockout": "a knockout"}


def _mode(plan: Plan) -> str:
    if plan.kind == "season":
        counts = " Any game among entrants counts, wherever it was opened" if plan.games == "any" else ""
        return f"everyone who is in can open games at any time, and several at once.{counts}".rstrip(".")
    each = f"; each table plays {plan.per_table} games" if plan.per_table > 1 else ""
    if plan.kind == "knockout":
        return f"{_mode_in_short(plan)}, until there is a final{each}"
    meets = "everyone meets everyone as evenly as possible"
    seating = meets if plan.rules.seating == "even" else "players of similar strength meet, and few meet twice"
    return f"{_mode_in_short(plan)}, in which {seating}{each}"


def _said(plan: Plan, term: str) -> list[str]:
    return [text for setting in SETTINGS if setting.term == term and (text := setting.said(plan)) is not None]


def _games(plan: Plan) -> str:
    if not plan.guests:
        return "rated" if plan.rated else "not rated"
    return "rated, except games with guests; guests may enter" if plan.rated else "not rated; guests may enter"


def _points(plan: Plan) -> str:
    points = plan.settings["points"]
    said = WHAT_COUNTS[points["scheme"]]
    if points["scheme"] == "places":
        said = f"{', '.join(map(str, points['list']))} by place"
    return "; ".join([said, *_said(plan, "Points")])


class Picture(Reading):
    """A tournament as of now, with the sentences about it."""

    @property
    def game_title(self) -> str:
        return title_by(self.tournament.state.played)

    @property
    def kind(self) -> str:
        return capfirst(kind_of(self.tournament))

    @property
    def status(self) -> str:
        return STATUSES[self.tournament.status]

    @property
    def ended_why(self) -> str | None:
        why = self.tournament.state.ended_why
        return None if why is None else ENDED.get(why, why) if self.tournament.status == "finished" else why

    @property
    def put_off(self) -> str:
        return put_off(self.plan)

    @cached_property
    def headline(self) -> str:
        t = self.tournament
        if t.status == "cancelled":
            return "It was called off."
        if t.status == "draft":
            return "Nobody can enter yet."
        if t.status == "registration":
            invited = f", {self.invited} invited" if self.invited else ""
            if not t.state.places:
                return f"Nobody has entered yet{invited}."
            limit = self.plan.limit
            taken = f"{t.state.places} of {counted(limit, 'place')}" if limit else counted(t.state.places, "place")
            waiting = f", {len(t.state.queue)} on the waiting list" if t.state.queue else ""
            begins = f"The start was postponed: {put_off(self.plan)}." if t.state.put_off else "It has not started yet."
            return f"{taken} taken{waiting}{invited}. {self._checked_in}{begins}"
        said = [*self._stage, *self._still_in, *self._leading]
        nothing = "There is no result yet."
        if t.status == "finished":
            nothing = "Nobody played."
        elif t.state.stage > 1:
            nothing = f"{t.state.stage_title(t.state.stage)} has begun. {nothing}"
        return " ".join(said) or nothing

    @property
    def so_far(self) -> str:
        found = [
            ("Entered so far", [name.text for name, is_in in self.holders if is_in]),
            ("not checked in yet", [name.text for name, is_in in self.holders if not is_in]),
            ("on the waiting list", [name.text for name in self.queue]),
        ]
        said = [f"{what}: {', '.join(names)}" for what, names in found if names]
        said += [f"{self.invited} invited"] if self.invited else []
        text = "; ".join(said)
        return f"{text[0].upper()}{text[1:]}." if text else ""

    @property
    def _checked_in(self) -> str:
        there = sum(is_in for _, is_in in self.holders)
        if self.plan.check_in is None or not there:
            return ""
        return f"{there} of {len(self.holders)} {'has' if there == 1 else 'have'} checked in. "

    @property
    def how_to_enter(self) -> str:
        return _ENTRY[self.plan.entry]

    @property
    def points_are(self) -> str:
        if self.tournament.kind == "knockout":
            last = "Points are from the last table."
            return last if self.is_over else f"Everyone still in shares first place. {last}"
        if self.settings.total == "mean":
            prior = self.settings.prior
            if not prior:
                return "Average points per game."
            count = number_word(int(prior)) if prior.denominator == 1 else str(prior)
            games = "an average game" if prior == 1 else f"{count} average games"
            return f"Average points per game. Everyone starts with {games}, so one lucky evening is not enough to lead."
        return "Points: more is better."

    @property
    def how_many_go_on(self) -> str:
        """Of a stage that is played before another one."""
        t = self.tournament
        if t.status != "running" or t.state.break_ends is not None or t.state.stage >= len(t.state.plan.stages):
            return ""
        return f"The best {t.state.plan.stages[t.state.stage - 1]['take']} go through."

    @property
    def dates(self) -> list[tuple[str, datetime]]:
        t, plan = self.tournament, self.plan
        if t.status in ("finished", "cancelled"):
            found = [("started", t.started_at), ("ended", t.ended_at)]
        elif t.kind == "season":
            counts_until = plan.closes_at and plan.closes_at + timedelta(seconds=plan.grace)
            then = _then(t, plan, counts_until) or [("last games end", counts_until)]
            found = [("first games", plan.opens_at), ("last games begin", plan.closes_at), *then]
        elif t.started_at:
            found = [("started", t.started_at)]
        elif t.state.put_off:
            found = []
        else:
            found = [("check-in from", check_in_opens(plan)), ("starts", plan.starts_at)]
        return [(text, moment) for text, moment in found if moment is not None]

    @property
    def _stage(self) -> list[str]:
        t = self.tournament
        if t.status != "running":
            return []
        if t.state.break_ends is not None:
            return [in_the_break(t)]
        if t.kind == "season":
            return []
        rounds = [one for one in self.round_rows if one.number > t.state.seated_before]
        if not rounds:
            return ["The first round is being seated."]
        newest = rounds[0]
        of = f" of {self.plan.rounds}" if self.plan.rounds and t.kind == "rounds" else ""
        if newest.closed_at is not None:
            goes_on = " The organisers seat the next one." if self.plan.pace == "manual" and t.kind == "rounds" else ""
            return [f"{newest.title}{of} is over.{goes_on}"]
        still_open = sorted((one for one in rounds if one.closed_at is None), key=lambda one: one.number)
        which = f"Round{'' if len(still_open) == 1 else 's'} {listed([str(one.number) for one in still_open])}{of}"
        if self.plan.stages:
            which = f"{listed([one.title for one in still_open])}{of}"
        tables, playing = sum(one.state.tables for one in still_open), sum(one.state.open_tables for one in still_open)
        if tables == 1:
            return ["The final is being played." if t.kind == "knockout" else f"{which} is being played."]
        if playing == tables:
            return [f"{which}: {tables} tables are playing."]
        return [f"{which}: {playing} of {tables} tables still playing."]

    @property
    def _still_in(self) -> list[str]:
        t = self.tournament
        still = sum(row.status == "in" for row in self.rows) if t.kind == "knockout" and t.status == "running" else 0
        of = len(t.state.begun[-1].seeds) if t.state.begun else len(self.rows)
        return [f"{still} of {of} are still in."] if 1 < still < of else []

    @property
    def _leading(self) -> list[str]:
        leaders = [row.name.text for row in self.leaders]
        over = self.tournament.status == "finished"
        if not leaders:
            nobody = over and self.tournament.kind == "knockout" and self.has_games
            return ["Nobody has won, because nobody was left."] if nobody else []
        total = points(self.leaders[0].total, penalties=self.penalties)
        if len(leaders) > 3:
            return [f"{len(leaders)} share first place with {total} each."]
        verb = ("won" if over else "leads") if len(leaders) == 1 else "share first place"
        if over and self.tournament.kind == "knockout":
            return [f"{listed(leaders)} {verb}."]
        return [f"{listed(leaders)} {verb} with {total}{' each' if len(leaders) > 1 else self._ahead_by}."]

    @property
    def _ahead_by(self) -> str:
        """How far the only leader is ahead, or of whom, if the totals are equal or look so, and by which tie-break."""
        second = self.rows[1] if len(self.rows) > 1 else None
        looks_equal = second is not None and second.total == self.leaders[0].total
        if self.lead:
            return f", just ahead of {second.name.text}" if second and looks_equal else f", {self.lead} ahead"
        if second is None or second.place is None or not looks_equal or not second.decided_by:
            return ""
        return f", ahead of {second.name.text} by {second.decided_by}"

    @property
    def terms(self) -> list[tuple[str, str]]:
        """What is played, how it proceeds, at which pace, and what counts: pairs of a word and the rule."""
        plan = self.plan
        found = [
            ("Rules", _rules(self.tournament, plan)),
            ("Mode", course_of(plan) or _mode(plan)),
            ("Pace", ", ".join(_said(plan, "Pace"))),
            ("Points", _points(plan)),
            ("Games", _games(plan)),
        ]
        if plan.proposals == "entrants":
            ratified = (OWN["ratify"].words or {})[plan.ratify]
            found.append(("Changes", f"entrants may propose new rules, which are ratified {ratified}"))
        return [(word, f"{capfirst(text)}.") for word, text in found]
