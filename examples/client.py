"""The shortest whole client of Trey: sign up, open a room with bots, poll, move, end. Standard library only.

    python examples/client.py [URL] [GAME]

It plays the first legal move it is offered, which is no way to win. docs/build/client.md explains each step.
"""

import json
import secrets
import sys
import time
import urllib.error
import urllib.request
from email.message import Message
from typing import Any

Json = dict[str, Any]

SERVER = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000"
GAME = sys.argv[2] if len(sys.argv) > 2 else "threes"
LONGEST_PAUSE = 5.0  # seconds between two looks when nothing happens


class Trey:
    """One player's connection to the API."""

    def __init__(self, server: str) -> None:
        self.api = f"{server.rstrip('/')}/api/v1/"
        self.headers = {"Content-Type": "application/json", "Accept": "application/json"}

    def call(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, Json, Message]:
        """Return status, body and headers. Raises urllib.error.HTTPError for anything refused."""
        data = None if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        request = urllib.request.Request(self.api + path, data, self.headers | named, method=method)  # noqa: S310
        while True:
            try:
                with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310  the address is the caller's own
                    raw = answer.read()
                    return answer.status, json.loads(raw) if raw else {}, answer.headers
            except urllib.error.HTTPError as error:
                with error:
                    if error.code == 304:  # nothing new
                        return 304, {}, error.headers
                    if error.code not in {429, 503}:
                        raise
                    time.sleep(int(error.headers["Retry-After"]))

    def sign_up(self) -> None:
        """Make an account and log in."""
        account = {"username": f"client-{secrets.token_hex(4)}", "password": secrets.token_urlsafe(16)}
        self.call("POST", "players", account)
        _, login, _ = self.call("POST", "auth/login", account)
        self.headers["Authorization"] = f"Bearer {login['token']}"

    def move(self, game_id: str, move: Json) -> Json:
        """Send a move. The key makes it safe to send again when the answer is lost."""
        key = secrets.token_hex(16)
        for attempt in range(5):
            try:
                _, answer, _ = self.call("POST", f"games/{game_id}/moves", move, Idempotency_Key=key)
                return dict(answer["game"])
            except urllib.error.HTTPError:
                raise  # refused: sending it again would not help
            except OSError:
                time.sleep(2**attempt)
        raise ConnectionError("the server cannot be reached")


def play(trey: Trey, game: Json) -> Json:
    """Play a game to its end; return it as it is then."""
    etag, pause = "", 0.1
    while game["status"] in {"setup", "playing"}:
        if game["your_seat"] in game["to_act"]:
            _, legal, _ = trey.call("GET", f"games/{game['id']}/moves")
            if legal["moves"]:
                game = trey.move(game["id"], legal["moves"][0]["send"])
                etag, pause = "", 0.1
                continue
        time.sleep(pause)
        status, body, headers = trey.call("GET", f"games/{game['id']}", If_None_Match=etag)
        if status == 304:
            pause = min(pause * 1.5, LONGEST_PAUSE)
        else:
            game, etag, pause = body, headers["ETag"], 0.1
    return game


def main() -> None:
    """Play one game against two bots."""
    trey = Trey(SERVER)
    trey.sign_up()
    _, game, _ = trey.call("POST", "games", {"game": GAME, "seats": 3, "bots": 2})
    _, game, _ = trey.call("POST", f"games/{game['id']}/start", {})
    game = play(trey, game)
    for row in game["view"]["result"]["placements"]:
        who = "you" if row["seat"] == game["your_seat"] else f"bot in seat {row['seat']}"
        print(f"{row['place']}. {who}")


if __name__ == "__main__":
    main()
