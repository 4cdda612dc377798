"""What a client does by itself for each call and each stream (AP19), once for both clients."""

import asyncio
import json
import logging
import math
import random
import re
import socket
import ssl
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from contextlib import suppress
from email.utils import mktime_tz, parsedate_tz
from inspect import isawaitable
from typing import Any
from urllib.parse import quote, urljoin
from uuid import uuid4

import httpx

from .schema import AsyncOperations, __version__

log = logging.getLogger("trey")
LONGEST_PAUSE = 30.0
KEPT = 100
BUSY, UNREACHED = {429, 503}, {502, 504}  # the latter a proxy answers while the server restarts
Lost = httpx.TransportError
HEALING = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.TimeoutException)


class Problem(Exception):  # noqa: N818  RFC 9457's word for it
    """The server refused a call and said why.

    `code` is for programs (docs/build/errors.md, of `/oauth/` docs/build/apps.md), `detail` for people. `errors` names
    fields, `scope` what is missing, `retry_after` the seconds to wait, `request_id` the lines in the server's log.
    """

    def __init__(self, status: int, headers: Mapping[str, str], text: str) -> None:
        super().__init__(status, headers, text)
        body: dict[str, Any] = {}
        with suppress(ValueError, TypeError):  # a proxy's page
            body = dict(json.loads(text))
        self.status, self.headers = status, headers
        self.code: str = body.get("code") or body.get("error") or ""
        said = body.get("detail") or body.get("error_description")
        self.detail: str = said or self.code or f"The server failed ({status})."
        self.errors: list[dict[str, Any]] = body.get("errors") or []
        self.scope: str | None = body.get("scope")
        self.retry_after = retry_after(headers)
        self.request_id: str | None = headers.get("X-Request-ID")

    def __str__(self) -> str:
        return f"{self.status} {self.code or '-'}: {self.detail} (request {self.request_id or '-'})"


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds of `Retry-After`: a number, or a date, which the server's own clock dates."""
    said = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", said):
        return float(said)
    until, now = (parsedate_tz(each) for each in (said, headers.get("Date", "")))
    return max(0.0, mktime_tz(until) - (mktime_tz(now) if now else time.time())) if until else None


def value_of(response: httpx.Response) -> Any:
    if response.status_code == 204:
        return None
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    return response.json() if kind == "application/json" else response.text


def told(no: Exception | None) -> str:
    """What an error says, or else is: time-outs of httpx may have no words."""
    return "it ended" if no is None else str(no) or type(no).__name__


async def done(result: Any) -> Any:
    """What httpx returns, whichever of its clients was called."""
    return await result if isawaitable(result) else result


def cut(raw: bytes) -> tuple[list[Any], bytes]:
    """The events of a stream, and the bytes behind them. Lines end at LF, CR and CRLF only: data may hold U+2028."""
    *blocks, rest = re.split(rb"(?>\r\n?|\n){2}", raw)
    found = []
    for block in blocks:
        fields: dict[str, list[str]] = {}
        for name, _, value in (line.partition(":") for line in re.split("\r\n?|\n", block.decode())):
            fields.setdefault(name, []).append(value.removeprefix(" "))
        if "data" in fields:
            number, event = fields.get("id", [""])[-1], fields.get("event", ["message"])[-1]
            data = json.loads("\n".join(fields["data"]))
            found.append({"event": event, "id": int(number) if number.isdecimal() else None, "data": data})
    return found, rest


class Caller(AsyncOperations):
    """The state of a client. Over an `httpx.Client` nothing waits for a loop: one step ends each of its coroutines."""

    def __init__(
        self, url: str, *, token: str | None = None, http: httpx.AsyncClient | None = None, timeout: float = 30,
        patience: float = 120, silence: float = 45, pause: float = 0.5,
    ) -> None:  # fmt: skip
        """Spans are in seconds: for an answer, for all tries, for a stream's silence, and before the second try."""
        address = httpx.URL(url.strip().rstrip("/"))
        if address.scheme not in {"http", "https"} or not address.host or address.userinfo:
            raise ValueError("Give the server's full address, such as https://trey.example, without a username.")
        self.url, self._has_met, self._is_own = str(address).rstrip("/"), False, http is None
        self._http: Any = http or httpx.AsyncClient()
        self._a = "a" if isinstance(self._http, httpx.AsyncClient) else ""
        self.timeout, self.patience, self.silence, self.pause = timeout, patience, silence, pause
        self._kept: OrderedDict[str, httpx.Response] = OrderedDict()
        self.token = token

    @property
    def token(self) -> str | None:
        """What it calls with. A new one forgets what the one before was shown. Raises ValueError."""
        return self._token

    @token.setter
    def token(self, token: str | None) -> None:
        word = token and token.strip()
        if word is not None and not re.fullmatch("[!-~]+", word):
            raise ValueError("This is not a token. A token is one word of printable ASCII.")
        self._token = word
        self._kept.clear()

    def _request(
        self, method: str, path: str, places: Sequence[str | int] = (), *, query: Mapping[str, Any] | None = None,
        body: Any = None, form: Mapping[str, str] | None = None, key: str | None = None,
        expect: int | str | None = None, wait: float | None = None,
    ) -> httpx.Request:  # fmt: skip
        """A request to a path under `/api/v1` with `{}` for its places, or to a whole address; `wait` for `timeout`."""
        path = path.format(*(quote(str(place), safe="") for place in places))
        asked = {name: value for name, value in (query or {}).items() if value is not None}
        url = httpx.URL(path if path.startswith("http") else f"{self.url}/api/v1{path}").copy_merge_params(asked)
        named = {"Accept": "application/json, */*;q=0.5", "User-Agent": f"trey-client/{__version__} (Python)"}
        named["Accept-Encoding"] = "identity"  # what compresses on the way weakens ETags, and holds events back
        if key is not None:
            named["Idempotency-Key"] = key or str(uuid4())
        if self.token is not None and form is None:
            named["Authorization"] = f"Bearer {self.token}"
        if expect is not None:
            named["If-Match"] = f'"v{expect}"' if isinstance(expect, int) else expect.removeprefix("W/")
        spans = httpx.Timeout(self.timeout, read=wait or self.timeout)
        return self._http.build_request(method, url, headers=named, timeout=spans, json=body, data=form)

    async def _do(self, *call: Any, **sent: Any) -> Any:
        return value_of(await self._answer(*call, **sent))

    async def _answer(self, method: str, *call: Any, etag: bool = False, **sent: Any) -> httpx.Response:
        """Make a call, again where that is safe; with `etag` an answer is kept. Raises Problem and Lost."""
        request = self._request(method, *call, **sent)
        url, response = str(request.url), None
        if kept := self._kept.get(url) if etag else None:
            request.headers["If-None-Match"] = kept.headers["ETag"]
        # Of a condition that was sent again nobody knows whether the first try met it.
        is_safe = "key" in sent or (method not in {"POST", "PATCH"} and sent.get("expect") is None)
        ends, pause = time.monotonic() + self.patience, self.pause
        while response is None:
            try:
                response = await self._send(request)
            except (Lost, Problem) as no:
                pause = await self._rest(f"{method} {request.url.path}", no, pause, is_safe=is_safe, ends=ends)
        if kept and response.status_code == 304:
            response = kept
        if etag and "ETag" in response.headers:
            self._kept[url] = response
            self._kept.move_to_end(url)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return response

    async def _send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        response = await done(self._http.send(request, stream=stream, follow_redirects=False))
        self._has_met = True
        if not (response.is_success or (response.status_code == 304 and "If-None-Match" in request.headers)):
            await done(getattr(response, f"{self._a}read")())
            raise Problem(response.status_code, response.headers, response.text)
        return response

    async def _opened(self, where: str, after: int | None) -> AsyncGenerator[Any, None]:
        """The events of a stream while it is open, and None after each part of it."""
        request = self._request("GET", urljoin(f"{self.url}/", where), query={"after": after}, wait=self.silence)
        response = await self._send(request, stream=True)
        coming, rest = getattr(response, f"{self._a}iter_bytes")(), b""
        try:
            while part := await done((anext if self._a else next)(coming, b"")):
                events, rest = cut(rest + part)
                for event in [*events, None]:
                    yield event
        finally:
            await done(getattr(response, f"{self._a}close")())

    async def _rest(
        self, what: str, no: Problem | Lost | None, pause: float, *, ends: float = math.inf, is_safe: bool = True,
        statuses: Collection[int] = BUSY | UNREACHED,
    ) -> float:  # fmt: skip
        """Wait before the next try, and return the pause before the one behind it. Raises what no try mends in time."""
        wanted = no.retry_after if isinstance(no, Problem) and no.status in BUSY else None
        waits = pause * random.uniform(0.5, 1) if wanted is None else max(wanted, self.pause)  # noqa: S311  jitter
        if no:
            may_heal = no.status in statuses if isinstance(no, Problem) else self._may_heal(no)
            if not may_heal or not (is_safe or wanted is not None) or time.monotonic() + waits > ends:
                raise no
        log.log(logging.WARNING if no else logging.INFO, "%s: %s. Again in %.1f s.", what, told(no), waits)
        await self._wait(waits)
        return pause if wanted is not None else min(2 * pause, LONGEST_PAUSE)

    async def _wait(self, seconds: float) -> None:
        await done((asyncio.sleep if self._a else time.sleep)(seconds))

    def _may_heal(self, lost: Lost) -> bool:
        """Whether another try may help: against no wrong address, header or certificate, nor a name unknown so far."""
        cause: BaseException | None = lost if isinstance(lost, httpx.ConnectError) else None
        while cause := cause and (cause.__cause__ or cause.__context__):
            if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError):
                return False
            if isinstance(cause, socket.gaierror) and cause.errno != socket.EAI_AGAIN and not self._has_met:
                return False
        return isinstance(lost, HEALING)
