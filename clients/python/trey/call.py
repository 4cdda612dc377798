"""What a client does by itself for each call (AP19), once for both clients: coroutines over a wire."""

import asyncio
import json
import logging
import random
import re
import socket
import ssl
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping, Sequence
from email.utils import mktime_tz, parsedate_tz
from inspect import isawaitable
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

import httpx

from .schema import __version__

log = logging.getLogger("trey")
LONGEST_PAUSE = 30.0
KEPT = 100
BUSY = {429, 503}
UNREACHED = {502, 504}  # what a proxy answers while the server restarts
Lost = httpx.TransportError
HEALING = (httpx.NetworkError, httpx.RemoteProtocolError, httpx.TimeoutException)


class Problem(Exception):  # noqa: N818  RFC 9457's word for it
    """The server refused a call and said why.

    `code` is for programs (docs/errors.md; under `/oauth/`, docs/apps.md), `detail` for people. `errors` names fields,
    `scope` the one that is missing, `retry_after` the seconds to wait, `request_id` the lines in the server's log.
    """

    def __init__(self, status: int, headers: Mapping[str, str], text: str) -> None:
        super().__init__(status, headers, text)
        try:
            body = dict(json.loads(text))
        except (ValueError, TypeError):
            body = {}
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


def problem_of(response: httpx.Response) -> Problem:
    return Problem(response.status_code, response.headers, response.text)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """The seconds of `Retry-After`: a number, or a date, which the server's own clock dates."""
    said = headers.get("Retry-After", "").strip()
    if re.fullmatch(r"[0-9]+(\.[0-9]*)?|\.[0-9]+", said):
        return float(said)
    until, now = (parsedate_tz(each) for each in (said, headers.get("Date", "")))
    return max(0.0, mktime_tz(until) - (mktime_tz(now) if now else time.time())) if until else None


def value_of(response: httpx.Response) -> Any:
    """The JSON of an answer, or its text."""
    if response.status_code == httpx.codes.NO_CONTENT:
        return None
    kind = response.headers.get("Content-Type", "").partition(";")[0]
    return response.json() if kind == "application/json" else response.text


async def done(result: Any) -> Any:
    """What httpx returns, whichever of its clients was called."""
    return await result if isawaitable(result) else result


class Caller:
    """Where the server is, who calls, and what is kept: the state of a client.

    Without asyncio nothing in it waits for a loop, so that one step ends each of its coroutines.
    """

    def __init__(
        self, http: httpx.Client | httpx.AsyncClient, url: str, token: str | None, *, timeout: float = 30,
        patience: float = 120, silence: float = 45, pause: float = 0.5,
    ) -> None:  # fmt: skip
        """Spans are in seconds: for an answer, for all tries, for a stream's silence, and before the second try."""
        address = httpx.URL(url.strip().rstrip("/"))
        if address.scheme not in {"http", "https"} or not address.host or address.userinfo:
            raise ValueError("Give the server's whole address, such as https://trey.example, without a user in it.")
        self.url, self._has_met = str(address).rstrip("/"), False
        self._http: Any = http
        self._a = "a" if isinstance(http, httpx.AsyncClient) else ""
        self.timeout, self.patience, self.silence, self.pause = timeout, patience, silence, pause
        self._kept: OrderedDict[str, httpx.Response] = OrderedDict()
        self.token = token

    @property
    def token(self) -> str | None:
        """What it calls with. A new one forgets what the one before was shown. Raises ValueError."""
        return self._token

    @token.setter
    def token(self, token: str | None) -> None:
        self._token = None if token is None else token.strip()
        if self._token is not None and not re.fullmatch("[!-~]+", self._token):
            self._token = None
            raise ValueError("This is no token: a token is one word of printable ASCII.")
        self._kept.clear()

    def request(
        self, method: str, path: str, places: Sequence[str | int] = (), *, query: Mapping[str, Any] | None = None,
        body: Any = None, form: Mapping[str, str] | None = None, key: str | None = None,
        expect: int | str | None = None, wait: float | None = None,
    ) -> httpx.Request:  # fmt: skip
        """A request to a path under `/api/v1` with `{}` for its places, or to a whole address; `wait` for `timeout`."""
        path = path.format(*(quote(str(place), safe="") for place in places))
        url = path if path.startswith("http") else f"{self.url}/api/v1{path}"
        if asked := {name: value for name, value in (query or {}).items() if value is not None}:
            words = {name: str(value).lower() if isinstance(value, bool) else value for name, value in asked.items()}
            url += ("&" if "?" in url else "?") + urlencode(words)
        named = {"Accept": "application/json, */*;q=0.5", "User-Agent": f"trey-client/{__version__} (Python)"}
        named["Accept-Encoding"] = "identity"  # what compresses on the way weakens ETags, and holds events back
        if key is not None:
            named["Idempotency-Key"] = key or str(uuid4())
        if self.token is not None and form is None:
            named["Authorization"] = f"Bearer {self.token}"
        if expect is not None:
            named["If-Match"] = f'"v{expect}"' if isinstance(expect, int) else expect.removeprefix("W/")
        spans = httpx.Timeout(self.timeout, read=wait or self.timeout)
        made: httpx.Request = self._http.build_request(method, url, headers=named, timeout=spans, json=body, data=form)
        return made

    async def do(self, *call: Any, **sent: Any) -> Any:
        """Make a call; return the JSON of the answer, or its text. Raises Problem and Lost."""
        return value_of(await self.answer(*call, **sent))

    async def answer(self, method: str, *call: Any, etag: bool = False, **sent: Any) -> httpx.Response:
        """Make a call, again where that is safe; with `etag` an answer is kept. Raises Problem and Lost."""
        request = self.request(method, *call, **sent)
        url = str(request.url)
        if kept := self._kept.get(url) if etag else None:
            request.headers["If-None-Match"] = kept.headers["ETag"]
        # Of a condition that was sent again nobody knows whether the first try met it.
        is_safe = "key" in sent or (method not in {"POST", "PATCH"} and sent.get("expect") is None)
        response = await self._again(request, is_safe=is_safe)
        if response.status_code == httpx.codes.NOT_MODIFIED and kept:
            response = kept
        if not response.is_success:
            raise problem_of(response)
        if etag and "ETag" in response.headers:
            self._kept[url] = response
            self._kept.move_to_end(url)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        return response

    async def _again(self, request: httpx.Request, *, is_safe: bool) -> httpx.Response:
        ends, pause = time.monotonic() + self.patience, self.pause
        while True:
            no: Problem | Lost
            try:
                response = await self.send(request)
            except Lost as lost:
                no, wanted, may_heal = lost, None, is_safe and self.may_heal(lost)
            else:
                if response.status_code not in BUSY | UNREACHED:
                    return response
                no = problem_of(response)
                wanted = no.retry_after if no.status in BUSY else None
                may_heal = is_safe or wanted is not None
            waits = pause * random.uniform(0.5, 1) if wanted is None else max(wanted, self.pause)  # noqa: S311  jitter
            if not may_heal or time.monotonic() + waits > ends:
                raise no
            log.warning("%s %s: %s. Again in %.1f s.", request.method, request.url.path, no, waits)
            await self.wait(waits)
            if wanted is None:
                pause = min(2 * pause, LONGEST_PAUSE)

    async def send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        """Send it once."""
        response: httpx.Response = await done(self._http.send(request, stream=stream, follow_redirects=False))
        self._has_met = True
        if not response.is_success:
            await done(getattr(response, f"{self._a}read")())
        return response

    async def parts(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        """What comes of a stream."""
        coming = getattr(response, f"{self._a}iter_bytes")()
        try:
            while part := await done((anext if self._a else next)(coming, b"")):
                yield part
        finally:
            await done(getattr(response, f"{self._a}close")())

    async def wait(self, seconds: float) -> None:
        await done((asyncio.sleep if self._a else time.sleep)(seconds))

    def may_heal(self, lost: Lost) -> bool:
        """Whether another try may help: against no wrong address, header or certificate, nor a name unknown so far."""
        cause: BaseException | None = lost if isinstance(lost, httpx.ConnectError) else None
        while cause := cause and (cause.__cause__ or cause.__context__):
            if isinstance(cause, ssl.SSLError) and not isinstance(cause, ssl.SSLEOFError | ssl.SSLZeroReturnError):
                return False
            if isinstance(cause, socket.gaierror) and cause.errno != socket.EAI_AGAIN and not self._has_met:
                return False
        return isinstance(lost, HEALING)
