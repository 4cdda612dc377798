"""Mail: its layout, as plain text and as HTML without any picture, and sending it.

To send one, make a `Letter` in the `prepare` of an outbound job (`core.jobs`) and pass its message to `send`.
"""

import smtplib
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives, get_connection
from django.template.loader import render_to_string

from core.jobs import services as work

WIDTH = 76
# RFC 5322, 2.1.1, and room for "Subject: ".
LONGEST_SUBJECT = 200


@dataclass(frozen=True, slots=True)
class Link:
    """Words and where they lead: a whole address, or a path of ours."""

    words: str
    address: str

    @property
    def url(self) -> str:
        return f"{settings.TREY_SITE_URL}{self.address}" if self.address.startswith("/") else self.address


@dataclass(frozen=True, slots=True)
class Block:
    """A part of a letter: a heading, sentences, something large such as a code, and one link as a button."""

    heading: str
    lines: tuple[str, ...] = ()
    code: str | None = field(default=None, repr=False)
    link: Link | None = None


@dataclass(frozen=True, slots=True)
class Letter:
    """A mail. Its Message-ID is derived from `id`, so each try has the same; `footer` has small print with links."""

    to: str = field(repr=False)
    id: str
    subject: str
    blocks: tuple[Block, ...] = field(repr=False)
    footer: tuple[str | Link, ...] = field(default=(), repr=False)
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    # Headers that may come several times.
    causes: tuple[str, ...] = ()
    at: datetime | None = None

    def message(self) -> EmailMultiAlternatives:
        """The message, with the headers of every mail of ours (Message-ID, Auto-Submitted)."""
        headers = {
            "Message-ID": message_id(self.id),
            "Auto-Submitted": "auto-generated",
            # Out-of-office programs do not answer mails that have it.
            "X-Auto-Response-Suppress": "All",
            **({"Date": format_datetime(self.at)} if self.at is not None else {}),
            **self.headers,
        }
        subject = " ".join(self.subject.split())[:LONGEST_SUBJECT]
        message = _WithCauses(subject, self.text(), settings.DEFAULT_FROM_EMAIL, [self.to], headers=headers)
        message.causes = self.causes
        message.attach_alternative(self.html(), "text/html")
        return message

    def text(self) -> str:
        parts = ["\n\n".join(_text_of(block)) for block in self.blocks]
        body = "\n\n\n".join(parts)
        small = "\n".join(f"{one.words}: {one.url}" if isinstance(one, Link) else _wrapped(one) for one in self.footer)
        return f"{body}\n\n-- \n{small}\n" if small else f"{body}\n"

    def html(self) -> str:
        """The HTML: with light and dark colours of its own, and without anything from elsewhere."""
        footer = [{"words": one.words, "url": one.url} if isinstance(one, Link) else one for one in self.footer]
        return render_to_string("mail/letter.html", {"letter": self, "footer": footer, "site": settings.TREY_SITE_URL})


class _WithCauses(EmailMultiAlternatives):
    """Django's headers are a mapping; a letter about several things has `X-Trey-Cause` several times."""

    causes: tuple[str, ...] = ()

    def message(self, **arguments: Any) -> Any:
        made = super().message(**arguments)
        for cause in self.causes:
            made["X-Trey-Cause"] = cause
        return made


def message_id(name: str) -> str:
    return f"<{name}@{urlsplit(settings.TREY_SITE_URL).hostname or 'localhost'}>"


def _text_of(block: Block) -> list[str]:
    parts = [_wrapped(block.heading), *map(_wrapped, block.lines)]
    if block.code is not None:
        parts.append(f"    {block.code}")
    if block.link is not None:
        parts.append(f"{block.link.words}: {block.link.url}")
    return parts


def _wrapped(line: str) -> str:
    return textwrap.fill(line, WIDTH, break_long_words=False, break_on_hyphens=False)


class Refused(work.GaveUp):
    """The address's server refused it for good (a 5xx to RCPT)."""


def send(message: EmailMessage) -> None:
    """Send a message to its one receiver. No error names the address.

    Raises Refused, and work.Later for all other failures: the connection, the log-in, a 4xx, other 5xx.
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
    """A response on one line, without the address, since operators read it, too."""
    for address in message.to:
        text = text.replace(address, "the address")
    return " ".join(text.split())[:300]
