"""`manage.py tell PLAYER`: send a test over every channel of a player, and report the outcome."""

from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import transaction

from core import clock, vault
from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import channels, chat, hooks, mailing, outgoing, posting, push, selectors, services
from core.notifications.bodies import NotificationBody
from core.notifications.kinds import ACCOUNT, SECURITY, the_kind
from core.notifications.models import Channel, Delivery, Hook, State

ROADS = {Channel.PUSH.value: push.ROAD, Channel.CHAT.value: chat.ROAD}


class Command(BaseCommand):
    help = "Send a test over every channel of a player, and report the outcome. Exit status 1 if any failed."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("player", help="the player's name")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            player = Player.objects.get_by_natural_key(Player.normalize_username(options["player"]))
        except Player.DoesNotExist:
            raise CommandError(f"There is no player {options['player']!r}.") from None
        now = clock.now()
        with transaction.atomic():
            told = services.tell(
                [player.pk], the_kind(SECURITY, ACCOUNT), f"test:{now.isoformat()}", data={"what": "test"}, now=now
            )
            # They are sent right here, so that the outcome can be reported.
            held = Delivery.objects.filter(notification__in=told, channel__in=ROADS, state=State.HELD)
            rows = list(held.select_related("notification", "subscription", "chat").order_by("pk"))
            for row in rows:
                work.drop(ROADS[row.channel].errand, [str(row.pk)])
            by_mail = [mail for one in told if (mail := mailing.take_out(one)) is not None]
        if not told:
            raise CommandError("The account is being closed: it is told nothing.")
        [body] = selectors.bodies(player, told)
        self.stdout.write(f"list     number {body.number}: {body.text}")
        mine = {row.channel for row in (*rows, *by_mail)}
        for channel, fate in body.channels.each():
            if channel not in (Channel.WEBHOOK, *mine):
                self.stdout.write(f"{channel:<8} {fate.state}" + (f": {fate.reason}" if fate.reason else ""))
        own = list(Hook.objects.filter(player=player).order_by("created_at"))
        outcomes = [self._mail(row, now) for row in by_mail]
        outcomes += [self._send(row, now) for row in rows] + [self._post(hook, body, now) for hook in own]
        if not own:
            self.stdout.write("webhook  skipped: no address")
        if failures := outcomes.count(False):
            raise CommandError(f"{failures} of {len(outcomes)} addresses failed.")

    def _send(self, row: Delivery, now: datetime) -> bool:
        """Send the notification to one browser or chat address, now."""
        road = ROADS[row.channel]
        address = getattr(row, road.column)
        name = f"{row.channel:<8} {address.host} ({address.pk})"
        try:
            [letter] = road.write([(row, address)], now)
            reply = posting.send(letter)
        except (work.Later, work.GaveUp, vault.Unreadable) as error:
            channels.note(row, State.GIVEN_UP, now, reason=str(error))
            self.stdout.write(f"{name} failed: {error}")
            return False
        channels.note(row, State.SENT, now)
        self.stdout.write(f"{name} sent: it answered {reply.status}")
        return True

    def _mail(self, delivery: Delivery, now: datetime) -> bool:
        """Send the test by mail, now. A refused address has to be verified again, as always."""
        error = mailing.send_now(delivery, now)
        self.stdout.write("mail     sent: the mail server took it" if error is None else f"mail     failed: {error}")
        return error is None

    def _post(self, hook: Hook, body: NotificationBody, now: datetime) -> bool:
        """Post the test to one webhook now, without touching its queue and state."""
        test = {"type": "test", "timestamp": now, "data": {"text": body.text, "cause": body.cause}}
        name = f"webhook  {hook.host} ({hook.pk})"
        if hook.off_since is not None:
            self.stdout.write(f"{name} is switched off: {hook.off_because}")
            return True
        try:
            reply: outgoing.Reply = posting.send(hooks.written(hook, f"msg_test_{body.number}", test, now))
        except (work.Later, work.GaveUp, vault.Unreadable) as error:
            self.stdout.write(f"{name} failed: {error}")
            return False
        self.stdout.write(f"{name} sent: it answered {reply.status}")
        return True
