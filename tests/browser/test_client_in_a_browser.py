"""The TypeScript client in a browser, its types taken away as `tsc` does (AP17, AP19)."""

import subprocess

import pytest

from tests.browser.chromium import needs_chromium
from tests.browser.tables import apart
from tests.browser.test_pages import page
from tests.clients.conftest import NODE
from tests.docs.pages import ROOT
from tests.games.live.conftest import alice, bob, game, live, plays, serving

__all__ = ["alice", "bob", "game", "live", "page", "serving"]

STRIP = """
const { stripTypeScriptTypes } = require("node:module");
process.stdout.write(stripTypeScriptTypes(require("node:fs").readFileSync(process.argv[1], "utf8")));
"""
WATCH = """
async ([site, game, token]) => {
  const { Trey } = await import("/client/trey.ts");
  window.seen = [];
  for await (const { id } of new Trey(site, { token, pause: 0.1 }).watch(game.id, game.version)) window.seen.push(id);
  window.over = true;
}
"""
JAVASCRIPT = "text/javascript"
ARRIVED = "(version) => window.seen?.includes(version)"

pytestmark = [pytest.mark.slow, pytest.mark.browser, needs_chromium]


def script(address: str) -> str:
    path = ROOT / "clients" / "typescript" / address.rpartition("/")[2]
    command = [str(NODE), "--no-warnings", "-e", STRIP, str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def test_ap19_a_page_watches_a_game_to_its_end_and_comes_back_after_a_break(
    alice, bob, game, live, live_server, page, settings
) -> None:
    settings.TREY_LIVE_URL = f"http://127.0.0.1:{live.port}"
    page.route("**/client/*.ts", lambda route: route.fulfill(body=script(route.request.url), content_type=JAVASCRIPT))
    page.goto(f"{live_server.url}/healthz")  # to Chromium a page that never left it would be of the public network
    shown = apart(alice.sees, game)
    page.evaluate(f"(given) => {{ ({WATCH})(given); }}", [live_server.url, shown, alice.token])
    page.wait_for_function(ARRIVED, arg=apart(plays, alice, game)["version"])
    live.cut()
    page.wait_for_function(ARRIVED, arg=apart(plays, bob, game)["version"])
    apart(bob.post, f"games/{game['id']}/moves", {"move": "resign"})
    page.wait_for_function("() => window.over")
    last = apart(alice.sees, game)["version"]
    assert page.evaluate("() => window.seen.filter((id) => id !== null)") == [*range(shown["version"] + 1, last + 1)]
