from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from core.jobs import services as work
from core.jobs.models import Work

MOST = 50


class Command(BaseCommand):
    help = "Show what is waiting in the queue, and what failed and why. Failed work can be retried or removed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--kind", choices=work.kinds(), help="only this kind of work")
        what = parser.add_mutually_exclusive_group()
        what.add_argument("--stuck", action="store_true", help="list what failed or was given up, with the errors")
        what.add_argument("--retry", nargs="+", type=_id, metavar="ID", help="retry these, or `all` that failed")
        what.add_argument("--drop", nargs="+", type=int, metavar="ID", help="remove these from the queue for good")

    def handle(self, *args: Any, **options: Any) -> None:
        kind = options["kind"]
        if options["retry"]:
            self._retry(options["retry"], kind)
        elif options["drop"]:
            self._drop(options["drop"])
        elif options["stuck"]:
            self._stuck(kind)
        else:
            self._figures(kind)

    def _figures(self, kind: str | None) -> None:
        rows = [row for row in work.figures() if kind in (None, row.kind)]
        width = max([len("kind"), *(len(row.kind) for row in rows)])
        self.stdout.write(f"{'kind':<{width}}  waiting      due   oldest  retrying  given up")
        for row in rows:
            oldest = f"{row.oldest.total_seconds():.0f} s"
            counts = f"{row.waiting:>7}  {row.due:>7}  {oldest:>7}  {row.retrying:>8}  {row.given_up:>8}"
            self.stdout.write(f"{row.kind:<{width}}  {counts}")

    def _stuck(self, kind: str | None) -> None:
        rows = (Work.objects.filter(tries__gt=0) | Work.objects.filter(given_up_at__isnull=False)).order_by("pk")
        if kind is not None:
            rows = rows.filter(kind=kind)
        for row in rows[:MOST]:
            then = f"next try {row.due_at:%Y-%m-%d %H:%M:%S}" if row.given_up_at is None else "given up"
            self.stdout.write(f"{row.pk}  {row.kind}  {row.key}  {row.tries} tries, {then}\n    {row.error or ''}")
        if (more := rows.count() - MOST) > 0:
            self.stdout.write(f"... and {more} more")
        elif not rows:
            self.stdout.write("Nothing has failed.")

    def _retry(self, ids: list[int | None], kind: str | None) -> None:
        chosen = None if None in ids else [one for one in ids if one is not None]
        if chosen is None and kind is not None:
            chosen = list(Work.objects.filter(kind=kind).values_list("pk", flat=True))
        self.stdout.write(f"{work.give_again(chosen)} started again")

    def _drop(self, ids: list[int]) -> None:
        dropped, _ = Work.objects.filter(pk__in=ids).delete()
        self.stdout.write(f"{dropped} taken out")


def _id(text: str) -> int | None:
    """The number of a piece of work; None is all."""
    return None if text == "all" else int(text)
