"""What a client does by itself for each call (AP19), once for both clients: coroutines over a wire."""

import asyncio
import random
import time
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import quote, urlencode
from uuid import uuid4

import httpx

LONGEST_PAUSE = 30.0
KEPT = 100
BUSY = {429, 503}
UNREACHED = {502, 504}  # what a proxy answers while the server restarts


class Problem(Exception):  # noqa: N818  RFC 9457's word for it
    """The server refused a call and said why.

    `code` is for programs (docs/errors.md; under `/oauth/`, docs/apps.md), `detail` for people. `errors` names fields,
    `scope` the one that is missing, `retry_after` the seconds to wait, `request_id` the lines in the server's log.
    """

    def __init__(self, response: httpx.Response) -> None:
        try:
            body = dict(response.json())
        except (ValueError, TypeError):
            body = {}
        self.status = response.status_code
        self.code: str = body.get("code") or body.get("error") or ""
        said = body.get("detail") or body.get("error_description")
        self.detail: str = said or self.code or f"The server failed ({self.status})."
        self.errors: list[dict[str, Any]] = body.get("errors") or []
        self.scope: str | None = body.get("scope")
        wait = response.headers.get("Retry-After", "")
        self.retry_after = float(wait) if wait.isdecimal() else None
        self.request_id: str | None = response.headers.get("X-Request-ID")
        super().__init__(self.detail)


@dataclass(frozen=True)
class Call:
    """One call: a path under `/api/v1` with `{}` for its places, or a whole address."""

    method: str
    path: str
    places: tuple[str | int, ...] = ()
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    form: Mapping[str, str] | None = None
    key: bool = False
    etag: bool = False
    expect: int | str | None = None


class Blocking:
    """How a client without `await` sends and waits: its coroutines wait for no loop, so that one step ends each."""

    def __init__(self) -> None:
        self._http = httpx.Client()

    async def send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        response = self._http.send(request, stream=stream)
        if not response.is_success:
            response.read()
        return response

    async def parts(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        try:
            for part in response.iter_bytes():
                yield part
        finally:
            response.close()

    async def pause(self, seconds: float) -> None:
        time.sleep(seconds)

    async def close(self) -> None:
        self._http.close()


class Looping:
    """How a client of asyncio sends and waits."""

    def __init__(self) -> None:
        self._http = httpx.AsyncClient()

    async def send(self, request: httpx.Request, *, stream: bool = False) -> httpx.Response:
        response = await self._http.send(request, stream=stream)
        if not response.is_success:
            await response.aread()
        return response

    async def parts(self, response: httpx.Response) -> AsyncGenerator[bytes, None]:
        try:
            async for part in response.aiter_bytes():
                yield part
        finally:
            await response.aclose()

    async def pause(self, seconds: float) -> None:
        await asyncio.sleep(seconds)

    async def close(self) -> None:
        await self._http.aclose()


class Caller:
    """Where the server is, who calls, and what is kept: the state of a client."""

    def __init__(
        self, wire: Blocking | Looping, url: str, token: str | None, *, timeout: float = 30, patience: float = 120,
        silence: float = 45, pause: float = 0.5,
    ) -> None:  # fmt: skip
        """Spans are in seconds: for an answer, for all tries, for a stream's silence, and before the second try."""
        self.wire, self.url, self.token = wire, url.rstrip("/"), token
        self.timeout, self.patience, self.silence, self.pause = timeout, patience, silence, pause
        self._kept: OrderedDict[str, httpx.Response] = OrderedDict()

    def log_in_with(self, token: str) -> None:
        """Call with this token from now on, and forget what the one before was shown."""
        self.token = token
        self._kept.clear()

    def request(self, call: Call, *, wait: float | None = None) -> httpx.Request:
        """The request of a call; `wait` goes before `timeout`."""
        path = call.path.format(*(quote(str(place), safe="") for place in call.places))
        url = path if path.startswith("http") else f"{self.url}/api/v1{path}"
        if asked := {key: value for key, value in call.query.items() if value is not None}:
            words = {key: str(value).lower() if isinstance(value, bool) else value for key, value in asked.items()}
            url += ("&" if "?" in url else "?") + urlencode(words)
        named = {"Accept": "application/json, */*;q=0.5", "User-Agent": "trey-client"}
        if call.key:
            named["Idempotency-Key"] = str(uuid4())
        if self.token is not None and call.form is None:
            named["Authorization"] = f"Bearer {self.token}"
        if call.expect is not None:
            named["If-Match"] = f'"v{call.expect}"' if isinstance(call.expect, int) else call.expect
        spans = httpx.Timeout(self.timeout, read=wait or self.timeout).as_dict()
        body = {"json": call.body} if call.body is not None else {"data": call.form} if call.form is not None else {}
        return httpx.Request(call.method, url, headers=named, extensions={"timeout": spans}, **body)

    async def do(self, call: Call) -> Any:
        """Make a call, again where that is safe; return the JSON of the answer, or its text. Raises Problem."""
        request = self.request(call)
        url = str(request.url)
        if kept := self._kept.get(url) if call.etag else None:
            request.headers["If-None-Match"] = kept.headers["ETag"]
        response = await self._again(request, is_safe=call.key or call.method not in {"POST", "PATCH"})
        if response.status_code == httpx.codes.NOT_MODIFIED and kept:
            response = kept
        if not response.is_success:
            raise Problem(response)
        if call.etag and "ETag" in response.headers:
            self._kept[url] = response
            self._kept.move_to_end(url)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        if response.status_code == httpx.codes.NO_CONTENT:
            return None
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        return response.json() if kind == "application/json" else response.text

    async def _again(self, request: httpx.Request, *, is_safe: bool) -> httpx.Response:
        ends, pause = time.monotonic() + self.patience, self.pause
        while True:
            lost = wanted = None
            try:
                response = await self.wire.send(request)
            except httpx.TransportError as error:
                if not is_safe:
                    raise
                lost = error
            else:
                wanted = Problem(response).retry_after if response.status_code in BUSY else None
                if wanted is None and not (is_safe and response.status_code in BUSY | UNREACHED):
                    return response
            waits = pause * random.uniform(0.5, 1) if wanted is None else wanted  # noqa: S311  jitter
            if time.monotonic() + waits > ends:
                if lost:
                    raise lost
                return response
            await self.wire.pause(waits)
            if wanted is None:
                pause = min(2 * pause, LONGEST_PAUSE)
