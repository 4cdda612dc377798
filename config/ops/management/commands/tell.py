from datetime import datetime
from time import monotonic, sleep
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core import clock, vault
from core.accounts.models import Player
from core.chatting import Message
from core.jobs import services as work
from core.notifications import posting, selectors, services
from core.notifications.bodies import NotificationBody
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind
from core.notifications.models import Channel, Delivery, Hook, State

PATIENCE = 30.0


class Command(BaseCommand):
    help = "Send a test over each of a player's channels, and report the outcome. Exit status 1 if any failed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("player", help="the player's name")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            player = Player.objects.get_by_natural_key(Player.normalize_username(options["player"]))
        except Player.DoesNotExist:
            raise CommandError(f"There is no player {options['player']!r}.") from None
        now = clock.now()
        told = services.tell(
            [player.pk], the_kind(SECURITY, ACCOUNT), f"test:{now.isoformat()}", data={"what": "test"}, now=now
        )
        if not told:
            raise CommandError("The account is being closed, so it gets no notifications.")
        [body] = selectors.bodies(player, told)
        self.stdout.write(f"list     number {body.number}: {body.text}")
        for channel, reason in told[0].skipped.items():
            if channel != Channel.WEBHOOK:
                self.stdout.write(f"{channel:<8} skipped: {reason}")
        rows = Delivery.objects.filter(notification=told[0]).select_related("subscription", "chat").order_by("pk")
        ends = monotonic() + PATIENCE
        while rows.filter(state=State.HELD).exists() and monotonic() < ends:
            sleep(0.1)
        outcomes = [self._report(row) for row in rows.exclude(channel=Channel.WEBHOOK)]
        own = list(Hook.objects.filter(player=player).order_by("created_at"))
        outcomes += [self._post(hook, body, now) for hook in own]
        if not own:
            self.stdout.write("webhook  skipped: no address")
        if failures := outcomes.count(False):
            raise CommandError(f"{failures} of {len(outcomes) - outcomes.count(None)} addresses failed.")

    def _report(self, row: Delivery) -> bool | None:
        """Say what happened on one channel; None if nothing was to be sent."""
        address = row.subscription or row.chat
        name = f"{row.channel:<8} " + (f"{address.host} ({address.pk}) " if address is not None else "")
        if row.state == State.HELD:
            self.stdout.write(f"{name}waiting: is `manage.py follow` running?")
            return False
        state = row.state if row.state in (State.SENT, State.SKIPPED) else "failed"
        self.stdout.write(f"{name}{state}" + (f": {row.reason}" if row.reason else ""))
        return None if row.channel == Channel.LIVE or row.state == State.SKIPPED else row.state == State.SENT

    def _post(self, hook: Hook, body: NotificationBody, now: datetime) -> bool:
        """Post the test to one webhook now, without touching its queue and state."""
        test = Message((body.text,))
        name = f"webhook  {hook.host} ({hook.pk})"
        if hook.off_since is not None:
            self.stdout.write(f"{name} is switched off: {hook.off_because}")
            return True
        try:
            reply = posting.post(posting.written(hook, f"msg_test_{body.number}", test, now, {"cause": body.cause}))
        except (work.Later, work.GaveUp, vault.Unreadable) as error:
            self.stdout.write(f"{name} failed: {error}")
            return False
        self.stdout.write(f"{name} sent: it answered {reply.status}")
        return True
