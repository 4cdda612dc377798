"""A bot that logs in as an app: it shows six letters, which its owner types on another device. Standard library only.

    TREY=https://trey.example python examples/device.py

It plays the first legal move in all games of its owner. docs/build/apps.md says what apps may do.
"""

import json
import os
import time
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

TREY = os.environ.get("TREY", "http://127.0.0.1:8000")
APP = "https://owl.example/bot"


def call(url: str, token: str | None = None, *, form: dict[str, str] | None = None, body: object = None) -> Any:
    """Return the JSON of the response, of a refusal too."""
    data = urlencode(form).encode() if form else json.dumps(body).encode() if body else None
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"} if token else {}
    try:
        with urlopen(Request(url, data, headers), timeout=30) as answer:  # noqa: S310  the address is the caller's own
            return json.load(answer)
    except HTTPError as error:
        with error:
            return json.load(error)


def log_in() -> str:
    """Return a token, as soon as the owner has typed the letters."""
    about = call(f"{TREY}/.well-known/openid-configuration")
    device = call(about["device_authorization_endpoint"], form={"client_id": APP, "scope": "read play"})
    print(f"Open {device['verification_uri']} and type {device['user_code']}.", flush=True)
    form = {"grant_type": about["grant_types_supported"][1], "device_code": device["device_code"], "client_id": APP}
    while (answer := call(about["token_endpoint"], form=form)).get("error") in {"authorization_pending", "slow_down"}:
        time.sleep(device["interval"])
    token: str = answer["access_token"]  # keep it where only you can read it
    return token


def play(token: str) -> None:
    """Play the first legal move in each game that waits, for ever."""
    while True:
        for turn in call(f"{TREY}/api/v1/me/turns", token)["results"]:
            moves = f"{TREY}/api/v1/games/{turn['id']}/moves"
            if legal := call(moves, token)["moves"]:
                print(call(moves, token, body=legal[0]["send"])["game"]["version"], flush=True)
        time.sleep(5)


if __name__ == "__main__":
    play(log_in())
