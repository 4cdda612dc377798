"""One player's connection to the public API, and the account that this computer plays with."""

import getpass
import re
import secrets
from typing import Any, Self

import httpx

Json = dict[str, Any]


class Refused(Exception):  # noqa: N818  the server's word for it
    """The server refused a request and said why."""


class Server:
    """One player's connection to the API."""

    def __init__(self, url: str) -> None:
        self.http = httpx.Client(base_url=f"{url.rstrip('/')}/api/v1/", timeout=30)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.http.close()

    def get(self, path: str, **headers: str) -> Json | None:
        """Return the body, or None when nothing has changed since the ETag that was sent."""
        answer = self.http.get(path, headers=headers)
        if answer.status_code == httpx.codes.NOT_MODIFIED:
            return None
        body = self._body(answer)
        body["etag"] = answer.headers.get("ETag", "")
        return body

    def post(self, path: str, body: Json | None = None, **headers: str) -> Json:
        """Return the body of the answer."""
        return self._body(self.http.post(path, json=body or {}, headers=headers))

    def put(self, path: str, body: Json) -> Json:
        """Return the body of the answer."""
        return self._body(self.http.put(path, json=body))

    def patch(self, path: str, body: Json) -> Json:
        """Return the body of the answer."""
        return self._body(self.http.patch(path, json=body))

    def log_in(self, account: Json) -> None:
        """Use a token for this account from now on."""
        token = self.post("auth/login", account)["token"]
        self.http.headers["Authorization"] = f"Bearer {token}"

    def _body(self, answer: httpx.Response) -> Json:
        if answer.is_error:
            is_json = "json" in answer.headers.get("Content-Type", "")
            raise Refused(answer.json()["detail"] if is_json else f"The server failed ({answer.status_code}).")
        return dict(answer.json()) if answer.content else {}


def signed_in(server: Server, saved: Json, name: str | None = None) -> None:
    """Log in to the saved account, or make one: under `name` if one is given, which the saved one then takes, too.

    Raises Refused: the name is taken, or cannot be one.
    """
    if "account" in saved:
        try:
            server.log_in(saved["account"])
        except Refused:
            saved.clear()  # another database: the account is not there
        else:
            if name and name.casefold() != saved["account"]["username"].casefold():
                server.patch("me", {"username": name})
                saved["account"]["username"] = name
            return
    user = re.sub(r"\W", "", getpass.getuser()) or "player"
    account = {"username": name or f"{user[:20]}-{secrets.token_hex(3)}", "password": secrets.token_urlsafe(16)}
    server.post("players", account)
    saved["account"] = account
    server.log_in(account)
