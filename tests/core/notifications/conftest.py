"""A player with a webhook, and receivers that behave as receivers do."""

import pytest
from allauth.account.models import EmailAddress

from core.accounts import signals
from core.accounts.models import Player
from tests.core.notifications.mail_server import Mails
from tests.core.notifications.receivers import Receiver


@pytest.fixture(autouse=True)
def unsaid_additions(monkeypatch):
    """That an address was added is told, too: test_accounts_security_told.py has it, and here it would be counted."""
    send = signals.secured.send

    def unless_added(*, what, **more):
        return [] if what in {"webhook", "chat", "browser"} else send(what=what, **more)

    monkeypatch.setattr(signals.secured, "send", unless_added)


@pytest.fixture
def local(settings):
    settings.TREY_HOOKS_LOCAL = True


@pytest.fixture
def receiver(local):
    with Receiver() as one:
        yield one


@pytest.fixture
def ada(transactional_db) -> Player:
    return Player.objects.create_user("ada")


@pytest.fixture
def mails(settings):
    with Mails() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", server.port, 5
        yield server


@pytest.fixture
def address(ada) -> str:
    """Ada's verified address."""
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True, primary=True)
    return "ada@example.org"
