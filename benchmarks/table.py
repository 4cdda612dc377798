"""What the table costs in a browser: its first paint at the speed of 4G, its bytes, and how long a tap takes.

    python -m benchmarks.table [--times 5] [--game castle] [--port 8043]

Starts the web as `make run` does, in a state directory of its own that is removed at the end. The system's Chromium
opens a game of each kind, or of one, as a phone of 390 px, with nothing cached, at 9 Mbit/s with 60 ms to and fro.
Printed are the first contentful paint, all bytes that came over the network until the table stood and nothing more was
asked for, and for taps on cards the time until the next frame and the processor time of the page's thread. The exit
status is 1 when a median of the paints is over 1 s, a page over 150 kB, or the 95 % of the taps over 100 ms. The
machine's load is printed: on a busy one the times are the load's.
"""

import argparse
import os
import shutil
import statistics
import sys
from collections.abc import Sequence
from typing import Any, cast

os.environ["TREY_PROFILE"] = "table"
os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"

MOST_PAINT, MOST_BYTES, MOST_TAP = 1000.0, 150_000, 100.0
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
NETWORK = {"offline": False, "latency": 60, "downloadThroughput": 9e6 / 8, "uploadThroughput": 4e6 / 8}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
# Milliseconds from a tap until the frame after it.
TAPS = """async () => {
  const root = document.querySelector('trey-table').shadowRoot;
  const times = [];
  for (let at = 0; at < 20; at++) {
    const cards = root.querySelectorAll('.hand button');
    const begun = performance.now();
    cards[at % cards.length].click();
    await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    times.push(performance.now() - begun);
  }
  return times;
}"""


def dealt(names: Sequence[str]) -> tuple[dict[str, str], str]:
    """A game of each name in which three people have chosen and it is the first one's turn: ids, and their session."""
    from django.conf import settings
    from django.test import Client

    from core.accounts.models import Player
    from games import services
    from games.projections import Snapshot, load
    from games.rules import GAMES
    from games.rules.moves import first_of

    people = [Player.objects.create_user(name) for name in ("ada", "bob", "cho")]
    found = {}
    for name in names:
        rules = GAMES[name]
        game = services.open_room(people[0], services.Terms(name, len(people), visibility="private"))
        for other in people[1:]:
            services.join(game.id, other, invitation=game.invitation)
        game = services.start(game.id, people[0])
        while game.status == "setup" or 0 not in rules.to_act(game.state):
            seat = rules.to_act(game.state)[0]
            move = first_of(rules.legal_moves(game.state, seat)[0])
            services.play(game.id, people[seat], move)
            game = cast("Snapshot", load(game.id))
        found[name] = str(game.id)
    browser = Client()
    browser.force_login(people[0])
    return found, browser.cookies[settings.SESSION_COOKIE_NAME].value


def looked_at(browser: Any, url: str, cookie: dict[str, str]) -> tuple[float, int, list[float], float]:
    """One first look at a page: the paint in ms, the bytes, what taps take in ms, and the processor time of one."""
    context = browser.new_context(**PHONE)
    context.add_cookies([{**cookie, "url": url}])
    page = context.new_page()
    devtools, came = context.new_cdp_session(page), [0]
    devtools.on("Network.loadingFinished", lambda event: came.append(int(event["encodedDataLength"])))
    devtools.send("Network.enable")
    devtools.send("Network.emulateNetworkConditions", NETWORK)
    page.goto(url)
    page.locator("trey-table .hand button").first.wait_for()
    page.wait_for_timeout(2000)
    paint, size = page.evaluate(PAINT), sum(came)
    devtools.send("Performance.enable", {"timeDomain": "threadTicks"})
    before, taps = worked(devtools), page.evaluate(TAPS)
    spent = (worked(devtools) - before) * 1000 / len(taps)
    context.close()
    return paint, size, taps, spent


def worked(devtools: Any) -> float:
    """Seconds of the processor that the page's main thread has spent."""
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float(next(one["value"] for one in metrics if one["name"] == "TaskDuration"))


def measure(root: str, games: dict[str, str], cookie: dict[str, str], times: int) -> bool:
    """Measure, print, and say whether the limits are kept."""
    from playwright.sync_api import sync_playwright

    met = True
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        looked_at(browser, f"{root}/games/{next(iter(games.values()))}", cookie)
        for name, game in games.items():
            looks = [looked_at(browser, f"{root}/games/{game}", cookie) for _ in range(times)]
            paint = statistics.median(look[0] for look in looks)
            size = max(look[1] for look in looks)
            taps = statistics.quantiles([tap for look in looks for tap in look[2]], n=20)[-1]
            spent = statistics.median(look[3] for look in looks)
            told = f"95 % of taps {taps:5.1f} ms, processor {spent:4.1f} ms a tap"
            print(f"{name:15} first paint {paint:5.0f} ms, {size / 1000:6.1f} kB, {told}", flush=True)
            met = met and paint <= MOST_PAINT and size <= MOST_BYTES and taps <= MOST_TAP
        browser.close()
    return met


def main() -> None:
    """Set up, measure, tear down."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--times", type=int, default=5)
    parser.add_argument("--game", help="of this kind alone")
    parser.add_argument("--port", type=int, default=8043)
    options = parser.parse_args()
    if CHROMIUM is None:
        sys.exit("There is no Chromium on this machine.")
    from benchmarks.ground import own_place, web

    with own_place(), web(options.port):
        from django.conf import settings

        from games.rules import GAMES

        games, session = dealt([options.game] if options.game else list(GAMES))
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": session}
        met = measure(f"http://127.0.0.1:{options.port}", games, cookie, options.times)
        print(f"load of the machine {os.getloadavg()[0]:.1f}")
    sys.exit(not met)


if __name__ == "__main__":
    main()
