"""Sending one mail, and telling what cannot succeed from what may succeed another time (NT9)."""

from __future__ import annotations

import smtplib

from django.core.mail import EmailMessage, get_connection

from games.platform.work import services as work


class Refused(work.GaveUp):
    """The server of the address refused it for good (a 5xx to RCPT)."""


def send(message: EmailMessage) -> None:
    """Send a message to its one receiver. Without a database; it takes some seconds at most per step.

    Raises Refused, and work.Later for everything else that went wrong: the connection, the log-in, a 4xx, a 5xx that
    is not about the receiver. No error names the address.
    """
    try:
        get_connection(fail_silently=False).send_messages([message])
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


def _plain(message: EmailMessage, code: int, said: bytes | str) -> str:
    text = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
    return f"{code} {_without(message, text)}".strip()


def _without(message: EmailMessage, text: str) -> str:
    """An answer on one line, without the address: operators read it, too (AC3)."""
    for address in message.to:
        text = text.replace(address, "the address")
    return " ".join(text.split())[:300]
