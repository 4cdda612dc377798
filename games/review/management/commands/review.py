"""manage.py review: how a finished game went, as `GET games/{id}/review` tells it."""

import json
from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from core import log
from games.models import Game, stream_of
from games.review import NoReviewError, review
from games.review.services import happened
from games.rules import PLAYED


class Command(BaseCommand):
    help = "Print the review of a finished game as JSON. It is made afresh with the current networks, and not stored."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("id", type=UUID, metavar="ID")

    def handle(self, *_: Any, **options: Any) -> None:
        row = Game.objects.filter(pk=options["id"], started_at__isnull=False).first()
        if row is None:
            raise CommandError(f"There is no game {options['id']} that has started.")
        try:
            made = review(PLAYED[row.game], happened(log.read(stream_of(row.pk))))
        except NoReviewError as no:
            raise CommandError(str(no)) from None
        self.stdout.write(json.dumps(made))
