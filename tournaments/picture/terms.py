"""How a tournament is played, in words for people who think about entering it."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from django.utils.text import capfirst

from games.rules import GAMES
from games.wording import counted
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.picture.ratifying import changes_as_shown
from tournaments.projections import state_of
from tournaments.stream import Plan, Rules
from tournaments.stream.plan import SETTINGS

if TYPE_CHECKING:
    from tournaments.picture.picture import Picture

_POINTS: Mapping[str, str] = {
    "opponents_beaten": "the share of opponents beaten, in each game",
    "wins": "1 for a win",
    "score": "penalty points, and the fewest win",
}
_VOTES: Mapping[str, str] = {
    "majority": "those who play decide, by more yes than no",
    "two_thirds": "those who play decide, by two thirds",
    "unanimous": "all who play must agree",
    "organiser": "an organiser decides, with votes as advice",
}


def terms_of(picture: "Picture") -> list[tuple[str, str]]:
    """What is played, how it proceeds, at which pace, and what counts: pairs of a word and the rule."""
    plan = picture.plan
    found = [
        ("Rules", _rules(picture.tournament, plan)),
        ("Mode", _mode(plan)),
        ("Pace", ", ".join(_said(plan, "Pace"))),
        ("Points", _points(plan)),
        ("Games", _games(plan)),
    ]
    if plan.proposals == "entrants":
        found.append(("Changes", f"whoever plays may propose other rules: {_VOTES[plan.ratify]}"))
    return [(word, f"{capfirst(text)}.") for word, text in found]


def _rules(t: Tournament, plan: Plan) -> str:
    rules = state_of(t).rules if t.ratified else Rules(plan.ruleset, plan.options, None)
    game = GAMES[plan.game]
    said = game.title
    if len(game.rulesets) > 1:
        said = f"{said}, {rules.ruleset}. {game.rulesets[rules.ruleset]}".rstrip(".")
    if not rules.options:
        return said
    own = changes_as_shown(selectors.changes_between(plan, Rules(rules.ruleset, {}, None), rules))
    return ". ".join([said, *(f"{one.option}: {one.after}" for one in own)])


def terms_in_short(plan: Plan) -> list[tuple[str, str]]:
    """How it proceeds and at which pace, in a few words each: pairs of a word and the rule."""
    return [("Mode", capfirst(_mode_in_short(plan))), ("Pace", capfirst(", ".join(_said(plan, "Pace"))))]


def _mode_in_short(plan: Plan) -> str:
    if plan.kind == "season":
        return "open games at any time"
    if plan.kind == "knockout":
        on = "the best of each goes on" if plan.rules.advance == 1 else f"the best {plan.rules.advance} of each go on"
        return f"tables of {plan.size}; {on}"
    rounds = counted(plan.rounds or 0, "round")
    return f"{rounds if plan.rounds else 'rounds until the organiser ends it'} at tables of about {plan.size}"


def _mode(plan: Plan) -> str:
    if plan.kind == "season":
        counts = " Any game among entrants counts, wherever it was opened" if plan.games == "any" else ""
        return f"everybody who is in can open games at any time, and several at once.{counts}".rstrip(".")
    each = f"; each table plays {plan.per_table} games" if plan.per_table > 1 else ""
    if plan.kind == "knockout":
        return f"{_mode_in_short(plan)}, until there is a final{each}"
    meets = "everybody meets everybody as evenly as can be"
    seating = meets if plan.rules.seating == "even" else "those who are level meet, and few meet twice"
    return f"{_mode_in_short(plan)}, in which {seating}{each}"


def _said(plan: Plan, term: str) -> list[str]:
    return [text for setting in SETTINGS if setting.term == term and (text := setting.said(plan)) is not None]


def _games(plan: Plan) -> str:
    if not plan.guests:
        return "rated" if plan.rated else "not rated"
    return "rated, without those of guests, who may enter" if plan.rated else "not rated; guests may enter"


def _points(plan: Plan) -> str:
    points = plan.settings["points"]
    said = _POINTS.get(points["scheme"]) or f"{', '.join(map(str, points['list']))} for the places"
    return "; ".join([said, *_said(plan, "Points")])
