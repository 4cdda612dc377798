"""A client for tests: one person who calls the API and gets answers as JSON."""

import json
import re
from dataclasses import dataclass, field
from typing import Any

from django.test import Client

ROOT = "/api/v1"
PASSWORD = "a quiet evening"


@dataclass
class Answer:
    """An answer: its status, its JSON (None without a body) and its headers."""

    status: int
    body: Any
    headers: dict[str, str]
    raw: bytes

    @property
    def code(self) -> str | None:
        """The code of a problem."""
        return self.body["code"] if self.headers.get("content-type") == "application/problem+json" else None


@dataclass
class Person:
    """Somebody with or without a token."""

    username: str = "nobody"
    token: str | None = None
    client: Client = field(default_factory=Client)

    def call(self, method: str, path: str, body: Any = None, raw: bytes | None = None, **headers: str) -> Answer:
        """One request; header names with underscores, as in If_Match."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if self.token is not None:
            sent.setdefault("Authorization", f"Bearer {self.token}")
        content_type = sent.pop("Content-Type", "application/json")
        data = raw if raw is not None else b"" if body is None else json.dumps(body).encode()
        url = path if path.startswith(("/", "http")) else f"{ROOT}/{path}"
        response = self.client.generic(method, url, data, content_type=content_type, headers=sent)
        return answer_of(response)

    def get(self, path: str, **headers: str) -> Answer:
        return self.call("GET", path, None, None, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("POST", path, body, None, **headers)

    def patch(self, path: str, body: Any = None, **headers: str) -> Answer:
        return self.call("PATCH", path, body, None, **headers)

    def opens(self, **wanted: Any) -> dict[str, Any]:
        """A room of Threes for two, unless it says otherwise."""
        answer = self.post("games", {"game": "threes", "seats": 2, **wanted})
        assert answer.status == 201, answer.body
        return dict(answer.body)

    def sees(self, game: dict[str, Any]) -> dict[str, Any]:
        """The game as it is now."""
        answer = self.get(f"games/{game['id']}")
        assert answer.status == 200, answer.body
        return dict(answer.body)


def answer_of(response: Any) -> Answer:
    headers = {name.lower(): value for name, value in response.headers.items()}
    raw = response.getvalue()
    is_json = re.search(r"[/+]json\b", headers.get("content-type", "")) and raw
    return Answer(response.status_code, json.loads(raw) if is_json else None, headers, raw)


def concrete(legal: dict[str, Any]) -> dict[str, Any]:
    """The move that an entry of the list of legal moves says can be sent."""
    return dict(legal["send"])
