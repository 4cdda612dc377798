"""The page of a game's review: a picture of who stood how, and what cost most, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import path, reverse
from django.views.decorators.http import require_http_methods

from core.http.throttling import limit
from core.refusals import NotFound
from games import selectors
from games.api.bodies import game_body
from games.pages.lobby.page import answering, reader_of, shown
from games.pages.views import invitation_of, name_of
from games.projections import Snapshot
from games.review import services
from games.rules.cards import pretty
from games.rules.moves import DONE, words_of
from games.rules.words import counted, listed

# The picture, in its own units: a phone shows one as most of a pixel.
WIDTH, LEFT, RIGHT, TOP, EACH = 440, 26, 330, 22, 64
_PARTS = (
    (0.1, "a tenth of a place"),
    (0.2, "a fifth of a place"),
    (0.25, "a quarter of a place"),
    (0.33, "a third of a place"),
    (0.5, "half a place"),
    (0.67, "two thirds of a place"),
    (0.75, "three quarters of a place"),
    (1.0, "a whole place"),
)
_BY = {"clock": "the clock played", "bot": "a bot played", "plan": "by a plan", "forced": "made at once"}


@require_http_methods(["GET", "HEAD", "POST"])
@answering
def review(request: HttpRequest, game_id: UUID) -> HttpResponse:
    """The review of a finished game. Whoever is logged in and may read the record may ask for it."""
    player = reader_of(request)
    game = selectors.game_for(player, game_id, invitation=invitation_of(request))
    if request.method == "POST" and player is not None:
        services.ask_for_review(game, lambda: limit("review", str(player.pk)))
        return redirect(request.get_full_path())
    try:
        made = services.review_of(game)
    except NotFound:
        made = None
    names = [name_of(row) for row in game_body(game, None).players]
    context: dict[str, Any] = {
        "game": game,
        "title": selectors.game_title(game),
        "names": listed(names),
        "here": request.get_full_path(),
        "table": _address(request, game_id),
        "is_making": made is not None and made.body is None,
    }
    if made is not None and made.body is not None:
        context["review"] = Told(game, made.body, names, game.seat_of(player), request)
    return shown(request, "review/review.html", context)


def _address(request: HttpRequest, game_id: UUID, **query: object) -> str:
    code = invitation_of(request)
    asked = {**query, **({"invitation": code} if code else {})}
    return reverse("game-page", args=[game_id]) + (f"?{urlencode(asked)}" if asked else "")


def about(cost: float) -> str:
    """Return a cost in words: "a third of a place", "1.6 places"."""
    if cost > 1.2:
        return f"{cost:.1f} places"
    return min(_PARTS, key=lambda part: abs(part[0] - cost))[1]


@dataclass
class Told:
    game: Snapshot
    body: Mapping[str, Any]
    names: Sequence[str]
    own: int | None
    request: HttpRequest

    @property
    def sums(self) -> list[dict[str, Any]]:
        unit = "" if "places" in self.body else " points"
        return [
            {"name": self.names[one["seat"]], "decisions": one["decisions"], "lost": one["lost"] + unit}
            for one in self.body["seats"]
        ]

    @cached_property
    def is_silent(self) -> bool:
        """Whether the bot says nothing, because more than four were in play until the end."""
        *before, _ = self.body.get("places", [None])
        return bool(before) and all(one["seats"] is None for one in before)

    @property
    def is_blameless(self) -> bool:
        if self.own is None or self.is_silent:
            return False
        return all(one["seat"] != self.own for one in self.body["decisions"])

    @cached_property
    def decisions(self) -> list[dict[str, Any]]:
        return [
            {
                "number": number,
                "version": one["version"],
                "url": _address(self.request, self.game.id, at=one["version"]),
                "made": f"{'You' if one['seat'] == self.own else self.names[one['seat']]} {words_of(one['made'])}",
                "how": _BY.get(one["by"] or ""),
                "better": self._better(one),
                "cost": counted(int(one["cost"]), "point") if "what" in one else f"about {about(float(one['cost']))}",
            }
            for number, one in enumerate(self.body["decisions"], start=1)
        ]

    @staticmethod
    def _better(one: Mapping[str, Any]) -> str:
        match one.get("what"):
            case "missed_out":
                return f"You could have gone out with {' or '.join(map(pretty, one['better']))}."
            case "final_discard":
                return f"Discarding {pretty(one['better']['card'])} would have left the least."
            case _:
                return f"The bot would have {words_of(one['better'], DONE)}."

    @cached_property
    def rows(self) -> list[tuple[int, str, Sequence[str]]]:
        """The places at each version: the picture as a table."""
        return [
            (one["version"], _address(self.request, self.game.id, at=one["version"]), one["seats"])
            for one in self.body.get("places", ())
            if one["seats"] is not None
        ]

    @property
    def rounds(self) -> list[tuple[int, list[tuple[str, str]]]]:
        return [
            (
                one["round"],
                [
                    (name, ", ".join(str(turn["penalty"]) for turn in one["turns"] if turn["seat"] == seat))
                    for seat, name in enumerate(self.names)
                ],
            )
            for one in self.body.get("rounds", ())
        ]

    @cached_property
    def picture(self) -> dict[str, Any] | None:
        """The lines, marks and dots of the picture; None with less than two versions to show."""
        if len(self.rows) < 2:
            return None
        versions = [version for version, _, _ in self.rows]
        first, last = versions[0], versions[-1]
        at = {version: seats for version, _, seats in self.rows}

        def x(version: int) -> float:
            return round(LEFT + (RIGHT - LEFT) * (version - first) / (last - first), 1)

        def y(place: str | float) -> float:
            return round(TOP + EACH * (float(place) - 1), 1)

        def point(version: int, seat: int) -> dict[str, Any]:
            return {"x": x(version), "y": y(at[version][seat])}

        seats = range(len(self.names))
        marks = [
            {**point(event["version"], effect["seat"]), "what": effect["effect"]}
            for event in selectors.events_for(None, self.game)
            if event["version"] in at
            for effect in event["data"].get("effects", ())
            if effect["effect"] in ("picked_up", "closed")
            for effect in [{"seat": event["seat"], **effect}]
        ]
        dots = [
            {**point(one["version"], one["seat"]), **told}
            for one, told in zip(self.body["decisions"], self.decisions, strict=True)
            if one["version"] in at
        ]
        return {
            "width": WIDTH,
            "height": TOP + EACH * (len(seats) - 1) + TOP,
            "left": LEFT,
            "right": RIGHT,
            "grid": [(place + 1, y(place + 1)) for place in seats],
            "lines": [
                {
                    "seat": seat % 4,
                    "name": self.names[seat],
                    "points": " ".join(f"{x(version)},{y(told[seat])}" for version, _, told in self.rows),
                    "end": y(at[last][seat]) + self._beside(seat, at[last]),
                }
                for seat in seats
            ],
            "marks": marks,
            "dots": dots[::-1],  # the dearest on top
            "label": f"Expected places of {listed(self.names)} from version {first} to {last}",
        }

    @staticmethod
    def _beside(seat: int, places: Sequence[str]) -> int:
        return 16 * list(places[:seat]).count(places[seat])


urlpatterns = [path("games/<uuid:game_id>/review", review, name="review-page")]
