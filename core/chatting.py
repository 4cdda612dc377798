"""The chat services, each with the form of what is posted to it and of its people's handles. Pure.

Text that people wrote is never markup, a link or a mention: it is escaped in each service's own way. Only players who
consented are mentioned, by the handle from their profile.

- discord: https://docs.discord.com/developers/resources/webhook#execute-webhook
- slack: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks
- mattermost: https://developers.mattermost.com/integrate/webhooks/incoming/
- telegram: https://core.telegram.org/bots/api#sendmessage
- ntfy: https://docs.ntfy.sh/publish/#publish-as-json
- matrix: https://matrix-org.github.io/matrix-hookshot/latest/setup/webhooks.html
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from types import MappingProxyType
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit, urlunsplit

# An invisible character that breaks up what a service would take for a mention.
_JOINER = "\N{WORD JOINER}"
_CUT = "…"


@dataclass(frozen=True, slots=True)
class Mention:
    """A player's name, and the handle by which they are mentioned; without a handle they are only named."""

    name: str
    handle: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """What people read, on whatever channel: a sentence in `parts`, a link (a path or an address), more sentences."""

    parts: tuple[str | Mention, ...]
    link: str | None = None
    story: tuple[str, ...] = ()
    type: str = "test"

    @property
    def text(self) -> str:
        return "".join(part.name if isinstance(part, Mention) else part for part in self.parts)


def retry_after(_: str, headers: Mapping[str, str], __: Mapping[str, Any]) -> object:
    return headers.get("retry-after")


Asks = Callable[[str, Mapping[str, str], Mapping[str, Any]], object]
"""From the address, the headers and the JSON of a refusal: the seconds to leave the service alone, as it gives them."""


@dataclass(frozen=True, slots=True)
class Service:
    """A chat service. address: what one looks like, for people. wrong: why an address is none of it, or None.

    post: where to post a message, and the body. handle: the form of its people's handles, as a pattern and in words
    (None: nobody is mentioned there). asks: for how long it asks to be left alone.
    """

    name: str
    address: str
    wrong: Callable[[str], str | None]
    post: Callable[[str, Message], tuple[str, dict[str, Any]]]
    handle: tuple[str, str] | None = None
    asks: Asks = retry_after


def name_of(service: str) -> str:
    """A service in words: of those below, or `webhook`."""
    return {"webhook": "a webhook", "ntfy": "ntfy"}.get(service, service.capitalize())


def _characters(text: str) -> int:
    # Counted in UTF-16 units, so never fewer than a service counts.
    return len(text.encode("utf-16-le")) // 2


def _bytes(text: str) -> int:
    return len(text.encode())


def _plain(*, escapes: Mapping[str, str] = MappingProxyType({}), parted: str = "") -> Callable[[str], list[str]]:
    """How to make people's text plain: characters to escape, and those to put something invisible after."""

    def pieces(text: str) -> list[str]:
        if not text:
            return []
        return [
            escapes.get(letter, letter) + (_JOINER if letter in parted and not after.isspace() else "")
            for letter, after in zip(text, f"{text[1:]}x", strict=True)
        ]

    return pieces


def _backslashes(signs: str) -> dict[str, str]:
    return {sign: f"\\{sign}" for sign in signs}


def _written(
    message: Message,
    limit: int,
    plain: Callable[[str], list[str]],
    mention: Callable[[Mention], str],
    *,
    measure: Callable[[str], int] = _characters,
) -> str:
    """The parts in a service's own form, cut off at its limit, but never within an escape or a mention."""
    done: list[str] = []
    left = limit - measure(_CUT)
    for part in message.parts:
        if isinstance(part, Mention):
            pieces = plain(part.name) if part.handle is None else [mention(part)]
        else:
            pieces = plain(part)
        for piece in pieces:
            left -= measure(piece)
            if left < 0:
                return "".join([*done, _CUT])
            done.append(piece)
    return "".join(done)


_DISCORD = _plain(escapes=_backslashes("\\*_~`|>#[]()<@:-/."))
_SLACK = _plain(escapes={"&": "&amp;", "<": "&lt;", ">": "&gt;"}, parted="@:/.")
_MATTERMOST = _plain(escapes=_backslashes("\\`*{}[]()#+-.!_>~|"), parted="@:/<~#")
_TELEGRAM = _plain(parted="@/#$.:")
_AS_IT_IS = _plain()
_MATRIX = _plain(parted="@")
_MATRIX_HTML = _plain(escapes={sign: escape(sign) for sign in "&<>\"'"}, parted="@")


# Before its version 8 it counts in milliseconds; an address without a version has 6.
_DISCORD_ITSELF = re.compile(r"^(https://(?:\w+\.)?discord(?:app)?\.com/api/)(?:v\d+/)?webhooks/")
_DISCORD_OF_OLD = re.compile(r"https?://[^/]+/api/(?:v[1-7]/)?webhooks/")


def _discord(url: str, message: Message) -> tuple[str, dict[str, Any]]:
    handles = [part.handle for part in message.parts if isinstance(part, Mention) and part.handle is not None]
    link = f"\n<{message.link}>" if message.link else ""
    content = _written(message, 2000 - _characters(link), _DISCORD, lambda one: f"<@{one.handle}>") + link
    named = [handle for handle in dict.fromkeys(handles) if f"<@{handle}>" in content]
    body = {"content": content, "allowed_mentions": {"parse": [], "users": named}}
    return _DISCORD_ITSELF.sub(r"\1v10/webhooks/", url), body


def _discord_asks(url: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> object:
    if (seconds := headers.get("x-ratelimit-reset-after")) is not None:
        return seconds
    pause = body.get("retry_after", headers.get("retry-after"))
    try:
        return float(str(pause)) / 1000 if _DISCORD_OF_OLD.match(url) else pause
    except ValueError:
        return pause


def _slack(url: str, message: Message) -> tuple[str, dict[str, Any]]:
    text = _written(message, 3900, _SLACK, lambda one: f"<@{one.handle}>")
    if message.link:
        text += f"\n<{message.link}>"
    return url, {
        "text": text,
        "mrkdwn": False,
        "parse": "none",
        "link_names": False,
        "unfurl_links": False,
        "unfurl_media": False,
    }


def _mattermost(url: str, message: Message) -> tuple[str, dict[str, Any]]:
    text = _written(message, 3800, _MATTERMOST, lambda one: f"@{one.handle}")
    return url, {"text": text + (f"\n<{message.link}>" if message.link else "")}


def _mattermost_asks(_: str, headers: Mapping[str, str], __: Mapping[str, Any]) -> object:
    return headers.get("retry-after", headers.get("x-ratelimit-reset"))


def _telegram(url: str, message: Message) -> tuple[str, dict[str, Any]]:
    parts = urlsplit(url)
    [chat] = parse_qs(parts.query)["chat_id"]
    rest = "&".join(one for one in parts.query.split("&") if "chat_id" not in parse_qs(one, True))
    # Without a parse_mode nothing is markup, but mentions, commands, hashtags, and links are still looked for.
    text = _written(message, 3900, _TELEGRAM, lambda one: f"@{one.handle}")
    body = {
        "chat_id": chat,
        "text": text + (f"\n{message.link}" if message.link else ""),
        "link_preview_options": {"is_disabled": True},
    }
    return urlunsplit(parts._replace(query=rest)), body


def _telegram_asks(_: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> object:
    given = body.get("parameters")
    pause = given.get("retry_after") if isinstance(given, Mapping) else None
    return headers.get("retry-after") if pause is None else pause


def _ntfy(url: str, message: Message) -> tuple[str, dict[str, Any]]:
    parts = urlsplit(url)
    base, _, topic = parts.path.rpartition("/")
    text = _written(message, 4000, _AS_IT_IS, lambda one: one.name, measure=_bytes)
    body = {"topic": topic, "title": "Trey", "message": text, **({"click": message.link} if message.link else {})}
    return urlunsplit(parts._replace(path=f"{base}/")), body


def _matrix(url: str, message: Message) -> tuple[str, dict[str, Any]]:
    def pill(one: Mention) -> str:
        there = quote(f"@{str(one.handle).lstrip('@')}", safe="@:")
        return f'<a href="https://matrix.to/#/{escape(there)}">{escape(one.name)}</a>'

    text = _written(message, 16_000, _MATRIX, lambda one: str(one.handle))
    html = _written(message, 16_000, _MATRIX_HTML, pill)
    if message.link:
        text += f"\n{message.link}"
        html += f'<br><a href="{escape(message.link)}">{escape(message.link)}</a>'
    return url, {"text": text, "html": html}


def _matrix_asks(_: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> object:
    pause = body.get("retry_after_ms")
    if "retry-after" in headers or not isinstance(pause, int | float):
        return headers.get("retry-after")
    return min(pause, 10**12) / 1000


def _any_path(url: str) -> str | None:
    return None if urlsplit(url).path.strip("/") else "This is the address of a server, not of a webhook."


def _telegram_address(url: str) -> str | None:
    parts = urlsplit(url)
    if not parts.path.endswith("/sendMessage"):
        return "The address must end with /sendMessage?chat_id=..."
    if len(parse_qs(parts.query).get("chat_id", ())) != 1:
        return "Name the chat in the address: ?chat_id=..."
    return None


_TOPIC = re.compile(r"[-_A-Za-z0-9]{1,64}")


def _ntfy_address(url: str) -> str | None:
    if not _TOPIC.fullmatch(urlsplit(url).path.rpartition("/")[2]):
        return "The address must end with the topic: 1 to 64 letters, digits, dashes and underscores."
    return None


SERVICES: Mapping[str, Service] = {
    one.name: one
    for one in (
        Service(
            "discord",
            "https://discord.com/api/webhooks/ID/TOKEN",
            _any_path,
            _discord,
            (r"[0-9]{17,20}", "your user id, 17 to 20 digits"),
            _discord_asks,
        ),
        Service(
            "slack",
            "https://hooks.slack.com/services/T.../B.../...",
            _any_path,
            _slack,
            (r"[UW][A-Z0-9]{7,20}", "your member id, such as U012AB3CD"),
        ),
        Service(
            "mattermost",
            "https://chat.example.org/hooks/...",
            _any_path,
            _mattermost,
            (r"(?!(?:all|channel|here)\Z)[a-z][a-z0-9._-]{2,63}", "your username, such as ada.lovelace"),
            _mattermost_asks,
        ),
        Service(
            "telegram",
            "https://api.telegram.org/botTOKEN/sendMessage?chat_id=...",
            _telegram_address,
            _telegram,
            (r"[A-Za-z][A-Za-z0-9_]{4,31}", "your username, such as ada_l"),
            _telegram_asks,
        ),
        Service("ntfy", "https://ntfy.sh/TOPIC", _ntfy_address, _ntfy),
        Service(
            "matrix",
            "https://hookshot.example.org/webhook/...",
            _any_path,
            _matrix,
            (r"@(?!room\b)[a-z0-9._=/+-]+:[A-Za-z0-9.-]+(?::[0-9]{1,5})?", "your address, such as @ada:example.org"),
            _matrix_asks,
        ),
    )
}
