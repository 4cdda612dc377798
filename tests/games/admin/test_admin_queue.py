"""Dead letters: staff see what was given up, and why, and have it tried again."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse

from core import clock
from core.accounts.models import Audit, Player
from core.jobs.models import Work

pytestmark = pytest.mark.django_db


def dead(kind: str, key: str, why: str) -> Work:
    now = clock.now()
    return Work.objects.create(
        kind=kind, key=key, due_at=now, queued_at=now, tries=9, error=why, given_up_at=now,
        failing_since=now - timedelta(days=3),
    )  # fmt: skip


def test_dead_letters_are_seen_and_sent_again(client):
    susan = Player.objects.create_user("susan", is_staff=True)
    client.force_login(susan)
    mail = dead("notifications.mail", "1", "The address was refused: 550 no such user")
    hooks = [dead("notifications.webhook", str(number), "It answered 500.") for number in (2, 3)]
    page = client.get(reverse("admin:queue")).content.decode()
    assert "550 no such user" in page and page.count("It answered 500.") == 2
    times = re.findall(r"<time ([^>]*)>([^<]*)</time>", page)
    assert len(times) == 6 and all('data-form="second"' in given and text.endswith(" UTC") for given, text in times)
    client.post(reverse("admin:queue_again"), {"piece": mail.pk})
    mail.refresh_from_db()
    assert (mail.given_up_at, mail.tries) == (None, 0) and mail.due_at <= clock.now()
    assert Work.objects.filter(given_up_at__isnull=False).count() == 2
    shown = client.post(reverse("admin:queue_again"), {"kind": "notifications.webhook"}, follow=True).content.decode()
    assert "2 tasks will be retried now." in shown and "No task was given up." in shown
    assert not Work.objects.filter(pk__in=[one.pk for one in hooks], given_up_at__isnull=False).exists()
    assert list(Audit.objects.order_by("pk").values_list("action", "subject", "reason")) == [
        ("retried work", f"queue {mail.pk}", "1 in all"),
        ("retried work", "queue notifications.webhook", "2 in all"),
    ]


@pytest.mark.parametrize(
    "wrong", [{"piece": "x"}, {"piece": "99999"}, {"kind": "notifications.mail"}, {"kind": "a\0b"}, {}]
)
def test_what_is_not_there_cannot_be_sent_again(client, wrong):
    client.force_login(Player.objects.create_user("susan", is_staff=True))
    alive = Work.objects.create(kind="notifications.mail", key="7", due_at=clock.now(), queued_at=clock.now(), tries=2)
    shown = client.post(reverse("admin:queue_again"), wrong, follow=True).content.decode()
    assert "nothing to retry" in shown
    alive.refresh_from_db()
    assert alive.tries == 2 and not Audit.objects.exists()
