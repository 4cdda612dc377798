"""A real SMTP server on this machine, as good or as bad as a test wants it."""

import asyncio
import email
from contextlib import suppress
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP


class _AnyPort(Controller):
    """The library's, on a free port."""

    def _trigger_server(self) -> None:
        self.port = self.server.sockets[0].getsockname()[1]
        super()._trigger_server()


@dataclass
class Mails:
    """`got` has what was accepted. `rcpt` and `data` are answers in place of 250; `loses` so many connections."""

    got: list[EmailMessage] = field(default_factory=list)
    rcpt: str | None = None
    data: str | None = None
    loses: int = 0
    # After the message was taken: the sender cannot know, and sends it again.
    loses_answers: int = 0
    slow: float = 0.0
    # Takes so many messages and never answers.
    hangs: int = 0
    tries: int = 0

    async def handle_RCPT(self, server: SMTP, session: Any, envelope: Any, address: str, options: Any) -> str:  # noqa: N802
        self.tries += 1
        if self.slow:
            await asyncio.sleep(self.slow)
        if self.rcpt is not None:
            return self.rcpt.replace("ADDRESS", address)
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: SMTP, session: Any, envelope: Any) -> str:  # noqa: N802
        if self.hangs:
            self.hangs -= 1
            await asyncio.sleep(3600)
        if self.loses:
            self.loses -= 1
            server.transport.abort()
            return "250 nobody hears this"
        if self.data is not None:
            return self.data
        self.got.append(email.message_from_bytes(envelope.content, policy=default))  # type: ignore[arg-type]
        if self.loses_answers:
            self.loses_answers -= 1
            server.transport.abort()
        return "250 OK"

    def __enter__(self) -> "Mails":
        self._controller = _AnyPort(self, hostname="127.0.0.1", port=0)
        self._controller.start()
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(RuntimeError):
            self._controller.stop()

    @property
    def port(self) -> int:
        return int(self._controller.port)

    def until(self, count: int, seconds: float = 20.0) -> list[EmailMessage]:
        """What came, once so many are there."""
        from tests.core.notifications.receivers import wait_until

        wait_until(lambda: len(self.got) >= count, seconds)
        return self.got


def bodies(message: EmailMessage) -> tuple[str, str]:
    """The plain text and the HTML."""
    plain, html = message.get_body(("plain",)), message.get_body(("html",))
    assert plain is not None
    assert html is not None
    return plain.get_content().replace("\r\n", "\n"), html.get_content()
