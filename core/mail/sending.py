"""Sending one mail, and telling lasting failures from those that may succeed later (NT9)."""

import smtplib
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.core.mail.backends.smtp import EmailBackend

from core.jobs import services as work

# Seconds for which an unused connection stays open, and how many mails one carries: servers limit both.
_IDLE, _MOST = 5.0, 50


class Refused(work.GaveUp):
    """The address's server refused it for good (a 5xx to RCPT)."""


def send(message: EmailMessage) -> None:
    """Send a message to its one receiver. Needs no database; each step takes a few seconds at most.

    Raises Refused, and work.Later for all other failures: the connection, the log-in, a 4xx, a 5xx that is not about
    the receiver. No error names the address.
    """
    try:
        with _kept.connection() as server:
            server.send_messages([message])
    except smtplib.SMTPRecipientsRefused as error:
        code, said = next(iter(error.recipients.values()))
        text = _plain(message, code, said)
        if 500 <= code < 600:
            raise Refused(f"The address was refused: {text}") from None
        raise work.Later(f"The address was refused for now: {text}") from None
    except smtplib.SMTPResponseException as error:
        text = _plain(message, error.smtp_code, error.smtp_error)
        raise work.Later(f"The mail server answered {text}") from None
    except (smtplib.SMTPException, OSError) as error:
        what = _without(message, f"{type(error).__name__}: {error}")
        raise work.Later(f"The mail server could not take it: {what}") from None


class _Kept:
    """Recently used connections to the mail server: opening one, with TLS and a log-in, is what costs most."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        # With the number of mails and the time; the most recently used one is last.
        self._idle: list[tuple[EmailBackend, int, float]] = []
        self._sweeping = False

    @contextmanager
    def connection(self) -> Iterator[BaseEmailBackend]:
        """A connection for one mail; it is closed after an error. Raises what opening one raises."""
        server = get_connection(fail_silently=False)
        if not isinstance(server, EmailBackend):
            yield server
            return
        kept, mails = self._taken(server)
        server = kept or server
        try:
            if kept is None:
                _open(server)
            yield server
        except BaseException:
            _close(server)
            raise
        if mails + 1 < _MOST:
            self._put_back(server, mails + 1)
        else:
            _close(server)

    def _taken(self, wanted: EmailBackend) -> tuple[EmailBackend | None, int]:
        """A connection that still responds, and how many mails it has carried."""
        while True:
            with self._lock:
                if not self._idle:
                    return None, 0
                server, mails, _ = self._idle.pop()
            if _place(server) == _place(wanted) and _answers(server):
                return server, mails
            _close(server)

    def _put_back(self, server: EmailBackend, mails: int) -> None:
        with self._lock:
            self._idle.append((server, mails, time.monotonic()))
            begin, self._sweeping = not self._sweeping, True
        if begin:
            self._sweep_later()

    def _sweep_later(self) -> None:
        timer = threading.Timer(_IDLE, self._sweep)
        timer.daemon = True
        timer.start()

    def _sweep(self) -> None:
        before = time.monotonic() - _IDLE
        with self._lock:
            old = [server for server, _, at in self._idle if at <= before]
            self._idle = [one for one in self._idle if one[2] > before]
            again = self._sweeping = bool(self._idle)
        for server in old:
            _close(server)
        if again:
            self._sweep_later()


def _open(server: EmailBackend) -> None:
    """Connect and exchange greetings, so that the slow part is over before a mail is begun."""
    server.open()
    if server.connection is not None:
        server.connection.ehlo_or_helo_if_needed()


def _close(server: EmailBackend) -> None:
    # An error while closing does not matter.
    with suppress(smtplib.SMTPException, OSError):
        server.close()


def _place(server: EmailBackend) -> tuple[object, ...]:
    return server.host, server.port, server.username, server.password


def _answers(server: EmailBackend) -> bool:
    """Return whether the connection is still open. The server may have closed it; finding out loses no mail."""
    try:
        return server.connection is not None and server.connection.noop()[0] == 250
    except (smtplib.SMTPException, OSError):
        return False


_kept = _Kept()


def _plain(message: EmailMessage, code: int, said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return f"{code} {_without(message, text)}".strip()


def _without(message: EmailMessage, text: str) -> str:
    """A response on one line, without the address, since operators read it, too (AC3)."""
    for address in message.to:
        text = text.replace(address, "the address")
    return " ".join(text.split())[:300]
