"""The first page: what this is, the reader's own turns first, and what is public."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import F, Q
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from core.accounts.models import Player
from core.notifications.selectors import messages, notifications_of
from games import selectors as games
from games.pages.lobby.cards import cards_of
from games.pages.lobby.news import invitations
from games.pages.lobby.page import answering, reader_of, shown
from games.projections import load_all
from games.rules import GAMES
from games.selectors import title_by
from tournaments import selectors
from tournaments.models import Entrant, Tournament
from tournaments.notifications.kinds import INVITED
from tournaments.picture.words import STATUSES, kind_of
from tournaments.stream import Standing
from tournaments.stream.state import UNFINISHED

MOST_TURNS, MOST_GAMES, MOST_ENDED, MOST_TOURNAMENTS = 20, 20, 5, 8


@require_safe
@answering
def home(request: HttpRequest) -> HttpResponse:
    player = reader_of(request)
    own = _own(player) if player is not None else {"entered": [], "invited": []}
    context: dict[str, Any] = {"games": GAMES.values(), "tournaments": _others(player), **own}
    template = "home/mine.html" if player is not None else "home/welcome.html"
    return shown(request, template, context, index=player is None)


def _own(player: Player) -> dict[str, Any]:
    turns = cards_of([turn.game for turn in games.Turns(player)[0:MOST_TURNS]], player)
    running = games.mine(games.games_for(player), player)
    here = running.filter(status__in=("open", "setup", "playing")).exclude(pk__in=[one["id"] for one in turns])
    ended = running.filter(status="finished").order_by(F("finished_at").desc(), "-id")
    ids = [row.id for row in [*here.order_by("-opened_at", "-id")[:MOST_GAMES], *ended[:MOST_ENDED]]]
    found = cards_of(load_all(ids), player)
    # By an organiser, or to stand in for somebody who did not come (LI4).
    asked_to_play = Q(standing=Standing.INVITED) | ~Q(state__asked_for=None)
    entries = Entrant.objects.filter(asked_to_play, player=player).values("tournament")
    asked = (
        Q(pk__in=entries) | Q(asked_organisers__contains=[player.pk]) | Q(offers__contains=[{"player": str(player.pk)}])
    )
    unfinished = Tournament.objects.filter(status__in=UNFINISHED)
    invited = list(unfinished.filter(asked).order_by("-set_up_at", "-id")[:MOST_TOURNAMENTS])
    theirs = selectors.mine(unfinished, player)
    theirs = theirs.exclude(pk__in=[one.pk for one in invited])
    return {
        "turns": [*(card for card in found if card["starts"]), *(card for card in turns if not card["practice"])],
        "running": [card for card in found if card["status"] in ("setup", "playing") and not card["practice"]],
        "practice": [card for card in (*turns, *found) if card["practice"]],
        "rooms": [card for card in found if card["status"] == "open" and not card["starts"]],
        "ended": [card for card in found if card["status"] == "finished"],
        "entered": _listed(theirs.order_by("-set_up_at", "-id")[:MOST_TOURNAMENTS]),
        "asked": invitations(player, MOST_GAMES),
        "invited": _with_questions(player, _listed(invited), invited),
    }


def _with_questions(player: Player, shown: list[dict[str, Any]], rows: list[Tournament]) -> list[dict[str, Any]]:
    """The tournaments that the player is invited to, each with who asks whom to what."""
    questions = questions_to(player, [row.pk for row in rows])
    return [{**one, "asked": questions.get(row.pk)} for one, row in zip(shown, rows, strict=True)]


def questions_to(player: Player, tournaments: Sequence[UUID], **more: Any) -> dict[UUID | None, str]:
    """Who asks the player to what, by tournament, as the news says it; `more` narrows the invitations."""
    asked = notifications_of(player).filter(kind=INVITED.name, subject=INVITED.subject, lost__isnull=True)
    told = asked.filter(subject_id__in=tournaments, **more).order_by("number")
    said = messages([(player, one) for one in told])
    return {one.subject_id: said[one.pk].text for one in told}


def _others(player: Player | None) -> list[dict[str, Any]]:
    open_now = selectors.tournaments_for(None).filter(status__in=("registration", "running"))
    if player is not None:
        open_now = open_now.exclude(pk__in=selectors.mine(Tournament.objects.all(), player).values("pk"))
    return _listed(open_now.order_by("-set_up_at", "-id")[:MOST_TOURNAMENTS])


def _listed(rows: Any) -> list[dict[str, Any]]:
    return [
        {"title": row.title, "slug": row.slug, "game": title_by(row.state.played), "kind": kind_of(row),
         "entrants": row.state.places, "said": STATUSES[row.status],
         "invitation": row.invitation if row.visibility == "private" else ""}
        for row in rows
    ]  # fmt: skip
