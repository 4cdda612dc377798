"""How much readers of a heavy page slow down a call of the API, and whether they bring anything down.

    python benchmarks/pages.py [--readers 64] [--entrants 128] [--seconds 20] [--port 8042]

Starts the web as `make run` does, under its supervisor, in a state directory of its own that is removed at the end. One
client sends `GET me` alone, then beside readers who ask for the page of a season again and again, each at once after
the last response, and then while the season changes five times a second, so that no page is kept for long. Exit status
1 if the 95 % of `GET me` are more than three times as slow beside the readers, if a reader got anything but 200 or 503,
or if a process was replaced.
"""

import argparse
import http.client
import json
import os
import statistics
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

# Instead of this folder, in which `import tournaments` would find a file of it.
sys.path[0] = str(Path(__file__).resolve().parents[1])
os.environ["TREY_PROFILE"] = "pages"
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

MOST = 3.0
# Seconds between two calls of `GET me`.
PAUSE = 0.02


def season(entrants: int) -> tuple[str, str, str]:
    """A season of so many bots: the paths of its page and in the API, and the token of its organiser."""
    from django.test import Client

    from core.accounts import tokens
    from core.accounts.models import Player

    token = tokens.issue(Player.objects.create_user("organiser"))[0]
    client = Client(headers={"host": "localhost", "authorization": f"Bearer {token}"})

    def post(path: str, body: Any) -> Any:
        response = client.post(f"/api/v1/tournaments{path}", body, content_type="application/json")
        if response.status_code not in (200, 201):
            sys.exit(f"{path}: {response.status_code} {response.content.decode()}")
        return response.json()

    made = post("", {"title": "Season", "game": "threes", "kind": "season", "settings": {"tables": {"size": 4}}})
    post(f"/{made['id']}/open", {})
    for _ in range(entrants):
        post(f"/{made['id']}/entries", {"bot": "steady"})
    return f"/t/{made['slug']}", f"/api/v1/tournaments/{made['id']}", token


def asked(port: int, path: str, token: str, seconds: float, pause: float) -> tuple[list[float], Counter[int]]:
    """Milliseconds of each response, and how many there were of each status; 0 is a connection that broke."""
    until, times, statuses = time.monotonic() + seconds, list[float](), Counter[int]()
    headers = {"Host": "localhost", "Authorization": f"Bearer {token}"}
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    while time.monotonic() < until:
        begun = time.monotonic()
        try:
            caller.request("GET", path, headers=headers)
            response = caller.getresponse()
            response.read()
            statuses[response.status] += 1
        except (OSError, http.client.HTTPException):
            caller.close()
            statuses[0] += 1
        times.append((time.monotonic() - begun) * 1000)
        time.sleep(pause)
    caller.close()
    return times, statuses


def renamed(port: int, call: str, token: str, stop: threading.Event) -> None:
    """Rename the season again and again, so that its page changes."""
    headers = {"Host": "localhost", "Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    number = 0
    while not stop.wait(0.2):
        number += 1
        caller = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        caller.request("PATCH", call, json.dumps({"title": f"Season {number}"}), headers)
        if caller.getresponse().status != 200:
            sys.exit("the season cannot be renamed")
        caller.close()


def beside(options: argparse.Namespace, page: str, token: str) -> tuple[list[float], Counter[int], Counter[int]]:
    """`GET me` beside readers: its milliseconds and statuses, and those of the pages."""
    got: list[Counter[int]] = []
    readers = [
        threading.Thread(target=lambda: got.append(asked(options.port, page, token, options.seconds + 2, 0)[1]))
        for _ in range(options.readers)
    ]
    for reader in readers:
        reader.start()
    time.sleep(1)
    times, statuses = asked(options.port, "/api/v1/me", token, options.seconds, PAUSE)
    for reader in readers:
        reader.join()
    return times, statuses, sum(got, Counter[int]())


def measure(options: argparse.Namespace, page: str, call: str, token: str) -> bool:
    """Measure, print, and say whether the goal is met."""
    asked(options.port, "/api/v1/me", token, 3, PAUSE)
    alone, _ = asked(options.port, "/api/v1/me", token, options.seconds, PAUSE)
    usual, stop = shown("GET me alone", alone), threading.Event()
    changing = threading.Thread(target=renamed, args=(options.port, call, token, stop))
    met = True
    for name in (f"{options.readers} readers", f"{options.readers} readers of what changes"):
        if "changes" in name:
            changing.start()
        times, statuses, pages = beside(options, page, token)
        ratio = shown(name, times) / usual
        print(f"  95 % are {ratio:.1f} times as slow; GET me got {dict(statuses)}, the readers {dict(pages)}")
        met = met and ratio <= MOST and set(pages) <= {200, 503} and set(statuses) == {200}
    stop.set()
    changing.join()
    return met


def shown(name: str, times: list[float]) -> float:
    """Print the median and the 95 %, which are returned."""
    most = statistics.quantiles(times, n=20)[-1]
    print(f"{name}: median {statistics.median(times):.1f} ms, 95 % {most:.1f} ms")
    return most


def main() -> None:
    """Set up, measure, tear down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--readers", type=int, default=64)
    parser.add_argument("--entrants", type=int, default=128)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--port", type=int, default=8042)
    options = parser.parse_args()
    # The readers' threads are not to hold up the one that measures.
    sys.setswitchinterval(0.0005)
    from benchmarks.ground import own_place, web

    with own_place(), web(options.port) as supervisor:
        page, call, token = season(options.entrants)
        [child] = supervisor.children
        processes = set(child.heard)
        met = measure(options, page, call, token)
        replaced = processes - set(child.heard)
        print(f"processes replaced: {len(replaced)}")
    sys.exit(not (met and not replaced))


if __name__ == "__main__":
    main()
