"""Reviews of finished games: asked for by whoever may read the record, made once on the queue, and kept."""

from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from uuid import UUID

from django.db import transaction

from core import clock as service_clock
from core import log
from core.jobs import services as work
from core.refusals import Conflict, NotFound
from games.models import Game, stream_of
from games.projections import Snapshot
from games.projections.vocabulary import PLANNED, is_of_rules, rules_event
from games.review import Happened, NoReviewError, check, review
from games.review.models import Review
from games.rules import PLAYED

JOB = "games.review"


def review_of(game: Snapshot) -> Review:
    """Raises Conflict (as `ask_for_review`), NotFound (no_review: nobody has asked for one)."""
    _check(game)
    found = Review.objects.filter(pk=game.id).first()
    if found is None:
        raise NotFound("no_review", "Nobody has asked for a review of this game yet.")
    return found


def ask_for_review(game: Snapshot, count: Callable[[], None]) -> Review:
    """Return the review, whose body is None while it is being made; `count` is called before a new one is begun.

    Raises Conflict (not_finished, game_cancelled; no_networks: bots of another release played), and what `count` does.
    """
    _check(game)
    found = Review.objects.filter(pk=game.id).first()
    if found is not None:
        return found
    count()
    with transaction.atomic():
        found, is_new = Review.objects.get_or_create(pk=game.id, defaults={"asked_at": service_clock.now()})
        if is_new:
            work.put(JOB, str(game.id))
    return found


def _check(game: Snapshot) -> None:
    if game.status == Game.Status.CANCELLED:
        raise Conflict("game_cancelled", "This game was called off.")
    if game.status != Game.Status.FINISHED:
        raise Conflict("not_finished", "A game can be reviewed only after it has finished.")
    try:
        check(game.rules, game.options)
    except NoReviewError as no:
        raise Conflict("no_networks", str(no)) from None


@work.local(JOB)
def _make(job: work.Job, _: datetime) -> None:
    events = log.read(stream_of(UUID(job.key)))
    game = PLAYED[Game.objects.only("game").get(pk=UUID(job.key)).game]
    Review.objects.filter(pk=UUID(job.key)).update(body=review(game, happened(events)))


def happened(events: Iterable[log.Event]) -> Iterator[Happened]:
    for event in events:
        if is_of_rules(event):
            by = "plan" if PLANNED in event.data else event.actor.kind if event.actor else None
            yield Happened(event.version, rules_event(event), by)
